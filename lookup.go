package gormsched

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The look-ups below answer whether a transaction whose commit was not
// answered took effect (D07). One row that only it can have written is enough:
// it wrote all or nothing. They read on a connection of their own, and only
// where there is something to find; a transaction that wrote nothing may simply
// run again.

// anyRun reports whether a run of one of these ids is stored.
func (c *core) anyRun(ctx context.Context, ids []string) (bool, error) {
	found := false
	err := c.lookUpKeys(ctx, ids, func(part []string) (dialects.Statement, error) { return c.sqlRuns(part, false) }, func(*sql.Rows) error {
		found = true
		return nil
	})
	return found, err
}

// anyEnded reports whether one of these runs, as it would have ended, is stored
// so: in that state, at that instant. The state is part of it, because a sweep
// and a completion may fall on one microsecond.
func (c *core) anyEnded(ctx context.Context, ended []provider.RunRecord) (bool, error) {
	found := false
	want := make(map[string]provider.RunRecord, len(ended))
	ids := make([]string, len(ended))
	for i, r := range ended {
		want[r.ID], ids[i] = r, r.ID
	}
	err := c.lookUpKeys(ctx, ids, func(part []string) (dialects.Statement, error) { return c.sqlRuns(part, false) }, func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		if w := want[r.ID]; r.State == w.State && micros(r.CompletedAt) == micros(w.CompletedAt) {
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
		var version int64
		err := rows.Scan(&key, &id, &version)
		found = found || id.Valid && id.Int64 == claimID
		return err
	})
	return found, err
}

// decided reports whether a transaction that decided over triggers took effect:
// by the runs that it would have begun, or else the claims that it would have
// left, or else by whether the triggers that it would have changed are still
// what they were. The last is no proof, as somebody else may have changed them;
// but then nothing was begun, and there is nothing to do again.
func (c *core) decided(ctx context.Context, items []provider.Begun, claimID int64) (bool, error) {
	var runs, claims []string
	before := map[string]int64{}
	for _, b := range items {
		key := b.Trigger.TriggerKey.String()
		switch b.Outcome {
		case provider.OutcomeStarted:
			runs = append(runs, b.Run.ID)
		case provider.OutcomeAcquired:
			claims = append(claims, key)
		case provider.OutcomeBlocked, provider.OutcomePaused, provider.OutcomeAdvanced, provider.OutcomeReturned:
			before[key] = b.Trigger.Version
		}
	}
	switch {
	case len(runs) > 0:
		return c.anyRun(ctx, runs)
	case len(claims) > 0:
		return c.anyClaim(ctx, claims, claimID)
	}
	return c.changed(ctx, before)
}

// changed reports whether none of these triggers has the version given any
// more. A transaction that took effect has changed all of them.
func (c *core) changed(ctx context.Context, before map[string]int64) (bool, error) {
	changed := len(before) > 0
	err := c.lookUpKeys(ctx, slices.Sorted(maps.Keys(before)), c.sqlTriggerClaims, func(rows *sql.Rows) error {
		var key string
		var id sql.NullInt64
		var version int64
		err := rows.Scan(&key, &id, &version)
		changed = changed && version != before[key]
		return err
	})
	return changed, err
}

func (c *core) lookUpKeys(ctx context.Context, keys []string, build func([]string) (dialects.Statement, error), scan func(*sql.Rows) error) error {
	if len(keys) == 0 {
		return nil
	}
	return c.inTx(ctx, "looking up a commit that was not answered", txRead, func(t *tx) error {
		return t.queryKeys(keys, build, scan)
	}, nil)
}
