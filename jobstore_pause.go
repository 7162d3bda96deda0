package gormsched

import (
	"context"
	"database/sql"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Pausing locks the job's row, so that no trigger is born beside it, and then
// each trigger's: a begin that holds the row has started before the pause
// returns, one that comes later reads the flag (D08). All four calls can be
// repeated safely.

// PauseJobs sets the flag of jobs and of all their triggers.
func (s *JobStore) PauseJobs(ctx context.Context, names []string) ([]error, error) {
	return s.flagJobs(ctx, "pausing jobs", names, true)
}

// ResumeJobs clears the flag of jobs and of all their triggers.
func (s *JobStore) ResumeJobs(ctx context.Context, names []string) ([]error, error) {
	return s.flagJobs(ctx, "resuming jobs", names, false)
}

// PauseTriggers sets the flag of single triggers.
func (s *JobStore) PauseTriggers(ctx context.Context, keys []provider.TriggerKey) ([]error, error) {
	return s.flagTriggers(ctx, "pausing triggers", keys, true)
}

// ResumeTriggers clears the flag of single triggers; the job's stays.
func (s *JobStore) ResumeTriggers(ctx context.Context, keys []provider.TriggerKey) ([]error, error) {
	return s.flagTriggers(ctx, "resuming triggers", keys, false)
}

func (s *JobStore) flagJobs(ctx context.Context, op string, names []string, paused bool) ([]error, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var found map[string]*jobView
	err := s.core.inTx(ctx, op, txManage, func(t *tx) (err error) {
		if found, err = t.holdJobs(sortedUnique(names)); err != nil {
			return err
		}
		var change [][]any
		for _, name := range sortedKeys(found) {
			if found[name].record.Paused != paused {
				change = append(change, []any{name})
			}
		}
		_, err = t.updateRows(dialects.Update{
			Table: t.c.t.jobs, Columns: sourceColumns("job_name"), Rows: change,
			Set: []dialects.Set{{Column: "paused", Expr: flagText(paused)}, t.c.nextVersion()},
		})
		if err != nil {
			return err
		}
		listed, err := t.triggersOf(sortedKeys(found))
		if err != nil {
			return err
		}
		var keys []string
		for _, row := range listed {
			if row.paused != paused {
				keys = append(keys, row.key)
			}
		}
		if err := t.flagRows(keys, paused); err != nil {
			return err
		}
		return t.handBackPaused(sortedKeys(found), paused)
	}, nil)
	if err != nil {
		return nil, err
	}
	return perJob(names, func(name string) bool { return found[name] != nil }), nil
}

func (s *JobStore) flagTriggers(ctx context.Context, op string, keys []provider.TriggerKey, paused bool) ([]error, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var found map[string]bool
	err := s.core.inTx(ctx, op, txManage, func(t *tx) error {
		jobs, err := t.holdJobs(jobsOf(keys))
		if err != nil {
			return err
		}
		if found, err = t.flagFound(textKeys(keys), paused); err != nil {
			return err
		}
		return t.handBackPaused(sortedKeys(jobs), paused)
	}, nil)
	if err != nil {
		return nil, err
	}
	return perTrigger(keys, func(key string) bool { return found[key] }), nil
}

// handBackPaused hands back what a pause left Blocked: it may have taken a due
// trigger away (D35).
func (t *tx) handBackPaused(jobs []string, paused bool) error {
	if !paused {
		return nil
	}
	_, err := t.handBack(jobs)
	return err
}

func (t *tx) flagRows(keys []string, paused bool) error {
	_, err := t.flagFound(keys, paused)
	return err
}

// flagFound locks triggers, sets or clears the flag of those where it differs,
// and answers which are there.
func (t *tx) flagFound(keys []string, paused bool) (map[string]bool, error) {
	found := make(map[string]bool, len(keys))
	var change [][]any
	err := t.queryKeys(sortedUnique(keys), t.c.sqlHoldFlags, func(rows *sql.Rows) error {
		var key string
		var flagged int64
		err := rows.Scan(&key, &flagged)
		found[key] = true
		if flagged != 0 != paused {
			change = append(change, []any{key})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	now, err := t.nowUS()
	if err != nil {
		return nil, err
	}
	_, err = t.updateRows(t.c.setFlags(change, paused, now))
	return found, err
}

// sqlHoldFlags locks triggers by key, waiting for them, and reads their flags.
func (c *core) sqlHoldFlags(keys []string) (dialects.Statement, error) {
	q := c.d.Quote
	key := "t." + q("trigger_key")
	in, err := c.d.In(key, dialects.Key(257), anys(keys))
	hint, suffix := c.d.Lock(dialects.LockWait, "t")
	text := "SELECT " + key + ", t." + q("paused") + " FROM " + c.t.triggers + " AS t" + hint + " WHERE " + in.SQL + " ORDER BY " + key + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// setFlags sets or clears the flag of triggers that are locked. Waiting and
// Paused follow it; the other states keep it for their way out. A trigger that
// is resumed without a next instant is due now: it must not be left without
// one.
func (c *core) setFlags(rows [][]any, paused bool, now int64) dialects.Update {
	q := c.d.Quote
	up := dialects.Update{Table: c.t.triggers, Columns: sourceColumns("trigger_key"), Rows: rows}
	state := "t." + q("trigger_state")
	up.Set = append(up.Set, dialects.Set{Column: "paused", Expr: flagText(paused)}, c.nextVersion())
	if paused {
		up.Set = append(up.Set, dialects.Set{Column: "trigger_state", Expr: "CASE WHEN " + state + " = 1 THEN 4 ELSE " + state + " END"})
		return up
	}
	for _, name := range []string{"scheduled_us", "next_fire_us"} {
		column := "t." + q(name)
		up.Set = append(up.Set, dialects.Set{
			Column: name,
			Expr:   "CASE WHEN " + state + " = 4 AND " + column + " IS NULL AND t." + q("is_local") + " = 0 THEN ? ELSE " + column + " END",
			Args:   []any{now},
		})
	}
	// The state last: MySQL would show the instants the new one.
	up.Set = append(up.Set, dialects.Set{Column: "trigger_state", Expr: "CASE WHEN " + state + " = 4 THEN 1 ELSE " + state + " END"})
	return up
}

func flagText(on bool) string {
	if on {
		return "1"
	}
	return "0"
}
