package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// Ended is a run that has ended, with what the engine knows of it.
type Ended struct {
	// Run is the Running record; ID, Job, Attempt, RetryOf and Data are used.
	Run provider.RunRecord
	// Job is the job as it was when the run began: its retry policy is the
	// run's (D10).
	Job provider.JobRecord
	// Trigger is the trigger as it was before the run began, and After what
	// the decision made of it; zero for a synchronous trigger call.
	Trigger provider.TriggerRecord
	After   provider.Progress
	// State is the final state.
	State provider.RunState
	// NoRetry says that the handler refused a retry; WaitChosen, that it chose
	// the wait before it, Wait (D39).
	NoRetry    bool
	WaitChosen bool
	Wait       time.Duration
}

// Settle builds what follows from the end of a run: the interval trigger's next
// instant (R159, R203), the retry of a failed run (R218), the recovery of one
// that its own isolated node declares Lost (D25). Runs of a job that runs on
// every instance are never retried from the store (R221).
func (r *Rules) Settle(e Ended) provider.SettleFunc {
	return func(completedAt time.Time) provider.Settlement {
		var s provider.Settlement
		if e.After.State == provider.TriggerAcquired && !e.After.Delete {
			next := r.landed(e, completedAt)
			s.Trigger = &next
		}
		if e.State == provider.RunLost {
			if t, ok := Recover(e.Run, e.Job, completedAt); ok {
				s.Insert = &t
			}
		} else if wait, ok := RetryWait(e); ok && !e.Job.EveryInstance {
			t := RetryTrigger(e, completedAt, wait)
			s.Insert = &t
		}
		return s
	}
}

// landed is where an interval trigger in flight goes when its run has ended. An
// application's calendar is not asked here, but when the instant is due.
func (r *Rules) landed(e Ended, completedAt time.Time) provider.Next {
	s, err := parsed.parse(e.Trigger.Schedule)
	if err != nil || s.Kind() != schedule.Interval {
		// It was read when the run began, so this is another trigger's row.
		return complete()
	}
	cal, known, builtin := r.calendarOf(s)
	if !known || !builtin {
		cal = nil
	}
	at, f := direct{s, cal, e.After.FireCount}.after(completedAt)
	return nextOf(s, at, f)
}

// RetryWait returns how long after its failure the run is repeated; ok is false
// where it is not (R211, R216, R217, D39). It serves stored retries and those
// of local jobs alike. The wait is 0 to 30 days.
func RetryWait(e Ended) (wait time.Duration, ok bool) {
	done := max(e.Run.Attempt, 1) // this was the done-th run
	if e.State != provider.RunFailed || e.NoRetry || done > e.Job.Retry.MaxRetries {
		return 0, false
	}
	if e.WaitChosen {
		return min(max(e.Wait, 0), MaxDelay), true
	}
	return RetryDelay(e.Job.Retry, done), true
}

// RetryTrigger builds the one-shot of the retry that follows a failed run
// (R218, R219, D10), with the priority of the trigger that failed.
func RetryTrigger(e Ended, failedAt time.Time, wait time.Duration) provider.TriggerRecord {
	first := firstOf(e.Run)
	attempt := max(e.Run.Attempt, 1) + 1
	t := oneShot(e.Job, RetryName(first, attempt), provider.KindRetry, failedAt.Add(wait))
	t.Data, t.Attempt, t.RetryOf = e.Run.Data, attempt, first
	if e.Trigger.Job != "" {
		t.Priority = e.Trigger.Priority
	}
	return t
}

// Recover is a [provider.RecoverFunc]: the recovery one-shot of a Lost run, with
// the run's data, attempt and first run (R208, D04). ok is false where the job
// is gone, does not request recovery, or runs on every instance.
func Recover(run provider.RunRecord, job provider.JobRecord, now time.Time) (provider.TriggerRecord, bool) {
	if job.Name == "" || !job.RequestsRecovery || job.EveryInstance {
		return provider.TriggerRecord{}, false
	}
	t := oneShot(job, RecoveryName(run.ID), provider.KindRecovery, now)
	t.Data, t.Attempt, t.RetryOf = run.Data, max(run.Attempt, 1), run.RetryOf
	return t, true
}

var _ provider.RecoverFunc = Recover

// firstOf is the id of the first run of a group of retries.
func firstOf(run provider.RunRecord) string {
	if run.RetryOf != "" {
		return run.RetryOf
	}
	return run.ID
}
