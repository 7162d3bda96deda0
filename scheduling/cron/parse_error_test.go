package cron_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// Issue 3: an error names the field, the item, its place, the bounds and what
// was probably meant.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text, field, item string
		position          int
		says              string // in Error
	}{
		// values and bounds
		{"60 * * * *", "minute", "60", 0, `60 is out of bounds (minute takes 0-59); the full hour is "0"`},
		{"60 * * * * *", "second", "60", 0, `the full minute is "0"`},
		{"0 24 * * *", "hour", "24", 2, "midnight is hour 0"},
		{"5 0 0 * *", "day", "0", 4, "(day takes 1-31); days count from 1"},
		{"0 0 0 * *", "day", "0", 4, `did you mean "0 0 0 * * *"`},
		{"* * * 13 *", "month", "13", 6, "13 is out of bounds (month takes 1-12)"},
		{"0 0 1,32 * *", "day", "32", 6, `"L" is the last day`},
		{"0 0 -1 * *", "day", "-1", 4, `"L" is the last day`},
		{"-1 * * * *", "minute", "-1", 0, "not negative"},
		{"0 0 * 0 *", "month", "0", 6, "1 = JAN"},
		{"0 0 * * 8", "weekday", "8", 8, "in Quartz 1 is Sunday"},
		{"0 0 * * 2-8", "weekday", "2-8", 8, "8 is out of bounds"},
		{"0 0 0 1 1 ? 26", "year", "26", 12, "2026"},
		{"0 0 0 1 1 ? 2100", "year", "2100", 12, "(year takes 1970-2099)"},
		{"99999999999999999999 * * * *", "minute", "99999999999999999999", 0, "99999999999999999999 is out of bounds"},
		{"1-18446744073709551617 * * * *", "minute", "1-18446744073709551617", 0, "out of bounds"},
		// ranges (R179, D16)
		{"0 0 * * FRI-SUN", "weekday", "FRI-SUN", 8, `write "FRI-7"`},
		{"0 0 * * 5-0", "weekday", "5-0", 8, `write "5-7"`},
		{"0 0 * * MON-SUN", "weekday", "MON-SUN", 8, `write "MON-7"`},
		{"0 0 * * 7-3", "weekday", "7-3", 8, `write "0-3"`},
		{"0 0 * * FRI-MON", "weekday", "FRI-MON", 8, `"FRI-SAT,SUN-MON"`},
		{"0 0 * * 6-1", "weekday", "6-1", 8, `"6,0-1"`},
		{"0 22-2 * * *", "hour", "22-2", 2, `"22-23,0-2"`},
		{"0 22-2/2 * * *", "hour", "22-2/2", 2, "two ranges"},
		{"0 0 * NOV-FEB *", "month", "NOV-FEB", 6, `"NOV-DEC,JAN-FEB"`},
		{"0 0 0 1 1 ? 2028-2026", "year", "2028-2026", 12, `"2026-2028"`},
		{"1- * * * *", "minute", "1-", 0, "the range has no end"},
		{"*-5 * * * *", "minute", "*-5", 0, "both ends"},
		{"1-2-3 * * * *", "minute", "1-2-3", 0, `"-3" is left over`},
		// steps (D16)
		{"*/90 * * * *", "minute", "*/90", 0, "larger than 59"},
		{"*/90 * * * *", "minute", "*/90", 0, "every 01:30:00"},
		{"*/60 * * * *", "minute", "*/60", 0, `"0" here and "*" for the hour`},
		{"*/120 * * * *", "minute", "*/120", 0, `"*/2" for the hour`},
		{"*/300 * * * * *", "second", "*/300", 0, `"*/5" for the minute`},
		{"0 */36 * * *", "hour", "*/36", 2, "every 1.12:00:00"},
		{"0 0 */45 * *", "day", "*/45", 4, "every 45.00:00:00"},
		{"0 0 1 */13 *", "month", "*/13", 6, "larger than 12"},
		{"0 0 * * */7", "weekday", "*/7", 8, "larger than 6"},
		{"*/0 * * * *", "minute", "*/0", 0, "never advances"},
		{"15/0 * * * * *", "second", "15/0", 0, "never advances"},
		{"*/-5 * * * *", "minute", "*/-5", 0, "positive"},
		{"*/ * * * *", "minute", "*/", 0, "no number"},
		{"/5 * * * *", "minute", "/5", 0, `write "*/5"`},
		{"*5 * * * *", "minute", "*5", 0, `write "*/5"`},
		{"*/99999999999999999999 * * * *", "minute", "*/99999999999999999999", 0, "larger than 59"},
		// what is left over, empty items
		{"5x * * * *", "minute", "5x", 0, `"x" is left over`},
		{"0 0 1.5 * *", "day", "1.5", 4, `".5" is left over`},
		{"1,,2 * * * *", "minute", "", 2, "empty"},
		{"1, * * * *", "minute", "", 2, "empty"},
		{", * * * *", "minute", "", 0, "empty"},
		{"5; * * * *", "minute", "5;", 0, "commas"},
		// names
		{"0 0 * * MONDAY", "weekday", "MONDAY", 8, "three-letter name MON"},
		{"0 0 * SEPT *", "month", "SEPT", 6, "three-letter name SEP"},
		{"0 0 * FRI *", "month", "FRI", 6, "weekday field"},
		{"0 0 JAN * *", "day", "JAN", 4, "month field"},
		{"H * * * *", "minute", "H", 0, "Jenkins"},
		// L, W, # (R174, R175, R178)
		{"0 0 * * L", "weekday", "L", 8, "SATL"},
		{"0 0 * * MON,l", "weekday", "l", 12, "SATL"},
		{"0 0 * * L-3", "weekday", "L-3", 8, "day field"},
		{"0 0 * * LFRI", "weekday", "LFRI", 8, "FRIL"},
		{"0 0 * * 1-5L", "weekday", "1-5L", 8, "one weekday"},
		{"0 0 * * MONL-1", "weekday", "MONL-1", 8, "no offset"},
		{"0 0 * * FRI#6", "weekday", "FRI#6", 8, "k of n#k is 1 to 5"},
		{"0 0 * * FRI#0", "weekday", "FRI#0", 8, "k of n#k is 1 to 5"},
		{"0 0 * * FRI#L", "weekday", "FRI#L", 8, "FRIL"},
		{"0 0 * * 15W", "weekday", "15W", 8, "day field"},
		{"0 0 5#2 * *", "day", "5#2", 4, "weekday field"},
		{"0 0 15L * *", "day", "15L", 4, "weekday field"},
		{"0 0 W * *", "day", "W", 4, `"15W"`},
		{"0 0 WL * *", "day", "WL", 4, `"LW"`},
		{"0 0 10-15W * *", "day", "10-15W", 4, "one day"},
		{"0 0 32W * *", "day", "32W", 4, "32 is out of bounds"},
		{"0 0 L-0 * *", "day", "L-0", 4, "1 to 30"},
		{"0 0 L-31 * *", "day", "L-31", 4, "1 to 30"},
		{"0 0 L-3W * *", "day", "L-3W", 4, "cannot be combined"},
		{"0 0 * L *", "month", "L", 6, "day field"},
		// ?
		{"? * * * *", "minute", "?", 0, `write "*"`},
		{"0 0 ?/2 * *", "day", "?/2", 4, "alone"},
		{"0 0 1,? * *", "day", "?", 6, `write "*"`},
		{"0 0 0 1 1 ? ?", "year", "?", 12, `write "*"`},
		// fields counted wrong
		{"30 14 * * MON *", "month", "MON", 10, `"30 14 * * MON"`},
		{"0 9 * * 1-5 2026", "weekday", "2026", 12, `"0 0 9 * * 1-5 2026"`},
		{"0 15 10 ? *", "month", "?", 8, `"0 15 10 ? * *"`},
		{"0 30 14 * *", "hour", "30", 2, `"0 30 14 * * *"`},
		{"*/5 * * * * root cmd", "weekday", "root", 12, `"*/5 * * * *"`},
		{"", "", "", 0, "it is empty; write five fields"},
		{" \t ", "", " \t ", 0, "it is empty"},
		{"5", "", "5", 0, "it has one field"},
		{"* * * *", "", "* * * *", 0, `it has 4 fields`},
		{"*/5 * * * * run this now", "", "*/5 * * * * run this now", 0, `did you mean "*/5 * * * *"`},
		// prefixes and macros
		{"TZ=Asia/Seoul 0 9 * * *", "second", "TZ=Asia/Seoul", 0, `write "0 9 * * *" and give "Asia/Seoul" separately`},
		{"CRON_TZ=UTC", "", "CRON_TZ=UTC", 0, "zone is not part"},
		{"TZ=", "", "TZ=", 0, "zone is not part"},
		{"TZ=TZ=TZ=", "", "TZ=TZ=TZ=", 0, "zone is not part"},
		{"@daily", "", "@daily", 0, `write "0 0 * * *"`},
		{"@Yearly", "", "@Yearly", 0, `write "0 0 1 1 *"`},
		{"@every 1h30m", "", "@every 1h30m", 0, "every 01:30:00"},
		{"@reboot", "", "@reboot", 0, "start"},
		// bytes
		{"0 9 \u2013 * *", "", "\u2013", 4, `ASCII hyphen`},
		{"0\u00a09 * * *", "", "\u00a0", 1, "ordinary blank"},
		{"\uff0a * * * *", "", "\uff0a", 0, `ASCII asterisk`},
		{"\uff15 * * * *", "", "\uff15", 0, `'5'`},
		{"* * * * *\n", "", "\n", 9, "one line"},
		{"* * *\x00* *", "", "\x00", 5, "printable ASCII"},
		{"* * * * \x7f", "", "\x7f", 8, "printable ASCII"},
		{"* * * * \xff", "", "\xff", 8, "printable ASCII"},
		{`"0 9 * * *"`, "minute", `"0`, 0, "quotation marks"},
	} {
		_, err := cron.Parse(c.text)
		var p *cron.ParseError
		if !errors.As(err, &p) {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if p.Field != c.field || p.Text != c.item || p.Position != c.position {
			t.Errorf("Parse(%q): field %q, text %q at %d, want %q, %q at %d", c.text, p.Field, p.Text, p.Position, c.field, c.item, c.position)
		}
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("Parse(%q): %v\nwant in it: %s", c.text, err, c.says)
		}
		if (p.Field == "") != (p.Min == 0 && p.Max == 0) {
			t.Errorf("Parse(%q): field %q with bounds %d-%d", c.text, p.Field, p.Min, p.Max)
		}
	}
}

// Long texts are refused, or read, and never quoted in whole.
func TestParseLongTexts(t *testing.T) {
	const mebibyte = 1 << 20
	for _, text := range []string{
		strings.Repeat("*", mebibyte),
		strings.Repeat(" ", mebibyte),
		strings.Repeat("* ", mebibyte/2),
		strings.Repeat("1,", mebibyte/2) + "1 * * * *",
		strings.Repeat("9", mebibyte) + " * * * *",
		"*/" + strings.Repeat("9", 4000) + " * * * *",
		strings.Repeat("9", 4000) + " * * * *",
		strings.Repeat("x", 4000) + " * * * *",
		"* * * * " + strings.Repeat("9", 4000) + "#1",
		"0 0 * * " + strings.Repeat("9", 2000) + "-" + strings.Repeat("0", 2000),
		"0 0 * * FRI-" + strings.Repeat("0", 4000),
		"TZ=" + strings.Repeat("z", 4000) + " * * * * *",
		strings.Repeat("\xe2\x80\x93", mebibyte/3),
		strings.Repeat("\x00", mebibyte),
		"1" + strings.Repeat(",1", 2100),
	} {
		_, err := cron.Parse(text)
		if err == nil {
			t.Errorf("%.20q... of %d bytes was accepted", text, len(text))
		} else if n := len(err.Error()); n > 600 {
			t.Errorf("%.20q... of %d bytes: an error of %d bytes: %.300s", text, len(text), n, err)
		}
	}
	longest := "1" + strings.Repeat(",1", 2000) + " * * * *"
	if _, err := cron.Parse(longest); err != nil {
		t.Errorf("%d bytes: %v", len(longest), err)
	}
}

// Every error of the vectors is one line of printable ASCII.
func TestParseErrorTextIsPrintable(t *testing.T) {
	for _, text := range []string{"\x1b[31m * * * *", "é * * * *", "a\tb", "* * * * * *\r\n"} {
		_, err := cron.Parse(text)
		if err == nil {
			t.Fatalf("%q was accepted", text)
		}
		for _, c := range err.Error() {
			if c < ' ' || c > '~' {
				t.Errorf("Parse(%q): %q holds %q", text, err, c)
			}
		}
	}
}
