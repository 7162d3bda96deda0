package dialects

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrText marks a text that a database would refuse, cut or change: each in its
// own way, so that none is sent.
var ErrText = errors.New("text must be UTF-8 without NUL characters")

func storable(text string) bool {
	return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// storableOnly leaves out what no row can hold and the server would not take as
// an argument either.
func storableOnly(values []any) []any {
	bad := func(v any) bool {
		text, ok := v.(string)
		return ok && !storable(text)
	}
	if !slices.ContainsFunc(values, bad) {
		return values
	}
	return slices.DeleteFunc(slices.Clone(values), bad)
}

// plain turns a value into what every driver takes: nil, string or int64.
func plain(c Column, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case string:
		if c.Type.kind == kindText && !storable(v) {
			return nil, fmt.Errorf("column %q: %w, this one is not: convert it", c.Name, ErrText)
		}
		if c.Type.text() {
			return v, nil
		}
	case int64:
		if !c.Type.text() {
			return v, nil
		}
	case int:
		if !c.Type.text() {
			return int64(v), nil
		}
	case int32:
		if !c.Type.text() {
			return int64(v), nil
		}
	case int16:
		if !c.Type.text() {
			return int64(v), nil
		}
	}
	return nil, fmt.Errorf("column %q cannot take a value of type %T: give a string for text, an integer for numbers, or nil", c.Name, value)
}

// plainRow checks the length of a row and makes its values plain.
func plainRow(columns []Column, row []any) ([]any, error) {
	if len(row) != len(columns) {
		return nil, fmt.Errorf("a row has %d values for %d columns: give one value per column", len(row), len(columns))
	}
	out := make([]any, len(row))
	for i, c := range columns {
		value, err := plain(c, row[i])
		if err != nil {
			return nil, err
		}
		out[i] = value
	}
	return out, nil
}

// array renders one column of rows as a PostgreSQL array literal
// (https://www.postgresql.org/docs/17/arrays.html#ARRAYS-IO): text elements
// always in double quotes, with " and \ escaped, so that none of them can be
// read as NULL or end the element.
func array(c Column, rows [][]any, at int) (string, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, row := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := plain(c, row[at])
		if err != nil {
			return "", err
		}
		switch v := value.(type) {
		case nil:
			b.WriteString("NULL")
		case int64:
			b.WriteString(strconv.FormatInt(v, 10))
		case string:
			b.WriteByte('"')
			for {
				cut := strings.IndexAny(v, `"\`)
				if cut < 0 {
					b.WriteString(v)
					break
				}
				b.WriteString(v[:cut])
				b.WriteByte('\\')
				b.WriteByte(v[cut])
				v = v[cut+1:]
			}
			b.WriteByte('"')
		}
	}
	b.WriteByte('}')
	return b.String(), nil
}
