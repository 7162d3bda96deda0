package cron

import "math/bits"

// mismatch finds the first reading at or after from, and not after limit, that
// does not match. Months are passed over with one look each.
func (e *Expression) mismatch(from, limit int64) int64 {
	if e.month == 0 {
		return within(from, limit)
	}
	day := floorDiv(from, secondsPerDay)
	year, month, d := civilDate(day)
	if !e.hasMonth(year, month) || e.monthDays(year, month, day-d+1)>>d&1 == 0 {
		return within(from, limit)
	}
	if !e.wholeDay {
		if t := e.gapFrom(from - day*secondsPerDay); t < none {
			return within(day*secondsPerDay+t, limit)
		}
		// The rest of the day matches, and every day has a time that does
		// not: tomorrow's first, be tomorrow a matching day or not.
		next := (day + 1) * secondsPerDay
		if e.holds(next) {
			next += e.gapFrom(0)
		}
		return within(next, limit)
	}
	first, from := day-d+1, d+1
	for first*secondsPerDay <= limit {
		length := monthLength(year, month)
		missing := (uint32(1)<<(length+1) - 2) &^ (1<<from - 1)
		if e.hasMonth(year, month) {
			missing &^= e.monthDays(year, month, first)
		}
		if missing != 0 {
			return within((first+int64(bits.TrailingZeros32(missing))-1)*secondsPerDay, limit)
		}
		first, from = first+length, 1
		if month++; month > 12 {
			year, month = year+1, 1
		}
	}
	return none
}

// gapFrom finds the first second of a matching day at or after t that does not
// match; none when all that is left does.
func (e *Expression) gapFrom(t int64) int64 {
	h, m, s := t/3600, t/60%60, t%60
	if e.hour>>h&1 == 0 || e.minute>>m&1 == 0 {
		return t
	}
	if skip := int64(bits.TrailingZeros64(^(e.second >> s))); s+skip < 60 {
		return t + skip
	}
	// From the next full minute on: the first minute that is not whole.
	for t += 60 - s; t < secondsPerDay; {
		h, m = t/3600, t/60%60
		if e.hour>>h&1 == 0 || e.minute>>m&1 == 0 {
			return t
		}
		if e.second != allSeconds {
			return t + int64(bits.TrailingZeros64(^e.second))
		}
		if skip := int64(bits.TrailingZeros64(^(e.minute >> m))); m+skip < 60 {
			return t + skip*60
		}
		t = (h + 1) * 3600
	}
	return none
}
