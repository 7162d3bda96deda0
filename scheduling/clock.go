package scheduling

import (
	"context"
	"time"
)

// Clock is the node's own clock with its timers. It decides when the engine
// looks at the store, how long it trusts its lease and its heartbeat, and when
// local jobs are due; everything that nodes share is judged by the store's
// clock (D26). An implementation is safe for concurrent use.
//
// The zero [Options] use the system's clock, which inside a testing/synctest
// bubble is the bubble's. Time limits of runs and deadlines of store calls
// always use the runtime's timers.
type Clock interface {
	// Now returns the present with a monotonic reading where there is one.
	Now() time.Time
	// AfterFunc calls f in a goroutine of its own once d has passed; stop
	// prevents that and reports whether it did.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// systemClock is the only reader of [time.Now] in this module.
type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}

// elapsed is how long ago from was, seen from to: the greater of the monotonic
// and the wall-clock difference, because the monotonic clock stands still
// while a machine sleeps and the wall clock may be set back (D26). Whoever
// trusts something of his own (a lease, a heartbeat) counts with it, since it
// errs towards giving up too early.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)), 0)
}

// stood is the opposite of [elapsed]: how long the caller has surely watched
// between two looks, at most gap. Whoever judges others counts with it: time
// in which he himself stood still is not time watched (D26).
func stood(from, to time.Time, gap time.Duration) time.Duration {
	return max(min(to.Sub(from), to.Round(0).Sub(from.Round(0)), gap), 0)
}

// pause waits until d has passed, wake has a value, or ctx ends; it reports
// whether ctx is still alive. A nil wake never has one; d ≤ 0 only looks.
func pause(ctx context.Context, c Clock, d time.Duration, wake <-chan struct{}) bool {
	if d > 0 {
		passed := make(chan struct{})
		stop := c.AfterFunc(d, func() { close(passed) })
		defer stop()
		select {
		case <-passed:
		case <-wake:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}
