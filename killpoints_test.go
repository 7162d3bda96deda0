package gormsched

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// killed are the operations that the kill points go through, each with a state
// that reaches all its statements.
var killed = []string{
	"claim one-shots", "claim cron triggers", "claim exclusive jobs", "acquire", "begin", "begin exclusive jobs",
	"start exclusive jobs", "complete", "complete with retries", "complete exclusive jobs, interval triggers, retries",
	"sweep", "release", "record", "enqueue", "request cancel",
	"claim that only advances, exclusive jobs with Blocked triggers", "release paused triggers, exclusive jobs with Blocked triggers",
	"sweep stray Blocked triggers",
}

// digest is what a state comes to, apart from ids and instants.
func (w *world) digest() string {
	w.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT 'triggers', trigger_state, paused, COUNT(*) FROM {{triggers}} GROUP BY trigger_state, paused ORDER BY 1, 2, 3",
		"SELECT 'in flight', trigger_state, paused, COUNT(*) FROM {{triggers}} WHERE next_fire_us IS NULL GROUP BY trigger_state, paused ORDER BY 1, 2, 3",
		"SELECT 'runs', run_state, run_kind, COUNT(*) FROM {{runs}} GROUP BY run_state, run_kind ORDER BY 1, 2, 3",
		"SELECT 'canceled', run_state, run_kind, COUNT(cancel_requested_us) FROM {{runs}} GROUP BY run_state, run_kind ORDER BY 1, 2, 3",
		"SELECT 'occupied', 0, 0, COUNT(active_run_id) FROM {{jobs}}",
	} {
		rows, err := w.s.core.db.Raw(w.s.named(q)).Rows()
		w.must(err)
		for rows.Next() {
			var what string
			var x, y, n int
			w.must(rows.Scan(&what, &x, &y, &n))
			fmt.Fprintf(&b, "%s %d %d: %d\n", what, x, y, n)
		}
		w.must(rows.Err())
		rows.Close()
	}
	return b.String()
}

// Whatever breaks at whichever statement, the invariants hold, nothing is half
// done, and what was done is what the answer says: an operation that answers
// nil has happened once, one that fails has happened or not, and then happens
// when it is called again (design of the tests; D04, D07, D35, R020, R021).
func TestKillPoints(t *testing.T) {
	const items = 3
	onEach(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		for _, op := range operations {
			if !contains(killed, op.name) {
				continue
			}
			t.Run(op.name, func(t *testing.T) {
				w := newWorld(t, s)
				fresh := func() func() (int, error) {
					w.clear()
					return op.prepare(w, items)
				}
				operation := fresh()
				before := w.digest()
				events := wire.record(func() {
					if _, err := operation(); err != nil {
						t.Fatal(err)
					}
				})
				after := w.digest()
				if before == after {
					t.Fatalf("the operation changes nothing that the digest sees:\n%s", after)
				}
				for at := range events {
					for _, f := range []fault{failBefore, failAfter, cutHere} {
						name := fmt.Sprintf("%d %s", at, firstWord(events[at].text))
						operation := fresh()
						reached := false
						wire.reset(func(n int, _ event) fault {
							if n == at {
								reached = true
								return f
							}
							return send
						})
						got, err := operation()
						wire.reset(nil)
						if !reached {
							t.Errorf("%s: the kill point was not reached", name)
						}
						if !strings.HasPrefix(op.name, "sweep") || err == nil {
							w.invariants(name)
						}
						now := w.digest()
						switch {
						case err == nil && (now != after || got != items):
							t.Errorf("%s, fault %d: answered %d items done, and the state is\n%swant\n%s", name, f, got, now, after)
						case err != nil && now != before && now != after:
							t.Errorf("%s, fault %d: half done after %v:\n%s", name, f, err, now)
						case f == cutHere && err == nil:
							t.Errorf("%s: a cut connection gave no error", name)
						case f != cutHere && err != nil:
							t.Errorf("%s, fault %d: a fault that passes was not got over: %v", name, f, err)
						}
						w.wantUnavailable(err)
						if err == nil || now == after {
							continue
						}
						if _, err := operation(); err != nil {
							t.Errorf("%s, fault %d: again: %v", name, f, err)
						}
						w.invariants(name)
						if now := w.digest(); now != after {
							t.Errorf("%s, fault %d: after it was called again the state is\n%swant\n%s", name, f, now, after)
						}
					}
				}
			})
		}
	})
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

// Repeating a claim whose commit arrived and whose answer was lost twice, on
// the way and in the look-up, is told as an unknown outcome, and nothing was
// done twice (D07).
func TestUnknownOutcome(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		w.jobs(false, "a")
		w.enqueue("a", 2)
		req := w.claimRequest(2)
		committed := false
		wire.reset(func(_ int, e event) fault {
			if committed {
				return failBefore
			}
			if e.text == "COMMIT" {
				committed = true
				return failAfter
			}
			return send
		})
		_, err := s.Claim(w.ctx, req)
		wire.reset(nil)
		if !isOutcomeUnknown(err) {
			t.Errorf("the error is %v, want one that matches ErrOutcomeUnknown", err)
		}
		w.invariants("unknown")
		a, err := s.Inflight(w.ctx, w.node)
		w.must(err)
		ids := map[string]bool{}
		for _, r := range a.Runs {
			ids[r.ID] = true
		}
		want := map[string]bool{req.RunIDs[0]: true, req.RunIDs[1]: true}
		if !maps.Equal(ids, want) {
			t.Errorf("the node finds runs %v in flight, want %v", ids, want)
		}
		if got := w.states("a")[provider.TriggerWaiting]; got != 0 {
			t.Errorf("%d triggers are still Waiting", got)
		}
	})
}
