package schedulingtest

import (
	"context"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases in which another transaction holds a row. None of the dispatch calls
// may wait for it; a wait would run into the case's watchdog.
var lockCases = []Case{
	{Name: "HeldJobInBegin", Rules: []string{"D23", "D07"}, Needs: HoldingJobs,
		Explanation: "begin of a trigger whose exclusive job is held answers Held and keeps the claim; other items go on",
		Run:         heldJobInBegin},
	{Name: "HeldJobInStart", Rules: []string{"D23", "R232"}, Needs: HoldingJobs,
		Explanation: "a start of an exclusive job that is held answers Held and leaves nothing",
		Run:         heldJobInStart},
	{Name: "HeldJobInComplete", Rules: []string{"D23", "D05"}, Needs: HoldingJobs,
		Explanation: "a completion whose exclusive job is held answers Held and changes nothing; other items go on",
		Run:         heldJobInComplete},
	{Name: "HeldJobInSweep", Rules: []string{"D04", "D23"}, Needs: HoldingJobs | Sharing,
		Explanation: "a sweep leaves the item whose job is held whole for the next pass, and does the others",
		Run:         heldJobInSweep},
	{Name: "HeldJobInClaim", Rules: []string{"D14", "D23"}, Needs: HoldingJobs | Claiming,
		Explanation: "a claim names the held job, leaves its triggers as they are, and starts what is due behind them once it is excluded",
		Run:         heldJobInClaim},
	{Name: "HeldTriggerInAcquire", Rules: []string{"D23", "R032"}, Needs: Holding,
		Explanation: "acquire passes over a trigger that is held",
		Run:         heldTriggerInAcquire},
	{Name: "HeldTriggerInBegin", Rules: []string{"D23", "D07"}, Needs: Holding,
		Explanation: "begin of a trigger that is held answers Held and keeps the claim",
		Run:         heldTriggerInBegin},
	{Name: "HeldTriggerInClaim", Rules: []string{"D23"}, Needs: Holding | Claiming,
		Explanation: "claim passes over a trigger that is held, and does not block it either",
		Run:         heldTriggerInClaim},
	{Name: "HeldTriggerInRelease", Rules: []string{"D23", "D29"}, Needs: Holding,
		Explanation: "a release does not wait for a trigger that is held, and can be repeated",
		Run:         heldTriggerInRelease},
	{Name: "HeldRunInComplete", Rules: []string{"D23", "D22"}, Needs: Holding,
		Explanation: "a completion whose run is held answers Held and changes nothing",
		Run:         heldRunInComplete},
	{Name: "HeldRunInSweep", Rules: []string{"D04", "D23"}, Needs: Holding | Sharing,
		Explanation: "a sweep leaves a run that is held for the next pass",
		Run:         heldRunInSweep},
	{Name: "ManagementWaits", Rules: []string{"D23"}, Needs: Holding,
		Explanation: "a pause waits for the row that another transaction holds and is done when it gets it",
		Run:         managementWaits},
}

func heldJobInBegin(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive), cron("t", e.now))
	e.save(job("c"), cron("t", e.now))
	claimed := e.acquire(n, 5)
	before := e.trigger(key("x", "t"))
	release := e.HoldJob(e.T, "x")
	got := e.beginWith(n, decide, claimed...)
	release()
	for i, b := range got {
		want := provider.OutcomeStarted
		if claimed[i].Trigger.Job == "x" {
			want = provider.OutcomeHeld
		}
		if b.Outcome != want {
			e.Errorf("%v answers %v, want %v", claimed[i].Trigger.TriggerKey, b.Outcome, want)
		}
	}
	equal(e, e.trigger(key("x", "t")), before, "the trigger of the held job")
	again := e.beginWith(n, decide, provider.Claimed{Trigger: before})
	if again[0].Outcome != provider.OutcomeStarted {
		e.Errorf("asked again it answers %v, want Started", again[0].Outcome)
	}
	e.finish(n, append(started(got), again...)...)
}

func heldJobInStart(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive))
	call := e.call("x")
	release := e.HoldJob(e.T, "x")
	got := e.startRuns(n, call)
	release()
	if got[0].Outcome != provider.OutcomeHeld || len(e.look(e.Store).runs) != 0 {
		e.Errorf("the start answers %v, want Held, with no run", got[0].Outcome)
	}
	got = e.startRuns(n, call)
	if got[0].Outcome != provider.OutcomeStarted {
		e.Errorf("asked again it answers %v, want Started", got[0].Outcome)
	}
	e.finish(n, got...)
}

func heldJobInComplete(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive))
	e.save(job("c"))
	b := e.occupy(n, "x", 2)
	e.enqueue(manual("c", "1", e.now))
	other := e.startOne(n)
	release := e.HoldJob(e.T, "x")
	a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{completion(b), completion(other)}})
	release()
	e.must(err, "Complete")
	if a.Items[0].Outcome != provider.OutcomeHeld || a.Items[1].Outcome != provider.OutcomeDone {
		e.Errorf("the completions answer %v and %v, want Held and Done", a.Items[0].Outcome, a.Items[1].Outcome)
	}
	equal(e, e.run(b.Run.ID), b.Run, "the run of the held job")
	if j := e.job("x"); j.ActiveRunID != b.Run.ID {
		e.Errorf("the held job is occupied by %q, want %q", j.ActiveRunID, b.Run.ID)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("x", blockedName(0)): provider.TriggerBlocked})
	e.finish(n, b)
}

func heldJobInSweep(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive, recovers))
	e.save(job("y", exclusive, recovers))
	b, c := e.occupy(n, "x", 1), e.occupy(n, "y", 1)
	e.kill(n)
	release := e.HoldJob(e.T, "x")
	a, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
	release()
	e.must(err, "Sweep")
	equal(e, runIDs(a.Lost), []string{c.Run.ID}, "the lost runs")
	if !a.More {
		e.Errorf("an item was held and More is false")
	}
	equal(e, e.run(b.Run.ID), b.Run, "the run of the held job")
	e.gone(key("x", provider.PrefixRecovery+b.Run.ID))
	again := e.sweep(100, recovery)[0]
	equal(e, runIDs(again.Lost), []string{b.Run.ID}, "the lost runs of the next pass")
}

func heldJobInClaim(e *Env) {
	n := e.node("n")
	e.save(job("x", exclusive))
	e.save(job("c"), cron("behind", e.now))
	const shots = 60
	var batch []provider.TriggerRecord
	for i := range shots {
		batch = append(batch, manual("x", fmt.Sprintf("%03d", i), e.now.Add(-time.Hour)))
	}
	e.enqueue(batch...)
	release := e.HoldJob(e.T, "x")
	first := e.claimWith(e.claimRequest(n, 4, decide))
	equal(e, first.HeldJobs, []string{"x"}, "the held jobs")
	begun := started(first.Items)
	r := e.claimRequest(n, 4, decide)
	r.ExcludeJobs = first.HeldJobs
	begun = append(begun, started(e.claimWith(r).Items)...)
	release()
	if len(begun) != 1 || begun[0].Run.Job != "c" {
		e.Errorf("two passes started %+v, want the trigger behind the held job's", begun)
	}
	for k, t := range e.look(e.Store).triggers {
		if t.Job == "x" && t.State != provider.TriggerWaiting {
			e.Errorf("%s of the held job is %v, want Waiting", k, t.State)
		}
	}
	e.finish(n, begun...)
	if got := started(e.claim(n, 4)); len(got) != 1 || got[0].Run.Job != "x" {
		e.Errorf("with the job free again a pass started %+v", got)
	} else {
		e.finish(n, got...)
	}
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"x"})
	e.each(errs, err, nil)
}

func heldTriggerInAcquire(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	release := e.Hold(e.T, Row{TableTrigger, "a/1"})
	got := claimedKeys(e.acquire(n, 2))
	release()
	equal(e, got, []string{"a/2", "a/3"}, "the claims beside the held trigger")
	equal(e, claimedKeys(e.acquire(n, 2)), []string{"a/1"}, "the claims once it is free")
}

func heldTriggerInBegin(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	claimed := e.acquire(n, 2)
	release := e.Hold(e.T, Row{TableTrigger, "a/1"})
	got := e.beginWith(n, decide, claimed...)
	release()
	equal(e, outcomes(got), []provider.Outcome{provider.OutcomeHeld, provider.OutcomeStarted}, "the outcomes")
	equal(e, e.trigger(key("a", "1")), claimed[0].Trigger, "the held trigger")
	again := e.beginWith(n, decide, claimed[0])
	e.finish(n, append(started(got), started(again)...)...)
}

func heldTriggerInClaim(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	release := e.Hold(e.T, Row{TableTrigger, "a/1"})
	first := e.claimWith(e.claimRequest(n, 5, decide))
	release()
	begun := started(first.Items)
	if len(begun) != 1 || begun[0].Trigger.Trigger != "2" {
		e.Fatalf("started %+v, want the second trigger", begun)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerWaiting, key("a", "3"): provider.TriggerBlocked})
	if second := e.claim(n, 5); len(started(second)) != 0 {
		e.Errorf("a second run started beside the first")
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerBlocked})
	e.finish(n, begun...)
}

func heldTriggerInRelease(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	claimed := e.acquire(n, 2)
	release := e.Hold(e.T, Row{TableTrigger, "a/1"})
	first := e.release(n, claimed...)
	release()
	second := e.release(n, claimed...)
	if first+second != 2 {
		e.Errorf("the releases gave back %d and %d, want 2 in all", first, second)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerWaiting, key("a", "2"): provider.TriggerWaiting})
}

func heldRunInComplete(e *Env) {
	n := e.node("n")
	e.save(job("c"), every("1", e.now), cron("2", e.now))
	begun := started(e.pass(n, 5))
	release := e.Hold(e.T, Row{TableRun, begun[0].Run.ID})
	a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{completion(begun[0]), completion(begun[1])}})
	release()
	e.must(err, "Complete")
	if a.Items[0].Outcome != provider.OutcomeHeld || a.Items[1].Outcome != provider.OutcomeDone {
		e.Errorf("the completions answer %v and %v, want Held and Done", a.Items[0].Outcome, a.Items[1].Outcome)
	}
	equal(e, e.run(begun[0].Run.ID), begun[0].Run, "the held run")
	e.states(map[provider.TriggerKey]provider.TriggerState{key("c", "1"): provider.TriggerAcquired})
	e.finish(n, begun[0])
}

func heldRunInSweep(e *Env) {
	n := e.node("n")
	e.save(job("c", recovers), every("1", e.now), cron("2", e.now))
	begun := started(e.pass(n, 5))
	e.kill(n)
	release := e.Hold(e.T, Row{TableRun, begun[0].Run.ID})
	a, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
	release()
	e.must(err, "Sweep")
	equal(e, runIDs(a.Lost), []string{begun[1].Run.ID}, "the lost runs")
	equal(e, e.run(begun[0].Run.ID), begun[0].Run, "the held run")
	e.gone(key("c", provider.PrefixRecovery+begun[0].Run.ID))
	again := e.sweep(100, recovery)[0]
	equal(e, runIDs(again.Lost), []string{begun[0].Run.ID}, "the lost runs of the next pass")
}

func managementWaits(e *Env) {
	t := key("a", "t")
	e.save(job("a"), cron("t", e.now.Add(time.Hour)))
	for _, c := range []struct {
		name string
		held Row
		call func(ctx context.Context) ([]error, error)
		then provider.TriggerState
	}{
		{"PauseJobs", Row{TableJob, "a"}, func(ctx context.Context) ([]error, error) { return e.Store.PauseJobs(ctx, []string{"a"}) }, provider.TriggerPaused},
		{"ResumeJobs", Row{TableTrigger, "a/t"}, func(ctx context.Context) ([]error, error) { return e.Store.ResumeJobs(ctx, []string{"a"}) }, provider.TriggerWaiting},
		{"PauseTriggers", Row{TableTrigger, "a/t"}, func(ctx context.Context) ([]error, error) {
			return e.Store.PauseTriggers(ctx, []provider.TriggerKey{t})
		}, provider.TriggerPaused},
		{"ResumeTriggers", Row{TableJob, "a"}, func(ctx context.Context) ([]error, error) {
			return e.Store.ResumeTriggers(ctx, []provider.TriggerKey{t})
		}, provider.TriggerWaiting},
	} {
		release := e.Hold(e.T, c.held)
		done := make(chan error, 1)
		go func() {
			errs, err := c.call(context.WithoutCancel(e.ctx))
			if err == nil && errs[0] != nil {
				err = errs[0]
			}
			done <- err
		}()
		select {
		case err := <-done:
			e.Errorf("%s returns %v while another transaction holds %v", c.name, err, c.held)
			done <- err
		case <-time.After(30 * time.Millisecond):
		}
		release()
		e.must(<-done, "%s", c.name)
		e.states(map[provider.TriggerKey]provider.TriggerState{t: c.then})
	}
}
