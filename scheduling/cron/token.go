package cron

// readDayToken reads L, L-n, LW or nW in the day field (R174, D16).
func (f *fields) readDayToken(item string) fault {
	if item[0]|0x20 == 'l' {
		switch {
		case len(item) == 1:
			f.fromEnd |= 1
			return faultNone
		case len(item) == 2 && item[1]|0x20 == 'w':
			f.lastWorkday = true
			return faultNone
		case item[1] != '-':
			return faultToken
		}
		n, digits := readNumber(item[2:])
		if digits == 0 || 2+digits != len(item) {
			return faultToken
		}
		if n < 1 || n > 30 {
			return faultOffset
		}
		f.fromEnd |= 1 << n
		return faultNone
	}
	n, digits := readNumber(item)
	if digits == 0 || digits+1 != len(item) {
		return faultToken
	}
	if n < 1 || n > 31 {
		return faultBounds
	}
	f.nearest |= 1 << n
	return faultNone
}

// readWeekdayToken reads nL or n#k in the weekday field (R175). done is false
// when the item is neither.
func (f *fields) readWeekdayToken(item string) (result fault, done bool) {
	r := &rules[kindWeekday]
	v, n := r.readValue(item)
	if n == len(item) || n == 0 {
		return faultNone, false
	}
	switch rest := item[n:]; {
	case rest[0] == '#':
		k, digits := readNumber(rest[1:])
		switch {
		case digits == 0 || 1+digits != len(rest):
			return faultToken, true
		case v > r.max:
			return faultBounds, true
		case k < 1 || k > 5:
			return faultOrdinal, true
		}
		f.nth[k-1] |= 1 << (v % 7)
		return faultNone, true
	case rest[0]|0x20 == 'l':
		switch {
		case len(rest) > 1:
			return faultToken, true
		case v > r.max:
			return faultBounds, true
		}
		f.lastWeekday |= 1 << (v % 7)
		return faultNone, true
	}
	return faultNone, false
}
