package schedulingtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var acquireCases = []Case{
	{Name: "AcquireOrder", Rules: []string{"R029", "D01", "D32"},
		Explanation: "candidates go by due instant, then larger priority, then key by its bytes",
		Run:         acquireOrder},
	{Name: "AcquireOnlyDue", Rules: []string{"R028", "B102"},
		Explanation: "a trigger is due from its very instant, not a microsecond earlier; local ones and other states are not claimed",
		Run:         acquireOnlyDue},
	{Name: "AcquireMarksTheClaim", Rules: []string{"R259", "D07"},
		Explanation: "a claimed trigger is Acquired and carries claim id, node, incarnation and instant; the answer is what is stored",
		Run:         acquireMarksTheClaim},
	{Name: "AcquireAnswersJobs", Rules: []string{"R259"},
		Explanation: "each claim comes with its job as stored",
		Run:         acquireAnswersJobs},
	{Name: "AcquireLimit", Rules: []string{"R030", "R032", "R258"},
		Explanation: "no more than the limit is claimed, and what is left is said to be left, until nothing is",
		Run:         acquireLimit},
	{Name: "AcquireOncePerTrigger", Rules: []string{"R007", "R032", "R259"},
		Explanation: "what one node has claimed another does not get",
		Run:         acquireOncePerTrigger},
	{Name: "AcquireOnePerExclusiveJob", Rules: []string{"D35"},
		Explanation: "at most one trigger per exclusive job is claimed, the first in order; concurrent jobs have no such bound",
		Run:         acquireOnePerExclusiveJob},
	{Name: "AcquireExclude", Rules: []string{"D14"},
		Explanation: "excluded jobs are passed over by claim and by the next due instant, and claim what is behind them",
		Run:         acquireExclude},
	{Name: "AcquireOneShotsOnly", Rules: []string{"D42", "R260"},
		Explanation: "with OneShotsOnly neither a claim nor the next due instant sees other triggers",
		Run:         acquireOneShotsOnly},
	{Name: "AcquireNothingWritesNothing", Rules: []string{"R258"},
		Explanation: "a pass that finds nothing due answers empty and writes nothing",
		Run:         acquireNothingWritesNothing},
	{Name: "AcquireRefill", Rules: []string{"R030", "R032", "D35"},
		Explanation: "behind many due triggers of one exclusive job the quota is still filled from other jobs",
		Run:         acquireRefill},
	{Name: "DueIsTheEarliest", Rules: []string{"R258", "D42"},
		Explanation: "the next due instant is that of the earliest Waiting, not local trigger, due or not",
		Run:         dueIsTheEarliest},
}

func acquireOrder(e *Env) {
	n := e.node("n")
	at := func(s int) time.Time { return e.now.Add(time.Duration(s) * time.Second) }
	e.save(job("a"), cron("late", at(-1), priority(99)), cron("low", at(-5), priority(1)), cron("mid", at(-5)), cron("high", at(-5), priority(7)))
	for _, name := range []string{"k_b", "k0", "k.b", "k-b", "k"} {
		e.save(job(name), cron("t", at(-9)))
	}
	e.save(job("z"), cron("first", at(-10), priority(-7)), cron("negative", at(-5), priority(-1)))
	want := []string{"z/first", "k-b/t", "k.b/t", "k/t", "k0/t", "k_b/t", "a/high", "a/mid", "a/low", "z/negative", "a/late"}
	equal(e, claimedKeys(e.acquire(n, 4)), want[:4], "the first four")
	equal(e, claimedKeys(e.acquire(n, 50)), want[4:], "the rest")
}

func acquireOnlyDue(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("now", e.now), cron("soon", e.now.Add(time.Microsecond)), cron("own", e.now, local),
		cron("done", e.now, in(provider.TriggerComplete)), cron("bad", e.now, in(provider.TriggerError)))
	equal(e, claimedKeys(e.acquire(n, 9)), []string{"a/now"}, "what is due")
	e.advance(time.Microsecond)
	equal(e, claimedKeys(e.acquire(n, 9)), []string{"a/soon"}, "what is due a microsecond later")
	e.advance(time.Hour)
	equal(e, claimedKeys(e.acquire(n, 9)), []string{}, "what is due an hour later")
}

func acquireMarksTheClaim(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now.Add(-time.Minute), data(`{"x":1}`)))
	before := e.trigger(key("a", "t"))
	id := e.claimID()
	a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: id, Limit: 3})
	e.must(err, "Acquire")
	if len(a.Claimed) != 1 {
		e.Fatalf("claimed %d, want 1", len(a.Claimed))
	}
	got := e.trigger(key("a", "t"))
	want := before
	want.State, want.ClaimID, want.ClaimedBy, want.Incarnation, want.ClaimedAt = provider.TriggerAcquired, id, n.ID, n.Incarnation, e.now
	want.Version = got.Version
	equal(e, got, want, "the stored trigger")
	if got.Version <= before.Version {
		e.Errorf("the version went from %d to %d, want it greater", before.Version, got.Version)
	}
	equal(e, a.Claimed[0].Trigger, got, "the answer's trigger")
}

func acquireAnswersJobs(e *Env) {
	n := e.node("n")
	e.save(job("a", recovers, func(j *provider.JobRecord) { j.Data = `{"a":1}` }), cron("t", e.now), cron("u", e.now))
	e.save(job("x", exclusive), cron("t", e.now))
	claimed := e.acquire(n, 9)
	if len(claimed) != 3 {
		e.Fatalf("claimed %v, want three", claimedKeys(claimed))
	}
	for _, c := range claimed {
		equal(e, c.Job, e.job(c.Trigger.Job), "the job of %v", c.Trigger.TriggerKey)
	}
}

func acquireLimit(e *Env) {
	n := e.node("n")
	var triggers []provider.TriggerRecord
	for i := range 7 {
		triggers = append(triggers, cron(fmt.Sprint(i), e.now))
	}
	e.save(job("a"), triggers...)
	left := 7
	for _, limit := range []int{1, 3, 2, 5} {
		a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: limit})
		e.must(err, "Acquire")
		if want := min(limit, left); len(a.Claimed) != want {
			e.Errorf("with a limit of %d and %d due, %d were claimed, want %d", limit, left, len(a.Claimed), want)
		}
		left -= len(a.Claimed)
		if left > 0 && !a.More || len(a.Claimed) < limit && a.More {
			e.Errorf("with %d left of a limit of %d, More is %v", left, limit, a.More)
		}
	}
}

func acquireOncePerTrigger(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	first := e.acquire(n, 2)
	a, err := e.other().Acquire(e.ctx, provider.AcquireRequest{Node: m, ClaimID: e.claimID(), Limit: 5})
	e.must(err, "Acquire")
	all := append(claimedKeys(first), claimedKeys(a.Claimed)...)
	slices.Sort(all)
	equal(e, all, []string{"a/1", "a/2", "a/3"}, "the claims of both")
	equal(e, claimedKeys(e.acquire(n, 5)), []string{}, "a third claim")
}

func acquireOnePerExclusiveJob(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive), cron("1", e.now), cron("2", e.now, priority(6)), cron("3", e.now))
	e.save(job("y", exclusive), cron("1", e.now.Add(-time.Second)), cron("2", e.now))
	e.save(job("c"), cron("1", e.now), cron("2", e.now))
	equal(e, claimedKeys(e.acquire(n, 9)), []string{"y/1", "x/2", "c/1", "c/2"}, "the claims")
}

func acquireExclude(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now.Add(-time.Hour)))
	e.save(job("b"), cron("t", e.now.Add(-time.Minute)))
	e.save(job("c"), cron("t", e.now.Add(-time.Second)))
	due, err := e.Store.Due(e.ctx, provider.DueRequest{ExcludeJobs: []string{"a", "none"}})
	e.must(err, "Due")
	equal(e, due.NextDue, e.now.Add(-time.Minute), "the next due instant without a")
	a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 1, ExcludeJobs: []string{"b", "a"}})
	e.must(err, "Acquire")
	equal(e, claimedKeys(a.Claimed), []string{"c/t"}, "the claim without a and b")
	var many []string
	for i := range 499 {
		many = append(many, fmt.Sprintf("other-%03d", i))
	}
	a, err = e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 5, ExcludeJobs: append(many, "a")})
	e.must(err, "Acquire with 500 excluded jobs")
	equal(e, claimedKeys(a.Claimed), []string{"b/t"}, "the claim without a and 499 others")
}

func acquireOneShotsOnly(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now.Add(-time.Hour)), cron("manually", e.now), cron("retries", e.now))
	e.enqueue(manual("a", "x", e.now.Add(time.Minute)), retry("a", "y", e.now), recoveryShot("a", "z", e.now.Add(time.Second)))
	due, err := e.Store.Due(e.ctx, provider.DueRequest{OneShotsOnly: true})
	e.must(err, "Due")
	equal(e, due.NextDue, e.now, "the next due one-shot")
	e.advance(time.Minute)
	a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 9, OneShotsOnly: true})
	e.must(err, "Acquire")
	equal(e, claimedKeys(a.Claimed), []string{"a/retry-y", "a/recovery-z", "a/manual-x"}, "the claims")
	due, err = e.Store.Due(e.ctx, provider.DueRequest{OneShotsOnly: true})
	e.must(err, "Due")
	equal(e, due.NextDue, time.Time{}, "the next due one-shot once all are claimed")
}

func acquireNothingWritesNothing(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now.Add(time.Microsecond)), cron("own", e.now, local))
	e.unchanged("a pass that finds nothing due", func() {
		a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 5})
		e.must(err, "Acquire")
		if len(a.Claimed)+len(a.Unreadable) != 0 || a.More {
			e.Errorf("nothing is due, the answer is %+v", a)
		}
	})
}

func acquireRefill(e *Env) {
	n := e.node("n")
	var triggers []provider.TriggerRecord
	for i := range 40 {
		triggers = append(triggers, cron(fmt.Sprintf("t%02d", i), e.now.Add(-time.Hour)))
	}
	e.save(job("x", exclusive), triggers...)
	e.save(job("c"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	got := claimedKeys(e.acquire(n, 4))
	equal(e, got, []string{"x/t00", "c/1", "c/2", "c/3"}, "the claims")
}

func dueIsTheEarliest(e *Env) {
	n := e.node("n")
	want := func(at time.Time, what string) {
		e.Helper()
		due, err := e.Store.Due(e.ctx, provider.DueRequest{})
		e.must(err, "Due")
		equal(e, due.NextDue, at, "%s", what)
	}
	e.save(job("a"), cron("own", e.now.Add(-time.Hour), local), cron("done", e.now, in(provider.TriggerComplete)), cron("later", e.now.Add(time.Hour)))
	e.unchanged("reading the next due instant", func() { want(e.now.Add(time.Hour), "a trigger of later") })
	e.enqueue(manual("a", "x", e.now.Add(-time.Minute)))
	want(e.now.Add(-time.Minute), "a trigger overdue")
	e.acquire(n, 1)
	want(e.now.Add(time.Hour), "once the overdue one is claimed")
}
