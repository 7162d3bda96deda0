package simulation

import "time"

// wallPlan is a schedule of a zone's clock as the model knows it: a time of day
// on the days that a function names.
type wallPlan struct {
	zone         *time.Location
	hour, minute int
	on           func(day time.Time) bool // midnight UTC of the day's date; nil = daily
	latest       time.Time                // what next has found lately
	asked        time.Time
}

// next is the first instant after another at which the zone's clock shows the
// time of day on a day of the plan, and has not shown it before (R180, R181). It
// looks at one minute after the other.
func (p *wallPlan) next(after time.Time) time.Time {
	if after.Equal(p.asked) {
		return p.latest
	}
	for t := after.UTC().Truncate(time.Minute).Add(time.Minute); ; t = t.Add(time.Minute) {
		if p.names(t) && !p.repeats(t) {
			p.asked, p.latest = after, t
			return t
		}
	}
}

func (p *wallPlan) names(t time.Time) bool {
	local := t.In(p.zone)
	return local.Minute() == p.minute && local.Hour() == p.hour && (p.on == nil || p.on(dateOf(local)))
}

// repeats reports whether the clock has shown the very reading within the four
// hours before.
func (p *wallPlan) repeats(t time.Time) bool {
	const reading = "2006-01-02 15:04"
	shown := t.In(p.zone).Format(reading)
	for back := 1; back <= 4*60; back++ {
		if t.Add(-time.Duration(back)*time.Minute).In(p.zone).Format(reading) == shown {
			return true
		}
	}
	return false
}

func dateOf(local time.Time) time.Time {
	y, m, d := local.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func sundays(day time.Time) bool  { return day.Weekday() == time.Sunday }
func firstDay(day time.Time) bool { return day.Day() == 1 }
func lastDay(day time.Time) bool  { return day.AddDate(0, 0, 1).Day() == 1 }
func weekend(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

// holidays are the dates that the calendar of the business days leaves out too.
var holidays = [][2]int{{1, 1}, {3, 27}, {4, 3}, {5, 1}, {10, 30}, {11, 6}, {12, 25}, {12, 26}}

func business(day time.Time) bool {
	for _, h := range holidays {
		if int(day.Month()) == h[0] && day.Day() == h[1] {
			return false
		}
	}
	return !weekend(day)
}

// lastWeekday is the last day of the month that is no weekend.
func lastWeekday(day time.Time) bool {
	last := day
	for !lastDay(last) {
		last = last.AddDate(0, 0, 1)
	}
	for weekend(last) {
		last = last.AddDate(0, 0, -1)
	}
	return day.Equal(last)
}
