package plan

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/schedule"
)

// ownCalendar is an application's: it answers yes or no, and counts.
type ownCalendar struct {
	excluded func(time.Time) bool
	asked    *atomic.Int64
}

func own(excluded func(time.Time) bool) ownCalendar {
	return ownCalendar{excluded, new(atomic.Int64)}
}

func (c ownCalendar) IsExcluded(at time.Time) bool {
	c.asked.Add(1)
	return c.excluded(at)
}

// between excludes a stretch, its beginning included, its end not.
func between(from, to time.Time) func(time.Time) bool {
	return func(at time.Time) bool { return !at.Before(from) && at.Before(to) }
}

func always(time.Time) bool { return true }

func never(time.Time) bool { return false }

func panics(time.Time) bool { panic("the calendar's table is missing") }

// nights excludes 22:00 to 01:00 or 22:00 to 00:45, UTC.
func nights(t *testing.T, to string) schedule.Calendar {
	t.Helper()
	cal, err := schedule.NewDailyCalendar("22:00", to, "UTC")
	if err != nil {
		t.Fatal(err)
	}
	return cal
}

func weekly(t *testing.T, days ...time.Weekday) schedule.Calendar {
	t.Helper()
	cal, err := schedule.NewWeeklyCalendar(days, "UTC")
	if err != nil {
		t.Fatal(err)
	}
	return cal
}
