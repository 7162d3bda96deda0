package dialects

import (
	"encoding/json"
	"strings"
	"testing"
)

// Text travels unchanged, whatever it looks like: nothing in it can end an
// element, be read as NULL, or be escaped twice.
func TestArrayLiteral(t *testing.T) {
	column := Column{Name: "c", Type: LongText}
	for _, c := range []struct {
		values []any
		want   string
	}{
		{[]any{"a"}, `{"a"}`},
		{[]any{"a", nil, "b"}, `{"a",NULL,"b"}`},
		{[]any{"NULL", "null", ""}, `{"NULL","null",""}`},
		{[]any{`a"b\c`}, `{"a\"b\\c"}`},
		{[]any{`"`, `\`, `\\"`}, `{"\"","\\","\\\\\""}`},
		{[]any{"{a,b}", " a ", "ü\n☃"}, "{\"{a,b}\",\" a \",\"ü\n☃\"}"},
	} {
		if got, err := array(column, single(c.values), 0); err != nil || got != c.want {
			t.Errorf("array(%q) = %s, %v; want %s", c.values, got, err, c.want)
		}
	}
	numbers := Column{Name: "n", Type: Big}
	got, err := array(numbers, single([]any{int64(-1 << 63), int64(1<<63 - 1), nil, 0, int16(7), int32(-7)}), 0)
	if want := "{-9223372036854775808,9223372036854775807,NULL,0,7,-7}"; err != nil || got != want {
		t.Errorf("array of numbers = %s, %v; want %s", got, err, want)
	}
}

// The JSON that SQLite reads says the same as the values, large numbers
// included, and leaves <, > and & alone.
func TestJSONSource(t *testing.T) {
	columns := []Column{{"k", Key(9)}, {"n", Big}}
	s, err := sqlite{}.Source("v", columns, [][]any{{`<a href="x">&`, int64(1<<63 - 1)}, {nil, nil}})
	if err != nil {
		t.Fatal(err)
	}
	text := s.Args[0].(string)
	if want := `[["<a href=\"x\">&",9223372036854775807],[null,null]]`; text != want {
		t.Errorf("the source is %s, want %s", text, want)
	}
	var back [][]json.RawMessage
	if err := json.Unmarshal([]byte(text), &back); err != nil || len(back) != 2 {
		t.Errorf("the source does not parse: %v", err)
	}
}

// A value of the wrong type is an error that names the column, not a statement
// that means something else.
func TestWrongValues(t *testing.T) {
	for _, d := range []Dialect{postgres{}, sqlite{}} {
		for _, row := range [][]any{{1, int64(1)}, {"a", "1"}, {"a", 1.5}, {"a", true}, {"a"}} {
			rows := [][]any{row}
			if _, err := d.Insert(Insert{Table: "t", Columns: []Column{{"k", Key(9)}, {"n", Big}}, Rows: rows}); err == nil {
				t.Errorf("%s: a row %v is accepted", d.Name(), row)
			}
			if _, err := d.Update(Update{Table: "t", Columns: []Column{{"k", Key(9)}, {"n", Big}}, Rows: rows, Set: []Set{{Column: "n"}}}); err == nil {
				t.Errorf("%s: an update with %v is accepted", d.Name(), row)
			}
		}
		if _, err := d.Update(Update{Table: "t", Columns: []Column{{"k", Key(9)}}, Rows: [][]any{{"a"}}, Set: []Set{{Column: "n"}}}); err == nil || !strings.Contains(err.Error(), `"n"`) {
			t.Errorf("%s: an update from a column that the source lacks gives %v", d.Name(), err)
		}
		for name, build := range map[string]func() error{
			"insert": func() error { _, err := d.Insert(Insert{Table: "t"}); return err },
			"update": func() error { _, err := d.Update(Update{Table: "t"}); return err },
			"delete": func() error { _, err := d.Delete(Delete{Table: "t"}); return err },
		} {
			if build() == nil {
				t.Errorf("%s: an %s of no rows is a statement", d.Name(), name)
			}
		}
	}
}

// No values make a condition that is never true, or always, and not one that
// NULL decides.
func TestInOfNothing(t *testing.T) {
	for _, d := range []Dialect{postgres{}, sqlite{}} {
		in, err := d.In("t.k", Key(9), nil)
		if err != nil || in.SQL != "1 = 0" || len(in.Args) != 0 {
			t.Errorf("%s: In of nothing is %+v, %v", d.Name(), in, err)
		}
		not, err := d.NotIn("t.k", Key(9), nil)
		if err != nil || not.SQL != "1 = 1" || len(not.Args) != 0 {
			t.Errorf("%s: NotIn of nothing is %+v, %v", d.Name(), not, err)
		}
	}
}

// Names are quoted part by part, and cannot end the quotes.
func TestQuote(t *testing.T) {
	for ident, want := range map[string]string{"a": `"a"`, "s.t": `"s"."t"`, `a"b`: `"a""b"`} {
		for _, d := range []Dialect{postgres{}, sqlite{}} {
			if got := d.Quote(ident); got != want {
				t.Errorf("%s quotes %s as %s, want %s", d.Name(), ident, got, want)
			}
		}
	}
}

// A database that is not supported is named together with those that are.
func TestForUnknown(t *testing.T) {
	_, err := For("oracle", "")
	if err == nil || !strings.Contains(err.Error(), "oracle") || !strings.Contains(err.Error(), "postgres") {
		t.Errorf("the error is %v; it must name the dialect and the supported ones", err)
	}
}
