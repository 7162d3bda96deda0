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
// Whoever occupies a job, or finds it occupied, calls blockOthers; whoever
// leaves it free, by ending its run or by taking a due trigger away without a
// run, calls handBack. If either stops before its commit nothing has happened;
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
func (c *core) firstTriggers(jobs []string, where dialects.Statement, each, total int) dialects.First {
	return dialects.First{
		Table: c.t.triggers, Key: "trigger_key",
		Parent: sourceColumns("job_name")[0], Parents: anys(jobs),
		Select: []string{"trigger_key", "job_name", "paused"},
		Where:  where, Order: c.dueOrder("b"),
		Each: each, Total: total, Lock: true,
	}
}

// dueOthers selects due Waiting triggers. The added zero keeps the planner
// away from the claim index, which would walk the triggers of all jobs.
func (c *core) dueOthers(jobs []string, now int64, most int) dialects.First {
	q := c.d.Quote
	return c.firstTriggers(jobs, dialects.Statement{
		SQL:  "b." + q("trigger_state") + " = 1 AND b." + q("is_local") + " + 0 = 0 AND b." + q("next_fire_us") + " <= ?",
		Args: []any{now},
	}, most, most)
}

// blockedFirst selects Blocked triggers; unpaused leaves out those whose flag
// is set.
func (c *core) blockedFirst(jobs []string, unpaused bool) dialects.First {
	where := dialects.Statement{SQL: "b." + c.d.Quote("trigger_state") + " = 3"}
	if unpaused {
		where.SQL += " AND b." + c.d.Quote("paused") + " = 0"
	}
	return c.firstTriggers(jobs, where, handBackEach, handBackEach*len(jobs))
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
func (c *core) blockTriggers(rows [][]any) dialects.Update {
	return dialects.Update{
		Table: c.t.triggers, Columns: sourceColumns("trigger_key"), Rows: rows,
		Set: []dialects.Set{{Column: "trigger_state", Expr: "3"}, c.nextVersion()},
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

// handBack is for a transaction that has locked the rows of jobs and may have
// left some of them free: it returns the first 16 Blocked triggers of each
// exclusive job that is not occupied, and all of each job that allows
// concurrent runs, to Waiting, or to Paused where their flag is set. It answers
// how many are Waiting now.
func (t *tx) handBack(jobs []string) (int, error) {
	names := sortedUnique(jobs)
	views, err := t.readJobs(names, lockSet{all: true})
	if err != nil {
		return 0, err
	}
	var free, concurrent []string
	for _, name := range names {
		switch j := views[name]; {
		case j == nil || j.occupied():
		case j.exclusive():
			free = append(free, name)
		default:
			concurrent = append(concurrent, name)
		}
	}
	n, err := t.handBackFree(free)
	if err != nil {
		return n, err
	}
	more, err := t.handBackAll(concurrent, false)
	return n + more, err
}

// handBackFree is handBack for exclusive jobs of which the caller knows that
// they are free. Blocked triggers whose flag is set become Paused and do not
// count: a job must not be left with the rest of its backlog Blocked and
// nothing that will ever return it.
func (t *tx) handBackFree(jobs []string) (int, error) {
	returned := 0
	for part := range slices.Chunk(sortedUnique(jobs), provider.MaxBatch) {
		var rows [][]any
		seen, paused := map[string]int{}, map[string]bool{}
		collect := func(key, job string, flagged bool) {
			seen[job]++
			state := provider.TriggerWaiting
			if flagged {
				paused[job] = true
				state = provider.TriggerPaused
			} else {
				returned++
			}
			rows = append(rows, []any{key, int64(state)})
		}
		if err := t.first(t.c.blockedFirst(part, false), collect); err != nil {
			return 0, err
		}
		if err := t.setStates(rows); err != nil {
			return 0, err
		}
		var rest []string
		for _, job := range part {
			if paused[job] && seen[job] == handBackEach {
				rest = append(rest, job)
			}
		}
		if len(rest) == 0 {
			continue
		}
		rows = nil
		if err := t.first(t.c.blockedFirst(rest, true), collect); err != nil {
			return 0, err
		}
		if err := t.setStates(rows); err != nil {
			return 0, err
		}
		if _, err := t.handBackAll(rest, true); err != nil {
			return 0, err
		}
	}
	return returned, nil
}

// setStates sends one statement for all rows: 16 for each of 500 jobs at most.
func (t *tx) setStates(rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	s, err := t.c.d.Update(t.c.setTriggerStates(rows))
	_, err = t.execBuilt(s, err)
	return err
}

// sqlHandBackAll returns all Blocked triggers of jobs whose flag is, or is
// not, set. It is the one write that reaches rows by their job: the job rows
// are locked, so that nobody else holds a Blocked trigger of them.
func (c *core) sqlHandBackAll(jobs []string, paused bool) (dialects.Statement, error) {
	q := c.d.Quote
	in, err := c.d.In("t."+q("job_name"), dialects.Key(128), anys(jobs))
	state, flagged := "1", "0"
	if paused {
		state, flagged = "4", "1"
	}
	text := "UPDATE " + c.t.triggers + " AS t SET " + q("trigger_state") + " = " + state + ", " + q("version") + " = t." + q("version") + " + 1 WHERE " + in.SQL +
		" AND t." + q("trigger_state") + " = 3 AND t." + q("paused") + " = " + flagged
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// handBackAll returns every Blocked trigger of the jobs, or only those whose
// flag is set, and answers how many are Waiting now.
func (t *tx) handBackAll(jobs []string, onlyPaused bool) (int, error) {
	returned := 0
	for part := range slices.Chunk(jobs, provider.MaxBatch) {
		s, err := t.c.sqlHandBackAll(part, true)
		if _, err = t.execBuilt(s, err); err != nil {
			return 0, err
		}
		if onlyPaused {
			continue
		}
		s, err = t.c.sqlHandBackAll(part, false)
		n, err := t.execBuilt(s, err)
		if err != nil {
			return 0, err
		}
		returned += int(n)
	}
	return returned, nil
}
