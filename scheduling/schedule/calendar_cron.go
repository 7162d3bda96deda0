package schedule

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// CronCalendar excludes the seconds that a cron expression matches on the
// clock of its zone (R191); "* * 0-7 * * *" excludes each night from 00:00 to
// 08:00. Unlike a schedule, which runs a repeated hour's times once, it
// excludes both passes. The zero value excludes nothing.
type CronCalendar struct {
	loc  *time.Location
	expr *cron.Expression
}

// NewCronCalendar returns the calendar of an expression on the clock of zone:
// an IANA name or Windows id, empty for UTC (R193). Mind that five fields mean
// the first second of each minute only; write six with * in front to exclude
// whole minutes.
func NewCronCalendar(expr, zone string) (CronCalendar, error) {
	e, exprErr := parseExpression(expr)
	_, loc, zoneErr := resolveZone(zone, systemZones)
	if err := joinFaults("schedule: cron calendar", exprErr, zoneErr); err != nil {
		return CronCalendar{}, err
	}
	return CronCalendar{loc: loc, expr: e}, nil
}

// MustCronCalendar is [NewCronCalendar] for literals; it panics on an error.
func MustCronCalendar(expr, zone string) CronCalendar { return must(NewCronCalendar(expr, zone)) }

// IsExcluded reports whether the second of at matches.
func (c CronCalendar) IsExcluded(at time.Time) bool {
	return c.expr.Matches(at, orUTC(c.loc))
}

// ExcludedUntil returns the first second after at that does not match; the
// zero time when every second within the horizon of a cron search does.
func (c CronCalendar) ExcludedUntil(at time.Time) (end time.Time, excluded bool) {
	if !c.IsExcluded(at) {
		return time.Time{}, false
	}
	end, _ = c.expr.NextMismatch(at, orUTC(c.loc))
	return end, true
}
