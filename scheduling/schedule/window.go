package schedule

import (
	"errors"
	"fmt"
	"time"
)

// WithStart returns s with the instant before which it never runs (R163),
// cut to whole microseconds. An interval schedule first runs one interval
// after it. The zero time removes the bound.
func (s Schedule) WithStart(t time.Time) Schedule {
	s.start = cutInstant(t)
	return s
}

// WithEnd returns s with the last instant at which it may run (R164),
// inclusive to the microsecond (B78) and cut to whole microseconds. The zero
// time removes the bound.
func (s Schedule) WithEnd(t time.Time) Schedule {
	s.end = cutInstant(t)
	return s
}

// WithCalendar returns s with the name of an exclusion calendar (R165). The
// name is looked up where the schedule is registered; its form is checked by
// [Schedule.Validate]. Empty removes it.
func (s Schedule) WithCalendar(name string) Schedule {
	s.calendar = name
	return s
}

// Start returns the instant before which s never runs; zero when there is
// none.
func (s Schedule) Start() time.Time { return s.start }

// End returns the last instant at which s may run; zero when there is none.
func (s Schedule) End() time.Time { return s.end }

// Calendar returns the name of the exclusion calendar; "" when there is
// none.
func (s Schedule) Calendar() string { return s.calendar }

// Validate returns all faults of s, joined, each naming the part, its value
// and the remedy; nil when there is none. It never compares an instant with
// the present (B79): a window that has passed is legal, and so is an instant
// outside its own window, which simply never runs.
func (s Schedule) Validate() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("schedule: "+format, args...))
	}
	if s.kind == Manual {
		if !s.start.IsZero() || !s.end.IsZero() {
			fault("start and end on a manual schedule have no effect; remove them, or use an interval, cron or once schedule")
		}
		if s.calendar != "" {
			fault("calendar %s on a manual schedule has no effect; remove it, or use an interval, cron or once schedule", quote(s.calendar))
		}
	}
	for _, b := range []struct {
		part string
		at   time.Time
	}{{"start", s.start}, {"end", s.end}} {
		if b.at.IsZero() {
			continue
		}
		if err := checkInstant(b.part, b.at); err != nil {
			fault("%w", err)
		}
	}
	if !s.start.IsZero() && !s.end.IsZero() && s.start.After(s.end) {
		fault("start %s is after end %s; exchange them or remove one", formatInstant(s.start), formatInstant(s.end))
	}
	if s.calendar != "" {
		if err := checkCalendarName(s.calendar); err != nil {
			fault("%w", err)
		}
	}
	return errors.Join(faults...)
}

// maxCalendarName is the longest calendar name in bytes (R152).
const maxCalendarName = 128

// checkCalendarName holds the grammar of names, R152:
// [a-z0-9][a-z0-9._-]{0,127}.
func checkCalendarName(name string) error {
	const remedy = "write 1 to 128 of a-z, 0-9, '.', '_', '-', beginning with a letter or digit"
	if len(name) == 0 || len(name) > maxCalendarName {
		return fmt.Errorf("calendar %s: %d bytes long; %s", quote(name), len(name), remedy)
	}
	for i := range len(name) {
		c := name[i]
		alnum := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !alnum && (i == 0 || c != '.' && c != '_' && c != '-') {
			return fmt.Errorf("calendar %s: byte %d is %q; %s", quote(name), i+1, c, remedy)
		}
	}
	return nil
}
