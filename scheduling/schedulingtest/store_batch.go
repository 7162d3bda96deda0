package schedulingtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var batchCases = []Case{
	{Name: "BatchLives", Rules: []string{"R227", "B180", "D35"}, Allow: Undrained,
		Explanation: "batches of 1, 16, 500 and 501 are enqueued, claimed, begun and completed, each item once and in order",
		Run:         batchLives},
	{Name: "BatchOfJobs", Rules: []string{"R103", "B180"}, Allow: Undrained,
		Explanation: "501 jobs with triggers are saved, replaced, paused, resumed and deleted in single calls",
		Run:         batchOfJobs},
	{Name: "BatchOfExclusiveJobs", Rules: []string{"D35", "B180"}, Allow: Undrained,
		Explanation: "a batch over many exclusive jobs begins one run of each and hands back the triggers of each",
		Run:         batchOfExclusiveJobs},
	{Name: "BatchOfTriggers", Rules: []string{"D38", "B180"}, Allow: Undrained,
		Explanation: "501 triggers are added, moved, paused and removed in single calls, answers in order",
		Run:         batchOfTriggers},
}

func batchLives(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	for _, size := range []int{1, 16, e.largest(), e.largest() + 1} {
		var shots []provider.TriggerRecord
		for i := range size {
			shots = append(shots, manual("a", fmt.Sprintf("%04d", i), e.now))
		}
		slices.Reverse(shots)
		a, err := e.Store.Enqueue(e.ctx, shots)
		e.must(err, "Enqueue of %d", size)
		for i := range a {
			if a[i].Key != shots[i].TriggerKey || a[i].Existed || a[i].Err != nil {
				e.Fatalf("answer %d of %d is %+v, want %v inserted", i, size, a[i], shots[i].TriggerKey)
			}
		}
		claimed := e.acquire(n, size)
		if size > provider.MaxBatch { // a pass may stop at what one statement carries
			claimed = append(claimed, e.acquire(n, size)...)
		}
		if len(claimed) != size {
			e.Fatalf("claimed %d of %d", len(claimed), size)
		}
		begun := e.beginWith(n, decide, claimed...)
		for i, b := range begun {
			if b.Outcome != provider.OutcomeStarted || b.Run.TriggerName != claimed[i].Trigger.Trigger {
				e.Fatalf("begin %d of %d answers %v for %s, want Started for %s", i, size, b.Outcome, b.Run.TriggerName, claimed[i].Trigger.Trigger)
			}
		}
		done := e.finish(n, begun...)
		for i := range done.Items {
			if done.Items[i].Run.ID != begun[i].Run.ID || done.Items[i].Run.State != provider.RunSucceeded {
				e.Fatalf("completion %d of %d answers %+v", i, size, done.Items[i])
			}
		}
		count, err := e.Store.CountRuns(e.ctx, provider.RunQuery{States: []provider.RunState{provider.RunSucceeded}})
		e.must(err, "CountRuns")
		equal(e, count, int64(size), "runs of a batch of %d", size)
		e.advance(time.Hour)
		e.purge(time.Minute, int64(size))
	}
}

func batchOfJobs(e *Env) {
	size := e.largest() + 1
	var items []provider.SaveItem
	var ask []string
	for i := range size {
		name := fmt.Sprintf("j%04d", i)
		items, ask = append(items, item(job(name), cron("t", e.now.Add(time.Hour)))), append(ask, name)
	}
	for round := range 2 {
		a, err := e.Store.SaveJobs(e.ctx, items)
		e.must(err, "SaveJobs")
		for i := range a {
			if !a[i].Saved || a[i].Replaced != (round == 1) || round == 1 && a[i].Before.Name != ask[i] {
				e.Fatalf("round %d, answer %d is %+v", round, i, a[i])
			}
		}
	}
	all, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{Jobs: ask, Limit: 2 * size})
	e.must(err, "ListTriggers")
	if len(all) != size {
		e.Errorf("%d triggers, want %d", len(all), size)
	}
	errs, err := e.Store.PauseJobs(e.ctx, ask)
	e.all(errs, err)
	errs, err = e.Store.ResumeJobs(e.ctx, ask[:size-9])
	e.all(errs, err)
	paused, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{States: []provider.TriggerState{provider.TriggerPaused}})
	e.must(err, "ListTriggers")
	if len(paused) != 9 {
		e.Errorf("%d triggers are Paused, want 9", len(paused))
	}
	ask[7] = "none"
	errs, err = e.Store.DeleteJobs(e.ctx, ask)
	e.must(err, "DeleteJobs")
	for i, got := range errs {
		if i == 7 {
			e.is(got, provider.ErrJobNotFound, "the job that is not there")
		} else {
			e.is(got, nil, "job %d", i)
		}
	}
	if s := e.look(e.Store); len(s.jobs) != 1 || len(s.triggers) != 1 {
		e.Errorf("%d jobs and %d triggers are left, want 1 and 1", len(s.jobs), len(s.triggers))
	}
}

func batchOfExclusiveJobs(e *Env) {
	size := e.largest() / 4
	n := e.node("n")
	var items []provider.SaveItem
	for i := range size {
		items = append(items, item(job(fmt.Sprintf("j%04d", i), exclusive), cron("1", e.now), cron("2", e.now)))
	}
	_, err := e.Store.SaveJobs(e.ctx, items)
	e.must(err, "SaveJobs")
	first := started(e.pass(n, 500))
	if len(first) != size {
		e.Fatalf("%d runs started, want %d", len(first), size)
	}
	blocked, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{States: []provider.TriggerState{provider.TriggerBlocked}})
	e.must(err, "ListTriggers")
	if len(blocked) != size {
		e.Errorf("%d triggers are Blocked, want the other one of each job, %d", len(blocked), size)
	}
	if a := e.finish(n, first...); a.HandedBack != size {
		e.Errorf("%d were handed back, want %d", a.HandedBack, size)
	}
	if second := started(e.pass(n, 500)); len(second) != size {
		e.Errorf("%d runs followed, want %d", len(second), size)
	}
}

func batchOfTriggers(e *Env) {
	size := e.largest() + 1
	e.save(job("a"))
	var triggers []provider.TriggerRecord
	var keys []provider.TriggerKey
	for i := range size {
		t := cron(fmt.Sprintf("t%04d", size-i), e.now.Add(time.Hour))
		t.Job = "a"
		triggers, keys = append(triggers, t), append(keys, t.TriggerKey)
	}
	errs, err := e.Store.AddTriggers(e.ctx, triggers)
	e.all(errs, err)
	stored, err := e.Store.Triggers(e.ctx, keys)
	e.must(err, "Triggers")
	if len(stored) != size {
		e.Fatalf("%d triggers, want %d", len(stored), size)
	}
	var moves []provider.RescheduleItem
	for i, t := range stored {
		moves = append(moves, provider.RescheduleItem{Key: t.TriggerKey, Version: t.Version, Next: waiting(e.now.Add(time.Duration(i+1) * time.Minute))})
	}
	moves[3].Version--
	moved, err := e.Store.Reschedule(e.ctx, moves)
	e.must(err, "Reschedule")
	for i, t := range e.mustTriggers(keys) {
		want := moves[i].Next.NextFireAt
		if i == 3 {
			want = e.now.Add(time.Hour)
		}
		if moved[i] != (i != 3) || !t.NextFireAt.Equal(want) {
			e.Fatalf("item %d was moved: %v, to %v; want %v, %v", i, moved[i], t.NextFireAt, i != 3, want)
		}
	}
	errs, err = e.Store.PauseTriggers(e.ctx, keys)
	e.all(errs, err)
	keys[5].Trigger = "none"
	errs, err = e.Store.RemoveTriggers(e.ctx, keys)
	e.must(err, "RemoveTriggers")
	for i, got := range errs {
		if i == 5 {
			e.is(got, provider.ErrTriggerNotFound, "the trigger that is not there")
		} else {
			e.is(got, nil, "trigger %d", i)
		}
	}
	if s := e.look(e.Store); len(s.triggers) != 1 {
		e.Errorf("%d triggers are left, want 1", len(s.triggers))
	}
}

func (e *Env) mustTriggers(keys []provider.TriggerKey) []provider.TriggerRecord {
	e.Helper()
	got, err := e.Store.Triggers(e.ctx, keys)
	e.must(err, "Triggers")
	if len(got) != len(keys) {
		e.Fatalf("%d triggers, want %d", len(got), len(keys))
	}
	return got
}
