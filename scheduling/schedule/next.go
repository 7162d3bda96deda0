package schedule

import "time"

// horizonYears is how far a cron search goes, in calendar years (R182, D15).
const horizonYears = 5

// First returns the first instant at which a trigger is due that was stored at
// the instant stored, which is the database's present. ok is false when there
// is none; the zero time that comes with it must not be compared with any
// present (B88).
//
// Cron: the first instant after stored and not before the start. Interval: one
// interval after the start, or after stored when there is no start or when
// that instant has already passed, so that a start in the past is never taken
// for a missed run (R163, B74). Once: its instant, past or not. All kinds: not
// before the start, not after the end, and not excluded by cal; nil excludes
// nothing.
func (s Schedule) First(stored time.Time, cal Calendar) (time.Time, bool) {
	at, why := s.first(stored, cal)
	return at, why == found
}

// Next returns the instant that follows a run. ok is false when there is none,
// as in [Schedule.First].
//
// Cron: after is the scheduled instant of the run, or the present after a
// misfire; it is exclusive, so the schedule does not drift (R168). Interval:
// after is the instant of completion; the next is one interval after it, or
// after the start where that is later, put off to the first instant that is
// not excluded (R159, R185); runs is the number of runs begun so far: when the
// repeat count is used up there is no next (R160). Once and manual: none.
//
// The answer is after the given instant, not before the start, and at most
// the end, which is inclusive to the microsecond (B78). The search always
// ends: at five calendar years after the given instant for a cron schedule
// without year field (D15), at [MaxExcluded] candidates for any (R187),
// whichever comes first (B83).
func (s Schedule) Next(after time.Time, runs int64, cal Calendar) (time.Time, bool) {
	at, why := s.next(after, runs, cal)
	return at, why == found
}

func (s Schedule) first(stored time.Time, cal Calendar) (time.Time, ending) {
	switch s.kind {
	case Interval:
		base := cutInstant(stored)
		if !s.start.IsZero() && s.start.Add(s.interval).After(base) {
			base = s.start
		}
		return s.intervalFrom(base, cal)
	case Cron:
		return s.cronAfter(stored, cal)
	case Once:
		if s.at.Before(s.start) || s.at.After(s.limit()) {
			return time.Time{}, exhausted
		}
		if cal != nil && cal.IsExcluded(s.at) {
			return time.Time{}, neverOpen // R186: not put off, so never
		}
		return s.at, found
	}
	return time.Time{}, exhausted
}

func (s Schedule) next(after time.Time, runs int64, cal Calendar) (time.Time, ending) {
	switch s.kind {
	case Interval:
		if s.repeat > 0 && runs >= s.repeat {
			return time.Time{}, exhausted
		}
		base := cutInstant(after)
		if base.Before(s.start) {
			base = s.start
		}
		return s.intervalFrom(base, cal)
	case Cron:
		return s.cronAfter(after, cal)
	}
	return time.Time{}, exhausted
}

// limit is the last instant at which s may run.
func (s Schedule) limit() time.Time {
	if s.end.IsZero() {
		return maxInstant
	}
	return s.end
}

func (s Schedule) intervalFrom(base time.Time, cal Calendar) (time.Time, ending) {
	return firstOpen(base.Add(s.interval), s.limit(), cal)
}

// cronAfter finds the first candidate after the given instant that lies in the
// window and is not excluded.
func (s Schedule) cronAfter(after time.Time, cal Calendar) (time.Time, ending) {
	limit := s.limit()
	if after.Before(s.start) {
		after = s.start.Add(-1) // the start itself is allowed
	}
	origin := after
	for n := range MaxExcluded {
		c, ok := s.expr.Next(after, s.loc)
		if !ok || c.After(limit) || n > 0 && s.beyondHorizon(c, origin) {
			return time.Time{}, exhausted
		}
		if cal == nil {
			return c, found
		}
		switch a := ask(cal, c); {
		case !a.excluded:
			return c, found
		case a.never:
			return time.Time{}, neverOpen
		case a.known:
			after = a.end.Add(-1)
		default:
			after = c
		}
	}
	return time.Time{}, tooMany
}

// beyondHorizon reports whether the candidate c lies further from origin than
// one search goes, counted on the zone's clock (D15). An expression that names
// its years is bounded by them. A search asks the expression many times, each
// time with a horizon of its own; this one holds for all of them together
// (B83).
func (s Schedule) beyondHorizon(c, origin time.Time) bool {
	if s.yearNamed {
		return false
	}
	from := wallClock(origin, s.loc)
	return wallClock(c, s.loc).After(from.AddDate(horizonYears, 0, 0))
}

// wallClock is what the clock of loc shows at an instant, as if it were UTC.
func wallClock(at time.Time, loc *time.Location) time.Time {
	_, offset := at.In(loc).Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}
