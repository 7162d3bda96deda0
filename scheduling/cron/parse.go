package cron

// maxLength bounds the text of an expression in bytes. Every legal set of
// values can be written in less.
const maxLength = 4096

// Parse reads an expression of five, six or seven fields separated by blanks or
// tabs; the grammar is in the package comment. Whether the text is accepted
// depends on nothing but the text: an expression that can never run, such as
// "0 0 30 2 *", is legal. The error is a [*ParseError].
func Parse(text string) (*Expression, error) {
	e := new(Expression)
	if err := e.parse(text); err != nil {
		return nil, err
	}
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

// span is a part of the text, end excluded.
type span struct{ start, end int }

func (e *Expression) parse(text string) error {
	if len(text) > maxLength {
		return tooLong(text)
	}
	var at [kindCount]span
	count, bad := split(text, &at)
	if bad >= 0 {
		return illegalByte(text, bad)
	}
	if count < 5 || count > int(kindCount) {
		return wrongCount(text, count)
	}
	first := kindMinute
	if count > 5 {
		first = kindSecond
	} else {
		e.second = 1
	}
	e.anyYear = count < 7
	for i := range count {
		k := first + kind(i)
		if item, f := e.parseField(k, text, at[i]); f != faultNone {
			return explain(text, count, k, item, f)
		}
	}
	e.derive()
	return nil
}

// split finds the fields. It counts on past the seventh; bad is the position of
// the first byte that no expression holds, or -1.
func split(text string, at *[kindCount]span) (count, bad int) {
	inside := false
	for i := 0; i < len(text); i++ {
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

// parseField reads a comma-separated list. On a fault it tells the item.
func (e *Expression) parseField(k kind, text string, at span) (span, fault) {
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
		if f := e.parseItem(k, text[start:i]); f != faultNone {
			return span{start, i}, f
		}
		start = i + 1
	}
	return span{}, faultNone
}

func (e *Expression) parseItem(k kind, item string) fault {
	if item == "" {
		return faultEmpty
	}
	switch k {
	case kindDay:
		if last := item[len(item)-1] | 0x20; last == 'w' || item[0]|0x20 == 'l' {
			return e.parseDayToken(item)
		}
	case kindWeekday:
		if f, done := e.parseWeekdayToken(item); done {
			return f
		}
	}
	low, high, step, f := rules[k].parseRange(item)
	if f == faultNone {
		e.add(k, low, high, step)
	}
	return f
}
