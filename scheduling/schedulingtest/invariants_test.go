package schedulingtest

import (
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// sound is a state that breaks nothing: exclusive job x is occupied by run r,
// its trigger b is Blocked behind it, its trigger c is claimed.
func sound() snapshot {
	return snapshot{now: Start,
		jobs: map[string]provider.JobRecord{"x": {Name: "x", ActiveRunID: "r"}},
		triggers: map[string]provider.TriggerRecord{
			"x/b": {TriggerKey: key("x", "b"), State: provider.TriggerBlocked, ScheduledAt: Start, NextFireAt: Start},
			"x/c": {TriggerKey: key("x", "c"), State: provider.TriggerAcquired, ScheduledAt: Start, NextFireAt: Start,
				ClaimID: 1, ClaimedBy: "n", Incarnation: 1, ClaimedAt: Start},
		},
		runs: map[string]provider.RunRecord{"r": {ID: "r", Job: "x", Kind: provider.KindManual, State: provider.RunRunning, Node: "n", Incarnation: 1,
			ScheduledAt: Start, StartedAt: Start, Sequence: 1}},
		nodes: map[string]provider.NodeRecord{"n": {NodeRef: provider.NodeRef{ID: "n", Incarnation: 1}}},
	}
}

func edit[K comparable, V any](m map[K]V, k K, f func(*V)) {
	v := m[k]
	f(&v)
	m[k] = v
}

// TestFaults breaks each invariant alone and expects it to be named.
func TestFaults(t *testing.T) {
	if got := faults(sound(), 0); len(got) != 0 {
		t.Fatalf("a sound state has faults: %v", got)
	}
	trigger := func(name string, f func(*provider.TriggerRecord)) func(*snapshot) {
		return func(s *snapshot) { edit(s.triggers, name, f) }
	}
	for want, spoil := range map[string]func(*snapshot){
		"which is not Running": func(s *snapshot) {
			edit(s.runs, "r", func(r *provider.RunRecord) { r.State, r.CompletedAt = provider.RunFailed, Start })
		},
		"is occupied by run r of job y": func(s *snapshot) { edit(s.runs, "r", func(r *provider.RunRecord) { r.Job = "y" }) },
		"has 2 Running runs": func(s *snapshot) {
			r := s.runs["r"]
			r.ID = "q"
			s.runs["q"] = r
		},
		"its job is free": func(s *snapshot) {
			edit(s.jobs, "x", func(j *provider.JobRecord) { j.ActiveRunID = "" })
			delete(s.triggers, "x/c")
		},
		"is Acquired by claim 0":      trigger("x/c", func(r *provider.TriggerRecord) { r.ClaimID = 0 }),
		"is Acquired by claim 1":      trigger("x/c", func(r *provider.TriggerRecord) { r.ClaimedAt = time.Time{} }),
		"is Blocked and carries":      trigger("x/b", func(r *provider.TriggerRecord) { r.ClaimedBy = "n" }),
		"is Waiting although":         trigger("x/b", func(r *provider.TriggerRecord) { r.State, r.Paused = provider.TriggerWaiting, true }),
		"is Paused although":          trigger("x/b", func(r *provider.TriggerRecord) { r.State = provider.TriggerPaused }),
		"without a next instant":      trigger("x/b", func(r *provider.TriggerRecord) { r.NextFireAt, r.ScheduledAt = time.Time{}, time.Time{} }),
		"one without the other":       trigger("x/c", func(r *provider.TriggerRecord) { r.ScheduledAt = time.Time{} }),
		"with error code CODE":        trigger("x/b", func(r *provider.TriggerRecord) { r.ErrorCode = "CODE" }),
		"count 1, previous":           trigger("x/b", func(r *provider.TriggerRecord) { r.FireCount = 1 }),
		"state TriggerState(9)":       trigger("x/b", func(r *provider.TriggerRecord) { r.State = 9 }),
		"is Running and completed at": func(s *snapshot) { edit(s.runs, "r", func(r *provider.RunRecord) { r.CompletedAt = Start }) },
		"names node":                  func(s *snapshot) { edit(s.runs, "r", func(r *provider.RunRecord) { r.Incarnation = 0 }) },
		"sequence 0":                  func(s *snapshot) { edit(s.runs, "r", func(r *provider.RunRecord) { r.Sequence = 0 }) },
		"kind RunKind(0)":             func(s *snapshot) { edit(s.runs, "r", func(r *provider.RunRecord) { r.Kind = 0 }) },
	} {
		s := sound()
		spoil(&s)
		got := faults(s, 0)
		if len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("want one fault that says %q, got %q", want, got)
		}
	}
}

// TestAllowances checks that what a case allows is not reported.
func TestAllowances(t *testing.T) {
	s := sound()
	r := s.runs["r"]
	r.ID = "q"
	s.runs["q"] = r
	if got := faults(s, ManyRunning); len(got) != 0 {
		t.Errorf("two Running runs are allowed, and reported: %v", got)
	}
}

// TestLeadsOn checks what may stand beside a Blocked trigger of a free job.
func TestLeadsOn(t *testing.T) {
	for what, c := range map[string]struct {
		other func(*provider.TriggerRecord)
		fine  bool
	}{
		"claimed": {func(*provider.TriggerRecord) {}, true},
		"due":     {func(r *provider.TriggerRecord) { r.State = provider.TriggerWaiting }, true},
		"future": {func(r *provider.TriggerRecord) {
			r.State, r.NextFireAt = provider.TriggerWaiting, Start.Add(time.Microsecond)
		}, false},
		"local":         {func(r *provider.TriggerRecord) { r.State, r.Local = provider.TriggerWaiting, true }, false},
		"paused":        {func(r *provider.TriggerRecord) { r.State, r.Paused = provider.TriggerPaused, true }, false},
		"another job's": {func(r *provider.TriggerRecord) { r.Job = "y" }, false},
	} {
		s := sound()
		edit(s.jobs, "x", func(j *provider.JobRecord) { j.ActiveRunID = "" })
		edit(s.triggers, "x/c", func(r *provider.TriggerRecord) {
			c.other(r)
			if r.State != provider.TriggerAcquired {
				r.ClaimID, r.ClaimedBy, r.Incarnation, r.ClaimedAt = 0, "", 0, time.Time{}
			}
		})
		if got := faults(s, 0); len(got) == 0 != c.fine {
			t.Errorf("beside one that is %s the faults are %v, want none: %v", what, got, c.fine)
		}
	}
}

// TestLeftovers checks what must be gone once nodes are swept and all has run.
func TestLeftovers(t *testing.T) {
	s := sound()
	if got := leftovers(s); len(got) != 2 {
		t.Errorf("a Running run and a claim are left, reported is %v", got)
	}
	if got := undone(s); len(got) != 2 {
		t.Errorf("a Blocked and a claimed trigger are left, reported is %v", got)
	}
	edit(s.triggers, "x/b", func(r *provider.TriggerRecord) { r.State = provider.TriggerWaiting })
	if got := undone(s); len(got) != 2 || !strings.Contains(got[0], "is due since") {
		t.Errorf("a due and a claimed trigger are left, reported is %v", got)
	}
}
