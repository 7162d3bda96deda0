package cron_test

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// Faults that other schedulers shipped, by the number of their entry in the
// collection of scenarios. want lists successive answers.
func TestScenarios(t *testing.T) {
	for _, c := range []struct {
		name, expr, zone, after string
		want                    []string
	}{
		{"B03 overshoot", "30 2 * * *", "America/New_York", "2026-03-08T06:30:00Z", []string{"2026-03-09T06:30:00Z"}},
		{"B04 fixed date in a gap", "0 1 30 3 *", "Europe/Lisbon", "2024-11-15T00:00:00Z", []string{"2026-03-30T00:00:00Z"}},
		{"B04 daily in a gap", "30 2 * * *", "Europe/Amsterdam", "2023-03-25T12:00:00Z", []string{"2023-03-27T00:30:00Z"}},
		{"B05 next day", "0 10 2 * * *", "Europe/Berlin", "2021-03-28T01:09:00+01:00", []string{"2021-03-29T00:10:00Z"}},
		{"B06 day before the change", "0 5 0 * * *", "Europe/Amsterdam", "2021-03-28T00:05:00+01:00", []string{"2021-03-28T22:05:00Z"}},
		{"B06 later", "0 5 0 * * *", "Europe/Amsterdam", "2021-03-28T01:59:00+01:00", []string{"2021-03-28T22:05:00Z"}},
		{"B07 midnight", "0 0 * * *", "Europe/Prague", "2026-03-29T00:30:00+01:00", []string{"2026-03-29T22:00:00Z"}},
		{"B07 ten o'clock", "0 10 * * *", "America/Chicago", "2025-03-08T16:00:00Z", []string{"2025-03-09T15:00:00Z"}},
		{"B08 day of 23 hours", "0 0 * * 1-5", "America/Chicago", "2021-03-12T00:00:01-06:00", []string{"2021-03-15T05:00:00Z"}},
		{"B09 2013", "0 2 * * *", "US/Eastern", "2013-03-10T00:00:00-05:00", []string{"2013-03-11T06:00:00Z"}},
		{"B09 2025", "0 2 * * *", "US/Eastern", "2025-03-09T00:00:00-05:00", []string{"2025-03-10T06:00:00Z"}},
		{"B11 accepted on the day of the change", "0 2 * * *", "Europe/Copenhagen", "2018-10-27T12:00:00Z", []string{"2018-10-28T00:00:00Z", "2018-10-29T01:00:00Z"}},
		{"B14 day that starts at one", "0 0 */2 * * *", "Africa/Cairo", "2026-04-23T20:00:00Z", []string{"2026-04-23T23:00:00Z"}},
		{"B17 Chile", "0 6 * * *", "America/Santiago", "2018-08-12T04:00:00Z", []string{"2018-08-12T09:00:00Z"}},
		{"B17 Egypt", "0 0 0 * * *", "Africa/Cairo", "2018-04-27T12:00:00Z", []string{"2018-04-27T22:00:00Z"}},
		{"B19 midnight after a fold", "0 0 * * *", "America/Sao_Paulo", "2018-02-17T00:05:00-02:00", []string{"2018-02-18T03:00:00Z"}},
		{"B20 daily once", "0 0 1 * * *", "America/Los_Angeles", "2014-11-02T08:00:00Z", []string{"2014-11-03T09:00:00Z"}},
		{"B23 start of the second pass", "* * * * *", "America/Sao_Paulo", "2016-02-21T02:00:00Z", []string{"2016-02-21T03:00:00Z"}},
		{"B24 Helsinki", "30 * * * *", "Europe/Helsinki", "2017-10-29T01:45:00Z", []string{"2017-10-29T02:30:00Z"}},
		{"B24 London", "0 1-23/2 * * *", "Europe/London", "2024-10-27T00:00:00Z", []string{"2024-10-27T03:00:00Z"}},
		{"B27 autumn", "0 12 * * *", "Europe/Berlin", "2026-10-24T10:00:00Z", []string{"2026-10-25T11:00:00Z", "2026-10-26T11:00:00Z"}},
		{"B27 spring", "0 12 * * *", "Europe/Berlin", "2026-03-28T11:00:00Z", []string{"2026-03-29T10:00:00Z", "2026-03-30T10:00:00Z"}},
		{"B28 February", "0 0 11 L * ?", "Europe/Berlin", "2017-02-28T05:00:00+01:00", []string{"2017-02-28T10:00:00Z"}},
		{"B28 two", "0 15 23 L 2 ?", "UTC", "2025-07-01T00:00:00Z", []string{"2026-02-28T23:15:00Z"}},
		{"B28 four", "0 15 23 L 4 ?", "UTC", "2025-07-01T00:00:00Z", []string{"2026-04-30T23:15:00Z"}},
		{"B28 six", "0 15 23 L 6 ?", "UTC", "2025-07-01T00:00:00Z", []string{"2026-06-30T23:15:00Z"}},
		{"B28 nine", "0 15 23 L 9 ?", "Africa/Johannesburg", "2025-07-01T00:00:00Z", []string{"2025-09-30T21:15:00Z"}},
		{"B28 eleven", "0 15 23 L 11 ?", "UTC", "2025-07-01T00:00:00Z", []string{"2025-11-30T23:15:00Z"}},
		{"B28 August to September", "0 0 23 L * ?", "Asia/Shanghai", "2025-08-31T23:00:00+08:00", []string{"2025-09-30T15:00:00Z"}},
		{"B29 hour still ahead", "0 0 10 L-4 * ?", "UTC", "2025-02-20T08:58:00Z", []string{"2025-02-24T10:00:00Z"}},
		{"B30 month lengths", "0 0 l * *", "UTC", "2015-10-30T00:00:00Z", []string{
			"2015-10-31T00:00:00Z", "2015-11-30T00:00:00Z", "2015-12-31T00:00:00Z", "2016-01-31T00:00:00Z", "2016-02-29T00:00:00Z",
		}},
		{"B34 Sunday the first", "0 0 0 1W * ?", "UTC", "2021-08-01T00:00:00Z", []string{"2021-08-02T00:00:00Z"}},
		{"B34 Saturday the first", "0 0 0 1W * ?", "UTC", "2021-12-31T00:00:00Z", []string{"2022-01-03T00:00:00Z"}},
		{"B35 month kept", "0 0 12 15W * ?", "UTC", "2024-05-15T12:00:00Z", []string{"2024-06-14T12:00:00Z"}},
		{"B37 LW", "0 10 LW * *", "UTC", "2020-02-01T00:00:00Z", []string{"2020-02-28T10:00:00Z"}},
		{"B39 seven and ordinal", "0 0 0 * * 7#2", "UTC", "2024-11-01T00:00:00Z", []string{"2024-11-10T00:00:00Z"}},
		{"B44 ordinal in a union", "0 0 8-9 * 0#2", "UTC", "2021-01-01T00:00:00Z", []string{
			"2021-01-08T00:00:00Z", "2021-01-09T00:00:00Z", "2021-01-10T00:00:00Z", "2021-02-08T00:00:00Z", "2021-02-09T00:00:00Z",
		}},
		{"B45 either day field", "0 0 0 2 may 3", "UTC", "2025-05-02T00:00:00Z", []string{"2025-05-07T00:00:00Z"}},
		{"B45 L or FRIL", "0 0 L * FRIL", "UTC", "2021-05-06T00:00:00Z", []string{
			"2021-05-28T00:00:00Z", "2021-05-31T00:00:00Z", "2021-06-25T00:00:00Z", "2021-06-30T00:00:00Z", "2021-07-30T00:00:00Z",
		}},
		{"B46 stepped day", "0 0 */2 * 1", "UTC", "2024-12-31T23:59:00Z", []string{
			"2025-01-01T00:00:00Z", "2025-01-03T00:00:00Z", "2025-01-05T00:00:00Z", "2025-01-06T00:00:00Z", "2025-01-07T00:00:00Z",
		}},
		{"B46 stepped weekday", "0 0 15 * */3", "UTC", "2024-12-31T23:59:00Z", []string{
			"2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z", "2025-01-05T00:00:00Z", "2025-01-08T00:00:00Z",
		}},
		{"B47 full range is a restriction", "0 0 1-31 * 4", "UTC", "2024-12-01T00:00:00Z", []string{
			"2024-12-02T00:00:00Z", "2024-12-03T00:00:00Z", "2024-12-04T00:00:00Z", "2024-12-05T00:00:00Z", "2024-12-06T00:00:00Z",
		}},
		{"B48 days from one", "0 0 */3 * *", "UTC", "2026-01-27T00:00:00Z", []string{
			"2026-01-28T00:00:00Z", "2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z", "2026-02-04T00:00:00Z", "2026-02-07T00:00:00Z",
		}},
		{"B48 months from one", "0 0 10 */3 */3 *", "UTC", "2026-01-31T10:00:00Z", []string{"2026-04-01T10:00:00Z", "2026-04-04T10:00:00Z"}},
		{"B52 six to seven", "0 0 * * 6-7", "UTC", "2026-01-01T00:00:00Z", []string{
			"2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z", "2026-01-10T00:00:00Z",
		}},
		{"B52 one to seven", "0 0 * * 1-7", "UTC", "2026-01-01T00:00:00Z", []string{
			"2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z", "2026-01-05T00:00:00Z",
		}},
		{"B53 open step", "0 0 * * 1/2", "UTC", "2026-01-03T00:00:00Z", []string{
			"2026-01-05T00:00:00Z", "2026-01-07T00:00:00Z", "2026-01-09T00:00:00Z", "2026-01-12T00:00:00Z",
		}},
		{"B53 stepped star", "0 0 * * */2", "UTC", "2026-01-03T00:00:00Z", []string{
			"2026-01-04T00:00:00Z", "2026-01-06T00:00:00Z", "2026-01-08T00:00:00Z", "2026-01-10T00:00:00Z",
		}},
		{"B55 Sunday", "0 0 * * sun", "UTC", "2022-02-17T00:00:00Z", []string{"2022-02-20T00:00:00Z"}},
		{"B55 Wednesday", "0 3 * * 3", "UTC", "2015-09-18T00:00:00Z", []string{"2015-09-23T03:00:00Z"}},
		{"B56 one is Monday", "0 0 0 ? * 1", "UTC", "2026-01-01T00:00:00Z", []string{"2026-01-05T00:00:00Z"}},
		{"B63 no leap day in five years", "0 0 29 2 *", "UTC", "2096-02-29T00:00:00Z", nil},
		{"B64 30 February", "0 0 30 2 *", "UTC", "2026-01-01T00:00:00Z", nil},
		{"B64 short months", "0 0 31 2,4,6,9,11 *", "UTC", "2026-01-01T00:00:00Z", nil},
		{"B64 31 May", "0 0 31 4,5 *", "UTC", "2026-01-01T00:00:00Z", []string{"2026-05-31T00:00:00Z"}},
		{"B65 rare date or Sunday", "0 2 29 2 0", "UTC", "2028-02-20T02:00:00Z", []string{
			"2028-02-27T02:00:00Z", "2028-02-29T02:00:00Z", "2029-02-04T02:00:00Z",
		}},
		{"B65 impossible date or Monday", "0 12 31 2 1", "UTC", "2026-01-01T00:00:00Z", []string{
			"2026-02-02T12:00:00Z", "2026-02-09T12:00:00Z",
		}},
		// Other changes of the same kinds (R181).
		{"Kwajalein skips 21 August 1993", "0 12 * * *", "Pacific/Kwajalein", "1993-08-20T00:00:00Z", []string{
			"1993-08-21T00:00:00Z", "1993-08-22T00:00:00Z",
		}},
		{"Lord Howe half-hour gap", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", []string{"2026-10-04T15:15:00Z"}},
		{"D15 years named far ahead", "0 0 0 29 2 ? 2027,2036", "UTC", "2026-01-01T00:00:00Z", []string{"2036-02-29T00:00:00Z"}},
		{"D15 year 2040", "0 0 0 1 1 ? 2040", "UTC", "2026-01-01T00:00:00Z", []string{"2040-01-01T00:00:00Z"}},
		{"D15 five years are inclusive", "0 0 * 2 5#5", "UTC", "2031-02-28T23:59:59Z", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, loc := cron.MustParse(c.expr), zone(t, c.zone)
			at := instantOf(t, c.after)
			for _, want := range c.want {
				next, ok := e.Next(at, loc)
				if !ok || next.Format(time.RFC3339) != want {
					t.Fatalf("%q in %s after %s: got %v %t, want %s", c.expr, c.zone, at, next, ok, want)
				}
				at = next
			}
			if next, ok := e.Next(at, loc); c.want == nil && (ok || !next.IsZero()) {
				t.Fatalf("%q in %s after %s: got %v, want none", c.expr, c.zone, at, next)
			}
		})
	}
}

// B69: the same expression under old and new tables of Asia/Tehran. A stored
// instant that was computed by the old ones is not one of the new ones.
func TestScenarioB69ZoneTablesChange(t *testing.T) {
	const std, dst = 3*3600 + 1800, 4*3600 + 1800
	spring := time.Date(2023, 3, 21, 20, 30, 0, 0, time.UTC).Unix() // 22 March 00:00
	old := inventZone(t, std, []change{{spring, dst}, {spring + 184*86400, std}}, "")
	e := cron.MustParse("0 0 * * *")
	after := instantOf(t, "2023-03-20T20:30:00Z")
	stored, _ := e.Next(after, old.loc)
	if got := stored.Format(time.RFC3339); got != "2023-03-22T19:30:00Z" {
		t.Errorf("old tables: %s", got)
	}
	now := zone(t, "Asia/Tehran")
	fresh, _ := e.Next(after, now)
	if got := fresh.Format(time.RFC3339); got != "2023-03-21T20:30:00Z" {
		t.Errorf("new tables: %s", got)
	}
	if e.Matches(stored, now) {
		t.Error("the stored instant matches under the new tables")
	}
}
