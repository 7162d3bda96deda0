package gormsched

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// operations are the operations of the hot path, each with what it needs. n is
// the number of items; prepare makes them and returns the operation.
var operations = []struct {
	name    string
	prepare func(w *world, n int) func() (items int, err error)
}{
	{"claim one-shots", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.enqueue("a", n)
		return claiming(w, n)
	}},
	{"claim cron triggers", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.triggers(w.many("a", "cron", n, false)...)
		return claiming(w, n)
	}},
	{"claim exclusive jobs", func(w *world, n int) func() (int, error) {
		w.jobs(true, w.names(n)...)
		for _, name := range w.names(n) {
			w.triggers(w.trigger(name, "every-x", w.t0, true), w.trigger(name, "y", w.t0.Add(time.Second), true))
		}
		return claiming(w, n)
	}},
	{"claim that only advances, exclusive jobs with Blocked triggers", func(w *world, n int) func() (int, error) {
		w.freeWithBlocked(n, false)
		req := w.claimRequest(n)
		req.Decide = func(provider.Candidate) provider.Decision {
			return provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}
		}
		return func() (int, error) {
			a, err := w.s.Claim(w.ctx, req)
			return len(a.Items), err
		}
	}},
	{"acquire", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.triggers(w.many("a", "cron", n, false)...)
		return func() (int, error) {
			a, err := w.s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: n})
			return len(a.Claimed), err
		}
	}},
	{"begin", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.triggers(w.many("a", "cron", n, false)...)
		return w.beginning(n)
	}},
	{"begin exclusive jobs", func(w *world, n int) func() (int, error) {
		w.jobs(true, w.names(n)...)
		for _, name := range w.names(n) {
			w.triggers(w.trigger(name, "x", w.t0, true), w.trigger(name, "y", w.t0.Add(time.Second), true))
		}
		return w.beginning(n)
	}},
	{"start exclusive jobs", func(w *world, n int) func() (int, error) {
		w.jobs(true, w.names(n)...)
		req := provider.StartRequest{Node: w.node}
		for i, id := range runIDs(n) {
			req.Runs = append(req.Runs, provider.RunRecord{ID: id, Job: w.names(n)[i], Kind: provider.KindManual, Attempt: 1})
		}
		return func() (int, error) {
			a, err := w.s.Start(w.ctx, req)
			return len(started(a.Items)), err
		}
	}},
	{"complete", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.enqueue("a", n)
		return w.completing(provider.RunSucceeded, n)
	}},
	{"complete with retries", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.enqueue("a", n)
		return w.completing(provider.RunFailed, n)
	}},
	{"complete exclusive jobs, interval triggers, retries", func(w *world, n int) func() (int, error) {
		w.jobs(true, w.names(n)...)
		for _, name := range w.names(n) {
			w.triggers(w.trigger(name, "every-x", w.t0, true), w.trigger(name, "y", w.t0.Add(time.Second), true))
		}
		return w.completing(provider.RunFailed, n)
	}},
	{"sweep", func(w *world, n int) func() (int, error) {
		n = min(n, sweepMost)
		w.jobs(true, w.names(n)...)
		for _, name := range w.names(n) {
			w.triggers(w.trigger(name, "every-x", w.t0, true), w.trigger(name, "y", w.t0.Add(time.Second), true))
		}
		w.claim(n)
		w.forget(w.node)
		return func() (int, error) {
			a, err := w.s.Sweep(w.ctx, provider.SweepRequest{Recover: recoverAll})
			if len(a.Recovered) != len(a.Lost) || a.HandedBack != len(a.Lost) {
				w.Errorf("lost %d, recovered %d, handed back %d", len(a.Lost), len(a.Recovered), a.HandedBack)
			}
			return len(a.Lost), err
		}
	}},
	{"release", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.triggers(w.many("a", "cron", n, false)...)
		a, err := w.s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: n})
		w.must(err)
		req := provider.ReleaseRequest{Node: w.node}
		for _, c := range a.Claimed {
			req.Items = append(req.Items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID})
		}
		return func() (int, error) { return w.s.Release(w.ctx, req) }
	}},
	{"release paused triggers, exclusive jobs with Blocked triggers", func(w *world, n int) func() (int, error) {
		w.freeWithBlocked(n, false)
		a, err := w.s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: n})
		w.must(err)
		req := provider.ReleaseRequest{Node: w.node}
		for _, c := range a.Claimed {
			req.Items = append(req.Items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID})
			sqlExec(w, w.s, "UPDATE {{triggers}} SET paused = 1 WHERE trigger_key = ?", c.Trigger.TriggerKey.String())
		}
		return func() (int, error) { return w.s.Release(w.ctx, req) }
	}},
	{"sweep stray Blocked triggers", func(w *world, n int) func() (int, error) {
		n = min(n, sweepMost)
		w.freeWithBlocked(n, true)
		return func() (int, error) {
			a, err := w.s.Sweep(w.ctx, provider.SweepRequest{})
			return a.HandedBack, err
		}
	}},
	{"record", func(w *world, n int) func() (int, error) {
		var runs []provider.RunRecord
		for i, id := range runIDs(n) {
			at := w.t0.Add(time.Duration(i) * time.Second)
			runs = append(runs, provider.RunRecord{
				ID: id, Job: "local", TriggerName: "t", Kind: provider.KindSchedule, State: provider.RunRunning,
				Node: w.node.ID, Incarnation: w.node.Incarnation, ScheduledAt: at, StartedAt: at, Attempt: 1,
			})
		}
		return func() (int, error) { return n, w.s.Record(w.ctx, runs) }
	}},
	{"enqueue", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		list := w.oneShots("a", n)
		return func() (int, error) {
			a, err := w.s.Enqueue(w.ctx, list)
			return len(a), err
		}
	}},
	{"request cancel", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.enqueue("a", n)
		var ids []string
		for _, b := range started(w.claim(n).Items) {
			ids = append(ids, b.Run.ID)
		}
		return func() (int, error) {
			errs, err := w.s.RequestCancel(w.ctx, ids)
			return len(errs), err
		}
	}},
	{"inflight", func(w *world, n int) func() (int, error) {
		w.jobs(false, "a")
		w.enqueue("a", n)
		w.claim(n)
		return func() (int, error) {
			a, err := w.s.Inflight(w.ctx, w.node)
			return len(a.Runs), err
		}
	}},
}

// freeWithBlocked makes free exclusive jobs, each with a Blocked trigger and,
// unless it is to be a stray, a due one before it.
func (w *world) freeWithBlocked(n int, stray bool) {
	w.jobs(true, w.names(n)...)
	for _, name := range w.names(n) {
		if !stray {
			w.triggers(w.trigger(name, "x", w.t0, true))
		}
		tr := w.trigger(name, "y", w.t0.Add(time.Second), true)
		tr.State = provider.TriggerBlocked
		w.triggers(tr)
	}
}

func (w *world) names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("job-%04d", i)
	}
	return list
}

func (w *world) many(job, name string, n int, exclusive bool) []provider.TriggerRecord {
	list := make([]provider.TriggerRecord, n)
	for i := range list {
		list[i] = w.trigger(job, fmt.Sprintf("%s-%04d", name, i), w.t0.Add(time.Duration(i)*time.Microsecond), exclusive)
	}
	return list
}

func (w *world) oneShots(job string, n int) []provider.TriggerRecord {
	list := w.many(job, "manual-x", n, false)
	for i := range list {
		list[i].RunAs, list[i].Schedule = provider.KindManual, ""
	}
	return list
}

func claiming(w *world, n int) func() (int, error) {
	req := w.claimRequest(n)
	return func() (int, error) {
		a, err := w.s.Claim(w.ctx, req)
		return len(started(a.Items)), err
	}
}

func (w *world) beginning(n int) func() (int, error) {
	a, err := w.s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: n})
	w.must(err)
	req := provider.BeginRequest{Node: w.node, Decide: decide}
	for i, id := range runIDs(len(a.Claimed)) {
		tr := a.Claimed[i].Trigger
		req.Items = append(req.Items, provider.BeginItem{Key: tr.TriggerKey, ClaimID: tr.ClaimID, RunID: id})
	}
	return func() (int, error) {
		a, err := w.s.Begin(w.ctx, req)
		return len(started(a.Items)), err
	}
}

func (w *world) completing(state provider.RunState, n int) func() (int, error) {
	req := w.completions(state, started(w.claim(n).Items)...)
	return func() (int, error) {
		a, err := w.s.Complete(w.ctx, req)
		done := 0
		for _, item := range a.Items {
			if item.Outcome == provider.OutcomeDone {
				done++
			}
		}
		return done, err
	}
}

func recoverAll(run provider.RunRecord, job provider.JobRecord, now time.Time) (provider.TriggerRecord, bool) {
	return provider.TriggerRecord{
		TriggerKey: provider.TriggerKey{Job: run.Job, Trigger: provider.PrefixRecovery + run.ID},
		RunAs:      provider.KindRecovery, NextFireAt: now, Data: run.Data, Priority: 5,
	}, job.RequestsRecovery
}

// The number of statements does not depend on the number of items (design of
// the hot path; R104, D37): 1, 16 and 500 take equally many.
func TestStatementCounts(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		for _, op := range operations {
			t.Run(op.name, func(t *testing.T) {
				counts := map[int]int{}
				var texts []string
				for _, n := range []int{1, 16, 500} {
					w := newWorld(t, s)
					operation := op.prepare(w, n)
					var items int
					var err error
					events := wire.record(func() { items, err = operation() })
					w.must(err)
					want := n
					if strings.HasPrefix(op.name, "sweep") {
						want = min(n, sweepMost)
					}
					if items != want {
						t.Errorf("%d items: %d were done", n, items)
					}
					counts[n], texts = statements(events)
				}
				t.Logf("%d, %d, %d", counts[1], counts[16], counts[500])
				if counts[1] != counts[16] || counts[16] != counts[500] {
					t.Errorf("1, 16 and 500 items take %d, %d and %d statements; want equally many. The last ones:\n%s",
						counts[1], counts[16], counts[500], texts)
				}
				if slices.Contains(texts, "ROLLBACK") {
					t.Errorf("a transaction was repeated: %v", texts)
				}
			})
		}
	})
}
