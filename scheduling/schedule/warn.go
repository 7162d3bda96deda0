package schedule

import (
	"fmt"
	"time"
)

// Warn returns a sentence for the log when the calendar leaves a trigger of
// this schedule, stored at from, without any instant: its next [MaxExcluded]
// candidates are excluded (D18), or all that there are, or the calendar never
// opens again. It returns "" otherwise, also when there is no instant for
// another reason. It costs as much as [Schedule.First].
func Warn(s Schedule, from time.Time, cal Calendar) string {
	if cal == nil {
		return ""
	}
	_, why := s.first(from, cal)
	if why == found {
		return ""
	}
	candidate, without := s.first(from, nil)
	if without != found {
		return ""
	}
	name := "the calendar"
	if s.calendar != "" {
		name = "calendar " + quote(s.calendar)
	}
	effect := fmt.Sprintf("schedule %s will not run: ", quote(s.String()))
	switch {
	case s.kind == Once:
		return effect + fmt.Sprintf("%s excludes its only instant %s; move the instant or change the calendar", name, formatInstant(candidate))
	case why == neverOpen:
		return effect + fmt.Sprintf("%s excludes everything after %s; change the calendar", name, formatInstant(candidate))
	case why == tooMany:
		return effect + fmt.Sprintf("%s excludes the next %d candidates from %s; "+
			"let the calendar implement ExcludedUntil, or make the schedule coarser", name, MaxExcluded, formatInstant(candidate))
	}
	return effect + fmt.Sprintf("%s excludes every candidate from %s to the end of the window or of the five years that are searched; "+
		"change the calendar, the schedule or its end", name, formatInstant(candidate))
}
