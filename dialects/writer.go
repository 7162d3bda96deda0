package dialects

import (
	"fmt"
	"strconv"
	"strings"
)

// writer puts a statement together: text and arguments in step.
type writer struct {
	text strings.Builder
	args []any
	d    Dialect
}

func (w *writer) put(text string, args ...any) *writer {
	w.text.WriteString(text)
	w.args = append(w.args, args...)
	return w
}

func (w *writer) add(s Statement) *writer { return w.put(s.SQL, s.Args...) }

// columns writes a quoted list, each name behind the prefix ("v." or "").
func (w *writer) columns(prefix string, names []string) *writer {
	for i, name := range names {
		if i > 0 {
			w.text.WriteString(", ")
		}
		w.text.WriteString(prefix)
		w.text.WriteString(w.d.Quote(name))
	}
	return w
}

// and writes a further condition, if there is one.
func (w *writer) and(s Statement) *writer {
	if s.SQL != "" {
		w.put(" AND (").add(s).put(")")
	}
	return w
}

func (w *writer) done() Statement { return Statement{SQL: w.text.String(), Args: w.args} }

// absentReturning writes the tail of an insert where the database says ON
// CONFLICT and RETURNING.
func (w *writer) absentReturning(absent bool, returning []string) *writer {
	if absent {
		w.put(" ON CONFLICT DO NOTHING")
	}
	if len(returning) > 0 {
		w.put(" RETURNING ").columns("", returning)
	}
	return w
}

// assignments writes the SET list; single takes the source's values from the
// one row given, otherwise they come from v.
func (w *writer) assignments(sets []Set, columns []Column, single []any) error {
	for i, set := range sets {
		if i > 0 {
			w.put(", ")
		}
		w.put(w.d.Quote(set.Column) + " = ")
		switch {
		case set.Expr != "":
			w.put(set.Expr, set.Args...)
		case single == nil:
			w.put("v." + w.d.Quote(set.Column))
		default:
			at := indexOf(columns, set.Column)
			if at < 0 {
				return fmt.Errorf("update sets %q from its source, which has no such column: add it to Columns", set.Column)
			}
			value, err := plain(columns[at], single[at])
			if err != nil {
				return err
			}
			w.put("?", value)
		}
	}
	return nil
}

func indexOf(columns []Column, name string) int {
	for i, c := range columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

func names(columns []Column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.Name
	}
	return list
}

// quoteParts quotes each part of a dotted name with double quotes.
func quoteParts(ident string) string {
	parts := strings.Split(ident, ".")
	for i, part := range parts {
		parts[i] = `"` + strings.ReplaceAll(part, `"`, `""`) + `"`
	}
	return strings.Join(parts, ".")
}

func number(n int) string { return strconv.Itoa(n) }
