package scheduling

import (
	"context"
	"errors"
)

// The causes with which a run's context ends; ask for them with
// [context.Cause]. The first one decides the run's state (D20).
var (
	// ErrTimeout: the job's time limit passed. The run is Failed and follows
	// the retry policy (R224). It matches [context.DeadlineExceeded].
	ErrTimeout error = &cause{"scheduling: the run's time limit has passed", context.DeadlineExceeded}
	// ErrCanceled: someone asked for the run's end. Canceled, no retry (R217).
	ErrCanceled error = &cause{"scheduling: the run was asked to end", context.Canceled}
	// ErrStopping: the scheduler stops and ShutdownTimeout is over. Canceled,
	// no retry (R217, D29).
	ErrStopping error = &cause{"scheduling: the scheduler is stopping", context.Canceled}
	// ErrIsolated: the node has not reached the store for so long that
	// another may soon recover its runs. Lost, with recovery where the job
	// asks for it (D25).
	ErrIsolated error = &cause{"scheduling: the node has lost contact with the store", context.Canceled}
	// ErrLost: the store no longer holds the run as running on this node;
	// nothing that the handler does now is recorded (D06).
	ErrLost error = &cause{"scheduling: the run was declared lost", context.Canceled}
)

type cause struct {
	text  string
	means error
}

func (c *cause) Error() string { return c.text }

func (c *cause) Is(target error) bool { return target == c.means }

// causeOf returns which of the causes above ended ctx; nil if it has not
// ended. An end from elsewhere (a parent context) counts as a request.
func causeOf(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	got := context.Cause(ctx)
	for _, c := range []error{ErrTimeout, ErrCanceled, ErrStopping, ErrIsolated, ErrLost} {
		if errors.Is(got, c) {
			return c
		}
	}
	return ErrCanceled
}
