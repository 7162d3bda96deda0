package dialects

// Writes reach their rows by the primary key: FORCESEEK keeps the optimizer
// from scanning a small table and waiting for rows that it does not change.
const seekRows = " WITH (ROWLOCK, FORCESEEK)"

func (d sqlserver) Insert(in Insert) (Statement, error) { return insertPresent(d, in) }

func (sqlserver) InsertSelect(InsertSelect) (Statement, error) { return Statement{}, errNoAbsent }

// Update names the target by its alias in FROM, where a table may have hints.
func (d sqlserver) Update(up Update) (Statement, error) {
	if len(up.Rows) == 0 {
		return Statement{}, errNoRows
	}
	key := up.Columns[0]
	column := "t." + d.Quote(key.Name)
	w := &writer{d: d}
	w.put("UPDATE t SET ")
	if len(up.Rows) > 1 && len(up.Columns) > 1 {
		if err := w.assignments(up.Set, up.Columns, nil); err != nil {
			return Statement{}, err
		}
		source, err := d.Source("v", up.Columns, up.Rows)
		if err != nil {
			return Statement{}, err
		}
		w.put(" FROM " + up.Table + " AS t" + seekRows + " INNER JOIN ").add(source).put(" ON " + column + " = v." + d.Quote(key.Name))
		if up.Where.SQL != "" {
			w.put(" WHERE ").add(up.Where)
		}
		return w.done(), nil
	}
	row, err := d.row(up.Columns, up.Rows[0])
	if err != nil {
		return Statement{}, err
	}
	if err := w.assignments(up.Set, up.Columns, row); err != nil {
		return Statement{}, err
	}
	keys := make([]any, len(up.Rows))
	for i, row := range up.Rows {
		keys[i] = row[0]
	}
	in, err := d.In(column, key.Type, keys)
	if err != nil {
		return Statement{}, err
	}
	return w.put(" FROM " + up.Table + " AS t" + seekRows + " WHERE ").add(in).and(up.Where).done(), nil
}

func (d sqlserver) Delete(del Delete) (Statement, error) {
	if len(del.Keys) == 0 {
		return Statement{}, errNoRows
	}
	in, err := d.In("t."+d.Quote(del.Key.Name), del.Key.Type, del.Keys)
	if err != nil {
		return Statement{}, err
	}
	w := &writer{d: d}
	return w.put("DELETE t FROM " + del.Table + " AS t" + seekRows + " WHERE ").add(in).and(del.Where).done(), nil
}

// First applies a subquery to each parent that ends with its limit. The state
// comes from the source, like the parent, so that the parent and not the state
// is what the index is searched with.
func (d sqlserver) First(f First) (Statement, error) {
	columns := []Column{f.Parent}
	rows := make([][]any, len(f.Parents))
	for i, parent := range f.Parents {
		rows[i] = []any{parent}
	}
	parent, state := d.Quote(f.Parent.Name), d.Quote(f.State)
	where := "b." + parent + " = v." + parent
	if f.State != "" {
		columns = append(columns, Column{Name: f.State, Type: Small})
		for i := range rows {
			rows[i] = append(rows[i], f.StateValue)
		}
		where += " AND b." + state + " = v." + state
	}
	source, err := d.Source("v", columns, rows)
	if err != nil {
		return Statement{}, err
	}
	hint := ""
	if f.Lock {
		hint, _ = d.Lock(LockSkipFound, "b")
	}
	w := &writer{d: d}
	w.put("SELECT TOP ("+number(f.Total)+") ").columns("l.", f.Select).put(" FROM ").add(source)
	w.put(" CROSS APPLY (SELECT TOP ("+number(f.Each)+") ").columns("b.", f.Select).put(" FROM " + f.Table + " AS b" + hint + " WHERE " + where)
	return w.and(f.Where).put(" ORDER BY " + f.Order + ") AS l").done(), nil
}
