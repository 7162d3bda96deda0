package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var definitionCases = []Case{
	{Name: "SaveInsertsWhole", Rules: []string{"R103", "R228"},
		Explanation: "a job that is new is inserted with its triggers as the record says",
		Run:         saveInsertsWhole},
	{Name: "SaveReplacesWhole", Rules: []string{"R103", "R228", "D10", "B94"},
		Explanation: "replacing writes every field, deletes triggers that are not named, keeps one-shots, touches no other job",
		Run:         saveReplacesWhole},
	{Name: "SaveLaterItemWins", Rules: []string{"R107"},
		Explanation: "a later item of the same name overrides an earlier one",
		Run:         saveLaterItemWins},
	{Name: "SaveIgnoresStoreFields", Rules: []string{"R106", "D07", "D08", "D25"},
		Explanation: "ActiveRunID, Fence, Paused, Version and the claim of a saved record are ignored",
		Run:         saveIgnoresStoreFields},
	{Name: "SaveIfAbsent", Rules: []string{"D28", "B158"},
		Explanation: "IfAbsent writes only where no job of the name is, and answers the job that was found",
		Run:         saveIfAbsent},
	{Name: "SaveIfVersion", Rules: []string{"D22", "D28"},
		Explanation: "IfVersion writes only while the version is the one given",
		Run:         saveIfVersion},
	{Name: "SaveConditionsDecideAlone", Rules: []string{"R227"},
		Explanation: "an item whose condition fails writes nothing and keeps no other item from being written",
		Run:         saveConditionsDecideAlone},
	{Name: "SaveRepeatedIsSafe", Rules: []string{"R103"},
		Explanation: "saving the same definition again changes nothing but versions",
		Run:         saveRepeatedIsSafe},
	{Name: "DeleteJobs", Rules: []string{"R229", "D10", "R289"},
		Explanation: "deleting takes the job and all its triggers, one-shots included; runs go on, history stays",
		Run:         deleteJobs},
	{Name: "DeletedWhileRunning", Rules: []string{"R229", "D12", "B174"},
		Explanation: "a run whose job was deleted completes, and brings neither job nor trigger back",
		Run:         deletedWhileRunning},
}

func saveInsertsWhole(e *Env) {
	j := job("reports.nightly", exclusive, func(j *provider.JobRecord) {
		j.Handler, j.Description, j.Data = "handlers/Report", "every night", `{"format":"pdf"}`
		j.RequestsRecovery, j.Timeout = true, 20*time.Minute
	})
	daily := cron("daily", e.now.Add(time.Hour), priority(8), data(`{"a":1}`))
	idle := cron("idle", e.now, in(provider.TriggerComplete))
	broken := cron("broken", e.now, in(provider.TriggerError))
	a, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{item(j, daily, idle, broken)})
	e.must(err, "SaveJobs")
	equal(e, a, []provider.SaveAnswer{{Saved: true}}, "the answer")
	got := e.other()
	jobs, err := got.Jobs(e.ctx, []string{j.Name})
	e.must(err, "Jobs")
	if len(jobs) != 1 {
		e.Fatalf("Jobs: %d answers, want 1", len(jobs))
	}
	j.Version = jobs[0].Version
	equal(e, jobs[0], j, "the job")
	if j.Version < 1 {
		e.Errorf("the job's version is %d, want at least 1", j.Version)
	}
	for _, want := range item(j, daily, idle, broken).Triggers {
		t := e.trigger(want.TriggerKey)
		if t.Version < 1 {
			e.Errorf("%v: version %d, want at least 1", t.TriggerKey, t.Version)
		}
		t.Version = 0
		t.Attempt = want.Attempt // 0 is read as 1
		equal(e, t, want, "trigger %v", want.TriggerKey)
	}
}

func saveReplacesWhole(e *Env) {
	e.save(job("a"), cron("stays", e.now.Add(time.Hour), data(`{"old":true}`)), cron("goes", e.now.Add(time.Hour)))
	e.save(job("b"), cron("t", e.now.Add(time.Hour)))
	e.enqueue(manual("a", "x", e.now.Add(time.Hour)))
	other := e.trigger(key("b", "t"))
	e.advance(time.Minute)
	j := job("a", func(j *provider.JobRecord) { j.Description = "new" })
	a, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{item(j, cron("stays", e.now, data("")), cron("comes", e.now.Add(2*time.Hour)))})
	e.must(err, "SaveJobs")
	if len(a) != 1 || !a[0].Saved || !a[0].Replaced || a[0].Before.Name != "a" || a[0].Before.Description != "" {
		e.Errorf("the answer is %+v, want saved, replaced, and the job as it was", a)
	}
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{Jobs: []string{"a"}})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a/comes", "a/manual-x", "a/stays"}, "the triggers")
	if t := e.trigger(key("a", "stays")); t.Data != "" {
		e.Errorf("the kept trigger's data is %q, want the new, absent one", t.Data)
	}
	if got := e.job("a"); got.Description != "new" || got.Version <= a[0].Before.Version {
		e.Errorf("the job is %+v, want the new description and a greater version than %d", got, a[0].Before.Version)
	}
	equal(e, e.trigger(key("b", "t")), other, "another job's trigger")
}

func saveLaterItemWins(e *Env) {
	first, second := job("a"), job("a", func(j *provider.JobRecord) { j.Description = "second" })
	_, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{
		item(first, cron("one", e.now.Add(time.Hour))), item(job("b")), item(second, cron("two", e.now.Add(time.Hour)))})
	e.must(err, "SaveJobs")
	if got := e.job("a"); got.Description != "second" {
		e.Errorf("the job is %+v, want the later item's", got)
	}
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a/two"}, "the triggers")
}

func saveIgnoresStoreFields(e *Env) {
	j := job("a", exclusive, func(j *provider.JobRecord) {
		j.ActiveRunID, j.Fence, j.Paused, j.Version = e.runID(), 99, true, 99
	})
	t := cron("t", e.now.Add(time.Hour), func(t *provider.TriggerRecord) {
		t.ClaimID, t.ClaimedBy, t.Incarnation, t.ClaimedAt, t.Paused, t.Version = 7, "n", 7, e.now, true, 99
	})
	e.save(j, t)
	got := e.job("a")
	if got.ActiveRunID != "" || got.Fence != 0 || got.Paused || got.Version == 99 {
		e.Errorf("the job is %+v, want it free, with fence 0, not paused", got)
	}
	if got := e.trigger(key("a", "t")); got.ClaimID != 0 || got.ClaimedBy != "" || got.Paused || got.State != provider.TriggerWaiting {
		e.Errorf("the trigger is %+v, want it Waiting without a claim", got)
	}
}

func saveIfAbsent(e *Env) {
	save := func(description string) provider.SaveAnswer {
		i := item(job("a", func(j *provider.JobRecord) { j.Description = description }), cron(description, e.now.Add(time.Hour)))
		i.Condition = provider.IfAbsent
		a, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{i})
		e.must(err, "SaveJobs")
		return a[0]
	}
	equal(e, save("one"), provider.SaveAnswer{Saved: true}, "the first save")
	stored := e.job("a")
	e.unchanged("a save whose condition does not hold", func() {
		a := save("two")
		if a.Saved {
			e.Errorf("the second save says it was saved")
		}
		equal(e, a.Before, stored, "the job that was found")
	})
}

func saveIfVersion(e *Env) {
	e.save(job("a"))
	save := func(version int64, description string) provider.SaveAnswer {
		i := item(job("a", func(j *provider.JobRecord) { j.Description = description }))
		i.Condition, i.Version = provider.IfVersion, version
		a, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{i})
		e.must(err, "SaveJobs")
		return a[0]
	}
	read := e.job("a")
	e.unchanged("a save with another version", func() {
		if save(read.Version+1, "wrong").Saved || save(read.Version-1, "wrong").Saved {
			e.Errorf("a save with another version says it was saved")
		}
	})
	if !save(read.Version, "right").Saved {
		e.Errorf("a save with the version read was not saved")
	}
	if save(read.Version, "stale").Saved || e.job("a").Description != "right" {
		e.Errorf("a save with the version of before the last change was saved")
	}
	missing := item(job("none"))
	missing.Condition, missing.Version = provider.IfVersion, 1
	a, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{missing})
	e.must(err, "SaveJobs")
	equal(e, a, []provider.SaveAnswer{{}}, "IfVersion of a job that is not there")
}

func saveConditionsDecideAlone(e *Env) {
	e.save(job("b"))
	var items []provider.SaveItem
	for _, name := range []string{"c", "b", "a"} {
		i := item(job(name, func(j *provider.JobRecord) { j.Description = "new" }), cron("t", e.now.Add(time.Hour)))
		i.Condition = provider.IfAbsent
		items = append(items, i)
	}
	a, err := e.Store.SaveJobs(e.ctx, items)
	e.must(err, "SaveJobs")
	if len(a) != 3 || !a[0].Saved || a[1].Saved || !a[2].Saved {
		e.Errorf("the answers are %+v, want c saved, b not, a saved", a)
	}
	e.gone(key("b", "t"))
	e.trigger(key("a", "t"))
	e.trigger(key("c", "t"))
}

func saveRepeatedIsSafe(e *Env) {
	n := e.node("n")
	save := func() {
		e.save(job("a", exclusive), cron("due", e.now), every("tick", e.now.Add(time.Minute)), cron("done", e.now, in(provider.TriggerComplete)))
	}
	save()
	b := e.startOne(n)
	before := e.look(e.Store).effect()
	save()
	if d := changes(before, e.look(e.Store).effect()); d != "" {
		e.Errorf("saving the same definition again changed:\n%s", d)
	}
	e.finish(n, b)
}

func deleteJobs(e *Env) {
	n := e.node("n")
	for _, name := range []string{"a", "b"} {
		e.save(job(name), cron("later", e.now.Add(time.Hour)), cron("now", e.now))
		e.enqueue(manual(name, "x", e.now.Add(time.Hour)))
	}
	e.finish(n, started(e.pass(n, 10))...)
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"none", "a"})
	e.each(errs, err, provider.ErrJobNotFound, nil)
	s := e.look(e.Store)
	if len(s.jobs) != 1 || len(s.triggers) != 3 || len(s.runs) != 2 {
		e.Errorf("%d jobs, %d triggers, %d runs are left, want 1, 3, 2", len(s.jobs), len(s.triggers), len(s.runs))
	}
	errs, err = e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, provider.ErrJobNotFound)
}

func deletedWhileRunning(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), every("tick", e.now))
	b := e.startOne(n)
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if r := e.run(b.Run.ID); r.State != provider.RunRunning {
		e.Errorf("the run is %v after its job was deleted, want Running", r.State)
	}
	c := completion(b)
	c.Settle = func(at time.Time) provider.Settlement {
		s := settleEvery(at)
		r := retry("a", fmt.Sprintf("%s-2", b.Run.ID), at)
		s.Insert = &r
		return s
	}
	a := e.complete(n, c)
	equal(e, a.Items[0].Inserted, provider.TriggerKey{}, "the one-shot of a job that is gone")
	s := e.look(e.Store)
	if len(s.jobs)+len(s.triggers) != 0 || s.runs[b.Run.ID].State != provider.RunSucceeded {
		e.Errorf("after the completion: jobs %v, triggers %v, run %v; want none, none, Succeeded", s.jobs, s.triggers, s.runs[b.Run.ID].State)
	}
}
