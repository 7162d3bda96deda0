package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

const runID = "0198c5f0-0000-7000-8000-000000000001"

func failedRun(attempt int, retryOf string) Ended {
	j := job()
	j.Retry = provider.RetryPolicy{MaxRetries: 3, Delay: time.Minute, Backoff: provider.BackoffExponential}
	t := waitingAt(nightly, at("02:00:00"))
	t.Priority = 8
	return Ended{
		Run: provider.RunRecord{ID: runID, Job: "j", TriggerName: "t", Attempt: attempt, RetryOf: retryOf, Data: `{"n":1}`},
		Job: j, Trigger: t, State: provider.RunFailed,
		After: provider.Progress{Next: waiting(schedule.Schedule{}, at("2026-03-03T02:00:00Z"))},
	}
}

// TestRetry: which runs are repeated, when, and as what (R211, R216–R219, D10,
// D39, B123).
func TestRetry(t *testing.T) {
	failedAt := at("02:00:07")
	tests := []struct {
		name    string
		change  func(*Ended)
		retried bool
		name2   string
		attempt int
		first   string
		wait    time.Duration
	}{
		{"first failure", func(*Ended) {}, true, "retry-" + runID + "-2", 2, runID, time.Minute},
		{"attempt 0 is read as 1 (R088)", func(e *Ended) { e.Run.Attempt = 0 }, true, "retry-" + runID + "-2", 2, runID, time.Minute},
		{"second failure", func(e *Ended) { e.Run.Attempt, e.Run.RetryOf = 2, "first" }, true, "retry-first-3", 3, "first", 2 * time.Minute},
		{"third failure", func(e *Ended) { e.Run.Attempt, e.Run.RetryOf = 3, "first" }, true, "retry-first-4", 4, "first", 4 * time.Minute},
		{"the retries are used up (R211)", func(e *Ended) { e.Run.Attempt, e.Run.RetryOf = 4, "first" }, false, "", 0, "", 0},
		{"no policy", func(e *Ended) { e.Job.Retry = provider.RetryPolicy{} }, false, "", 0, "", 0},
		{"succeeded", func(e *Ended) { e.State = provider.RunSucceeded }, false, "", 0, "", 0},
		{"canceled (R217)", func(e *Ended) { e.State = provider.RunCanceled }, false, "", 0, "", 0},
		{"lost (R210, B123)", func(e *Ended) { e.State = provider.RunLost }, false, "", 0, "", 0},
		{"the handler refuses (D39)", func(e *Ended) { e.NoRetry = true }, false, "", 0, "", 0},
		{"the handler chooses the wait (D39)", func(e *Ended) { e.WaitChosen, e.Wait = true, 5*time.Second }, true, "retry-" + runID + "-2", 2, runID, 5 * time.Second},
		{"at once (D39)", func(e *Ended) { e.WaitChosen = true }, true, "retry-" + runID + "-2", 2, runID, 0},
		{"a wait beyond the limit is cut", func(e *Ended) { e.WaitChosen, e.Wait = true, 100*24*time.Hour }, true, "retry-" + runID + "-2", 2, runID, MaxDelay},
		{"a negative wait is none", func(e *Ended) { e.WaitChosen, e.Wait = true, -time.Hour }, true, "retry-" + runID + "-2", 2, runID, 0},
		{"a chosen wait adds no retry (D39)", func(e *Ended) { e.WaitChosen, e.Run.Attempt = true, 4 }, false, "", 0, "", 0},
		{"every instance: never stored (R221)", func(e *Ended) { e.Job.EveryInstance = true }, false, "", 0, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := failedRun(1, "")
			tt.change(&e)
			s := rules(nil).Settle(e)(failedAt)
			if s.Trigger != nil {
				t.Errorf("a cron trigger moves with the end of its run: %+v", s.Trigger)
			}
			if (s.Insert != nil) != tt.retried {
				t.Fatalf("insert %+v, want one: %v", s.Insert, tt.retried)
			}
			if !tt.retried {
				return
			}
			due := failedAt.Add(tt.wait)
			want := provider.TriggerRecord{
				TriggerKey: provider.TriggerKey{Job: "j", Trigger: tt.name2}, Priority: 8,
				State: provider.TriggerWaiting, ScheduledAt: due, NextFireAt: due,
				RunAs: provider.KindRetry, Attempt: tt.attempt, RetryOf: tt.first, Data: `{"n":1}`,
			}
			if *s.Insert != want {
				t.Errorf("retry\n%+v, want\n%+v", *s.Insert, want)
			}
			if again := rules(nil).Settle(e)(failedAt); *again.Insert != *s.Insert {
				t.Errorf("asked again: %+v", again.Insert)
			}
		})
	}
}

// TestRetryOfATriggerCall (R222): without a trigger it has the default priority,
// and an exclusive job's retry says so (R220).
func TestRetryOfATriggerCall(t *testing.T) {
	e := failedRun(1, "")
	e.Trigger, e.After, e.Run.TriggerName = provider.TriggerRecord{}, provider.Progress{}, ""
	e.Job.AllowConcurrent = false
	s := rules(nil).Settle(e)(at("02:00:07"))
	if s.Insert == nil || s.Insert.Priority != DefaultPriority || !s.Insert.Exclusive || s.Trigger != nil {
		t.Errorf("%+v", s)
	}
}

// TestRetryNamesAreLegal within the grammar (R152, D10).
func TestRetryNamesAreLegal(t *testing.T) {
	for _, name := range []string{RetryName(runID, MaxRetries+1), RecoveryName(runID), ManualName("a")} {
		if err := provider.CheckName("trigger", name); err != nil {
			t.Error(err)
		}
		if !provider.IsOneShot(name) {
			t.Errorf("%s is no one-shot", name)
		}
	}
}

// TestRetryDelay (R212–R214, B122).
func TestRetryDelay(t *testing.T) {
	const ms = time.Millisecond
	day := 24 * time.Hour
	tests := []struct {
		name   string
		policy provider.RetryPolicy
		want   map[int]time.Duration
	}{
		{"fixed", provider.RetryPolicy{Delay: 100 * ms}, map[int]time.Duration{1: 100 * ms, 2: 100 * ms, 100: 100 * ms}},
		{"fixed is not affected by MaxDelay", provider.RetryPolicy{Delay: 100 * ms, MaxDelay: 10 * ms}, map[int]time.Duration{1: 100 * ms}},
		{"exponential (B122)", provider.RetryPolicy{Delay: 100 * ms, Backoff: provider.BackoffExponential},
			map[int]time.Duration{0: 100 * ms, 1: 100 * ms, 2: 200 * ms, 3: 400 * ms, 4: 800 * ms, 5: 1600 * ms}},
		{"capped", provider.RetryPolicy{Delay: 100 * ms, MaxDelay: 500 * ms, Backoff: provider.BackoffExponential},
			map[int]time.Duration{1: 100 * ms, 3: 400 * ms, 4: 500 * ms, 100: 500 * ms}},
		{"the cap may be below the delay", provider.RetryPolicy{Delay: 100 * ms, MaxDelay: 50 * ms, Backoff: provider.BackoffExponential},
			map[int]time.Duration{1: 50 * ms, 2: 50 * ms}},
		{"30 days cap all", provider.RetryPolicy{Delay: 20 * day, Backoff: provider.BackoffExponential},
			map[int]time.Duration{1: 20 * day, 2: 30 * day, 100: 30 * day}},
		{"no overflow", provider.RetryPolicy{Delay: ms, Backoff: provider.BackoffExponential},
			map[int]time.Duration{100: 30 * day, 1 << 30: 30 * day}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for n, want := range tt.want {
				if got := RetryDelay(tt.policy, n); got != want {
					t.Errorf("before retry %d: %v, want %v", n, got, want)
				}
			}
		})
	}
}

// TestRecover: the recovery has the run's data, attempt and first run; whether it
// is wanted is the job's present saying (R150, R208, D04, D10, B139, B140).
func TestRecover(t *testing.T) {
	now := at("02:10:00")
	run := provider.RunRecord{
		ID: runID, Job: "j", TriggerName: "t", Kind: provider.KindSchedule, Attempt: 2, RetryOf: "first", Data: `{"k":"v"}`,
	}
	tests := []struct {
		name   string
		change func(*provider.JobRecord)
		want   bool
	}{
		{"requested", func(j *provider.JobRecord) {}, true},
		{"handler unknown here (B140)", func(j *provider.JobRecord) { j.Handler = "unknown" }, true},
		{"not requested (B139)", func(j *provider.JobRecord) { j.RequestsRecovery = false }, false},
		{"every instance (D04)", func(j *provider.JobRecord) { j.EveryInstance = true }, false},
		{"the job is gone", func(j *provider.JobRecord) { *j = provider.JobRecord{RequestsRecovery: true} }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := job()
			j.RequestsRecovery, j.AllowConcurrent = true, false
			tt.change(&j)
			got, ok := Recover(run, j, now)
			if ok != tt.want {
				t.Fatalf("ok %v, want %v", ok, tt.want)
			}
			want := provider.TriggerRecord{}
			if tt.want {
				want = provider.TriggerRecord{
					TriggerKey: provider.TriggerKey{Job: "j", Trigger: "recovery-" + runID}, Priority: DefaultPriority,
					State: provider.TriggerWaiting, ScheduledAt: now, NextFireAt: now, Exclusive: true,
					RunAs: provider.KindRecovery, Attempt: 2, RetryOf: "first", Data: `{"k":"v"}`,
				}
			}
			if got != want {
				t.Errorf("got\n%+v, want\n%+v", got, want)
			}
		})
	}
}

// TestSettleIsolation: a run that its own node declares Lost is recovered by the
// same rule, and an interval trigger goes on (D25).
func TestSettleIsolation(t *testing.T) {
	e := failedRun(1, "")
	e.State, e.Job.RequestsRecovery = provider.RunLost, true
	e.Trigger.Schedule = "every 00:10:00"
	e.After = provider.Progress{Next: provider.Next{State: provider.TriggerAcquired}, FireCount: 1}
	s := rules(nil).Settle(e)(at("02:05:00"))
	if s.Insert == nil || s.Insert.Trigger != "recovery-"+runID || s.Insert.RunAs != provider.KindRecovery {
		t.Errorf("insert %+v, want a recovery", s.Insert)
	}
	if s.Trigger == nil || !s.Trigger.ScheduledAt.Equal(at("02:15:00")) {
		t.Errorf("trigger %+v, want 02:15", s.Trigger)
	}
}

// TestSettleInterval: where an interval goes, for every end of its run (R203).
func TestSettleInterval(t *testing.T) {
	cal := own(panics) // never asked here
	r := rules(map[string]schedule.Calendar{"c": cal, "nights": nights(t, "01:00")})
	done := at("21:50:00")
	tests := []struct {
		name, text string
		runs       int64
		want       provider.Next
	}{
		{"goes on", "every 00:05:00", 1, waiting(schedule.Schedule{}, at("21:55:00"))},
		{"built-in calendar (R185)", "every 00:15:00 calendar=nights", 1, waiting(schedule.Schedule{}, at("2026-03-03T01:00:00Z"))},
		{"application's calendar: asked when due", "every 00:15:00 calendar=c", 1, waiting(schedule.Schedule{}, at("22:05:00"))},
		{"calendar gone: found out when due (D14)", "every 00:15:00 calendar=gone", 1, waiting(schedule.Schedule{}, at("22:05:00"))},
		{"count used up (R160)", "every 00:05:00 x3", 3, complete()},
		{"count not used up", "every 00:05:00 x3", 2, waiting(schedule.Schedule{}, at("21:55:00"))},
		{"past the end (R164)", "every 00:05:00 end=2026-03-02T21:54:59Z", 1, complete()},
		{"no interval any more", "cron 0 0 * * * *", 1, complete()},
	}
	for _, tt := range tests {
		for _, state := range []provider.RunState{provider.RunSucceeded, provider.RunFailed, provider.RunCanceled, provider.RunLost} {
			t.Run(tt.name+"/"+state.String(), func(t *testing.T) {
				e := Ended{Run: provider.RunRecord{ID: runID}, Job: job(), Trigger: waitingAt(tt.text, at("21:45:00")), State: state,
					After: provider.Progress{Next: provider.Next{State: provider.TriggerAcquired}, FireCount: tt.runs}}
				s := r.Settle(e)(done)
				if s.Trigger == nil || *s.Trigger != tt.want {
					t.Errorf("trigger %+v, want %+v", s.Trigger, tt.want)
				}
			})
		}
	}
	if cal.asked.Load() != 0 {
		t.Error("an application's calendar ran inside the completion")
	}
	// A one-shot whose row is gone, and a cron trigger, move nothing.
	for _, after := range []provider.Progress{{Delete: true}, {Next: provider.Next{State: provider.TriggerWaiting}}, {}} {
		if s := r.Settle(Ended{Job: job(), After: after, State: provider.RunSucceeded})(done); s.Trigger != nil || s.Insert != nil {
			t.Errorf("after %+v: %+v", after, s)
		}
	}
}
