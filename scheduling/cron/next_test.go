package cron_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// after may carry a monotonic reading, a fraction and a zone of its own; none
// of them is in the answer.
func TestNextIgnoresHowAfterIsGiven(t *testing.T) {
	e := cron.MustParse("* * * * * *")
	now := time.Now()
	next, ok := e.Next(now, nil)
	if !ok || strings.Contains(next.String(), "m=") || next.Nanosecond() != 0 || next.Location() != time.UTC {
		t.Errorf("after %s: %s %t", now, next, ok)
	}
	if want := now.Unix() + 1; next.Unix() != want {
		t.Errorf("after %s: %s, want %s", now, next, time.Unix(want, 0).UTC())
	}
	daily := cron.MustParse("0 12 * * *")
	want := instantOf(t, "2026-01-01T12:00:00Z")
	for _, after := range []time.Time{
		instantOf(t, "2026-01-01T11:59:59.999999999Z"),
		instantOf(t, "2026-01-01T20:59:59+09:00"),
		instantOf(t, "2026-01-01T11:00:00Z").In(zone(t, "America/St_Johns")),
	} {
		if got, ok := daily.Next(after, time.UTC); !ok || !got.Equal(want) {
			t.Errorf("after %s: %s %t", after, got, ok)
		}
	}
	if got, _ := daily.Next(want, nil); !got.Equal(want.AddDate(0, 0, 1)) {
		t.Errorf("after is exclusive, got %s", got)
	}
}

// D15 and the ends of the calendar.
func TestNextHorizon(t *testing.T) {
	for _, c := range []struct{ expr, zone, after, want string }{
		{"0 0 29 2 *", "UTC", "2095-02-28T00:00:00Z", "2096-02-29T00:00:00Z"},
		{"0 0 29 2 *", "UTC", "2096-02-29T00:00:00Z", ""},
		{"0 0 29 2 *", "UTC", "2099-02-28T23:59:59Z", ""},
		{"0 0 29 2 *", "UTC", "2099-03-01T00:00:00Z", "2104-02-29T00:00:00Z"},
		{"0 0 0 29 2 ? 1970-2099", "UTC", "2099-03-01T00:00:00Z", ""},
		{"0 0 0 29 2 ? 1970-2099", "UTC", "1901-03-01T00:00:00Z", "1972-02-29T00:00:00Z"},
		{"0 0 0 ? 2 5#5 1970-2099", "UTC", "2009-01-01T00:00:00Z", "2036-02-29T00:00:00Z"},
		{"0 0 0 1 1 ? 2099", "UTC", "0001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"},
		{"0 0 0 1 1 ? 1970", "Asia/Tokyo", "1969-01-01T00:00:00Z", "1969-12-31T15:00:00Z"},
		{"59 59 23 31 12 ? 2099", "America/New_York", "2099-12-31T23:00:00Z", "2100-01-01T04:59:59Z"},
		{"* * * * * *", "UTC", "9999-12-31T23:59:58Z", "9999-12-31T23:59:59Z"},
		{"* * * * * *", "UTC", "9999-12-31T23:59:59Z", ""},
		{"0 0 1 1 *", "Asia/Seoul", "9998-12-31T14:59:59Z", "9998-12-31T15:00:00Z"},
		{"0 0 1 1 *", "UTC", "9999-01-01T00:00:00Z", ""},
		{"0 0 1 1 *", "UTC", "0001-01-01T00:00:00Z", "0002-01-01T00:00:00Z"},
		{"0 0 * * MON", "UTC", "0001-01-01T00:00:00Z", "0001-01-08T00:00:00Z"},
		{"30 4 5 7 *", "America/New_York", "1850-01-01T00:00:00Z", "1850-07-05T09:26:02Z"},
	} {
		got, ok := cron.MustParse(c.expr).Next(instantOf(t, c.after), zone(t, c.zone))
		if text := got.Format(time.RFC3339); ok != (c.want != "") || ok && text != c.want {
			t.Errorf("%q in %s after %s: %s %t, want %q", c.expr, c.zone, c.after, text, ok, c.want)
		}
	}
	// A restricted year is found from before the calendar too.
	for _, before := range []time.Time{time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(-1<<63, 0)} {
		for _, loc := range []*time.Location{nil, zone(t, "Europe/Berlin")} {
			next, ok := cron.MustParse("0 0 12 1 7 ? 2050").Next(before, loc)
			if !ok || next.Year() != 2050 {
				t.Errorf("after %d: %v %t", before.Unix(), next, ok)
			}
		}
	}
	for _, far := range []time.Time{
		time.Unix(1<<62, 0), time.Unix(-1<<62, 0), time.Unix(1<<63-1, 0), time.Unix(-1<<63, 0),
		time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		e := cron.MustParse("* * * * *")
		for _, loc := range []*time.Location{nil, zone(t, "Europe/Berlin")} {
			if got, ok := e.Next(far, loc); ok {
				t.Errorf("after %d: %s", far.Unix(), got)
			}
			if got, ok := e.NextMismatch(far, loc); ok {
				t.Errorf("mismatch after %d: %s", far.Unix(), got)
			}
			if e.Matches(far, loc) {
				t.Errorf("%d matches", far.Unix())
			}
		}
	}
}

// D17: Matches knows both passes, Next answers the first.
func TestMatchesBothPasses(t *testing.T) {
	e, loc := cron.MustParse("30 1 * * *"), zone(t, "America/New_York")
	for at, want := range map[string]bool{
		"2026-11-01T05:30:00Z":   true,
		"2026-11-01T06:30:00Z":   true,
		"2026-11-01T06:30:00.9Z": true,
		"2026-11-01T06:30:01Z":   false,
		"2026-11-01T07:30:00Z":   false,
	} {
		if got := e.Matches(instantOf(t, at), loc); got != want {
			t.Errorf("Matches(%s) is %t", at, got)
		}
	}
	if cron.MustParse("0 0 0 1 1 ? 2026").Matches(instantOf(t, "2025-01-01T00:00:00Z"), nil) {
		t.Error("the year is a field too")
	}
}

// One expression, many goroutines and zones: run with -race.
func TestExpressionIsSafeForConcurrentUse(t *testing.T) {
	e := cron.MustParse("30 1 L * FRI#2")
	var group sync.WaitGroup
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Seoul"} {
		loc := zone(t, name)
		want := walk(e, loc)
		for range 2 {
			group.Go(func() {
				for i, got := range walk(e, loc) {
					if !got.Equal(want[i]) {
						t.Errorf("%s: %s, want %s", name, got, want[i])
					}
				}
			})
		}
	}
	group.Wait()
}

func walk(e *cron.Expression, loc *time.Location) []time.Time {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var all []time.Time
	for range 200 {
		at, _ = e.Next(at, loc)
		e.Matches(at, loc)
		e.NextMismatch(at, loc)
		all = append(all, at)
	}
	return all
}

// Issue 3: no allocations.
func TestNextDoesNotAllocate(t *testing.T) {
	for _, name := range []string{"UTC", "America/New_York", "Australia/Lord_Howe"} {
		loc := zone(t, name)
		for _, text := range []string{"* * * * *", "0 9 * * MON-FRI", "0 0 22 L * ?", "0 0 0 30 2 ? 1970-2099", "* * 2 ? 3 SUN#2 2008-2099"} {
			e := cron.MustParse(text)
			at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			if n := testing.AllocsPerRun(100, func() {
				if next, ok := e.Next(at, loc); ok {
					at = next
				}
				e.Matches(at, loc)
				e.NextMismatch(at, loc)
			}); n != 0 {
				t.Errorf("%q in %s: %v allocations", text, name, n)
			}
		}
	}
}
