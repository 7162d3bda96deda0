package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var managementVictims = []victim{
	{name: "SaveNew", rules: []string{"R103", "D28"}, set: killSaveNew},
	{name: "SaveReplacing", rules: []string{"R103", "D12", "D35"}, set: killSaveReplacing},
	{name: "DeleteJobs", rules: []string{"R229"}, set: killing(func(e *Env) ([]error, error) {
		return e.Store.DeleteJobs(e.ctx, []string{"a", "none"})
	})},
	{name: "PauseJobs", rules: []string{"R230", "D08"}, set: killing(func(e *Env) ([]error, error) {
		return e.Store.PauseJobs(e.ctx, []string{"a", "none"})
	})},
	{name: "ResumeJobs", rules: []string{"R230", "D08"}, set: killResume},
	{name: "PauseTriggers", rules: []string{"R231", "D35"}, set: killing(func(e *Env) ([]error, error) {
		return e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "t"), manualKey("a", blockedName(0)), key("a", "none")})
	})},
	{name: "ResumeTriggers", rules: []string{"R231"}, set: killing(func(e *Env) ([]error, error) {
		return e.Store.ResumeTriggers(e.ctx, []provider.TriggerKey{key("a", "p"), key("a", "none")})
	})},
	{name: "AddTriggers", rules: []string{"D38", "D08"}, set: killAdd},
	{name: "RemoveTriggers", rules: []string{"D38", "D35"}, set: killing(func(e *Env) ([]error, error) {
		return e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{key("a", "t"), manualKey("a", blockedName(0)), key("a", "none")})
	})},
	{name: "Reschedule", rules: []string{"D43", "D35"}, set: killReschedule},
	{name: "RequestCancel", rules: []string{"R236"}, set: killCancel},
	{name: "PurgeRuns", rules: []string{"R120", "D27"}, set: killPurge},
}

// lastWaiting leaves exclusive job a free with one due one-shot and one behind
// it, which is Blocked where the store hands back as late as it may.
func lastWaiting(e *Env, n provider.NodeRef) {
	e.Helper()
	ws, _ := waitingAndBlocked(e, n)
	e.all(e.Store.RemoveTriggers(e.ctx, ws[1:]))
}

// managed saves a free exclusive job a with a due and a blocked one-shot, a
// future trigger t and a paused trigger p, and a second job b.
func managed(e *Env) provider.NodeRef {
	n := e.node("n")
	lastWaiting(e, n)
	for _, name := range []string{"t", "p"} {
		t := cron(name, e.now.Add(time.Hour))
		t.Job, t.Exclusive = "a", true
		e.all(e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{t}))
	}
	e.all(e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "p")}))
	e.save(job("b"), cron("t", e.now.Add(time.Hour)))
	return n
}

// killing makes a victim of a call with an error per item. A second call may
// find its items done.
func killing(call func(e *Env) ([]error, error)) func(e *Env) attempt {
	return func(e *Env) attempt {
		managed(e)
		return attempt{run: func() (string, error) {
			errs, err := call(e)
			return fmt.Sprint(errs), err
		}}
	}
}

func killSaveNew(e *Env) attempt {
	e.save(job("there"))
	items := []provider.SaveItem{item(job("a", exclusive), cron("1", e.now), every("2", e.now)), item(job("b")), item(job("there"), cron("1", e.now))}
	items[2].Condition = provider.IfAbsent
	return attempt{run: func() (string, error) {
		a, err := e.Store.SaveJobs(e.ctx, items)
		answer := ""
		for _, one := range a {
			answer += fmt.Sprint(one.Saved, one.Replaced, one.Before.Name, " ")
		}
		return answer, err
	}}
}

func killSaveReplacing(e *Env) attempt {
	n := e.node("n")
	e.save(job("a", exclusive))
	e.occupy(n, "a", 2)
	e.save(job("b"), cron("stays", e.now.Add(time.Hour)), cron("changes", e.now.Add(time.Hour)), cron("goes", e.now))
	e.acquire(n, 5)
	items := []provider.SaveItem{item(job("a")), item(job("b", exclusive), cron("stays", e.now), every("changes", e.now.Add(time.Hour)), cron("comes", e.now))}
	return attempt{run: func() (string, error) {
		a, err := e.Store.SaveJobs(e.ctx, items)
		answer := ""
		for _, one := range a {
			answer += fmt.Sprint(one.Saved, one.Replaced, one.Before.Name, " ")
		}
		return answer, err
	}}
}

func killResume(e *Env) attempt {
	managed(e)
	e.all(e.Store.PauseJobs(e.ctx, []string{"a"}))
	return attempt{run: func() (string, error) {
		errs, err := e.Store.ResumeJobs(e.ctx, []string{"a", "none"})
		return fmt.Sprint(errs), err
	}}
}

func killAdd(e *Env) attempt {
	managed(e)
	e.all(e.Store.PauseJobs(e.ctx, []string{"b"}))
	var triggers []provider.TriggerRecord
	for _, k := range []provider.TriggerKey{key("a", "new"), key("b", "new"), key("b", "t"), key("none", "t")} {
		t := cron(k.Trigger, e.now)
		t.TriggerKey = k
		triggers = append(triggers, t)
	}
	return attempt{run: func() (string, error) {
		errs, err := e.Store.AddTriggers(e.ctx, triggers)
		var kinds []bool
		for _, one := range errs {
			kinds = append(kinds, one == nil)
		}
		return fmt.Sprint(kinds), err
	}}
}

func killReschedule(e *Env) attempt {
	managed(e)
	var items []provider.RescheduleItem
	for _, k := range []provider.TriggerKey{manualKey("a", blockedName(0)), key("a", "p"), key("b", "t")} {
		items = append(items, provider.RescheduleItem{Key: k, Version: e.trigger(k).Version, Next: waiting(e.now.Add(3 * time.Hour))})
	}
	items[2].Version--
	return attempt{run: func() (string, error) {
		moved, err := e.Store.Reschedule(e.ctx, items)
		return fmt.Sprint(moved), err
	}}
}

func killCancel(e *Env) attempt {
	n := mixed(e)
	ids := []string{e.runID()}
	for _, b := range started(e.pass(n, 50)) {
		ids = append(ids, b.Run.ID)
	}
	return attempt{run: func() (string, error) {
		errs, err := e.Store.RequestCancel(e.ctx, ids)
		var kinds []bool
		for _, one := range errs {
			kinds = append(kinds, one == nil)
		}
		return fmt.Sprint(kinds), err
	}}
}

func killPurge(e *Env) attempt {
	history(e)
	e.advance(time.Hour)
	return attempt{run: func() (string, error) {
		got, err := e.Store.PurgeRuns(e.ctx, 52*time.Minute)
		return fmt.Sprint(got), err
	}}
}
