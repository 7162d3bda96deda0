package gormsched

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Several nodes claim and complete beside enqueuers and a manager: nobody ever
// deadlocks, no one-shot is lost or runs twice, and no exclusive job runs twice
// at once (D23, D35, R148).
func TestNoDeadlocks(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		const nodes, jobs, shots = 4, 6, 40
		s, first := d.wired(t, Options{})
		w := newWorld(t, s)
		names := w.names(jobs)
		for i, name := range names {
			w.jobs(i%2 == 0, name)
			w.triggers(w.trigger(name, "every-x", w.t0, i%2 == 0), w.trigger(name, "cron", w.t0, i%2 == 0))
		}
		wires := []*wire{first}
		var deadlocks, ran, overlaps atomic.Int64
		running := make([]atomic.Int64, jobs)
		enqueued := make(chan struct{})
		var workers, producers sync.WaitGroup
		work := func(v *world) {
			for idle := 0; idle < 20; {
				a, err := v.s.Claim(v.ctx, v.claimRequest(7))
				if err != nil && !contention(err) {
					t.Errorf("Claim: %v", err)
					return
				}
				begun := started(a.Items)
				for _, b := range begun {
					if i := indexOf(names, b.Run.Job); i%2 == 0 && running[i].Add(1) > 1 {
						overlaps.Add(1)
					}
				}
				req := v.completions(provider.RunSucceeded, begun...)
				for _, b := range begun {
					if i := indexOf(names, b.Run.Job); i%2 == 0 {
						running[i].Add(-1)
					}
				}
				for len(req.Items) > 0 {
					a, err := v.s.Complete(v.ctx, req)
					if err != nil && !contention(err) {
						t.Errorf("Complete: %v", err)
						return
					}
					var held []provider.Completion
					for i, item := range req.Items {
						switch {
						case err != nil || a.Items[i].Outcome == provider.OutcomeHeld:
							held = append(held, item)
						case a.Items[i].Outcome == provider.OutcomeDone:
							ran.Add(1)
						default:
							t.Errorf("a completion answers %v", a.Items[i].Outcome)
						}
					}
					req.Items = held
				}
				select {
				case <-enqueued:
					if len(a.Items) == 0 && !a.More {
						idle++
					}
				default:
				}
			}
		}
		for i := range nodes {
			v := w
			if i > 0 {
				own, wire := d.wired(t, Options{})
				wires = append(wires, wire)
				v = &world{TB: t, s: own, ctx: w.ctx, t0: w.t0, node: w.register(fmt.Sprintf("n%d", i+1))}
			}
			workers.Go(func() { work(v) })
		}
		for i := range 2 {
			producers.Go(func() {
				for n := range shots {
					var list []provider.TriggerRecord
					for j := range names { // the two in opposite orders
						name := names[(j*(1-2*i)+i*(jobs-1))%jobs]
						list = append(list, provider.TriggerRecord{
							TriggerKey: provider.TriggerKey{Job: name, Trigger: fmt.Sprintf("manual-%d", n)}, RunAs: provider.KindManual, Priority: 5,
							NextFireAt: w.t0.Add(time.Duration(n)*time.Second + time.Duration(i)*time.Millisecond),
						})
					}
					if _, err := w.s.Enqueue(w.ctx, list); err != nil && !contention(err) {
						t.Errorf("Enqueue: %v", err)
					}
				}
			})
		}
		producers.Go(func() {
			for range 6 {
				for _, f := range []func() error{
					func() error { _, err := w.s.PauseJobs(w.ctx, names); return err },
					func() error { _, err := w.s.ResumeJobs(w.ctx, names); return err },
				} {
					if err := f(); err != nil && !contention(err) {
						t.Errorf("pausing: %v", err)
					}
				}
			}
			w.each(w.s.ResumeJobs(w.ctx, names))
		})
		producers.Wait()
		close(enqueued)
		workers.Wait()
		for _, wire := range wires {
			for _, err := range wire.errs {
				if w.s.core.d.Classify(err) == dialects.FaultRetry {
					deadlocks.Add(1)
					t.Logf("%v", err)
				}
			}
		}
		// The two enqueuers use the same names, while claims delete them: InnoDB's
		// duplicate check locks beyond its key then, and the store repeats. Names
		// that come once have no deadlock there either, see TestNoDeadlocksOfNewNames.
		if deadlocks.Load() != 0 && mysqlDSN(d.name) == "" {
			t.Errorf("%d deadlocks", deadlocks.Load())
		}
		if overlaps.Load() != 0 {
			t.Errorf("%d times an exclusive job ran twice at once", overlaps.Load())
		}
		if left := w.count("SELECT COUNT(*) FROM {{triggers}} WHERE trigger_name LIKE 'manual-%'"); left != 0 {
			t.Errorf("%d one-shots are left", left)
		}
		t.Logf("%d runs", ran.Load())
		w.invariants("after")
	})
}

func indexOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}

func contention(err error) bool {
	var e *provider.Error
	return errors.As(err, &e) && e.Reason == provider.ReasonContention
}
