package cron_test

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// oracle answers what Next must, by trying one instant after the other. It
// shares nothing with the package: it tests the text itself for each value,
// asks the time package for the wall clock, and knows no zone bounds. It
// expects text that the package accepts.
type oracle struct {
	second, minute, hour, month map[int]bool
	day, weekday, year          string
	loc                         *time.Location
	offsets                     []int // all that the zone has
	date                        *dateAnswer
	// patient forbids leaps over hours and days that do not match, for zones
	// whose clocks change more than once in such a time.
	patient bool
}

// dateAnswer keeps the last answer of dateOK.
type dateAnswer struct {
	year, yearDay int
	ok            bool
}

func newOracle(text string, loc *time.Location, offsets []int) oracle {
	f := strings.Fields(strings.ToUpper(text))
	if len(f) == 5 {
		f = append([]string{"0"}, f...)
	}
	if len(f) == 6 {
		f = append(f, "*")
	}
	each := func(field string, last int, names string) map[int]bool {
		ok := map[int]bool{}
		for v := range last + 1 {
			ok[v] = listed(field, v, last, names)
		}
		return ok
	}
	return oracle{
		second: each(f[0], 59, ""), minute: each(f[1], 59, ""), hour: each(f[2], 23, ""), month: each(f[4], 12, oracleMonths),
		day: f[3], weekday: f[5], year: f[6], loc: loc, offsets: offsets, date: &dateAnswer{},
	}
}

// listed reports whether a value is in a field without L, W and #.
func listed(field string, value, last int, names string) bool {
	number := func(s string) int {
		if i := strings.Index(names, s); s != "" && names != "" && i >= 0 {
			n := i / 4
			if strings.HasPrefix(names, "JAN") {
				n++
			}
			return n
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			panic("oracle cannot read " + s)
		}
		return n
	}
	for _, item := range strings.Split(field, ",") {
		body, stepText, stepped := strings.Cut(item, "/")
		from, to, ranged := strings.Cut(body, "-")
		low, high, step := 0, last, 1
		switch {
		case body == "*":
			if last == 12 || last == 31 {
				low = 1
			} else if last == 2099 {
				low = 1970
			}
		case ranged:
			low, high = number(from), number(to)
		case stepped:
			low = number(from)
			if last == 6 {
				low %= 7
			}
		default:
			low = number(from)
			high = low
		}
		if stepped {
			step = number(stepText)
		}
		for v := low; v <= high; v += step {
			if v == value || last == 6 && v == value+7 {
				return true
			}
		}
	}
	return false
}

const (
	oracleMonths   = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC "
	oracleWeekdays = "SUN MON TUE WED THU FRI SAT "
)

func (o oracle) yearOK(w time.Time) bool {
	return o.year == "*" || listed(o.year, w.Year(), 2099, "")
}

func (o oracle) monthOK(w time.Time) bool { return o.month[int(w.Month())] }

func (o oracle) dateOK(w time.Time) bool {
	if o.date.year != w.Year() || o.date.yearDay != w.YearDay() {
		*o.date = dateAnswer{w.Year(), w.YearDay(), o.dateMatches(w)}
	}
	return o.date.ok
}

func (o oracle) dateMatches(w time.Time) bool {
	if !o.yearOK(w) || !o.monthOK(w) {
		return false
	}
	free := func(field string) bool { return field == "*" || field == "?" }
	// A date of its own, so that no zone can bend what follows.
	date := time.Date(w.Year(), w.Month(), w.Day(), 12, 0, 0, 0, time.UTC)
	switch {
	case free(o.day) && free(o.weekday):
		return true
	case free(o.weekday):
		return o.dayOK(date)
	case free(o.day):
		return o.weekdayOK(date)
	}
	return o.dayOK(date) || o.weekdayOK(date)
}

func (o oracle) dayOK(date time.Time) bool {
	inMonth := func(days int) bool { return date.AddDate(0, 0, days).Month() == date.Month() }
	working := func(d time.Time) bool { return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday }
	for _, item := range strings.Split(o.day, ",") {
		var ok bool
		switch {
		case item == "L":
			ok = !inMonth(1)
		case item == "LW":
			ok = working(date)
			for n := 1; inMonth(n); n++ {
				ok = ok && !working(date.AddDate(0, 0, n))
			}
		case strings.HasPrefix(item, "L-"):
			n, _ := strconv.Atoi(item[2:])
			ok = inMonth(n) && !inMonth(n+1)
		case strings.HasSuffix(item, "W"):
			n, _ := strconv.Atoi(strings.TrimSuffix(item, "W"))
			best := 0
			if time.Date(date.Year(), date.Month(), n, 0, 0, 0, 0, time.UTC).Month() == date.Month() {
				for d := 1; d <= 31; d++ {
					x := time.Date(date.Year(), date.Month(), d, 0, 0, 0, 0, time.UTC)
					if x.Month() == date.Month() && working(x) && (best == 0 || abs(d-n) < abs(best-n)) {
						best = d
					}
				}
			}
			ok = date.Day() == best
		default:
			ok = listed(item, date.Day(), 31, "")
		}
		if ok {
			return true
		}
	}
	return false
}

func (o oracle) weekdayOK(date time.Time) bool {
	for _, item := range strings.Split(o.weekday, ",") {
		var ok bool
		if day, k, found := strings.Cut(item, "#"); found {
			n, _ := strconv.Atoi(k)
			ok = listed(day, int(date.Weekday()), 6, oracleWeekdays) && (date.Day()+6)/7 == n
		} else if day, found := strings.CutSuffix(item, "L"); found {
			ok = listed(day, int(date.Weekday()), 6, oracleWeekdays) && date.AddDate(0, 0, 7).Month() != date.Month()
		} else {
			ok = listed(item, int(date.Weekday()), 6, oracleWeekdays)
		}
		if ok {
			return true
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }

// wall is what the clock shows, given as a time in UTC, and the offset.
func (o oracle) wall(at int64) (w time.Time, offset int64) {
	_, seconds := time.Unix(at, 0).In(o.loc).Zone()
	return time.Unix(at+int64(seconds), 0).UTC(), int64(seconds)
}

func (o oracle) matches(at int64) bool {
	w, _ := o.wall(at)
	return o.shows(w)
}

func (o oracle) shows(w time.Time) bool {
	hour, minute, second := w.Clock()
	return o.second[second] && o.minute[minute] && o.hour[hour] && o.dateOK(w)
}

// repeated reports whether the clock showed the same before (R181, D17).
func (o oracle) repeated(at int64) bool {
	_, offset := o.wall(at)
	return slices.ContainsFunc(o.offsets, func(other int) bool {
		earlier := at + offset - int64(other)
		_, then := o.wall(earlier)
		return earlier < at && then == int64(other)
	})
}

// next is Next by trial. Up to days it looks, then it gives up and tells so.
func (o oracle) next(after int64, days int) (at int64, found, gaveUp bool) {
	limit := o.limit(after)
	for at = after + 1; ; {
		w, offset := o.wall(at)
		if w.Unix() > limit+2*86400 {
			return 0, false, false
		}
		if at > after+int64(days)*86400 {
			return 0, false, true
		}
		if step := o.leap(at, w, offset); step > 0 {
			at += step
			continue
		}
		if o.shows(w) && w.Unix() <= limit && !o.repeated(at) {
			return at, true, false
		}
		at++
	}
}

// leap tells how far the clock can be passed over because a date, an hour or a
// minute cannot match: only if it shows that same date, hour or minute at the
// end, with the same offset.
func (o oracle) leap(at int64, w time.Time, offset int64) int64 {
	if o.patient {
		return 0
	}
	same := func(step int64, of func(time.Time) int) bool {
		if of(w) != of(w.Add(time.Duration(step)*time.Second)) {
			return false
		}
		_, then := o.wall(at + step)
		return then == offset
	}
	tries := []struct {
		wrong bool
		of    func(time.Time) int
		steps []int64
	}{
		{!o.dateOK(w) && !o.yearOK(w), time.Time.Year, []int64{30 * 86400}},
		{!o.dateOK(w) && !o.monthOK(w), func(t time.Time) int { return int(t.Month()) }, []int64{86400}},
		{!o.dateOK(w), time.Time.Day, []int64{3600, 300, 30}},
		{!o.hour[w.Hour()], time.Time.Hour, []int64{300, 30}},
		{!o.minute[w.Minute()], time.Time.Minute, []int64{10}},
	}
	for _, try := range tries {
		for _, step := range try.steps {
			if try.wrong && same(step, try.of) {
				return step
			}
		}
	}
	return 0
}

// limit is the last reading of the search (D15).
func (o oracle) limit(after int64) int64 {
	if o.year == "*" {
		w, _ := o.wall(after)
		return w.AddDate(5, 0, 0).Unix()
	}
	for y := 2099; ; y-- {
		if listed(o.year, y, 2099, "") {
			return time.Date(y+1, 1, 1, 0, 0, 0, 0, time.UTC).Unix() - 1
		}
	}
}
