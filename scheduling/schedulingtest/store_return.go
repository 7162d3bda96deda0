package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var returnCases = []Case{
	{Name: "ReleaseGivesBack", Rules: []string{"R269", "D07", "D29"},
		Explanation: "claims that were not begun go back to Waiting with their due instants, and can be claimed again",
		Run:         releaseGivesBack},
	{Name: "ReleaseLeavesOthers", Rules: []string{"D07"},
		Explanation: "claims that are begun, gone or another's are left alone and not counted",
		Run:         releaseLeavesOthers},
	{Name: "InflightShowsRuns", Rules: []string{"R256", "D06", "D07"},
		Explanation: "a node sees its Running records by start, with cancel requests, and none of another node or incarnation",
		Run:         inflightShowsRuns},
	{Name: "InflightShowsClaims", Rules: []string{"D07", "B104"},
		Explanation: "a node sees its claims that are not begun, by key; an interval trigger in flight is none of them",
		Run:         inflightShowsClaims},
}

func releaseGivesBack(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), cron("1", e.now.Add(-time.Minute)), every("2", e.now))
	e.save(job("x", exclusive), cron("1", e.now))
	before := e.look(e.Store).effect()
	claimed := e.acquire(n, 9)
	e.advance(time.Second)
	if count := e.release(n, claimed...); count != 3 {
		e.Errorf("%d claims were given back, want 3", count)
	}
	if d := changes(before, e.look(e.Store).effect()); d != "" {
		e.Errorf("against before the claim a release leaves:\n%s", d)
	}
	equal(e, claimedKeys(e.acquire(m, 9)), []string{"a/1", "a/2", "x/1"}, "claims of another node")
}

func releaseLeavesOthers(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), every("1-begun", e.now), cron("2-wrong", e.now), cron("3-other", e.now), cron("4-mine", e.now))
	begun := e.acquire(n, 1)
	e.beginWith(n, decide, begun...)
	wrong := e.acquire(n, 1)
	other := e.acquire(m, 1)
	mine := e.acquire(n, 1)
	wrong[0].Trigger.ClaimID++
	other[0].Trigger.ClaimID--
	gone := wrong[0]
	gone.Trigger.TriggerKey = key("a", "none")
	before := e.look(e.Store)
	if count := e.release(n, begun[0], wrong[0], other[0], gone, mine[0]); count != 1 {
		e.Errorf("%d claims were given back, want 1", count)
	}
	after := e.look(e.Store)
	for _, name := range []string{"a/1-begun", "a/2-wrong", "a/3-other"} {
		equal(e, after.triggers[name], before.triggers[name], "trigger %s", name)
	}
	if t := after.triggers["a/4-mine"]; t.State != provider.TriggerWaiting || t.ClaimID != 0 {
		e.Errorf("the claim given back is %+v, want Waiting", t)
	}
}

func inflightShowsRuns(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"))
	var mine []string
	for i := range 3 {
		e.enqueue(manual("a", "x", e.now))
		b := e.startOne(n)
		mine = append(mine, b.Run.ID)
		e.advance(-time.Duration(i+1) * time.Second) // later ids start earlier
	}
	e.enqueue(manual("a", "x", e.now))
	other := e.startOne(m)
	errs, err := e.Store.RequestCancel(e.ctx, mine[1:2])
	e.each(errs, err, nil)
	a, err := e.other().Inflight(e.ctx, n)
	e.must(err, "Inflight")
	equal(e, runIDs(a.Runs), []string{mine[2], mine[1], mine[0]}, "the runs, by start")
	for _, r := range a.Runs {
		equal(e, r, e.run(r.ID), "run %s", r.ID)
		if r.CancelRequestedAt.IsZero() == (r.ID == mine[1]) {
			e.Errorf("run %s was asked to cancel at %v", r.ID, r.CancelRequestedAt)
		}
	}
	a, err = e.Store.Inflight(e.ctx, provider.NodeRef{ID: n.ID, Incarnation: n.Incarnation + 1})
	e.must(err, "Inflight")
	if len(a.Runs) != 0 {
		e.Errorf("another incarnation sees %d runs", len(a.Runs))
	}
	e.complete(m, provider.Completion{RunID: other.Run.ID, Job: "a", State: provider.RunSucceeded})
	a, err = e.Store.Inflight(e.ctx, m)
	e.must(err, "Inflight")
	if len(a.Runs) != 0 {
		e.Errorf("a node sees %d runs after its only one ended", len(a.Runs))
	}
}

func inflightShowsClaims(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), every("0-begun", e.now, priority(9)), cron("3", e.now, priority(8)), cron("1", e.now, priority(7)), cron("2", e.now))
	e.beginWith(n, decide, e.acquire(n, 1)...)
	e.acquire(n, 2)
	e.acquire(m, 1)
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "3")})
	e.each(errs, err, nil)
	a, err := e.Store.Inflight(e.ctx, n)
	e.must(err, "Inflight")
	equal(e, keysOf(a.Claims), []string{"a/1", "a/3"}, "the claims, by key")
	for _, t := range a.Claims {
		equal(e, t, e.trigger(t.TriggerKey), "claim %v", t.TriggerKey)
	}
	a, err = e.Store.Inflight(e.ctx, provider.NodeRef{ID: n.ID, Incarnation: n.Incarnation - 1})
	e.must(err, "Inflight")
	if len(a.Claims) != 0 {
		e.Errorf("an earlier incarnation sees %d claims", len(a.Claims))
	}
}
