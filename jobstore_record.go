package gormsched

import (
	"context"
	"maps"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Record writes records of local runs, whole (R205): a new id is inserted, a
// stored record is replaced as long as it is Running (D05). They occupy
// nothing. A record keeps the sequence number that it was first written with,
// and a cancel request that has arrived, unless new ones are given. Where another transaction holds one of the records
// nothing is written and the answer is contention. Repeating it is safe.
func (s *JobStore) Record(ctx context.Context, runs []provider.RunRecord) error {
	if len(runs) == 0 {
		return nil
	}
	for _, run := range runs {
		if err := provider.CheckRun(run); err != nil {
			return err
		}
		if !run.State.Valid() {
			return provider.Invalidf("run %s of job %s has state %v: give it a state", provider.Quote(run.ID), provider.Quote(run.Job), run.State)
		}
	}
	return s.core.inTx(ctx, "recording local runs", txDispatch, func(t *tx) error { return t.record(runs) }, nil)
}

func (t *tx) record(runs []provider.RunRecord) error {
	us, err := t.nowUS()
	if err != nil {
		return err
	}
	last := make(map[string]provider.RunRecord, len(runs)) // a later record of the same id wins
	for _, run := range runs {
		if first, ok := last[run.ID]; ok && run.Sequence == 0 {
			run.Sequence = first.Sequence
		}
		last[run.ID] = run
	}
	ids := slices.Sorted(maps.Keys(last))
	stored, held, err := t.lockRuns(ids)
	if err != nil {
		return err
	}
	if len(held) > 0 {
		return provider.Contended("recording local runs")
	}
	var added, replaced []provider.RunRecord
	for _, id := range ids {
		run := last[id]
		old, ok := stored[id]
		switch {
		case !ok:
			run.Version = 1
			if run.Sequence == 0 {
				run.Sequence = t.c.nextSequence(us)
			}
			added = append(added, run)
		case old.State == provider.RunRunning:
			if run.Sequence == 0 {
				run.Sequence = old.Sequence
			}
			if run.CancelRequestedAt.IsZero() { // it may have arrived meanwhile
				run.CancelRequestedAt = old.CancelRequestedAt
			}
			replaced = append(replaced, run)
		}
	}
	if _, err := t.updateRows(t.c.replaceRuns(replaced)); err != nil {
		return err
	}
	return t.insertRuns(added)
}

// replaceRuns writes all columns of runs that this transaction has locked.
func (c *core) replaceRuns(runs []provider.RunRecord) dialects.Update {
	columns := runColumns[:len(runColumns)-1] // the version counts on
	rows := make([][]any, len(runs))
	for i, r := range runs {
		rows[i] = runRow(r)[:len(columns)]
	}
	sets := make([]dialects.Set, 0, len(runColumns))
	for _, name := range columns[1:] {
		sets = append(sets, dialects.Set{Column: name})
	}
	return dialects.Update{
		Table: c.t.runs, Columns: sourceColumns(columns...), Rows: rows,
		Set: append(sets, c.nextVersion()),
	}
}
