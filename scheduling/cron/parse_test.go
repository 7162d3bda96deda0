package cron_test

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// R169–R177, D16: what is accepted, and its canonical text.
func TestParseAndString(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"* * * * *", "0 * * * * *"},
		{"* * * * * *", "* * * * * *"},
		{"* * * * * * *", "* * * * * *"},
		{"0 9 * * 1-5", "0 0 9 * * MON-FRI"},
		{"  0\t9 ? * mon-Fri ", "0 0 9 * * MON-FRI"},
		{"00 007 * * *", "0 0 7 * * *"},
		{"0 0 ? * ?", "0 0 0 * * *"},
		{"*/1 */1 1-12 * *", "0 * * 1-12 * *"},
		{"*/15 0/15 * * * *", "*/15 */15 * * * *"},
		{"3/20 * * * *", "0 3/20 * * * *"},
		{"3-40/10 * * * *", "0 3-33/10 * * * *"},
		{"5,3,4,10,11 * * * *", "0 3-5,10,11 * * * *"},
		{"0,30 * * * *", "0 0,30 * * * *"},
		{"0 0 1-31 * *", "0 0 0 1-31 * *"},
		{"0 0 *,3 * *", "0 0 0 1-31 * *"},
		{"0 0 * 1-12 0-6", "0 0 0 * * SUN-SAT"},
		{"0 0 * * 0-7", "0 0 0 * * SUN-SAT"},
		{"0 0 * * 7", "0 0 0 * * SUN"},
		{"0 0 * * 0,7", "0 0 0 * * SUN"},
		{"0 0 * * 5-7", "0 0 0 * * SUN,FRI,SAT"},
		{"0 0 * * 5-7/2", "0 0 0 * * SUN,FRI"},
		{"0 0 * * 7/2", "0 0 0 * * */2"},
		{"0 0 * * 1/2", "0 0 0 * * MON/2"},
		{"0 0 * * MON/3", "0 0 0 * * MON,THU"},
		{"0 0 l,3w,lw,L-5,1 * *", "0 0 0 1,3W,L-5,L,LW * *"},
		{"0 0 * * fril,7#2,MON", "0 0 0 * * MON,SUN#2,FRIL"},
		{"0 0 * Jan,APR/3 *", "0 0 0 * */3 *"},
		{"0 0 0 1 1 ? 2026", "0 0 0 1 1 * 2026"},
		{"0 0 0 1 1 ? 1970-2099", "0 0 0 1 1 * 1970-2099"},
		{"0 0 0 1 1 ? */2", "0 0 0 1 1 * */2"},
		{"0 0 0 1 1 ? 2026,2027,2090", "0 0 0 1 1 * 2026,2027,2090"},
		{"*/59 */59 */23 */31 */12 */6 */2099", "0,59 0,59 0,23 1 1 SUN,SAT 1970"},
	} {
		e, err := cron.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got := e.String(); got != c.want {
			t.Errorf("%q: canonical text %q, want %q", c.text, got, c.want)
		}
		again, err := cron.Parse(e.String())
		if err != nil || !again.Equal(e) || again.String() != e.String() {
			t.Errorf("%q: %q reads back as %v, %v", c.text, e, again, err)
		}
	}
}

// D16: spelling makes no difference, restriction does.
func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"0 9 * * 1-5", "0 0 9 ? * MON,TUE,WED,THU,FRI", true},
		{"*/20 * * * *", "0,20,40 * * * *", true},
		{"0 0 * * 7L", "0 0 * * sunl", true},
		{"0 0 * * *", "0 0 1-31 * *", false},
		{"0 0 * * *", "0 0 * * 0-6", false},
		{"0 0 0 * * *", "0 0 0 * * * 1970-2099", false},
		{"0 0 0 * * *", "0 0 0 * * * *", true},
		{"0 0 L * *", "0 0 L-1 * *", false},
	} {
		a, b := cron.MustParse(c.a), cron.MustParse(c.b)
		if a.Equal(b) != c.want || b.Equal(a) != c.want || (a.String() == b.String()) != c.want {
			t.Errorf("%q and %q: Equal is %t, texts %q and %q", c.a, c.b, a.Equal(b), a, b)
		}
	}
	var none *cron.Expression
	if !none.Equal(nil) || none.Equal(cron.MustParse("* * * * *")) || cron.MustParse("* * * * *").Equal(none) {
		t.Error("nil is equal to nil only")
	}
}

// The zero value and nil run never and harm nobody.
func TestZeroExpression(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, e := range []*cron.Expression{nil, {}} {
		for _, loc := range []*time.Location{nil, time.UTC, zone(t, "Europe/Berlin")} {
			if next, ok := e.Next(at, loc); ok {
				t.Errorf("Next: %v", next)
			}
			if e.Matches(at, loc) {
				t.Error("it matches")
			}
			if next, ok := e.NextMismatch(at, loc); !ok || !next.Equal(at.Add(time.Second)) {
				t.Errorf("NextMismatch: %v %t", next, ok)
			}
		}
		if e.String() != "" || e.Describe() != "Never" {
			t.Errorf("%q, %q", e.String(), e.Describe())
		}
	}
}

func TestMustParsePanicsOnLiteralsOnly(t *testing.T) {
	defer func() {
		if _, ok := recover().(*cron.ParseError); !ok {
			t.Error("want a panic with the error of Parse")
		}
	}()
	cron.MustParse("60 * * * *")
}

func TestDescribe(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"* * * * * *", "Every second"},
		{"* * * * *", "Every minute"},
		{"*/5 * * * *", "Every 5 minutes"},
		{"*/7 * * * *", "Every 7 minutes from minute 0 to 56 of every hour"},
		{"*/20 * * * * *", "Every 20 seconds"},
		{"0 * * * *", "Every hour"},
		{"0 */2 * * *", "Every 2 hours"},
		{"0 */7 * * *", "At 00:00, 07:00, 14:00 and 21:00"},
		{"15,45 * * * *", "At minutes 15 and 45 of every hour"},
		{"30 */2 * * *", "At minute 30, every 2 hours"},
		{"0 9 * * 1-5", "At 09:00 on Monday to Friday"},
		{"5 0 9 * * *", "At 09:00:05"},
		{"*/10 9-17 * * MON-FRI", "Every 10 minutes, at hours 9 to 17 on Monday to Friday"},
		{"10-20 5 * * * *", "At seconds 10 to 20, at minute 5 of every hour"},
		{"* * 0-7 * * *", "Every second, at hours 0 to 7"},
		{"0 0 22 L * ?", "At 22:00 on the last day of the month"},
		{"0 0 L-1,L-3 * ?", "At 00:00 on 3 days before the last day of the month or one day before the last day of the month"},
		{"0 0 13 * 5", "At 00:00 on day 13 of the month or Friday"},
		{"0 0 15W,LW * FRI#2,TUEL", "At 00:00 on the weekday nearest to day 15 of the month, the last weekday of the month, the second Friday of the month or the last Tuesday of the month"},
		{"0 0 */2 * *", "At 00:00 on days 1, 3 and so on to 31 of the month"},
		{"0 0 1 JAN,MAR-JUN *", "At 00:00 on day 1 of the month in January and March to June"},
		{"0 0 0 1 1 ? 2026-2028", "At 00:00 on day 1 of the month in January in the years 2026 to 2028"},
		{"0 0 0 1 1 ? 2026", "At 00:00 on day 1 of the month in January in the year 2026"},
	} {
		if got := cron.MustParse(c.text).Describe(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
