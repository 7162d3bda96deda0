package schedule

import (
	"testing"
	"time"
)

// yesNo is an application's calendar of one method, and counts its questions.
type yesNo struct {
	excluded func(time.Time) bool
	asked    *int
}

func (c yesNo) IsExcluded(at time.Time) bool {
	if c.asked != nil {
		*c.asked++
	}
	return c.excluded(at)
}

// span is the yes/no calendar of [from, to).
func span(from, to time.Time) yesNo {
	return yesNo{func(at time.Time) bool { return !at.Before(from) && at.Before(to) }, new(int)}
}

// plain hides the ends of a calendar's stretches.
func plain(cal Calendar) yesNo { return yesNo{cal.IsExcluded, new(int)} }

// ends is an application's calendar with stretches.
type ends struct {
	yesNo
	end func(at time.Time) time.Time
}

func (c ends) ExcludedUntil(at time.Time) (time.Time, bool) {
	if !c.IsExcluded(at) {
		return time.Time{}, false
	}
	return c.end(at), true
}

// B84, R187: an application's yes/no calendar is counted candidate by
// candidate; exactly MaxExcluded excluded candidates end the schedule.
func TestYesNoCronLimit(t *testing.T) {
	secondly := MustCron("* * * * * *", "")
	after := utc(t, "2026-06-01T00:59:59Z")
	from := after.Add(time.Second)
	for _, c := range []struct {
		candidates int
		want       string
	}{
		{1, "2026-06-01T01:00:01Z"},
		{9_900, "2026-06-01T03:45:00Z"}, // 2 h 45 min
		{MaxExcluded - 1, "2026-06-01T03:46:39Z"},
		{MaxExcluded, none},
		{10_800, none}, // 3 h
	} {
		cal := span(from, from.Add(time.Duration(c.candidates)*time.Second))
		at, ok := secondly.Next(after, 1, cal)
		wantInstant(t, "secondly", at, ok, c.want)
		if *cal.asked > MaxExcluded {
			t.Errorf("%d excluded: asked %d times", c.candidates, *cal.asked)
		}
		// The same exclusion with ends counts once (D18).
		stretch := ends{cal, func(time.Time) time.Time { return from.Add(time.Duration(c.candidates) * time.Second) }}
		at, ok = secondly.Next(after, 1, stretch)
		wantInstant(t, "secondly with ends", at, ok, from.Add(time.Duration(c.candidates)*time.Second).Format(time.RFC3339))
	}
}

// B84 with the daily calendar itself, both ways.
func TestDailyCalendarAsYesNo(t *testing.T) {
	secondly := MustCron("* * * * * *", "Europe/Berlin")
	after := utc(t, "2026-06-01T00:59:59Z")
	long := MustDailyCalendar("03:00", "06:00", "Europe/Berlin") // 3 h
	at, ok := secondly.Next(after, 1, long)
	wantInstant(t, "built in", at, ok, "2026-06-01T04:00:00Z")
	at, ok = secondly.Next(after, 1, plain(long))
	wantInstant(t, "yes/no", at, ok, none)
	short := MustDailyCalendar("03:00", "05:45", "Europe/Berlin") // 2 h 45 min
	at, ok = secondly.Next(after, 1, plain(short))
	wantInstant(t, "yes/no, short", at, ok, "2026-06-01T03:45:00Z")
}

// R185: an interval meets a yes/no calendar. The end is found to the
// microsecond, over every step size, up to 86 days.
func TestYesNoInterval(t *testing.T) {
	after := utc(t, "2026-06-01T10:00:00.25Z")
	first := after.Add(10 * time.Minute)
	every := MustEvery(10 * time.Minute)
	reach := secondSteps*time.Second + minuteSteps*time.Minute + (MaxExcluded-secondSteps-minuteSteps-1)*time.Hour
	for _, length := range []time.Duration{
		time.Microsecond, time.Second - time.Microsecond, time.Second, time.Second + time.Microsecond,
		17*time.Second + 123_456*time.Microsecond, time.Hour, 3 * time.Hour, 10_801 * time.Second,
		secondSteps*time.Second - 1000, secondSteps * time.Second, secondSteps*time.Second + 1000,
		62 * time.Hour, 67*time.Hour + 46*time.Minute, 68*time.Hour + 1000, 30*day + 7*time.Microsecond, reach - time.Microsecond, reach,
	} {
		cal := span(first, first.Add(length))
		at, ok := every.Next(after, 1, cal)
		if want := first.Add(length); !ok || !at.Equal(want) {
			t.Errorf("excluded for %v: got %v, %v; want %v", length, at, ok, want)
		}
		if *cal.asked > MaxExcluded+32 {
			t.Errorf("excluded for %v: asked %d times", length, *cal.asked)
		}
	}
	cal := span(first, first.Add(reach+time.Microsecond))
	at, ok := every.Next(after, 1, cal)
	wantInstant(t, "excluded beyond the reach", at, ok, none)
	if *cal.asked != MaxExcluded {
		t.Errorf("asked %d times, want %d", *cal.asked, MaxExcluded)
	}
	// Not excluded: not moved, and asked once.
	cal = span(first.Add(time.Microsecond), first.Add(time.Hour))
	at, ok = every.Next(after, 1, cal)
	wantInstant(t, "open", at, ok, first.Format(time.RFC3339Nano))
	if *cal.asked != 1 {
		t.Errorf("asked %d times", *cal.asked)
	}
}

// B78: the window's end may lie inside the last step of the search.
func TestYesNoIntervalWindow(t *testing.T) {
	after := utc(t, "2026-06-01T10:00:00Z")
	first := after.Add(time.Minute)
	for _, length := range []time.Duration{500 * time.Millisecond, time.Hour, 3*time.Hour + 30*time.Second, 5*day + 20*time.Minute} {
		open := first.Add(length)
		s := MustEvery(time.Minute).WithEnd(open)
		cal := span(first, open)
		at, ok := s.Next(after, 1, cal)
		wantInstant(t, "opens at the end", at, ok, open.Format(time.RFC3339Nano))
		*cal.asked = 0
		at, ok = s.WithEnd(open.Add(-time.Microsecond)).Next(after, 1, cal)
		wantInstant(t, "opens after the end", at, ok, none)
		if *cal.asked >= MaxExcluded {
			t.Errorf("open after %v: asked %d times", length, *cal.asked)
		}
	}
}

// A calendar whose ends are wrong costs time at most; the search ends and
// never answers an excluded instant.
func TestLyingStretches(t *testing.T) {
	after := utc(t, "2026-06-01T10:00:00Z")
	first := after.Add(time.Minute)
	excluded := span(first, first.Add(90*time.Minute))
	for name, end := range map[string]func(time.Time) time.Time{
		"the instant itself": func(at time.Time) time.Time { return at },
		"the past":           func(at time.Time) time.Time { return at.Add(-day) },
		"year 1":             func(time.Time) time.Time { return time.Unix(-62135596799, 0) },
		"a nanosecond later": func(at time.Time) time.Time { return at.Add(1) },
		"a second later":     func(at time.Time) time.Time { return at.Add(time.Second) },
	} {
		cal := ends{excluded, end}
		at, ok := MustEvery(time.Minute).Next(after, 1, cal)
		if ok && (excluded.IsExcluded(at) || at.Before(first)) {
			t.Errorf("%s: interval answers %v", name, at)
		}
		if name != "a nanosecond later" {
			wantInstant(t, name+", interval", at, ok, "2026-06-01T11:31:00Z")
		}
		at, ok = MustCron("* * * * * *", "").Next(first.Add(-time.Second), 1, cal)
		wantInstant(t, name+", cron", at, ok, "2026-06-01T11:31:00Z")
	}
	for name, end := range map[string]time.Time{"never": {}, "the end of time": time.Unix(1<<60, 0), "year 10000": maxInstant.Add(time.Microsecond)} {
		cal := ends{excluded, func(time.Time) time.Time { return end }}
		at, ok := MustEvery(time.Minute).Next(after, 1, cal)
		wantInstant(t, name+", interval", at, ok, none)
		at, ok = MustCron("* * * * * *", "").Next(first, 1, cal)
		wantInstant(t, name+", cron", at, ok, none)
	}
	// Says that it ends, but there it is excluded again, for ever.
	for _, step := range []time.Duration{1, time.Microsecond, time.Second, day, 366 * day} {
		asked := 0
		cal := ends{yesNo{func(time.Time) bool { return true }, &asked}, func(at time.Time) time.Time { return at.Add(step) }}
		for _, s := range []Schedule{MustEvery(time.Minute), MustCron("* * * * * *", ""), MustCron("0 0 29 2 *", "America/Santiago"), MustCron("0 0 0 1 1 ? 2026-2099", "")} {
			asked = 0
			at, ok := s.Next(after, 1, cal)
			wantInstant(t, s.String(), at, ok, none)
			if asked > MaxExcluded {
				t.Errorf("%v, step %v: asked %d times", s, step, asked)
			}
		}
	}
}

// The end of a stretch is rounded up: cut, it would lie in the stretch.
func TestStretchEndIsNotCut(t *testing.T) {
	after := utc(t, "2026-06-01T10:00:00Z")
	first := after.Add(time.Minute)
	end := first.Add(time.Hour + 300*time.Nanosecond)
	cal := ends{span(first, end), func(time.Time) time.Time { return end }}
	at, ok := MustEvery(time.Minute).Next(after, 1, cal)
	wantInstant(t, "interval", at, ok, "2026-06-01T11:01:00.000001Z")
}

// Any calendar that always excludes ends every kind of search (R187, B83).
func TestAlwaysExcluded(t *testing.T) {
	after := utc(t, "2026-06-01T10:00:00Z")
	halves := MustCompositeCalendar(MustDailyCalendar("00:00", "12:00", ""), MustDailyCalendar("12:00", "00:00", ""))
	for name, cal := range map[string]Calendar{
		"yes/no":            yesNo{func(time.Time) bool { return true }, nil},
		"whole week":        MustWeeklyCalendar([]time.Weekday{0, 1, 2, 3, 4, 5, 6}, "Asia/Tokyo"),
		"every second":      MustCronCalendar("* * * * * *", ""),
		"halves by turns":   halves,
		"halves and yes/no": MustCompositeCalendar(halves, yesNo{func(time.Time) bool { return true }, nil}),
		"odd and even":      MustCompositeCalendar(MustCronCalendar("*/2 * * * * *", ""), MustCronCalendar("1/2 * * * * *", "")),
	} {
		for _, s := range []Schedule{MustEvery(time.Microsecond), MustEvery(MaxInterval), MustCron("* * * * * *", ""), MustCron("0 9 * * *", "Europe/Berlin"), MustCron("0 0 29 2 *", ""), MustCron("0 0 0 1 1 ? 2030-2090", ""), MustOnce(after)} {
			at, ok := s.First(after, cal)
			wantInstant(t, name+": "+s.String(), at, ok, none)
		}
	}
}
