package gormsched

import (
	"context"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A completion that comes upon a job's run when the job has just become
// exclusive, and blocks others, frees the job as that of an exclusive one
// (D12, D35).
func TestJobBecomesExclusiveJustBeforeACompletion(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		other := d.store(t, Options{})
		w.jobs(false, "x")
		w.enqueue("x", 2)
		begun := started(w.claim(1).Items)
		at := false
		wire.reset(func(_ int, e event) fault {
			if !at && strings.Contains(e.text, s.core.t.runs+" AS r") { // before the run is locked
				at = true
				_, err := other.SaveJobs(context.Background(), []provider.SaveItem{{Job: provider.JobRecord{Name: "x", Handler: "x", Source: provider.SourceRuntime}}})
				w.must(err)
				a, err := other.Claim(w.ctx, w.claimRequest(1))
				w.must(err)
				if len(a.Items) != 1 || a.Items[0].Outcome != provider.OutcomeBlocked {
					t.Errorf("the second one-shot: %+v, want it blocked", a.Items)
				}
			}
			return send
		})
		answer, err := s.Complete(w.ctx, w.completions(provider.RunSucceeded, begun...))
		w.must(err)
		wire.reset(nil)
		w.invariants("after")
		if answer.Items[0].Outcome == provider.OutcomeHeld {
			w.complete(provider.RunSucceeded, begun...)
		}
		w.invariants("after the second try")
		if got := started(w.claim(16).Items); len(got) != 1 {
			t.Errorf("%d runs started, want the one that was blocked", len(got))
		}
	})
}

// A one-shot that is enqueued while its job is being made exclusive, too late
// for the save to see it, does not begin beside the run that the save finds in
// flight (D12, D34).
func TestEnqueuedWhileTheJobBecomesExclusive(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		other := d.store(t, Options{})
		w.jobs(false, "x")
		w.enqueue("x", 1)
		occupant := started(w.claim(1).Items)
		at := false
		wire.reset(func(_ int, e event) fault {
			if !at && e.text == "COMMIT" {
				at = true
				answers, err := other.Enqueue(w.ctx, []provider.TriggerRecord{w.trigger("x", provider.PrefixManual+"late", w.t0, false)})
				w.must(err)
				w.must(answers[0].Err)
				a, err := other.Claim(w.ctx, w.claimRequest(1))
				w.must(err)
				if got := started(a.Items); len(got) != 0 {
					t.Errorf("run %s began while its job was being made exclusive", got[0].Run.ID)
				}
			}
			return send
		})
		_, err := s.SaveJobs(w.ctx, []provider.SaveItem{{Job: provider.JobRecord{Name: "x", Handler: "x", Source: provider.SourceRuntime}}})
		w.must(err)
		wire.reset(nil)
		if !at {
			t.Fatal("the save did not commit")
		}
		for range 3 { // the hint is mended, then the one-shot is Blocked
			if got := started(w.claim(16).Items); len(got) != 0 {
				t.Errorf("run %s began beside %s", got[0].Run.ID, occupant[0].Run.ID)
			}
		}
		w.invariants("while it is occupied")
		w.complete(provider.RunSucceeded, occupant...)
		if got := started(w.claim(16).Items); len(got) != 1 {
			t.Errorf("%d runs started once the job was free, want 1", len(got))
		}
		w.invariants("after")
	})
}
