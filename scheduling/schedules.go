package scheduling

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// Schedule says when a trigger is due; see package schedule for its kinds, its
// text form and its window. The zero value is the manual schedule.
type Schedule = schedule.Schedule

// Calendar excludes instants from schedules that name it. One of the
// application's own is registered with [Scheduler.AddCalendar] and runs outside
// of every transaction; package schedule has calendars for holidays, weekdays,
// times of day and cron expressions.
type Calendar = schedule.Calendar

// NewCron is [schedule.NewCron]: the instants of a cron expression on the clock
// of a zone, "" for UTC.
func NewCron(expr, zone string) (Schedule, error) { return schedule.NewCron(expr, zone) }

// MustCron is [NewCron] for literals; it panics on an error.
func MustCron(expr, zone string) Schedule { return schedule.MustCron(expr, zone) }

// NewEvery is [schedule.NewEvery]: d after each completion, without end.
func NewEvery(d time.Duration) (Schedule, error) { return schedule.NewEvery(d) }

// MustEvery is [NewEvery] for literals; it panics on an error.
func MustEvery(d time.Duration) Schedule { return schedule.MustEvery(d) }

// NewEveryTimes is [schedule.NewEveryTimes]: d after each completion, total
// runs in all.
func NewEveryTimes(d time.Duration, total int64) (Schedule, error) {
	return schedule.NewEveryTimes(d, total)
}

// MustEveryTimes is [NewEveryTimes] for literals; it panics on an error.
func MustEveryTimes(d time.Duration, total int64) Schedule {
	return schedule.MustEveryTimes(d, total)
}

// NewOnce is [schedule.NewOnce]: one run at an instant.
func NewOnce(at time.Time) (Schedule, error) { return schedule.NewOnce(at) }

// MustOnce is [NewOnce] for literals; it panics on an error.
func MustOnce(at time.Time) Schedule { return schedule.MustOnce(at) }

// ParseSchedule is [schedule.Parse]: it reads the text that Schedule.String
// writes and that people type (R166, R167).
func ParseSchedule(text string) (Schedule, error) { return schedule.Parse(text) }

// MustParseSchedule is [ParseSchedule] for literals; it panics on an error.
func MustParseSchedule(text string) Schedule { return schedule.MustParse(text) }

// MisfirePolicy says what becomes of an occurrence that is late by more than
// [Options].MisfireThreshold.
type MisfirePolicy = provider.MisfirePolicy

// The misfire policies (R197–R199).
const (
	// RunOnce runs once at once and goes on from now. The default.
	RunOnce = provider.MisfireRunOnce
	// Skip runs nothing and goes on from now.
	Skip = provider.MisfireSkip
	// RunAll makes up every missed occurrence, oldest first, at most one per
	// poll interval in the whole cluster (D13).
	RunAll = provider.MisfireRunAll
)
