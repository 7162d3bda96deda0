package gormsched

import (
	"database/sql"
	"iter"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The senders below split what is longer than [provider.MaxBatch] rows, or than
// textMost, into several statements of the same transaction, and send none for no
// rows. Up to that many rows are one statement, however many they are.

// textMost is the most text of one statement, in bytes as JSON writes it, unless
// one row alone has more: servers refuse statements that are too long
// (max_allowed_packet is 16 MiB on MariaDB by default).
const textMost = 4 << 20

// parts splits rows for statements of a bounded length.
func parts(rows [][]any) iter.Seq[[][]any] {
	return func(yield func([][]any) bool) {
		first, size := 0, 0
		for i, row := range rows {
			length := 0
			for _, value := range row {
				if text, ok := value.(string); ok {
					length += lengthAsJSON(text)
				}
			}
			if i > first && (i-first == provider.MaxBatch || size+length > textMost) {
				if !yield(rows[first:i]) {
					return
				}
				first, size = i, 0
			}
			size += length
		}
		if first < len(rows) {
			yield(rows[first:])
		}
	}
}

func lengthAsJSON(text string) int {
	n := len(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			n++
		case c < ' ':
			n += len(`\u0000`) - 1
		}
	}
	return n
}

func (t *tx) insertRows(table string, columns []dialects.Column, rows [][]any) error {
	for part := range parts(rows) {
		s, err := t.c.d.Insert(dialects.Insert{Table: table, Columns: columns, Rows: part})
		if _, err = t.execBuilt(s, err); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) updateRows(up dialects.Update) (int64, error) {
	var affected int64
	for part := range parts(up.Rows) {
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
