package scheduling_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var (
	chaosSeeds = flag.Int("chaos.seeds", 4, "number of seeds of the chaos test")
	chaosSeed  = flag.Uint64("chaos.seed", 0, "run this seed of the chaos test alone")
)

// D04–D07, D25, D26, R148, B103, B104, B136, B141: three engines on one store
// for ten minutes, with links that are cut, calls that fail or whose answers
// are lost, rows that are held, pauses, cancels and nodes that restart. Runs of
// the exclusive job whose handler heeds its context never overlap, whatever is
// enqueued runs, no run of it ends twice, and in the end nothing is left over.
func TestChaos(t *testing.T) {
	seeds := make([]uint64, *chaosSeeds)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	if *chaosSeed != 0 {
		seeds = []uint64{*chaosSeed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { bubble(t, func(t *testing.T) { chaos(t, seed) }) })
	}
}

// spell is what a handler was seen to do, by the bubble's clock.
type spell struct {
	run, node  string
	begin, end time.Time
	cause      error
}

type chaosWorld struct {
	t     *testing.T
	rnd   *rand.Rand
	store *inmemory.Store

	mu     sync.Mutex
	seed   *rand.Rand // of the faults; guarded by mu
	rate   float64
	spells []spell
	nodes  []*node
	starts int
	stalls bool
	steps  bool
	logs   []*logBook
	step   atomic.Int64 // of the store's clock
}

func (w *chaosWorld) chance(p float64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seed.Float64() < p*w.rate
}

func (w *chaosWorld) start(slot int) {
	w.starts++
	id := fmt.Sprintf("n%d-%d", slot, w.starts)
	if w.rnd.IntN(2) == 0 {
		id = fmt.Sprintf("n%d", slot) // a fixed id, which has predecessors
	}
	n := newNode(w.t, w.store, scheduling.Options{
		NodeID: id, NodeTimeout: 9 * time.Second, LeaseTTL: 6 * time.Second, HousekeepingInterval: 10 * time.Second,
		ShutdownTimeout: time.Second, CancelGrace: time.Second,
	})
	handler := func(ctx context.Context, run *scheduling.Run) error {
		s := spell{run: run.ID, node: run.Node + "/" + run.ID, begin: time.Now()}
		w.mu.Lock()
		d := time.Duration(w.seed.IntN(1500)) * time.Millisecond
		fails := w.seed.IntN(5) == 0
		w.mu.Unlock()
		select {
		case <-time.After(d):
		case <-ctx.Done():
			s.cause = context.Cause(ctx)
		}
		s.end = time.Now()
		w.mu.Lock()
		w.spells = append(w.spells, s)
		w.mu.Unlock()
		if fails {
			return errors.New("as it happens")
		}
		return ctx.Err()
	}
	n.Handle("exclusive", handler)
	n.Handle("shared", nop)
	n.job(scheduling.JobDefinition{
		Name: "exclusive", RequestsRecovery: true, Retry: scheduling.FixedRetry(2, time.Second),
		Triggers: []scheduling.TriggerDefinition{
			{Name: "cron", Schedule: scheduling.MustCron("*/3 * * * * *", "")},
			{Name: "every", Schedule: scheduling.MustEvery(2 * time.Second)},
			{Name: "all", Schedule: scheduling.MustCron("*/20 * * * * *", ""), Misfire: scheduling.RunAll},
		},
	})
	n.job(scheduling.JobDefinition{Name: "shared", AllowConcurrent: true, Triggers: []scheduling.TriggerDefinition{
		{Name: "cron", Schedule: scheduling.MustCron("* * * * * *", "")}}})
	n.link.setStrike(func(op string) error {
		switch {
		case w.chance(0.02):
			return provider.Unavailable(op, errAway)
		case w.stalls && w.chance(0.004): // longer than NodeTimeout, heeding no deadline
			w.mu.Lock()
			d := time.Duration(w.seed.IntN(12_000)) * time.Millisecond
			w.mu.Unlock()
			<-time.After(d)
		}
		return nil
	})
	w.nodes[slot] = n.run()
	w.logs = append(w.logs, n.log)
}

func chaos(t *testing.T, seed uint64) {
	w := &chaosWorld{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), seed: rand.New(rand.NewPCG(seed, 2)), rate: 1, nodes: make([]*node, 3)}
	w.stalls, w.steps = seed%3 == 1, seed%5 == 2
	w.store = newStore(t, inmemory.Options{
		Now:     func() time.Time { return time.Now().Add(time.Duration(w.step.Load())) },
		LongWay: seed%2 == 0,
		MaxRuns: 100_000,
		Fault: func(op string, phase inmemory.Phase) error {
			if phase == inmemory.AfterCommit && w.chance(0.01) {
				return errAway
			}
			return nil
		},
		Held: func(string, string) bool { return w.chance(0.02) },
	})
	for slot := range w.nodes {
		w.start(slot)
	}
	sleep(3 * time.Second)
	enqueued := 0
	for range 120 {
		sleep(time.Duration(1+w.rnd.IntN(9)) * time.Second)
		if w.steps && w.rnd.IntN(6) == 0 {
			w.step.Store(int64(time.Duration(w.rnd.IntN(120)-60) * time.Second))
		}
		slot := w.rnd.IntN(len(w.nodes))
		n := w.nodes[slot]
		switch w.rnd.IntN(9) {
		case 0:
			n.link.setCut(true)
		case 1, 2:
			n.link.setCut(false)
		case 3: // stops, cleanly if it can, and another takes its place
			_ = n.stop()
			w.start(slot)
		case 4: // dies: nothing of it is heard again
			n.link.setCut(true)
			n.end()
			w.start(slot)
		case 5:
			_ = n.Pause(t.Context(), "exclusive")
			sleep(time.Duration(w.rnd.IntN(5)) * time.Second)
			for resume(t, w.store) != nil {
				sleep(time.Second)
			}
		case 6:
			runs, err := w.store.RunningRuns(t.Context(), []string{"exclusive"})
			if err == nil && len(runs) > 0 {
				_ = n.CancelRuns(t.Context(), runs[0].ID)
			}
		default:
			answers, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "exclusive"})
			if err == nil && answers[0].Trigger.Job != "" {
				enqueued++
			}
		}
	}
	// Calm: everything comes back and is worked off.
	w.mu.Lock()
	w.rate = 0
	w.mu.Unlock()
	w.step.Store(0)
	for _, n := range w.nodes {
		n.link.setCut(false)
	}
	sleep(3 * time.Minute)
	for slot, n := range w.nodes {
		if err := n.stop(); err != nil {
			t.Errorf("slot %d (%s): Run: %v", slot, n.NodeID(), err)
		}
	}
	w.judge(enqueued)
	if t.Failed() {
		for _, l := range w.logs {
			t.Log(l.warnings())
		}
	}
}

func (w *chaosWorld) judge(enqueued int) {
	t := w.t
	runs := history(t, w.store, "exclusive")
	count := map[string]int{}
	manual := 0
	for _, r := range runs {
		count[r.Kind.String()+"/"+r.State.String()]++
		if r.State == scheduling.RunRunning {
			t.Errorf("left Running: %+v", r)
		}
		if r.Kind == scheduling.KindManual {
			manual++
		}
	}
	t.Logf("%d starts, %d runs: %v", w.starts, len(runs), count)
	if manual < enqueued {
		t.Errorf("%d enqueued, %d ran", enqueued, manual)
	}
	if o := overlap(runs); o != "" && !w.steps {
		t.Errorf("records overlap: %s", o)
	}
	seen := map[string]bool{}
	for i, a := range w.spells {
		if seen[a.run] {
			t.Errorf("the handler of run %s was started twice", a.run)
		}
		seen[a.run] = true
		for _, b := range w.spells[i+1:] {
			if a.begin.Before(b.end) && b.begin.Before(a.end) {
				t.Errorf("handlers overlap: %s [%v, %v] %v and %s [%v, %v] %v",
					a.node, a.begin.Sub(start2000), a.end.Sub(start2000), a.cause, b.node, b.begin.Sub(start2000), b.end.Sub(start2000), b.cause)
			}
		}
	}
	recoveries := map[string]int{}
	for _, r := range runs {
		if r.Kind == scheduling.KindRecovery {
			recoveries[r.TriggerName]++
		}
	}
	for name, times := range recoveries {
		if times != 1 {
			t.Errorf("%s ran %d times", name, times)
		}
	}
	for _, r := range runs {
		if r.State == scheduling.RunLost {
			if recoveries["recovery-"+r.ID] == 0 {
				t.Errorf("run %s was lost and not recovered", r.ID)
			}
		}
	}
	shared := map[time.Time]int{}
	for _, r := range history(t, w.store, "shared") {
		if shared[r.ScheduledAt]++; shared[r.ScheduledAt] > 1 {
			t.Errorf("the occurrence %v ran twice", r.ScheduledAt)
		}
	}
	rows, err := w.store.ListTriggers(t.Context(), provider.TriggerQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if provider.IsOneShot(row.Trigger) && row.NextFireAt.Before(time.Now().Add(-10*time.Second)) {
			t.Errorf("left over: %+v", row)
		}
		if row.State == provider.TriggerAcquired || row.State == provider.TriggerBlocked || row.State == provider.TriggerError {
			t.Errorf("left in state %s: %+v", row.State, row)
		}
	}
}

func resume(t *testing.T, store *inmemory.Store) error {
	_, err := store.ResumeJobs(t.Context(), []string{"exclusive"})
	return err
}
