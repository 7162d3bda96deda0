package schedulingtest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// World is what a case of the scheduler suite works with: schedulers on one
// store, inside a bubble. Store is a handle of the case's own, to look with.
type World struct {
	*Env

	begin   time.Time
	engines []*engine
	log     *logBook
	events  *eventBook
}

// now is the bubble's present, which is also the store's.
func now() time.Time { return time.Now().UTC() }

// engine is one scheduler, with a handle on the store of its own.
type engine struct {
	*scheduling.Scheduler

	w    *World
	link *link
	end  context.CancelFunc
	gone chan struct{} // closed when Run has returned
	err  error
}

// engine makes a scheduler that does not run yet. The node times out after
// 10 s, so that cases of a failover are short.
func (w *World) engine(id string, change ...func(*scheduling.Options)) *engine {
	w.Helper()
	l := &link{Store: w.InBubble(w.T)}
	o := scheduling.Options{NodeID: id, NodeTimeout: 10 * time.Second, LeaseTTL: 6 * time.Second,
		HousekeepingInterval: 10 * time.Second, ShutdownTimeout: 2 * time.Second, CancelGrace: time.Second,
		Publisher: w.events, Logger: slog.New(slog.NewTextHandler(w.log, nil))}
	for _, c := range change {
		c(&o)
	}
	s, err := scheduling.New(l, o)
	w.must(err, "New")
	n := &engine{Scheduler: s, w: w, link: l}
	n.Handle("nop", nop)
	w.engines = append(w.engines, n)
	return n
}

// code declares code jobs of one handler; nil does nothing. A job that names no
// handler gets it under its own name.
func (n *engine) code(h scheduling.Handler, defs ...scheduling.JobDefinition) *engine {
	n.w.Helper()
	for _, def := range defs {
		switch {
		case h == nil && def.Handler == "":
			def.Handler = "nop"
		case h != nil:
			n.Handle(def.Name, h)
		}
		n.w.must(n.AddJob(def), "AddJob %s", def.Name)
	}
	return n
}

// run starts the scheduler.
func (n *engine) run() *engine {
	ctx, cancel := context.WithCancel(context.Background())
	n.end, n.gone = cancel, make(chan struct{})
	go func() {
		defer close(n.gone)
		n.err = n.Run(ctx)
	}()
	synctest.Wait()
	return n
}

// left reports whether the scheduler still runs, and is expected to stop well.
func (n *engine) left() bool {
	if n.gone == nil || n.link.isCut() {
		return false
	}
	select {
	case <-n.gone:
		return false
	default:
		return true
	}
}

// stop ends the scheduler, which must stop cleanly.
func (n *engine) stop() {
	n.w.Helper()
	if err := n.finish(); err != nil {
		n.w.Errorf("Run of %s: %v", n.NodeID(), err)
	}
}

// finish ends the scheduler and returns what Run returned.
func (n *engine) finish() error {
	n.end()
	<-n.gone
	synctest.Wait()
	return n.err
}

// die makes nothing be heard of the scheduler again.
func (n *engine) die() {
	n.link.setCut(true)
	n.end()
}

// settle ends whatever a case has left running.
func (w *World) settle() {
	for _, n := range w.engines {
		if n.gone != nil {
			n.end()
			<-n.gone
		}
	}
	if w.Failed() {
		w.Logf("the schedulers logged:\n%s", w.log)
	}
}

// sleep lets d of the bubble's time pass.
func (w *World) sleep(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// sleepTo lets time pass until d after the case's beginning.
func (w *World) sleepTo(d time.Duration) { w.sleep(w.at(d).Sub(now())) }

// at is the instant d after the case's beginning.
func (w *World) at(d time.Duration) time.Time { return w.begin.Add(d) }

// same fails the case unless both values print alike.
func (w *World) same(what string, got, want any) {
	w.Helper()
	if g, v := fmt.Sprint(got), fmt.Sprint(want); g != v {
		w.Errorf("%s: got %s, want %s", what, g, v)
	}
}

// runs returns the runs of a job, in the order in which they began.
func (w *World) runs(job string) []provider.RunRecord {
	w.Helper()
	runs, err := w.Store.Runs(w.ctx, provider.RunQuery{Job: job, Limit: provider.MaxRunPage})
	w.must(err, "Runs of %s", job)
	slices.SortFunc(runs, func(a, b provider.RunRecord) int {
		if c := a.StartedAt.Compare(b.StartedAt); c != 0 {
			return c
		}
		return int(a.Sequence - b.Sequence)
	})
	return runs
}

// told renders the runs of a job by a function of each.
func (w *World) told(job string, of func(r provider.RunRecord) string) string {
	w.Helper()
	var parts []string
	for _, r := range w.runs(job) {
		parts = append(parts, of(r))
	}
	return strings.Join(parts, " ")
}

// story renders kind, state and attempt of each run of a job.
func (w *World) story(job string) string {
	w.Helper()
	return w.told(job, func(r provider.RunRecord) string { return fmt.Sprintf("%v/%v/%d", r.Kind, r.State, r.Attempt) })
}

// due renders for which instants the runs of a job stand, counted from the
// case's beginning; begun when they began. Both are rounded to tenths of a
// second, which hides a store's own waiting for a moment.
func (w *World) due(job string) string {
	w.Helper()
	return w.told(job, func(r provider.RunRecord) string { return w.offset(r.ScheduledAt) })
}

func (w *World) begun(job string) string {
	w.Helper()
	return w.told(job, func(r provider.RunRecord) string { return w.offset(r.StartedAt) })
}

func (w *World) offset(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	return at.Sub(w.begin).Round(100 * time.Millisecond).String()
}

// row reads a trigger, and stored a job.
func (w *World) row(job, name string) provider.TriggerRecord {
	w.Helper()
	rows, err := w.Store.Triggers(w.ctx, []provider.TriggerKey{key(job, name)})
	w.must(err, "Triggers")
	if len(rows) != 1 {
		w.Fatalf("trigger %s/%s: %d rows", job, name, len(rows))
	}
	return rows[0]
}

func (w *World) stored(job string) provider.JobRecord {
	w.Helper()
	jobs, err := w.Store.Jobs(w.ctx, []string{job})
	w.must(err, "Jobs")
	if len(jobs) == 0 {
		return provider.JobRecord{}
	}
	return jobs[0]
}

// state renders a job's trigger "default": its state and its next occurrence.
func (w *World) state(job string) string {
	w.Helper()
	r := w.row(job, scheduling.DefaultTrigger)
	return fmt.Sprintf("%v %s", r.State, w.offset(r.ScheduledAt))
}
