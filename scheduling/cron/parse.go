package cron

// maxLength bounds the text of an expression in bytes. Every legal set of
// values can be written in less.
const maxLength = 4096

// Parse reads an expression of five, six or seven fields separated by blanks or
// tabs; the grammar is in the package comment. Whether a text is accepted
// depends on nothing but the text: an expression that can never run, such as
// "0 0 30 2 *", is legal. The error is a [*ParseError].
func Parse(text string) (*Expression, error) {
	e := new(Expression)
	if r := e.read(text); r.fault != faultNone {
		return nil, explain(text, r)
	}
	e.derive()
	return e, nil
}

// MustParse is Parse for literals; it panics where Parse returns an error.
func MustParse(text string) *Expression {
	e, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return e
}

// valid reports whether Parse would accept the text.
func valid(text string) bool {
	return new(Expression).read(text).fault == faultNone
}

// span is a part of the text, end excluded.
type span struct{ start, end int }

// result tells where reading stopped and why.
type result struct {
	fault fault
	at    span // the item, or the byte that no expression holds
	field kind
	count int // of fields
}

// read sets the fields of e.
func (e *Expression) read(text string) result {
	if len(text) > maxLength {
		return result{fault: faultLength}
	}
	var at [kindCount]span
	count, bad := split(text, &at)
	if bad >= 0 {
		return result{fault: faultByte, at: span{bad, bad + 1}}
	}
	if count < 5 || count > len(at) {
		return result{fault: faultCount, count: count}
	}
	first := kindSecond
	if count == 5 {
		first = kindMinute
		e.second = 1
	}
	e.anyYear = count < 7
	for i := range count {
		k := first + kind(i)
		if item, f := e.readField(k, text, at[i]); f != faultNone {
			return result{fault: f, at: item, field: k, count: count}
		}
	}
	return result{}
}

// split finds the fields. It counts on past the seventh; bad is the position of
// the first byte that no expression holds, or -1.
func split(text string, at *[kindCount]span) (count, bad int) {
	inside := false
	for i := range len(text) {
		c := text[i]
		if c == ' ' || c == '\t' {
			inside = false
			continue
		}
		if c < ' ' || c > '~' {
			return count, i
		}
		if !inside {
			inside = true
			if count++; count <= len(at) {
				at[count-1].start = i
			}
		}
		if count <= len(at) {
			at[count-1].end = i + 1
		}
	}
	return count, -1
}

// readField reads a comma-separated list. On a fault it tells the item.
func (e *Expression) readField(k kind, text string, at span) (span, fault) {
	field := text[at.start:at.end]
	if field == "*" || field == "?" && k.isDay() {
		e.addAny(k)
		return span{}, faultNone
	}
	start := at.start
	for i := at.start; i <= at.end; i++ {
		if i < at.end && text[i] != ',' {
			continue
		}
		if f := e.readItem(k, text[start:i]); f != faultNone {
			return span{start, i}, f
		}
		start = i + 1
	}
	return span{}, faultNone
}

func (e *Expression) readItem(k kind, item string) fault {
	if item == "" {
		return faultEmpty
	}
	switch k {
	case kindDay:
		if last := item[len(item)-1] | 0x20; last == 'w' || item[0]|0x20 == 'l' {
			return e.readDayToken(item)
		}
	case kindWeekday:
		if f, done := e.readWeekdayToken(item); done {
			return f
		}
	}
	low, high, step, f := rules[k].readRange(item)
	if f == faultNone {
		e.add(k, low, high, step)
	}
	return f
}
