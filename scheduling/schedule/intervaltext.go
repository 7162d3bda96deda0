package schedule

import (
	"fmt"
	"strings"
	"time"
)

// formatInterval writes [d.]hh:mm:ss[.fffffff] (D37): the days when there
// are any, the fraction, with seven digits, when it is not zero.
func formatInterval(d time.Duration) string {
	var b strings.Builder
	if d >= day {
		fmt.Fprintf(&b, "%d.", d/day)
	}
	fmt.Fprintf(&b, "%02d:%02d:%02d", d/time.Hour%24, d/time.Minute%60, d/time.Second%60)
	if f := d % time.Second; f != 0 {
		fmt.Fprintf(&b, ".%07d", f/100)
	}
	return b.String()
}

// parseInterval reads what formatInterval writes, with one or two digits in
// each place of the clock and up to nine in the fraction.
func parseInterval(text string) (time.Duration, error) {
	fail := func(format string, args ...any) (time.Duration, error) {
		return 0, fmt.Errorf("interval %s: %s", quote(text), fmt.Sprintf(format, args...))
	}
	const form = "write [d.]hh:mm:ss, as in 00:10:00 or 1.12:00:00"
	rest := text
	var days int64
	if dot := strings.IndexByte(rest, '.'); dot >= 0 && dot < strings.IndexByte(rest, ':') {
		n, ok := number(rest[:dot], dot)
		if !ok {
			return fail("the days before the point are not a number; %s", form)
		}
		if n > int64(MaxInterval/day) {
			return fail("more than %d days; use a cron schedule with a year field or once", MaxInterval/day)
		}
		days, rest = n, rest[dot+1:]
	}
	nanos := 0
	if dot := strings.IndexByte(rest, '.'); dot >= 0 {
		n, next, ok := fraction(rest, dot+1)
		if !ok || next != len(rest) {
			return fail("write 1 to 9 digits after the decimal point of the seconds")
		}
		nanos, rest = n, rest[:dot]
	}
	places := strings.Split(rest, ":")
	if len(places) != 3 {
		return fail("%s%s", intended(text), form)
	}
	var clock [3]int64
	for i, place := range places {
		n, ok := number(place, 2)
		if !ok {
			return fail("%s is not a number of one or two digits; %s", quote(place), form)
		}
		clock[i] = n
	}
	switch {
	case clock[0] > 23:
		return fail("hours go to 23; write %d.%02d:%02d:%02d", days+clock[0]/24, clock[0]%24, clock[1], clock[2])
	case clock[1] > 59:
		return fail("minutes go to 59; carry into the hours")
	case clock[2] > 59:
		return fail("seconds go to 59; carry into the minutes")
	}
	d := time.Duration(days)*day + time.Duration(clock[0])*time.Hour +
		time.Duration(clock[1])*time.Minute + time.Duration(clock[2])*time.Second +
		time.Duration(nanos)
	return d, nil
}

// intended guesses what a Go duration such as 10m, or a clock without its
// seconds, was meant to be.
func intended(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil {
		d, err = parseInterval00(text)
	}
	if err != nil || d < time.Microsecond || d > MaxInterval {
		return ""
	}
	return "perhaps " + formatInterval(d.Truncate(time.Microsecond)) + " is meant; "
}

// parseInterval00 reads hh:mm.
func parseInterval00(text string) (time.Duration, error) {
	if strings.Count(text, ":") != 1 {
		return 0, fmt.Errorf("interval %s: not hh:mm", quote(text))
	}
	return parseInterval(text + ":00")
}

// number reads 1 to width decimal digits; a value beyond a billion stays there.
func number(text string, width int) (int64, bool) {
	if text == "" || len(text) > width {
		return 0, false
	}
	var n int64
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int64(c-'0'), 1_000_000_000)
	}
	return n, true
}
