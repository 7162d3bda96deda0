package scheduling_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// R211–R215: all faults of a policy at once, each with field, value and bound.
func TestRetryPolicyValidate(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		name   string
		policy scheduling.RetryPolicy
		want   []string
	}{
		{"none", scheduling.RetryPolicy{}, nil},
		{"least", scheduling.FixedRetry(1, time.Millisecond), nil},
		{"most", scheduling.ExponentialRetry(100, 30*day, 30*day), nil},
		{"no cap", scheduling.ExponentialRetry(3, time.Minute, 0), nil},
		{"cap on fixed waits has no effect", scheduling.RetryPolicy{MaxRetries: 1, Delay: time.Second, MaxDelay: time.Second}, nil},
		{"too many", scheduling.FixedRetry(101, time.Second), []string{"Retry.MaxRetries 101: use 1 to 100"}},
		{"no retries but a delay", scheduling.FixedRetry(0, time.Second), []string{"Retry.MaxRetries 0"}},
		{"negative", scheduling.FixedRetry(-1, time.Second), []string{"Retry.MaxRetries -1"}},
		{"no delay", scheduling.FixedRetry(1, 0), []string{"Retry.Delay 0s: use 1ms to 720h"}},
		{"less than is stored", scheduling.FixedRetry(1, 999*time.Microsecond), []string{"Retry.Delay 999µs"}},
		{"too long", scheduling.FixedRetry(1, 30*day+time.Millisecond), []string{"Retry.Delay 720h0m0.001s"}},
		{"all at once", scheduling.RetryPolicy{MaxRetries: 200, Delay: -1, MaxDelay: -time.Second, Backoff: 9},
			[]string{"Retry.MaxRetries 200", "Retry.Delay -1ns", "Retry.MaxDelay -1s", "Retry.Backoff 9"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.policy.Validate()
			if (err != nil) != (len(tt.want) > 0) {
				t.Fatalf("error %v, want %q", err, tt.want)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v lacks %q", err, want)
				}
			}
		})
	}
}

// R213, R215, B122: the waits, in the milliseconds that are stored.
func TestDelayFor(t *testing.T) {
	p := scheduling.ExponentialRetry(5, 100*time.Millisecond+999*time.Microsecond, 500*time.Millisecond)
	want := []time.Duration{100, 200, 400, 500, 500}
	for i, w := range want {
		equal(t, "wait", p.DelayFor(i+1), w*time.Millisecond)
	}
	equal(t, "fixed", scheduling.FixedRetry(5, time.Second).DelayFor(5), time.Second)
	equal(t, "none", scheduling.RetryPolicy{}.DelayFor(1), time.Duration(0))
}
