package cron

import "math/bits"

// A reading is what a clock on the wall shows, counted in seconds as if it were
// UTC: days since 1970-01-01 times 86,400 plus the second of the day.

// none stands for "no such reading"; adding any offset to it is safe.
const none = int64(1) << 62

// match finds the first matching reading at or after from and not after limit.
func (e *Expression) match(from, limit int64) int64 {
	if e.month == 0 {
		return none // zero value
	}
	day := floorDiv(from, secondsPerDay)
	if !e.everyDay {
		return e.matchByDate(from, day, limit)
	}
	t := e.timeFrom(from - day*secondsPerDay)
	if t >= none {
		t = secondsPerDay + e.firstTime
	}
	return within(day*secondsPerDay+t, limit)
}

func (e *Expression) matchByDate(from, today, limit int64) int64 {
	year, month, d := civilDate(today)
	first := today - d + 1 // day number of the month's first day
	var left uint32        // matching days of the month that are still ahead
	if e.hasMonth(year, month) {
		left = e.monthDays(year, month, first)
		if left>>d&1 != 0 {
			if t := e.timeFrom(from - today*secondsPerDay); t < none {
				return within(today*secondsPerDay+t, limit)
			}
		}
		left &^= 1<<(d+1) - 1
	}
	for left == 0 {
		if year, month = e.monthAfter(year, month); year == 0 && month == 0 {
			return none
		}
		first = dayNumber(year, month, 1)
		if first*secondsPerDay > limit {
			return none
		}
		left = e.monthDays(year, month, first)
	}
	w := (first+int64(bits.TrailingZeros32(left))-1)*secondsPerDay + e.firstTime
	return within(w, limit)
}

func within(w, limit int64) int64 {
	if w > limit {
		return none
	}
	return w
}

// monthDays looks up the matching days of a month that matches.
func (e *Expression) monthDays(year, month, first int64) uint32 {
	return e.days[monthLength(year, month)-28][weekdayOf(first)]
}

func (e *Expression) hasMonth(year, month int64) bool {
	return e.month>>month&1 != 0 && e.hasYear(year)
}

// monthAfter finds the next month that the month and year fields allow; 0, 0
// when there is none.
func (e *Expression) monthAfter(year, month int64) (int64, int64) {
	if rest := e.month >> (month + 1) << (month + 1); rest != 0 && e.hasYear(year) {
		return year, int64(bits.TrailingZeros16(rest))
	}
	year++
	if !e.anyYear {
		if year = e.yearFrom(year); year == 0 {
			return 0, 0
		}
	}
	return year, int64(bits.TrailingZeros16(e.month))
}

func (e *Expression) hasYear(year int64) bool {
	if e.anyYear {
		return true
	}
	i := uint64(year - minYear)
	return i <= maxYear-minYear && e.year[i/64]>>(i%64)&1 != 0
}

// timeFrom finds the first matching second of the day at or after t; none when
// the day has no more.
func (e *Expression) timeFrom(t int64) int64 {
	if t <= e.firstTime {
		return e.firstTime
	}
	h, m, s := t/3600, t/60%60, t%60
	if e.hour>>h&1 != 0 {
		if e.minute>>m&1 != 0 {
			if rest := e.second >> s; rest != 0 {
				return t + int64(bits.TrailingZeros64(rest))
			}
		}
		if rest := e.minute >> (m + 1); rest != 0 {
			m += 1 + int64(bits.TrailingZeros64(rest))
			return h*3600 + m*60 + int64(bits.TrailingZeros64(e.second))
		}
	}
	rest := e.hour >> (h + 1)
	if rest == 0 {
		return none
	}
	h += 1 + int64(bits.TrailingZeros32(rest))
	return h*3600 + e.firstTime%3600
}

// holds reports whether a reading matches all fields.
func (e *Expression) holds(reading int64) bool {
	day := floorDiv(reading, secondsPerDay)
	t := reading - day*secondsPerDay
	if e.second>>(t%60)&1 == 0 || e.minute>>(t/60%60)&1 == 0 || e.hour>>(t/3600)&1 == 0 {
		return false
	}
	if e.everyDay {
		return true
	}
	year, month, d := civilDate(day)
	return e.hasMonth(year, month) && e.monthDays(year, month, day-d+1)>>d&1 != 0
}
