package gormsched

import (
	"database/sql"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The senders below split what is longer than [provider.MaxBatch] rows into
// several statements of the same transaction, and send none for no rows. Up to
// that many rows are one statement, however many they are.

func (t *tx) insertRows(table string, columns []dialects.Column, rows [][]any) error {
	for part := range slices.Chunk(rows, provider.MaxBatch) {
		s, err := t.c.d.Insert(dialects.Insert{Table: table, Columns: columns, Rows: part})
		if _, err = t.execBuilt(s, err); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) updateRows(up dialects.Update) (int64, error) {
	var affected int64
	for part := range slices.Chunk(up.Rows, provider.MaxBatch) {
		up.Rows = part
		s, err := t.c.d.Update(up)
		n, err := t.execBuilt(s, err)
		if err != nil {
			return affected, err
		}
		affected += n
	}
	return affected, nil
}

func (t *tx) deleteRows(del dialects.Delete) (int64, error) {
	var affected int64
	for part := range slices.Chunk(del.Keys, provider.MaxBatch) {
		del.Keys = part
		s, err := t.c.d.Delete(del)
		n, err := t.execBuilt(s, err)
		if err != nil {
			return affected, err
		}
		affected += n
	}
	return affected, nil
}

// queryKeys sends a query over keys, which build makes from one part of them.
func (t *tx) queryKeys(keys []string, build func([]string) (dialects.Statement, error), scan func(*sql.Rows) error) error {
	for part := range slices.Chunk(keys, provider.MaxBatch) {
		s, err := build(part)
		if err := t.queryBuilt(scan, s, err); err != nil {
			return err
		}
	}
	return nil
}

// sortedUnique gives the distinct strings in bytewise order: the order in
// which rows are locked (D23).
func sortedUnique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// anys turns strings into arguments.
func anys(list []string) []any {
	values := make([]any, len(list))
	for i, s := range list {
		values[i] = s
	}
	return values
}
