package schedule_test

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/schedule"
)

func Example() {
	s := schedule.MustCron("0 9 * * MON-FRI", "Asia/Shanghai").WithCalendar("holidays")
	holidays := schedule.MustHolidayCalendar([]schedule.Date{
		{Year: 2026, Month: time.October, Day: 1},
		{Year: 2026, Month: time.October, Day: 2},
	}, "Asia/Shanghai")

	stored := time.Date(2026, time.September, 30, 12, 0, 0, 0, time.UTC)
	first, ok := s.First(stored, holidays)
	fmt.Println(s)
	fmt.Println(first.In(s.Location()).Format("Mon 2 Jan 15:04"), ok)
	// Output:
	// cron 0 0 9 * * MON-FRI tz=Asia/Shanghai calendar=holidays
	// Mon 5 Oct 09:00 true
}

func ExampleParse() {
	s, err := schedule.Parse("cron 0 6 * * * tz=W. Europe Standard Time end=2026-12-31T23:59:59+01:00")
	fmt.Println(s, err)

	_, err = schedule.Parse("every 10m")
	fmt.Println(err)
	// Output:
	// cron 0 0 6 * * * tz=Europe/Berlin end=2026-12-31T22:59:59.0000000+00:00 <nil>
	// schedule: interval "10m": perhaps 00:10:00 is meant; write [d.]hh:mm:ss, as in 00:10:00 or 1.12:00:00
}

// The delay of an interval counts from the completion, so a run that takes
// longer than the interval makes no backlog.
func ExampleSchedule_Next_interval() {
	s := schedule.MustEveryTimes(5*time.Second, 3)
	completed := time.Date(2026, time.June, 1, 10, 0, 6, 0, time.UTC)

	fmt.Println(s.Next(completed, 1, nil))
	fmt.Println(s.Next(completed, 3, nil)) // all three have run
	// Output:
	// 2026-06-01 10:00:11 +0000 UTC true
	// 0001-01-01 00:00:00 +0000 UTC false
}

// An interval that falls into an exclusion is put off to its end.
func ExampleNewCompositeCalendar() {
	closed := schedule.MustCompositeCalendar(
		schedule.MustDailyCalendar("18:00", "08:00", "Europe/Berlin"),
		schedule.MustWeeklyCalendar(nil, "Europe/Berlin"), // Saturday and Sunday
	)
	friday := time.Date(2026, time.June, 5, 15, 45, 0, 0, time.UTC)
	next, _ := schedule.MustEvery(30*time.Minute).Next(friday, 1, closed)
	fmt.Println(next)
	// Output:
	// 2026-06-08 06:00:00 +0000 UTC
}

// fullMoon is an application's own calendar: one method.
type fullMoon struct{ known []time.Time }

func (c fullMoon) IsExcluded(at time.Time) bool {
	for _, moon := range c.known {
		if d := at.Sub(moon); -12*time.Hour <= d && d < 12*time.Hour {
			return true
		}
	}
	return false
}

func ExampleCalendar() {
	moons := fullMoon{[]time.Time{time.Date(2026, time.May, 31, 8, 45, 0, 0, time.UTC)}}
	s := schedule.MustCron("0 * * * *", "")
	fmt.Println(s.Next(time.Date(2026, time.May, 30, 20, 0, 0, 0, time.UTC), 1, moons))
	// Output:
	// 2026-05-31 21:00:00 +0000 UTC true
}

func ExampleWarn() {
	never := schedule.MustCron("0 9 * * MON", "").WithCalendar("no-mondays")
	mondays := schedule.MustWeeklyCalendar([]time.Weekday{time.Monday}, "")
	now := time.Date(2026, time.June, 2, 0, 0, 0, 0, time.UTC)
	fmt.Println(schedule.Warn(never, now, mondays) != "")
	// Output:
	// true
}
