package scheduling

import (
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The records and filters that management calls answer and take. They are plain
// values, safe to keep.
type (
	// JobRecord is a job as it is stored.
	JobRecord = provider.JobRecord
	// TriggerRecord is a trigger as it is stored.
	TriggerRecord = provider.TriggerRecord
	// RunRecord is a run in the history.
	RunRecord = provider.RunRecord
	// NodeRecord is a node of the cluster.
	NodeRecord = provider.NodeRecord
	// RunQuery filters runs; the zero value selects all (R110).
	RunQuery = provider.RunQuery
	// TriggerQuery filters triggers; the zero value selects all.
	TriggerQuery = provider.TriggerQuery
	// RunState is where a run stands.
	RunState = provider.RunState
	// RunKind is what made a run happen.
	RunKind = provider.RunKind
	// Source says where a job's definition came from.
	Source = provider.Source
)

// The states of a run (D37). All but RunRunning are final (D05).
const (
	RunRunning   = provider.RunRunning
	RunSucceeded = provider.RunSucceeded
	RunFailed    = provider.RunFailed
	RunCanceled  = provider.RunCanceled
	RunLost      = provider.RunLost
)

// The kinds of run (R136).
const (
	KindSchedule = provider.KindSchedule
	KindManual   = provider.KindManual
	KindRetry    = provider.KindRetry
	KindRecovery = provider.KindRecovery
)

// The sources of a definition (R145, R243).
const (
	// SourceCode is written by the program at its start.
	SourceCode = provider.SourceCode
	// SourceRuntime was scheduled at run time.
	SourceRuntime = provider.SourceRuntime
	// SourceOverridden is a code job that was replaced at run time.
	SourceOverridden = provider.SourceOverridden
)
