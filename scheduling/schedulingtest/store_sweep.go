package schedulingtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var sweepCases = []Case{
	{Name: "SweepDeclaresLost", Rules: []string{"D04", "R046", "R047", "R050", "R082"}, Needs: Sharing,
		Explanation: "a Running record without a node row becomes Lost, completed now; its occupancy is cleared",
		Run:         sweepDeclaresLost},
	{Name: "SweepReturnsClaims", Rules: []string{"R048", "R051", "D04", "B105"}, Needs: Sharing,
		Explanation: "claims without a node row go back to Waiting, or Paused, with their due instants and without a claimant",
		Run:         sweepReturnsClaims},
	{Name: "SweepReturnsIntervals", Rules: []string{"R052", "R203", "D04"}, Needs: Sharing,
		Explanation: "an interval trigger whose run is lost is Waiting, or Paused, due now",
		Run:         sweepReturnsIntervals},
	{Name: "SweepRecovers", Rules: []string{"R054", "R208", "D04", "B139", "R082"}, Needs: Sharing,
		Explanation: "the recovery one-shot that the function gives is inserted once, and runs with the lost run's data",
		Run:         sweepRecovers},
	{Name: "SweepRecoveryBornPaused", Rules: []string{"D11", "D08"}, Needs: Sharing,
		Explanation: "a recovery one-shot of a paused job is born Paused",
		Run:         sweepRecoveryBornPaused},
	{Name: "SweepOfDeletedJob", Rules: []string{"D04", "R229"}, Needs: Sharing,
		Explanation: "the run of a deleted job becomes Lost; the function is told that the job is gone",
		Run:         sweepOfDeletedJob},
	{Name: "SweepTouchesNoLivingNode", Rules: []string{"D04", "R055"}, Needs: Sharing,
		Explanation: "what has a node row of its incarnation is left alone, however old its heartbeat",
		Run:         sweepTouchesNoLivingNode},
	{Name: "SweepOfEarlierIncarnation", Rules: []string{"D06", "D04"}, Needs: Sharing,
		Explanation: "what an earlier incarnation of a living node left is swept, what the living one holds is not",
		Run:         sweepOfEarlierIncarnation},
	{Name: "SweepOfUnknownNode", Rules: []string{"B141", "D04"}, Needs: Sharing,
		Explanation: "a record or claim of a node that never had a row is swept like any other",
		Run:         sweepOfUnknownNode},
	{Name: "SweepLimit", Rules: []string{"D04"}, Needs: Sharing,
		Explanation: "a pass takes at most the limit, each item whole, says that more is left, and repeats until nothing is",
		Run:         sweepLimit},
	{Name: "SweepAtMost100", Rules: []string{"D04"}, Needs: Sharing | Heaviness,
		Explanation: "a limit of 0 means 100 items",
		Run:         sweepAtMost100},
	{Name: "SweepSiblings", Rules: []string{"B115", "R053", "D35"}, Needs: Sharing,
		Explanation: "after a crash the blocked siblings of the lost run go on, one after the other, after one recovery",
		Run:         sweepSiblings},
}

func sweepDeclaresLost(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive), cron("t", e.now, data(`{"d":1}`)))
	e.save(job("c"), cron("t", e.now))
	begun := started(e.pass(n, 5))
	if len(begun) != 2 {
		e.Fatalf("%d runs started, want 2", len(begun))
	}
	fence := e.job("x").Fence
	e.kill(n)
	answers := e.sweep(100, recovery)
	a := answers[0]
	equal(e, a.Now, e.now, "the answer's now")
	if len(a.Lost) != 2 || len(a.Recovered) != 0 || len(a.Returned) != 0 {
		e.Fatalf("the answer is %+v, want two lost, none recovered, and triggers that went on left alone", a)
	}
	for _, b := range begun {
		want := b.Run
		stored := e.run(b.Run.ID)
		want.State, want.CompletedAt, want.Version = provider.RunLost, e.now, stored.Version
		want.ErrorCode, want.ErrorText = stored.ErrorCode, stored.ErrorText
		equal(e, stored, want, "the lost run")
		i := slices.IndexFunc(a.Lost, func(r provider.RunRecord) bool { return r.ID == b.Run.ID })
		if i < 0 {
			e.Fatalf("the answer's lost runs are %v, want %s among them", runIDs(a.Lost), b.Run.ID)
		}
		equal(e, a.Lost[i], stored, "the answer's lost run")
	}
	if j := e.job("x"); j.ActiveRunID != "" || j.Fence != fence {
		e.Errorf("after the sweep the job is occupied by %q with fence %d, want free with %d", j.ActiveRunID, j.Fence, fence)
	}
	e.unchanged("a second sweep", func() {
		if a := e.sweep(100, recovery)[0]; len(a.Lost)+len(a.Recovered)+len(a.Returned)+a.HandedBack != 0 || a.More {
			e.Errorf("the second sweep answers %+v", a)
		}
	})
}

func sweepReturnsClaims(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("waits", e.now.Add(-time.Minute)), cron("pauses", e.now))
	before := e.look(e.Store).triggers
	e.acquire(n, 5)
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "pauses")})
	e.each(errs, err, nil)
	e.kill(n)
	a := e.sweep(100, recovery)[0]
	got := []string{}
	for _, k := range a.Returned {
		got = append(got, k.String())
	}
	slices.Sort(got)
	equal(e, got, []string{"a/pauses", "a/waits"}, "what was returned")
	for name, state := range map[string]provider.TriggerState{"waits": provider.TriggerWaiting, "pauses": provider.TriggerPaused} {
		t, want := e.trigger(key("a", name)), before["a/"+name]
		want.State, want.Paused, want.Version = state, state == provider.TriggerPaused, t.Version
		equal(e, t, want, "trigger %s", name)
	}
}

func sweepReturnsIntervals(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("waits", e.now), every("pauses", e.now))
	begun := started(e.pass(n, 5))
	if len(begun) != 2 {
		e.Fatalf("%d runs started, want 2", len(begun))
	}
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "pauses")})
	e.each(errs, err, nil)
	e.kill(n)
	e.sweep(100, recovery)
	for name, state := range map[string]provider.TriggerState{"waits": provider.TriggerWaiting, "pauses": provider.TriggerPaused} {
		t := e.trigger(key("a", name))
		if t.State != state || t.ClaimID != 0 || t.ClaimedBy != "" || !t.NextFireAt.Equal(e.now) || !t.ScheduledAt.Equal(e.now) || t.FireCount != 1 {
			e.Errorf("trigger %s is %+v, want %v, due now, count 1", name, t, state)
		}
	}
}

func sweepRecovers(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive, recovers), cron("t", e.now, data(`{"k":"v"}`)))
	e.save(job("b"), cron("t", e.now))
	begun := started(e.pass(n, 5))
	e.kill(n)
	asked := map[string]string{}
	a := e.sweep(100, func(r provider.RunRecord, j provider.JobRecord, now time.Time) (provider.TriggerRecord, bool) {
		asked[r.Job] = fmt.Sprintf("%s %v %v", j.Name, r.State, now.Equal(e.now))
		return recovery(r, j, now)
	})[0]
	var lost provider.RunRecord
	for _, b := range begun {
		if b.Run.Job == "a" {
			lost = b.Run
		}
	}
	want := key("a", provider.PrefixRecovery+lost.ID)
	equal(e, a.Recovered, []provider.TriggerKey{want}, "what was recovered")
	if len(asked) != 2 || asked["a"] != "a Lost true" && asked["a"] != "a Running true" {
		e.Errorf("the function was asked %v, want about both runs with their jobs and the store's now", asked)
	}
	t := e.trigger(want)
	if t.State != provider.TriggerWaiting || t.Data != lost.Data || t.RunAs != provider.KindRecovery || !t.NextFireAt.Equal(e.now) {
		e.Errorf("the recovery one-shot is %+v", t)
	}
	ran := e.drain(m, 5)
	recoveries := 0
	for _, r := range ran {
		if r.Kind == provider.KindRecovery {
			recoveries++
			if r.Data != lost.Data || r.TriggerName != want.Trigger {
				e.Errorf("the recovery run is %+v, want the lost run's data", r)
			}
		}
	}
	if recoveries != 1 {
		e.Errorf("%d recovery runs, want 1", recoveries)
	}
}

func sweepRecoveryBornPaused(e *Env) {
	n := e.node("n")
	e.save(job("a", recovers), cron("t", e.now))
	b := e.startOne(n)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.kill(n)
	e.sweep(100, recovery)
	if t := e.trigger(key("a", provider.PrefixRecovery+b.Run.ID)); t.State != provider.TriggerPaused || !t.Paused {
		e.Errorf("the recovery one-shot is %v, flag %v; want Paused", t.State, t.Paused)
	}
}

func sweepOfDeletedJob(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive, recovers), every("t", e.now))
	b := e.startOne(n)
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.kill(n)
	told := "nothing"
	e.sweep(100, func(_ provider.RunRecord, j provider.JobRecord, _ time.Time) (provider.TriggerRecord, bool) {
		told = j.Name
		return provider.TriggerRecord{}, false
	})
	if told != "" {
		e.Errorf("the function was told of job %q, want none", told)
	}
	if r := e.run(b.Run.ID); r.State != provider.RunLost {
		e.Errorf("the run is %v, want Lost", r.State)
	}
	if s := e.look(e.Store); len(s.triggers)+len(s.jobs) != 0 {
		e.Errorf("the sweep brought back %v", s.effect())
	}
}

func sweepTouchesNoLivingNode(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive), every("1", e.now), cron("2", e.now))
	e.save(job("c"), cron("1", e.now), cron("2", e.now))
	e.pass(n, 2)
	e.acquire(n, 1)
	e.advance(24 * time.Hour)
	e.unchanged("a sweep over a node that has its row", func() {
		if a := e.sweep(100, recovery)[0]; len(a.Lost)+len(a.Returned)+len(a.Recovered) != 0 {
			e.Errorf("the sweep answers %+v, want nothing", a)
		}
	})
}

func sweepOfEarlierIncarnation(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now), cron("3", e.now), cron("4", e.now))
	old := e.startOneOf(n, "a")
	oldClaim := e.acquire(n, 1)
	judged := e.row("n")
	e.advance(time.Second)
	again, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n"), Replace: &judged})
	e.must(err, "Register")
	young := e.startOneOf(again.Node.NodeRef, "a")
	youngClaim := e.acquire(again.Node.NodeRef, 1)
	a := e.sweep(100, recovery)[0]
	equal(e, runIDs(a.Lost), []string{old.Run.ID}, "the lost runs")
	equal(e, a.Returned, []provider.TriggerKey{oldClaim[0].Trigger.TriggerKey}, "what was returned")
	e.states(map[provider.TriggerKey]provider.TriggerState{youngClaim[0].Trigger.TriggerKey: provider.TriggerAcquired})
	e.finish(again.Node.NodeRef, young)
}

func sweepOfUnknownNode(e *Env) {
	ghost := provider.NodeRef{ID: "ghost", Incarnation: 7}
	e.save(job("a", exclusive, recovers), cron("1", e.now))
	e.save(job("b"), cron("1", e.now))
	b := e.startOneOf(ghost, "a")
	claimed := e.acquire(ghost, 5)
	a := e.sweep(100, recovery)[0]
	equal(e, runIDs(a.Lost), []string{b.Run.ID}, "the lost runs")
	equal(e, a.Returned, []provider.TriggerKey{claimed[0].Trigger.TriggerKey}, "what was returned")
}

func sweepLimit(e *Env) {
	n := e.node("n")
	e.save(job("a", recovers))
	var shots []provider.TriggerRecord
	for i := range 7 {
		shots = append(shots, manual("a", fmt.Sprint(i), e.now))
	}
	e.enqueue(shots...)
	e.pass(n, 4)
	e.acquire(n, 3)
	e.kill(n)
	lost, recovered, returned := 0, 0, 0
	answers := e.sweep(2, recovery)
	for i, a := range answers {
		if got := len(a.Lost) + len(a.Returned); got > 2 || got == 0 && a.More {
			e.Errorf("pass %d took %d items, more is %v; want 1 or 2 while more is left", i, got, a.More)
		}
		if len(a.Recovered) != len(a.Lost) {
			e.Errorf("pass %d declared %d lost and recovered %d: an item was not done whole", i, len(a.Lost), len(a.Recovered))
		}
		lost, recovered, returned = lost+len(a.Lost), recovered+len(a.Recovered), returned+len(a.Returned)
	}
	if lost != 4 || recovered != 4 || returned != 3 {
		e.Errorf("in all %d were lost, %d recovered, %d returned; want 4, 4, 3", lost, recovered, returned)
	}
}

func sweepAtMost100(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	var shots []provider.TriggerRecord
	for i := range 120 {
		shots = append(shots, manual("a", fmt.Sprintf("%03d", i), e.now))
	}
	e.enqueue(shots...)
	e.acquire(n, 500)
	e.kill(n)
	answers := e.sweep(0, recovery)
	if len(answers) < 2 || len(answers[0].Returned) != 100 || !answers[0].More {
		e.Errorf("the first of %d passes returned %d, more is %v; want 100 and more", len(answers), len(answers[0].Returned), answers[0].More)
	}
	for k, t := range e.look(e.Store).triggers {
		if t.State != provider.TriggerWaiting {
			e.Errorf("%s is %v after the sweep", k, t.State)
		}
	}
}

func sweepSiblings(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive))
	e.occupy(n, "a", 4)
	e.kill(n)
	a := e.sweep(100, recovery)[0]
	if len(a.Lost) != 1 || a.HandedBack != 4 {
		e.Errorf("the sweep answers %d lost, %d handed back; want 1, 4", len(a.Lost), a.HandedBack)
	}
	if ran := e.drain(m, 9); len(ran) != 4 {
		e.Errorf("%d siblings ran, want 4", len(ran))
	}
}
