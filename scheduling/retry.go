package scheduling

import (
	"errors"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The bounds of a retry policy (R211, R212, R214).
const (
	MaxRetriesLimit = plan.MaxRetries
	RetryDelayLimit = plan.MaxDelay // 30 days
)

// Backoff is how the waits between retries grow.
type Backoff = provider.Backoff

// The kinds of backoff (R213).
const (
	// BackoffFixed waits the same before each retry. The default.
	BackoffFixed = provider.BackoffFixed
	// BackoffExponential doubles the wait with each retry.
	BackoffExponential = provider.BackoffExponential
)

// RetryPolicy says whether and when a failed run is repeated (R211–R217). Only
// failures are: an error, a panic or the time limit; canceled and lost runs are
// not. The zero value never retries. Durations are cut to whole milliseconds.
type RetryPolicy struct {
	// MaxRetries is the number of runs after the first, 1 to 100; 0 = none.
	MaxRetries int
	// Delay is the wait before the first retry, 1 ms to 30 days.
	Delay time.Duration
	// MaxDelay caps exponential waits, 1 ms to 30 days; 0 = 30 days. Fixed
	// waits are not affected by it.
	MaxDelay time.Duration
	Backoff  Backoff
}

// FixedRetry waits delay before each of the retries. Values out of range are
// reported by [RetryPolicy.Validate] and wherever the policy is used.
func FixedRetry(retries int, delay time.Duration) RetryPolicy {
	return RetryPolicy{MaxRetries: retries, Delay: delay}
}

// ExponentialRetry waits delay before the first retry and twice as long before
// each further one, at most maxDelay; 0 = 30 days. Values out of range are
// reported by [RetryPolicy.Validate] and wherever the policy is used.
func ExponentialRetry(retries int, delay, maxDelay time.Duration) RetryPolicy {
	return RetryPolicy{MaxRetries: retries, Delay: delay, MaxDelay: maxDelay, Backoff: BackoffExponential}
}

// DelayFor returns the wait before the n-th retry, n counting from 1 (R215).
func (p RetryPolicy) DelayFor(n int) time.Duration {
	return plan.RetryDelay(provider.RetryPolicy(p.cut()), n)
}

// IsZero reports whether p is no policy.
func (p RetryPolicy) IsZero() bool { return p == RetryPolicy{} }

// Validate returns all faults of p, joined; nil when there is none.
func (p RetryPolicy) Validate() error {
	if p.IsZero() {
		return nil
	}
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf(format, args...))
	}
	if p.MaxRetries < 1 || p.MaxRetries > MaxRetriesLimit {
		fault("Retry.MaxRetries %d: use 1 to %d, or the zero policy for no retries", p.MaxRetries, MaxRetriesLimit)
	}
	if c := p.cut(); c.Delay < time.Millisecond || c.Delay > RetryDelayLimit {
		fault("Retry.Delay %v: use 1ms to 720h", p.Delay)
	}
	if p.MaxDelay != 0 {
		if c := p.cut(); c.MaxDelay < time.Millisecond || c.MaxDelay > RetryDelayLimit {
			fault("Retry.MaxDelay %v: use 1ms to 720h, or 0 for 720h", p.MaxDelay)
		}
	}
	if !p.Backoff.Valid() {
		fault("Retry.Backoff %d: use BackoffFixed or BackoffExponential", p.Backoff)
	}
	return errors.Join(faults...)
}

// cut drops what is finer than the stored milliseconds.
func (p RetryPolicy) cut() RetryPolicy {
	p.Delay = p.Delay.Truncate(time.Millisecond)
	p.MaxDelay = p.MaxDelay.Truncate(time.Millisecond)
	return p
}
