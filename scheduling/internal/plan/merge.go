package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Merge lays the data of job, trigger and request over one another, key by key
// on the first level (R137): a later layer replaces the values of an earlier
// one, null included. Values are kept byte for byte, big numbers and inner
// spaces too. Keys are the same when they decode to the same string; they stand
// in the order of their first appearance, and in a layer that repeats a key the
// last value counts.
//
// "" is an absent layer and adds nothing; without any layer the result is "",
// which is not "{}". A single layer is returned as it stands. A layer that is
// no JSON object is an error, and there is then no result.
func Merge(layers ...string) (string, error) {
	present := ""
	count := 0
	for _, layer := range layers {
		if layer != "" {
			present = layer
			count++
		}
	}
	if count <= 1 {
		if present == "" {
			return "", nil
		}
		if err := checkLayer(present); err != nil {
			return "", err
		}
		return present, nil
	}
	merged := object{at: make(map[string]int)}
	for i, layer := range layers {
		if layer == "" {
			continue
		}
		if err := checkLayer(layer); err != nil {
			return "", fmt.Errorf("data layer %d: %w", i+1, err)
		}
		members(layer, merged.set)
	}
	return merged.text(), nil
}

func checkLayer(text string) error {
	if !json.Valid([]byte(text)) {
		return provider.Invalidf("stored data is not valid JSON: save the definition again")
	}
	if first, _ := shape(text); first != '{' {
		return provider.Invalidf("stored data is a JSON %s, not an object: save the definition again", kindOf(first))
	}
	return nil
}

// object is a JSON object as text, in order.
type object struct {
	at      map[string]int // decoded key → index into members
	members []struct{ key, value string }
}

// set replaces the value of a key, or appends it. quoted is the key as it is
// written.
func (o *object) set(quoted, value string) {
	key := decodeKey(quoted)
	i, had := o.at[key]
	if !had {
		i = len(o.members)
		o.at[key] = i
		o.members = append(o.members, struct{ key, value string }{key: quoted})
	}
	o.members[i].value = value
}

func (o *object) text() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(m.key)
		b.WriteByte(':')
		b.WriteString(m.value)
	}
	b.WriteByte('}')
	return b.String()
}

// members calls f for each member of a valid JSON object, in order, with its
// key and value as they are written.
func members(text string, f func(quoted, value string)) {
	i := skipSpace(text, 0) + 1 // behind the brace
	for {
		i = skipSpace(text, i)
		if text[i] == '}' {
			return
		}
		end := skipValue(text, i)
		key := text[i:end]
		i = skipSpace(text, end) + 1 // behind the colon
		i = skipSpace(text, i)
		end = skipValue(text, i)
		f(key, text[i:end])
		i = skipSpace(text, end)
		if text[i] == ',' {
			i++
		}
	}
}

func decodeKey(quoted string) string {
	if !strings.Contains(quoted, `\`) {
		return quoted[1 : len(quoted)-1]
	}
	var key string
	_ = json.Unmarshal([]byte(quoted), &key) // valid, as the whole is
	return key
}

func skipSpace(text string, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}

// skipValue returns the index behind the value that begins at i.
func skipValue(text string, i int) int {
	depth, quoted := 0, false
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i // the end of the object around a number or word
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == ':' || isSpace(c)):
			return i
		}
	}
	return i
}
