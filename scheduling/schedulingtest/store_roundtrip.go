package schedulingtest

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases that write every field and read it back.
var roundTripCases = []Case{
	{Name: "RoundTripJobs", Rules: []string{"R083", "R084", "R092", "B173"},
		Explanation: "every field of a job survives, full and zero, and a replacement sets each back to zero",
		Run:         roundTripJobs},
	{Name: "RoundTripTriggers", Rules: []string{"R085", "R086", "R087", "R088", "R092", "B173"}, Allow: Damaged,
		Explanation: "every field of a trigger survives, full and zero, and a replacement sets each back to zero",
		Run:         roundTripTriggers},
	{Name: "RoundTripRuns", Rules: []string{"R089", "R090", "R091", "R092", "B173"},
		Explanation: "every field of a run survives, full and zero, and the end of a Running one sets each back to zero",
		Run:         roundTripRuns},
	{Name: "RoundTripInstants", Rules: []string{"D31", "B170"},
		Explanation: "instants come back in UTC, cut to microseconds and never rounded, whatever zone and century they came from",
		Run:         roundTripInstants},
	{Name: "RoundTripData", Rules: []string{"R092", "D37"},
		Explanation: "JSON text survives byte for byte: big numbers, nesting, spaces, quotes, unicode, and absent is not empty",
		Run:         roundTripData},
	{Name: "RoundTripLargeData", Rules: []string{"R092"},
		Explanation: "300 KB of data survive on job, trigger and run, and as result and error text",
		Run:         roundTripLargeData},
	{Name: "RoundTripNumbers", Rules: []string{"D07", "D31"},
		Explanation: "64-bit numbers survive whole, beyond what a floating-point number holds, and negative ones",
		Run:         roundTripNumbers},
}

// fullJob has every field of a definition set, none to its neighbour's value.
func fullJob(name string) provider.JobRecord {
	return provider.JobRecord{Name: name, Handler: "Handlers/Full:1", Description: "a description", Data: `{"d":1}`,
		AllowConcurrent: true, EveryInstance: true, RequestsRecovery: true,
		Retry:   provider.RetryPolicy{MaxRetries: 100, Delay: 1500 * time.Millisecond, MaxDelay: 30 * 24 * time.Hour, Backoff: provider.BackoffExponential},
		Timeout: 30 * 24 * time.Hour, Source: provider.SourceOverridden, Fingerprint: strings.Repeat("f", 64), CodeVersion: 1 << 40}
}

func roundTripJobs(e *Env) {
	bare := provider.JobRecord{Name: "bare", Handler: "h", Source: provider.SourceCode}
	full := fullJob("full")
	fixed := fullJob("fixed")
	fixed.Retry = provider.RetryPolicy{MaxRetries: 1, Delay: time.Millisecond}
	fixed.AllowConcurrent, fixed.EveryInstance = false, false
	for _, want := range []provider.JobRecord{full, bare, fixed} {
		e.save(want)
		got := e.job(want.Name)
		want.Version = got.Version
		equal(e, got, want, "job %s", want.Name)
	}
	emptied := bare
	emptied.Name = "full"
	e.save(emptied)
	got := e.job("full")
	emptied.Version = got.Version
	equal(e, got, emptied, "the full job emptied")
	filled := full
	filled.Name = "bare"
	e.save(filled)
	got = e.job("bare")
	filled.Version = got.Version
	equal(e, got, filled, "the bare job filled")
}

func fullTrigger(j, name string) provider.TriggerRecord {
	return provider.TriggerRecord{TriggerKey: key(j, name), Schedule: cronText + " tz=Asia/Shanghai calendar=holidays", Description: "described",
		Data: `{"t":[1,2]}`, Priority: -2_000_000, Misfire: provider.MisfireRunAll, State: provider.TriggerWaiting, Local: true, Exclusive: true,
		ScheduledAt: Start.Add(time.Microsecond), NextFireAt: Start.Add(2 * time.Microsecond), PrevFireAt: Start.Add(-time.Microsecond),
		FireCount: 1 << 50, RunAs: provider.KindRecovery, Attempt: 101, RetryOf: "019c0000-0000-7000-8000-00000000beef",
		ExpiresAt: Start.Add(time.Hour), ZoneHash: strings.Repeat("z", 64)}
}

func roundTripTriggers(e *Env) {
	bare := provider.TriggerRecord{TriggerKey: key("a", "bare"), Schedule: cronText, State: provider.TriggerComplete, Exclusive: true,
		RunAs: provider.KindSchedule} // the hint is the job's
	full, bad := fullTrigger("a", "full"), fullTrigger("a", "bad")
	bad.State, bad.ErrorCode, bad.ErrorText = provider.TriggerError, string(provider.CodeHandlerNotFound), "no handler"
	bad.ScheduledAt, bad.NextFireAt = time.Time{}, time.Time{}
	save := func(triggers ...provider.TriggerRecord) {
		e.Helper()
		_, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{{Job: job("a", exclusive), Triggers: triggers}})
		e.must(err, "SaveJobs")
		for _, want := range triggers {
			got := e.trigger(want.TriggerKey)
			want.Version = got.Version
			if want.Attempt == 0 {
				want.Attempt = got.Attempt // 0 is read as 1
			}
			equal(e, got, want, "trigger %v", want.TriggerKey)
			if got.Attempt > 1 && want.Attempt != 101 {
				e.Errorf("attempt 0 came back as %d", got.Attempt)
			}
		}
	}
	save(bare, full, bad)
	bare.Schedule, full.Schedule, bad.Schedule = "every 00:00:01", "every 00:00:01", "every 00:00:01" // anew
	bare.Trigger, full.Trigger, bad.Trigger = full.Trigger, bad.Trigger, bare.Trigger
	save(bare, full, bad)
	bare.Schedule, full.Schedule, bad.Schedule = "every 00:00:02", "every 00:00:02", "every 00:00:02"
	bare.Trigger, full.Trigger, bad.Trigger = full.Trigger, bad.Trigger, bare.Trigger
	save(bare, full, bad)
	added := fullTrigger("a", "added")
	errs, err := e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{added})
	e.each(errs, err, nil)
	got := e.trigger(added.TriggerKey)
	added.Version = got.Version
	equal(e, got, added, "the trigger added")
	shot := fullTrigger("a", provider.PrefixManual+"shot")
	shot.Local, shot.Schedule = false, ""
	shot.PrevFireAt, shot.FireCount, shot.ZoneHash, shot.ScheduledAt = time.Time{}, 0, "", shot.NextFireAt
	e.enqueue(shot)
	got = e.trigger(shot.TriggerKey)
	shot.Version = got.Version
	equal(e, got, shot, "the one-shot enqueued")
}

func fullRun(id string, n provider.NodeRef) provider.RunRecord {
	return provider.RunRecord{ID: id, Job: "a", TriggerName: "t", Kind: provider.KindRetry, State: provider.RunFailed, Node: n.ID, Incarnation: n.Incarnation,
		ScheduledAt: Start.Add(time.Microsecond), StartedAt: Start.Add(2 * time.Microsecond), CompletedAt: Start.Add(3 * time.Microsecond),
		Attempt: 101, RetryOf: "019c0000-0000-7000-8000-00000000beef", CancelRequestedAt: Start.Add(4 * time.Microsecond), Fence: 1 << 60,
		Sequence: 1 << 61, Data: `{"r":1}`, Result: `{"s":2}`, ErrorCode: string(provider.CodeRunTimeout), ErrorText: "too long"}
}

func roundTripRuns(e *Env) {
	n := e.node("n")
	for _, state := range []provider.RunState{provider.RunSucceeded, provider.RunFailed, provider.RunCanceled, provider.RunLost} {
		for _, kind := range []provider.RunKind{provider.KindSchedule, provider.KindManual, provider.KindRetry, provider.KindRecovery} {
			want := fullRun(e.runID(), n)
			want.State, want.Kind = state, kind
			e.must(e.Store.Record(e.ctx, []provider.RunRecord{want}), "Record")
			got := e.run(want.ID)
			want.Version = got.Version
			equal(e, got, want, "a full run")
		}
	}
	full := fullRun(e.runID(), n)
	full.State, full.CompletedAt = provider.RunRunning, time.Time{}
	bare := provider.RunRecord{ID: full.ID, Job: "a", Kind: provider.KindManual, State: provider.RunSucceeded, Node: n.ID, Incarnation: n.Incarnation,
		ScheduledAt: Start, StartedAt: Start, CompletedAt: Start, Attempt: 1, Sequence: full.Sequence,
		CancelRequestedAt: full.CancelRequestedAt} // a request, once made, may stay
	for _, want := range []provider.RunRecord{full, bare} {
		e.must(e.Store.Record(e.ctx, []provider.RunRecord{want}), "Record")
		got := e.run(want.ID)
		want.Version = got.Version
		equal(e, got, want, "a run that is %v", want.State)
	}
}

func roundTripInstants(e *Env) {
	shanghai := time.FixedZone("CST", 8*3600)
	for _, at := range []time.Time{
		time.Date(2006, 1, 2, 15, 4, 5, 999999999, time.UTC),
		time.Date(2006, 1, 2, 15, 4, 5, 999999000, time.UTC),
		time.Date(2026, 3, 8, 15, 0, 0, 500, shanghai),
		time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC),
		time.Date(1900, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(2099, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(2026, 10, 25, 2, 30, 0, 0, time.FixedZone("CEST", 2*3600)),
	} {
		t := cron("t", at)
		t.PrevFireAt, t.FireCount = at, 1
		e.save(job("a"))
		e.save(job("a"), t)
		want := at.UTC().Truncate(time.Microsecond)
		got := e.trigger(key("a", "t"))
		equal(e, got.NextFireAt, want, "the next instant %v", at)
		equal(e, got.ScheduledAt, want, "the scheduled instant %v", at)
		equal(e, got.PrevFireAt, want, "the previous instant %v", at)
		e.set(want)
		due, err := e.Store.Due(e.ctx, provider.DueRequest{})
		e.must(err, "Due")
		equal(e, due.NextDue, want, "the next due instant %v", at)
		if got := e.acquire(e.node("n"), 1); len(got) != 1 {
			e.Errorf("at its instant %v, cut to microseconds, the trigger is not due", at)
		}
	}
	e.set(Start)
	cut := e.now.Add(7 * time.Microsecond)
	r := localRun(e.runID(), "a", e.node("n"), cut.Add(999*time.Nanosecond))
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{r}), "Record")
	stored := e.run(r.ID)
	equal(e, []time.Time{stored.ScheduledAt, stored.StartedAt, stored.CompletedAt}, []time.Time{cut, cut, cut.Add(time.Second)}, "the run's instants")
}

// texts are data that stores and their statements like to damage.
var texts = []string{
	``, `{}`, `{ "spaced" : [ 1 , 2 ] }`, `{"a":1,"a":2}`, `{"z":1,"a":2}`,
	`{"big":123456789012345678901234567890.123456789,"int":9007199254740993,"exp":1e400,"neg":-0.0}`,
	`{"nested":{"a":[{"b":[null,true,false,""]}]}}`,
	`{"quotes":"it's \"quoted\" \\ back \\\\ slash / and ` + "`" + `tick` + "`" + `"}`,
	`{"escapes":"\u0000\u001f\ud83d\ude00\n\t\r\b\f"}`,
	`{"unicode":"ünïcödé 日本語 عربى 😀👩‍👩‍👧 e\u0301 \u2028"}`,
	"{\"raw\":\"\u2028\u2029\ufeff\u200b\",\"tab\":\"\\t\"}",
	`{"sql":"'; DROP TABLE jobs; -- ? $1 :name @p1 %s {{x}} \\' \" || 1=1"}`,
	"{\n\t\"lines\": \"one\",\r\n\t\"two\": 2\n}",
	`{"array":"{\"a\",NULL,b}","null":"NULL","comma":","}`,
}

func roundTripData(e *Env) {
	n := e.node("n")
	var items []provider.SaveItem
	for i, text := range texts {
		name := "j" + string(rune('a'+i))
		items = append(items, item(job(name, func(j *provider.JobRecord) { j.Data, j.Description = text, text }),
			cron("t", e.now, data(text), func(t *provider.TriggerRecord) { t.Description = text })))
	}
	_, err := e.Store.SaveJobs(e.ctx, items)
	e.must(err, "SaveJobs")
	begun := started(e.pass(n, 100))
	if len(begun) != len(texts) {
		e.Fatalf("%d runs started, want %d", len(begun), len(texts))
	}
	var ends []provider.Completion
	for i, b := range begun {
		c := completion(b)
		c.Result, c.ErrorText = texts[i], strings.ReplaceAll(texts[i], "{", "(")
		ends = append(ends, c)
	}
	e.complete(n, ends...)
	for i, text := range texts {
		name := "j" + string(rune('a'+i))
		j, t, r := e.job(name), e.trigger(key(name, "t")), e.run(begun[i].Run.ID)
		for what, got := range map[string]string{"the job's data": j.Data, "its description": j.Description, "the trigger's data": t.Data,
			"the trigger's description": t.Description, "the run's data": r.Data, "the run's result": r.Result,
			"the run's error": strings.ReplaceAll(r.ErrorText, "(", "{")} {
			if got != text {
				e.Errorf("%s came back as %q, want %q", what, got, text)
			}
		}
	}
}

func roundTripLargeData(e *Env) {
	n := e.node("n")
	bytes := 300 << 10
	if e.harness.Light {
		bytes = 20 << 10
	}
	const piece = `x'ü😀\"\\`
	large := `{"large":"` + strings.Repeat(piece, bytes/len(piece)) + `"}`
	e.save(job("a", func(j *provider.JobRecord) { j.Data = large }), cron("t", e.now, data(large)))
	e.enqueue(manual("a", "x", e.now.Add(time.Hour), data(large)))
	b := e.startOne(n)
	c := completion(b)
	c.State, c.Result, c.ErrorText = provider.RunFailed, large, large
	e.complete(n, c)
	r := e.run(b.Run.ID)
	for what, got := range map[string]string{"job": e.job("a").Data, "trigger": e.trigger(key("a", "t")).Data,
		"one-shot": e.trigger(manualKey("a", "x")).Data, "run": r.Data, "result": r.Result, "error": r.ErrorText} {
		if got != large {
			e.Errorf("of %d bytes on the %s %d came back, or changed", len(large), what, len(got))
		}
	}
}

func roundTripNumbers(e *Env) {
	const big = 1<<62 + 1
	n := e.node("n")
	e.save(job("a", func(j *provider.JobRecord) { j.CodeVersion = -big }), cron("t", e.now, func(t *provider.TriggerRecord) {
		t.FireCount, t.PrevFireAt = big, e.now
	}))
	if got := e.job("a").CodeVersion; got != -big {
		e.Errorf("the code version is %d, want %d", got, int64(-big))
	}
	for _, id := range []int64{big, -big, 1<<53 + 1, -1, 1} {
		a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: id, Limit: 1})
		e.must(err, "Acquire")
		if t := e.trigger(key("a", "t")); t.ClaimID != id || t.FireCount != big || len(a.Claimed) != 1 || a.Claimed[0].Trigger.ClaimID != id {
			e.Errorf("the claim is %d, the count %d; want %d, %d", t.ClaimID, t.FireCount, id, int64(big))
		}
		inflight, err := e.Store.Inflight(e.ctx, n)
		e.must(err, "Inflight")
		if len(inflight.Claims) != 1 || inflight.Claims[0].ClaimID != id {
			e.Errorf("the node sees claims %v, want its own of id %d", keysOf(inflight.Claims), id)
		}
		off := provider.Claimed{Trigger: provider.TriggerRecord{TriggerKey: key("a", "t"), ClaimID: id + 1}}
		if e.release(n, off) != 0 || e.release(n, a.Claimed...) != 1 {
			e.Errorf("claim %d is told apart from %d by neither release", id, id+1)
		}
	}
}
