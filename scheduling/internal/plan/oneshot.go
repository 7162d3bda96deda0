package plan

import (
	"strconv"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// DefaultPriority is the priority of a trigger that does not say (R154).
const DefaultPriority = 5

// The names of one-shots are derived, so that inserting one twice is noticed
// (D10).

// ManualName is the one-shot of an enqueue call under a key.
func ManualName(key string) string { return provider.PrefixManual + key }

// RetryName is the one-shot of a retry of a first run.
func RetryName(first string, attempt int) string {
	return provider.PrefixRetry + first + "-" + strconv.Itoa(attempt)
}

// RecoveryName is the one-shot of a Lost run's recovery.
func RecoveryName(run string) string { return provider.PrefixRecovery + run }

// oneShot is a one-shot of a job, due at an instant, cut to microseconds (D31).
func oneShot(job provider.JobRecord, name string, kind provider.RunKind, due time.Time) provider.TriggerRecord {
	due = due.UTC().Truncate(time.Microsecond)
	return provider.TriggerRecord{
		TriggerKey:  provider.TriggerKey{Job: job.Name, Trigger: name},
		Priority:    DefaultPriority,
		State:       provider.TriggerWaiting,
		Exclusive:   !job.AllowConcurrent,
		ScheduledAt: due,
		NextFireAt:  due,
		RunAs:       kind,
		Attempt:     1,
	}
}
