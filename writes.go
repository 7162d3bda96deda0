package gormsched

import (
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// writes gathers what a transaction writes to rows that it has locked, or that
// are new, no row twice: nothing waits, and the order does not matter. Where the
// database can, the first write of each table goes with those of the others as
// one statement, which spares their round trips; a second one of a table follows,
// because CockroachDB, which speaks PostgreSQL's protocol, changes a table once in
// a statement. Elsewhere they go in the order given.
type writes struct {
	t      *tx
	list   []dialects.Statement
	tables []string // of list
	err    error
}

func (w *writes) add(table string, s dialects.Statement, err error) {
	if w.err == nil {
		w.err = err
	}
	w.list, w.tables = append(w.list, s), append(w.tables, table)
}

func (w *writes) update(up dialects.Update) {
	for part := range parts(up.Rows) {
		up.Rows = part
		s, err := w.t.c.d.Update(up)
		w.add(up.Table, s, err)
	}
}

func (w *writes) delete(del dialects.Delete) {
	for part := range slices.Chunk(del.Keys, provider.MaxBatch) {
		del.Keys = part
		s, err := w.t.c.d.Delete(del)
		w.add(del.Table, s, err)
	}
}

func (w *writes) insert(in dialects.Insert) {
	for part := range parts(in.Rows) {
		in.Rows = part
		s, err := w.t.c.d.Insert(in)
		w.add(in.Table, s, err)
	}
}

// send sends what was gathered.
func (w *writes) send() error {
	if w.err != nil {
		return w.err
	}
	list := w.list
	if c, ok := w.t.c.d.(dialects.Combiner); ok {
		list = w.combined(c)
	}
	for _, s := range list {
		if _, err := w.t.exec(s.SQL, s.Args...); err != nil {
			return err
		}
	}
	return nil
}

// combined makes one statement of the first write of each table.
func (w *writes) combined(c dialects.Combiner) []dialects.Statement {
	var together, rest []dialects.Statement
	for i, s := range w.list {
		if slices.Contains(w.tables[:i], w.tables[i]) {
			rest = append(rest, s)
		} else {
			together = append(together, s)
		}
	}
	if len(together) > 1 {
		together = []dialects.Statement{c.Combine(together)}
	}
	return append(together, rest...)
}
