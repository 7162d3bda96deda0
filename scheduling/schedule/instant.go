package schedule

import (
	"fmt"
	"strings"
	"time"
)

// day is the length of a day on a clock that is not changed.
const day = 24 * time.Hour

// minInstant and maxInstant bound every instant of a schedule: what the text
// form can write and the cron grammar can mean.
var (
	minInstant = time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)
	maxInstant = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_000, time.UTC)
)

// cutInstant returns t in UTC, without monotonic reading, cut to whole
// microseconds: never later than t (D31, B170).
func cutInstant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// ceilInstant is cutInstant rounded the other way, for the end of an
// excluded stretch, which a cut would move back into the stretch.
func ceilInstant(t time.Time) time.Time {
	cut := cutInstant(t)
	if cut.Before(t) {
		cut = cut.Add(time.Microsecond)
	}
	return cut
}

func checkInstant(part string, t time.Time) error {
	if t.Before(minInstant) || t.After(maxInstant) {
		return fmt.Errorf("%s %s: must lie in the years 1970 to 9999, UTC", part, t.Format(time.RFC3339Nano))
	}
	return nil
}

// formatInstant writes UTC with seven fraction digits (R166, D37).
func formatInstant(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.0000000-07:00")
}

// parseInstant reads yyyy-mm-ddThh:mm:ss[.f…](Z|±hh:mm) with up to nine
// fraction digits. It is stricter than [time.Parse], which takes commas and
// one-digit hours, and it says what is wrong.
func parseInstant(part, text string) (time.Time, error) {
	fail := func(why string) (time.Time, error) {
		return time.Time{}, fmt.Errorf("%s %s: %s, as in 2026-11-01T09:00:00Z or 2026-11-01T09:00:00+08:00", part, quote(text), why)
	}
	p := digits{text: text}
	year, month, dom := p.take(4), p.after('-', 2), p.after('-', 2)
	if p.bad {
		return fail("write an instant as yyyy-mm-ddThh:mm:ss with an offset")
	}
	if p.at == len(text) {
		return fail("the time of day and the offset are missing; write yyyy-mm-ddThh:mm:ss with an offset")
	}
	hour, minute, second := p.after('T', 2), p.after(':', 2), p.after(':', 2)
	if p.bad {
		return fail("write an instant as yyyy-mm-ddThh:mm:ss with an offset")
	}
	nanos := 0
	if p.at < len(text) && text[p.at] == '.' {
		var ok bool
		if nanos, p.at, ok = fraction(text, p.at+1); !ok {
			return fail("write 1 to 9 digits after the decimal point")
		}
	}
	if len(text) == p.at {
		return fail("the offset is missing; append Z for UTC or an offset")
	}
	offset, ok := parseOffset(text[p.at:])
	if !ok {
		return fail("the offset must be Z or ±hh:mm, at most 23:59")
	}
	if hour > 23 || minute > 59 || second > 59 {
		return fail("the time of day must lie in 00:00:00 to 23:59:59")
	}
	t := time.Date(year, time.Month(month), dom, hour, minute, second, nanos, time.UTC)
	if month < 1 || month > 12 || t.Day() != dom {
		return fail("there is no such date; write an existing one")
	}
	t = cutInstant(t.Add(-offset))
	if checkInstant(part, t) != nil {
		return fail("it must lie in the years 1970 to 9999, UTC")
	}
	return t, nil
}

// parseOffset reads Z or ±hh:mm.
func parseOffset(text string) (time.Duration, bool) {
	if strings.EqualFold(text, "Z") {
		return 0, true
	}
	if text == "" || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	p := digits{text: text, at: 1}
	h, m := p.take(2), p.after(':', 2)
	if p.bad || p.at != len(text) || h > 23 || m > 59 {
		return 0, false
	}
	d := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if text[0] == '-' {
		d = -d
	}
	return d, true
}

// digits reads numbers of a fixed width; bad is set by the first that is
// not there, and everything after it reads as 0.
type digits struct {
	text string
	at   int
	bad  bool
}

func (d *digits) take(width int) int {
	if d.bad || len(d.text)-d.at < width {
		d.bad = true
		return 0
	}
	n := 0
	for _, c := range []byte(d.text[d.at : d.at+width]) {
		if c < '0' || c > '9' {
			d.bad = true
			return 0
		}
		n = n*10 + int(c-'0')
	}
	d.at += width
	return n
}

// after takes a separator, whose letters match in either case, and then a
// number.
func (d *digits) after(sep byte, width int) int {
	if d.bad || d.at >= len(d.text) || d.text[d.at] != sep && d.text[d.at] != sep|0x20 {
		d.bad = true
		return 0
	}
	d.at++
	return d.take(width)
}

// fraction reads 1 to 9 digits from text[at:] as a fraction of a second and
// returns nanoseconds and the position behind them.
func fraction(text string, at int) (nanos, next int, ok bool) {
	scale := 100_000_000
	for next = at; next < len(text) && '0' <= text[next] && text[next] <= '9'; next++ {
		nanos += int(text[next]-'0') * scale
		scale /= 10
	}
	return nanos, next, next > at && next-at <= 9
}
