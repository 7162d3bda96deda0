package gormsched

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Of several items of one name the last one is judged and written, and all of
// them answer what it does (R107).
func TestSaveLaterItemWins(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		first, second := jobItem("a", waitingTrigger("one", us(1))), jobItem("a", waitingTrigger("two", us(1)))
		second.Job.Description = "second"
		answers := saveJobs(t, s, first, jobItem("b"), second)
		if answers[0] != answers[2] || !answers[0].Saved || answers[0].Replaced {
			t.Errorf("got %+v and %+v, want both saved, nothing replaced", answers[0], answers[2])
		}
		list, err := s.ListTriggers(context.Background(), provider.TriggerQuery{})
		if err != nil || len(list) != 1 || list[0].Trigger != "two" {
			t.Errorf("got %v, %v, want the last item's trigger alone", list, err)
		}
	})
}

// Another node inserts the job after it was found missing: the save finds it
// in its next round, and judges again (R105, D28).
func TestSaveLosesTheInsertRace(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return // on SQLite the other node waits
	}
	for name, condition := range map[string]provider.Condition{"if absent": provider.IfAbsent, "always": provider.Always} {
		t.Run(name, func(t *testing.T) {
			d := postgresDatabase(t)
			s, w := d.wired(t, Options{})
			other := d.bare(t, Options{})
			mine, theirs := jobItem("a", waitingTrigger("mine", us(1))), jobItem("a", waitingTrigger("theirs", us(1)))
			mine.Condition, mine.Job.Description, theirs.Job.Description = condition, "mine", "theirs"
			raced := false
			w.reset(func(_ int, e event) fault {
				if strings.HasPrefix(e.text, "INSERT") && !raced {
					raced = true
					saveJobs(t, other, theirs)
				}
				return send
			})
			answers := saveJobs(t, s, mine, jobItem("b"))
			w.reset(nil)
			want, saved := "mine", condition == provider.Always
			if !saved {
				want = "theirs"
			}
			if a := answers[0]; !raced || a.Saved != saved || !a.Replaced || a.Before.Description != "theirs" || !answers[1].Saved {
				t.Errorf("got %+v, want saved %v over the other node's", a, saved)
			}
			jobs, err := s.Jobs(context.Background(), []string{"a"})
			if err != nil || jobs[0].Description != want {
				t.Errorf("stored %+v, %v, want %q", jobs, err, want)
			}
			list, err := s.ListTriggers(context.Background(), provider.TriggerQuery{Jobs: []string{"a"}})
			if err != nil || len(list) != 1 || list[0].Trigger != want {
				t.Errorf("stored %v, %v, want the trigger %q alone", list, err, want)
			}
		})
	}
}

// A job that another node inserts anew in each round is contention, and
// nothing of the save is there (D09).
func TestSaveGivesUpAfterThreeRounds(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return
	}
	d := postgresDatabase(t)
	s, w := d.wired(t, Options{})
	other := d.bare(t, Options{})
	rounds := 0
	w.reset(func(_ int, e event) fault {
		switch {
		case strings.HasPrefix(e.text, "INSERT"): // found missing, there when inserted
			rounds++
			saveJobs(t, other, jobItem("a"))
		case strings.Contains(e.text, "FOR UPDATE OF j"): // and gone when it is locked
			sqlExec(t, other, "DELETE FROM {{jobs}}")
		}
		return send
	})
	_, err := s.SaveJobs(context.Background(), []provider.SaveItem{jobItem("a", waitingTrigger("t", us(1)))})
	w.reset(nil)
	if e := asContract(t, err); e.Code != provider.CodeStoreUnavailable || e.Reason != provider.ReasonContention || rounds != 3 {
		t.Errorf("got %v after %d rounds, want ErrStoreUnavailable with reason contention after three", err, rounds)
	}
	if list, err := s.ListTriggers(context.Background(), provider.TriggerQuery{}); err != nil || len(list) != 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// A job that becomes exclusive while it runs is occupied by the newest of its
// runs, and the hints of its one-shots follow; one that becomes concurrent
// hands back what is Blocked; a local job is not occupied (D12, D35, R206).
func TestSaveChangesExclusivity(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		f := newDefinitions(t, s)
		f.jobs(2, true)
		f.runs(2)
		job := f.names(2)[0]
		shot := provider.TriggerKey{Job: job, Trigger: "manual-x"}
		if _, err := s.Enqueue(ctx, []provider.TriggerRecord{{TriggerKey: shot, RunAs: provider.KindManual, NextFireAt: f.at}}); err != nil {
			t.Fatal(err)
		}
		read := func() (provider.JobRecord, provider.TriggerRecord) {
			t.Helper()
			jobs, err := s.Jobs(ctx, []string{job})
			triggers, err2 := s.Triggers(ctx, []provider.TriggerKey{shot})
			if err != nil || err2 != nil || len(jobs) != 1 || len(triggers) != 1 {
				t.Fatalf("%v, %v, %v, %v", jobs, err, triggers, err2)
			}
			return jobs[0], triggers[0]
		}
		local := jobItem(job)
		local.Job.EveryInstance = true
		saveJobs(t, s, local)
		if j, tr := read(); j.ActiveRunID != "" || !tr.Exclusive {
			t.Errorf("local: occupied by %q, hint %v", j.ActiveRunID, tr.Exclusive)
		}
		saveJobs(t, s, jobItem(job, waitingTrigger("stays", f.at)))
		if j, tr := read(); j.ActiveRunID != "run-0000-1" || !tr.Exclusive {
			t.Errorf("exclusive: occupied by %q, want the newest run; hint %v", j.ActiveRunID, tr.Exclusive)
		}
		sqlExec(t, s, "UPDATE {{triggers}} SET trigger_state = 3, paused = CASE WHEN trigger_name = 'stays' THEN 1 ELSE 0 END WHERE job_name = ?", job)
		concurrent := jobItem(job, waitingTrigger("stays", f.at))
		concurrent.Job.AllowConcurrent = true
		saveJobs(t, s, concurrent)
		j, tr := read()
		if j.ActiveRunID != "run-0000-1" || tr.Exclusive || tr.State != provider.TriggerWaiting {
			t.Errorf("concurrent: occupied by %q, which is kept; hint %v, state %v", j.ActiveRunID, tr.Exclusive, tr.State)
		}
		stays, err := s.Triggers(ctx, []provider.TriggerKey{{Job: job, Trigger: "stays"}})
		if err != nil || stays[0].State != provider.TriggerPaused || stays[0].Exclusive {
			t.Errorf("the flagged trigger: %+v, %v; want Paused", stays, err)
		}
		// Deleted while its runs go on, it is occupied again when it is made anew.
		if _, err := s.DeleteJobs(ctx, []string{job}); err != nil {
			t.Fatal(err)
		}
		saveJobs(t, s, jobItem(job))
		jobs, err := s.Jobs(ctx, []string{job})
		if err != nil || jobs[0].ActiveRunID != "run-0000-1" {
			t.Errorf("made anew: %+v, %v; want occupied by the newest run", jobs, err)
		}
	})
}

// Taking a due trigger away hands back what is Blocked, whoever does it (D35).
func TestTakingADueTriggerAwayHandsBack(t *testing.T) {
	for name, take := range map[string]func(s *JobStore, key provider.TriggerKey, version int64) error{
		"save": func(s *JobStore, _ provider.TriggerKey, _ int64) error {
			_, err := s.SaveJobs(context.Background(), []provider.SaveItem{jobItem("a")})
			return err
		},
		"remove": func(s *JobStore, key provider.TriggerKey, _ int64) error {
			_, err := s.RemoveTriggers(context.Background(), []provider.TriggerKey{key})
			return err
		},
		"pause": func(s *JobStore, key provider.TriggerKey, _ int64) error {
			_, err := s.PauseTriggers(context.Background(), []provider.TriggerKey{key})
			return err
		},
		"reschedule": func(s *JobStore, key provider.TriggerKey, version int64) error {
			_, err := s.Reschedule(context.Background(), []provider.RescheduleItem{{Key: key, Version: version, Next: provider.Next{State: provider.TriggerComplete}}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, d testDatabase) {
				ctx := context.Background()
				s := d.store(t, Options{})
				saveJobs(t, s, jobItem("a", waitingTrigger("due", us(1))))
				shot := provider.TriggerKey{Job: "a", Trigger: "manual-x"}
				if _, err := s.Enqueue(ctx, []provider.TriggerRecord{{TriggerKey: shot, RunAs: provider.KindManual, NextFireAt: us(2)}}); err != nil {
					t.Fatal(err)
				}
				sqlExec(t, s, "UPDATE {{triggers}} SET trigger_state = 3 WHERE trigger_name = 'manual-x'")
				due, err := s.Triggers(ctx, []provider.TriggerKey{{Job: "a", Trigger: "due"}})
				if err != nil {
					t.Fatal(err)
				}
				if err := take(s, due[0].TriggerKey, due[0].Version); err != nil {
					t.Fatal(err)
				}
				got, err := s.Triggers(ctx, []provider.TriggerKey{shot})
				if err != nil || got[0].State != provider.TriggerWaiting {
					t.Errorf("the Blocked one-shot is %+v, %v; want Waiting", got, err)
				}
			})
		})
	}
}

// A deleted job that is made anew has another version: a save by version, or a
// reschedule, judged on the old one does not hit it (D22).
func TestVersionsDoNotComeBack(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		key := provider.TriggerKey{Job: "a", Trigger: "t"}
		versions := func() (int64, int64) {
			jobs, err := s.Jobs(ctx, []string{"a"})
			triggers, err2 := s.Triggers(ctx, []provider.TriggerKey{key})
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			return jobs[0].Version, triggers[0].Version
		}
		item := jobItem("a", waitingTrigger("t", us(1)))
		saveJobs(t, s, item)
		job, trigger := versions()
		if _, err := s.DeleteJobs(ctx, []string{"a"}); err != nil {
			t.Fatal(err)
		}
		saveJobs(t, s, item)
		item.Condition, item.Version = provider.IfVersion, job
		if saveJobs(t, s, item)[0].Saved {
			t.Error("a save by the version of the job before was done")
		}
		moved, err := s.Reschedule(ctx, []provider.RescheduleItem{{Key: key, Version: trigger, Next: provider.Next{State: provider.TriggerComplete}}})
		if err != nil || moved[0] {
			t.Errorf("a reschedule by the version of the trigger before: %v, %v", moved, err)
		}
	})
}

// Resuming leaves no trigger without a next instant (D08).
func TestResumeGivesANextInstant(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		saveJobs(t, s, jobItem("a", waitingTrigger("t", us(1)), waitingTrigger("flying", us(1))))
		if _, err := s.PauseJobs(ctx, []string{"a"}); err != nil {
			t.Fatal(err)
		}
		sqlExec(t, s, "UPDATE {{triggers}} SET scheduled_us = NULL, next_fire_us = NULL")
		sqlExec(t, s, "UPDATE {{triggers}} SET trigger_state = 2, claim_id = 1, claimed_by = 'n', incarnation = 1, claimed_us = 1 WHERE trigger_name = 'flying'")
		clock.add(time.Second)
		if _, err := s.ResumeJobs(ctx, []string{"a"}); err != nil {
			t.Fatal(err)
		}
		list, err := s.ListTriggers(ctx, provider.TriggerQuery{})
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		if flying := list[0]; flying.State != provider.TriggerAcquired || flying.Paused || !flying.NextFireAt.IsZero() {
			t.Errorf("in flight: %+v; want Acquired, its completion supplies the next", flying)
		}
		if tr := list[1]; tr.State != provider.TriggerWaiting || !tr.NextFireAt.Equal(clock.Now()) || !tr.ScheduledAt.Equal(clock.Now()) {
			t.Errorf("paused without a next: %+v; want Waiting and due now", tr)
		}
	})
}

// What a save may hold; each error names the field or value and the remedy,
// and nothing of the batch is written.
func TestSaveIsChecked(t *testing.T) {
	s := sqliteDatabase(t).store(t, Options{})
	noNext := waitingTrigger("t", us(1))
	noNext.NextFireAt = time.Time{}
	claimed := waitingTrigger("t", us(1))
	claimed.State = provider.TriggerAcquired
	elsewhere := waitingTrigger("t", us(1))
	elsewhere.Job = "b"
	for want, item := range map[string]provider.SaveItem{
		"Job.Name \"\" is empty": jobItem(""),
		"two triggers":           jobItem("a", waitingTrigger("t", us(1)), waitingTrigger("t", us(1))),
		`"b"`:                    jobItem("a", elsewhere),
		`"retry-x"`:              jobItem("a", waitingTrigger("retry-x", us(1))),
		"NextFireAt":             jobItem("a", noNext),
		"Acquired":               jobItem("a", claimed),
	} {
		_, err := s.SaveJobs(context.Background(), []provider.SaveItem{jobItem("good"), item})
		if e := asContract(t, err); e.Code != provider.CodeInvalidDefinition || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a validation error with %q", err, want)
		}
	}
	if jobs, err := s.ListJobs(context.Background(), "", 0); err != nil || len(jobs) != 0 {
		t.Errorf("written: %v, %v", jobs, err)
	}
}
