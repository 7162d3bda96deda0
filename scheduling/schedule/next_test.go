package schedule

import (
	"math"
	"testing"
	"time"
)

// none stands for "no instant" in tables.
const none = ""

// wantInstant compares an answer; a missing instant must be the zero time.
func wantInstant(t *testing.T, what string, got time.Time, ok bool, want string) {
	t.Helper()
	if want == none {
		if ok || !got.IsZero() {
			t.Errorf("%s: got %v, %v; want none", what, got, ok)
		}
		return
	}
	if !ok || !got.Equal(utc(t, want)) {
		t.Errorf("%s: got %v, %v; want %s", what, got, ok, want)
	}
	if ok && got.Location() != time.UTC {
		t.Errorf("%s: not in UTC: %v", what, got)
	}
}

// R159–R165, B71, B74, B78, B79: the first instant of each kind.
func TestFirst(t *testing.T) {
	const stored = "2026-06-01T14:00:00Z"
	for _, c := range []struct{ text, want string }{
		{"manual", none},
		{"every 01:00:00", "2026-06-01T15:00:00Z"}, // D37
		{"every 01:00:00 x1", "2026-06-01T15:00:00Z"},
		// R163, B74: start + interval, never the start, never now.
		{"every 01:00:00 start=2026-06-01T18:00:00Z", "2026-06-01T19:00:00Z"},
		{"every 01:00:00 start=2026-06-01T13:58:00Z", "2026-06-01T14:58:00Z"},
		{"every 01:00:00 start=2026-06-01T14:00:00Z", "2026-06-01T15:00:00Z"},
		{"every 01:00:00 start=2026-06-01T13:00:00Z", "2026-06-01T15:00:00Z"}, // passed at this very instant
		{"every 01:00:00 start=2026-06-01T13:00:00.000001Z", "2026-06-01T14:00:00.000001Z"},
		{"every 01:00:00 start=2020-01-01T00:00:00Z", "2026-06-01T15:00:00Z"}, // passed long ago: no missed run
		// B78 for intervals.
		{"every 01:00:00 end=2026-06-01T15:00:00Z", "2026-06-01T15:00:00Z"},
		{"every 01:00:00 end=2026-06-01T14:59:59.999999Z", none},
		{"every 01:00:00 start=2026-06-01T18:00:00Z end=2026-06-01T18:30:00Z", none},
		{"every 01:00:00 start=2001-01-01T00:00:00Z end=2001-01-01T00:00:00Z", none}, // B79
		{"cron 0 15 * * *", "2026-06-01T15:00:00Z"},
		{"cron 0 15 * * * start=2026-06-01T13:58:00Z", "2026-06-01T15:00:00Z"}, // B74
		{"cron 0 14 * * *", "2026-06-02T14:00:00Z"},                            // stored is exclusive
		{"cron 0 9 * * MON-FRI tz=Asia/Shanghai", "2026-06-02T01:00:00Z"},      // R180
		// The start itself may run; an instant before it may not.
		{"cron 0 15 * * * start=2026-06-03T15:00:00Z", "2026-06-03T15:00:00Z"},
		{"cron 0 15 * * * start=2026-06-03T15:00:00.000001Z", "2026-06-04T15:00:00Z"},
		{"cron 0 15 * * * start=2020-01-01T00:00:00Z", "2026-06-01T15:00:00Z"},
		{"cron 0 15 * * * start=2040-01-01T00:00:00Z", "2040-01-01T15:00:00Z"}, // the horizon counts from the start
		// B78.
		{"cron 0 15 * * * end=2026-06-01T15:00:00Z", "2026-06-01T15:00:00Z"},
		{"cron 0 15 * * * end=2026-06-01T14:59:59.999999Z", none},
		{"cron 0 15 * * * start=2026-06-01T15:00:00Z end=2026-06-01T15:00:00Z", "2026-06-01T15:00:00Z"},
		{"cron 0 15 * * * start=2001-01-01T00:00:00Z end=2001-01-01T00:00:00Z", none}, // B79
		{"cron 0 0 30 2 *", none},                          // R182
		{"cron 0 0 0 29 2 ? 2040", "2040-02-29T00:00:00Z"}, // D15
		{"cron 0 0 0 1 1 ? 2020", none},
		// R162: past or not; B81 leaves a missed one to the misfire policy.
		{"once 2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z"},
		{"once 2026-06-01T10:00:00Z", "2026-06-01T10:00:00Z"},
		{"once 2026-07-01T10:00:00Z end=2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z"},
		{"once 2026-07-01T10:00:00Z end=2026-07-01T09:59:59.999999Z", none},
		{"once 2026-07-01T10:00:00Z start=2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z"},
		{"once 2026-07-01T10:00:00Z start=2026-07-01T10:00:00.000001Z", none},
	} {
		at, ok := MustParse(c.text).First(utc(t, stored), nil)
		wantInstant(t, c.text, at, ok, c.want)
	}
}

// R159, R160, R164, R168: what follows a run.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		text, after string
		runs        int64
		want        string
	}{
		{"manual", "2026-06-01T10:00:00Z", 1, none},
		{"once 2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z", 1, none},
		{"once 2026-07-01T10:00:00Z", "2026-06-01T10:00:00Z", 0, none},
		// B71: the delay counts from the completion; a long run makes no backlog.
		{"every 00:00:05", "2026-06-01T10:00:00.35Z", 1, "2026-06-01T10:00:05.35Z"},
		{"every 00:00:05", "2026-06-01T10:00:06Z", 1, "2026-06-01T10:00:11Z"},
		// B73: from the stored completion.
		{"every 01:00:00", "2026-06-01T14:20:00Z", 9, "2026-06-01T15:20:00Z"},
		{"every 00:10:00", "2026-06-01T10:00:00.123456789Z", 1, "2026-06-01T10:10:00.123456Z"}, // D31
		// R160: the repeat count is of all runs.
		{"every 00:10:00 x3", "2026-06-01T10:00:00Z", 2, "2026-06-01T10:10:00Z"},
		{"every 00:10:00 x3", "2026-06-01T10:00:00Z", 3, none},
		{"every 00:10:00 x3", "2026-06-01T10:00:00Z", math.MaxInt64, none},
		{"every 00:10:00 x1", "2026-06-01T10:00:00Z", 1, none},
		{"every 00:10:00", "2026-06-01T10:00:00Z", math.MaxInt64, "2026-06-01T10:10:00Z"},
		// B78.
		{"every 00:10:00 end=2026-06-01T10:10:00Z", "2026-06-01T10:00:00Z", 1, "2026-06-01T10:10:00Z"},
		{"every 00:10:00 end=2026-06-01T10:09:59.999999Z", "2026-06-01T10:00:00Z", 1, none},
		{"every 00:10:00 start=2026-06-01T12:00:00Z", "2026-06-01T10:00:00Z", 1, "2026-06-01T12:10:00Z"},
		{"every 00:10:00 start=2026-06-01T10:00:00Z", "2026-06-01T12:00:00Z", 1, "2026-06-01T12:10:00Z"},
		// Where the calendar of years ends there is no next, and no overflow.
		{"every 36525.00:00:00", "9999-01-01T00:00:00Z", 1, none},
		{"every 36525.00:00:00", "2026-06-01T10:00:00Z", 1, "2126-06-02T10:00:00Z"},
		// R168: from the scheduled instant, exclusive; a late start does not drift.
		{"cron */15 * * * *", "2026-06-01T10:00:00Z", 1, "2026-06-01T10:15:00Z"},
		{"cron */15 * * * *", "2026-06-01T10:14:59.999999Z", 1, "2026-06-01T10:15:00Z"},
		{"cron */15 * * * *", "2026-06-01T10:15:00.000001Z", 1, "2026-06-01T10:30:00Z"},
		{"cron 0 9 * * *", "2026-06-01T09:00:00Z", math.MaxInt64, "2026-06-02T09:00:00Z"},
		// B90, B92: from now after a misfire.
		{"cron */2 * * * *", "2026-06-01T10:02:30Z", 1, "2026-06-01T10:04:00Z"},
		{"cron */10 * * * *", "2026-06-01T10:17:30Z", 1, "2026-06-01T10:20:00Z"},
		// B78: 12:00:00 runs, then none.
		{"cron 0 * * * * end=2026-06-01T12:00:00Z", "2026-06-01T11:00:00Z", 1, "2026-06-01T12:00:00Z"},
		{"cron 0 * * * * end=2026-06-01T12:00:00Z", "2026-06-01T12:00:00Z", 2, none},
		{"cron 0 * * * * end=2026-06-01T11:59:59.999999Z", "2026-06-01T11:00:00Z", 1, none},
		// D15.
		{"cron 0 0 29 2 *", "2028-02-29T00:00:00Z", 1, "2032-02-29T00:00:00Z"},
		{"cron 0 0 0 29 2 ? 2027,2036", "2026-01-01T00:00:00Z", 0, "2036-02-29T00:00:00Z"},
	} {
		at, ok := MustParse(c.text).Next(utc(t, c.after), c.runs, nil)
		wantInstant(t, c.text+" after "+c.after, at, ok, c.want)
	}
}

// Neither kind answers or hangs at the ends of time.Time.
func TestNextFarInstants(t *testing.T) {
	for _, after := range []time.Time{{}, time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 0), time.Unix(math.MinInt64/2, 0), time.Unix(math.MaxInt64/2, 999_999_999), maxInstant} {
		for _, text := range []string{"every 00:00:01", "every 36525.00:00:00", "cron * * * * * *", "cron * * * * * * tz=America/Santiago", "cron 0 0 0 29 2 ? 2096"} {
			for _, cal := range []Calendar{nil, MustWeeklyCalendar(nil, "Europe/Helsinki"), MustDailyCalendar("22:00", "06:00", "America/Santiago")} {
				s := MustParse(text)
				if at, ok := s.Next(after, 1, cal); ok && (!at.After(after) || at.After(maxInstant)) {
					t.Errorf("%s after %v: %v", text, after, at)
				}
				if at, ok := s.First(after, cal); ok && (!at.After(after) || at.After(maxInstant)) {
					t.Errorf("%s stored at %v: %v", text, after, at)
				}
			}
		}
	}
}

// R184–R186 with built-in calendars.
func TestCalendarSkips(t *testing.T) {
	weekend := MustWeeklyCalendar(nil, "")
	mondays := MustWeeklyCalendar([]time.Weekday{time.Monday}, "")
	night := MustDailyCalendar("22:00", "06:00", "")
	always := MustWeeklyCalendar([]time.Weekday{0, 1, 2, 3, 4, 5, 6}, "")
	for _, c := range []struct {
		text, after string
		cal         Calendar
		want        string
	}{
		{"cron 0 9 * * *", "2026-06-05T09:00:00Z", weekend, "2026-06-08T09:00:00Z"},     // a Friday
		{"every 01:00:00", "2026-06-05T23:30:00.5Z", weekend, "2026-06-08T00:00:00Z"},   // R185
		{"every 01:00:00", "2026-06-05T22:30:00.5Z", weekend, "2026-06-05T23:30:00.5Z"}, // not excluded: not moved
		{"every 01:00:00", "2026-06-05T23:00:00Z", weekend, "2026-06-08T00:00:00Z"},     // from is inclusive
		{"every 00:59:59.999999", "2026-06-05T23:00:00Z", weekend, "2026-06-05T23:59:59.999999Z"},
		{"every 7.00:00:00", "2026-06-01T10:00:00Z", mondays, "2026-06-09T00:00:00Z"}, // B83 as an interval: put off (R185)
		{"cron 0 10 * * MON", "2026-06-01T10:00:00Z", mondays, none},                  // B83
		{"every 00:10:00 end=2026-06-08T00:00:00Z", "2026-06-05T23:55:00Z", weekend, "2026-06-08T00:00:00Z"},
		{"every 00:10:00 end=2026-06-07T23:59:59.999999Z", "2026-06-05T23:55:00Z", weekend, none}, // B88
		{"cron 0 9 * * * end=2026-06-07T12:00:00Z", "2026-06-05T09:00:00Z", weekend, none},        // B88
		{"every 00:10:00", "2026-06-01T21:55:00Z", night, "2026-06-02T06:00:00Z"},
		{"every 00:10:00", "2026-06-01T10:00:00Z", always, none},
		{"cron * * * * * *", "2026-06-01T10:00:00Z", always, none},
		// B84: a stretch of 10,800 candidates counts once.
		{"cron * * * * * *", "2026-06-01T21:59:59Z", night, "2026-06-02T06:00:00Z"},
		{"cron * * * * * *", "2026-06-01T00:59:59Z", MustDailyCalendar("01:00", "04:00", ""), "2026-06-01T04:00:00Z"},
		{"cron * * * * * *", "2026-06-01T00:59:59Z", MustDailyCalendar("01:00", "03:45", ""), "2026-06-01T03:45:00Z"},
	} {
		at, ok := MustParse(c.text).Next(utc(t, c.after), 1, c.cal)
		wantInstant(t, c.text+" after "+c.after, at, ok, c.want)
	}
	// R186: a once schedule is not put off.
	for text, want := range map[string]string{
		"once 2026-06-06T12:00:00Z":        none,
		"once 2026-06-08T00:00:00Z":        "2026-06-08T00:00:00Z",
		"once 2026-06-07T23:59:59.999999Z": none,
	} {
		at, ok := MustParse(text).First(utc(t, "2026-06-01T00:00:00Z"), weekend)
		wantInstant(t, text, at, ok, want)
	}
}

// B83: one horizon for the whole search. Each question to the expression would
// have a later horizon of its own.
func TestOneHorizon(t *testing.T) {
	after := utc(t, "2026-06-01T00:00:00Z")
	holiday := MustHolidayCalendar([]Date{MustDate("2028-02-29")}, "")
	at, ok := MustCron("0 0 29 2 *", "").Next(after, 1, holiday)
	wantInstant(t, "29 February, 2028 excluded", at, ok, none) // 2032 is more than five years away
	// Within five years of a later start it is found.
	at, ok = MustCron("0 0 29 2 *", "").Next(utc(t, "2027-02-28T00:00:00Z"), 1, holiday)
	wantInstant(t, "2032 from 2027-02-28", at, ok, none)
	at, ok = MustCron("0 0 29 2 *", "").Next(utc(t, "2027-02-28T23:59:59Z"), 1, holiday)
	wantInstant(t, "2032 from 2027-02-28, end of day", at, ok, none)
	at, ok = MustCron("0 0 29 2 *", "").Next(utc(t, "2027-03-01T00:00:00Z"), 1, holiday)
	wantInstant(t, "2032 from 2027-03-01", at, ok, "2032-02-29T00:00:00Z")
	// The years that an expression names are its horizon (D15).
	at, ok = MustCron("0 0 0 29 2 ? 2028,2040", "").Next(after, 1, holiday)
	wantInstant(t, "years named", at, ok, "2040-02-29T00:00:00Z")
	// The horizon is read on the zone's clock: 2031-06-01 00:30 in Kiritimati
	// is 10:30 the day before in UTC, and inside; one second later is not.
	eve := MustCron("30 0 1 6 *", "Pacific/Kiritimati")
	until := untilCalendar{utc(t, "2030-12-01T00:00:00Z")}
	at, ok = eve.Next(utc(t, "2026-05-31T10:30:00Z"), 1, until)
	wantInstant(t, "horizon inclusive", at, ok, "2031-05-31T10:30:00Z")
	at, ok = eve.Next(utc(t, "2026-05-31T10:29:59Z"), 1, until)
	wantInstant(t, "horizon plus a second", at, ok, none)
}

// untilCalendar excludes everything before an instant, and says only yes or no.
type untilCalendar struct{ at time.Time }

func (c untilCalendar) IsExcluded(at time.Time) bool { return at.Before(c.at) }
