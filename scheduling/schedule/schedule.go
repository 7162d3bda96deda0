package schedule

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// Kind tells the four schedules apart (R158).
type Kind uint8

// The kinds. The values are fixed; the text form is Kind.String.
const (
	Manual   Kind = iota // never due by itself
	Interval             // a fixed delay after each completion
	Cron                 // the instants of a cron expression
	Once                 // one instant
)

// String returns "manual", "interval", "cron" or "once", and "kind(n)" for
// any other value.
func (k Kind) String() string {
	switch k {
	case Manual:
		return "manual"
	case Interval:
		return "interval"
	case Cron:
		return "cron"
	case Once:
		return "once"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MaxInterval is the longest interval: 36,525 days, a hundred Julian years.
const MaxInterval = 36_525 * 24 * time.Hour

// Schedule says when a trigger is due. It is an immutable value: the With
// methods return a changed copy, and any number of goroutines may use one.
// The zero value is the manual schedule. Instants are whole microseconds in
// UTC (D31); what is finer is cut, so an instant never moves later.
//
// Schedules are compared with [Schedule.Equal], not with ==.
type Schedule struct {
	kind     Kind
	interval time.Duration
	repeat   int64
	expr     *cron.Expression
	zone     string         // canonical name; "" in every kind but Cron
	loc      *time.Location // nil in every kind but Cron
	// yearNamed says that the cron expression restricts the year field.
	yearNamed bool
	at        time.Time
	start     time.Time
	end       time.Time
	calendar  string
}

// NewManual returns the schedule that is never due by itself. It equals the
// zero value.
func NewManual() Schedule { return Schedule{} }

// NewEvery returns the schedule that waits d after each completion, without
// end (R159: fixed delay, so a long run never makes a backlog). d is cut to
// whole microseconds and must then be at least 1 µs and at most
// [MaxInterval].
func NewEvery(d time.Duration) (Schedule, error) {
	cut := d.Truncate(time.Microsecond)
	switch {
	case cut <= 0:
		return Schedule{}, fmt.Errorf("schedule: interval %v: must be at least 1µs", d)
	case cut > MaxInterval:
		return Schedule{}, fmt.Errorf("schedule: interval %v: must be at most %d days; use a cron schedule with a year field or NewOnce", d, MaxInterval/day)
	}
	return Schedule{kind: Interval, interval: cut}, nil
}

// NewEveryTimes is [NewEvery] with total as the number of all runs, the
// first included (R160). total must be at least 1.
func NewEveryTimes(d time.Duration, total int64) (Schedule, error) {
	s, err := NewEvery(d)
	if err != nil {
		return Schedule{}, err
	}
	if total < 1 {
		return Schedule{}, fmt.Errorf("schedule: repeat count %d: must be at least 1; use NewEvery for no limit", total)
	}
	s.repeat = total
	return s, nil
}

// NewCron returns the schedule of a cron expression read on the clock of a
// zone. zone is an IANA name such as "Asia/Shanghai" or a Windows id such as
// "China Standard Time", which is translated to its IANA name; empty means
// UTC (R161, D37). "Local" and a zone that this machine has no data for are
// errors. Faults of both are reported together; that of the expression wraps
// the error of [cron.Parse].
func NewCron(expr, zone string) (Schedule, error) {
	return newCron(expr, zone, systemZones)
}

func newCron(expr, zone string, load zoneLoader) (Schedule, error) {
	e, exprErr := parseExpression(expr)
	name, loc, zoneErr := resolveZone(zone, load)
	if err := joinFaults("schedule", exprErr, zoneErr); err != nil {
		return Schedule{}, err
	}
	return Schedule{kind: Cron, expr: e, zone: name, loc: loc, yearNamed: namesYears(e)}, nil
}

// namesYears reports whether the canonical text has a seventh field other than
// the star.
func namesYears(e *cron.Expression) bool {
	fields := strings.Fields(e.String())
	return len(fields) == 7 && fields[6] != "*"
}

// joinFaults puts the part that reports in front of each fault; nil when there
// is none.
func joinFaults(part string, faults ...error) error {
	var named []error
	for _, err := range faults {
		if err != nil {
			named = append(named, fmt.Errorf("%s: %w", part, err))
		}
	}
	return errors.Join(named...)
}

// parseExpression refuses what is too long before the cron parser sees it,
// so that its error stays short.
func parseExpression(expr string) (*cron.Expression, error) {
	if len(expr) > MaxText {
		return nil, fmt.Errorf("cron expression %s: %d bytes long; at most %d are read", quote(expr), len(expr), MaxText)
	}
	return cron.Parse(expr)
}

// NewOnce returns the schedule of one run at the instant at (R162), cut to
// whole microseconds. at must lie in the years 1970 to 9999, UTC; it may be
// in the past.
func NewOnce(at time.Time) (Schedule, error) {
	at = cutInstant(at)
	if err := checkInstant("once", at); err != nil {
		return Schedule{}, fmt.Errorf("schedule: %w", err)
	}
	return Schedule{kind: Once, at: at}, nil
}

// MustEvery is [NewEvery] for literals; it panics on an error.
func MustEvery(d time.Duration) Schedule { return must(NewEvery(d)) }

// MustEveryTimes is [NewEveryTimes] for literals; it panics on an error.
func MustEveryTimes(d time.Duration, total int64) Schedule { return must(NewEveryTimes(d, total)) }

// MustCron is [NewCron] for literals; it panics on an error.
func MustCron(expr, zone string) Schedule { return must(NewCron(expr, zone)) }

// MustOnce is [NewOnce] for literals; it panics on an error.
func MustOnce(at time.Time) Schedule { return must(NewOnce(at)) }

// must serves every Must form of the package.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Kind returns which of the four schedules s is.
func (s Schedule) Kind() Kind { return s.kind }

// Interval returns the delay after a completion; 0 unless s is an interval.
func (s Schedule) Interval() time.Duration { return s.interval }

// Repeat returns the total number of runs of an interval schedule; 0 means
// unlimited, as it does in the other kinds.
func (s Schedule) Repeat() int64 { return s.repeat }

// Expression returns the parsed cron expression; nil unless s is a cron
// schedule.
func (s Schedule) Expression() *cron.Expression { return s.expr }

// Zone returns the IANA name of a cron schedule's zone, "UTC" included; ""
// in the other kinds.
func (s Schedule) Zone() string { return s.zone }

// Location returns the zone in which a cron schedule is read; [time.UTC] in
// the other kinds. It is never nil.
func (s Schedule) Location() *time.Location {
	if s.loc == nil {
		return time.UTC
	}
	return s.loc
}

// At returns the instant of a once schedule in UTC; the zero time in the
// other kinds.
func (s Schedule) At() time.Time { return s.at }

// Equal reports whether s and o are the same schedule: same kind, instants,
// zone and window, and cron expressions of the same canonical text.
func (s Schedule) Equal(o Schedule) bool {
	return s.expr.Equal(o.expr) && s.kind == o.kind && s.interval == o.interval &&
		s.repeat == o.repeat && s.zone == o.zone && s.at.Equal(o.at) &&
		s.start.Equal(o.start) && s.end.Equal(o.end) && s.calendar == o.calendar
}
