package schedule

import "time"

// Calendar excludes instants (R184). It is what an application implements for
// its own calendars; the calendars of this package implement
// [StretchCalendar].
//
// IsExcluded must depend on at alone, must be safe for concurrent use and
// should be fast: it is asked up to [MaxExcluded] times, and a few more, for
// one answer. at is in UTC. A panic is not caught here: whoever calls
// [Schedule.Next] with an application's calendar guards the call, as the engine
// does.
type Calendar interface {
	IsExcluded(at time.Time) bool
}

// StretchCalendar is a [Calendar] that can also say when an excluded stretch
// ends, so that the stretch counts as one candidate (D18).
type StretchCalendar interface {
	Calendar

	// ExcludedUntil reports whether at is excluded and, if so, the first
	// instant after the excluded stretch around it; the zero time when the
	// stretch never ends. An end that is not after at means "not known": the
	// calendar is then treated as one that answers yes or no. An end that is
	// too early costs time only; one that is too late loses instants.
	ExcludedUntil(at time.Time) (end time.Time, excluded bool)
}

// MaxExcluded is the number of consecutive excluded candidates after which a
// schedule has no next instant (R187). A stretch whose end is known counts as
// one (D18).
const MaxExcluded = 10_000

// answer is what a calendar says of one instant. Where it is excluded, end is
// the first instant that may be open, in whole microseconds, if known; never
// says that there is none.
type answer struct {
	end                    time.Time
	excluded, known, never bool
}

func ask(cal Calendar, at time.Time) answer {
	stretches, ok := cal.(StretchCalendar)
	if !ok {
		return answer{excluded: cal.IsExcluded(at)}
	}
	end, excluded := stretches.ExcludedUntil(at)
	if !excluded {
		return answer{}
	}
	if end.IsZero() {
		return answer{excluded: true, never: true}
	}
	if !end.After(at) {
		return answer{excluded: true}
	}
	return answer{excluded: true, known: true, end: ceilInstant(end)}
}

// ending says why a search ended without an instant.
type ending uint8

const (
	found     ending = iota
	exhausted        // no candidate within the horizon or the window
	neverOpen        // an excluded stretch without end
	tooMany          // MaxExcluded candidates in a row
)

// Steps between candidates where an interval meets a calendar that does not
// say when its stretch ends: first every second, then every minute, then every
// hour, together [MaxExcluded] candidates that reach about 86 days.
const (
	secondSteps = 4_000
	minuteSteps = 4_000
)

func stepAfter(steps int) time.Duration {
	switch {
	case steps < secondSteps:
		return time.Second
	case steps < secondSteps+minuteSteps:
		return time.Minute
	}
	return time.Hour
}

// firstOpen finds the first instant at or after c, and not after limit, that
// the calendar does not exclude (R185). Where the calendar knows the ends of
// its stretches the answer is exact. Otherwise the search steps through the
// stretch and then halves the last step down to the microsecond, so that the
// answer is an instant at which an excluded stretch ends: the first such,
// unless an open stretch shorter than the step was passed over.
func firstOpen(c, limit time.Time, cal Calendar) (time.Time, ending) {
	if c.After(limit) {
		return time.Time{}, exhausted
	}
	if cal == nil {
		return c, found
	}
	steps := 0
	var shut time.Time // the last candidate, if it was left by a step
	for range MaxExcluded {
		a := ask(cal, c)
		switch {
		case !a.excluded && shut.IsZero():
			return c, found
		case !a.excluded:
			return halve(shut, c, cal), found
		case a.never:
			return time.Time{}, neverOpen
		case a.known:
			c, shut = a.end, time.Time{}
			if c.After(limit) {
				return time.Time{}, exhausted
			}
		case c.Equal(limit):
			return time.Time{}, exhausted
		default:
			shut, c = c, c.Add(stepAfter(steps))
			steps++
			if c.After(limit) {
				c = limit // an open instant may lie before the limit
			}
		}
	}
	return time.Time{}, tooMany
}

// halve narrows an excluded instant and a later open one to the first open
// microsecond between them.
func halve(shut, open time.Time, cal Calendar) time.Time {
	for open.Sub(shut) > time.Microsecond {
		mid := cutInstant(shut.Add(open.Sub(shut) / 2))
		if cal.IsExcluded(mid) {
			shut = mid
		} else {
			open = mid
		}
	}
	return open
}
