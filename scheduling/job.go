package scheduling

import (
	"time"
)

// TimeoutLimit is the longest time limit of a run (R151).
const TimeoutLimit = 30 * 24 * time.Hour

// MaxDescription is the longest description, in bytes.
const MaxDescription = 1024

// JobDefinition says what runs, when, and under which rules. It is a plain
// value; [Scheduler.AddJob] and [Scheduler.Schedule] check it, and report all
// its faults at once.
type JobDefinition struct {
	// Name is the job's identity: ^[a-z0-9][a-z0-9._-]{0,127}$ (R152).
	Name string
	// Handler is the key of the handler that runs the job ([Scheduler.Handle]);
	// empty means the job's name (G1). Printable ASCII, at most 128 bytes.
	Handler string
	// Description is for people, at most [MaxDescription] bytes.
	Description string
	// Triggers say when the job is due. None: it runs only when it is
	// triggered or enqueued (R128, R146).
	Triggers []TriggerDefinition
	// Data is handed to the handler (R147).
	Data Data
	// Retry says whether a failed run is repeated; the zero value: never.
	Retry RetryPolicy
	// Timeout ends the context of a run that takes longer; 0 = no limit, at
	// most [TimeoutLimit]. Cut to whole milliseconds.
	Timeout time.Duration
	// AllowConcurrent lets runs of the job overlap. Otherwise the job is
	// exclusive: at most one run at any moment in the whole cluster (R148).
	AllowConcurrent bool
	// RunOnEveryInstance makes every node run the job by its own clock,
	// without claiming (R149). Exclusive then means: within the node (R206).
	RunOnEveryInstance bool
	// RequestsRecovery enqueues a run again, once, that was lost with its
	// node (R150). Not together with RunOnEveryInstance (D04).
	RequestsRecovery bool
}

// NewJob returns the definition of a job with one trigger named
// [DefaultTrigger], or with none where s is the manual schedule (R140).
func NewJob(name string, s Schedule) JobDefinition {
	d := JobDefinition{Name: name}
	if !s.Equal(Schedule{}) {
		d.Triggers = []TriggerDefinition{{Name: DefaultTrigger, Schedule: s}}
	}
	return d
}
