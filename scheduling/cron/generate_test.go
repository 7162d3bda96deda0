package cron_test

import (
	"fmt"
	"strings"
	"time"
)

// pick draws a number from 0 to n-1.
type pick func(n int) int

func (p pick) one(of ...string) string { return of[p(len(of))] }

func (p pick) between(low, high int) int { return low + p(high-low+1) }

// anyExpression draws from the whole grammar. A near instant makes the values
// likely that its wall clock shows, so that changes of offset are hit.
func anyExpression(p pick, near time.Time) string {
	second, minute, hour := "0", p.clock(near.Minute(), 59), p.clock(near.Hour(), 23)
	switch p(6) {
	case 0:
		second = p.clock(near.Second(), 59)
	case 1:
		second = fmt.Sprint(near.Second())
	}
	day, month, weekday := "*", "*", p.one("*", "?")
	switch p(6) {
	case 0:
		day = p.days(near)
	case 1:
		weekday = p.weekdays(near)
	case 2:
		day, weekday = p.days(near), p.weekdays(near)
	}
	if p(6) == 0 {
		month = p.months(near)
	}
	text := strings.Join([]string{minute, hour, day, month, weekday}, " ")
	if second == "0" && p(2) == 0 {
		return text
	}
	text = second + " " + text
	if p(8) == 0 {
		text += " " + p.years(near)
	}
	return text
}

// clock draws a field of seconds, minutes or hours.
func (p pick) clock(now, last int) string {
	now = min(max(now+p.between(-1, 1), 0), last)
	switch p(8) {
	case 0, 1:
		return "*"
	case 2:
		return fmt.Sprintf("*/%d", p.between(1, last))
	case 3:
		return fmt.Sprintf("%d/%d", p(last+1), p.between(1, last))
	case 4:
		low := p(last + 1)
		return fmt.Sprintf("%d-%d", low, p.between(low, last))
	case 5:
		low := p(last + 1)
		return fmt.Sprintf("%d-%d/%d", low, p.between(low, last), p.between(1, last))
	case 6:
		return fmt.Sprintf("%d,%d", now, p(last+1))
	}
	return fmt.Sprint(now)
}

func (p pick) list(item func() string) string {
	text := item()
	for p(3) == 0 {
		text += "," + item()
	}
	return text
}

func (p pick) days(near time.Time) string {
	return p.list(func() string {
		switch p(9) {
		case 0:
			return p.one("L", "l", "LW", "lw")
		case 1:
			return fmt.Sprintf("L-%d", p.between(1, 30))
		case 2:
			return fmt.Sprintf("%d%s", p.between(1, 31), p.one("W", "w"))
		case 3:
			return fmt.Sprintf("*/%d", p.between(1, 31))
		case 4:
			low := p.between(1, 31)
			return fmt.Sprintf("%d-%d", low, p.between(low, 31))
		case 5:
			return fmt.Sprintf("%d/%d", p.between(1, 31), p.between(1, 31))
		case 6:
			return fmt.Sprint(p.between(1, 31))
		}
		return fmt.Sprint(near.Day())
	})
}

func (p pick) weekdays(near time.Time) string {
	day := func() string {
		if p(3) == 0 {
			return fmt.Sprint(p(8))
		}
		if p(2) == 0 {
			return strings.ToLower(near.Weekday().String()[:3])
		}
		return p.one("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
	}
	return p.list(func() string {
		switch p(6) {
		case 0:
			return day() + p.one("L", "l")
		case 1:
			return fmt.Sprintf("%s#%d", day(), p.between(1, 5))
		case 2:
			return fmt.Sprintf("*/%d", p.between(1, 6))
		case 3:
			low := p(7)
			return fmt.Sprintf("%d-%d/%d", low, p.between(low, 7), p.between(1, 6))
		case 4:
			return p.one("MON-FRI", "SAT-7", "SUN-SAT", "1-7", "TUE-THU")
		}
		return day()
	})
}

func (p pick) months(near time.Time) string {
	return p.list(func() string {
		switch p(5) {
		case 0:
			return fmt.Sprintf("*/%d", p.between(1, 12))
		case 1:
			low := p.between(1, 12)
			return fmt.Sprintf("%d-%d", low, p.between(low, 12))
		case 2:
			return p.one("JAN", "feb", "Mar-Jun", "OCT/2", "DEC")
		}
		return fmt.Sprint(int(near.Month()))
	})
}

func (p pick) years(near time.Time) string {
	year := min(max(near.Year()+p(3), 1970), 2099)
	switch p(4) {
	case 0:
		return "*"
	case 1:
		return fmt.Sprintf("%d/%d", year, p.between(1, 9))
	case 2:
		return fmt.Sprintf("%d-%d", year, p.between(year, 2099))
	}
	return fmt.Sprint(year)
}
