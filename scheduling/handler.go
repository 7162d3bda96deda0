package scheduling

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// Handler does the work of a run (G1). ctx is the run's own: it carries the
// run ([FromContext]), has the job's time limit as its deadline, and ends with
// one of [ErrTimeout], [ErrCanceled], [ErrStopping], [ErrIsolated] and
// [ErrLost] as its [context.Cause]. The first cause decides the run's state,
// whatever the handler returns afterwards (D20).
//
// A nil error means Succeeded; any other, a panic and [runtime.Goexit]
// included, means Failed, and the job's retry policy applies. A handler that
// ignores its context is not killed: it keeps its slot until it returns (R225).
//
// A handler is called from many goroutines at once, unless its job is
// exclusive.
type Handler func(ctx context.Context, run *Run) error

// Middleware wraps handlers. The first one given to [Scheduler.Use] is the
// outermost. It wraps the handler on every start path: schedule, retry,
// recovery, Enqueue, Trigger and local runs (G2).
type Middleware func(next Handler) Handler

// HandlerKeys lists the keys under which handlers are registered, in bytewise
// order (R242): what a definition may name on this node. It is never nil, the
// caller's own, and may be called at any time from any goroutine.
func (s *Scheduler) HandlerKeys() []string {
	s.reg.mu.RLock()
	defer s.reg.mu.RUnlock()
	return append([]string{}, slices.Sorted(maps.Keys(s.reg.handlers))...)
}

// chain builds the handler that is called.
func chain(h Handler, wrap []Middleware) (wrapped Handler, err error) {
	defer func() {
		if r := recover(); r != nil {
			wrapped, err = nil, fmt.Errorf("a middleware panicked when it was given the handler: %v", r)
		}
	}()
	for i := len(wrap) - 1; i >= 0; i-- {
		if h = wrap[i](h); h == nil {
			return nil, fmt.Errorf("middleware %d returned nil: let it return a handler", i)
		}
	}
	return h, nil
}

// Typed makes a handler of a function that takes the run's data as a T, bound
// as [Data.Bind] does; without data it is the zero T. Data that does not fit
// fails the run without retries, because the same data would not fit the next
// time.
func Typed[T any](h func(ctx context.Context, run *Run, data T) error) Handler {
	return func(ctx context.Context, run *Run) error {
		var data T
		if err := run.Data.Bind(&data); err != nil {
			return NoRetry(err)
		}
		return h(ctx, run, data)
	}
}
