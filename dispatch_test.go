package gormsched

import (
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The hint on a trigger row is only a hint: the job's row decides, and the hint
// is mended (D35, design of the hot path).
func TestWrongHints(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "exclusive")
		w.jobs(false, "concurrent")
		w.triggers(w.trigger("exclusive", "a", w.t0, false), w.trigger("exclusive", "b", w.t0.Add(time.Second), false),
			w.trigger("concurrent", "a", w.t0, true), w.trigger("concurrent", "b", w.t0.Add(time.Second), true))
		var runs []string
		for range 2 {
			for _, b := range started(w.claim(16).Items) {
				runs = append(runs, b.Trigger.TriggerKey.String())
			}
		}
		// Both of the concurrent job at once; of the other one, the first.
		if got := strings.Join(runs, " "); len(runs) != 3 || !strings.Contains(got, "concurrent/a") || !strings.Contains(got, "concurrent/b") || !strings.Contains(got, "exclusive/a") {
			t.Errorf("two passes started %s", got)
		}
		for key, want := range map[provider.TriggerKey]bool{
			{Job: "exclusive", Trigger: "a"}: true, {Job: "exclusive", Trigger: "b"}: true,
			{Job: "concurrent", Trigger: "a"}: false, {Job: "concurrent", Trigger: "b"}: false,
		} {
			if tr, ok := w.loadTrigger(key); !ok || tr.Exclusive != want {
				t.Errorf("the hint of %v is %v, want %v", key, tr.Exclusive, want)
			}
		}
		w.invariants("after")
	})
}

// A decision that would break an invariant is not carried out: no second run
// of an exclusive job, no Blocked trigger of a free one, none in flight without
// a run, none in a state that nobody knows (D35, R148).
func TestIllegalDecisions(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "x")
		w.triggers(w.trigger("x", "a", w.t0, true))
		try := func(name string, decision provider.Decision) {
			t.Helper()
			req := w.claimRequest(4)
			req.Decide = func(provider.Candidate) provider.Decision { return decision }
			a, err := w.s.Claim(w.ctx, req)
			w.must(err)
			if len(a.Items) != 0 || !a.More {
				t.Errorf("%s: the answer is %+v, want that the trigger was left", name, a)
			}
			if tr, ok := w.loadTrigger(provider.TriggerKey{Job: "x", Trigger: "a"}); !ok || tr.Version != 1 {
				t.Errorf("%s: the trigger was changed: %+v", name, tr)
			}
			w.invariants(name)
		}
		try("Block of a free job", provider.Decision{Action: provider.Block})
		try("Return of what is not claimed", provider.Decision{Action: provider.Return})
		try("Advance into flight", provider.Decision{Action: provider.Advance, After: provider.Progress{Next: provider.Next{State: provider.TriggerAcquired}}})
		try("Advance to nowhere", provider.Decision{Action: provider.Advance})
		try("Start that leaves the trigger Blocked", provider.Decision{Action: provider.Start, After: provider.Progress{Next: provider.Next{State: provider.TriggerBlocked}}})
		w.enqueue("x", 1)
		req := w.claimRequest(4)
		req.Decide = func(c provider.Candidate) provider.Decision { c.Occupied = false; return decide(c) }
		a, err := w.s.Claim(w.ctx, req)
		w.must(err)
		if len(started(a.Items)) != 1 {
			t.Fatalf("started %d, want 1", len(started(a.Items)))
		}
		again := w.trigger("x", "late", w.t0, true)
		w.triggers(again)
		if a, err = w.s.Claim(w.ctx, req); err != nil || len(a.Items) != 1 || a.Items[0].Outcome != provider.OutcomeBlocked {
			t.Errorf("Start of an occupied job answers %+v, %v; want Blocked", a.Items, err)
		}
		w.invariants("after")
	})
}

// A pass that finds nothing due writes nothing, and on a database with one
// writer it does not even queue for it (design of the hot path).
func TestIdlePass(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		w.jobs(false, "a")
		later := w.t0.Add(2 * past)
		w.triggers(w.trigger("a", "later", later, false))
		for name, idle := range map[string]func() time.Time{
			"Claim": func() time.Time {
				a, err := s.Claim(w.ctx, w.claimRequest(4))
				w.must(err)
				if !a.NextDue.Equal(later) || a.More || len(a.Items) != 0 {
					t.Errorf("Claim answers %+v, want next due %v", a, later)
				}
				return a.Now
			},
			"Acquire": func() time.Time {
				a, err := s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: 1, Limit: 4})
				w.must(err)
				return a.Now
			},
			"Due": func() time.Time {
				a, err := s.Due(w.ctx, provider.DueRequest{})
				w.must(err)
				return a.Now
			},
		} {
			var now time.Time
			events := wire.record(func() { now = idle() })
			if now.IsZero() {
				t.Errorf("%s does not say when it judged", name)
			}
			for _, e := range events {
				switch word := firstWord(e.text); {
				case word == "INSERT" || word == "UPDATE" || word == "DELETE", word == "BEGIN" && s.core.d.SingleWriter():
					t.Errorf("an idle %s sends %s", name, e.text)
				}
			}
		}
	})
}

// What another node has taken is passed over and the shortage filled from
// further candidates (R030, R032); an exclusive job gives one trigger (D35).
func TestAcquireFillsUp(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		other := &world{TB: t, s: d.store(t, Options{}), ctx: w.ctx, t0: w.t0, node: w.register("n2")}
		w.jobs(false, "a")
		w.triggers(w.many("a", "t", 40, false)...)
		done := false
		wire.reset(func(_ int, e event) fault {
			if !done && strings.Contains(e.text, "SKIP LOCKED") { // the candidates are read, nothing is locked yet
				done = true
				if a, err := other.s.Acquire(w.ctx, provider.AcquireRequest{Node: other.node, ClaimID: 2, Limit: 7}); err != nil || len(a.Claimed) != 7 {
					t.Errorf("the other node got %d, %v; want 7", len(a.Claimed), err)
				}
			}
			return send
		})
		a, err := s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: 1, Limit: 10})
		w.must(err)
		wire.reset(nil)
		if !done || len(a.Claimed) != 10 || !a.More {
			t.Fatalf("acquired %d, more %v; want 10, true", len(a.Claimed), a.More)
		}
		for i, c := range a.Claimed {
			if want := w.many("a", "t", 40, false)[i+7].Trigger; c.Trigger.Trigger != want {
				t.Errorf("claim %d is %s, want %s", i, c.Trigger.Trigger, want)
			}
		}
		if got := w.states("a")[provider.TriggerAcquired]; got != 17 {
			t.Errorf("%d triggers are Acquired, want 17", got)
		}
		w.invariants("after")
	})
}
