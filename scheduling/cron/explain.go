package cron

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// explain turns a fault into an error in words.
func explain(text string, r result) *ParseError {
	switch r.fault {
	case faultLength:
		return &ParseError{
			Text:   strings.ToValidUTF8(cut(text), ""),
			Reason: fmt.Sprintf("it is %d bytes long, more than %d", len(text), maxLength),
			Hint:   "leave out repeated values",
		}
	case faultByte:
		return explainByte(text, r.at.start)
	case faultCount:
		return &ParseError{Text: cut(text), Reason: reasonForCount(r.count), Hint: hintForCount(text, r.count)}
	}
	rule := &rules[r.field]
	item := text[r.at.start:r.at.end]
	err := &ParseError{
		Field: rule.name, Text: cut(item), Position: r.at.start,
		Min: rule.min, Max: rule.max,
		Reason: rule.reason(item, r.fault),
		Hint:   rule.hint(item, r.fault),
	}
	if h := hintForShift(text, item, err.Hint, r); h != "" {
		err.Hint = h
	}
	return err
}

func explainByte(text string, at int) *ParseError {
	c, size := utf8.DecodeRuneInString(text[at:])
	e := &ParseError{
		Text: text[at : at+size], Position: at,
		Reason: "only printable ASCII, blanks and tabs may stand in an expression",
	}
	switch c {
	case '\n', '\r':
		e.Hint = "write one expression on one line"
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\uff0d':
		e.Hint = `write the ASCII hyphen "-"`
	case '\u00a0', '\u2002', '\u2003', '\u2009', '\u202f', '\u3000':
		e.Hint = "write an ordinary blank"
	case '\u2217', '\uff0a', '\u00d7':
		e.Hint = `write the ASCII asterisk "*"`
	case '\ufeff':
		e.Hint = "remove the byte order mark"
	default:
		if 0xff01 <= c && c <= 0xff5e {
			e.Hint = fmt.Sprintf("write the ASCII character %q", c-0xfee0)
		}
	}
	return e
}

func reasonForCount(count int) string {
	switch count {
	case 0:
		return "it is empty"
	case 1:
		return "it has one field"
	}
	return "it has " + strconv.Itoa(count) + " fields"
}

// reason says what is wrong with a list item.
func (r *rule) reason(item string, f fault) string {
	switch f {
	case faultEmpty:
		return "a list item is empty"
	case faultBounds:
		return r.outside(item) + " is out of bounds"
	case faultReversed:
		return "the range ends before it begins"
	case faultStep:
		return `there is no number after "/"`
	case faultZeroStep:
		return "a step of 0 never advances"
	case faultLargeStep:
		return fmt.Sprintf("the step %s is larger than %d", digitsAfter(item, '/'), r.last)
	case faultTrailing:
		rest := item[r.readLength(item):]
		return fmt.Sprintf("%s is left over", strconv.QuoteToASCII(cut(rest)))
	case faultToken:
		return "L, W and # cannot be used in this way"
	case faultOffset:
		return "n of L-n is 1 to 30"
	case faultOrdinal:
		return "k of n#k is 1 to 5"
	}
	if strings.HasSuffix(item, "-") && len(item) > 1 {
		return "the range has no end"
	}
	if r.names != "" {
		return "a number or a three-letter name is missing"
	}
	return "a number is missing"
}

// outside finds the value of an item that is out of bounds.
func (r *rule) outside(item string) string {
	for _, part := range strings.FieldsFunc(item, func(c rune) bool { return strings.ContainsRune("-/#LlWw", c) }) {
		if v, n := readNumber(part); n > 0 && (v < r.min || v > r.max) {
			return cut(part[:n])
		}
	}
	return "a value"
}

// readLength tells how far an item reads like one of the field.
func (r *rule) readLength(item string) int {
	i := 1
	if item[0] != '*' {
		if _, i = r.readValue(item); i < len(item) && item[i] == '-' {
			if _, n := r.readValue(item[i+1:]); n > 0 {
				i += 1 + n
			}
		}
	}
	if i < len(item) && item[i] == '/' {
		if _, n := readNumber(item[i+1:]); n > 0 {
			i += 1 + n
		}
	}
	return i
}

func digitsAfter(item string, mark byte) string {
	rest := item[strings.IndexByte(item, mark)+1:]
	_, n := readNumber(rest)
	return cut(rest[:n])
}
