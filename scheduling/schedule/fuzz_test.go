package schedule

import (
	"testing"
	"time"
)

// FuzzParse: no text makes Parse, or what it returns, panic or hang; what was
// read is valid, is written canonically and read back to the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "manual", "every 00:10:00 x5", "every 1.12:00:00.5 start=2026-11-01T09:00:00+08:00 calendar=holidays",
		"cron 0 0 9 * * MON-FRI tz=Asia/Shanghai", "cron 0 9 ? * 1-5 tz=W. Europe Standard Time end=2027-01-01T00:00:00Z",
		"cron 0 0 0 L-3,15W * FRI#2 2030-2040/3", "once 2026-11-01T00:00:00.0000000+00:00",
		"once 2026-11-01T00:00:00Z start=2026-11-01T00:00:00Z end=2026-11-01T00:00:00Z",
		"every 99999999999.00:00:00", "every 10m", "cron * * * * * tz=Local", "every 00:10:00\x00", "once 2026-02-30T24:61:00",
		"cron 0 0 30 2 * tz= start= end= calendar=", "EVERY\t0:0:1\tX9223372036854775807\tEND=9999-12-31T23:59:59.999999999-00:00",
	} {
		f.Add(text)
	}
	now := time.Date(2026, 6, 1, 10, 0, 0, 500, time.UTC)
	cal := MustWeeklyCalendar(nil, "America/Santiago")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			wantError(t, err)
			if !s.Equal(Schedule{}) {
				t.Fatalf("%q: an error and %v", text, s)
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("%q is read, but not valid: %v", text, err)
		}
		canonical := s.String()
		back, err := Parse(canonical)
		if err != nil {
			t.Fatalf("%q was written %q: %v", text, canonical, err)
		}
		if !back.Equal(s) || back.String() != canonical {
			t.Fatalf("%q was written %q and read as %q", text, canonical, back)
		}
		for _, c := range []Calendar{nil, cal} {
			if at, ok := s.First(now, c); ok && (at.Before(s.Start()) || !s.End().IsZero() && at.After(s.End()) || c != nil && c.IsExcluded(at)) {
				t.Fatalf("%q first runs at %v", text, at)
			}
			if at, ok := s.Next(now, 1, c); ok && !at.After(cutInstant(now)) {
				t.Fatalf("%q next runs at %v", text, at)
			}
			Warn(s, now, c)
		}
		s.ZoneHash(now)
	})
}

// FuzzNext: whatever the schedule, the instant, the run count and the calendar,
// an answer is after the instant, in the window and not excluded, and the
// search ends.
func FuzzNext(f *testing.F) {
	f.Add("every 00:10:00 x5", int64(1_780_308_000_000_000), int64(1), uint8(0))
	f.Add("cron * * * * * * tz=America/Santiago", int64(1_567_915_200_000_000), int64(0), uint8(3))
	f.Add("cron 0 0 29 2 *", int64(1_780_308_000_000_000), int64(0), uint8(4))
	f.Add("cron 0 0 12 30 12 ? tz=Pacific/Apia", int64(1_325_203_200_000_000), int64(0), uint8(2))
	f.Add("every 00:00:00.000001 end=9999-12-31T23:59:59.999999Z", int64(-1), int64(-1), uint8(5))
	f.Add("once 2026-06-06T12:00:00Z", int64(0), int64(0), uint8(1))
	weekend := MustWeeklyCalendar(nil, "America/Santiago")
	night := MustDailyCalendar("22:00", "06:00", "Pacific/Apia")
	odd := MustCronCalendar("1/2 * * * * *", "Europe/Dublin")
	cals := []Calendar{nil, weekend, night, odd, MustCompositeCalendar(weekend, night, odd),
		plain(weekend), yesNo{func(time.Time) bool { return true }, nil},
		ends{plain(night), func(at time.Time) time.Time { return at.Add(1) }}}
	f.Fuzz(func(t *testing.T, text string, micros, runs int64, pick uint8) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		after, cal := time.UnixMicro(micros), cals[int(pick)%len(cals)]
		check := func(at time.Time, ok, strictly bool) {
			if !ok {
				return
			}
			if strictly && !at.After(after) || at.Before(s.Start()) || at.After(s.limit()) || cal != nil && cal.IsExcluded(at) || !at.Equal(cutInstant(at)) {
				t.Fatalf("%q after %v: %v", text, after, at)
			}
		}
		at, ok := s.Next(after, runs, cal)
		check(at, ok, true)
		if ok && s.Repeat() > 0 && runs >= s.Repeat() {
			t.Fatalf("%q runs again after %d", text, runs)
		}
		at, ok = s.First(after, cal)
		check(at, ok, s.Kind() != Once)
	})
}
