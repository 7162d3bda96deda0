package gormsched

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Four nodes claim and complete beside two enqueuers of new names and one that
// pauses and resumes: no transaction is a deadlock's victim, no one-shot is lost
// and none runs twice. This is the drain that deadlocked in hundreds of a
// thousand claims with lists in its writes, and with REPEATABLE READ.
func TestNoDeadlocksOfNewNames(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		const nodes, shots, batch = 4, 400, 20
		d := mysqlDatabase(name)(t)
		s, first := d.wired(t, Options{})
		w := newWorld(t, s)
		jobs := w.names(6)
		for i, job := range jobs {
			w.jobs(i%3 == 0, job)
		}
		wires := []*wire{first}
		var done atomic.Int64
		var left atomic.Int64
		left.Store(shots)
		var workers sync.WaitGroup
		work := func(v *world) {
			for left.Load() > 0 {
				a, err := v.s.Claim(v.ctx, v.claimRequest(16))
				if err != nil {
					t.Errorf("Claim: %v", err)
					return
				}
				req := v.completions(provider.RunSucceeded, started(a.Items)...)
				for len(req.Items) > 0 {
					a, err := v.s.Complete(v.ctx, req)
					if err != nil {
						t.Errorf("Complete: %v", err)
						return
					}
					var held []provider.Completion
					for i, item := range req.Items {
						if a.Items[i].Outcome == provider.OutcomeHeld {
							held = append(held, item)
							continue
						}
						done.Add(1)
						left.Add(-1)
					}
					req.Items = held
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
			workers.Go(func() {
				for n := 0; n < shots/2; n += batch {
					var list []provider.TriggerRecord
					for k := range batch {
						list = append(list, provider.TriggerRecord{
							TriggerKey: provider.TriggerKey{Job: jobs[(n+k)%len(jobs)], Trigger: fmt.Sprintf("manual-%d-%d", i, n+k)},
							RunAs:      provider.KindManual, Priority: 5, NextFireAt: w.t0,
						})
					}
					if _, err := w.s.Enqueue(w.ctx, list); err != nil {
						t.Errorf("Enqueue: %v", err)
						left.Add(-batch)
					}
				}
			})
		}
		workers.Go(func() {
			for range 5 {
				w.each(w.s.PauseJobs(w.ctx, jobs))
				w.each(w.s.ResumeJobs(w.ctx, jobs))
			}
		})
		workers.Wait()
		for _, wire := range wires {
			for _, err := range wire.errs {
				if s.core.d.Classify(err) == dialects.FaultRetry {
					t.Errorf("a transaction was a victim: %v", err)
				}
			}
		}
		if done.Load() != shots {
			t.Errorf("%d runs, want %d", done.Load(), shots)
		}
		w.invariants("after")
	})
}
