package cron

import (
	"math/bits"
	"strconv"
)

// valueSet is the set of one field; bit v-base is value v.
type valueSet struct {
	words [3]uint64
	base  int
}

func (s *valueSet) has(v int) bool {
	v -= s.base
	return v >= 0 && v < 64*len(s.words) && s.words[v/64]>>(v%64)&1 != 0
}

func (s *valueSet) count() int {
	return bits.OnesCount64(s.words[0]) + bits.OnesCount64(s.words[1]) + bits.OnesCount64(s.words[2])
}

func (e *Expression) values(k kind) valueSet {
	var s valueSet
	switch k {
	case kindSecond:
		s.words[0] = e.second
	case kindMinute:
		s.words[0] = e.minute
	case kindHour:
		s.words[0] = uint64(e.hour)
	case kindDay:
		s.words[0] = uint64(e.day)
	case kindMonth:
		s.words[0] = uint64(e.month)
	case kindWeekday:
		s.words[0] = uint64(e.weekday)
	case kindYear:
		s.words, s.base = e.year, minYear
	}
	return s
}

func (e *Expression) appendField(b []byte, k kind) []byte {
	r := &rules[k]
	if k == kindDay && e.anyDay || k == kindWeekday && e.anyWeekday {
		return append(b, '*')
	}
	start := len(b)
	set := e.values(k)
	if n := set.count(); n == r.last-r.min+1 && !k.isDay() && k != kindYear {
		return append(b, '*')
	} else if n > 0 {
		b = r.appendValues(b, set)
	}
	switch k {
	case kindDay:
		b = e.appendDayTokens(b, start)
	case kindWeekday:
		b = e.appendWeekdayTokens(b, start)
	}
	return b
}

// low and high are the ends of a set that is not empty.
func (s *valueSet) low() int {
	v := s.base
	for !s.has(v) {
		v++
	}
	return v
}

func (s *valueSet) high() int {
	v := s.base + 64*len(s.words) - 1
	for !s.has(v) {
		v--
	}
	return v
}

// runEnd is the last of the values that follow v without a gap.
func (s *valueSet) runEnd(v int) int {
	for s.has(v + 1) {
		v++
	}
	return v
}

// appendValues writes a set as one step or range where it is one, otherwise as
// a list of values and of ranges of at least three.
func (r *rule) appendValues(b []byte, set valueSet) []byte {
	low, high := set.low(), set.high()
	if step, ok := r.stepOf(set, low, high); ok {
		switch {
		case step == 1:
			return r.appendRange(b, low, high)
		case high+step <= r.last:
			b = r.appendRange(b, low, high)
		case low == r.min:
			b = append(b, '*')
		default:
			b = r.appendValue(b, low)
		}
		b = append(b, '/')
		return strconv.AppendInt(b, int64(step), 10)
	}
	start := len(b)
	for v := low; v <= high; v++ {
		if !set.has(v) {
			continue
		}
		b = next(b, start)
		if end := set.runEnd(v); end >= v+2 {
			b, v = r.appendRange(b, v, end), end
		} else {
			b = r.appendValue(b, v)
		}
	}
	return b
}

// stepOf finds the even distance of a set of at least three values.
func (r *rule) stepOf(set valueSet, low, high int) (int, bool) {
	n := set.count()
	if n < 3 || (high-low)%(n-1) != 0 {
		return 0, false
	}
	step := (high - low) / (n - 1)
	for v := low; v <= high; v += step {
		if !set.has(v) {
			return 0, false
		}
	}
	return step, true
}

func (r *rule) appendRange(b []byte, low, high int) []byte {
	return r.appendValue(append(r.appendValue(b, low), '-'), high)
}

func (r *rule) appendValue(b []byte, v int) []byte {
	if r.last == saturday {
		return append(b, r.names[3*v:3*v+3]...)
	}
	return strconv.AppendInt(b, int64(v), 10)
}

// next separates an item from those before it.
func next(b []byte, start int) []byte {
	if len(b) > start {
		return append(b, ',')
	}
	return b
}

func (e *Expression) appendDayTokens(b []byte, start int) []byte {
	for n := 1; n <= 31; n++ {
		if e.nearest>>n&1 != 0 {
			b = append(strconv.AppendInt(next(b, start), int64(n), 10), 'W')
		}
	}
	for n := 30; n >= 0; n-- {
		if e.fromEnd>>n&1 == 0 {
			continue
		}
		b = append(next(b, start), 'L')
		if n > 0 {
			b = strconv.AppendInt(append(b, '-'), int64(n), 10)
		}
	}
	if e.lastWorkday {
		b = append(next(b, start), "LW"...)
	}
	return b
}

func (e *Expression) appendWeekdayTokens(b []byte, start int) []byte {
	r := &rules[kindWeekday]
	for k, set := range e.nth {
		for v := range 7 {
			if set>>v&1 != 0 {
				b = append(r.appendValue(next(b, start), v), '#', '1'+byte(k))
			}
		}
	}
	for v := range 7 {
		if e.lastWeekday>>v&1 != 0 {
			b = append(r.appendValue(next(b, start), v), 'L')
		}
	}
	return b
}
