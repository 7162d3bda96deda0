package scheduling_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

func hourly(name string) scheduling.TriggerDefinition {
	return scheduling.TriggerDefinition{Name: name, Schedule: scheduling.MustCron("0 0 * * * *", "")}
}

// R228, R127, R241, D12: what Schedule stores, the first time and again.
func TestScheduleStores(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		def := scheduling.JobDefinition{
			Name: "report", Handler: "work", Description: "d", Data: scheduling.MustData(map[string]int{"a": 1}),
			Retry: scheduling.FixedRetry(2, 1500*time.Microsecond), Timeout: time.Minute + 900*time.Microsecond,
			RequestsRecovery: true,
			Triggers: []scheduling.TriggerDefinition{
				hourly("a"), {Name: "b", Schedule: scheduling.MustEvery(time.Minute), Priority: 8, Misfire: scheduling.Skip,
					Description: "x", Data: scheduling.MustData(map[string]int{"b": 2})},
			},
		}
		d.define(def)
		job := d.job("report")
		job.Version = 0
		equal(t, "job", job, scheduling.JobRecord{
			Name: "report", Handler: "work", Description: "d", Data: `{"a":1}`, RequestsRecovery: true, Timeout: time.Minute,
			Retry: provider.RetryPolicy{MaxRetries: 2, Delay: time.Millisecond}, Source: scheduling.SourceRuntime,
		})
		b := d.trigger("report", "b")
		b.Version = 0
		equal(t, "trigger", b, scheduling.TriggerRecord{
			TriggerKey: scheduling.TriggerKey{Job: "report", Trigger: "b"}, Schedule: "every 00:01:00", Description: "x", Data: `{"b":2}`,
			Priority: 8, Misfire: scheduling.Skip, State: provider.TriggerWaiting, Exclusive: true,
			ScheduledAt: monday.Add(time.Minute), NextFireAt: monday.Add(time.Minute), RunAs: scheduling.KindSchedule, Attempt: 1,
		})
		equal(t, "default priority (R154)", d.trigger("report", "a").Priority, scheduling.DefaultPriority)
		d.wantEvents("scheduled:report")

		// Replaced: the unchanged trigger keeps its next, the changed one starts
		// anew, the missing one goes; the pause stays (D12, R247).
		if err := d.Pause(t.Context(), "report"); err != nil {
			t.Fatal(err)
		}
		d.quiet()
		d.set(monday.Add(30 * time.Second))
		def.Triggers = []scheduling.TriggerDefinition{def.Triggers[1], hourly("c")}
		def.AllowConcurrent = true
		d.define(def)
		equal(t, "triggers", d.names("report"), "b c")
		b, c := d.trigger("report", "b"), d.trigger("report", "c")
		equal(t, "kept", b.ScheduledAt, monday.Add(time.Minute))
		equal(t, "hint", b.Exclusive || c.Exclusive, false)
		equal(t, "born paused", c.State, provider.TriggerPaused)
		equal(t, "paused", d.job("report").Paused, true)
		d.wantEvents("scheduled:report")
	})
}

// R228, G8: bad items are refused with all their faults, and write nothing; the
// others are done.
func TestScheduleRefuses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		bad := scheduling.JobDefinition{Name: "Bad", Handler: "work"}
		lacking := scheduling.JobDefinition{Name: "lacking", Handler: "nobody", Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustEvery(time.Hour).WithCalendar("nowhere")},
			{Name: "manual-t", Schedule: scheduling.MustEvery(time.Hour)},
		}}
		good := scheduling.JobDefinition{Name: "good", Handler: "work"}
		err := d.Schedule(t.Context(), bad, good, lacking)
		wantItems(t, err, map[int]error{0: scheduling.ErrInvalidDefinition, 2: scheduling.ErrHandlerNotFound})
		failed := scheduling.ItemErrors(err)
		if !errors.Is(failed[2], scheduling.ErrInvalidDefinition) {
			t.Errorf("the definition's own faults are missing: %v", failed[2])
		}
		for _, want := range []string{`Handler "nobody"`, "Handle before Run", `calendar "nowhere"`, "AddCalendar", `Triggers[1].Name "manual-t"`} {
			if !strings.Contains(failed[2].Error(), want) {
				t.Errorf("error lacks %q: %v", want, failed[2])
			}
		}
		jobs, err := d.ListJobs(t.Context(), "", 0)
		if err != nil || len(jobs) != 1 || jobs[0].Name != "good" {
			t.Errorf("stored: %v, %v; want good alone", jobs, err)
		}
		d.wantEvents("scheduled:good")

		d.quiet()
		if err := d.Schedule(t.Context(), bad, lacking); err == nil {
			t.Error("no error")
		}
		if err := d.Schedule(t.Context()); err != nil {
			t.Errorf("no items: %v", err)
		}
		equal(t, "store calls for illegal and no items", d.called(), "")
	})
}

// R107: a later definition of a name replaces an earlier one of the same call,
// and they share their fate.
func TestScheduleSameNameTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		one := scheduling.JobDefinition{Name: "a", Handler: "work", Description: "one"}
		two := scheduling.JobDefinition{Name: "a", Handler: "work", Description: "two"}
		d.define(one, two)
		equal(t, "stored", d.job("a").Description, "two")
		d.wantEvents("scheduled:a")

		bad := scheduling.JobDefinition{Name: "a", Handler: "nobody"}
		wantItems(t, d.Schedule(t.Context(), one, bad), map[int]error{1: scheduling.ErrHandlerNotFound})
		equal(t, "stored", d.job("a").Description, "one")

		d.away("SaveJobs")
		err := d.Schedule(t.Context(), one, two)
		var batch *scheduling.BatchError
		if !errors.Is(err, scheduling.ErrStoreUnavailable) || errors.As(err, &batch) {
			t.Errorf("error %v, want the store's for the whole call", err)
		}
		wantItems(t, d.Schedule(t.Context(), one, two, bad),
			map[int]error{0: scheduling.ErrStoreUnavailable, 1: scheduling.ErrStoreUnavailable, 2: scheduling.ErrHandlerNotFound})
	})
}

// A store that cannot be reached is the call's error; nothing is published (G8).
func TestScheduleStoreAway(t *testing.T) {
	for _, op := range []string{"Now", "Jobs", "SaveJobs"} {
		t.Run(op, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				d := newDesk(t, nil)
				d.away(op)
				good := scheduling.JobDefinition{Name: "a", Handler: "work"}
				err := d.Schedule(t.Context(), good)
				var batch *scheduling.BatchError
				if !errors.Is(err, scheduling.ErrStoreUnavailable) || !errors.Is(err, errAway) || errors.As(err, &batch) {
					t.Errorf("error %v, want the store's", err)
				}
				wantItems(t, d.Schedule(t.Context(), good, scheduling.JobDefinition{Name: "B"}),
					map[int]error{0: scheduling.ErrStoreUnavailable, 1: scheduling.ErrInvalidDefinition})
				d.wantEvents("")
			})
		})
	}
}

// R106, D28: a save that always loses its race is written all the same after
// three rounds; the code's fingerprint is kept (R243).
func TestScheduleRaces(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a"})
		stored := d.job("a")
		stored.Source, stored.Fingerprint, stored.CodeVersion = scheduling.SourceCode, "1:aa", 3
		if _, err := d.store.SaveJobs(t.Context(), []provider.SaveItem{{Job: stored}}); err != nil {
			t.Fatal(err)
		}
		rounds := 0
		d.fault = func(op string) error {
			if op == "SaveJobs" {
				rounds++
				d.disturb("a")
			}
			return nil
		}
		d.define(scheduling.JobDefinition{Name: "a", Description: "new"})
		equal(t, "rounds", rounds, 4)
		got := d.job("a")
		if got.Description != "new" || got.Source != scheduling.SourceOverridden || got.Fingerprint != "1:aa" || got.CodeVersion != 3 {
			t.Errorf("stored %+v", got)
		}
	})
}

// disturb changes a job's row, as a run of it does. It is called by the fault
// hook, so it must not be hooked itself.
func (d *desk) disturb(name string) {
	d.mu.Lock()
	fault := d.fault
	d.fault = nil
	d.mu.Unlock()
	paused := d.job(name).Paused
	var err error
	if paused {
		_, err = d.store.ResumeJobs(context.Background(), []string{name})
	} else {
		_, err = d.store.PauseJobs(context.Background(), []string{name})
	}
	if err != nil {
		d.t.Error(err)
	}
	d.mu.Lock()
	d.fault = fault
	d.mu.Unlock()
}

// B94: registering one job leaves the rows of the others alone, due ones too.
func TestScheduleTouchesNoOther(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		once := func(name string, minute int) scheduling.JobDefinition {
			return scheduling.NewJob(name, scheduling.MustOnce(monday.Add(time.Duration(minute)*time.Minute)))
		}
		d.define(once("a", 1), once("b", 2))
		d.set(monday.Add(150 * time.Second))
		jobs := [2]scheduling.JobRecord{d.job("a"), d.job("b")}
		rows := [2]scheduling.TriggerRecord{d.trigger("a", "default"), d.trigger("b", "default")}
		d.define(once("c", 3))
		equal(t, "jobs", [2]scheduling.JobRecord{d.job("a"), d.job("b")}, jobs)
		equal(t, "triggers", [2]scheduling.TriggerRecord{d.trigger("a", "default"), d.trigger("b", "default")}, rows)
	})
}

// D15, D18: what will never run is accepted, stored as Complete, and logged once.
func TestScheduleWarns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		if err := d.AddCalendar("all", calendarFunc(func(time.Time) bool { return true })); err != nil {
			t.Fatal(err)
		}
		d.define(scheduling.JobDefinition{Name: "a", Triggers: []scheduling.TriggerDefinition{
			{Name: "february", Schedule: scheduling.MustCron("0 0 0 30 2 ?", "")},
			{Name: "excluded", Schedule: scheduling.MustCron("0 0 * * * *", "").WithCalendar("all")},
			hourly("fine"),
		}})
		equal(t, "february", d.trigger("a", "february").State, provider.TriggerComplete)
		equal(t, "excluded", d.trigger("a", "excluded").State, provider.TriggerComplete)
		equal(t, "log of february", d.log.count("trigger a/february has no instant"), 1)
		equal(t, "log of excluded", d.log.count("excludes the next 10000 candidates"), 1)
		equal(t, "log of fine", d.log.count("a/fine"), 0)
	})
}

type calendarFunc func(time.Time) bool

func (f calendarFunc) IsExcluded(at time.Time) bool { return f(at) }

// A calendar that panics is the item's error, not the process's end.
func TestSchedulePanickingCalendar(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		if err := d.AddCalendar("bad", calendarFunc(func(time.Time) bool { panic("no table") })); err != nil {
			t.Fatal(err)
		}
		bad := scheduling.NewJob("bad", scheduling.MustEvery(time.Hour).WithCalendar("bad"))
		bad.Handler = "work"
		good := scheduling.NewJob("good", scheduling.MustEvery(time.Hour))
		good.Handler = "work"
		err := d.Schedule(t.Context(), bad, good)
		wantItems(t, err, map[int]error{0: scheduling.ErrInvalidDefinition})
		if !strings.Contains(err.Error(), "no table") {
			t.Errorf("error %v", err)
		}
		equal(t, "stored", d.job("good").Name, "good")
	})
}

// R229, R249, G8: Unschedule answers per name.
func TestUnschedule(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.NewJob("a", scheduling.MustEvery(time.Hour)), scheduling.JobDefinition{Name: "b"})
		if _, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a"}); err != nil {
			t.Fatal(err)
		}
		d.quiet()
		err := d.Unschedule(t.Context(), "a", "nobody", "Not A Name", "b")
		wantItems(t, err, map[int]error{1: scheduling.ErrJobNotFound, 2: scheduling.ErrJobNotFound})
		equal(t, "triggers left", d.names("a"), "")
		equal(t, "job left", d.job("b").Name, "")
		d.wantEvents("unscheduled:a unscheduled:b")

		d.quiet()
		if err := d.Unschedule(t.Context(), "Not A Name"); !errors.Is(err, scheduling.ErrJobNotFound) {
			t.Errorf("error %v", err)
		}
		equal(t, "store calls for a name that nothing can have", d.called(), "")
		d.away("DeleteJobs")
		if err := d.Unschedule(t.Context(), "a"); !errors.Is(err, scheduling.ErrStoreUnavailable) {
			t.Errorf("error %v", err)
		}
		d.wantEvents("")
	})
}

// D38, D11: triggers are added to a job, with its flags, and removed.
func TestAddAndRemoveTriggers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a", RunOnEveryInstance: true, Triggers: []scheduling.TriggerDefinition{hourly("old")}})
		if err := d.Pause(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		d.quiet()
		before := d.job("a")
		err := d.AddTriggers(t.Context(), "a", hourly("new"), hourly("old"), hourly("Bad"), hourly("new"), hourly("retry-1"),
			scheduling.TriggerDefinition{Name: "c", Schedule: scheduling.MustEvery(time.Hour).WithCalendar("nowhere")})
		wantItems(t, err, map[int]error{1: scheduling.ErrInvalidDefinition, 2: scheduling.ErrInvalidDefinition,
			3: scheduling.ErrInvalidDefinition, 4: scheduling.ErrInvalidDefinition, 5: scheduling.ErrInvalidDefinition})
		if text := scheduling.ItemErrors(err)[3].Error(); !strings.Contains(text, "stands twice") {
			t.Errorf("error %s", text)
		}
		equal(t, "triggers", d.names("a"), "new old")
		row := d.trigger("a", "new")
		if !row.Local || !row.Exclusive || row.State != provider.TriggerPaused || !row.ScheduledAt.Equal(monday.Add(time.Hour)) {
			t.Errorf("row %+v", row)
		}
		equal(t, "definition", d.job("a").Source, before.Source)

		wantItems(t, d.AddTriggers(t.Context(), "nobody", hourly("x")), map[int]error{0: scheduling.ErrJobNotFound})
		wantItems(t, d.AddTriggers(t.Context(), "No Body", hourly("x")), map[int]error{0: scheduling.ErrJobNotFound})
		if err := d.AddTriggers(t.Context(), "a"); err != nil {
			t.Errorf("no items: %v", err)
		}
		d.quiet()
		lacking := scheduling.TriggerDefinition{Name: "d", Schedule: scheduling.MustEvery(time.Hour).WithCalendar("nowhere")}
		wantItems(t, d.AddTriggers(t.Context(), "a", lacking), map[int]error{0: scheduling.ErrInvalidDefinition})
		equal(t, "store calls for illegal items", d.called(), "")
		for _, op := range []string{"Now", "Jobs", "AddTriggers"} {
			d.away(op)
			if err := d.AddTriggers(t.Context(), "a", hourly("x")); !errors.Is(err, scheduling.ErrStoreUnavailable) {
				t.Errorf("%s away: %v", op, err)
			}
		}
		d.quiet()

		once, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a", Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		keys := []scheduling.TriggerKey{{Job: "a", Trigger: "old"}, {Job: "a", Trigger: "gone"}, once[0].Trigger, {Job: "A", Trigger: ""}}
		wantItems(t, d.RemoveTriggers(t.Context(), keys...), map[int]error{1: scheduling.ErrTriggerNotFound, 3: scheduling.ErrTriggerNotFound})
		equal(t, "triggers", d.names("a"), "new")
		d.wantEvents("")
	})
}

// R239, R248, R243, D40: back to the code, with pause and progress.
func TestRestore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, func(o *scheduling.Options) { o.CodeVersion = 5 })
		code := scheduling.JobDefinition{Name: "a", Handler: "work", Triggers: []scheduling.TriggerDefinition{hourly("t")}}
		for _, def := range []scheduling.JobDefinition{code, {Name: "newer", Handler: "work"}} {
			if err := d.AddJob(def); err != nil {
				t.Fatal(err)
			}
		}
		// Not written yet: a run-time definition of a code job overrides it.
		edited := code
		edited.Triggers = []scheduling.TriggerDefinition{{Name: "t", Schedule: scheduling.MustCron("0 */2 * * * *", "")}, hourly("u")}
		d.define(edited, scheduling.JobDefinition{Name: "newer"}, scheduling.JobDefinition{Name: "runtime"})
		job := d.job("a")
		if job.Source != scheduling.SourceOverridden || job.Fingerprint == "" || job.CodeVersion != 5 {
			t.Errorf("overridden: %+v", job)
		}
		newer := d.job("newer")
		newer.CodeVersion = 6
		if _, err := d.store.SaveJobs(t.Context(), []provider.SaveItem{{Job: newer}}); err != nil {
			t.Fatal(err)
		}
		if err := d.Pause(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		d.quiet()
		err := d.Restore(t.Context(), "runtime", "a", "nobody", "newer")
		wantItems(t, err, map[int]error{0: scheduling.ErrNoCodeDefinition, 2: scheduling.ErrNoCodeDefinition, 3: scheduling.ErrNoCodeDefinition})
		if text := err.Error(); !strings.Contains(text, "CodeVersion 6, this program is 5") {
			t.Errorf("error %v", text)
		}
		restored := d.job("a")
		if restored.Source != scheduling.SourceCode || restored.Fingerprint != job.Fingerprint || !restored.Paused {
			t.Errorf("restored: %+v", restored)
		}
		equal(t, "triggers", d.names("a"), "t")
		row := d.trigger("a", "t")
		equal(t, "schedule", row.Schedule, "cron 0 0 * * * *")
		equal(t, "next, from now", row.ScheduledAt, monday.Add(time.Hour))
		d.wantEvents("scheduled:a")

		// Deleted: it is there again.
		if err := d.Unschedule(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		if err := d.Restore(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		equal(t, "source", d.job("a").Source, scheduling.SourceCode)
		for _, op := range []string{"Now", "Jobs", "SaveJobs"} {
			d.away(op)
			var batch *scheduling.BatchError
			if err := d.Restore(t.Context(), "a"); !errors.Is(err, scheduling.ErrStoreUnavailable) || errors.As(err, &batch) {
				t.Errorf("%s away: %v", op, err)
			}
			wantItems(t, d.Restore(t.Context(), "a", "nobody"), map[int]error{0: scheduling.ErrStoreUnavailable, 1: scheduling.ErrNoCodeDefinition})
		}
		d.quiet()
		if err := d.Restore(t.Context(), "nobody"); !errors.Is(err, scheduling.ErrNoCodeDefinition) || d.called() != "" {
			t.Errorf("error %v, store calls %q", err, d.called())
		}
	})
}

// R248, D12: Restore keeps previous instant and count of a trigger of the same
// name, whose next is computed from now.
func TestRestoreKeepsProgress(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		code := scheduling.JobDefinition{Name: "a", Handler: "work", Triggers: []scheduling.TriggerDefinition{hourly("t")}}
		if err := d.AddJob(code); err != nil {
			t.Fatal(err)
		}
		d.define(scheduling.JobDefinition{Name: "a", AllowConcurrent: true, Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustCron("0 0/10 * * * *", "")}}})
		d.set(monday.Add(10 * time.Minute))
		claim(t, d.store, func(c provider.Candidate) provider.Decision {
			return provider.Decision{Action: provider.Start, Run: provider.RunRecord{TriggerName: "t", Kind: scheduling.KindSchedule, ScheduledAt: c.Now, Attempt: 1},
				After: provider.Progress{Next: provider.Next{State: provider.TriggerWaiting, ScheduledAt: c.Now.Add(10 * time.Minute),
					NextFireAt: c.Now.Add(10 * time.Minute)}, PrevFireAt: c.Now, FireCount: 7}}
		})
		if err := d.Restore(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		row := d.trigger("a", "t")
		if row.FireCount != 7 || !row.PrevFireAt.Equal(monday.Add(10*time.Minute)) || !row.ScheduledAt.Equal(monday.Add(time.Hour)) {
			t.Errorf("row %+v", row)
		}
	})
}

// A code job whose handler or calendar is missing here is not restored.
func TestRestoreLacking(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		bad := scheduling.NewJob("bad", scheduling.MustEvery(time.Hour).WithCalendar("bad"))
		bad.Handler = "work"
		for _, def := range []scheduling.JobDefinition{{Name: "nobody"}, bad} {
			if err := d.AddJob(def); err != nil {
				t.Fatal(err)
			}
		}
		wantItems(t, d.Restore(t.Context(), "nobody", "bad"), map[int]error{0: scheduling.ErrHandlerNotFound, 1: scheduling.ErrInvalidDefinition})
		if err := d.AddCalendar("bad", calendarFunc(func(time.Time) bool { panic("no table") })); err != nil {
			t.Fatal(err)
		}
		wantItems(t, d.Restore(t.Context(), "bad"), map[int]error{0: scheduling.ErrInvalidDefinition})
		equal(t, "stored", d.job("bad").Name, "")
	})
}
