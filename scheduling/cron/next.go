package cron

import "time"

const (
	horizonYears = 5
	// The search covers the calendar years 0 to 9999.
	earliest = -62167219200 // 0000-01-01T00:00:00
	latest   = 253402300799 // 9999-12-31T23:59:59
)

// Next finds the first instant strictly after the given one at which the
// expression runs, read on the wall clock of loc; nil means UTC. The answer is
// in UTC, a whole second, and carries no monotonic reading.
//
// A reading that the clocks skip does not run, one that they repeat runs the
// first time only (R181, D17). ok is false when there is none within five
// calendar years, or, where the year field is restricted, within the years
// that it names (D15); next is then the zero time, which is not an instant to
// compare with. Instants outside the calendar years 0 to 9999 have no next,
// except that a restricted year field is found from however early.
func (e *Expression) Next(after time.Time, loc *time.Location) (next time.Time, ok bool) {
	if e == nil {
		return time.Time{}, false
	}
	at, ok := e.clamp(after.Unix())
	if !ok {
		return time.Time{}, false
	}
	if loc == nil || loc == time.UTC {
		w := e.match(at+1, e.horizon(at))
		return instant(w, w < none)
	}
	return instant(e.nextIn(at, loc))
}

// Matches reports whether the wall-clock second of at in loc (nil = UTC)
// matches all fields. Both passes of a repeated hour do, although [Expression.Next]
// answers the first only.
func (e *Expression) Matches(at time.Time, loc *time.Location) bool {
	if e == nil || e.month == 0 {
		return false
	}
	sec := at.Unix()
	if sec < earliest || sec > latest {
		return false
	}
	if loc != nil && loc != time.UTC {
		_, offset := time.Unix(sec, 0).In(loc).Zone()
		sec += int64(offset)
	}
	return e.holds(sec)
}

// NextMismatch finds the first whole second strictly after the given instant
// for which [Expression.Matches] is false: the end of an unbroken stretch of
// matches. ok is false when there is none within the horizon of Next; for a
// restricted year field that is the first second after its last year.
func (e *Expression) NextMismatch(after time.Time, loc *time.Location) (next time.Time, ok bool) {
	at := after.Unix()
	if at < earliest || at > latest {
		return time.Time{}, false
	}
	if e == nil {
		return instant(at+1, true)
	}
	if loc == nil {
		loc = time.UTC
	}
	s := stretchAt(at, loc)
	limit := e.horizon(at + s.offset)
	if !e.anyYear {
		limit = max(limit, at+s.offset+reach) + 1
	}
	from, known, w := at+1, none, none
	for {
		if from >= s.end {
			s = stretchAt(from, loc)
		}
		// Nothing in [known, w) fails to match.
		if lo := from + s.offset; lo < known || lo > w {
			known, w = lo, e.mismatch(lo, limit)
		}
		if w < none && w-s.offset < s.end {
			return instant(w-s.offset, true)
		}
		if s.end == none || w == none && s.end-from >= reach {
			return time.Time{}, false
		}
		from = s.end
	}
}

func instant(at int64, ok bool) (time.Time, bool) {
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(at, 0).UTC(), true
}

// clamp refuses instants that have no next and moves those far before a
// restricted year field near to it.
func (e *Expression) clamp(at int64) (int64, bool) {
	if !e.anyYear && at < earliest {
		return earliest, true
	}
	return at, at >= earliest && at <= latest
}

// horizon is the last reading that a search from the given one looks at (D15).
func (e *Expression) horizon(reading int64) int64 {
	if e.everyDay {
		return min(reading+horizonYears*365*secondsPerDay, latest) // never reached
	}
	if !e.anyYear {
		return dayNumber(e.lastYear+1, 1, 1)*secondsPerDay - 1
	}
	day := floorDiv(reading, secondsPerDay)
	year, month, d := civilDate(day)
	// 29 February plus five years is 1 March, as in time.Time.AddDate.
	return min(reading+(dayNumber(year+horizonYears, month, d)-day)*secondsPerDay, latest)
}

// nextIn walks the zone's stretches in the order of their instants. Within one
// stretch readings grow with instants, so its first match that was not shown
// before is the answer.
func (e *Expression) nextIn(at int64, loc *time.Location) (int64, bool) {
	s, steady := stretchFrom(at, loc)
	limit := e.horizon(at + s.offset)
	from, known, w := at+1, none, none
	for {
		// Nothing in [known, w) matches.
		if lo := from + s.offset; lo < known || lo > w {
			known, w = lo, e.match(lo, limit)
		}
		if w < none && w-s.offset < s.end {
			if steady {
				return w - s.offset, true
			}
			resume, repeated := shownBefore(w, w-s.offset, loc)
			if !repeated {
				return w - s.offset, true
			}
			if from = resume - s.offset; from < s.end {
				continue
			}
		}
		// No offset is large enough for an instant before ahead to show w.
		// What follows a short stretch may show less than known, so such a
		// one is left step by step.
		ahead := w - secondsPerDay
		switch {
		case s.end == none || s.end > limit+reach:
			return 0, false
		case s.end-from < reach || ahead <= s.end:
			from = s.end
			s, steady = s.following(steady, loc)
		case w == none:
			return 0, false
		default:
			from = ahead
			s, steady = stretchAt(from, loc), true
		}
	}
}
