package gormsched

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/dialects"
)

var numbered = regexp.MustCompile(`\$\d+`)

// uncombined takes a statement apart that [dialects.Combiner] made: each part
// with its own numbers for the placeholders. Others stay as they are.
func uncombined(text string) []string {
	const head = "WITH w1 AS ("
	if !strings.HasPrefix(text, head) {
		return []string{text}
	}
	var list []string
	rest := strings.TrimPrefix(text, "WITH ")
	for n := 1; ; n++ {
		begin := fmt.Sprintf("w%d AS (", n)
		if !strings.HasPrefix(rest, begin) {
			break
		}
		rest = rest[len(begin):]
		end := closing(rest)
		list = append(list, rest[:end])
		rest = strings.TrimPrefix(rest[end+1:], ", ")
	}
	list = append(list, strings.TrimPrefix(rest, " "))
	for i, part := range list {
		n := 0
		list[i] = numbered.ReplaceAllStringFunc(part, func(string) string { n++; return fmt.Sprintf("$%d", n) })
	}
	return list
}

// closing finds the bracket that closes what was open before the text.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text) - 1
}

// What is combined is what was given, in its order, with the arguments of all;
// one statement is no combination.
func TestCombine(t *testing.T) {
	d, err := dialects.For("postgres", "")
	if err != nil {
		t.Fatal(err)
	}
	c, ok := d.(dialects.Combiner)
	if !ok {
		t.Fatal("PostgreSQL combines no writes")
	}
	given := []dialects.Statement{
		{SQL: "DELETE FROM a WHERE k = ANY($1::text[])", Args: []any{"1"}},
		{SQL: "UPDATE b SET x = $1, y = (SELECT $2)", Args: []any{"2", "3"}},
		{SQL: "INSERT INTO c (x) VALUES ($1)", Args: []any{"4"}},
	}
	for n := 2; n <= len(given); n++ {
		s := c.Combine(given[:n])
		var args []any
		for i, part := range uncombined(s.SQL) {
			if part != given[i].SQL {
				t.Errorf("of %d: part %d is %q, want %q", n, i, part, given[i].SQL)
			}
			args = append(args, given[i].Args...)
		}
		if len(uncombined(s.SQL)) != n || !slices.Equal(s.Args, args) {
			t.Errorf("of %d: %q with %v", n, s.SQL, s.Args)
		}
	}
}

// Each table is written once in a statement; what is left follows in its order.
func TestCombinedOncePerTable(t *testing.T) {
	d, err := dialects.For("postgres", "")
	if err != nil {
		t.Fatal(err)
	}
	w := writes{}
	for _, c := range []struct{ table, text string }{{"a", "UPDATE a"}, {"b", "DELETE b"}, {"b", "UPDATE b"}, {"c", "INSERT c"}, {"c", "INSERT c 2"}} {
		w.add(c.table, dialects.Statement{SQL: c.text}, nil)
	}
	var got []string
	for _, s := range w.combined(d.(dialects.Combiner)) {
		got = append(got, strings.Join(uncombined(s.SQL), " + "))
	}
	if want := []string{"UPDATE a + DELETE b + INSERT c", "UPDATE b", "INSERT c 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
