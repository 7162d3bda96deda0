package gormsched

import (
	"database/sql"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// This file is the rule of Blocked triggers (D35, R039–R044, R200, R266).
//
// A trigger is stored as Blocked, or leaves that state, only by a transaction
// that holds the row of its job. So whoever holds the row knows all Blocked
// triggers of the job, and a block and the hand-back of the run that it waits
// for exclude each other: whichever comes second sees the first.
//
// Others may still have locked such a trigger's row: a claim that had come upon
// it as a due one, and found it Blocked when it got the lock, keeps that lock
// until it ends. Therefore a hand-back locks what it returns, without waiting,
// before anything is decided that would leave the job free; if none of it can
// be had the item is held, and done 50 ms later.
//
// Whoever occupies a job, or finds it occupied, calls blockOthers; whoever
// leaves it free, by ending its run or by taking a due trigger away without a
// run, hands back. If either stops before its commit nothing has happened;
// after it the other triggers are where they belong, in the same instant as
// the run.

const (
	// handBackEach is how many Blocked triggers return when a job becomes
	// free: all of them in an ordinary job, few enough in a backlog.
	handBackEach = 16
	// blockMost is how many triggers one transaction stores as Blocked.
	blockMost = provider.MaxBatch
)

// dueOrder is R029's order over an alias.
func (c *core) dueOrder(alias string) string {
	q := c.d.Quote
	return alias + "." + q("next_fire_us") + ", " + alias + "." + q("priority") + " DESC, " + alias + "." + q("trigger_key")
}

// firstTriggers selects the first triggers of each job in R029's order.
func (c *core) firstTriggers(jobs []string, state provider.TriggerState, where dialects.Statement, each, total int) dialects.First {
	return dialects.First{
		Table: c.t.triggers, Key: "trigger_key",
		Parent: sourceColumns("job_name")[0], Parents: anys(jobs),
		State: "trigger_state", StateValue: int(state),
		Select: []string{"trigger_key", "job_name", "paused"},
		Where:  where, Order: c.dueOrder("b"),
		Each: each, Total: total, Lock: true,
	}
}

// dueOthers selects due Waiting triggers. The added zero keeps the planner
// away from the claim index, which would walk the triggers of all jobs.
func (c *core) dueOthers(jobs []string, now int64, most int) dialects.First {
	q := c.d.Quote
	return c.firstTriggers(jobs, provider.TriggerWaiting, dialects.Statement{
		SQL:  "b." + q("is_local") + " + 0 = 0 AND b." + q("next_fire_us") + " <= ?",
		Args: []any{now},
	}, most, most)
}

// blockedFirst selects Blocked triggers, at most each of every job; where
// flagged is not nil only those whose flag is, or is not, set. They are read
// plainly: the job's row is locked, and nobody else changes them.
func (c *core) blockedFirst(jobs []string, each int, flagged *bool) dialects.First {
	var where dialects.Statement
	if flagged != nil {
		where.SQL = "b." + c.d.Quote("paused") + " = " + flagText(*flagged)
	}
	f := c.firstTriggers(jobs, provider.TriggerBlocked, where, each, min(each*len(jobs), most))
	f.Lock = false
	return f
}

// setTriggerStates changes nothing but the state of triggers that this
// transaction has locked, each to its own.
func (c *core) setTriggerStates(rows [][]any) dialects.Update {
	return dialects.Update{
		Table: c.t.triggers, Columns: sourceColumns("trigger_key", "trigger_state"), Rows: rows,
		Set: []dialects.Set{{Column: "trigger_state"}, c.nextVersion()},
	}
}

// blockTriggers stores triggers that this transaction has locked as Blocked.
// Their job is exclusive, whatever their hint says.
func (c *core) blockTriggers(rows [][]any) dialects.Update {
	return dialects.Update{
		Table: c.t.triggers, Columns: sourceColumns("trigger_key"), Rows: rows,
		Set: []dialects.Set{{Column: "trigger_state", Expr: "3"}, {Column: "is_exclusive", Expr: "1"}, c.nextVersion()},
	}
}

// nextVersion is part of every change of a row (D22).
func (c *core) nextVersion() dialects.Set {
	return dialects.Set{Column: "version", Expr: "t." + c.d.Quote("version") + " + 1"}
}

// first sends a [dialects.First] over triggers.
func (t *tx) first(f dialects.First, each func(key, job string, paused bool)) error {
	if len(f.Parents) == 0 {
		return nil
	}
	s, err := t.c.d.First(f)
	return t.queryBuilt(func(rows *sql.Rows) error {
		var key, job string
		var paused int64
		err := rows.Scan(&key, &job, &paused)
		each(key, job, paused != 0)
		return err
	}, s, err)
}

// blockOthers stores the due Waiting triggers of occupied jobs as Blocked, as
// far as they can be locked without waiting, at most blockMost in all; later
// claims take the rest. The rows of the jobs are locked. It answers how many.
func (t *tx) blockOthers(jobs []string) (int, error) {
	if len(jobs) == 0 {
		return 0, nil
	}
	now, err := t.nowUS()
	if err != nil {
		return 0, err
	}
	var rows [][]any
	for part := range slices.Chunk(sortedUnique(jobs), provider.MaxBatch) {
		if len(rows) >= blockMost {
			break
		}
		err := t.first(t.c.dueOthers(part, now, blockMost-len(rows)), func(key, _ string, _ bool) { rows = append(rows, []any{key}) })
		if err != nil {
			return 0, err
		}
	}
	n, err := t.updateRows(t.c.blockTriggers(rows))
	return int(n), err
}
