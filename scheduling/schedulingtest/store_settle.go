package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of what follows from the end of a run.
var settleCases = []Case{
	{Name: "SettleInterval", Rules: []string{"R159", "R203", "R269", "B71"},
		Explanation: "an interval trigger goes back to Waiting with a next counted from the completion",
		Run:         settleInterval},
	{Name: "SettleGetsCompletedAt", Rules: []string{"D26", "R219"},
		Explanation: "what follows is computed from the very instant that becomes CompletedAt",
		Run:         settleGetsCompletedAt},
	{Name: "SettleEndsInterval", Rules: []string{"R160", "R267"},
		Explanation: "an interval trigger whose runs are used up becomes Complete, one that cannot go on Error, without a claim",
		Run:         settleEndsInterval},
	{Name: "SettleInsertsRetry", Rules: []string{"R218", "R219", "D10"},
		Explanation: "a retry one-shot is inserted in the completing transaction, as given, and runs once",
		Run:         settleInsertsRetry},
	{Name: "SettleInsertsOnce", Rules: []string{"D10", "B143"},
		Explanation: "a one-shot whose name is taken is not inserted, and the answer says so",
		Run:         settleInsertsOnce},
	{Name: "SettleInsertBornPaused", Rules: []string{"D11", "D08"},
		Explanation: "a retry one-shot inserted into a paused job is born Paused",
		Run:         settleInsertBornPaused},
	{Name: "SettleInsertsForManyRuns", Rules: []string{"R227", "R218"},
		Explanation: "in a batch each run has its own settlement",
		Run:         settleInsertsForManyRuns},
	{Name: "SettleOfTriggerClaimedAnew", Rules: []string{"D07", "D12"},
		Explanation: "an interval trigger that was replaced and claimed anew while its run was in flight keeps its new claim when the run ends",
		Run:         settleOfTriggerClaimedAnew},
	{Name: "SettleNothing", Rules: []string{"R203"},
		Explanation: "a settlement that asks for nothing changes nothing but the run",
		Run:         settleNothing},
}

func settleInterval(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), every("i", e.now))
	b := e.startOne(n)
	e.advance(17 * time.Second)
	e.finish(n, b)
	got := e.trigger(key("a", "i"))
	want := b.Trigger
	want.State, want.ClaimID, want.ClaimedBy, want.Incarnation, want.ClaimedAt = provider.TriggerWaiting, 0, "", 0, time.Time{}
	want.ScheduledAt, want.NextFireAt, want.ZoneHash = e.now.Add(everyPeriod), e.now.Add(everyPeriod), "zone"
	want.PrevFireAt, want.FireCount, want.Version = Start, 1, got.Version
	equal(e, got, want, "the trigger")
	e.advance(everyPeriod)
	e.finish(n, e.startOne(n))
	if t := e.trigger(key("a", "i")); t.FireCount != 2 || !t.PrevFireAt.Equal(e.now) {
		e.Errorf("after the second run the trigger has count %d, previous %v; want 2, %v", t.FireCount, t.PrevFireAt, e.now)
	}
}

func settleGetsCompletedAt(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("i", e.now))
	b := e.startOne(n)
	e.set(Start.Add(time.Minute + 123456789*time.Nanosecond))
	var got time.Time
	c := completion(b)
	c.Settle = func(at time.Time) provider.Settlement { got = at; return settleEvery(at) }
	e.complete(n, c)
	equal(e, got, e.run(b.Run.ID).CompletedAt, "the instant that Settle got, against CompletedAt")
	equal(e, got, e.now.Truncate(time.Microsecond), "the instant that Settle got")
}

func settleEndsInterval(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("ends", e.now), every("errs", e.now))
	begun := started(e.pass(n, 5))
	var items []provider.Completion
	for _, b := range begun {
		next := provider.Next{State: provider.TriggerComplete}
		if b.Trigger.Trigger == "errs" {
			next.State = provider.TriggerError
		}
		c := completion(b)
		c.Settle = func(time.Time) provider.Settlement { return provider.Settlement{Trigger: &next} }
		items = append(items, c)
	}
	e.complete(n, items...)
	for name, state := range map[string]provider.TriggerState{"ends": provider.TriggerComplete, "errs": provider.TriggerError} {
		if t := e.trigger(key("a", name)); t.State != state || t.ClaimID != 0 || !t.NextFireAt.IsZero() || !t.ScheduledAt.IsZero() {
			e.Errorf("%s is %+v, want %v without claim and instants", name, t, state)
		}
	}
}

// inserting returns a completion that fails the run and inserts a one-shot.
func inserting(b provider.Begun, t provider.TriggerRecord) provider.Completion {
	c := completion(b)
	settle := c.Settle
	c.State, c.ErrorCode, c.ErrorText = provider.RunFailed, "CODE", "why"
	c.Settle = func(at time.Time) provider.Settlement {
		var s provider.Settlement
		if settle != nil {
			s = settle(at)
		}
		s.Insert = &t
		return s
	}
	return c
}

func settleInsertsRetry(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), every("i", e.now))
	b := e.startOne(n)
	due := e.now.Add(10 * time.Second)
	want := retry("a", b.Run.ID+"-2", due, data(`{"whole":1}`), func(t *provider.TriggerRecord) { t.RetryOf, t.Exclusive = b.Run.ID, true })
	a := e.complete(n, inserting(b, want))
	equal(e, a.Items[0].Inserted, want.TriggerKey, "the answer names the one-shot")
	got := e.trigger(want.TriggerKey)
	want.Version = got.Version
	equal(e, got, want, "the one-shot")
	e.advance(10 * time.Second)
	r := e.startOne(n)
	if r.Run.Kind != provider.KindRetry || r.Run.Attempt != 2 || r.Run.RetryOf != b.Run.ID || r.Run.Data != `{"whole":1}` {
		e.Errorf("the retry run is %+v", r.Run)
	}
	e.finish(n, r)
	e.gone(want.TriggerKey)
}

func settleInsertsOnce(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	begun := started(e.pass(n, 5))
	due := e.now.Add(time.Minute)
	first := e.complete(n, inserting(begun[0], retry("a", "same", due, data(`{"first":1}`))))
	equal(e, first.Items[0].Inserted, key("a", "retry-same"), "the first insert")
	second := e.complete(n, inserting(begun[1], retry("a", "same", due, data(`{"second":1}`))))
	equal(e, second.Items[0].Inserted, provider.TriggerKey{}, "the second insert")
	if t := e.trigger(key("a", "retry-same")); t.Data != `{"first":1}` {
		e.Errorf("the one-shot's data is %q, want the first's", t.Data)
	}
}

func settleInsertBornPaused(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	b := e.startOne(n)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.complete(n, inserting(b, retry("a", "x", e.now)))
	if t := e.trigger(key("a", "retry-x")); t.State != provider.TriggerPaused || !t.Paused || !t.NextFireAt.Equal(e.now) {
		e.Errorf("the one-shot is %+v, want Paused with its due instant", t)
	}
	if ran := e.drain(n, 3); len(ran) != 0 {
		e.Errorf("%d runs in a paused job, want none", len(ran))
	}
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if ran := e.drain(n, 3); len(ran) != 1 {
		e.Errorf("%d runs after the resume, want 1", len(ran))
	}
}

func settleInsertsForManyRuns(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("1", e.now), cron("2", e.now), every("3", e.now), cron("4", e.now))
	begun := started(e.pass(n, 9))
	var items []provider.Completion
	for i, b := range begun {
		c := completion(b)
		if i < 2 {
			c = inserting(b, retry("a", b.Trigger.Trigger, e.now.Add(time.Minute)))
		}
		items = append(items, c)
	}
	a := e.complete(n, items...)
	for i, want := range []provider.TriggerKey{key("a", "retry-1"), key("a", "retry-2"), {}, {}} {
		equal(e, a.Items[i].Inserted, want, "what item %d inserted", i)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerWaiting, key("a", "3"): provider.TriggerWaiting,
		key("a", "retry-1"): provider.TriggerWaiting, key("a", "retry-2"): provider.TriggerWaiting})
}

func settleOfTriggerClaimedAnew(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), every("i", e.now))
	b := e.startOne(n)
	e.save(job("a"), trigger("i", "every 01:00:00", e.now))
	if got := e.acquire(m, 5); len(got) != 1 {
		e.Fatalf("claimed %v, want the replaced trigger", claimedKeys(got))
	}
	claimed := e.trigger(key("a", "i"))
	e.finish(n, b)
	equal(e, e.trigger(key("a", "i")), claimed, "the trigger with its new claim")
}

func settleNothing(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	b := e.startOne(n)
	t := e.trigger(key("a", "t"))
	c := completion(b)
	c.Settle = func(time.Time) provider.Settlement { return provider.Settlement{} }
	e.complete(n, c)
	equal(e, e.trigger(key("a", "t")), t, "the trigger")
	if s := e.look(e.Store); len(s.triggers) != 1 || s.runs[b.Run.ID].State != provider.RunSucceeded {
		e.Errorf("%d triggers, the run is %v; want 1, Succeeded", len(s.triggers), s.runs[b.Run.ID].State)
	}
}
