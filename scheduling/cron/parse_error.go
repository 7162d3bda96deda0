package cron

import (
	"strconv"
	"strings"
)

// ParseError says what part of a text is no cron expression, and what was
// probably meant. Its parts are for programs; Error is for people.
type ParseError struct {
	// Field is second, minute, hour, day, month, weekday or year; empty when
	// the expression as a whole is at fault.
	Field string
	// Text is the list item at fault, or the expression, cut to 64 bytes.
	Text string
	// Position is the byte offset of Text in the expression, from 0.
	Position int
	// Min and Max are the bounds of the field; both 0 without a field.
	Min, Max int
	// Reason says what is wrong.
	Reason string
	// Hint says what to write instead; empty when nothing better is known.
	Hint string
}

// Error gives all parts in one line, with unprintable bytes escaped.
func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString("cron: ")
	if e.Field != "" {
		b.WriteString(e.Field)
	} else {
		b.WriteString("expression")
	}
	b.WriteByte(' ')
	b.WriteString(strconv.QuoteToASCII(e.Text))
	b.WriteString(" at position ")
	b.WriteString(strconv.Itoa(e.Position))
	b.WriteString(": ")
	b.WriteString(e.Reason)
	if e.Field != "" {
		b.WriteString(" (" + e.Field + " takes " + bounds(e.Min, e.Max) + ")")
	}
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

func bounds(low, high int) string {
	return strconv.Itoa(low) + "-" + strconv.Itoa(high)
}

const maxQuoted = 64

// cut shortens what an error quotes.
func cut(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	return s[:maxQuoted-3] + "..."
}
