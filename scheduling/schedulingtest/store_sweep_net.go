package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of sweeps that meet what others have done meanwhile.
var sweepNetCases = []Case{
	{Name: "SweepAfterCompletion", Rules: []string{"B136", "D05"}, Needs: Sharing,
		Explanation: "a run that completed before the sweep stays as it ended and is not recovered",
		Run:         sweepAfterCompletion},
	{Name: "SweepRecoversOnce", Rules: []string{"B143", "D04", "D10"}, Needs: Sharing,
		Explanation: "a recovery one-shot that is there already is not inserted again, and the run is Lost all the same",
		Run:         sweepRecoversOnce},
	{Name: "SweepWithoutFunction", Rules: []string{"D04"}, Needs: Sharing,
		Explanation: "where the function wants no recovery none is inserted",
		Run:         sweepWithoutRecovery},
	{Name: "SweepOfLocalRuns", Rules: []string{"D04", "R205"}, Needs: Sharing,
		Explanation: "the Running record of a dead node's local run becomes Lost; it frees no occupancy that it does not hold",
		Run:         sweepOfLocalRuns},
	{Name: "SweepHandsBackForgotten", Rules: []string{"R053", "D35"}, Needs: Sharing | Poking,
		Explanation: "a Blocked trigger of a free job that nobody handed back is found by the next sweep",
		Run:         sweepHandsBackForgotten},
	{Name: "SweepMixed", Rules: []string{"D04", "R082"}, Needs: Sharing,
		Explanation: "runs, claims, intervals and blocked triggers of two dead nodes are recovered; a third node's stay",
		Run:         sweepMixed},
	{Name: "DeregisteredLeavesNothing", Rules: []string{"D29", "D04"}, Needs: Sharing,
		Explanation: "what a node left when it deregistered is swept like a convicted one's",
		Run:         deregisteredLeavesNothing},
}

func sweepAfterCompletion(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive, recovers), every("t", e.now))
	b := e.startOne(n)
	e.kill(n)
	e.finish(n, b) // its answer was on the way when the node was convicted
	e.unchanged("a sweep after the completion", func() {
		if a := e.sweep(100, recovery)[0]; len(a.Lost)+len(a.Recovered)+len(a.Returned) != 0 {
			e.Errorf("the sweep answers %+v, want nothing", a)
		}
	})
	if r := e.run(b.Run.ID); r.State != provider.RunSucceeded {
		e.Errorf("the run is %v, want Succeeded", r.State)
	}
}

func sweepRecoversOnce(e *Env) {
	n := e.node("n")
	e.save(job("a", recovers), cron("t", e.now.Add(-time.Hour)))
	b := e.startOne(n)
	taken := manual("a", "", e.now.Add(time.Hour), data(`{"first":1}`))
	taken.Trigger, taken.RunAs = provider.PrefixRecovery+b.Run.ID, provider.KindRecovery
	e.enqueue(taken)
	e.kill(n)
	a := e.sweep(100, recovery)[0]
	if len(a.Lost) != 1 || len(a.Recovered) != 0 {
		e.Errorf("the sweep lost %v and recovered %v, want one and none", runIDs(a.Lost), a.Recovered)
	}
	if t := e.trigger(taken.TriggerKey); t.Data != `{"first":1}` {
		e.Errorf("the one-shot that was there has data %q now", t.Data)
	}
}

func sweepWithoutRecovery(e *Env) {
	n := e.node("n")
	e.save(job("a", recovers), cron("t", e.now))
	b := e.startOne(n)
	e.kill(n)
	a := e.sweep(100, func(provider.RunRecord, provider.JobRecord, time.Time) (provider.TriggerRecord, bool) {
		return provider.TriggerRecord{}, false
	})[0]
	if len(a.Lost) != 1 || len(a.Recovered) != 0 {
		e.Errorf("the sweep lost %v and recovered %v, want one and none", runIDs(a.Lost), a.Recovered)
	}
	e.gone(key("a", provider.PrefixRecovery+b.Run.ID))
}

func sweepOfLocalRuns(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive), cron("t", e.now.Add(-time.Second)))
	b := e.startOneOf(m, "a")
	run := localRun(e.runID(), "a", n, e.now)
	run.State, run.CompletedAt = provider.RunRunning, time.Time{}
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{run}), "Record")
	deregister, err := e.Store.Deregister(e.ctx, n)
	e.must(err, "Deregister")
	if !deregister {
		e.Fatalf("Deregister: the row was not there")
	}
	a := e.sweep(100, recovery)[0]
	equal(e, runIDs(a.Lost), []string{run.ID}, "the lost runs")
	if j := e.job("a"); j.ActiveRunID != b.Run.ID {
		e.Errorf("the job is occupied by %q, want %q", j.ActiveRunID, b.Run.ID)
	}
	e.finish(m, b)
}

func sweepHandsBackForgotten(e *Env) {
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now, priority(9)))
	for _, name := range []string{"1", "2"} {
		e.Poke(e.T, Row{TableTrigger, "a/" + name}, "trigger_state", int64(provider.TriggerBlocked))
	}
	answers := e.sweep(100, recovery)
	if answers[0].HandedBack != 2 {
		e.Errorf("the sweep handed back %d triggers, want 2", answers[0].HandedBack)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerWaiting, key("a", "2"): provider.TriggerWaiting})
}

func sweepMixed(e *Env) {
	n, m, o := e.node("n"), e.node("m"), e.node("o")
	e.save(job("x", exclusive, recovers))
	e.save(job("y", exclusive))
	e.save(job("c", recovers))
	e.occupy(n, "x", 2)
	keep := e.occupy(o, "y", 2)
	e.enqueue(manual("c", "1", e.now), manual("c", "2", e.now))
	e.pass(m, 1)
	e.acquire(m, 1)
	e.enqueue(manual("c", "3", e.now))
	kept := e.startOneOf(o, "c")
	e.kill(n)
	for _, row := range []provider.NodeRecord{e.row("m")} {
		e.convicts(row, true, "the second dead node")
	}
	lost, recovered, returned := 0, 0, 0
	for _, a := range e.sweep(3, recovery) {
		lost, recovered, returned = lost+len(a.Lost), recovered+len(a.Recovered), returned+len(a.Returned)
	}
	if lost != 2 || recovered != 2 || returned != 1 {
		e.Errorf("%d were lost, %d recovered, %d returned; want 2, 2, 1", lost, recovered, returned)
	}
	for _, b := range []provider.Begun{keep, kept} {
		if r := e.run(b.Run.ID); r.State != provider.RunRunning {
			e.Errorf("the living node's run of %s is %v", r.Job, r.State)
		}
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("y", blockedName(0)): provider.TriggerBlocked,
		manualKey("x", blockedName(0)): provider.TriggerWaiting})
	e.finish(o, keep, kept)
}

func deregisteredLeavesNothing(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("1", e.now), cron("2", e.now))
	e.pass(n, 1)
	e.acquire(n, 1)
	if _, err := e.Store.Deregister(e.ctx, n); err != nil {
		e.Fatalf("Deregister: %v", err)
	}
	a := e.sweep(100, recovery)[0]
	if len(a.Lost) != 1 || len(a.Returned) != 2 {
		e.Errorf("the sweep lost %v and returned %v, want one run, and two triggers", runIDs(a.Lost), a.Returned)
	}
}
