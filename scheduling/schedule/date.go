package schedule

import (
	"fmt"
	"time"
)

// Date is a day of the Gregorian calendar without a zone, such as a public
// holiday. Which instants it covers depends on the calendar's zone. The zero
// value is no date.
type Date struct {
	Year  int // 1 to 9999
	Month time.Month
	Day   int
}

// DateOf returns the date that t shows in its own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// ParseDate reads yyyy-mm-dd.
func ParseDate(text string) (Date, error) {
	p := digits{text: text}
	d := Date{Year: p.take(4), Month: time.Month(p.after('-', 2)), Day: p.after('-', 2)}
	if p.bad || p.at != len(text) {
		return Date{}, fmt.Errorf("schedule: date %s: write yyyy-mm-dd, as in 2026-10-01", quote(text))
	}
	if !d.exists() {
		return Date{}, fmt.Errorf("schedule: date %s: there is no such date; write an existing one", quote(text))
	}
	return d, nil
}

// MustDate is [ParseDate] for literals; it panics on an error.
func MustDate(text string) Date { return must(ParseDate(text)) }

// String returns yyyy-mm-dd.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

func (d Date) exists() bool {
	return 1 <= d.Year && d.Year <= 9999 && d == DateOf(d.midnight())
}

// number counts days from 1970-01-01.
func (d Date) number() int64 { return d.midnight().Unix() / secondsPerDay }

func (d Date) midnight() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}
