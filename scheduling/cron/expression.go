package cron

import "math/bits"

// Expression is a parsed cron expression. It is immutable and safe for
// concurrent use. Make one with [Parse] or [MustParse]; the zero value and the
// nil pointer match no instant.
type Expression struct {
	fields

	// days holds, for every shape that a month can have, the days of it that
	// match: bit d is day d. First index: length less 28; second: the weekday
	// of its first day. Nothing but these two decides which days L, W, # and
	// weekdays select.
	days [4][7]uint32

	// everyDay says that no date is excluded, so that dates need no look.
	everyDay bool
	// wholeDay says that a matching date matches in each of its seconds.
	wholeDay bool
	// firstTime is the earliest matching second of a matching day.
	firstTime int64
	// firstYear and lastYear bound a restricted year field.
	firstYear, lastYear int64
}

// fields is what the text says, free of its spelling: two texts with equal
// fields are one expression.
type fields struct {
	second, minute uint64 // bits 0–59
	hour           uint32 // bits 0–23
	month          uint16 // bits 1–12

	day         uint32 // bits 1–31: plain days
	nearest     uint32 // bits 1–31: nW
	fromEnd     uint32 // bit n: L-n; bit 0: L
	lastWorkday bool   // LW

	weekday     uint8    // bits 0–6, Sunday first: plain weekdays
	lastWeekday uint8    // bits 0–6: nL
	nth         [5]uint8 // nth[k-1], bits 0–6: n#k

	year [3]uint64 // bit y-1970

	// An unrestricted field was written as exactly * or ? (D16), or, for the
	// year, left out.
	anyDay, anyWeekday, anyYear bool
}

const (
	allSeconds = 1<<60 - 1
	allHours   = 1<<24 - 1
	allMonths  = 1<<13 - 2
	minYear    = 1970
	maxYear    = 2099
)

// Equal reports whether both expressions say the same, however they were
// spelled: "0 9 * * 1-5" equals "0 0 9 ? * MON-FRI". Equal expressions have
// the same String. Two nil pointers are equal.
func (e *Expression) Equal(o *Expression) bool {
	if e == nil || o == nil {
		return e == o
	}
	return e.fields == o.fields
}

// derive fills what Next needs from the fields.
func (e *Expression) derive() {
	for length := int64(28); length <= 31; length++ {
		for first := range int64(7) {
			e.days[length-28][first] = e.daysOf(length, first)
		}
	}
	e.everyDay = e.anyDay && e.anyWeekday && e.month == allMonths && e.anyYear
	e.wholeDay = e.second == allSeconds && e.minute == allSeconds && e.hour == allHours
	e.firstTime = int64(bits.TrailingZeros32(e.hour))*3600 +
		int64(bits.TrailingZeros64(e.minute))*60 +
		int64(bits.TrailingZeros64(e.second))
	if !e.anyYear {
		e.firstYear, e.lastYear = e.yearFrom(minYear), minYear
		for y := e.firstYear; y != 0; y = e.yearFrom(y + 1) {
			e.lastYear = y
		}
	}
}

// yearFrom finds the first year of a restricted year field at or after y; 0
// when there is none.
func (e *Expression) yearFrom(y int64) int64 {
	if y > maxYear {
		return 0
	}
	i := max(y-minYear, 0)
	word := i / 64
	rest := e.year[word] &^ (1<<(i%64) - 1)
	for rest == 0 {
		if word++; word == int64(len(e.year)) {
			return 0
		}
		rest = e.year[word]
	}
	return minYear + word*64 + int64(bits.TrailingZeros64(rest))
}
