package schedule

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawInstant draws whole microseconds from 1970 to 2200.
func drawInstant(t *rapid.T, label string) time.Time {
	return time.UnixMicro(rapid.Int64Range(0, 7_258_118_400_000_000).Draw(t, label)).UTC()
}

// drawSchedule draws a valid schedule of any kind with any window.
func drawSchedule(t *rapid.T) Schedule {
	var s Schedule
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return s
	case 1:
		d := time.Duration(rapid.Int64Range(1, int64(MaxInterval/time.Microsecond)).Draw(t, "µs")) * time.Microsecond
		s = MustEvery(d)
		if n := rapid.Int64Range(0, 1<<62).Draw(t, "repeat"); n > 0 {
			s = MustEveryTimes(d, n)
		}
	case 2:
		s = MustCron(drawExpression(t), rapid.SampledFrom(oracleZones()).Draw(t, "zone"))
	case 3:
		s = MustOnce(drawInstant(t, "at"))
	}
	start, end := drawInstant(t, "start"), drawInstant(t, "end")
	if end.Before(start) {
		start, end = end, start
	}
	if rapid.Bool().Draw(t, "has start") && !start.IsZero() {
		s = s.WithStart(start)
	}
	if rapid.Bool().Draw(t, "has end") {
		s = s.WithEnd(end)
	}
	if rapid.Bool().Draw(t, "has calendar") {
		s = s.WithCalendar(rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,127}`).Draw(t, "calendar"))
	}
	return s
}

func drawExpression(t *rapid.T) string {
	fields := []string{
		rapid.StringMatching(`\*|[0-5]?[0-9]|\*/[1-9]|[0-9],[1-5][0-9]`).Draw(t, "second"),
		rapid.StringMatching(`\*|[0-5]?[0-9]|\*/[1-9]|[0-9]-[1-5][0-9]`).Draw(t, "minute"),
		rapid.StringMatching(`\*|1?[0-9]|2[0-3]|\*/[1-9]`).Draw(t, "hour"),
		rapid.StringMatching(`\*|\?|[1-9]|[12][0-9]|L|LW|L-[1-9]|[1-9]W`).Draw(t, "day"),
		rapid.StringMatching(`\*|[1-9]|JAN|dec|\*/[1-9]`).Draw(t, "month"),
		rapid.StringMatching(`\*|\?|[0-7]|MON-FRI|fri#[1-5]|[0-6]L`).Draw(t, "weekday"),
	}
	if rapid.Bool().Draw(t, "has year") {
		fields = append(fields, rapid.StringMatching(`\*|20[0-9][0-9]|2000-2099/[1-9]`).Draw(t, "year"))
	}
	return strings.Join(fields, " ")
}

// R166: text of every valid schedule is read back to an equal one.
func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		text := s.String()
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !back.Equal(s) || !s.Equal(back) || back.String() != text {
			t.Fatalf("%q read back as %q", text, back)
		}
		// In other case and spacing too; only names are in lower case.
		if i := strings.Index(text, " calendar="); i < 0 && s.Kind() != Cron {
			spaced := "\t" + strings.ReplaceAll(strings.ToUpper(text), " ", " \t ")
			if typed, err := Parse(spaced); err != nil || !typed.Equal(s) {
				t.Fatalf("%q read as %v, %v", spaced, typed, err)
			}
		}
		after := drawInstant(t, "after")
		a, okA := s.Next(after, 1, nil)
		b, okB := back.Next(after, 1, nil)
		if okA != okB || !a.Equal(b) || s.ZoneHash(after) != back.ZoneHash(after) {
			t.Fatalf("%q behaves differently when read back", text)
		}
	})
}

// What holds of every answer: after the given instant, in the window, not
// excluded, a whole microsecond in UTC; and a later question never has an
// earlier answer.
func TestNextProperties(t *testing.T) {
	weekend := MustWeeklyCalendar(nil, "Europe/Berlin")
	night := MustDailyCalendar("22:00", "06:00", "America/Santiago")
	cals := []Calendar{nil, weekend, night, MustCompositeCalendar(weekend, night), plain(weekend)}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		cal := rapid.SampledFrom(cals).Draw(t, "cal")
		after := drawInstant(t, "after").Add(time.Duration(rapid.IntRange(0, 999).Draw(t, "ns")))
		check := func(what string, at time.Time, ok bool, strictly bool) {
			switch {
			case !ok && at.IsZero():
			case !ok:
				t.Fatalf("%s: none, with instant %v", what, at)
			case strictly && !at.After(cutInstant(after)):
				t.Fatalf("%s: %v is not after %v", what, at, after)
			case at.Before(s.Start()), !s.End().IsZero() && at.After(s.End()):
				t.Fatalf("%s: %v is outside the window of %v", what, at, s)
			case cal != nil && cal.IsExcluded(at):
				t.Fatalf("%s: %v is excluded", what, at)
			case at.Location() != time.UTC || !at.Equal(cutInstant(at)):
				t.Fatalf("%s: %v is not a whole microsecond in UTC", what, at)
			}
		}
		first, ok := s.First(after, cal)
		check("First", first, ok, s.Kind() != Once)
		a, okA := s.Next(after, 0, cal)
		check("Next", a, okA, true)
		if s.Kind() == Interval && okA && a.Before(cutInstant(after).Add(s.Interval())) {
			t.Fatalf("next %v is less than the interval after %v", a, after)
		}
		later := after.Add(time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, "later")))
		b, okB := s.Next(later, 0, cal)
		if okA && okB && b.Before(a) {
			t.Fatalf("after %v: %v, but after %v: %v", after, a, later, b)
		}
	})
}
