package gormsched

import (
	"context"
	"database/sql"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// RequestCancel marks Running records (R236). It locks them in the order of
// their ids and waits for those that a completion or a sweep holds, which may
// then turn out to have ended. Repeating it is safe: the first instant stays.
func (s *JobStore) RequestCancel(ctx context.Context, ids []string) ([]error, error) {
	errs := make([]error, len(ids))
	if len(ids) == 0 {
		return errs, nil
	}
	var running map[string]bool
	err := s.core.inTx(ctx, "requesting cancellation", txManage, func(t *tx) error {
		var err error
		running, err = t.requestCancel(sortedUnique(ids))
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if !running[id] {
			errs[i] = provider.NotFound(provider.CodeRunNotFound, id)
		}
	}
	return errs, nil
}

func (t *tx) requestCancel(ids []string) (map[string]bool, error) {
	us, err := t.nowUS()
	if err != nil {
		return nil, err
	}
	running := make(map[string]bool, len(ids))
	var rows [][]any
	err = t.queryKeys(ids, t.c.sqlLockForCancel, func(r *sql.Rows) error {
		var id string
		var state int64
		var requested sql.NullInt64
		err := r.Scan(&id, &state, &requested)
		if provider.RunState(state) == provider.RunRunning {
			running[id] = true
			if !requested.Valid {
				rows = append(rows, []any{id})
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	_, err = t.updateRows(t.c.markCanceled(rows, us))
	return running, err
}

// sqlLockForCancel locks runs in the order of their ids and waits for them.
func (c *core) sqlLockForCancel(ids []string) (dialects.Statement, error) {
	id := "r." + c.d.Quote("run_id")
	in, err := c.d.In(id, dialects.Key(36), anys(ids))
	hint, suffix := c.d.Lock(dialects.LockWait, "r")
	text := "SELECT " + c.columns("r", []string{"run_id", "run_state", "cancel_requested_us"}) + " FROM " + c.t.runs + " AS r" + hint +
		" WHERE " + in.SQL + " ORDER BY " + id + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// markCanceled writes the instant of the request.
func (c *core) markCanceled(rows [][]any, us int64) dialects.Update {
	return dialects.Update{
		Table: c.t.runs, Columns: sourceColumns("run_id"), Rows: rows,
		Set: []dialects.Set{{Column: "cancel_requested_us", Expr: "?", Args: []any{us}}, c.nextVersion()},
	}
}
