package provider

import (
	"cmp"
	"fmt"
	"strings"
)

// MaxName is the length of the longest job, trigger or lease name, in bytes
// (R152).
const MaxName = 128

// The prefixes of one-shot triggers (D10). They are reserved: no trigger of a
// definition may begin with one of them.
const (
	PrefixManual   = "manual-"
	PrefixRetry    = "retry-"
	PrefixRecovery = "recovery-"
)

// IsOneShot reports whether a trigger of this name runs once and belongs to no
// definition (D10).
func IsOneShot(trigger string) bool {
	return strings.HasPrefix(trigger, PrefixManual) ||
		strings.HasPrefix(trigger, PrefixRetry) ||
		strings.HasPrefix(trigger, PrefixRecovery)
}

// TriggerKey names a trigger. Its text form is "job/trigger", at most 257
// ASCII characters, and is the primary key of the trigger table (R085).
type TriggerKey struct {
	Job     string
	Trigger string
}

// String returns "job/trigger".
func (k TriggerKey) String() string { return k.Job + "/" + k.Trigger }

// Compare orders keys by the bytes of their text form (D32).
func (k TriggerKey) Compare(o TriggerKey) int { return cmp.Compare(k.String(), o.String()) }

// ParseTriggerKey reads the text form back. Neither name is validated.
func ParseTriggerKey(text string) (TriggerKey, error) {
	job, trigger, ok := strings.Cut(text, "/")
	if !ok || job == "" || trigger == "" {
		return TriggerKey{}, fmt.Errorf("trigger key %s: write it as job/trigger", Quote(text))
	}
	return TriggerKey{Job: job, Trigger: trigger}, nil
}

// CheckName returns nil if value is a legal job, trigger, calendar or lease
// name: ^[a-z0-9][a-z0-9._-]{0,127}$ (R152). Otherwise the error names the
// field, the value and the remedy, and matches [ErrInvalidDefinition].
func CheckName(field, value string) error {
	switch {
	case value == "":
		return invalid(field, value, "is empty: give it a name of 1 to 128 characters")
	case len(value) > MaxName:
		return invalid(field, value, fmt.Sprintf("is %d bytes long: use at most %d", len(value), MaxName))
	}
	for i := range len(value) {
		c := value[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		switch {
		case alnum, i > 0 && (c == '.' || c == '_' || c == '-'):
		case c >= 'A' && c <= 'Z':
			return invalid(field, value, fmt.Sprintf("has the capital letter %q at byte %d: write it in lower case", c, i))
		case i == 0:
			return invalid(field, value, fmt.Sprintf("begins with %q: begin with a lower-case letter or a digit", c))
		default:
			return invalid(field, value, fmt.Sprintf("has %q at byte %d: use only a-z, 0-9, '.', '_' and '-'", c, i))
		}
	}
	return nil
}

// CheckPrintable returns nil if value is 1 to 128 printable ASCII characters
// without spaces: the grammar of node ids (D06) and handler keys.
func CheckPrintable(field, value string) error {
	if value == "" {
		return invalid(field, value, "is empty: give it 1 to 128 printable ASCII characters")
	}
	if len(value) > MaxName {
		return invalid(field, value, fmt.Sprintf("is %d bytes long: use at most %d", len(value), MaxName))
	}
	for i := range len(value) {
		if value[i] <= ' ' || value[i] > '~' {
			return invalid(field, value, fmt.Sprintf("has byte 0x%02x at %d: use printable ASCII without spaces", value[i], i))
		}
	}
	return nil
}

// Quote renders a string that came from outside for a message: quoted, with
// everything unprintable escaped, and cut after 80 bytes.
func Quote(value string) string {
	const most = 80
	if len(value) > most {
		return fmt.Sprintf("%q… (%d bytes)", value[:most], len(value))
	}
	return fmt.Sprintf("%q", value)
}

func invalid(field, value, problem string) *Error {
	return &Error{Code: CodeInvalidDefinition, Reason: fmt.Sprintf("%s %s %s", field, Quote(value), problem)}
}
