package schedule

import (
	"strconv"
	"strings"
)

// MaxText is the longest schedule text, and the longest cron expression in
// it, that is read, in bytes. The longest canonical expression has fewer.
const MaxText = 4096

// String returns the canonical text (R166, D37; grammar in the package
// documentation). [Parse] reads the text of a valid schedule back to an equal
// one, and equal schedules have the same text.
func (s Schedule) String() string {
	var b strings.Builder
	b.Grow(64)
	b.WriteString(s.kind.keyword())
	switch s.kind {
	case Interval:
		b.WriteString(" " + formatInterval(s.interval))
		if s.repeat > 0 {
			b.WriteString(" x" + strconv.FormatInt(s.repeat, 10))
		}
	case Cron:
		b.WriteString(" " + s.expr.String())
		if s.zone != utcName {
			b.WriteString(" tz=" + s.zone)
		}
	case Once:
		b.WriteString(" " + formatInstant(s.at))
	}
	if !s.start.IsZero() {
		b.WriteString(" start=" + formatInstant(s.start))
	}
	if !s.end.IsZero() {
		b.WriteString(" end=" + formatInstant(s.end))
	}
	if s.calendar != "" {
		b.WriteString(" calendar=" + s.calendar)
	}
	return b.String()
}

// keyword is the first word of the text.
func (k Kind) keyword() string {
	if k == Interval {
		return "every"
	}
	return k.String()
}

// MarshalText returns the canonical text, or the faults of [Schedule.Validate].
func (s Schedule) MarshalText() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return []byte(s.String()), nil
}

// UnmarshalText replaces s by what [Parse] reads from text. On an error s is
// left as it was.
func (s *Schedule) UnmarshalText(text []byte) error {
	read, err := Parse(string(text))
	if err != nil {
		return err
	}
	*s = read
	return nil
}

// maxQuoted is the number of bytes of a value that an error repeats.
const maxQuoted = 64

// quote shows a value in an error: printable, and short however long the
// value is.
func quote(text string) string {
	if len(text) <= maxQuoted {
		return strconv.QuoteToASCII(text)
	}
	return strconv.QuoteToASCII(text[:maxQuoted]) + "…"
}
