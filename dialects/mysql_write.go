package dialects

import "fmt"

// InsertsAbsent: INSERT IGNORE would also pass over what it had to cut, ON
// DUPLICATE KEY UPDATE counts an untouched row as 0 or 1 as the connection's
// settings say, and neither tells which rows it has inserted.
func (mysql) InsertsAbsent() bool { return false }

func (d mysql) Insert(in Insert) (Statement, error) { return insertPresent(d, in) }

// InsertSelect would lock the rows that it reads, under any isolation level but
// READ COMMITTED.
func (mysql) InsertSelect(InsertSelect) (Statement, error) { return Statement{}, errNoAbsent }

// byKey joins a source of rows with the table, each row found by its primary
// key.
func (d mysql) byKey(table string, columns []Column, rows [][]any) (Statement, error) {
	source, err := d.Source("v", columns, rows)
	key := d.Quote(columns[0].Name)
	source.SQL += " STRAIGHT_JOIN " + table + " AS t FORCE INDEX (PRIMARY) ON t." + key + " = v." + key
	return source, err
}

// FixedJoin reads its tables in the order in which they are written.
func (mysql) FixedJoin() string { return " STRAIGHT_JOIN " }

// Update names the columns that it sets by the table's alias: the source may
// have columns of the same names. An assignment may see what those before it
// have set, see [Update].
func (d mysql) Update(up Update) (Statement, error) {
	if len(up.Rows) == 0 {
		return Statement{}, errNoRows
	}
	w := &writer{d: d}
	if len(up.Rows) > 1 {
		rows, err := d.byKey(up.Table, up.Columns, up.Rows)
		if err != nil {
			return Statement{}, err
		}
		w.put("UPDATE ").add(rows).put(" SET ")
		if err := d.assign(w, up, nil); err != nil {
			return Statement{}, err
		}
		if up.Where.SQL != "" {
			w.put(" WHERE ").add(up.Where)
		}
		return w.done(), nil
	}
	row, err := d.row(up.Columns, up.Rows[0])
	if err != nil {
		return Statement{}, err
	}
	w.put("UPDATE " + up.Table + " AS t SET ")
	if err := d.assign(w, up, row); err != nil {
		return Statement{}, err
	}
	return w.put(" WHERE t."+d.Quote(up.Columns[0].Name)+" = ?", row[0]).and(up.Where).done(), nil
}

// assign writes the SET list.
func (d mysql) assign(w *writer, up Update, row []any) error {
	for i, set := range up.Set {
		if i > 0 {
			w.put(", ")
		}
		w.put("t." + d.Quote(set.Column) + " = ")
		at := indexOf(up.Columns, set.Column)
		switch {
		case set.Expr != "":
			w.put(set.Expr, set.Args...)
		case at < 0:
			return fmt.Errorf("update sets %q from its source, which has no such column: add it to Columns", set.Column)
		case row == nil:
			w.put("v." + d.Quote(set.Column))
		default:
			w.put("?", row[at])
		}
	}
	return nil
}

func (d mysql) Delete(del Delete) (Statement, error) {
	w := &writer{d: d}
	switch len(del.Keys) {
	case 0:
		return Statement{}, errNoRows
	case 1:
		key, err := d.value(del.Key, del.Keys[0])
		if err != nil {
			return Statement{}, err
		}
		w.put("DELETE t FROM "+del.Table+" AS t WHERE t."+d.Quote(del.Key.Name)+" = ?", key)
		return w.and(del.Where).done(), nil
	}
	rows, err := d.byKey(del.Table, []Column{del.Key}, single(del.Keys))
	if err != nil {
		return Statement{}, err
	}
	w.put("DELETE t FROM ").add(rows)
	if del.Where.SQL != "" {
		w.put(" WHERE ").add(del.Where)
	}
	return w.done(), nil
}

// First reads the first keys of each parent plainly, with one branch for each
// parent, whose constants let the optimizer see how many rows it will read.
// Then it locks those rows by their keys. MariaDB has no LATERAL, and a limit in
// a correlated subquery neither of the two. As a row may change before it is
// locked, the condition is asked again.
func (d mysql) First(f First) (Statement, error) {
	f.Where = f.where(d)
	w := &writer{d: d}
	key, parent := d.Quote(f.Key), d.Quote(f.Parent.Name)
	w.put("SELECT ").columns("b.", f.Select).put(" FROM (")
	for i, value := range f.Parents {
		v, err := d.value(f.Parent, value)
		if err != nil {
			return Statement{}, err
		}
		if i > 0 {
			w.put(" UNION ALL ")
		}
		w.put("(SELECT b."+key+" AS k FROM "+f.Table+" AS b WHERE b."+parent+" = ?", v).and(f.Where)
		w.put(" ORDER BY " + f.Order + " LIMIT " + number(min(f.Each, f.Total)) + ")")
	}
	if len(f.Parents) > 1 {
		w.put(" LIMIT " + number(f.Total))
	}
	w.put(") AS v STRAIGHT_JOIN " + f.Table + " AS b FORCE INDEX (PRIMARY) ON b." + key + " = v.k")
	if f.Where.SQL != "" {
		w.put(" WHERE ").add(f.Where)
	}
	if f.Lock {
		_, suffix := d.Lock(LockSkip, "b")
		w.put(suffix)
	}
	return w.done(), nil
}
