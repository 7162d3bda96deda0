package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var pauseCases = []Case{
	{Name: "PauseJobInAllStates", Rules: []string{"D08", "R230", "R264"},
		Explanation: "pausing a job sets every flag, stores Waiting triggers as Paused, and leaves the other states",
		Run:         pauseJobInAllStates},
	{Name: "ResumeJob", Rules: []string{"D08", "R230", "R269"},
		Explanation: "resuming clears every flag, those set singly too; Paused triggers wait for the same instant as before",
		Run:         resumeJob},
	{Name: "PauseTriggersSingly", Rules: []string{"D08", "R231", "R291"},
		Explanation: "single triggers are paused and resumed; the job's flag and the other triggers stay",
		Run:         pauseTriggersSingly},
	{Name: "ResumeOneOfPausedJob", Rules: []string{"D08"},
		Explanation: "resuming one trigger of a paused job leaves the job's flag and the births to come",
		Run:         resumeOneOfPausedJob},
	{Name: "PauseAnswersPerItem", Rules: []string{"R227", "R289", "R291"},
		Explanation: "a name that is not there fails alone; pausing and resuming again changes nothing",
		Run:         pauseAnswersPerItem},
	{Name: "PausedIsNotClaimed", Rules: []string{"D08", "R028"},
		Explanation: "a paused backlog is outside acquisition, the due instant and the wake-up; after the resume it is claimed",
		Run:         pausedIsNotClaimed},
	{Name: "PauseClaimed", Rules: []string{"D08", "D07", "R269"},
		Explanation: "a pause between claim and begin keeps the trigger from starting: begin answers Paused, asks nobody",
		Run:         pauseClaimed},
	{Name: "PauseClaimedAndRelease", Rules: []string{"D08", "R269"},
		Explanation: "a claim that is paused goes back to Paused, with its due instant",
		Run:         pauseClaimedAndRelease},
	{Name: "PauseResumeClaimed", Rules: []string{"D08", "D07"},
		Explanation: "paused and resumed between claim and begin, the trigger starts: neither orphans the claim",
		Run:         pauseResumeClaimed},
	{Name: "PauseIntervalInFlight", Rules: []string{"D08", "B161", "R203"},
		Explanation: "an interval trigger paused while its run is in flight is Paused with its next once the run ends",
		Run:         pauseIntervalInFlight},
	{Name: "ResumeIntervalInFlight", Rules: []string{"D08", "R203"},
		Explanation: "paused and resumed in flight, it is Waiting with its next once the run ends",
		Run:         resumeIntervalInFlight},
	{Name: "PauseBlocked", Rules: []string{"D08", "B119", "B161"},
		Explanation: "a Blocked trigger that is paused becomes Paused when its job is free, its siblings Waiting",
		Run:         pauseBlocked},
	{Name: "ResumeBlocked", Rules: []string{"D08", "B119"},
		Explanation: "a Blocked trigger that is paused and resumed becomes Waiting when its job is free",
		Run:         resumeBlocked},
	{Name: "PausedJobRunsManual", Rules: []string{"D11", "R230"},
		Explanation: "one-shots enqueued into a paused job run",
		Run:         pausedJobRunsManual},
	{Name: "PauseMovesOneShots", Rules: []string{"D08", "D10"},
		Explanation: "one-shots that are there when the job is paused wait for the resume, and run once then",
		Run:         pauseMovesOneShots},
}

// allStates makes exclusive job x, occupied, with a trigger of each state, and
// returns the keys by state.
func allStates(e *Env) map[provider.TriggerState]provider.TriggerKey {
	e.Helper()
	n := e.node("n")
	at := e.now.Add(time.Hour)
	e.save(job("x", exclusive), cron("waiting", at), cron("paused", at),
		cron("done", at, in(provider.TriggerComplete)), cron("bad", at, in(provider.TriggerError)))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("x", "paused")})
	e.each(errs, err, nil)
	e.occupy(n, "x", 0)
	e.enqueue(manual("x", "m", e.now))
	e.pass(n, 5)
	t := cron("late", e.now)
	t.Job, t.Exclusive = "x", true
	errs, err = e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{t})
	e.each(errs, err, nil)
	if got := e.acquire(n, 5); len(got) != 1 {
		e.Fatalf("claimed %v, want the one trigger that was added", claimedKeys(got))
	}
	keys := map[provider.TriggerState]provider.TriggerKey{
		provider.TriggerAcquired: key("x", "late"), provider.TriggerWaiting: key("x", "waiting"), provider.TriggerPaused: key("x", "paused"),
		provider.TriggerComplete: key("x", "done"), provider.TriggerError: key("x", "bad"), provider.TriggerBlocked: manualKey("x", "m"),
	}
	for state, k := range keys {
		if t := e.trigger(k); t.State != state {
			e.Fatalf("%v is %v, want %v", k, t.State, state)
		}
	}
	return keys
}

func pauseJobInAllStates(e *Env) {
	keys := allStates(e)
	before := e.look(e.Store)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"x"})
	e.each(errs, err, nil)
	if !e.job("x").Paused {
		e.Errorf("the job's flag is not set")
	}
	for state, k := range keys {
		got, want := e.trigger(k), before.triggers[k.String()]
		want.Paused, want.Version = true, got.Version
		if state == provider.TriggerWaiting {
			want.State = provider.TriggerPaused
		}
		equal(e, got, want, "the trigger that was %v", state)
	}
}

func resumeJob(e *Env) {
	keys := allStates(e)
	before := e.look(e.Store)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"x"})
	e.each(errs, err, nil)
	e.advance(time.Minute)
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"x"})
	e.each(errs, err, nil)
	if e.job("x").Paused {
		e.Errorf("the job's flag is still set")
	}
	for state, k := range keys {
		got, want := e.trigger(k), before.triggers[k.String()]
		want.Paused, want.Version = false, got.Version
		if state == provider.TriggerPaused {
			want.State = provider.TriggerWaiting
		}
		equal(e, got, want, "the trigger that was %v", state)
	}
}

func pauseTriggersSingly(e *Env) {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("one", at), cron("two", at))
	two := e.trigger(key("a", "two"))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "none"), key("a", "one")})
	e.each(errs, err, provider.ErrTriggerNotFound, nil)
	if t := e.trigger(key("a", "one")); t.State != provider.TriggerPaused || !t.Paused || !t.NextFireAt.Equal(at) {
		e.Errorf("the paused trigger is %+v, want Paused with its next instant", t)
	}
	equal(e, e.trigger(key("a", "two")), two, "the other trigger")
	if e.job("a").Paused {
		e.Errorf("the job's flag was set by pausing a trigger")
	}
	errs, err = e.Store.ResumeTriggers(e.ctx, []provider.TriggerKey{key("a", "one"), key("none", "t")})
	e.each(errs, err, nil, provider.ErrTriggerNotFound)
	if t := e.trigger(key("a", "one")); t.State != provider.TriggerWaiting || t.Paused || !t.NextFireAt.Equal(at) {
		e.Errorf("the resumed trigger is %+v, want Waiting with its next instant", t)
	}
}

func resumeOneOfPausedJob(e *Env) {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("one", at), cron("two", at))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	errs, err = e.Store.ResumeTriggers(e.ctx, []provider.TriggerKey{key("a", "one")})
	e.each(errs, err, nil)
	t := cron("three", at)
	t.Job = "a"
	errs, err = e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{t})
	e.each(errs, err, nil)
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "one"): provider.TriggerWaiting,
		key("a", "two"): provider.TriggerPaused, key("a", "three"): provider.TriggerPaused})
	if !e.job("a").Paused {
		e.Errorf("the job's flag was cleared by resuming a trigger")
	}
}

func pauseAnswersPerItem(e *Env) {
	e.save(job("a"), cron("t", e.now.Add(time.Hour)))
	e.save(job("b"))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"b", "none", "a"})
	e.each(errs, err, nil, provider.ErrJobNotFound, nil)
	before := e.look(e.Store).effect()
	errs, err = e.Store.PauseJobs(e.ctx, []string{"a", "b"})
	e.each(errs, err, nil, nil)
	if d := changes(before, e.look(e.Store).effect()); d != "" {
		e.Errorf("pausing again changed:\n%s", d)
	}
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"none", "a"})
	e.each(errs, err, provider.ErrJobNotFound, nil)
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if e.job("a").Paused || !e.job("b").Paused {
		e.Errorf("a is paused: %v, b: %v; want only b", e.job("a").Paused, e.job("b").Paused)
	}
}

func pausedIsNotClaimed(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now), every("u", e.now.Add(-time.Hour)))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.advance(time.Hour)
	if got := e.acquire(n, 5); len(got) != 0 {
		e.Errorf("claimed %v of a paused job", claimedKeys(got))
	}
	due, err := e.Store.Due(e.ctx, provider.DueRequest{})
	e.must(err, "Due")
	equal(e, due.NextDue, time.Time{}, "the next due instant of a paused backlog")
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	equal(e, claimedKeys(e.acquire(n, 5)), []string{"a/u", "a/t"}, "claims after the resume")
}

// mustNotAsk is a DecideFunc for items that no decision is asked about.
func (e *Env) mustNotAsk(c provider.Candidate) provider.Decision {
	e.Errorf("a decision was asked about %v", c.Trigger.TriggerKey)
	return provider.Decision{}
}

func pauseClaimed(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	claimed := e.acquire(n, 1)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerAcquired || !t.Paused || t.ClaimID != claimed[0].Trigger.ClaimID {
		e.Errorf("paused while claimed the trigger is %v, flag %v; want Acquired with its claim and the flag", t.State, t.Paused)
	}
	if got := e.beginWith(n, e.mustNotAsk, claimed...); got[0].Outcome != provider.OutcomePaused {
		e.Errorf("begin answers %v, want Paused", got[0].Outcome)
	}
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerPaused || t.ClaimID != 0 || !t.NextFireAt.Equal(e.now) {
		e.Errorf("after the begin the trigger is %+v, want Paused, without a claim, with its due instant", t)
	}
	if j := e.job("a"); j.ActiveRunID != "" {
		e.Errorf("the job is occupied by %s", j.ActiveRunID)
	}
}

func pauseClaimedAndRelease(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	claimed := e.acquire(n, 1)
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "t")})
	e.each(errs, err, nil)
	if count := e.release(n, claimed...); count != 1 {
		e.Errorf("%d claims were given back, want 1", count)
	}
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerPaused || !t.Paused || !t.NextFireAt.Equal(Start) {
		e.Errorf("given back the trigger is %+v, want Paused with its due instant", t)
	}
}

func pauseResumeClaimed(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	claimed := e.acquire(n, 1)
	for _, f := range []func() ([]error, error){
		func() ([]error, error) { return e.Store.PauseJobs(e.ctx, []string{"a"}) },
		func() ([]error, error) { return e.Store.ResumeJobs(e.ctx, []string{"a"}) },
	} {
		errs, err := f()
		e.each(errs, err, nil)
	}
	if got := e.beginWith(n, decide, claimed...); got[0].Outcome != provider.OutcomeStarted {
		e.Errorf("begin answers %v, want Started", got[0].Outcome)
	}
}

func pauseIntervalInFlight(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("t", e.now))
	b := e.startOne(n)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.advance(time.Minute)
	e.finish(n, b)
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerPaused || !t.NextFireAt.Equal(e.now.Add(everyPeriod)) {
		e.Errorf("after the run the trigger is %v for %v, want Paused for %v", t.State, t.NextFireAt, e.now.Add(everyPeriod))
	}
}

func resumeIntervalInFlight(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("t", e.now))
	b := e.startOne(n)
	k := []provider.TriggerKey{key("a", "t")}
	errs, err := e.Store.PauseTriggers(e.ctx, k)
	e.each(errs, err, nil)
	errs, err = e.Store.ResumeTriggers(e.ctx, k)
	e.each(errs, err, nil)
	if t := e.trigger(k[0]); t.State != provider.TriggerAcquired || t.ClaimID == 0 {
		e.Errorf("resumed in flight the trigger is %v with claim %d, want Acquired with its claim", t.State, t.ClaimID)
	}
	e.finish(n, b)
	if t := e.trigger(k[0]); t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(e.now.Add(everyPeriod)) {
		e.Errorf("after the run the trigger is %v for %v, want Waiting for %v", t.State, t.NextFireAt, e.now.Add(everyPeriod))
	}
}

func pauseBlocked(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 3)
	p, w := manualKey("a", blockedName(0)), manualKey("a", blockedName(1))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{p})
	e.each(errs, err, nil)
	if t := e.trigger(p); t.State != provider.TriggerBlocked || !t.Paused {
		e.Errorf("paused while blocked the trigger is %v, flag %v; want Blocked with the flag", t.State, t.Paused)
	}
	e.finish(n, b)
	e.states(map[provider.TriggerKey]provider.TriggerState{p: provider.TriggerPaused, w: provider.TriggerWaiting})
	if ran := e.drain(n, 10); len(ran) != 2 {
		e.Errorf("%d runs followed, want 2", len(ran))
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{p: provider.TriggerPaused})
	errs, err = e.Store.ResumeTriggers(e.ctx, []provider.TriggerKey{p})
	e.each(errs, err, nil)
	if ran := e.drain(n, 10); len(ran) != 1 {
		e.Errorf("%d runs after the resume, want 1", len(ran))
	}
}

func resumeBlocked(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 1)
	k := []provider.TriggerKey{manualKey("a", blockedName(0))}
	errs, err := e.Store.PauseTriggers(e.ctx, k)
	e.each(errs, err, nil)
	errs, err = e.Store.ResumeTriggers(e.ctx, k)
	e.each(errs, err, nil)
	if t := e.trigger(k[0]); t.State != provider.TriggerBlocked || t.Paused {
		e.Errorf("resumed while blocked the trigger is %v, flag %v; want Blocked without the flag", t.State, t.Paused)
	}
	e.finish(n, b)
	e.states(map[provider.TriggerKey]provider.TriggerState{k[0]: provider.TriggerWaiting})
}

func pausedJobRunsManual(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.enqueue(manual("a", "x", time.Time{}))
	if t := e.trigger(manualKey("a", "x")); t.State != provider.TriggerWaiting || t.Paused {
		e.Errorf("enqueued into a paused job the one-shot is %v, flag %v; want Waiting without it", t.State, t.Paused)
	}
	ran := e.drain(n, 3)
	if len(ran) != 1 || ran[0].TriggerName != "manual-x" {
		e.Errorf("ran %+v, want the one-shot alone", ran)
	}
}

func pauseMovesOneShots(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	e.enqueue(manual("a", "x", e.now))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if ran := e.drain(n, 3); len(ran) != 0 {
		e.Errorf("%d runs while paused, want none", len(ran))
	}
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if ran := e.drain(n, 3); len(ran) != 1 {
		e.Errorf("%d runs after the resume, want 1", len(ran))
	}
}
