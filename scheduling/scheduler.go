package scheduling

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Scheduler runs jobs. Make one with [New], register handlers, jobs and
// calendars, then call [Scheduler.Run] once. All methods are safe for
// concurrent use; management calls work before, during and after Run, and on
// schedulers that never run.
type Scheduler struct {
	store    provider.Store
	claimer  provider.Claimer // nil: acquire, then begin
	election provider.Election
	info     provider.Info
	opts     Options // complete: every default filled in
	clock    Clock
	log      *slog.Logger
	events   *emitter
	reg      *registry

	done   *completions
	record *recorder
	lease  *leadership
	peers  *peerTable
	locals *localJobs
	wake   *waker // of the claim loop
	upkeep *waker
	faults complaints

	// base is the context of runs and store calls; it carries the values of
	// Run's context and ends when Run returns. Set before serving.
	base    context.Context
	tasks   sync.WaitGroup // the engine's goroutines, but not the runs'
	leaving chan struct{}  // closed when the stop begins
	ended   chan struct{}  // closed when Run has returned
	result  error          // Run's; read after ended is closed
	stop    signal         // Shutdown was called, or the engine fails
	hurry   signal         // a Shutdown's context has ended

	// Set while application calendars are asked, see aside.
	bearing, mending, rezoning, passing atomic.Bool

	// Of the poll loop alone: what the store knows and memory does not, with
	// when it was first seen.
	strangers map[string]time.Time
	// Of the code loop alone.
	codeDone bool
	mendIn   int

	mu    sync.Mutex
	st    state
	fault error         // why the engine stopped by itself
	moved chan struct{} // closed when st has changed; nil: nobody waits
}

// New makes a scheduler on a store. Nothing is read or written before
// [Scheduler.Run] or a management call. All faults of the options are
// reported together.
func New(store provider.Store, options Options) (*Scheduler, error) {
	opts, err := options.complete(store)
	if err != nil {
		return nil, err
	}
	s := &Scheduler{
		store: store, info: store.Info(), opts: opts, clock: opts.Clock, log: opts.Logger,
		election: opts.Election, reg: newRegistry(opts), wake: newWaker(opts.PollInterval), upkeep: newWaker(opts.HousekeepingInterval),
		base: context.Background(), leaving: make(chan struct{}), ended: make(chan struct{}),
		stop: newSignal(), hurry: newSignal(),
		faults: complaints{open: make(map[string]complaint)},
	}
	if claimer, ok := store.(provider.Claimer); ok && s.info.Claims {
		s.claimer = claimer
	}
	if s.election == nil {
		s.election = store.Election()
	}
	if s.election == nil {
		return nil, provider.Invalidf("store %s: has no election of its own: set Options.Election", s.info.Name)
	}
	s.st = newState(opts)
	s.events = newEmitter(s)
	s.done = newCompletions(s)
	s.record = newRecorder(s)
	s.lease = newLeadership(s)
	s.peers = newPeerTable(s)
	s.locals = newLocalJobs(s)
	return s, nil
}

// NodeID returns the id of this process among those that share the store.
func (s *Scheduler) NodeID() string { return s.opts.NodeID }

// IsLeader reports whether this node may trust, by its own clock, that it
// holds the leader's lease (R070, R261).
func (s *Scheduler) IsLeader() bool { return s.lease.held() }

// Unpause ends what [Options].StartPaused began; later calls do nothing.
func (s *Scheduler) Unpause() {
	s.mu.Lock()
	s.st.paused = false
	s.mu.Unlock()
	s.nudge()
	s.lease.wake.now()
	s.locals.wake.now()
}

// nudge makes the claim loop look for work now.
func (s *Scheduler) nudge() { s.wake.now() }

// rules returns what this node knows now.
func (s *Scheduler) rules() *plan.Rules { return s.reg.rules() }

// What management (manage.go) uses of the engine, beside store, opts and log:
//
//	s.rules() *plan.Rules                 the node's present knowledge
//	s.reg.handler(key) Handler            nil if it is not registered
//	s.reg.calendar(name) (Calendar, bool)
//	s.reg.codeJob(name) (JobDefinition, bool)
//	s.nudge()                             look for work now (Wake)
//	s.cancelHere(id, cause) bool          cancel a run of this process; false if it is not here
//	s.definitionsChanged(names...)        refresh local triggers, forget what was excluded (R207, D14)
//	s.events.job(topic, name), s.events.run(topic, record)
