package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var triggerCases = []Case{
	{Name: "AddTriggers", Rules: []string{"D38", "R289", "R294"},
		Explanation: "triggers are added without replacing others; a missing job or a taken name fails that item alone",
		Run:         addTriggers},
	{Name: "AddTriggersBornPaused", Rules: []string{"D08", "D11", "B160"},
		Explanation: "a trigger added to a paused job is born Paused, one added after the resume is Waiting",
		Run:         addTriggersBornPaused},
	{Name: "RemoveTriggers", Rules: []string{"D38", "R291"},
		Explanation: "triggers and one-shots are removed whatever their state; a missing one fails that item alone",
		Run:         removeTriggers},
	{Name: "RemoveClaimed", Rules: []string{"D38", "D07", "B174"},
		Explanation: "a claimed trigger that is removed is gone for its begin and its release, and does not come back",
		Run:         removeClaimed},
	{Name: "RemoveInFlight", Rules: []string{"D07", "B174"},
		Explanation: "an interval trigger removed while its run is in flight does not come back when the run completes",
		Run:         removeInFlight},
	{Name: "RescheduleMoves", Rules: []string{"D14", "D43"},
		Explanation: "Waiting, Paused, Complete and Error triggers move to the next instant given; a flag keeps one Paused",
		Run:         rescheduleMoves},
	{Name: "RescheduleNeedsTheVersion", Rules: []string{"D22", "D43"},
		Explanation: "a trigger that changed since it was read, or is claimed, blocked or gone, is not moved",
		Run:         rescheduleNeedsTheVersion},
}

func addTriggers(e *Env) {
	e.save(job("a"), cron("old", e.now.Add(time.Hour)))
	old := e.trigger(key("a", "old"))
	add := func(j, name string) provider.TriggerRecord {
		t := cron(name, e.now.Add(time.Minute), data(`{"added":true}`))
		t.Job = j
		return t
	}
	errs, err := e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{add("none", "x"), add("a", "old"), add("a", "new")})
	e.each(errs, err, provider.ErrJobNotFound, provider.ErrInvalidDefinition, nil)
	equal(e, e.trigger(key("a", "old")), old, "the trigger whose name was taken")
	got, want := e.trigger(key("a", "new")), add("a", "new")
	want.Version, want.Attempt = got.Version, got.Attempt
	equal(e, got, want, "the trigger added")
	e.gone(key("none", "x"))
}

func addTriggersBornPaused(e *Env) {
	e.save(job("a"))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	add := func(name string) {
		t := cron(name, e.now)
		t.Job = "a"
		errs, err := e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{t})
		e.each(errs, err, nil)
	}
	add("one")
	if t := e.trigger(key("a", "one")); t.State != provider.TriggerPaused || !t.Paused || !t.NextFireAt.Equal(e.now) {
		e.Errorf("added to a paused job the trigger is %+v, want Paused with its next instant", t)
	}
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	add("two")
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "one"): provider.TriggerWaiting, key("a", "two"): provider.TriggerWaiting})
}

func removeTriggers(e *Env) {
	mixedTriggers(e)
	e.enqueue(manual("a", "x", e.now.Add(time.Hour)))
	errs, err := e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{key("a", "none"), key("b", "held"), manualKey("a", "x"),
		key("a", "done"), key("b", "bad"), key("none", "t")})
	e.each(errs, err, provider.ErrTriggerNotFound, nil, nil, nil, nil, provider.ErrTriggerNotFound)
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a/due", "a/later", "b/own"}, "what is left")
}

func removeClaimed(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now), every("u", e.now))
	claimed := e.acquire(n, 5)
	errs, err := e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{key("a", "t"), key("a", "u")})
	e.each(errs, err, nil, nil)
	for _, got := range e.beginWith(n, decide, claimed...) {
		if got.Outcome != provider.OutcomeGone {
			e.Errorf("begin of a removed trigger answers %v, want Gone", got.Outcome)
		}
	}
	if count := e.release(n, claimed...); count != 0 {
		e.Errorf("%d removed triggers were given back", count)
	}
	if s := e.look(e.Store); len(s.triggers)+len(s.runs) != 0 {
		e.Errorf("triggers %v, runs %v; want none", s.triggers, s.runs)
	}
}

func removeInFlight(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), every("u", e.now))
	b := e.startOne(n)
	errs, err := e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{key("a", "u")})
	e.each(errs, err, nil)
	e.finish(n, b)
	e.gone(key("a", "u"))
	if r := e.run(b.Run.ID); r.State != provider.RunSucceeded {
		e.Errorf("the run is %v, want Succeeded", r.State)
	}
}

func rescheduleMoves(e *Env) {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("waiting", at), cron("paused", at), cron("done", at, in(provider.TriggerComplete)),
		cron("bad", at, in(provider.TriggerError)), cron("ends", at))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "paused")})
	e.each(errs, err, nil)
	next := waiting(e.now.Add(30 * time.Minute))
	next.ZoneHash = "moved"
	var items []provider.RescheduleItem
	for _, name := range []string{"waiting", "paused", "done", "bad"} {
		t := e.trigger(key("a", name))
		items = append(items, provider.RescheduleItem{Key: t.TriggerKey, Version: t.Version, Next: next})
	}
	ends := e.trigger(key("a", "ends"))
	items = append(items, provider.RescheduleItem{Key: ends.TriggerKey, Version: ends.Version, Next: provider.Next{State: provider.TriggerComplete}})
	moved, err := e.Store.Reschedule(e.ctx, items)
	e.must(err, "Reschedule")
	equal(e, moved, []bool{true, true, true, true, true}, "what was moved")
	for _, i := range items[:4] {
		t := e.trigger(i.Key)
		want := provider.TriggerWaiting
		if i.Key.Trigger == "paused" {
			want = provider.TriggerPaused
		}
		if t.State != want || !t.NextFireAt.Equal(next.NextFireAt) || !t.ScheduledAt.Equal(next.ScheduledAt) ||
			t.ZoneHash != "moved" || t.Version <= i.Version {
			e.Errorf("%v is %v for %v, hash %q, version %d; want %v for %v, hash moved, a greater version than %d",
				i.Key, t.State, t.NextFireAt, t.ZoneHash, t.Version, want, next.NextFireAt, i.Version)
		}
	}
	if t := e.trigger(key("a", "ends")); t.State != provider.TriggerComplete || !t.NextFireAt.IsZero() || !t.ScheduledAt.IsZero() {
		e.Errorf("moved to no next the trigger is %v for %v, want Complete for no instant", t.State, t.NextFireAt)
	}
}

func rescheduleNeedsTheVersion(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("changed", e.now.Add(time.Hour)))
	e.save(job("c"), cron("claimed", e.now), every("inflight", e.now, priority(9)))
	e.startOneOf(n, "c")
	e.acquire(n, 5)
	e.occupy(n, "a", 1)
	changed := e.trigger(key("a", "changed"))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{changed.TriggerKey})
	e.each(errs, err, nil)
	items := []provider.RescheduleItem{{Key: changed.TriggerKey, Version: changed.Version}, {Key: key("a", "none"), Version: 1}}
	for _, k := range []provider.TriggerKey{key("c", "claimed"), key("c", "inflight"), manualKey("a", blockedName(0))} {
		items = append(items, provider.RescheduleItem{Key: k, Version: e.trigger(k).Version})
	}
	for i := range items {
		items[i].Next = waiting(e.now.Add(2 * time.Hour))
	}
	e.unchanged("rescheduling what has changed or is not for it", func() {
		moved, err := e.Store.Reschedule(e.ctx, items)
		e.must(err, "Reschedule")
		equal(e, moved, []bool{false, false, false, false, false}, "what was moved")
	})
}
