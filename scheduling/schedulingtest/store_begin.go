package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var beginCases = []Case{
	{Name: "BeginStarts", Rules: []string{"R034", "R090", "D06", "R136"},
		Explanation: "a started run is Running with id, job, trigger, kind, instants, node, incarnation and sequence; the answer is what is stored",
		Run:         beginStarts},
	{Name: "BeginOccupies", Rules: []string{"R033", "R034", "D25"},
		Explanation: "a run of an exclusive job occupies it and carries a fencing number that grows with each run",
		Run:         beginOccupies},
	{Name: "BeginConcurrent", Rules: []string{"R148", "D25"},
		Explanation: "runs of a concurrent job occupy nothing, carry no fence, and run side by side",
		Run:         beginConcurrent},
	{Name: "BeginDeletesOneShots", Rules: []string{"D10"},
		Explanation: "a one-shot's row goes in the transaction that begins its run",
		Run:         beginDeletesOneShots},
	{Name: "BeginMovesOn", Rules: []string{"R168", "D12", "D13", "D43"},
		Explanation: "a cron trigger gets both next instants, previous instant, count and hash of the decision, and no claim",
		Run:         beginMovesOn},
	{Name: "BeginCompletesOnce", Rules: []string{"D10", "R267"},
		Explanation: "a once trigger of a definition is Complete, without a next instant, once its run has begun",
		Run:         beginCompletesOnce},
	{Name: "BeginKeepsIntervalAcquired", Rules: []string{"R203", "R265"},
		Explanation: "an interval trigger stays Acquired by its claim, without a next instant, while its run is in flight",
		Run:         beginKeepsIntervalAcquired},
	{Name: "BeginTwiceStartsOnce", Rules: []string{"D07", "B104"},
		Explanation: "beginning a claim again, with its run in flight, starts no second run",
		Run:         beginTwiceStartsOnce},
	{Name: "BeginAdvances", Rules: []string{"R198", "D38", "R268", "D14"},
		Explanation: "a decision to advance moves, completes, errs or deletes the trigger without a run",
		Run:         beginAdvances},
	{Name: "BeginLeavesAndReturns", Rules: []string{"R269", "D07"},
		Explanation: "Leave keeps the claim, Return gives it back with its due instant",
		Run:         beginLeavesAndReturns},
	{Name: "BeginBlocks", Rules: []string{"R200", "R033", "R041", "R266", "B103", "B120"},
		Explanation: "a trigger that meets an occupied job is Blocked, without a claim, its due instant unchanged",
		Run:         beginBlocks},
	{Name: "BeginSeesOccupiedWithinBatch", Rules: []string{"R033", "D35", "B103"},
		Explanation: "of two claims of one exclusive job in a batch one starts and the other finds the job occupied",
		Run:         beginSeesOccupiedWithinBatch},
	{Name: "BeginFreeAfterEveryEnd", Rules: []string{"R036", "R038", "B117"},
		Explanation: "after a run that ended in any state the job is free for the next",
		Run:         beginFreeAfterEveryEnd},
}

func beginStarts(e *Env) {
	n := e.node("n")
	first := e.runID()
	e.save(job("a"), cron("t", e.now.Add(-time.Minute)))
	claimed := e.acquire(n, 1)
	e.advance(time.Second)
	items := e.items(claimed...)
	scheduled := e.now.Add(-time.Minute)
	d := always(provider.Decision{Action: provider.Start,
		Run:   provider.RunRecord{TriggerName: "t", Kind: provider.KindRetry, ScheduledAt: scheduled, Attempt: 3, RetryOf: first, Data: `{"merged":1}`},
		After: provider.Progress{Next: waiting(e.now.Add(time.Hour)), PrevFireAt: scheduled, FireCount: 1}})
	a, err := e.Store.Begin(e.ctx, provider.BeginRequest{Node: n, Items: items, Decide: d})
	e.must(err, "Begin")
	equal(e, a.Now, e.now, "Begin's now")
	if len(a.Items) != 1 || a.Items[0].Outcome != provider.OutcomeStarted {
		e.Fatalf("the answer is %+v, want one that started", a.Items)
	}
	got := a.Items[0]
	stored := e.run(items[0].RunID)
	want := provider.RunRecord{ID: items[0].RunID, Job: "a", TriggerName: "t", Kind: provider.KindRetry, State: provider.RunRunning,
		Node: n.ID, Incarnation: n.Incarnation, ScheduledAt: scheduled, StartedAt: e.now, Attempt: 3, RetryOf: first,
		Data: `{"merged":1}`, Sequence: stored.Sequence, Version: stored.Version}
	equal(e, stored, want, "the stored run")
	if stored.Sequence == 0 {
		e.Errorf("the run has no sequence")
	}
	equal(e, got.Run, stored, "the answer's run")
	equal(e, got.Trigger, claimed[0].Trigger, "the answer's trigger, as it was before")
	equal(e, got.Job, e.job("a"), "the answer's job")
	equal(e, got.After, d(provider.Candidate{}).After, "what the decision made of the trigger")
}

func beginOccupies(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	last := int64(0)
	for i, at := range []time.Duration{time.Second, 0, -time.Hour} { // the clock may step back
		e.set(Start.Add(at))
		e.enqueue(manual("a", "x", e.now))
		b := e.startOne(n)
		j := e.job("a")
		if j.ActiveRunID != b.Run.ID || j.Fence != b.Run.Fence {
			e.Errorf("run %d: the job is occupied by %q with fence %d, want %q with %d", i, j.ActiveRunID, j.Fence, b.Run.ID, b.Run.Fence)
		}
		want := max(last+1, e.now.UnixMicro())
		if b.Run.Fence != want {
			e.Errorf("run %d: fence %d, want %d, the greater of the last plus one and the store's microseconds", i, b.Run.Fence, want)
		}
		last = b.Run.Fence
		e.finish(n, b)
		if j := e.job("a"); j.ActiveRunID != "" || j.Fence != last {
			e.Errorf("run %d: after its end the job is occupied by %q with fence %d, want free with %d", i, j.ActiveRunID, j.Fence, last)
		}
	}
}

func beginConcurrent(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	e.enqueue(manual("a", "x", e.now))
	begun := started(e.pass(n, 9))
	if len(begun) != 3 {
		e.Fatalf("%d runs started, want 3", len(begun))
	}
	sequences := map[int64]bool{}
	for _, b := range begun {
		sequences[b.Run.Sequence] = true
		if b.Run.Fence != 0 {
			e.Errorf("a run of a concurrent job has fence %d", b.Run.Fence)
		}
	}
	if len(sequences) != 3 {
		e.Errorf("three runs have %d sequences, want 3", len(sequences))
	}
	if j := e.job("a"); j.ActiveRunID != "" {
		e.Errorf("the concurrent job is occupied by %s", j.ActiveRunID)
	}
	e.finish(n, begun...)
}

func beginDeletesOneShots(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	e.enqueue(manual("a", "x", e.now, data(`{"x":1}`)))
	b := e.startOne(n)
	e.gone(manualKey("a", "x"))
	if !b.After.Delete || b.Run.TriggerName != "manual-x" || b.Run.Kind != provider.KindManual || b.Run.Data != `{"x":1}` {
		e.Errorf("the begun one-shot is %+v", b)
	}
	e.finish(n, b)
	e.gone(manualKey("a", "x"))
}

func beginMovesOn(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	before := e.trigger(key("a", "t"))
	claimed := e.acquire(n, 1)
	next := provider.Next{State: provider.TriggerWaiting, ScheduledAt: e.now.Add(time.Minute), NextFireAt: e.now.Add(90 * time.Second), ZoneHash: "h"}
	got := e.beginWith(n, always(provider.Decision{Action: provider.Start,
		Run:   provider.RunRecord{TriggerName: "t", Kind: provider.KindSchedule, ScheduledAt: e.now, Attempt: 1},
		After: provider.Progress{Next: next, PrevFireAt: e.now, FireCount: 7}}), claimed...)
	if got[0].Outcome != provider.OutcomeStarted {
		e.Fatalf("begin answers %v, want Started", got[0].Outcome)
	}
	t := e.trigger(key("a", "t"))
	want := before
	want.ScheduledAt, want.NextFireAt, want.ZoneHash, want.PrevFireAt, want.FireCount = next.ScheduledAt, next.NextFireAt, "h", e.now, 7
	want.Version = t.Version
	equal(e, t, want, "the trigger")
	e.finish(n, got...)
}

func beginCompletesOnce(e *Env) {
	n := e.node("n")
	e.save(job("a"), once("t", e.now))
	b := e.startOne(n)
	t := e.trigger(key("a", "t"))
	if t.State != provider.TriggerComplete || !t.NextFireAt.IsZero() || !t.ScheduledAt.IsZero() || t.FireCount != 1 || !t.PrevFireAt.Equal(e.now) {
		e.Errorf("the once trigger is %+v, want Complete without a next, count 1", t)
	}
	e.finish(n, b)
	if got := e.trigger(key("a", "t")).State; got != provider.TriggerComplete {
		e.Errorf("after the run it is %v, want Complete", got)
	}
}

func beginKeepsIntervalAcquired(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("t", e.now))
	b := e.startOne(n)
	t := e.trigger(key("a", "t"))
	if t.State != provider.TriggerAcquired || t.ClaimID != b.Trigger.ClaimID || t.ClaimedBy != n.ID || !t.NextFireAt.IsZero() || !t.ScheduledAt.IsZero() {
		e.Errorf("the trigger in flight is %+v, want Acquired by its claim without instants", t)
	}
	e.advance(time.Hour)
	if got := e.pass(n, 5); len(got) != 0 {
		e.Errorf("an interval trigger in flight was claimed again: %v", outcomes(got))
	}
}

func beginTwiceStartsOnce(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("i", e.now), cron("c", e.now))
	e.enqueue(manual("a", "m", e.now))
	claimed := e.acquire(n, 5)
	request := provider.BeginRequest{Node: n, Items: e.items(claimed...), Decide: decide}
	_, err := e.Store.Begin(e.ctx, request)
	e.must(err, "Begin")
	before := e.look(e.Store).effect()
	again := provider.BeginRequest{Node: n, Items: e.items(claimed...), Decide: decide} // with other run ids
	a, err := e.Store.Begin(e.ctx, again)
	e.must(err, "Begin again")
	for i, item := range a.Items {
		if item.Outcome == provider.OutcomeStarted {
			e.Errorf("%v started a second run", again.Items[i].Key)
		}
	}
	if d := changes(before, e.look(e.Store).effect()); d != "" {
		e.Errorf("beginning claims again changed:\n%s", d)
	}
}

func beginAdvances(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1-moves", e.now), cron("2-ends", e.now), cron("3-errs", e.now))
	e.enqueue(manual("a", "4-expires", e.now))
	next := waiting(e.now.Add(time.Hour))
	become := map[string]provider.Progress{
		"1-moves":          {Next: next},
		"2-ends":           {Next: provider.Next{State: provider.TriggerComplete}},
		"3-errs":           {Next: provider.Next{State: provider.TriggerError}, ErrorCode: "CODE", ErrorText: "why"},
		"manual-4-expires": {Delete: true},
	}
	claimed := e.acquire(n, 9)
	for i, got := range e.beginWith(n, func(c provider.Candidate) provider.Decision {
		return provider.Decision{Action: provider.Advance, After: become[c.Trigger.Trigger]}
	}, claimed...) {
		if got.Outcome != provider.OutcomeAdvanced {
			e.Errorf("%v answers %v, want Advanced", claimed[i].Trigger.TriggerKey, got.Outcome)
		}
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1-moves"): provider.TriggerWaiting,
		key("a", "2-ends"): provider.TriggerComplete, key("a", "3-errs"): provider.TriggerError})
	if t := e.trigger(key("a", "1-moves")); !t.NextFireAt.Equal(next.NextFireAt) || t.FireCount != 0 || t.ClaimID != 0 {
		e.Errorf("the trigger that moved is %+v", t)
	}
	if t := e.trigger(key("a", "3-errs")); t.ErrorCode != "CODE" || t.ErrorText != "why" {
		e.Errorf("the trigger in Error has code %q, text %q", t.ErrorCode, t.ErrorText)
	}
	e.gone(manualKey("a", "4-expires"))
	if s := e.look(e.Store); len(s.runs) != 0 {
		e.Errorf("%d runs, want none", len(s.runs))
	}
}

func beginLeavesAndReturns(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now.Add(-time.Minute)))
	before := e.trigger(key("a", "t"))
	claimed := e.acquire(n, 1)
	e.unchanged("a decision to leave", func() {
		got := e.beginWith(n, always(provider.Decision{}), claimed...)
		if o := got[0].Outcome; o != provider.OutcomeLeft && o != provider.OutcomeAcquired {
			e.Errorf("begin answers %v, want Left", o)
		}
	})
	got := e.beginWith(n, always(provider.Decision{Action: provider.Return}), claimed...)
	if got[0].Outcome != provider.OutcomeReturned {
		e.Errorf("begin answers %v, want Returned", got[0].Outcome)
	}
	t := e.trigger(key("a", "t"))
	before.Version = t.Version
	equal(e, t, before, "the trigger given back")
}

func beginBlocks(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive), cron("1", e.now))
	b := e.startOne(n)
	e.advance(time.Second)
	e.enqueue(manual("a", "x", e.now.Add(-time.Millisecond)))
	before := e.trigger(manualKey("a", "x"))
	got := e.pass(m, 5)
	if len(got) != 1 || got[0].Outcome != provider.OutcomeBlocked {
		e.Fatalf("begin answers %v, want one Blocked", outcomes(got))
	}
	t := e.trigger(manualKey("a", "x"))
	before.State, before.Version = provider.TriggerBlocked, t.Version
	equal(e, t, before, "the blocked trigger")
	e.advance(time.Minute)
	e.finish(n, b)
	t = e.trigger(manualKey("a", "x"))
	before.State, before.Version = provider.TriggerWaiting, t.Version
	equal(e, t, before, "the trigger handed back")
}

func beginSeesOccupiedWithinBatch(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now))
	claimed := append(e.acquire(n, 5), e.acquire(n, 5)...)
	if len(claimed) != 2 {
		e.Fatalf("two passes claimed %v, want both triggers", claimedKeys(claimed))
	}
	got := e.beginWith(n, decide, claimed...)
	equal(e, outcomes(got), []provider.Outcome{provider.OutcomeStarted, provider.OutcomeBlocked}, "the outcomes")
	e.finish(n, started(got)...)
}

func beginFreeAfterEveryEnd(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	for _, state := range []provider.RunState{provider.RunSucceeded, provider.RunFailed, provider.RunCanceled, provider.RunLost} {
		e.enqueue(manual("a", "x", e.now))
		b := e.startOne(n)
		e.complete(n, provider.Completion{RunID: b.Run.ID, Job: "a", State: state, ErrorCode: "CODE"})
		if j := e.job("a"); j.ActiveRunID != "" {
			e.Errorf("after a run that ended %v the job is occupied by %s", state, j.ActiveRunID)
		}
	}
}
