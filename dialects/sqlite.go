package dialects

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// sqlite is SQLite 3.38 and newer. Many rows travel as one JSON array of
// arrays. There are no row locks: a transaction that has begun with a write is
// the only writer until it ends.
type sqlite struct{}

func (sqlite) Name() string                  { return "sqlite" }
func (sqlite) Quote(ident string) string     { return quoteParts(ident) }
func (sqlite) Isolation() sql.IsolationLevel { return sql.LevelDefault }
func (sqlite) SingleWriter() bool            { return true }

// NowMicros steps in milliseconds, the precision of SQLite's clock.
// unixepoch('subsec') would be NULL before 3.42.
func (sqlite) NowMicros() string {
	return "(CAST(strftime('%s', 'now') AS INTEGER) * 1000000 + CAST(substr(strftime('%f', 'now'), 4) AS INTEGER) * 1000)"
}

func (sqlite) ColumnType(t Type) string {
	if t.text() {
		return "text" // BINARY is the default collation
	}
	switch t.kind {
	case kindSmall:
		return "smallint"
	case kindInt:
		return "integer"
	default:
		return "bigint"
	}
}

func (d sqlite) Bound(t Type) string { return "CAST(? AS " + d.ColumnType(t) + ")" }

func (sqlite) InsertsAbsent() bool { return true }

func (sqlite) Lock(LockMode, string) (hint, suffix string) { return "", "" }

func (sqlite) Limit(n int) (head, tail string) { return "", " LIMIT " + number(n) }

// Searched is a range in place of an equality: statistics that were taken when
// every row had one value say that searching for a value finds all rows, and the
// planner scans the table for each. Of a range it expects a part.
func (sqlite) Searched(column, expr string) string {
	return column + " BETWEEN " + expr + " AND " + expr
}

// Present is a range in place of IS NOT NULL, for a key: without statistics the
// planner takes no index for that, and scans the table.
func (sqlite) Present(column string) string { return column + " >= ''" }

func (d sqlite) In(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " = ", " IN ", "1 = 0", t, values)
}

func (d sqlite) NotIn(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " <> ", " NOT IN ", "1 = 1", t, values)
}

func (d sqlite) among(expr, one, many, none string, t Type, values []any) (Statement, error) {
	c := []Column{{Name: expr, Type: t}}
	switch values = storableOnly(values); len(values) {
	case 0:
		return Statement{SQL: none}, nil
	case 1:
		value, err := plain(c[0], values[0])
		return Statement{SQL: expr + one + "?", Args: []any{value}}, err
	}
	list, err := flatJSON(c[0], values)
	return Statement{SQL: expr + many + "(SELECT value FROM json_each(?))", Args: []any{list}}, err
}

func (d sqlite) Source(alias string, columns []Column, rows [][]any) (Statement, error) {
	list := make([][]any, len(rows))
	for i, row := range rows {
		values, err := plainRow(columns, row)
		if err != nil {
			return Statement{}, err
		}
		list[i] = values
	}
	text, err := encode(list)
	if err != nil {
		return Statement{}, err
	}
	w := &writer{d: d}
	w.put("(SELECT ")
	for i, c := range columns {
		if i > 0 {
			w.put(", ")
		}
		w.put(fmt.Sprintf("value->>%d AS %s", i, d.Quote(c.Name)))
	}
	return w.put(" FROM json_each(?)) AS "+alias, text).done(), nil
}

func flatJSON(c Column, values []any) (string, error) {
	list := make([]any, len(values))
	for i, value := range values {
		v, err := plain(c, value)
		if err != nil {
			return "", err
		}
		list[i] = v
	}
	return encode(list)
}

// encode writes JSON without escaping what only HTML needs escaped.
func encode(value any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func (d sqlite) Insert(in Insert) (Statement, error) { return insert(d, in) }

func (d sqlite) InsertSelect(in InsertSelect) (Statement, error) { return insertSelect(d, in) }

func (d sqlite) Update(up Update) (Statement, error) { return update(d, up) }

func (d sqlite) Delete(del Delete) (Statement, error) { return remove(d, del) }

// First looks each parent's keys up in a correlated subquery; SQLite has no
// LATERAL, and a compound of branches is limited to 500.
func (d sqlite) First(f First) (Statement, error) {
	w := &writer{d: d}
	parent := "b." + d.Quote(f.Parent.Name)
	if len(f.Parents) == 1 {
		value, err := plain(f.Parent, f.Parents[0])
		if err != nil {
			return Statement{}, err
		}
		w.put("SELECT ").columns("b.", f.Select).put(" FROM "+f.Table+" AS b WHERE "+parent+" = ?", value)
		w.and(f.where(d)).put(" ORDER BY " + f.Order + " LIMIT " + number(min(f.Each, f.Total)))
		return w.done(), nil
	}
	list, err := flatJSON(f.Parent, f.Parents)
	if err != nil {
		return Statement{}, err
	}
	key := d.Quote(f.Key)
	w.put("SELECT ").columns("t.", f.Select).put(" FROM json_each(?) AS v CROSS JOIN "+f.Table+" AS t WHERE t."+key, list)
	w.put(" IN (SELECT b." + key + " FROM " + f.Table + " AS b WHERE " + parent + " = v.value")
	w.and(f.where(d)).put(" ORDER BY " + f.Order + " LIMIT " + number(f.Each) + ") LIMIT " + number(f.Total))
	return w.done(), nil
}

func (sqlite) Classify(err error) Fault { return classifySQLite(err) }
