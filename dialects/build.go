package dialects

import (
	"errors"
	"strings"
)

// errNoRows: a statement over no rows must not be sent.
var errNoRows = errors.New("a statement over no rows: send none")

// errNoAbsent: see Dialect.InsertsAbsent.
var errNoAbsent = errors.New("this database cannot insert what is absent and answer which rows those were: insert and read")

// insert builds an INSERT for databases that know ON CONFLICT and RETURNING.
func insert(d Dialect, in Insert) (Statement, error) {
	w := &writer{d: d}
	switch len(in.Rows) {
	case 0:
		return Statement{}, errNoRows
	case 1:
		row, err := plainRow(in.Columns, in.Rows[0])
		if err != nil {
			return Statement{}, err
		}
		w.put("INSERT INTO "+in.Table+" (").columns("", names(in.Columns)).put(") VALUES (")
		for i, value := range row {
			if i > 0 {
				w.put(", ")
			}
			w.put("?", value)
		}
		w.put(")")
	default:
		source, err := d.Source("v", in.Columns, in.Rows)
		if err != nil {
			return Statement{}, err
		}
		w.put("INSERT INTO "+in.Table+" (").columns("", names(in.Columns))
		w.put(") SELECT ").columns("v.", names(in.Columns)).put(" FROM ").add(source).put(" WHERE 1 = 1")
	}
	return w.absentReturning(in.Absent, in.Returning).done(), nil
}

// checker is a dialect that checks the values of a row itself.
type checker interface {
	Dialect
	row(columns []Column, row []any) ([]any, error)
}

// insertPresent builds an INSERT for databases that cannot leave out what is
// there.
func insertPresent(d checker, in Insert) (Statement, error) {
	switch {
	case len(in.Rows) == 0:
		return Statement{}, errNoRows
	case in.Absent || len(in.Returning) > 0:
		return Statement{}, errNoAbsent
	}
	w := &writer{d: d}
	w.put("INSERT INTO "+in.Table+" (").columns("", names(in.Columns))
	if len(in.Rows) == 1 {
		row, err := d.row(in.Columns, in.Rows[0])
		if err != nil {
			return Statement{}, err
		}
		return w.put(") VALUES (?"+strings.Repeat(", ?", len(row)-1)+")", row...).done(), nil
	}
	source, err := d.Source("v", in.Columns, in.Rows)
	if err != nil {
		return Statement{}, err
	}
	return w.put(") SELECT ").columns("v.", names(in.Columns)).put(" FROM ").add(source).done(), nil
}

// insertSelect builds INSERT … SELECT likewise.
func insertSelect(d Dialect, in InsertSelect) (Statement, error) {
	w := &writer{d: d}
	w.put("INSERT INTO "+in.Table+" (").columns("", in.Columns).put(") ").add(in.Select)
	return w.absentReturning(in.Absent, in.Returning).done(), nil
}

// update builds an UPDATE for databases that know UPDATE … FROM. One row takes
// the plain form, and so do rows that differ in nothing but their key.
func update(d Dialect, up Update) (Statement, error) {
	if len(up.Rows) == 0 {
		return Statement{}, errNoRows
	}
	key := up.Columns[0]
	w := &writer{d: d}
	w.put("UPDATE " + up.Table + " AS t SET ")
	if len(up.Rows) > 1 && len(up.Columns) > 1 {
		if err := w.assignments(up.Set, up.Columns, nil); err != nil {
			return Statement{}, err
		}
		source, err := d.Source("v", up.Columns, up.Rows)
		if err != nil {
			return Statement{}, err
		}
		w.put(" FROM ").add(source).put(" WHERE t." + d.Quote(key.Name) + " = v." + d.Quote(key.Name))
		return w.and(up.Where).done(), nil
	}
	if len(up.Rows[0]) != len(up.Columns) {
		_, err := plainRow(up.Columns, up.Rows[0])
		return Statement{}, err
	}
	if err := w.assignments(up.Set, up.Columns, up.Rows[0]); err != nil {
		return Statement{}, err
	}
	keys := make([]any, len(up.Rows))
	for i, row := range up.Rows {
		keys[i] = row[0]
	}
	in, err := d.In("t."+d.Quote(key.Name), key.Type, keys)
	if err != nil {
		return Statement{}, err
	}
	return w.put(" WHERE ").add(in).and(up.Where).done(), nil
}

// remove builds a DELETE by key.
func remove(d Dialect, del Delete) (Statement, error) {
	if len(del.Keys) == 0 {
		return Statement{}, errNoRows
	}
	in, err := d.In("t."+d.Quote(del.Key.Name), del.Key.Type, del.Keys)
	if err != nil {
		return Statement{}, err
	}
	w := &writer{d: d}
	return w.put("DELETE FROM " + del.Table + " AS t WHERE ").add(in).and(del.Where).done(), nil
}
