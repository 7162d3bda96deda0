package scheduling

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// phase is how far the scheduler's life has gone. It only grows.
type phase uint8

const (
	phaseNew      phase = iota
	phaseStarting       // Run was called; the node is not registered yet
	phaseServing
	phaseStopping  // claims nothing, starts nothing new; runs go on (D29)
	phaseCanceling // the runs' contexts have ended
	phaseStopped
)

// state is what Scheduler.mu guards.
type state struct {
	phase   phase
	paused  bool // StartPaused, until Unpause
	standby bool // unshared store without lease: one-shots only (D42)
	// standbySince is when the node began to stand by, by its own clock.
	standbySince time.Time

	// The node's standing. ref.Incarnation 0: not registered.
	ref      provider.NodeRef
	acked    time.Time // before the round trip of the last acknowledged heartbeat
	isolated bool      // the runs were given up; cleared by a heartbeat
	offset   time.Duration

	// The runs of this process, by id.
	calling map[string]struct{}
	live    map[string]*live
	ending  map[string]struct{}
	// claimIDs names the claim calls under way; pending the claims that are
	// neither begun nor given back.
	claimIDs map[int64]struct{}
	pending  map[provider.TriggerKey]*pendingClaim
	reserved int  // slots of the claim calls under way
	starved  bool // the last pass ended for want of slots
	// servingSince and lastPass are for [Scheduler.Health].
	servingSince, lastPass time.Time
	synced                 bool // code jobs were written, or tried once (R252)
	// fruitless counts the passes in a row that could do nothing.
	fruitless int
	// doubtUntil: until a poll after this instant has succeeded, the store
	// may know of claims and runs that memory does not (D07).
	doubtUntil time.Time

	excluded map[string]exclusion
	poisoned map[provider.TriggerKey]struct{}
}

func newState(o Options) state {
	return state{
		paused: o.StartPaused, calling: make(map[string]struct{}), live: make(map[string]*live),
		ending: make(map[string]struct{}), claimIDs: make(map[int64]struct{}),
		pending: make(map[provider.TriggerKey]*pendingClaim), excluded: make(map[string]exclusion),
		poisoned: make(map[provider.TriggerKey]struct{}),
	}
}

// live is a run whose handler is running.
type live struct {
	begun
	run   *Run
	since time.Time // when memory learned of it

	ctx     context.Context
	cancel  context.CancelCauseFunc
	release context.CancelFunc
	// gone: its record is no longer ours to end. lost: its Lost record is on
	// the way, although the handler has not returned.
	gone bool
	lost bool
}

// pendingClaim is a claim that was not begun yet.
type pendingClaim struct {
	key     provider.TriggerKey
	claimID int64
	ref     provider.NodeRef
	// prepared is what the application's calendars answered.
	prepared *plan.Prepared
	// tries counts the held answers; after is when to ask again, alone.
	tries int
	after time.Time
}

// fresh reports whether the heartbeat is young enough to start handlers and to
// claim (D25). Unshared stores have no heartbeats. Caller holds mu.
func (s *Scheduler) fresh(now time.Time) bool {
	if s.st.ref.Incarnation == 0 {
		return false
	}
	return !s.info.Shared || elapsed(s.st.acked, now) < s.isolation()
}

// isolation is this node's isolation limit (D25).
func (s *Scheduler) isolation() time.Duration {
	return isolationLimit(s.opts.NodeTimeout, s.opts.HeartbeatInterval)
}

// node returns the node's present reference; Incarnation 0 = not registered.
func (s *Scheduler) node() provider.NodeRef {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.st.ref
}

// doubt notes that an answer was lost: the poll asks the store what it knows
// until an answer has come that is late enough to judge by (D07).
func (s *Scheduler) doubt() {
	until := s.clock.Now().Add(s.youth())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.st.doubtUntil = until
}

// youth is the age under which what the store knows and memory does not may
// still be on its way (D07: two polls), with one poll for the store's clock.
func (s *Scheduler) youth() time.Duration { return 3 * s.opts.PollInterval }

// free is the number of slots of one claim (R258), beside those that claims
// under way have reserved; the caller's own are not counted. Caller holds mu.
func (s *Scheduler) free(own int) int {
	used := len(s.st.live) + len(s.st.pending) + s.st.reserved - own
	return max(min(s.opts.AcquireBatchSize, s.opts.MaxConcurrentRuns-used), 0)
}

// standBy notes whether only one-shots may be claimed (D42). Caller holds mu.
func (s *Scheduler) standBy(on bool) {
	if on && !s.st.standby {
		s.st.standbySince = s.clock.Now()
	}
	s.st.standby = on
}

// standsBy reports whether another node leads, as far as can be told: this one
// has stood by for as long as a dead leader's lease lasts and two further tries
// to get it take. Before that it may lead in a moment, after a night without any node too, and make up what is
// due (D42).
func (s *Scheduler) standsBy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.st.standby && s.st.phase == phaseServing && !s.st.paused && s.st.synced &&
		elapsed(s.st.standbySince, s.clock.Now()) >= s.opts.LeaseTTL+2*s.opts.RenewInterval
}

// forget ends what is known of a run that has ended.
func (s *Scheduler) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.st.ending, id)
	s.notify()
}

// notify wakes who waits for the state to change. Caller holds mu.
func (s *Scheduler) notify() {
	if s.moved != nil {
		close(s.moved)
		s.moved = nil
	}
}

// await waits until done says so of the state, or ctx ends, and reports which.
// done is called with mu held.
func (s *Scheduler) await(ctx context.Context, done func() bool) bool {
	for {
		s.mu.Lock()
		if done() {
			s.mu.Unlock()
			return true
		}
		if s.moved == nil {
			s.moved = make(chan struct{})
		}
		moved := s.moved
		s.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return false
		}
	}
}

// call gives one store call its deadline. Store calls do not end with Run's
// context: a stop has writes of its own to make (D29).
func (s *Scheduler) call(limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.base, min(limit, callLimit))
}
