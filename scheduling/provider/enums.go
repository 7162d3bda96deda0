package provider

import "fmt"

// The values of the enumerations are stored; they are fixed for ever.

// TriggerState is where a trigger stands (R263–R268). The zero value is not a
// state.
type TriggerState int16

// The states of a trigger.
const (
	// TriggerWaiting waits to be due, or is due and not yet claimed.
	TriggerWaiting TriggerState = 1
	// TriggerAcquired is claimed by a node; an interval trigger stays
	// Acquired until its run has ended (R265).
	TriggerAcquired TriggerState = 2
	// TriggerBlocked is due while the previous run of its exclusive job is
	// unfinished (R266).
	TriggerBlocked TriggerState = 3
	// TriggerPaused is paused and neither claimed nor blocked (D08).
	TriggerPaused TriggerState = 4
	// TriggerComplete has no next instant (R267).
	TriggerComplete TriggerState = 5
	// TriggerError cannot run; ErrorCode and ErrorText say why (R268).
	TriggerError TriggerState = 6
)

// String returns the state's name, for logs and status.
func (s TriggerState) String() string {
	return name(int(s), "TriggerState", "", "Waiting", "Acquired", "Blocked", "Paused", "Complete", "Error")
}

// Valid reports whether s is a state that this version knows.
func (s TriggerState) Valid() bool { return s >= TriggerWaiting && s <= TriggerError }

// RunState is where a run stands (D37). The zero value is not a state.
type RunState int16

// The states of a run. All but RunRunning are final (D05).
const (
	RunRunning   RunState = 1
	RunSucceeded RunState = 2
	RunFailed    RunState = 3
	RunCanceled  RunState = 4
	RunLost      RunState = 5
)

// String returns the state's name, for logs and status.
func (s RunState) String() string {
	return name(int(s), "RunState", "", "Running", "Succeeded", "Failed", "Canceled", "Lost")
}

// Valid reports whether s is a state that this version knows.
func (s RunState) Valid() bool { return s >= RunRunning && s <= RunLost }

// Final reports whether a run in this state has ended.
func (s RunState) Final() bool { return s > RunRunning && s <= RunLost }

// RunKind is what made a run happen (R136). The zero value is not a kind.
type RunKind int16

// The kinds of run; a trigger's RunAs is one of them too (D37).
const (
	KindSchedule RunKind = 1
	KindManual   RunKind = 2
	KindRetry    RunKind = 3
	KindRecovery RunKind = 4
)

// String returns the kind's name, for logs and status.
func (k RunKind) String() string {
	return name(int(k), "RunKind", "", "Schedule", "Manual", "Retry", "Recovery")
}

// Valid reports whether k is a kind that this version knows.
func (k RunKind) Valid() bool { return k >= KindSchedule && k <= KindRecovery }

// MisfirePolicy is what becomes of an occurrence that is late by more than the
// misfire threshold (R195–R199). The zero value is MisfireRunOnce.
type MisfirePolicy int16

// The misfire policies.
const (
	// MisfireRunOnce runs once at once, and goes on from now (R197).
	MisfireRunOnce MisfirePolicy = 0
	// MisfireSkip runs nothing, and goes on from now (R198).
	MisfireSkip MisfirePolicy = 1
	// MisfireRunAll makes up every missed occurrence, oldest first (R199, D13).
	MisfireRunAll MisfirePolicy = 2
)

// String returns the policy's name, for logs and status.
func (p MisfirePolicy) String() string {
	return name(int(p), "MisfirePolicy", "RunOnce", "Skip", "RunAll")
}

// Valid reports whether p is a policy that this version knows.
func (p MisfirePolicy) Valid() bool { return p >= MisfireRunOnce && p <= MisfireRunAll }

// Source says where a job's definition came from (R145, R243). The zero value
// is not a source.
type Source int16

// The sources of a definition.
const (
	// SourceCode is written by the code of a node at its start.
	SourceCode Source = 1
	// SourceRuntime was scheduled at run time and has no code definition.
	SourceRuntime Source = 2
	// SourceOverridden is a code job that was replaced at run time.
	SourceOverridden Source = 3
)

// String returns the source's name, for logs and status.
func (s Source) String() string {
	return name(int(s), "Source", "", "Code", "Runtime", "Overridden")
}

// Valid reports whether s is a source that this version knows.
func (s Source) Valid() bool { return s >= SourceCode && s <= SourceOverridden }

// Backoff is how the waits between retries grow (R213). The zero value is
// BackoffFixed.
type Backoff int16

// The kinds of backoff.
const (
	BackoffFixed       Backoff = 0
	BackoffExponential Backoff = 1
)

// String returns the backoff's name, for logs and status.
func (b Backoff) String() string { return name(int(b), "Backoff", "Fixed", "Exponential") }

// Valid reports whether b is a backoff that this version knows.
func (b Backoff) Valid() bool { return b >= BackoffFixed && b <= BackoffExponential }

func name(v int, kind string, names ...string) string {
	if v >= 0 && v < len(names) && names[v] != "" {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}
