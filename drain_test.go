package gormsched

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// cost is what a stretch of work took.
type cost struct{ writes, transactions int }

// costOf counts the transactions and the trigger rows written among events.
func (w *world) costOf(events []event) cost {
	var c cost
	for _, e := range events {
		switch word := firstWord(e.text); {
		case word == "BEGIN":
			c.transactions++
		case word == "UPDATE" || word == "DELETE" || word == "INSERT":
			if strings.Contains(e.text, w.s.core.t.triggers+" ") {
				c.writes += int(e.rows)
			}
		}
	}
	return c
}

// drain runs one-shots of exclusive jobs, one after the other, until n have
// run, as an engine does: it asks again at once while there is more.
func (w *world) drain(n int) {
	w.Helper()
	for done := 0; done < n; {
		a := w.claim(16)
		begun := started(a.Items)
		if len(begun) > 0 {
			w.complete(provider.RunSucceeded, begun...)
			done += len(begun)
			continue
		}
		if !a.More {
			w.Fatalf("after %d runs nothing starts and nothing is left: %v", done, w.states("x"))
		}
	}
}

// Draining a backlog of one exclusive job costs the same for each run, however
// large the backlog is: at most 60 trigger writes and 4 transactions (D35).
func TestDrainOfOneExclusiveJob(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		for _, backlog := range []int{1000, 10000} {
			t.Run(fmt.Sprint(backlog), func(t *testing.T) {
				s, wire := d.wired(t, Options{})
				w := newWorld(t, s)
				w.jobs(true, "x")
				w.enqueue("x", backlog)
				runs := 1000
				if backlog > 1000 || d.name != "sqlite" || testing.Short() {
					runs = 60 // the first ones, which also store the backlog as Blocked
				}
				c := w.costOf(wire.record(func() { w.drain(runs) }))
				// Each one-shot is stored as Blocked once, whatever the number of runs.
				perRun := float64(c.writes-backlog) / float64(runs)
				t.Logf("%d runs of %d: %d trigger writes, %d transactions; per run %.1f beside the first blocking, and %.2f",
					runs, backlog, c.writes, c.transactions, perRun, float64(c.transactions)/float64(runs))
				if runs == backlog {
					perRun = float64(c.writes) / float64(runs)
				}
				if perRun > 60 {
					t.Errorf("a run costs %.1f trigger writes, want at most 60", perRun)
				}
				if most := 4*runs + backlog/blockMost; c.transactions > most {
					t.Errorf("%d runs took %d transactions, want at most %d", runs, c.transactions, most)
				}
				w.invariants("after")
				if got := w.count("SELECT COUNT(*) FROM {{runs}} WHERE run_state = 2"); got != runs {
					t.Errorf("%d runs succeeded, want %d", got, runs)
				}
				if runs == backlog {
					if got := w.count("SELECT COUNT(*) FROM {{triggers}}"); got != 0 {
						t.Errorf("%d triggers are left", got)
					}
					return
				}
				w.jobs(false, "behind")
				w.triggers(w.trigger("behind", "a", w.t0.Add(time.Minute), false))
				for range 2 {
					for _, b := range started(w.claim(16).Items) {
						if b.Run.Job == "behind" {
							return
						}
					}
				}
				t.Error("a job enqueued behind the backlog did not start within two passes")
			})
		}
	})
}
