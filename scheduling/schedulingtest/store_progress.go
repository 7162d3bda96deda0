package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of replacing a job in flight (D12): what its triggers keep.
var progressCases = []Case{
	{Name: "SaveKeepsProgressOfUnchangedText", Rules: []string{"D12", "B73", "R247"},
		Explanation: "a trigger of the same name and schedule text keeps state, flag, next, previous, count and zone hash",
		Run:         keepsProgressOfUnchangedText},
	{Name: "SaveKeepsClaimOfUnchangedText", Rules: []string{"D12", "D07"},
		Explanation: "a claimed trigger of unchanged text keeps its claim and can be begun after the save",
		Run:         keepsClaimOfUnchangedText},
	{Name: "SaveStartsChangedTextAnew", Rules: []string{"D12", "D07"},
		Explanation: "a trigger whose text changed starts as the record says, its claim is gone and cannot begin",
		Run:         startsChangedTextAnew},
	{Name: "SaveKeepProgress", Rules: []string{"D12", "R248"},
		Explanation: "with KeepProgress a trigger whose text changed keeps previous instant, count and flag, nothing else",
		Run:         keepProgress},
	{Name: "SaveLocalAsCluster", Rules: []string{"D12", "R205"},
		Explanation: "a trigger whose job was local and is the cluster's now begins anew, although its text is the same",
		Run:         saveLocalAsCluster},
	{Name: "SaveKeepProgressKeepsPaused", Rules: []string{"R247", "R248", "D08", "P01"},
		Explanation: "with KeepProgress a paused trigger whose text changed stays paused",
		Run:         keepProgressKeepsPaused},
	{Name: "SaveKeepsIntervalInFlight", Rules: []string{"D12", "R203"},
		Explanation: "an interval trigger in flight whose text is unchanged is settled by the completion of its run",
		Run:         keepsIntervalInFlight},
	{Name: "SaveEndsIntervalInFlight", Rules: []string{"D12", "D07"},
		Explanation: "an interval trigger in flight whose text changed stays as the save says when its run completes",
		Run:         endsIntervalInFlight},
	{Name: "SaveKeepsError", Rules: []string{"D12", "D14"},
		Explanation: "a trigger in Error whose text is unchanged stays in Error with its code",
		Run:         keepsError},
	{Name: "SaveKeepsOneShotsClaimed", Rules: []string{"D10"},
		Explanation: "one-shots of each prefix survive a replacement, claimed ones with their claim",
		Run:         keepsOneShotsClaimed},
	{Name: "SaveKeepsPaused", Rules: []string{"D08", "D12", "R247", "B155"},
		Explanation: "the job's flag survives a replacement, and triggers that come with it are born Paused",
		Run:         keepsPaused},
}

func keepsProgressOfUnchangedText(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now), cron("p", e.now.Add(time.Hour)))
	e.finish(n, e.startOne(n))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "p")})
	e.each(errs, err, nil)
	t, p := e.trigger(key("a", "t")), e.trigger(key("a", "p"))
	if t.FireCount != 1 || t.PrevFireAt.IsZero() || t.ZoneHash != "zone" {
		e.Fatalf("before the save the trigger is %+v, want count 1, a previous instant, hash zone", t)
	}
	e.advance(10 * time.Minute)
	e.save(job("a"), cron("t", e.now, priority(9), data(`{"x":1}`), func(t *provider.TriggerRecord) {
		t.Description, t.Misfire, t.ZoneHash = "described", provider.MisfireSkip, "other"
	}), cron("p", e.now))
	got := e.trigger(key("a", "t"))
	t.Priority, t.Data, t.Description, t.Misfire, t.Version = 9, `{"x":1}`, "described", provider.MisfireSkip, got.Version
	equal(e, got, t, "the trigger with the new definition and the old progress")
	got = e.trigger(key("a", "p"))
	p.Version = got.Version
	equal(e, got, p, "the paused trigger")
}

func keepsClaimOfUnchangedText(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	claimed := e.acquire(n, 1)
	e.save(job("a"), cron("t", e.now.Add(time.Hour), data(`{"new":1}`)))
	got := e.beginWith(n, decide, claimed...)
	if got[0].Outcome != provider.OutcomeStarted || got[0].Run.Data != `{"new":1}` {
		e.Errorf("begin answers %v with data %q, want Started with the new data", got[0].Outcome, got[0].Run.Data)
	}
}

func startsChangedTextAnew(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	e.finish(n, e.startOne(n))
	e.advance(cronPeriod)
	claimed := e.acquire(n, 1)
	if len(claimed) != 1 {
		e.Fatalf("claimed %d, want 1", len(claimed))
	}
	anew := trigger("t", "cron 0 30 * * * *", e.now.Add(30*time.Minute), func(t *provider.TriggerRecord) { t.ZoneHash = "new" })
	e.save(job("a"), anew)
	e.unchanged("beginning a claim that a save took away", func() {
		if got := e.beginWith(n, decide, claimed...); got[0].Outcome != provider.OutcomeGone {
			e.Errorf("begin answers %v, want Gone", got[0].Outcome)
		}
	})
	got := e.trigger(key("a", "t"))
	want := item(job("a"), anew).Triggers[0]
	want.Version, want.Attempt = got.Version, got.Attempt
	equal(e, got, want, "the trigger")
}

func keepProgress(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	e.finish(n, e.startOne(n))
	before := e.trigger(key("a", "t"))
	claimedToo := e.now.Add(2 * time.Hour)
	i := item(job("a"), trigger("t", "cron 0 30 * * * *", claimedToo))
	i.KeepProgress = true
	_, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{i})
	e.must(err, "SaveJobs")
	got := e.trigger(key("a", "t"))
	want := i.Triggers[0]
	want.PrevFireAt, want.FireCount = before.PrevFireAt, before.FireCount
	want.Version, want.Attempt = got.Version, got.Attempt
	equal(e, got, want, "the trigger")
}

func keepProgressKeepsPaused(e *Env) {
	e.save(job("a"), cron("t", e.now))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "t")})
	e.must(err, "PauseTriggers")
	e.must(errs[0], "pausing a/t")
	i := item(job("a"), trigger("t", "cron 0 30 * * * *", e.now.Add(2*time.Hour)))
	i.KeepProgress = true
	_, err = e.Store.SaveJobs(e.ctx, []provider.SaveItem{i})
	e.must(err, "SaveJobs")
	if got := e.trigger(key("a", "t")); !got.Paused || got.State != provider.TriggerPaused {
		e.Errorf("the paused trigger is %v, flag %v; want Paused with its flag", got.State, got.Paused)
	}
}

func saveLocalAsCluster(e *Env) {
	local := func(t *provider.TriggerRecord) { t.Local = true }
	everywhere := func(j *provider.JobRecord) { j.EveryInstance = true }
	e.save(job("a", everywhere), cron("t", e.now, local)) // its instant is the nodes' affair, and long past
	e.advance(24 * time.Hour)
	due := e.now.Add(time.Hour)
	e.save(job("a"), cron("t", due))
	if got := e.trigger(key("a", "t")); got.Local || !got.NextFireAt.Equal(due) || got.FireCount != 0 {
		e.Errorf("the cluster's trigger is %+v, want it due at %s", got, due)
	}
	e.save(job("a", everywhere), cron("t", due.Add(time.Hour), local))
	if got := e.trigger(key("a", "t")); !got.Local || !got.NextFireAt.Equal(due.Add(time.Hour)) {
		e.Errorf("the local trigger is %+v, want it as it was saved", got)
	}
}

func keepsIntervalInFlight(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("tick", e.now))
	b := e.startOne(n)
	e.advance(time.Minute)
	e.save(job("a"), every("tick", e.now, data(`{"new":1}`)))
	e.finish(n, b)
	t := e.trigger(key("a", "tick"))
	if t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(e.now.Add(everyPeriod)) || t.FireCount != 1 {
		e.Errorf("after the completion the trigger is %+v, want Waiting for one period later, count 1", t)
	}
}

func endsIntervalInFlight(e *Env) {
	n := e.node("n")
	e.save(job("a"), every("tick", e.now))
	b := e.startOne(n)
	e.save(job("a"), trigger("tick", "every 01:00:00", e.now.Add(time.Hour)))
	saved := e.trigger(key("a", "tick"))
	e.advance(time.Minute)
	e.finish(n, b)
	equal(e, e.trigger(key("a", "tick")), saved, "the replaced trigger after the completion")
}

func keepsError(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	claimed := e.acquire(n, 1)
	e.beginWith(n, always(provider.Decision{Action: provider.Advance, After: provider.Progress{
		Next: provider.Next{State: provider.TriggerError}, ErrorCode: "CODE", ErrorText: "why"}}), claimed...)
	e.save(job("a"), cron("t", e.now))
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerError || t.ErrorCode != "CODE" || t.ErrorText != "why" {
		e.Errorf("after the save the trigger is %v, code %q, text %q; want Error, CODE, why", t.State, t.ErrorCode, t.ErrorText)
	}
}

func keepsOneShotsClaimed(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now.Add(time.Hour)))
	e.enqueue(manual("a", "x", e.now), retry("a", "y", e.now))
	recovered := manual("a", "", e.now)
	recovered.Trigger, recovered.RunAs = provider.PrefixRecovery+"z", provider.KindRecovery
	e.enqueue(recovered)
	claimed := e.acquire(n, 2)
	e.save(job("a"))
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a/manual-x", "a/recovery-z", "a/retry-y"}, "the triggers")
	if got := started(e.beginWith(n, decide, claimed...)); len(got) != 2 {
		e.Errorf("%d of the claimed one-shots began, want 2", len(got))
	}
}

func keepsPaused(e *Env) {
	e.save(job("a"), cron("old", e.now))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.save(job("a"), cron("old", e.now), cron("new", e.now), cron("done", e.now, in(provider.TriggerComplete)))
	if !e.job("a").Paused {
		e.Errorf("the job's flag is gone after a replacement")
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "old"): provider.TriggerPaused,
		key("a", "new"): provider.TriggerPaused, key("a", "done"): provider.TriggerComplete})
	if t := e.trigger(key("a", "done")); !t.Paused {
		e.Errorf("a trigger that came Complete into a paused job has no flag")
	}
}
