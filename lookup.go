package gormsched

import (
	"context"
	"database/sql"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The look-ups below answer whether a transaction whose commit was not
// answered took effect (D07). One row that only it can have written is enough:
// it wrote all or nothing. They read on a connection of their own.

// anyRun reports whether a run of one of these ids is stored.
func (c *core) anyRun(ctx context.Context, ids []string) (bool, error) {
	found := false
	err := c.lookUpKeys(ctx, ids, func(part []string) (dialects.Statement, error) { return c.sqlRuns(part, false) }, func(*sql.Rows) error {
		found = true
		return nil
	})
	return found, err
}

// anyEnded reports whether one of these runs ended at the instant given, in
// microseconds.
func (c *core) anyEnded(ctx context.Context, ids []string, us int64) (bool, error) {
	found := false
	err := c.lookUpKeys(ctx, ids, func(part []string) (dialects.Statement, error) { return c.sqlRuns(part, false) }, func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		if r.State != provider.RunRunning && micros(r.CompletedAt) == us {
			found = true
		}
		return ignoreUnreadable(err)
	})
	return found, err
}

// anyClaim reports whether one of these triggers carries the claim.
func (c *core) anyClaim(ctx context.Context, keys []string, claimID int64) (bool, error) {
	found := false
	err := c.lookUpKeys(ctx, keys, c.sqlTriggerClaims, func(rows *sql.Rows) error {
		var key string
		var id sql.NullInt64
		err := rows.Scan(&key, &id)
		found = found || id.Valid && id.Int64 == claimID
		return err
	})
	return found, err
}

func (c *core) lookUpKeys(ctx context.Context, keys []string, build func([]string) (dialects.Statement, error), scan func(*sql.Rows) error) error {
	if len(keys) == 0 {
		return nil
	}
	return c.inTx(ctx, "looking up a commit that was not answered", txRead, func(t *tx) error {
		return t.queryKeys(keys, build, scan)
	}, nil)
}
