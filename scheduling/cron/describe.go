package cron

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Describe says in plain English when the expression runs, as in "At 09:00 on
// Monday to Friday". It is meant for people and may change between versions.
// The zero value and nil are "Never".
func (e *Expression) Describe() string {
	if e == nil || e.month == 0 {
		return "Never"
	}
	text := e.describeTime()
	if days := e.describeDays(); days != "" {
		text += " on " + days
	}
	if e.month != allMonths {
		text += " in " + e.describeValues(kindMonth, monthName)
	}
	if !e.anyYear {
		text += " in " + plural(e.values(kindYear), "the year ", "the years ") + e.describeValues(kindYear, strconv.Itoa)
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

const (
	maxListedTimes = 4 // times of day told one by one
	maxListedSteps = 7 // values of a stepped field told one by one
)

func (e *Expression) describeTime() string {
	count := bits.OnesCount64(e.second) * bits.OnesCount64(e.minute) * bits.OnesCount32(e.hour)
	if count <= maxListedTimes {
		return "at " + e.listTimes()
	}
	var parts []string
	if e.second != 1 {
		parts = append(parts, e.describeUnit(kindSecond))
	}
	if e.minute != allSeconds || e.second == 1 {
		parts = append(parts, e.describeUnit(kindMinute))
	}
	if e.hour != allHours || e.minute == 1 && e.second == 1 {
		if e.minute == 1 && e.second == 1 && e.isEven(kindHour) {
			parts = parts[:0] // the full hours
		}
		parts = append(parts, e.describeUnit(kindHour))
	} else if e.minute != allSeconds && !e.isEven(kindMinute) {
		return strings.Join(parts, ", ") + " of every hour"
	}
	return strings.Join(parts, ", ")
}

func (e *Expression) listTimes() string {
	var times []string
	for rest := e.hour; rest != 0; rest &= rest - 1 {
		h := bits.TrailingZeros32(rest)
		for rest := e.minute; rest != 0; rest &= rest - 1 {
			m := bits.TrailingZeros64(rest)
			for rest := e.second; rest != 0; rest &= rest - 1 {
				if s := bits.TrailingZeros64(rest); e.second == 1 {
					times = append(times, fmt.Sprintf("%02d:%02d", h, m))
				} else {
					times = append(times, fmt.Sprintf("%02d:%02d:%02d", h, m, s))
				}
			}
		}
	}
	return enumerate(times, "and")
}

// describeUnit tells the seconds, minutes or hours.
func (e *Expression) describeUnit(k kind) string {
	r, set := &rules[k], e.values(k)
	if set.count() == r.last-r.min+1 {
		return "every " + r.name
	}
	low, high := set.low(), set.high()
	if step, ok := r.stepOf(set, low, high); ok && step > 1 {
		if e.isEven(k) {
			return fmt.Sprintf("every %d %ss", step, r.name)
		}
		return fmt.Sprintf("every %d %ss from %s %d to %d", step, r.name, r.name, low, high)
	}
	return "at " + plural(set, r.name+" ", r.name+"s ") + e.describeValues(k, strconv.Itoa)
}

// isEven reports whether a field runs at equal distances without end.
func (e *Expression) isEven(k kind) bool {
	r, set := &rules[k], e.values(k)
	low, high := set.low(), set.high()
	step, ok := r.stepOf(set, low, high)
	return ok && low == 0 && high+step == r.last+1
}

// describeDays joins what either day field selects; a day needs only one of
// them (R176).
func (e *Expression) describeDays() string {
	var parts []string
	if !e.anyDay {
		if set := e.values(kindDay); set.count() > 0 {
			parts = append(parts, plural(set, "day ", "days ")+e.describeValues(kindDay, strconv.Itoa)+" of the month")
		}
		for n := 1; n <= 31; n++ {
			if e.nearest>>n&1 != 0 {
				parts = append(parts, fmt.Sprintf("the weekday nearest to day %d of the month", n))
			}
		}
		for n := 30; n > 0; n-- {
			if e.fromEnd>>n&1 != 0 {
				parts = append(parts, fmt.Sprintf("%s before the last day of the month", plurals(n, "day")))
			}
		}
		if e.fromEnd&1 != 0 {
			parts = append(parts, "the last day of the month")
		}
		if e.lastWorkday {
			parts = append(parts, "the last weekday of the month")
		}
	}
	if !e.anyWeekday {
		if e.weekday != 0 {
			parts = append(parts, e.describeValues(kindWeekday, weekdayName))
		}
		for k, set := range e.nth {
			for ; set != 0; set &= set - 1 {
				ordinal := [...]string{"first", "second", "third", "fourth", "fifth"}[k]
				parts = append(parts, fmt.Sprintf("the %s %s of the month", ordinal, weekdayName(bits.TrailingZeros8(set))))
			}
		}
		for set := e.lastWeekday; set != 0; set &= set - 1 {
			parts = append(parts, fmt.Sprintf("the last %s of the month", weekdayName(bits.TrailingZeros8(set))))
		}
	}
	return enumerate(parts, "or")
}

// describeValues lists a set: single values, and "a to b" for three or more
// that follow each other. Of a long row of equal distances it tells the start
// and the end.
func (e *Expression) describeValues(k kind, name func(int) string) string {
	set := e.values(k)
	if step, ok := rules[k].stepOf(set, set.low(), set.high()); ok && step > 1 && set.count() > maxListedSteps {
		return fmt.Sprintf("%s, %s and so on to %s", name(set.low()), name(set.low()+step), name(set.high()))
	}
	var parts []string
	for v, high := set.low(), set.high(); v <= high; v++ {
		if !set.has(v) {
			continue
		}
		end := set.runEnd(v)
		if end < v+2 {
			parts = append(parts, name(v))
			continue
		}
		parts = append(parts, name(v)+" to "+name(end))
		v = end
	}
	return enumerate(parts, "and")
}

func enumerate(parts []string, last string) string {
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " " + last + " " + parts[n-1]
	}
	return strings.Join(parts, "")
}

func plural(set valueSet, one, many string) string {
	if set.count() == 1 {
		return one
	}
	return many
}

func plurals(n int, unit string) string {
	if n == 1 {
		return "one " + unit
	}
	return strconv.Itoa(n) + " " + unit + "s"
}

func monthName(v int) string {
	return [...]string{
		"January", "February", "March", "April", "May", "June",
		"July", "August", "September", "October", "November", "December",
	}[v-1]
}

func weekdayName(v int) string {
	return [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}[v]
}
