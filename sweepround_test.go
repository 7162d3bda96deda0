package gormsched

import (
	"fmt"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// More items than a pass looks at, of jobs that cannot be dealt with, do not
// keep the sweep from the others (R047, D04, D14): a job whose row a stalled
// transaction holds, and one that a newer version wrote.
func TestSweepGetsPastWhatItCannotEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(w *world) (mend func())
	}{
		{"of a newer version", func(w *world) func() {
			sqlExec(w, w.s, "UPDATE {{jobs}} SET job_source = 77 WHERE job_name = 'stuck'")
			return func() { sqlExec(w, w.s, "UPDATE {{jobs}} SET job_source = 1 WHERE job_name = 'stuck'") }
		}},
		{"held", func(w *world) func() {
			return w.hold("SELECT 1 FROM {{jobs}} WHERE job_name = 'stuck' FOR UPDATE")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onServers(t, func(t *testing.T, d testDatabase) {
				w := newWorld(t, d.store(t, Options{}))
				w.jobs(false, "stuck", "well")
				dead, well := w.register("a-dead"), w.register("z-dead")
				w.running(dead, "stuck", sweepMost+20)
				w.running(well, "well", 2)
				w.forget(dead)
				w.forget(well)
				mend := c.spoil(w)
				lost := map[string]int{}
				sweeps := func(n int) {
					for range n {
						a, err := w.s.Sweep(w.ctx, provider.SweepRequest{Recover: recoverWithoutTrigger})
						w.must(err)
						for _, run := range a.Lost {
							lost[run.Job]++
						}
						if !a.More {
							return
						}
					}
				}
				sweeps(3)
				if lost["well"] != 2 || lost["stuck"] != 0 {
					t.Errorf("lost after three passes: %v, want the two of well and none of the other", lost)
				}
				mend()
				sweeps(6)
				if lost["stuck"] != sweepMost+20 {
					t.Errorf("lost once it could be dealt with: %v, want all", lost)
				}
			})
		})
	}
}

// recoverWithoutTrigger wants no recovery, but has the flags kept as if it did.
func recoverWithoutTrigger(provider.RunRecord, provider.JobRecord, time.Time) (tr provider.TriggerRecord, ok bool) {
	return tr, false
}

// running inserts Running records of a node.
func (w *world) running(node provider.NodeRef, job string, n int) {
	w.Helper()
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = runRow(provider.RunRecord{
			ID: fmt.Sprintf("%s-%s-%04d", node.ID, job, i), Job: job, Kind: provider.KindManual, State: provider.RunRunning,
			Node: node.ID, Incarnation: node.Incarnation, ScheduledAt: w.t0, StartedAt: w.t0, Sequence: int64(i), Version: 1,
		})
	}
	w.must(w.s.core.inTx(w.ctx, "fixture", txManage, func(t *tx) error {
		return t.insertRows(t.c.t.runs, sourceColumns(runColumns...), rows)
	}, nil))
}
