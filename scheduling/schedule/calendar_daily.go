package schedule

import (
	"fmt"
	"time"
)

// DailyCalendar excludes one period of every day (R190): every instant at
// which the clock of its zone shows a time from from, inclusive, to to,
// exclusive. Where the clock is set back, a repeated time in the period is
// excluded both times; a time that the clock skips has no instants. The zero
// value excludes nothing.
type DailyCalendar struct {
	loc      *time.Location
	from, to time.Duration // since midnight on the clock
}

// NewDailyCalendar returns the calendar that excludes from from to to each
// day, on the clock of zone: an IANA name or Windows id, empty for UTC (R193).
// Times are written hh:mm, hh:mm:ss or hh:mm:ss with up to nine fraction
// digits, cut to microseconds. A from later than to means across midnight;
// "24:00" is allowed as to and is the same as "00:00". Equal times are an
// error (D37), because they could mean all of the day or nothing.
func NewDailyCalendar(from, to string, zone string) (DailyCalendar, error) {
	start, fromErr := parseTimeOfDay("from", from)
	stop, toErr := parseTimeOfDay("to", to)
	switch {
	case fromErr != nil || toErr != nil:
	case start == day:
		fromErr = fmt.Errorf("from %s: a day begins at 00:00; write that", quote(from))
	case start == stop%day:
		fromErr = fmt.Errorf("from %s and to %s are the same time; for whole days use a weekly or holiday calendar", quote(from), quote(to))
	}
	_, loc, zoneErr := resolveZone(zone, systemZones)
	if err := joinFaults("schedule: daily calendar", fromErr, toErr, zoneErr); err != nil {
		return DailyCalendar{}, err
	}
	return DailyCalendar{loc: loc, from: start, to: stop % day}, nil
}

// MustDailyCalendar is [NewDailyCalendar] for literals; it panics on an error.
func MustDailyCalendar(from, to string, zone string) DailyCalendar {
	return must(NewDailyCalendar(from, to, zone))
}

// parseTimeOfDay reads hh:mm[:ss[.f…]], up to 24:00.
func parseTimeOfDay(part, text string) (time.Duration, error) {
	p := digits{text: text}
	h, m, s, nanos := p.take(2), p.after(':', 2), 0, 0
	if !p.bad && p.at < len(text) {
		s = p.after(':', 2)
	}
	ok := !p.bad
	if ok && p.at < len(text) && text[p.at] == '.' {
		nanos, p.at, ok = fraction(text, p.at+1)
	}
	d := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(nanos)
	if !ok || p.at != len(text) || m > 59 || s > 59 || d > day {
		return 0, fmt.Errorf("%s %s: write a time of day as hh:mm or hh:mm:ss, from 00:00 to 24:00", part, quote(text))
	}
	return d.Truncate(time.Microsecond), nil
}

// IsExcluded reports whether the clock shows a time of the period at at.
func (c DailyCalendar) IsExcluded(at time.Time) bool {
	return c.excluded(readWall(at, orUTC(c.loc))) > 0
}

// ExcludedUntil returns the first instant after at at which the clock shows a
// time outside the period.
func (c DailyCalendar) ExcludedUntil(at time.Time) (end time.Time, excluded bool) {
	return wallStretch(at, c.loc, c.excluded)
}

func (c DailyCalendar) excluded(w wall) time.Duration {
	switch {
	case c.from < c.to && (w.tod < c.from || w.tod >= c.to):
		return 0
	case c.from >= c.to && w.tod >= c.to && w.tod < c.from, c.from == c.to:
		return 0
	case w.tod < c.to:
		return c.to - w.tod
	}
	return day + c.to - w.tod // across midnight
}
