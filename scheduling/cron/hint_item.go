package cron

import (
	"fmt"
	"strconv"
	"strings"
)

// hint guesses what was meant by a list item; empty when it cannot.
func (r *rule) hint(item string, f fault) string {
	if strings.Contains(item, "?") {
		if item == "?" {
			return `write "*"; "?" stands in the day and weekday fields only`
		}
		return `"?" stands alone and takes no list, range or step; write "*"`
	}
	switch f {
	case faultEmpty:
		return "put a value on both sides of each comma, and no blanks beside it"
	case faultBounds:
		return r.hintBounds(item)
	case faultReversed:
		return r.hintReversed(item)
	case faultStep:
		if strings.Contains(item, "/-") {
			return "a step is a positive number"
		}
		return `write a step as in "*/5"`
	case faultZeroStep:
		return fmt.Sprintf("write %q for every value", strings.SplitN(item, "/", 2)[0])
	case faultLargeStep:
		return r.hintStep(item)
	case faultOffset:
		return `write "L" for the last day, "L-1" for the one before it`
	case faultOrdinal:
		return "a month has at most five of each weekday; write L for its last, as in FRIL"
	}
	if h := r.hintName(item); h != "" {
		return h
	}
	if h := r.hintToken(item); h != "" {
		return h
	}
	return r.hintSyntax(item)
}

func (r *rule) hintBounds(item string) string {
	v, _ := strconv.Atoi(r.outside(item))
	switch r.name {
	case "second", "minute":
		if v == 60 {
			return fmt.Sprintf(`the full %s is "0"`, map[string]string{"second": "minute", "minute": "hour"}[r.name])
		}
	case "hour":
		if v == 24 {
			return "midnight is hour 0"
		}
	case "day":
		if v == 0 {
			return `days count from 1; "L" is the last day of the month`
		}
		return `"L" is the last day of the month`
	case "month":
		if v == 0 {
			return "months count from 1 = JAN"
		}
	case "weekday":
		if v >= minYear && v <= maxYear {
			return "" // looks like a year: see hintForShift
		}
		return "0 and 7 are Sunday, 1 is Monday, 6 is Saturday; in Quartz 1 is Sunday, so names are safer"
	case "year":
		if v < 100 {
			return fmt.Sprintf("write the year in full: %d", 2000+v)
		}
	}
	return ""
}

// hintReversed splits a range that runs over the end of the field in two. SUN
// is 0, so a range that is to end on it ends on 7 (D16).
func (r *rule) hintReversed(item string) string {
	body, step, _ := strings.Cut(item, "/")
	from, to, _ := strings.Cut(body, "-")
	low, _ := r.readValue(from)
	high, _ := r.readValue(to)
	if step != "" {
		step = "/" + step
	}
	if r.name == "weekday" {
		switch {
		case low == r.max:
			return fmt.Sprintf(`write "0-%s%s": as the start of a range Sunday is 0`, to, step)
		case high == sunday:
			return fmt.Sprintf(`write "%s-7%s": as the end of a range Sunday is 7`, from, step)
		}
	}
	swapped := fmt.Sprintf(`"%s-%s%s"`, to, from, step)
	if r.name == "year" {
		return "write " + swapped
	}
	if step != "" {
		return "write two ranges, the first up to " + r.spell(r.last, from) + " and the second from " + r.spell(r.min, to)
	}
	return fmt.Sprintf(`write "%s,%s" for what runs over the end, %s if the ends were swapped`,
		r.rangeText(from, r.spell(r.last, from), low == r.last), r.rangeText(r.spell(r.min, to), to, high == r.min), swapped)
}

func (r *rule) rangeText(from, to string, single bool) string {
	if single {
		return from
	}
	return from + "-" + to
}

// spell writes a value in the manner of like: by name or by number.
func (r *rule) spell(v int, like string) string {
	if _, digits := readNumber(like); digits > 0 || r.names == "" {
		return strconv.Itoa(v)
	}
	i := 3 * (v - r.min)
	return r.names[i : i+3]
}

// hintStep answers a step that reaches beyond its field: such a step begins
// anew each time, so it was mostly meant as an interval.
func (r *rule) hintStep(item string) string {
	n, err := strconv.Atoi(digitsAfter(item, '/'))
	if err != nil || n > 1_000_000 {
		return ""
	}
	switch r.name {
	case "second":
		return hintInterval(n, "second", "minute", 60, n)
	case "minute":
		return hintInterval(n, "minute", "hour", 60, n*60)
	case "hour":
		return hintInterval(n, "hour", "day", 24, n*3600)
	case "day":
		return "a step begins anew in each month; " + interval(n*secondsPerDay)
	case "month":
		return "a step begins anew in each year; name the months that are meant"
	case "weekday":
		return `a step begins anew in each week; for once a week name one day, as in "SUN"`
	}
	return ""
}

func hintInterval(n int, unit, larger string, per, seconds int) string {
	if n == per {
		return fmt.Sprintf(`for one run in %d %ss write "0" here and "*" for the %s`, n, unit, larger)
	}
	if n%per == 0 && n/per <= map[string]int{"minute": 59, "hour": 23, "day": 31}[larger] {
		return fmt.Sprintf(`write "0" here and "*/%d" for the %s`, n/per, larger)
	}
	return fmt.Sprintf("a step begins anew in each %s; ", larger) + interval(seconds)
}

// interval names the schedule that runs at a fixed distance.
func interval(seconds int) string {
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
	if days := seconds / secondsPerDay; days > 0 {
		text = strconv.Itoa(days) + "." + text
	}
	return "for a fixed distance use an interval schedule: every " + text
}
