package cron

import "math/bits"

const (
	sunday   = 0
	saturday = 6
)

// daysOf computes the matching days of a month of the given length whose first
// day is the weekday first. Where both day fields are restricted either one
// suffices (R176); days that the month lacks are no match.
func (f *fields) daysOf(length, first int64) uint32 {
	all := uint32(1)<<(length+1) - 2
	switch {
	case f.anyDay && f.anyWeekday:
		return all
	case f.anyWeekday:
		return f.daysByNumber(length, first) & all
	case f.anyDay:
		return f.daysByWeekday(length, first) & all
	}
	return (f.daysByNumber(length, first) | f.daysByWeekday(length, first)) & all
}

func (f *fields) daysByNumber(length, first int64) uint32 {
	set := f.day
	if f.fromEnd|f.nearest == 0 && !f.lastWorkday {
		return set
	}
	for rest := f.fromEnd; rest != 0; rest &= rest - 1 {
		// L-n may lie before the first day; the month then has none.
		if d := length - int64(bits.TrailingZeros32(rest)); d >= 1 {
			set |= 1 << d
		}
	}
	for rest := f.nearest; rest != 0; rest &= rest - 1 {
		if d := int64(bits.TrailingZeros32(rest)); d <= length {
			set |= 1 << nearestWorkday(d, length, first)
		}
	}
	if f.lastWorkday {
		set |= 1 << nearestWorkday(length, length, first)
	}
	return set
}

func (f *fields) daysByWeekday(length, first int64) uint32 {
	const everyWeek = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28
	set := weekFrom(f.weekday, first) * everyWeek << 1
	for k, weekdays := range f.nth {
		set |= weekFrom(weekdays, first) << (1 + 7*k)
	}
	if f.lastWeekday != 0 {
		set |= weekFrom(f.lastWeekday, (first+length)%7) << (length - 6)
	}
	return uint32(set)
}

// weekFrom turns a set of weekdays into the set of days of a week that begins
// with the weekday first; bit 0 is its first day.
func weekFrom(weekdays uint8, first int64) uint64 {
	w := uint64(weekdays)
	return (w>>first | w<<(7-first)) & 0x7f
}

// nearestWorkday is the Monday to Friday nearest to day d, never in another
// month (R174): Saturday goes back and Sunday goes on by one day, at the ends
// of the month the other way by two.
func nearestWorkday(d, length, first int64) int64 {
	switch (first + d - 1) % 7 {
	case saturday:
		if d == 1 {
			return d + 2
		}
		return d - 1
	case sunday:
		if d == length {
			return d - 2
		}
		return d + 1
	}
	return d
}
