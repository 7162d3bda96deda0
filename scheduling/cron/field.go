package cron

// kind numbers the fields in the order of a seven-field expression.
type kind uint8

const (
	kindSecond kind = iota
	kindMinute
	kindHour
	kindDay
	kindMonth
	kindWeekday
	kindYear
	kindCount
)

// rule is the grammar of one field.
type rule struct {
	name     string
	min, max int
	// last is where * and a/n end, and the largest step (D16). It differs from
	// max in the weekday field only, where 7 is a second name for 0.
	last int
	// names holds three letters per value, from min upwards.
	names string
}

const (
	monthNames   = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	weekdayNames = "SUNMONTUEWEDTHUFRISAT"
)

var rules = [kindCount]rule{
	kindSecond:  {name: "second", max: 59, last: 59},
	kindMinute:  {name: "minute", max: 59, last: 59},
	kindHour:    {name: "hour", max: 23, last: 23},
	kindDay:     {name: "day", min: 1, max: 31, last: 31},
	kindMonth:   {name: "month", min: 1, max: 12, last: 12, names: monthNames},
	kindWeekday: {name: "weekday", max: 7, last: 6, names: weekdayNames},
	kindYear:    {name: "year", min: minYear, max: maxYear, last: maxYear},
}

// isDay reports whether the field is one of the two that choose days.
func (k kind) isDay() bool { return k == kindDay || k == kindWeekday }

// add puts the values from low to high into the set of field k.
func (f *fields) add(k kind, low, high, step int) {
	for v := low; v <= high; v += step {
		switch k {
		case kindSecond:
			f.second |= 1 << v
		case kindMinute:
			f.minute |= 1 << v
		case kindHour:
			f.hour |= 1 << v
		case kindDay:
			f.day |= 1 << v
		case kindMonth:
			f.month |= 1 << v
		case kindWeekday:
			f.weekday |= 1 << (v % 7)
		case kindYear:
			f.year[(v-minYear)/64] |= 1 << ((v - minYear) % 64)
		}
	}
}

// addAny makes field k unrestricted.
func (f *fields) addAny(k kind) {
	switch k {
	case kindDay:
		f.anyDay = true
	case kindWeekday:
		f.anyWeekday = true
	case kindYear:
		f.anyYear = true
	case kindSecond:
		f.second = allSeconds
	case kindMinute:
		f.minute = allSeconds
	case kindHour:
		f.hour = allHours
	case kindMonth:
		f.month = allMonths
	}
}
