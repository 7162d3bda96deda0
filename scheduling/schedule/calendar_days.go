package schedule

import (
	"fmt"
	"slices"
	"time"
)

// HolidayCalendar excludes whole days (R188): every instant at which the clock
// of its zone shows one of the dates, and no other (B86). A date that the zone
// skips has no instants. The zero value excludes nothing.
type HolidayCalendar struct {
	loc  *time.Location
	runs []dayRun // sorted, with a gap before each
}

// dayRun is a run of consecutive days, both included.
type dayRun struct{ first, last int64 }

// NewHolidayCalendar returns the calendar of the dates, in any order and as
// often as they come, on the clock of zone: an IANA name or Windows id, empty
// for UTC (R193). No dates exclude nothing. The error names every date that
// does not exist.
func NewHolidayCalendar(dates []Date, zone string) (HolidayCalendar, error) {
	_, loc, err := resolveZone(zone, systemZones)
	faults := []error{err}
	numbers := make([]int64, 0, len(dates))
	for i, d := range dates {
		if !d.exists() {
			faults = append(faults, fmt.Errorf("dates[%d] %v: there is no such date in the years 1 to 9999; remove or correct it", i, d))
			continue
		}
		numbers = append(numbers, d.number())
	}
	if err := joinFaults("schedule: holiday calendar", faults...); err != nil {
		return HolidayCalendar{}, err
	}
	slices.Sort(numbers)
	var runs []dayRun
	for _, n := range numbers {
		if k := len(runs) - 1; k >= 0 && n <= runs[k].last+1 {
			runs[k].last = n
		} else {
			runs = append(runs, dayRun{n, n})
		}
	}
	return HolidayCalendar{loc: loc, runs: runs}, nil
}

// MustHolidayCalendar is [NewHolidayCalendar] for literals; it panics on an
// error.
func MustHolidayCalendar(dates []Date, zone string) HolidayCalendar {
	return must(NewHolidayCalendar(dates, zone))
}

// IsExcluded reports whether at falls on one of the dates.
func (c HolidayCalendar) IsExcluded(at time.Time) bool {
	return c.excluded(readWall(at, orUTC(c.loc))) > 0
}

// ExcludedUntil returns the first instant after at that falls on none of the
// dates.
func (c HolidayCalendar) ExcludedUntil(at time.Time) (end time.Time, excluded bool) {
	return wallStretch(at, c.loc, c.excluded)
}

// longestStay keeps a stay within a time.Duration; a longer one is taken in
// several.
const longestStay = 36_500

func (c HolidayCalendar) excluded(w wall) time.Duration {
	i, _ := slices.BinarySearchFunc(c.runs, w.day, func(r dayRun, day int64) int {
		if r.last < day {
			return -1
		}
		return 1
	})
	if i == len(c.runs) || w.day < c.runs[i].first {
		return 0
	}
	days := min(c.runs[i].last+1-w.day, longestStay)
	return time.Duration(days)*day - w.tod
}

// wallStretch is ExcludedUntil for the calendars that read a clock.
func wallStretch(at time.Time, loc *time.Location, excluded func(wall) time.Duration) (time.Time, bool) {
	at = at.UTC()
	end := leaveWall(at, orUTC(loc), excluded)
	if !end.After(at) {
		return time.Time{}, false
	}
	return end, true
}

// WeeklyCalendar excludes days of the week (R189), each from the first to the
// last instant at which the clock of its zone shows that day. The zero value
// excludes nothing.
type WeeklyCalendar struct {
	loc  *time.Location
	days uint8 // bit n is time.Weekday(n)
}

// NewWeeklyCalendar returns the calendar that excludes the given days, in any
// order, on the clock of zone: an IANA name or Windows id, empty for UTC
// (R193). No days mean Saturday and Sunday. All seven are legal and exclude
// everything for ever.
func NewWeeklyCalendar(days []time.Weekday, zone string) (WeeklyCalendar, error) {
	_, loc, err := resolveZone(zone, systemZones)
	faults := []error{err}
	if len(days) == 0 {
		days = []time.Weekday{time.Saturday, time.Sunday}
	}
	c := WeeklyCalendar{loc: loc}
	for i, d := range days {
		if d < time.Sunday || d > time.Saturday {
			faults = append(faults, fmt.Errorf("days[%d] is %d: use time.Sunday (0) to time.Saturday (6)", i, int(d)))
			continue
		}
		c.days |= 1 << d
	}
	if err := joinFaults("schedule: weekly calendar", faults...); err != nil {
		return WeeklyCalendar{}, err
	}
	return c, nil
}

// MustWeeklyCalendar is [NewWeeklyCalendar] for literals; it panics on an
// error.
func MustWeeklyCalendar(days []time.Weekday, zone string) WeeklyCalendar {
	return must(NewWeeklyCalendar(days, zone))
}

// allWeek has the bit of every weekday.
const allWeek = 1<<7 - 1

// IsExcluded reports whether at falls on one of the days.
func (c WeeklyCalendar) IsExcluded(at time.Time) bool {
	return c.days>>readWall(at, orUTC(c.loc)).weekday()&1 != 0
}

// ExcludedUntil returns the first instant after at that falls on a day that is
// not excluded; the zero time when all seven are.
func (c WeeklyCalendar) ExcludedUntil(at time.Time) (end time.Time, excluded bool) {
	if c.days == allWeek {
		return time.Time{}, true
	}
	return wallStretch(at, c.loc, c.excluded)
}

func (c WeeklyCalendar) excluded(w wall) time.Duration {
	first := w.weekday()
	days := 0
	for days < 7 && c.days>>((int(first)+days)%7)&1 != 0 {
		days++
	}
	if days == 0 {
		return 0
	}
	return time.Duration(days)*day - w.tod
}
