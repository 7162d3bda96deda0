package inmemory

import "time"

// clock returns the store's clock: the one given, or the machine's.
func clock(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}

// cut brings an instant into the stored form: UTC, whole microseconds,
// without a monotonic reading (D31). None stays none.
func cut(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// cutDuration brings a duration into the stored form: whole milliseconds.
func cutDuration(d time.Duration) time.Duration { return d.Truncate(time.Millisecond) }
