package schedule

// BuiltIn reports whether cal is one of this package's calendars, members of a
// composite included: such a calendar runs no code of the application, cannot
// panic and answers fast. It is true for nil.
func BuiltIn(cal Calendar) bool {
	switch c := cal.(type) {
	case nil, HolidayCalendar, WeeklyCalendar, DailyCalendar, CronCalendar:
		return true
	case CompositeCalendar:
		for _, m := range c.members {
			if !BuiltIn(m) {
				return false
			}
		}
		return true
	}
	return false
}
