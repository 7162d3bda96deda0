package cron_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gormsched/gormsched/scheduling/cron"
)

func instantOf(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// R191, D18: the end of a stretch that a cron calendar excludes.
func TestNextMismatch(t *testing.T) {
	for _, c := range []struct{ expr, zone, after, want string }{
		{"* * 0-7 * * *", "UTC", "2026-05-01T03:00:00Z", "2026-05-01T08:00:00Z"},
		{"* * 0-7 * * *", "UTC", "2026-05-01T07:59:59.9Z", "2026-05-01T08:00:00Z"},
		{"* * 0-7 * * *", "UTC", "2026-05-01T08:00:00Z", "2026-05-01T08:00:01Z"},
		{"* * 0-7 * * *", "UTC", "2026-04-30T23:59:59Z", "2026-05-01T08:00:00Z"},
		{"* * * * DEC *", "UTC", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"* * * ? * SAT,SUN", "Europe/Berlin", "2026-05-01T22:00:00Z", "2026-05-03T22:00:00Z"},
		// The night with 02:00–02:59 twice is excluded through both passes, the one without it is shorter.
		{"* * 0-7 * * *", "America/New_York", "2026-11-01T04:00:00Z", "2026-11-01T13:00:00Z"},
		{"* * 0-7 * * *", "America/New_York", "2026-03-08T05:00:00Z", "2026-03-08T12:00:00Z"},
		{"* * 1 * * *", "America/New_York", "2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z"},
		{"* * 2 * * *", "America/New_York", "2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z"},
		{"* 0-9 * * * *", "UTC", "2026-05-01T03:09:00Z", "2026-05-01T03:10:00Z"},
		{"0-9 * * * * *", "UTC", "2026-05-01T03:09:59Z", "2026-05-01T03:10:10Z"},
		{"0-9,50-59 * * * * *", "UTC", "2026-05-01T23:59:55Z", "2026-05-02T00:00:10Z"},
		{"* 0-9,50-59 * * * *", "UTC", "2026-05-01T23:50:00Z", "2026-05-02T00:10:00Z"},
		{"* * * 1-28 * *", "UTC", "2026-02-01T00:00:00Z", "2026-03-29T00:00:00Z"},
		{"* * * * * * 2026-2030", "UTC", "2026-02-01T00:00:00Z", "2031-01-01T00:00:00Z"},
		{"* * * * * * 1970-2099", "Asia/Seoul", "1971-02-01T00:00:00Z", "2099-12-31T15:00:00Z"},
		{"0 0 1 1 *", "UTC", "2026-02-01T00:00:00Z", "2026-02-01T00:00:01Z"},
		{"* * * 31 12 ?", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"},
		// Friday the 30th was skipped: Thursday goes over into Saturday.
		{"* * * ? * THU,SAT", "Pacific/Apia", "2011-12-29T12:00:00Z", "2011-12-31T10:00:00Z"},
	} {
		got, ok := cron.MustParse(c.expr).NextMismatch(instantOf(t, c.after), zone(t, c.zone))
		if !ok || got.Format(time.RFC3339) != c.want {
			t.Errorf("%q in %s after %s: got %v %t, want %s", c.expr, c.zone, c.after, got, ok, c.want)
		}
	}
	if got, ok := cron.MustParse("* * * * * *").NextMismatch(instantOf(t, "2026-01-01T00:00:00Z"), zone(t, "Europe/Berlin")); ok || !got.IsZero() {
		t.Errorf("an expression without a mismatch answers %v", got)
	}
}

// The first second for which Matches is false, by trial over a day and by
// samples beyond it.
func TestNextMismatchAgainstMatches(t *testing.T) {
	zones := withoutAliases(ianaZones(t))
	setChecks(t, 1500*effort(t))
	rapid.Check(t, func(t *rapid.T) {
		draw := pick(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		z := zones[draw(len(zones))]
		base := from1970 + int64(draw(130*365))*86400
		if len(z.changes) > 0 && draw(3) > 0 {
			base = z.changes[draw(len(z.changes))]
		}
		base += int64(draw(2*86400)) - 86400
		near := time.Unix(base+int64(draw(7200)), 0).In(z.loc)
		text := "* * " + draw.clock(near.Hour(), 23) + " * * *"
		switch draw(4) {
		case 0:
			text = "* * * " + draw.days(near) + " * " + draw.weekdays(near)
		case 1:
			text = "* * * ? " + draw.months(near) + " ? " + draw.years(near)
		case 2:
			text = anyExpression(draw, near)
		}
		e := cron.MustParse(text)
		o := newOracle(text, z.loc, z.offsets)
		got, ok := e.NextMismatch(time.Unix(base, 1), z.loc)
		end := got.Unix()
		if !ok {
			end = base + 5*365*86400
		} else if o.matches(end) || e.Matches(got, z.loc) {
			t.Fatalf("%q in %s after %d: %v matches", text, z.name, base, got)
		}
		check := func(at int64) {
			if at > base && at < end && (!o.matches(at) || !e.Matches(time.Unix(at, 0), z.loc)) {
				t.Fatalf("%q in %s after %d: got %v, but %v does not match", text, z.name, base, got, time.Unix(at, 0).UTC())
			}
		}
		check(end - 1)
		for at := base + 1; at < min(end, base+3600); at++ {
			check(at)
		}
		for range 200 {
			check(base + rapid.Int64Range(1, max(end-base, 1)).Draw(t, "at"))
		}
		for _, change := range z.changes {
			check(change)
			check(change - 1)
		}
	})
}
