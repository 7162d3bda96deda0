package cron_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// Any text is an expression that survives its canonical form, or a *ParseError
// of bounded length.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"* * * * *", "0 0 9 ? * MON-FRI", "*/5 1-10/3 L,15W,LW,L-3 JAN,*/2 FRI#2,7L,0", "0 0 0 1 1 ? 2026-2030/2",
		"*/90 * * * *", "0 0 * * FRI-SUN", "TZ=UTC * * * * *", "@every 5m", "0 9 \u2013 * *", "1,,2 * * * *", "0 0 * * L", "\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := cron.Parse(text)
		if err != nil {
			var p *cron.ParseError
			if !errors.As(err, &p) || e != nil {
				t.Fatalf("Parse(%q) = %v, %v", text, e, err)
			}
			if p.Position < 0 || p.Position > len(text) || len(err.Error()) > 1000 {
				t.Fatalf("Parse(%q): position %d, %d bytes of text", text, p.Position, len(err.Error()))
			}
			return
		}
		again, err := cron.Parse(e.String())
		if err != nil || !again.Equal(e) || again.String() != e.String() {
			t.Fatalf("%q: %q reads back as %v, %v", text, e, again, err)
		}
		if e.Describe() == "" {
			t.Fatalf("%q has no description", text)
		}
	})
}

// Next ends, goes forward, and answers what Matches confirms; NextMismatch
// likewise.
func FuzzNext(f *testing.F) {
	f.Add("30 2 * * *", int64(1772953200), "America/New_York")
	f.Add("* * 2 ? 3 SUN#2 2008-2099", int64(0), "America/New_York")
	f.Add("0 0 30 2 *", int64(1767225600), "UTC")
	f.Add("0 0 0 31 2,4,6,9,11 ? 1970-2099", int64(-1<<40), "Europe/Berlin")
	f.Add("*/7 */3 L,1W * 5#5", int64(1325246400), "Pacific/Apia")
	f.Add("15 44 0 * * *", int64(63500000), "Africa/Monrovia")
	f.Fuzz(func(t *testing.T, text string, at int64, zoneName string) {
		e, err := cron.Parse(text)
		if err != nil {
			return
		}
		loc, err := time.LoadLocation(zoneName)
		if err != nil || zoneName == "Local" {
			loc = time.FixedZone("fixed", int(at%86400))
		}
		after := time.Unix(at, 0)
		next, ok := e.Next(after, loc)
		if ok {
			if !next.After(after) || !e.Matches(next, loc) {
				t.Fatalf("%q in %s after %d: %v", text, loc, at, next)
			}
			if again, ok := e.Next(next.Add(-time.Second), loc); !ok || !again.Equal(next) {
				t.Fatalf("%q in %s after %d: %v, and just before it %v %t", text, loc, at, next, again, ok)
			}
			if later, ok := e.Next(next, loc); ok && !later.After(next) {
				t.Fatalf("%q in %s after %v: %v", text, loc, next, later)
			}
		} else if !next.IsZero() {
			t.Fatalf("%q in %s after %d: none, but %v", text, loc, at, next)
		}
		if end, ok := e.NextMismatch(after, loc); ok {
			if !end.After(after) || e.Matches(end, loc) {
				t.Fatalf("%q in %s: mismatch after %d: %v", text, loc, at, end)
			}
			if last := end.Add(-time.Second); last.After(after) && !e.Matches(last, loc) {
				t.Fatalf("%q in %s: %v is a mismatch before %v", text, loc, last, end)
			}
		}
	})
}
