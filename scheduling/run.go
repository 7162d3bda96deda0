package scheduling

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// MaxResult is the largest result that a run keeps, in bytes of JSON (D39).
const MaxResult = 64 << 10

// Run is one execution of a job, as its handler sees it. The exported fields
// are set before the handler starts and are the handler's to read; the methods
// are safe for concurrent use.
type Run struct {
	// ID is the run's UUIDv7 in its 36-character form.
	ID string
	// Job is the job's name, Trigger the trigger's; Trigger is empty for a
	// synchronous [Scheduler.Trigger] call.
	Job     string
	Trigger string
	// Kind is what made the run happen.
	Kind provider.RunKind
	// Node is the id of the node that runs it.
	Node string
	// ScheduledAt is the occurrence that the run stands for, StartedAt when
	// it began by the store's clock; local jobs use the node's clock (R149).
	ScheduledAt time.Time
	StartedAt   time.Time
	// Attempt counts from 1; RetryOf is the first run's id of a retry.
	Attempt int
	RetryOf string
	// Fence grows with every run of an exclusive job, so that what the run
	// writes to can refuse an older one (D25). 0 for other jobs.
	Fence int64
	// Data is the job's data, overlaid by the trigger's and the request's.
	Data Data

	logger *slog.Logger
	mu     sync.Mutex
	result string
}

// Logger returns a logger that names job, trigger, run and node on every line.
// It is never nil.
func (r *Run) Logger() *slog.Logger {
	if r.logger == nil {
		return slog.Default()
	}
	return r.logger
}

// SetResult stores v as the run's result, as JSON of at most [MaxResult]
// bytes; a later call replaces it, nil removes it. It is kept however the run
// ends. What cannot be encoded, or is too large, is an error, and the earlier
// result stays.
func (r *Run) SetResult(v any) error {
	text := ""
	if v != nil {
		raw, err := json.Marshal(v)
		if err != nil {
			return provider.Invalidf("result of run %s: %v: give it a value that encoding/json can encode", r.ID, err)
		}
		text = string(raw)
	}
	if len(text) > MaxResult {
		return provider.Invalidf("result of run %s: %d bytes of JSON: keep at most %d, and store the rest elsewhere",
			r.ID, len(text), MaxResult)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result = text
	return nil
}

func (r *Run) takeResult() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.result
}

// String names the run for messages.
func (r *Run) String() string { return fmt.Sprintf("run %s of job %s", r.ID, r.Job) }

type runKey struct{}

// FromContext returns the run that ctx belongs to (R139); ok is false outside
// a handler.
func FromContext(ctx context.Context) (run *Run, ok bool) {
	run, ok = ctx.Value(runKey{}).(*Run)
	return run, ok
}
