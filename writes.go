package gormsched

import (
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// writes gathers what a transaction writes to rows that it has locked, or that
// are new, no row twice: nothing waits, and the order does not matter. Where the
// database can, they go as one statement, which spares a round trip for each of
// the others; elsewhere in the order given.
type writes struct {
	t    *tx
	list []dialects.Statement
	err  error
}

func (w *writes) add(s dialects.Statement, err error) {
	if w.err == nil {
		w.err = err
	}
	w.list = append(w.list, s)
}

func (w *writes) update(up dialects.Update) {
	for part := range parts(up.Rows) {
		up.Rows = part
		w.add(w.t.c.d.Update(up))
	}
}

func (w *writes) delete(del dialects.Delete) {
	for part := range slices.Chunk(del.Keys, provider.MaxBatch) {
		del.Keys = part
		w.add(w.t.c.d.Delete(del))
	}
}

func (w *writes) insert(in dialects.Insert) {
	for part := range parts(in.Rows) {
		in.Rows = part
		w.add(w.t.c.d.Insert(in))
	}
}

// send sends what was gathered.
func (w *writes) send() error {
	if w.err != nil {
		return w.err
	}
	list := w.list
	if c, ok := w.t.c.d.(dialects.Combiner); ok && len(list) > 1 {
		list = []dialects.Statement{c.Combine(list)}
	}
	for _, s := range list {
		if _, err := w.t.exec(s.SQL, s.Args...); err != nil {
			return err
		}
	}
	return nil
}
