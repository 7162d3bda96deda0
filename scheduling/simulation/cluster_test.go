package simulation

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// world is one cluster under one seed.
type world struct {
	t      *testing.T
	chance chance
	rnd    *rand.Rand // of the director
	faults *faults
	out    *history
	ledger *ledger
	began  time.Time
	pace   pace
	jobs   func(version int64) []scheduling.JobDefinition

	calendars map[string]scheduling.Calendar // nil = the application's own

	finished time.Time // by the store's clock
	lived    time.Duration
	slots    []*process
	starts   int
	version  int64
	enqueued int
	calm     chan struct{}  // closed when no more faults come
	calls    sync.WaitGroup // management calls under way
	ended    sync.WaitGroup // engines that run
	handlers sync.WaitGroup // handlers that run
}

// process is one start of a node.
type process struct {
	*scheduling.Scheduler
	world *world
	name  string
	id    string
	link  *link
	clock *nodeClock
	keeps bool // its runs when it is isolated
	slots int
	end   context.CancelFunc
	dead  chan struct{} // closed when it is killed
	done  chan struct{} // closed when Run has returned
}

func newWorld(t *testing.T, seed uint64) *world {
	w := newWorldAt(t, seed, bySecond, plans(time.Now()))
	w.slots = make([]*process, 2+seed/2%2)
	w.jobs = func(version int64) []scheduling.JobDefinition { return definitions(version, w.began) }
	return w
}

// newWorldAt is a world without nodes, at a pace, whose model knows some plans.
func newWorldAt(t *testing.T, seed uint64, p pace, known map[string]plan) *world {
	began := time.Now()
	w := &world{t: t, chance: chance{seed}, began: began, pace: p, calm: make(chan struct{})}
	w.rnd = w.chance.of("director")
	w.faults = &faults{chance: w.chance, rate: 1, count: map[string]int{}}
	w.out = newHistory(newJudge(began, p, known), began)
	var mu sync.Mutex
	held := 0
	w.ledger = newLedger(w.out, seed%2 == 0, func(op, job string) bool {
		mu.Lock()
		defer mu.Unlock()
		held++
		return w.chance.of("held", op, job, number(held)).Float64() < 0.01*w.faults.level()
	})
	return w
}

// note writes down what the director does.
func (w *world) note(node, kind, format string, args ...any) {
	w.faults.struck(kind)
	w.out.add(event{at: time.Now(), node: node, op: kind, note: fmt.Sprintf(kind+" "+format, args...)})
}

// start puts a process into a slot.
func (w *world) start(slot int) {
	w.starts++
	name := fmt.Sprintf("n%d-%d", slot, w.starts)
	r := w.chance.of("start", name)
	p := &process{world: w, name: name, id: name, dead: make(chan struct{}), done: make(chan struct{})}
	if r.IntN(2) == 0 {
		p.id = fmt.Sprintf("n%d", slot) // a fixed id, which has predecessors
	}
	if w.starts > len(w.slots) && r.IntN(3) == 0 {
		w.version++
	}
	version := w.version
	if version > 0 && r.IntN(4) == 0 {
		version-- // the old program starts once more
	}
	p.link = &link{Store: w.ledger.store, ledger: w.ledger, faults: w.faults, node: name, calls: map[string]int{}}
	p.link.claimed = func(keys []provider.TriggerKey) { w.claimed(p, keys) }
	p.clock = &nodeClock{began: time.Now(), off: between(r, -time.Hour, time.Hour), drift: int64(r.IntN(41) - 20)}
	isolation := scheduling.CancelRuns
	if p.keeps = r.IntN(4) == 0; p.keeps {
		isolation = scheduling.KeepRunning
		w.faults.struck("node keeps its runs when isolated")
	}
	batch := 0 // the engine's own
	if p.slots = 32; r.IntN(4) > 0 {
		batch, p.slots = 1+r.IntN(3), 4+r.IntN(21)
	}
	logger := slog.New(slog.DiscardHandler)
	if os.Getenv("GORMSCHED_SIM_LOG") != "" {
		logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug})).With("process", name)
	}
	s, err := scheduling.New(p.link, scheduling.Options{
		NodeID: p.id, PollInterval: w.pace.poll, MisfireThreshold: w.pace.threshold, NodeTimeout: w.pace.nodeTimeout,
		HeartbeatInterval: time.Duration(1+r.IntN(2)) * w.pace.nodeTimeout / 9, LeaseTTL: w.pace.leaseTTL,
		HousekeepingInterval: w.pace.purgeEvery, HistoryRetention: w.pace.retention, OnIsolation: isolation, ShutdownTimeout: time.Second, CancelGrace: time.Second,
		MaxConcurrentRuns: p.slots, AcquireBatchSize: batch, CodeVersion: version, Logger: logger, Clock: p.clock,
	})
	if err != nil {
		w.t.Fatalf("New: %v", err)
	}
	p.Scheduler = s
	for name, c := range w.calendars {
		if err := s.AddCalendar(name, c); err != nil {
			w.t.Fatalf("AddCalendar: %v", err)
		}
	}
	if w.calendars == nil {
		if err := s.AddCalendar(oddCalendar, calendar{p}); err != nil {
			w.t.Fatalf("AddCalendar: %v", err)
		}
	}
	s.Handle("guest", p.handle)
	for _, def := range w.jobs(version) {
		s.Handle(def.Name, p.handle)
		if err := s.AddJob(def); err != nil {
			w.t.Fatalf("AddJob: %v", err)
		}
	}
	w.note(name, "start", "as %s with code version %d, clock off by %v", p.id, version, p.clock.off)
	ctx, cancel := context.WithCancel(context.Background())
	p.end = cancel
	w.slots[slot] = p
	w.ended.Go(func() {
		defer close(p.done)
		_ = s.Run(ctx) // its errors are those of the faults
	})
}

// kill ends a process as a crash does: nothing of it is heard again.
func (w *world) kill(p *process) {
	w.note(p.name, "kill", "")
	p.link.setCut(true)
	close(p.dead)
	p.end()
	synctest.Wait()
}

// stop ends a process as asked.
func (w *world) stop(p *process) {
	w.note(p.name, "stop", "")
	p.end()
	<-p.done
}

// call makes a management call beside the director.
func (w *world) call(f func(ctx context.Context)) {
	w.calls.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		f(ctx)
	})
}

// later makes a management call when d has passed, or when the calm begins.
func (w *world) later(d time.Duration, f func(ctx context.Context)) {
	w.calls.Go(func() {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-w.calm:
			pass(between(w.chance.of("later", number(int64(d))), time.Millisecond, time.Second)) // not all at one instant
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		f(ctx)
	})
}

// run lets the cluster live for some minutes with faults, then in calm.
func (w *world) run(minutes int) {
	for slot := range w.slots {
		w.start(slot)
	}
	pass(between(w.rnd, 2*time.Second, 4*time.Second))
	until := w.began.Add(time.Duration(minutes) * time.Minute)
	check := w.began.Add(time.Minute)
	for time.Now().Before(until) && w.out.sound() {
		pass(between(w.rnd, 500*time.Millisecond, 8*time.Second))
		if time.Now().After(check) {
			check = check.Add(5 * time.Minute)
			w.check()
		}
		w.strike()
	}
	w.calmDown()
}

func (w *world) check() {
	w.ledger.check()
}

// calmDown ends all faults, lets what is due be worked off, and ends the
// cluster.
func (w *world) calmDown() {
	w.faults.calm()
	close(w.calm)
	w.out.add(event{at: time.Now(), op: "calm", note: "no more faults"})
	w.ledger.stepTo(0)
	for _, p := range w.slots {
		p.link.setCut(false)
	}
	pass(30 * time.Second) // what stands still goes on
	w.calls.Wait()
	w.ledger.commit("director", "ResumeJobs", false, func() {
		w.ledger.asked = &request{jobs: jobNames}
		w.ledger.asked.refused = must(w.ledger.store.ResumeJobs(context.Background(), jobNames))
	})
	pass(25 * time.Second)
	for _, p := range w.slots {
		w.out.add(event{at: time.Now(), node: p.name, op: "alive"})
	}
	pass(55 * time.Second)
	for _, p := range w.slots {
		w.stop(p)
	}
	w.ended.Wait()
	w.handlers.Wait()
	w.calls.Wait()
	pass(15 * time.Second) // what an engine asks a calendar aside ends after it
	w.check()
	w.finished = w.ledger.present().Add(-15 * time.Second)
	w.out.judge.end(w.finished)
	w.lived = time.Since(w.began)
}
