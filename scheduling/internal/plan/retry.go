package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The bounds of a retry policy (R211, R212, R214).
const (
	MaxRetries = 100
	MaxDelay   = 30 * 24 * time.Hour
)

// RetryDelay returns the wait before the n-th retry, n counting from 1 (R213):
// the policy's delay, or for exponential backoff delay × 2^(n−1), at most the
// policy's MaxDelay, where it has one, and never more than 30 days. n below 1
// is read as 1.
func RetryDelay(p provider.RetryPolicy, n int) time.Duration {
	if p.Backoff != provider.BackoffExponential {
		return min(p.Delay, MaxDelay)
	}
	most := MaxDelay
	if p.MaxDelay > 0 {
		most = min(p.MaxDelay, MaxDelay)
	}
	wait := p.Delay
	for i := 1; i < n && wait < most; i++ {
		wait *= 2 // below most, so at most 60 days: no overflow
	}
	return min(wait, most)
}
