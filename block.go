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

// handBack is for a management call that has locked the rows of jobs and may
// have left some of them free: it returns the first 16 Blocked triggers of each
// exclusive job that is not occupied, and all of each job that allows
// concurrent runs, to Waiting, or to Paused where their flag is set. It answers
// how many are Waiting now. It may wait for a claim that came upon the row.
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
	plan, err := t.planHandBack(free, concurrent, dialects.LockWait)
	if err != nil {
		return 0, err
	}
	return t.carryOut(plan, append(free, concurrent...))
}

// handBackPlan says, for each job, which Blocked triggers return when it is
// free, all of them locked.
type handBackPlan map[string]*jobHandBack

type jobHandBack struct {
	waiting, paused []string // keys, by what they become
	// stuck says that the rows that the job needs are held: a claim that had
	// already come upon a trigger when it was being stored as Blocked keeps
	// its row locked until it ends. Such a job must not be left free now, as
	// nothing would ever return its triggers.
	stuck bool
}

func (p handBackPlan) stuck(job string) bool { return p[job] != nil && p[job].stuck }

// most is no limit.
const most = 1 << 30

// planHandBack reads and locks what becomes of the Blocked triggers of
// exclusive jobs that are or will be free, and of jobs that allow concurrent
// runs. The rows of the jobs are locked. Triggers whose flag is set become
// Paused and do not count towards the 16: a job must not be left with the rest
// of its backlog Blocked and nothing that will ever return it.
func (t *tx) planHandBack(free, concurrent []string, mode dialects.LockMode) (handBackPlan, error) {
	plan := handBackPlan{}
	var keys []string
	flagged := map[string]bool{} // key → its flag
	jobOf := map[string]string{}
	collect := func(key, job string, paused bool) {
		if _, twice := jobOf[key]; !twice {
			keys = append(keys, key)
			jobOf[key], flagged[key] = job, paused
		}
	}
	read := func(jobs []string, each int, only *bool) error {
		for part := range slices.Chunk(sortedUnique(jobs), provider.MaxBatch) {
			if err := t.first(t.c.blockedFirst(part, each, only), collect); err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(free, handBackEach, nil); err != nil {
		return nil, err
	}
	if err := read(concurrent, most, nil); err != nil {
		return nil, err
	}
	// More Blocked triggers than were read, some of them paused: the rare case.
	count, paused := map[string]int{}, map[string]bool{}
	for key, job := range jobOf {
		count[job]++
		paused[job] = paused[job] || flagged[key]
	}
	rest := slices.DeleteFunc(slices.Clone(free), func(job string) bool { return count[job] < handBackEach || !paused[job] })
	if err := read(rest, handBackEach, new(bool)); err != nil {
		return nil, err
	}
	yes := true
	if err := read(rest, most, &yes); err != nil {
		return nil, err
	}
	locked, err := t.lockKeys(keys, mode)
	if err != nil {
		return nil, err
	}
	needs := map[string]bool{} // jobs that have one that can run
	for _, key := range keys {
		job := jobOf[key]
		if plan[job] == nil {
			plan[job] = &jobHandBack{}
		}
		needs[job] = needs[job] || !flagged[key]
	}
	for _, key := range keys {
		job := plan[jobOf[key]]
		switch {
		case !locked.has(key):
			job.stuck = job.stuck || !needs[jobOf[key]]
		case flagged[key]:
			job.paused = append(job.paused, key)
		default:
			job.waiting = append(job.waiting, key)
		}
	}
	for name, job := range plan {
		job.stuck = job.stuck || needs[name] && len(job.waiting) == 0
	}
	return plan, nil
}

// sqlLockKeys locks triggers by key.
func (c *core) sqlLockKeys(keys []string, mode dialects.LockMode) (dialects.Statement, error) {
	key := "t." + c.d.Quote("trigger_key")
	in, err := c.d.In(key, dialects.Key(257), anys(keys))
	hint, suffix := c.d.Lock(mode, "t")
	text := "SELECT " + key + " FROM " + c.t.triggers + " AS t" + hint + " WHERE " + in.SQL + " ORDER BY " + key + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// lockKeys locks triggers, all in one statement: 16 of each of 500 jobs.
func (t *tx) lockKeys(keys []string, mode dialects.LockMode) (lockSet, error) {
	if t.c.d.SingleWriter() || len(keys) == 0 {
		return lockSet{all: true}, nil
	}
	set := lockSet{keys: make(map[string]bool, len(keys))}
	s, err := t.c.sqlLockKeys(sortedUnique(keys), mode)
	err = t.queryBuilt(func(rows *sql.Rows) error {
		var key string
		err := rows.Scan(&key)
		set.keys[key] = true
		return err
	}, s, err)
	return set, err
}

// carryOut returns the triggers of jobs that are free now, and answers how many
// are Waiting.
func (t *tx) carryOut(plan handBackPlan, jobs []string) (int, error) {
	var rows [][]any
	returned := 0
	for _, name := range sortedUnique(jobs) {
		job := plan[name]
		if job == nil {
			continue
		}
		returned += len(job.waiting)
		for _, key := range job.waiting {
			rows = append(rows, []any{key, int64(provider.TriggerWaiting)})
		}
		for _, key := range job.paused {
			rows = append(rows, []any{key, int64(provider.TriggerPaused)})
		}
	}
	if len(rows) == 0 {
		return 0, nil
	}
	s, err := t.c.d.Update(t.c.setTriggerStates(rows))
	_, err = t.execBuilt(s, err)
	return returned, err
}
