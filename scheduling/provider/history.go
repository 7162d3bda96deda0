package provider

import (
	"context"
	"time"
)

// MaxRunPage is the largest page of runs (R115).
const MaxRunPage = 1000

// History reads and keeps run records.
type History interface {
	// Runs reads a page, ScheduledAt descending, then Sequence descending
	// (R114). Skip and Limit must be legal; the engine has checked them.
	Runs(ctx context.Context, query RunQuery) ([]RunRecord, error)

	// CountRuns counts under the same filters, ignoring Skip and Limit
	// (R117).
	CountRuns(ctx context.Context, query RunQuery) (int64, error)

	// RunsByID reads runs by id, ordered by id; missing ones are left out.
	RunsByID(ctx context.Context, ids []string) ([]RunRecord, error)

	// RunningRuns reads the Running records of the given jobs, or of all
	// where jobs is empty, StartedAt ascending, then id (R118).
	RunningRuns(ctx context.Context, jobs []string) ([]RunRecord, error)

	// LatestRuns reads, for each job, the finished run with the latest
	// CompletedAt (R119), ordered by job; jobs without one are left out.
	LatestRuns(ctx context.Context, jobs []string) ([]RunRecord, error)

	// RequestCancel marks Running records (R236). A second request keeps the
	// first instant. Per id: nil or ErrRunNotFound.
	RequestCancel(ctx context.Context, ids []string) ([]error, error)

	// PurgeRuns deletes finished runs whose CompletedAt is earlier than the
	// store's now less age, at most 500 per transaction, until none is left
	// or ctx ends, and returns the number deleted (R120, D27). age ≤ 0
	// deletes nothing. A number and an error may come together.
	PurgeRuns(ctx context.Context, age time.Duration) (int64, error)
}

// RunQuery filters runs (R110–R115). Zero fields do not filter.
type RunQuery struct {
	Job     string
	Trigger string
	// Node is the executing node's id.
	Node   string
	States []RunState
	// From is inclusive, To exclusive, on ScheduledAt (R113).
	From time.Time
	To   time.Time
	// WithError true selects runs with an error code, WithoutError those
	// without; both together select nothing.
	WithError    bool
	WithoutError bool
	Skip         int
	Limit        int
}
