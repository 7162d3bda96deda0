package dialects

import (
	"database/sql"
	"fmt"
)

// postgres is PostgreSQL 13 and newer. Many rows travel as one array per
// column, so that the text of a statement is constant.
type postgres struct{}

func (postgres) Name() string                  { return "postgres" }
func (postgres) Quote(ident string) string     { return quoteParts(ident) }
func (postgres) Isolation() sql.IsolationLevel { return sql.LevelReadCommitted }
func (postgres) SingleWriter() bool            { return false }

// NowMicros is the start of the statement. clock_timestamp() would be
// volatile, and no index could be searched with it.
func (postgres) NowMicros() string {
	return "(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint"
}

func (postgres) ColumnType(t Type) string {
	switch t.kind {
	case kindKey:
		return fmt.Sprintf(`varchar(%d) COLLATE "C"`, t.size)
	case kindText:
		return "text"
	case kindSmall:
		return "smallint"
	case kindInt:
		return "integer"
	default:
		return "bigint"
	}
}

// cast names the type under which values of t travel.
func (d postgres) cast(t Type) string {
	if t.text() {
		return "text"
	}
	return d.ColumnType(t)
}

func (d postgres) Bound(t Type) string { return "CAST(? AS " + d.cast(t) + ")" }

func (postgres) InsertsAbsent() bool { return true }

func (postgres) Lock(mode LockMode, alias string) (hint, suffix string) {
	switch mode {
	case LockSkip, LockSkipFound:
		return "", " FOR NO KEY UPDATE OF " + alias + " SKIP LOCKED"
	case LockShareSkip:
		return "", " FOR SHARE OF " + alias + " SKIP LOCKED"
	case LockKeepSkip:
		return "", " FOR KEY SHARE OF " + alias + " SKIP LOCKED"
	case LockAlone:
		return "", " FOR UPDATE OF " + alias
	default:
		return "", " FOR NO KEY UPDATE OF " + alias
	}
}

func (postgres) Limit(n int) (head, tail string) { return "", " LIMIT " + number(n) }

func (d postgres) In(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " = ", "ANY", "1 = 0", t, values)
}

func (d postgres) NotIn(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " <> ", "ALL", "1 = 1", t, values)
}

func (d postgres) among(expr, op, quantifier, none string, t Type, values []any) (Statement, error) {
	c := Column{Name: expr, Type: t}
	switch values = storableOnly(values); len(values) {
	case 0:
		return Statement{SQL: none}, nil
	case 1:
		value, err := plain(c, values[0])
		return Statement{SQL: expr + op + "?", Args: []any{value}}, err
	}
	list, err := array(c, single(values), 0)
	return Statement{SQL: expr + op + quantifier + "(?::" + d.cast(t) + "[])", Args: []any{list}}, err
}

// single makes rows of one column.
func single(values []any) [][]any {
	rows := make([][]any, len(values))
	for i := range values {
		rows[i] = values[i : i+1]
	}
	return rows
}

func (d postgres) Source(alias string, columns []Column, rows [][]any) (Statement, error) {
	w := &writer{d: d}
	w.put("unnest(")
	for i, c := range columns {
		if i > 0 {
			w.put(", ")
		}
		list, err := array(c, rows, i)
		if err != nil {
			return Statement{}, err
		}
		w.put("?::"+d.cast(c.Type)+"[]", list)
	}
	w.put(") AS "+alias+"(").columns("", names(columns)).put(")")
	return w.done(), nil
}

func (d postgres) Insert(in Insert) (Statement, error) { return insert(d, in) }

func (d postgres) InsertSelect(in InsertSelect) (Statement, error) { return insertSelect(d, in) }

func (d postgres) Update(up Update) (Statement, error) { return update(d, up) }

func (d postgres) Delete(del Delete) (Statement, error) { return remove(d, del) }

// First joins each parent with a lateral subquery that ends with the lock, so
// that no more rows are locked than are answered. The state comes from the
// source, like the parent: a planner that saw the value would believe its
// statistics that hardly any row has it, and walk the rows of all parents in an
// index that begins with the state.
func (d postgres) First(f First) (Statement, error) {
	state := Column{Name: f.State, Type: Small}
	rows := make([][]any, len(f.Parents))
	for i, parent := range f.Parents {
		rows[i] = []any{parent, f.StateValue}
	}
	source, err := d.Source("v", []Column{f.Parent, state}, rows)
	if err != nil {
		return Statement{}, err
	}
	lock := ""
	if f.Lock {
		_, lock = d.Lock(LockSkip, "b")
	}
	parent, second := d.Quote(f.Parent.Name), d.Quote(f.State)
	w := &writer{d: d}
	w.put("SELECT ").columns("l.", f.Select).put(" FROM ").add(source)
	w.put(" CROSS JOIN LATERAL (SELECT ").columns("b.", f.Select).put(" FROM " + f.Table + " AS b WHERE b." + parent + " = v." + parent + " AND b." + second + " = v." + second)
	w.and(f.Where).put(" ORDER BY " + f.Order + " LIMIT " + number(f.Each) + lock + ") AS l LIMIT " + number(f.Total))
	return w.done(), nil
}

func (postgres) Classify(err error) Fault { return classifyPostgres(err) }
