package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var claimCases = []Case{
	{Name: "ClaimStarts", Rules: []string{"R034", "R259", "D07"}, Needs: Claiming,
		Explanation: "a claim starts what is due in one transaction, with the run ids in their order, and answers what is stored",
		Run:         claimStarts},
	{Name: "ClaimOrder", Rules: []string{"R029", "D01"}, Needs: Claiming,
		Explanation: "order, filter, limit and exclusion are those of acquire",
		Run:         claimOrder},
	{Name: "ClaimEqualsAcquireAndBegin", Rules: []string{"R259", "R027", "R133"}, Needs: Claiming,
		Explanation: "one claim leaves the store as an acquire and a begin leave it",
		Run:         claimEqualsAcquireAndBegin},
	{Name: "ClaimDecisions", Rules: []string{"R198", "R268", "D14", "D10"}, Needs: Claiming,
		Explanation: "advance, error, deletion and leaving are carried out as decided, beside starts in the same pass",
		Run:         claimDecisions},
	{Name: "ClaimHolds", Rules: []string{"D07"}, Needs: Claiming,
		Explanation: "a candidate that is held is Acquired by this claim and begins the long way",
		Run:         claimHolds},
	{Name: "ClaimNothing", Rules: []string{"R258"}, Needs: Claiming,
		Explanation: "a pass that finds nothing due writes nothing and answers the next due instant",
		Run:         claimNothing},
	{Name: "ClaimNextDue", Rules: []string{"R258"}, Needs: Claiming,
		Explanation: "the next due instant is that after the pass, what was left due included",
		Run:         claimNextDue},
	{Name: "ClaimOneShotsOnly", Rules: []string{"D42"}, Needs: Claiming,
		Explanation: "with OneShotsOnly only one-shots are claimed",
		Run:         claimOneShotsOnly},
}

// claimRequest builds a claim with as many run ids as the limit.
func (e *Env) claimRequest(n provider.NodeRef, limit int, d provider.DecideFunc) provider.ClaimRequest {
	r := provider.ClaimRequest{AcquireRequest: provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: limit}, Decide: d}
	for range limit {
		r.RunIDs = append(r.RunIDs, e.runID())
	}
	return r
}

// claimWith makes one locking pass.
func (e *Env) claimWith(r provider.ClaimRequest) provider.ClaimAnswer {
	e.Helper()
	a, err := e.Store.(provider.Claimer).Claim(e.ctx, r)
	e.must(err, "Claim")
	return a
}

// claim makes one locking pass with the plain decisions.
func (e *Env) claim(n provider.NodeRef, limit int) []provider.Begun {
	e.Helper()
	return e.claimWith(e.claimRequest(n, limit, decide)).Items
}

func claimStarts(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now.Add(-time.Minute)))
	e.save(job("c"), every("i", e.now))
	e.enqueue(manual("c", "x", e.now, data(`{"x":1}`)))
	before := e.look(e.Store)
	r := e.claimRequest(n, 5, decide)
	a := e.claimWith(r)
	equal(e, a.Now, e.now, "Claim's now")
	equal(e, outcomes(a.Items), []provider.Outcome{provider.OutcomeStarted, provider.OutcomeStarted, provider.OutcomeStarted}, "the outcomes")
	if len(a.Items) != 3 {
		return
	}
	for i, want := range []string{"a/t", "c/i", "c/manual-x"} {
		got := a.Items[i]
		stored := e.run(r.RunIDs[i])
		equal(e, got.Run, stored, "run %d, with the run id of its place", i)
		equal(e, got.Trigger, before.triggers[want], "the trigger of item %d, as it was before", i)
		equal(e, got.Job, before.jobs[got.Trigger.Job], "the job of item %d, as read", i)
		if stored.State != provider.RunRunning || stored.Node != n.ID || stored.Incarnation != n.Incarnation || !stored.StartedAt.Equal(e.now) || stored.Sequence == 0 {
			e.Errorf("run %d is %+v, want Running on this node since now", i, stored)
		}
	}
	if j := e.job("a"); j.ActiveRunID != r.RunIDs[0] || j.Fence == 0 || j.Fence != a.Items[0].Run.Fence {
		e.Errorf("the exclusive job is occupied by %q, fence %d; want %q, %d", j.ActiveRunID, j.Fence, r.RunIDs[0], a.Items[0].Run.Fence)
	}
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(e.now.Add(cronPeriod)) || t.FireCount != 1 {
		e.Errorf("the cron trigger is %+v, want Waiting for its next, count 1", t)
	}
	if t := e.trigger(key("c", "i")); t.State != provider.TriggerAcquired || t.ClaimID != r.ClaimID || t.ClaimedBy != n.ID || !t.ClaimedAt.Equal(e.now) || !t.NextFireAt.IsZero() {
		e.Errorf("the interval trigger is %+v, want Acquired by this claim, without a next", t)
	}
	e.gone(manualKey("c", "x"))
	// An interval trigger in flight is completed by the claim id that it carries.
	a.Items[1].Trigger.ClaimID = r.ClaimID
	e.finish(n, a.Items...)
	if t := e.trigger(key("c", "i")); t.State != provider.TriggerWaiting {
		e.Errorf("after its run the interval trigger is %v, want Waiting", t.State)
	}
}

func claimOrder(e *Env) {
	n := e.node("n")
	at := func(s int) time.Time { return e.now.Add(time.Duration(s) * time.Second) }
	e.save(job("a"), cron("late", at(-1), priority(99)), cron("low", at(-5), priority(1)), cron("high", at(-5), priority(7)),
		cron("soon", e.now.Add(time.Microsecond)), cron("own", at(-9), local), cron("done", at(-9), in(provider.TriggerComplete)))
	for _, name := range []string{"k_b", "k.b", "k-b", "k"} {
		e.save(job(name), cron("t", at(-9)))
	}
	e.save(job("z"), cron("t", at(-10)))
	r := e.claimRequest(n, 3, decide)
	r.ExcludeJobs = []string{"z", "none"}
	a := e.claimWith(r)
	got := func(a provider.ClaimAnswer) []string {
		out := []string{}
		for _, i := range a.Items {
			out = append(out, i.Trigger.TriggerKey.String())
		}
		return out
	}
	equal(e, got(a), []string{"k-b/t", "k.b/t", "k/t"}, "the first three without z")
	if !a.More {
		e.Errorf("due triggers were left and More is false")
	}
	b := e.claimWith(e.claimRequest(n, 50, decide))
	equal(e, got(b), []string{"z/t", "k_b/t", "a/high", "a/low", "a/late"}, "the rest")
	if b.More {
		e.Errorf("nothing was left and More is true")
	}
	e.finish(n, append(a.Items, b.Items...)...)
}

// claimable saves what a pass may meet; run ids and claim ids drawn afterwards
// are the same each time.
func claimable(e *Env) provider.NodeRef {
	n := e.node("n")
	e.save(job("b", exclusive))
	e.occupy(n, "b", 0)
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now), cron("later", e.now.Add(time.Hour)))
	e.enqueue(manual("b", "x", e.now.Add(-time.Hour)), manual("b", "y", e.now))
	e.save(job("c"), cron("1", e.now), every("2", e.now), once("3", e.now))
	e.enqueue(manual("c", "x", e.now.Add(-time.Minute)), manual("c", "y", e.now, priority(9)))
	e.drawn.Store(1000)
	return n
}

// withoutNames drops what two ways of the same outcome may name differently.
func withoutNames(s snapshot) []string {
	for k, j := range s.jobs {
		j.ActiveRunID = fmt.Sprint(j.ActiveRunID != "")
		s.jobs[k] = j
	}
	for k, t := range s.triggers {
		t.ClaimID = 0
		s.triggers[k] = t
	}
	runs := map[string]provider.RunRecord{}
	for _, r := range s.runs {
		r.ID = ""
		runs[r.Job+"/"+r.TriggerName] = r
	}
	s.runs = runs
	return s.effect()
}

func claimEqualsAcquireAndBegin(e *Env) {
	n := claimable(e)
	long := e.pass(n, 50)
	want := withoutNames(e.look(e.Store))
	e.fresh()
	n = claimable(e)
	short := e.claim(n, 50)
	if d := changes(want, withoutNames(e.look(e.Store))); d != "" {
		e.Errorf("against acquire and begin a claim leaves:\n%s", d)
	}
	if len(started(long)) != len(started(short)) {
		e.Errorf("acquire and begin started %d runs, a claim %d", len(started(long)), len(started(short)))
	}
}

func claimDecisions(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1-starts", e.now), cron("2-moves", e.now), cron("3-ends", e.now), cron("4-errs", e.now), cron("5-left", e.now))
	e.enqueue(manual("a", "6-goes", e.now))
	next := waiting(e.now.Add(time.Hour))
	become := map[string]provider.Progress{
		"2-moves":       {Next: next},
		"3-ends":        {Next: provider.Next{State: provider.TriggerComplete}},
		"4-errs":        {Next: provider.Next{State: provider.TriggerError}, ErrorCode: "CODE", ErrorText: "why"},
		"manual-6-goes": {Delete: true},
	}
	left := e.trigger(key("a", "5-left"))
	a := e.claimWith(e.claimRequest(n, 9, func(c provider.Candidate) provider.Decision {
		if after, ok := become[c.Trigger.Trigger]; ok {
			return provider.Decision{Action: provider.Advance, After: after}
		}
		if c.Trigger.Trigger == "5-left" {
			return provider.Decision{Action: provider.Leave}
		}
		return decide(c)
	}))
	if !a.More {
		e.Errorf("a due trigger was left, and the answer does not say so")
	}
	counts := map[provider.Outcome]int{}
	for _, i := range a.Items {
		counts[i.Outcome]++
	}
	if counts[provider.OutcomeStarted] != 1 || counts[provider.OutcomeAdvanced] != 4 {
		e.Errorf("the outcomes are %v, want one Started, four Advanced", counts)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "2-moves"): provider.TriggerWaiting,
		key("a", "3-ends"): provider.TriggerComplete, key("a", "4-errs"): provider.TriggerError})
	if t := e.trigger(key("a", "4-errs")); t.ErrorCode != "CODE" || t.ErrorText != "why" || t.ClaimID != 0 {
		e.Errorf("the trigger in Error is %+v", t)
	}
	if t := e.trigger(key("a", "2-moves")); !t.NextFireAt.Equal(next.NextFireAt) || t.FireCount != 0 {
		e.Errorf("the trigger that moved is %+v", t)
	}
	equal(e, e.trigger(key("a", "5-left")), left, "the trigger that was left")
	e.gone(manualKey("a", "6-goes"))
	e.finish(n, started(a.Items)...)
}

func claimHolds(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	r := e.claimRequest(n, 5, always(provider.Decision{Action: provider.Hold}))
	a := e.claimWith(r)
	if len(a.Items) != 1 || a.Items[0].Outcome != provider.OutcomeAcquired {
		e.Fatalf("the outcomes are %v, want one Acquired", outcomes(a.Items))
	}
	t := e.trigger(key("a", "t"))
	if t.State != provider.TriggerAcquired || t.ClaimID != r.ClaimID || t.ClaimedBy != n.ID || t.Incarnation != n.Incarnation || !t.NextFireAt.Equal(e.now) {
		e.Errorf("the held trigger is %+v, want Acquired by this claim, due as before", t)
	}
	if j := e.job("a"); j.ActiveRunID != "" {
		e.Errorf("holding occupied the job")
	}
	b := e.beginWith(n, decide, provider.Claimed{Trigger: t})
	if b[0].Outcome != provider.OutcomeStarted {
		e.Errorf("its begin answers %v, want Started", b[0].Outcome)
	}
	e.finish(n, started(b)...)
}

func claimNothing(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now.Add(time.Microsecond)), cron("own", e.now, local))
	e.unchanged("a claim that finds nothing due", func() {
		a := e.claimWith(e.claimRequest(n, 5, e.mustNotAsk))
		if len(a.Items)+len(a.HeldJobs)+a.Blocked != 0 || a.More {
			e.Errorf("nothing is due, the answer is %+v", a)
		}
		equal(e, a.NextDue, e.now.Add(time.Microsecond), "the next due instant")
	})
}

func claimNextDue(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now.Add(-time.Hour)), cron("2", e.now.Add(-time.Minute)), cron("3", e.now.Add(time.Minute)))
	first := e.claimWith(e.claimRequest(n, 1, decide))
	if !first.NextDue.IsZero() || !first.More {
		e.Errorf("a claim that begins all it may looks further: next due %v, more %v", first.NextDue, first.More)
	}
	second := e.claimWith(e.claimRequest(n, 5, decide))
	equal(e, second.NextDue, e.now.Add(time.Minute), "the next due instant with nothing left due")
	e.finish(n, append(first.Items, second.Items...)...)
	e.save(job("a"))
	third := e.claimWith(e.claimRequest(n, 5, decide))
	equal(e, third.NextDue, time.Time{}, "the next due instant with no trigger left")
}

func claimOneShotsOnly(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now.Add(-time.Hour)))
	e.enqueue(manual("a", "x", e.now), retry("a", "y", e.now), recoveryShot("a", "z", e.now))
	r := e.claimRequest(n, 5, decide)
	r.OneShotsOnly = true
	a := e.claimWith(r)
	if len(started(a.Items)) != 3 {
		e.Errorf("the outcomes are %v, want the three one-shots Started", outcomes(a.Items))
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "t"): provider.TriggerWaiting})
	e.finish(n, started(a.Items)...)
}
