package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Ended is a run that has ended, with what the engine knows of it.
type Ended struct {
	// Run is the Running record; ID, Job, TriggerName, Attempt, RetryOf and
	// Data are used.
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
	// NoRetry says that the handler refused a retry, RetryAfter > 0 that it
	// chose the wait before it (D39).
	NoRetry    bool
	RetryAfter time.Duration
}

// Settle builds what follows from the end of a run (R159, R203, R218, D25): the
// interval trigger's next instant, the retry of a failed run, the recovery of
// one that its own isolated node declares Lost.
func (r *Rules) Settle(e Ended) provider.SettleFunc {
	return func(completedAt time.Time) provider.Settlement { return provider.Settlement{} }
}

// RetryWait returns how long after its failure the run is repeated; ok is false
// where it is not (R211, R216, R217, D39). It serves stored retries and those
// of local jobs alike.
func RetryWait(e Ended) (wait time.Duration, ok bool) { return 0, false }

// RetryTrigger builds the one-shot of the retry that follows a failed run
// (R218, R219, D10).
func RetryTrigger(e Ended, failedAt time.Time, wait time.Duration) provider.TriggerRecord {
	return provider.TriggerRecord{}
}

// Recover is a [provider.RecoverFunc]: the recovery one-shot of a Lost run, with
// the run's data, attempt and first run (R208, D04). ok is false where the job
// is gone, does not request recovery, or runs on every instance.
func Recover(run provider.RunRecord, job provider.JobRecord, now time.Time) (provider.TriggerRecord, bool) {
	return provider.TriggerRecord{}, false
}
