package gormsched

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A claim that comes upon a trigger while it is being stored as Blocked keeps
// its row locked without holding the job. Nobody may leave the job free then:
// nothing would ever return that trigger (D35). What would do so is held.
func TestHeldBlockedTriggers(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		const rows = "SELECT 1 FROM {{triggers}} WHERE trigger_key = 'x/b' AND trigger_state = 3 FOR UPDATE"
		// occupied: x runs a; b, and c if there is one, are Blocked.
		occupied := func(t *testing.T, names ...string) (*world, provider.CompleteRequest) {
			w := newWorld(t, s)
			w.jobs(true, "x")
			for i, name := range append([]string{"a"}, names...) {
				w.triggers(w.trigger("x", name, w.t0.Add(time.Duration(i)*time.Second), true))
			}
			return w, w.completions(provider.RunSucceeded, started(w.claim(16).Items)...)
		}
		t.Run("complete", func(t *testing.T) {
			w, req := occupied(t, "b")
			release := w.hold(rows)
			a, err := s.Complete(w.ctx, req)
			w.must(err)
			if a.Items[0].Outcome != provider.OutcomeHeld {
				t.Errorf("the outcome is %v, want Held", a.Items[0].Outcome)
			}
			w.invariants("held")
			release()
			a, err = s.Complete(w.ctx, req)
			w.must(err)
			if a.Items[0].Outcome != provider.OutcomeDone || a.HandedBack != 1 {
				t.Errorf("the answer is %+v, want Done and one handed back", a)
			}
			w.invariants("released")
		})
		t.Run("complete, another can go", func(t *testing.T) {
			w, req := occupied(t, "b", "c")
			release := w.hold(rows)
			a, err := s.Complete(w.ctx, req)
			w.must(err)
			if a.Items[0].Outcome != provider.OutcomeDone || a.HandedBack != 1 {
				t.Errorf("the answer is %+v, want Done and one handed back", a)
			}
			release()
			w.invariants("after")
			if got := started(w.claim(16).Items); len(got) != 1 || got[0].Trigger.Trigger != "c" {
				t.Errorf("started %+v, want x/c", got)
			}
		})
		t.Run("sweep", func(t *testing.T) {
			w, _ := occupied(t, "b")
			release := w.hold(rows)
			w.forget(w.node)
			a, err := s.Sweep(w.ctx, provider.SweepRequest{})
			w.must(err)
			if len(a.Lost) != 0 || !a.More {
				t.Errorf("the answer is %+v, want nothing lost and more", a)
			}
			release()
			a, err = s.Sweep(w.ctx, provider.SweepRequest{})
			w.must(err)
			if len(a.Lost) != 1 || a.HandedBack != 1 || a.More {
				t.Errorf("the answer is %+v, want one lost and one handed back", a)
			}
			w.invariants("released")
		})
		skip := func(provider.Candidate) provider.Decision {
			return provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}
		}
		free := func(t *testing.T) *world {
			w := newWorld(t, s)
			w.jobs(true, "x")
			blocked := w.trigger("x", "b", w.t0.Add(time.Second), true)
			blocked.State = provider.TriggerBlocked
			w.triggers(w.trigger("x", "a", w.t0, true), blocked)
			return w
		}
		t.Run("claim that advances", func(t *testing.T) {
			w := free(t)
			release := w.hold(rows)
			req := w.claimRequest(16)
			req.Decide = skip
			a, err := s.Claim(w.ctx, req)
			w.must(err)
			if len(a.Items) != 0 || len(a.HeldJobs) != 1 || !a.More {
				t.Errorf("the answer is %+v, want x held and more", a)
			}
			w.invariants("held")
			release()
			a, err = s.Claim(w.ctx, req)
			w.must(err)
			if len(a.Items) != 1 || a.Items[0].Outcome != provider.OutcomeAdvanced || w.states("x")[provider.TriggerWaiting] != 1 {
				t.Errorf("the answer is %+v and the states are %v, want one advanced and one Waiting", a, w.states("x"))
			}
		})
		t.Run("begin of a paused trigger", func(t *testing.T) {
			w := free(t)
			req := w.beginRequest(16)
			sqlExec(t, s, "UPDATE {{triggers}} SET paused = 1 WHERE trigger_name = 'a'")
			release := w.hold(rows)
			a, err := s.Begin(w.ctx, req)
			w.must(err)
			if a.Items[0].Outcome != provider.OutcomeHeld {
				t.Errorf("the outcome is %v, want Held", a.Items[0].Outcome)
			}
			items := []provider.ReleaseItem{{Key: req.Items[0].Key, ClaimID: req.Items[0].ClaimID}}
			if n, err := s.Release(w.ctx, provider.ReleaseRequest{Node: w.node, Items: items}); err != nil || n != 0 {
				t.Errorf("Release answers %d, %v; want 0: the trigger would be Paused", n, err)
			}
			w.invariants("held")
			release()
			a, err = s.Begin(w.ctx, req)
			w.must(err)
			if a.Items[0].Outcome != provider.OutcomePaused {
				t.Errorf("the outcome is %v, want Paused", a.Items[0].Outcome)
			}
			w.invariants("released")
		})
	})
}

// Blocked triggers whose flag is set become Paused with the hand-back and do
// not use it up, however many there are (D08, D35).
func TestHandBackOfAPausedBacklog(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "x")
		w.enqueue("x", 600)
		begun := started(w.claim(16).Items)
		w.claim(16) // blocks the rest
		sqlExec(t, w.s, "UPDATE {{triggers}} SET paused = 1 WHERE trigger_name < 'manual-000570'")
		a := w.complete(provider.RunSucceeded, begun...)
		got := w.states("x")
		if a.HandedBack != 16 || got[provider.TriggerWaiting] != 16 || got[provider.TriggerPaused] != 569 || got[provider.TriggerBlocked] != 14 {
			t.Errorf("%d handed back, states %v; want 16, and 569 Paused, 14 Blocked", a.HandedBack, got)
		}
		w.invariants("after")
	})
}
