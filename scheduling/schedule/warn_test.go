package schedule

import (
	"strings"
	"testing"
	"time"
)

// D18, R187: a warning exactly where the calendar is the reason that nothing
// will run.
func TestWarn(t *testing.T) {
	from := utc(t, "2026-06-01T00:59:59Z")
	secondly := MustCron("* * * * * *", "").WithCalendar("maintenance")
	three := func(d time.Duration) Calendar { return span(from.Add(time.Second), from.Add(time.Second+d)) }
	daily := MustDailyCalendar("01:00", "04:00", "")
	week := MustWeeklyCalendar([]time.Weekday{0, 1, 2, 3, 4, 5, 6}, "")
	weekend := MustWeeklyCalendar(nil, "")
	for _, c := range []struct {
		name  string
		s     Schedule
		cal   Calendar
		parts []string // nil: no warning
	}{
		{"B84, yes/no", secondly, three(3 * time.Hour), []string{`"maintenance"`, "next 10000 candidates", "ExcludedUntil", "2026-06-01T01:00:00"}},
		{"just short enough", secondly, three(9_999 * time.Second), nil},
		{"just too long", secondly, three(10_000 * time.Second), []string{"10000"}},
		{"B84, built in", secondly, daily, nil},
		{"built in as yes/no", secondly, plain(daily), []string{"10000"}},
		{"no calendar", secondly, nil, nil},
		{"no end", secondly, week, []string{"excludes everything"}},
		{"no end, interval", MustEvery(time.Hour), week, []string{"the calendar excludes everything"}},
		{"yes/no, interval", MustEvery(time.Hour), plain(week), []string{"10000"}},
		{"all Mondays", MustCron("0 9 * * MON", ""), MustWeeklyCalendar([]time.Weekday{time.Monday}, ""), []string{"every candidate", "five years"}},
		{"the window", MustEvery(time.Hour).WithStart(utc(t, "2026-06-05T23:30:00Z")).WithEnd(utc(t, "2026-06-07T00:00:00Z")), weekend, []string{"every candidate", "window"}},
		{"once", MustOnce(utc(t, "2026-06-06T12:00:00Z")), weekend, []string{"only instant", "2026-06-06"}},
		{"once, open", MustOnce(utc(t, "2026-06-05T12:00:00Z")), weekend, nil},
		{"an ordinary weekend", MustEvery(time.Hour), weekend, nil},
		{"manual", NewManual(), week, nil},
		// No instant at all is another matter (D15).
		{"30 February", MustCron("0 0 30 2 *", ""), week, nil},
		{"window passed", MustEvery(time.Hour).WithEnd(utc(t, "2001-01-01T00:00:00Z")), week, nil},
	} {
		got := Warn(c.s, from, c.cal)
		if (got == "") != (c.parts == nil) {
			t.Errorf("%s: warning %q", c.name, got)
		}
		for _, part := range c.parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s: warning %q does not name %q", c.name, got, part)
			}
		}
		if _, ok := c.s.First(from, c.cal); ok && got != "" {
			t.Errorf("%s: warned, but runs", c.name)
		}
	}
}
