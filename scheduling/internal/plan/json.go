package plan

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The limits of one layer of data.
const (
	// MaxData is the largest data of a job, a trigger or a request, in bytes.
	MaxData = 1 << 20
	// MaxDepth is how deep objects and arrays may be nested; the data object
	// itself is the first level.
	MaxDepth = 100
)

// CheckData returns nil if text is a JSON object within the limits, or absent
// (""). The error names the field, what is wrong and the remedy, and shows no
// part of the data.
func CheckData(field, text string) error {
	if text == "" {
		return nil
	}
	fault := func(format string, args ...any) error {
		return provider.Invalidf("%s "+format, append([]any{field}, args...)...)
	}
	if len(text) > MaxData {
		return fault("is %d bytes of JSON: use at most %d, and keep the rest elsewhere", len(text), MaxData)
	}
	if !utf8.ValidString(text) {
		return fault("is not valid UTF-8: encode its strings as UTF-8")
	}
	if !json.Valid([]byte(text)) {
		return fault("is not valid JSON (%d bytes): pass one JSON object, such as {\"key\": 1}", len(text))
	}
	first, deepest := shape(text)
	switch {
	case first != '{':
		return fault("is a JSON %s: wrap it in an object, such as {\"value\": …}", kindOf(first))
	case deepest > MaxDepth:
		return fault("is nested %d levels deep: use at most %d", deepest, MaxDepth)
	}
	return nil
}

// shape returns the first byte of valid JSON that is no space, and how deep
// objects and arrays are nested.
func shape(text string) (first byte, deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if first == 0 && !isSpace(c) {
			first = c
		}
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return first, deepest
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func kindOf(first byte) string {
	switch first {
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
