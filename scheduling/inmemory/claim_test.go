package inmemory

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// R029: due instant ascending, priority descending, key ascending.
func TestCandidateOrder(t *testing.T) {
	f := newFixture(t, Options{})
	early, low, high := due("early", start.Add(-time.Second)), due("low", start), due("high", start)
	early.Priority, low.Priority, high.Priority = 1, 4, 6
	f.save(concurrentJob("b"), early, low, high)
	f.save(concurrentJob("b-c"), due("x", start)) // '-' sorts before '/' (D32)
	f.save(concurrentJob("a"), due("x", start))
	want := []string{"b/early", "b/high", "a/x", "b-c/x", "b/low"}
	got := []string{}
	for _, item := range f.claim(8, startOrBlock).Items {
		got = append(got, item.Trigger.TriggerKey.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("claimed %v, want %v", got, want)
	}
}

// R028, D14, D42: what is not due, local, excluded or no one-shot is passed
// over, and does not count as next due.
func TestFilters(t *testing.T) {
	f := newFixture(t, Options{})
	local := due("local", start)
	local.Local = true
	f.save(concurrentJob("a"), due("later", start.Add(time.Microsecond)), local)
	f.save(concurrentJob("b"), due("now", start))
	f.enqueue("a", "x")
	req := f.claimRequest(8, startOrBlock)
	req.ExcludeJobs, req.OneShotsOnly = []string{"b"}, true
	a, err := f.Claim(f.ctx, req)
	f.ok(err)
	f.wantOutcomes(a.Items, provider.OutcomeStarted)
	if a.Items[0].Trigger.Trigger != "manual-x" || a.More || !a.NextDue.IsZero() {
		t.Errorf("claimed %v, more %v, next %v; want manual-x, nothing more", a.Items[0].Trigger.TriggerKey, a.More, a.NextDue)
	}
	next, err := f.Due(f.ctx, provider.DueRequest{ExcludeJobs: []string{"b"}})
	f.ok(err)
	if want := start.Add(time.Microsecond); !next.NextDue.Equal(want) {
		t.Errorf("next due without b is %v, want %v", next.NextDue, want)
	}
}

// R109: a trigger without a next instant is not due, whatever its state says.
func TestNoInstantIsNeverDue(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"), due("x", start))
	row := f.triggers[key("a", "x")]
	row.NextFireAt = time.Time{}
	f.setTrigger(row.TriggerKey, &row)
	if a := f.claim(1, startOrBlock); len(a.Items) != 0 || a.More || !a.NextDue.IsZero() {
		t.Errorf("claimed %+v", a)
	}
	f.setTrigger(row.TriggerKey, nil) // the invariants do not allow it
}

// A trigger that is moved to a place that is due again is not decided twice in
// one pass.
func TestOncePerPass(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"), due("x", start.Add(-time.Hour)))
	a := f.claim(8, func(c provider.Candidate) provider.Decision {
		d := startOrBlock(c)
		d.After.Next = waitingAt(c.Trigger.NextFireAt.Add(time.Minute))
		return d
	})
	f.wantOutcomes(a.Items, provider.OutcomeStarted)
	if x := f.trigger(key("a", "x")); !x.ScheduledAt.Equal(x.NextFireAt) {
		t.Errorf("scheduled %v, next %v; want the same where the decision names one", x.ScheduledAt, x.NextFireAt)
	}
	if !a.More || !a.NextDue.Equal(start.Add(-59*time.Minute)) {
		t.Errorf("more %v, next %v; want the one that is due again", a.More, a.NextDue)
	}
}

// R030: the quota counts what fills a slot; other candidates are at most three
// times as many, so that one transaction stays small.
func TestClaimIsBounded(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"))
	f.enqueue("a", numbered(50)...)
	a := f.claim(4, skip)
	if len(a.Items) != 12 || !a.More {
		t.Errorf("%d skipped, more %v; want 12, true", len(a.Items), a.More)
	}
	if a = f.claim(4, startOrBlock); len(a.Items) != 4 || !a.More {
		t.Errorf("%d started, more %v; want 4, true", len(a.Items), a.More)
	}
}

// Hold marks the trigger for the long way, one per exclusive job.
func TestHold(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	f.enqueue("a", "x", "y")
	req := f.claimRequest(4, func(provider.Candidate) provider.Decision { return provider.Decision{Action: provider.Hold} })
	a, err := f.Claim(f.ctx, req)
	f.ok(err)
	f.wantOutcomes(a.Items, provider.OutcomeAcquired)
	x := f.trigger(key("a", "manual-x"))
	if x.State != provider.TriggerAcquired || x.ClaimID != req.ClaimID || x.ClaimedBy != "n" || x.Incarnation != f.node.Incarnation || !x.ClaimedAt.Equal(start) {
		t.Errorf("the trigger held is %+v", x)
	}
	f.wantOutcomes(f.begin(startOrBlock, provider.Claimed{Trigger: x}), provider.OutcomeStarted)
}

// An interval trigger that claim starts carries the claim, and its completion
// lands it (R265, R203).
func TestFlightThroughClaim(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"), due("every", start))
	req := f.claimRequest(1, fly)
	a, err := f.Claim(f.ctx, req)
	f.ok(err)
	row := f.trigger(key("a", "every"))
	if row.State != provider.TriggerAcquired || row.ClaimID != req.ClaimID || !row.NextFireAt.IsZero() || !row.ScheduledAt.IsZero() {
		t.Fatalf("in flight the trigger is %+v", row)
	}
	// The claim is begun: it cannot begin again, be given back or be listed.
	f.wantOutcomes(f.begin(fly, provider.Claimed{Trigger: row}), provider.OutcomeGone)
	if n, err := f.Release(f.ctx, provider.ReleaseRequest{Node: f.node, Items: []provider.ReleaseItem{{Key: row.TriggerKey, ClaimID: row.ClaimID}}}); n != 0 || err != nil {
		t.Errorf("released %d, %v; want 0", n, err)
	}
	inflight, err := f.Inflight(f.ctx, f.node)
	f.ok(err)
	if len(inflight.Claims) != 0 || len(inflight.Runs) != 1 {
		t.Errorf("in flight %+v, want one run and no claim", inflight)
	}
	f.clock = start.Add(time.Minute)
	settle := func(at time.Time) provider.Settlement {
		next := waitingAt(at.Add(time.Hour))
		return provider.Settlement{Trigger: &next}
	}
	_, err = f.Complete(f.ctx, provider.CompleteRequest{Node: f.node, Items: []provider.Completion{{RunID: a.Items[0].Run.ID,
		State: provider.RunSucceeded, Settle: settle, Trigger: row.TriggerKey, ClaimID: row.ClaimID}}})
	f.ok(err)
	if row = f.trigger(row.TriggerKey); row.State != provider.TriggerWaiting || !row.NextFireAt.Equal(start.Add(61*time.Minute)) || row.FireCount != 1 || row.ClaimID != 0 {
		t.Errorf("landed the trigger is %+v", row)
	}
}

// A decision that the contract forbids is not carried out; a start on an
// occupied job is a block.
func TestIllegalDecisions(t *testing.T) {
	decide := func(action provider.Action, next provider.Next) provider.DecideFunc {
		return func(provider.Candidate) provider.Decision {
			return provider.Decision{Action: action, After: provider.Progress{Next: next}}
		}
	}
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"), due("x", start))
	for name, d := range map[string]provider.DecideFunc{
		"block on a free job":         decide(provider.Block, provider.Next{}),
		"start to Waiting for no day": decide(provider.Start, provider.Next{State: provider.TriggerWaiting}),
		"start to Blocked":            decide(provider.Start, provider.Next{State: provider.TriggerBlocked}),
		"advance to no state":         decide(provider.Advance, provider.Next{}),
		"advance to in flight":        decide(provider.Advance, provider.Next{State: provider.TriggerAcquired}),
		"return in claim":             decide(provider.Return, provider.Next{}),
		"an unknown action":           decide(99, provider.Next{}),
	} {
		before := f.trigger(key("a", "x"))
		if a := f.claim(4, d); len(a.Items) != 0 || !a.More {
			t.Errorf("%s: %+v, want the candidate left", name, a)
		}
		if got := f.trigger(key("a", "x")); got != before {
			t.Errorf("%s: the trigger became %+v", name, got)
		}
	}
	run := f.occupy("a", 0)
	f.clock = f.clock.Add(2 * time.Hour)
	f.enqueue("a", "y")
	stubborn := decide(provider.Start, provider.Next{State: provider.TriggerComplete})
	f.wantOutcomes(f.claim(4, stubborn).Items, provider.OutcomeBlocked)
	f.finish(run)
}

// D07: a run id that exists starts nothing, and the next id is taken.
func TestRunIDsAreUsedOnce(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"))
	f.enqueue("a", "1", "2", "3")
	ids := f.runIDs(2)
	req := f.claimRequest(1, startOrBlock)
	req.RunIDs = ids
	_, err := f.Claim(f.ctx, req)
	f.ok(err)
	req.ClaimID, req.Limit = f.claimID(), 2
	a, err := f.Claim(f.ctx, req)
	f.ok(err)
	f.wantOutcomes(a.Items, provider.OutcomeConflict, provider.OutcomeStarted)
	if got := a.Items[1].Run.ID; got != ids[1] {
		t.Errorf("the run that started is %s, want %s", got, ids[1])
	}
	a, err = f.Claim(f.ctx, provider.ClaimRequest{AcquireRequest: provider.AcquireRequest{Node: f.node, ClaimID: 7, Limit: 2}, RunIDs: ids[:1], Decide: startOrBlock})
	if !errors.Is(err, provider.ErrInvalidDefinition) {
		t.Errorf("two slots and one id: %+v, %v; want a validation error", a, err)
	}
}

// D14: what this version cannot read is named and left alone, in both ways.
func TestUnreadable(t *testing.T) {
	f := newFixture(t, Options{})
	newer := due("newer", start)
	newer.Misfire = 99
	f.save(concurrentJob("a"), newer, due("x", start))
	before := f.trigger(key("a", "newer"))
	acquired, err := f.Acquire(f.ctx, provider.AcquireRequest{Node: f.node, ClaimID: f.claimID(), Limit: 1})
	f.ok(err)
	if !slices.Equal(acquired.Unreadable, []provider.TriggerKey{before.TriggerKey}) || len(acquired.Claimed) != 1 {
		t.Errorf("acquired %+v, want newer named and x claimed", acquired)
	}
	f.wantOutcomes(f.claim(4, startOrBlock).Items, provider.OutcomeUnreadable)
	if got := f.trigger(key("a", "newer")); got != before {
		t.Errorf("the trigger became %+v", got)
	}
}

// The test hook for held rows: claim names the job and leaves it, begin and
// complete say so per item, a sweep reports more.
func TestHeld(t *testing.T) {
	held := false
	f := newFixture(t, Options{Shared: true, Held: func(op, job string) bool { return held && job == "a" }})
	f.save(concurrentJob("a"))
	f.save(concurrentJob("b"))
	f.enqueue("a", "1", "2", "3")
	f.enqueue("b", "1")
	claimed := f.acquire(1)
	run := f.claim(1, startOrBlock).Items[0].Run
	held = true
	a := f.claim(4, startOrBlock)
	f.wantOutcomes(a.Items, provider.OutcomeStarted)
	if !slices.Equal(a.HeldJobs, []string{"a"}) || a.Items[0].Run.Job != "b" || !a.More {
		t.Errorf("claim: %+v, want b started and a named as held", a)
	}
	f.wantOutcomes(f.begin(startOrBlock, claimed...), provider.OutcomeHeld)
	if got := f.finish(run, a.Items[0].Run).Items; got[0].Outcome != provider.OutcomeHeld || got[1].Outcome != provider.OutcomeDone {
		t.Errorf("complete: %+v, want Held, Done", got)
	}
	_, err := f.Deregister(f.ctx, f.node)
	f.ok(err)
	for range 2 {
		swept, err := f.Sweep(f.ctx, provider.SweepRequest{})
		f.ok(err)
		if swept.More != held || held != (len(swept.Lost)+len(swept.Returned) == 0) {
			t.Errorf("sweep with held %v: %+v", held, swept)
		}
		held = false
	}
}
