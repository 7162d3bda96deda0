package schedule

import (
	"math"
	"testing"
	"time"
)

// wantStretch checks an excluded stretch [from, end) at both edges, to the
// nanosecond, and in the middle.
func wantStretch(t *testing.T, what string, cal StretchCalendar, from, end string) {
	t.Helper()
	a, b := utc(t, from), utc(t, end)
	for _, at := range []time.Time{a, a.Add(1), a.Add(b.Sub(a) / 2), b.Add(-1)} {
		if !cal.IsExcluded(at) {
			t.Errorf("%s: %v is not excluded", what, at)
		}
		if got, excluded := cal.ExcludedUntil(at); !excluded || !got.Equal(b) || got.Location() != time.UTC {
			t.Errorf("%s: from %v excluded %v until %v, want %s", what, at, excluded, got, end)
		}
	}
	for _, at := range []time.Time{a.Add(-1), b} {
		if cal.IsExcluded(at) {
			t.Errorf("%s: %v is excluded", what, at)
		}
		if got, excluded := cal.ExcludedUntil(at); excluded || !got.IsZero() {
			t.Errorf("%s: %v is excluded until %v", what, at, got)
		}
	}
}

// R188, B86: exact instants of holidays whose midnight moves.
func TestHolidayExactInstants(t *testing.T) {
	for _, c := range []struct{ zone, date, from, end string }{
		{"America/Santiago", "2019-09-08", "2019-09-08T04:00:00Z", "2019-09-09T03:00:00Z"}, // midnight skipped
		{"America/Santiago", "2019-04-06", "2019-04-06T03:00:00Z", "2019-04-07T04:00:00Z"}, // 23:00–24:00 twice
		{"Europe/Helsinki", "2024-03-31", "2024-03-30T22:00:00Z", "2024-03-31T21:00:00Z"},
		{"America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"},
		{"America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"},
		{"Asia/Shanghai", "2026-10-01", "2026-09-30T16:00:00Z", "2026-10-01T16:00:00Z"},
		{"", "2026-10-01", "2026-10-01T00:00:00Z", "2026-10-02T00:00:00Z"}, // R193
		{"Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"},
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"},
		{"Pacific/Kwajalein", "1993-08-20", "1993-08-20T12:00:00Z", "1993-08-21T12:00:00Z"}, // the 21st was skipped
	} {
		wantStretch(t, c.zone+" "+c.date, MustHolidayCalendar([]Date{MustDate(c.date)}, c.zone), c.from, c.end)
	}
	// Apia 2011-12-30 does not exist.
	empty := MustHolidayCalendar([]Date{MustDate("2011-12-30")}, "Pacific/Apia")
	for at := utc(t, "2011-12-28T00:00:00Z"); at.Before(utc(t, "2012-01-02T00:00:00Z")); at = at.Add(10 * time.Minute) {
		if end, excluded := empty.ExcludedUntil(at); excluded || empty.IsExcluded(at) {
			t.Fatalf("Apia 2011-12-30 excludes %v until %v", at, end)
		}
	}
}

// St John's set its clocks back at 00:01: the day before was shown again, for
// 59 minutes, after one minute of the new day.
func TestHolidayShownTwice(t *testing.T) {
	cal := MustHolidayCalendar([]Date{MustDate("2006-10-28")}, "America/St_Johns")
	wantStretch(t, "first time", cal, "2006-10-28T02:30:00Z", "2006-10-29T02:30:00Z")
	wantStretch(t, "second time", cal, "2006-10-29T02:31:00Z", "2006-10-29T03:30:00Z")
}

// Holidays in a row are one stretch, however many and however given.
func TestHolidayRuns(t *testing.T) {
	dates := []Date{MustDate("2026-10-03"), MustDate("2026-10-01"), MustDate("2026-10-02"), MustDate("2026-10-01"), MustDate("2026-12-25")}
	wantStretch(t, "three days", MustHolidayCalendar(dates, "Asia/Shanghai"), "2026-09-30T16:00:00Z", "2026-10-03T16:00:00Z")
	wantStretch(t, "one day", MustHolidayCalendar(dates, "Asia/Shanghai"), "2026-12-24T16:00:00Z", "2026-12-25T16:00:00Z")
	var century []Date
	for at := utc(t, "2000-01-01T00:00:00Z"); at.Year() < 2100; at = at.AddDate(0, 0, 1) {
		century = append(century, DateOf(at))
	}
	wantStretch(t, "a century", MustHolidayCalendar(century, "Europe/Berlin"), "1999-12-31T23:00:00Z", "2099-12-31T23:00:00Z")
	wantStretch(t, "a century in UTC", MustHolidayCalendar(century, ""), "2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z")
	// Longer than a time.Duration can say.
	var centuries []Date
	for at := utc(t, "1700-01-01T00:00:00Z"); at.Year() < 2100; at = at.AddDate(0, 0, 1) {
		centuries = append(centuries, DateOf(at))
	}
	long := MustHolidayCalendar(centuries, "")
	if end, excluded := long.ExcludedUntil(utc(t, "1700-01-01T00:00:00Z")); !excluded || !end.Equal(utc(t, "2100-01-01T00:00:00Z")) {
		t.Errorf("four centuries: %v, %v", end, excluded)
	}
	none := MustHolidayCalendar(nil, "Asia/Shanghai")
	if none.IsExcluded(utc(t, "2026-10-01T00:00:00Z")) {
		t.Error("no dates exclude something")
	}
}

func TestHolidayFaults(t *testing.T) {
	_, err := NewHolidayCalendar([]Date{MustDate("2026-10-01"), {2026, 2, 30}, {2026, 13, 1}, {0, 1, 1}, {10000, 1, 1}, {2026, 0, 1}, {math.MaxInt, 1, 1}, {2026, 1, math.MinInt}}, "Mars/Base")
	wantError(t, err, "dates[1] 2026-02-30", "dates[2] 2026-13-01", "dates[3]", "dates[4]", "dates[5]", "dates[6]", "dates[7]", "Mars/Base")
}

func TestDate(t *testing.T) {
	d, err := ParseDate("2024-02-29")
	if err != nil || d != (Date{2024, time.February, 29}) || d.String() != "2024-02-29" {
		t.Errorf("%v, %v", d, err)
	}
	if got := DateOf(time.Date(2026, 10, 1, 1, 0, 0, 0, time.FixedZone("", 8*3600))); got != MustDate("2026-10-01") {
		t.Errorf("DateOf: %v", got)
	}
	for text, remedy := range map[string]string{"": "yyyy-mm-dd", "2026-1-1": "yyyy-mm-dd", "2026/10/01": "yyyy-mm-dd", "2026-10-01T": "yyyy-mm-dd", "2026-02-29": "no such date", "0000-01-01": "no such date", "2026-10-01\x00": "yyyy-mm-dd"} {
		_, err := ParseDate(text)
		wantError(t, err, "date", quote(text), remedy)
	}
}

// R189, R193.
func TestWeekly(t *testing.T) {
	wantStretch(t, "weekend", MustWeeklyCalendar(nil, ""), "2026-06-06T00:00:00Z", "2026-06-08T00:00:00Z")
	wantStretch(t, "empty list", MustWeeklyCalendar([]time.Weekday{}, "Tokyo Standard Time"), "2026-06-05T15:00:00Z", "2026-06-07T15:00:00Z")
	wantStretch(t, "Sunday", MustWeeklyCalendar([]time.Weekday{time.Sunday, time.Sunday}, "America/New_York"), "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z")
	wantStretch(t, "Santiago", MustWeeklyCalendar([]time.Weekday{time.Sunday}, "America/Santiago"), "2019-09-08T04:00:00Z", "2019-09-09T03:00:00Z")
	// Apia had no Friday, 30 December 2011: Thursday met Saturday.
	wantStretch(t, "Apia", MustWeeklyCalendar([]time.Weekday{time.Thursday, time.Saturday}, "Pacific/Apia"), "2011-12-29T10:00:00Z", "2011-12-31T10:00:00Z")
	wantStretch(t, "all but Wednesday", MustWeeklyCalendar([]time.Weekday{0, 1, 2, 4, 5, 6}, ""), "2026-06-04T00:00:00Z", "2026-06-10T00:00:00Z")
	wantStretch(t, "before 1970", MustWeeklyCalendar([]time.Weekday{time.Wednesday}, ""), "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z")
	if end, excluded := MustWeeklyCalendar([]time.Weekday{0, 1, 2, 3, 4, 5, 6}, "").ExcludedUntil(utc(t, "2026-06-01T00:00:00Z")); !excluded || !end.IsZero() {
		t.Errorf("whole week: %v, %v", end, excluded)
	}
	_, err := NewWeeklyCalendar([]time.Weekday{time.Monday, 7, -1}, "Mars/Base")
	wantError(t, err, "days[1] is 7", "days[2] is -1", "Mars/Base")
}

// R190, D37.
func TestDaily(t *testing.T) {
	day := MustDailyCalendar("09:00", "17:30:15.5", "Asia/Shanghai")
	wantStretch(t, "within a day", day, "2026-06-01T01:00:00Z", "2026-06-01T09:30:15.5Z")
	wantStretch(t, "across midnight", MustDailyCalendar("22:00", "06:00", ""), "2026-06-01T22:00:00Z", "2026-06-02T06:00:00Z")
	wantStretch(t, "to midnight", MustDailyCalendar("22:00", "24:00", ""), "2026-06-01T22:00:00Z", "2026-06-02T00:00:00Z")
	wantStretch(t, "to midnight", MustDailyCalendar("22:00", "00:00", ""), "2026-06-01T22:00:00Z", "2026-06-02T00:00:00Z")
	wantStretch(t, "from midnight", MustDailyCalendar("00:00", "00:00:00.000001", ""), "2026-06-01T00:00:00Z", "2026-06-01T00:00:00.000001Z")
	wantStretch(t, "all but a microsecond", MustDailyCalendar("00:00:00.000001", "00:00", ""), "2026-06-01T00:00:00.000001Z", "2026-06-02T00:00:00Z")
	// Through DST: the night of the change is an hour shorter or longer.
	berlin := MustDailyCalendar("22:00", "06:00", "Europe/Berlin")
	wantStretch(t, "spring", berlin, "2026-03-28T21:00:00Z", "2026-03-29T04:00:00Z")
	wantStretch(t, "autumn", berlin, "2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z")
	// The period lies in the gap: nothing that day, as usual the next.
	gap := MustDailyCalendar("02:00", "03:00", "Europe/Berlin")
	if end, excluded := gap.ExcludedUntil(utc(t, "2026-03-29T01:00:00Z")); excluded {
		t.Errorf("03:00 summer time excluded until %v", end)
	}
	wantStretch(t, "the day after", gap, "2026-03-30T00:00:00Z", "2026-03-30T01:00:00Z")
	// It begins in the gap: from the change on. It ends in the gap: to the change.
	wantStretch(t, "begins in the gap", MustDailyCalendar("02:30", "04:00", "Europe/Berlin"), "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z")
	wantStretch(t, "ends in the gap", MustDailyCalendar("01:00", "02:30", "Europe/Berlin"), "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z")
	// It lies in the repeated hour: both times.
	twice := MustDailyCalendar("02:15", "02:45", "Europe/Berlin")
	wantStretch(t, "first pass", twice, "2026-10-25T00:15:00Z", "2026-10-25T00:45:00Z")
	wantStretch(t, "second pass", twice, "2026-10-25T01:15:00Z", "2026-10-25T01:45:00Z")
	// It covers the change, or begins or ends inside the repeated hour.
	wantStretch(t, "covers", MustDailyCalendar("01:30", "03:30", "Europe/Berlin"), "2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z")
	wantStretch(t, "begins inside, first", MustDailyCalendar("02:30", "03:30", "Europe/Berlin"), "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z")
	wantStretch(t, "begins inside, second", MustDailyCalendar("02:30", "03:30", "Europe/Berlin"), "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z")
	wantStretch(t, "ends inside, second", MustDailyCalendar("01:30", "02:30", "Europe/Berlin"), "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z")
	// Half an hour at Lord Howe, three hours at Casey, a skipped day at Apia.
	wantStretch(t, "Lord Howe", MustDailyCalendar("01:00", "03:00", "Australia/Lord_Howe"), "2026-04-04T14:00:00Z", "2026-04-04T16:30:00Z")
	wantStretch(t, "Apia", MustDailyCalendar("22:00", "06:00", "Pacific/Apia"), "2011-12-30T08:00:00Z", "2011-12-30T16:00:00Z")
}

func TestDailyFaults(t *testing.T) {
	for _, c := range [][2]string{{"09:00", "09:00"}, {"00:00", "24:00"}, {"00:00", "00:00"}, {"09:00", "09:00:00.0000009"}} {
		_, err := NewDailyCalendar(c[0], c[1], "")
		wantError(t, err, "daily calendar", quote(c[0]), quote(c[1]), "same time")
	}
	for _, bad := range []string{"", "9:00", "09", "0900", "09:60", "09:00:60", "24:00:01", "24:01", "25:00", "-1:00", "09:00Z", "09:00:00.", "09:00:00.0000000001", "09:00.5", "09:00 ", "９:00", "09:00\x00"} {
		_, err := NewDailyCalendar(bad, "10:00", "")
		wantError(t, err, "from", quote(bad), "hh:mm")
		_, err = NewDailyCalendar("10:00", bad, "")
		wantError(t, err, "to", quote(bad), "hh:mm")
	}
	_, err := NewDailyCalendar("24:00", "10:00", "")
	wantError(t, err, "from", "24:00", "00:00")
}

// R191.
func TestCronCalendar(t *testing.T) {
	night := MustCronCalendar("* * 0-7 * * *", "Asia/Shanghai")
	wantStretch(t, "00:00–08:00", night, "2026-05-31T16:00:00Z", "2026-06-01T00:00:00Z")
	wantStretch(t, "a second", MustCronCalendar("0 9 * * *", ""), "2026-06-01T09:00:00Z", "2026-06-01T09:00:01Z")
	wantStretch(t, "spring", MustCronCalendar("* * 0-7 * * *", "Europe/Berlin"), "2026-03-28T23:00:00Z", "2026-03-29T06:00:00Z")
	wantStretch(t, "both passes", MustCronCalendar("* * 0-7 * * *", "Europe/Berlin"), "2026-10-24T22:00:00Z", "2026-10-25T07:00:00Z")
	wantStretch(t, "a named year", MustCronCalendar("* * * * * * 2030", ""), "2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z")
	if end, excluded := MustCronCalendar("* * * * * *", "").ExcludedUntil(utc(t, "2026-06-01T00:00:00Z")); !excluded || !end.IsZero() {
		t.Errorf("every second: %v, %v", end, excluded)
	}
	_, err := NewCronCalendar("* * 25 * * *", "")
	wantError(t, err, "cron calendar", "25")
	_, err = NewCronCalendar("* * * * *", "Mars/Base")
	wantError(t, err, "cron calendar", "Mars/Base")
}

// R192, with members of every kind.
func TestComposite(t *testing.T) {
	nights := MustDailyCalendar("18:00", "08:00", "")
	weekend := MustWeeklyCalendar(nil, "")
	holiday := MustHolidayCalendar([]Date{MustDate("2026-06-08")}, "")
	cal := MustCompositeCalendar(nights, MustCompositeCalendar(weekend, holiday))
	wantStretch(t, "Friday evening to Tuesday morning", cal, "2026-06-05T18:00:00Z", "2026-06-09T08:00:00Z")
	wantStretch(t, "an ordinary night", cal, "2026-06-09T18:00:00Z", "2026-06-10T08:00:00Z")
	if len(cal.members) != 3 {
		t.Errorf("%d members, want the 3 that are not composite", len(cal.members))
	}
	if MustCompositeCalendar().IsExcluded(utc(t, "2026-06-06T00:00:00Z")) {
		t.Error("no members exclude something")
	}
	_, err := NewCompositeCalendar(nights, nil)
	wantError(t, err, "members[1]", "nil")

	// A yes/no member: the stretch is known up to where it alone decides.
	site := span(utc(t, "2026-06-09T07:00:00Z"), utc(t, "2026-06-09T09:00:00.5Z"))
	mixed := MustCompositeCalendar(cal, site)
	from := utc(t, "2026-06-05T18:00:00Z")
	if end, excluded := mixed.ExcludedUntil(from); !excluded || !end.Equal(utc(t, "2026-06-09T08:00:00Z")) {
		t.Errorf("known part: %v, %v", end, excluded)
	}
	alone := utc(t, "2026-06-09T08:30:00Z")
	if end, excluded := mixed.ExcludedUntil(alone); !excluded || end.After(alone) || end.IsZero() {
		t.Errorf("only yes/no: %v, %v; want the instant itself", end, excluded)
	}
	at, ok := MustEvery(time.Hour).Next(utc(t, "2026-06-05T17:30:00Z"), 1, mixed)
	wantInstant(t, "interval", at, ok, "2026-06-09T09:00:00.5Z")
	at, ok = MustCron("*/10 * * * * *", "").Next(utc(t, "2026-06-05T17:59:50Z"), 1, mixed)
	wantInstant(t, "cron", at, ok, "2026-06-09T09:00:10Z")
	// A member without end excludes for ever.
	forever := MustCompositeCalendar(nights, MustWeeklyCalendar([]time.Weekday{0, 1, 2, 3, 4, 5, 6}, ""))
	if end, excluded := forever.ExcludedUntil(alone); !excluded || !end.IsZero() {
		t.Errorf("for ever: %v, %v", end, excluded)
	}
}

// The zero values exclude nothing and do not panic.
func TestZeroCalendars(t *testing.T) {
	for _, cal := range []StretchCalendar{HolidayCalendar{}, WeeklyCalendar{}, DailyCalendar{}, CronCalendar{}, CompositeCalendar{}} {
		for _, at := range []time.Time{{}, utc(t, "2026-06-06T00:00:00Z"), maxInstant} {
			if end, excluded := cal.ExcludedUntil(at); excluded || !end.IsZero() || cal.IsExcluded(at) {
				t.Errorf("%T excludes %v", cal, at)
			}
		}
	}
}

func TestBuiltIn(t *testing.T) {
	own := span(minInstant, maxInstant)
	for _, cal := range []Calendar{nil, HolidayCalendar{}, WeeklyCalendar{}, DailyCalendar{}, CronCalendar{}, CompositeCalendar{}, MustCompositeCalendar(WeeklyCalendar{}, MustCompositeCalendar(CronCalendar{}))} {
		if !BuiltIn(cal) {
			t.Errorf("%T is not built in", cal)
		}
	}
	for _, cal := range []Calendar{own, MustCompositeCalendar(WeeklyCalendar{}, MustCompositeCalendar(own)), &WeeklyCalendar{}} {
		if BuiltIn(cal) {
			t.Errorf("%T is built in", cal)
		}
	}
}
