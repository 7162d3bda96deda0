package dialects

// Combiner is a dialect on which one statement can write to several tables.
type Combiner interface {
	// Combine gives one statement that does what the given ones do. There are at
	// least two, each of another table, and none has RETURNING: in what order they
	// come is left to the database. The rows affected are those of the last.
	Combine(statements []Statement) Statement
}

// Combine implements [Combiner] with data-modifying common table expressions: all
// but the last are carried out whether something reads them or not
// (https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-MODIFYING).
func (d postgres) Combine(statements []Statement) Statement {
	w := &writer{d: d}
	last := len(statements) - 1
	for i, s := range statements[:last] {
		if i == 0 {
			w.put("WITH ")
		} else {
			w.put(", ")
		}
		w.put("w" + number(i+1) + " AS (").add(s).put(")")
	}
	return w.put(" ").add(statements[last]).done()
}
