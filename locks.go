package gormsched

import (
	"database/sql"
	"errors"
	"maps"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Dispatch operations lock in this order: job rows by name, trigger rows by
// key, run rows by id (D23), each with a read that leaves out what another
// transaction holds. What such a read leaves out is held if a plain read finds
// it, and gone if it does not: a plain read never waits and sees rows that
// another transaction has locked, changed or deleted without having committed.
//
// Only jobs that are exclusive or occupied are locked for update. The row of any other job is shared by whoever begins a run of it,
// so that it cannot become exclusive in between (D12), and read plainly by
// everybody else: many nodes can begin and complete its runs side by side.

// lockSet says which rows of a request this transaction has locked.
type lockSet struct {
	all  bool // one writer: everything is
	keys map[string]bool
}

func (l lockSet) has(key string) bool { return l.all || l.keys[key] }

// and adds the rows of another set.
func (l lockSet) and(other lockSet) lockSet {
	both := lockSet{all: l.all || other.all, keys: make(map[string]bool, len(l.keys)+len(other.keys))}
	maps.Copy(both.keys, l.keys)
	maps.Copy(both.keys, other.keys)
	return both
}

// jobView is a job as a dispatch transaction sees it.
type jobView struct {
	record provider.JobRecord
	// locked says that this transaction holds the row.
	locked bool
	// shared says that this transaction keeps the job from becoming exclusive.
	shared bool
	// unreadable says that a newer version wrote the row (D14).
	unreadable bool
	// running says that ActiveRunID names a run that is Running. While the
	// row is locked no other transaction can change that.
	running bool
}

// exclusive and occupied answer for a job that may be missing (nil).
func (j *jobView) exclusive() bool { return j != nil && !j.record.AllowConcurrent }
func (j *jobView) occupied() bool  { return j.exclusive() && j.running }

// held says that what is about to happen needs the row's lock and has not got
// it.
func (j *jobView) held() bool { return j.exclusive() && !j.locked }

// heldForBegin says so of the begin of a run.
func (j *jobView) heldForBegin() bool { return j != nil && !j.locked && (j.exclusive() || !j.shared) }

// exclusiveJobs restricts [tx.lockJobs] to jobs that allow one run at a time.
func (c *core) exclusiveJobs() dialects.Statement {
	return dialects.Statement{SQL: "j." + c.d.Quote("allow_concurrent") + " = 0"}
}

// concurrentJobs restricts it to the others.
func (c *core) concurrentJobs() dialects.Statement {
	return dialects.Statement{SQL: "j." + c.d.Quote("allow_concurrent") + " = 1"}
}

// occupiable restricts it to jobs that a run occupies or may occupy.
func (c *core) occupiable() dialects.Statement {
	return dialects.Statement{SQL: "j." + c.d.Quote("allow_concurrent") + " = 0 OR j." + c.d.Quote("active_run_id") + " IS NOT NULL"}
}

// sqlLockJobs locks those of the jobs that fit the condition.
func (c *core) sqlLockJobs(names []string, where dialects.Statement, mode dialects.LockMode) (dialects.Statement, error) {
	in, err := c.lockIn("j."+c.d.Quote("job_name"), dialects.Key(128), names)
	hint, suffix := c.d.Lock(mode, "j")
	text := "SELECT j." + c.d.Quote("job_name") + " FROM " + c.t.jobs + " AS j" + hint + " WHERE " + in.SQL
	if where.SQL != "" {
		text += " AND (" + where.SQL + ")"
	}
	text += " ORDER BY j." + c.d.Quote("job_name") + suffix
	return dialects.Statement{SQL: text, Args: append(in.Args, where.Args...)}, err
}

// lockIn is In for the primary key of a locking read that has a further
// condition.
func (c *core) lockIn(expr string, t dialects.Type, keys []string) (dialects.Statement, error) {
	if l, ok := c.d.(dialects.KeyLocker); ok {
		return l.LockIn(expr, t, anys(keys))
	}
	return c.d.In(expr, t, anys(keys))
}

// lockJobs locks the rows of jobs that fit the condition, without waiting.
// names must be sorted.
func (t *tx) lockJobs(names []string, where dialects.Statement, mode dialects.LockMode) (lockSet, error) {
	if t.c.d.SingleWriter() {
		return lockSet{all: true}, nil
	}
	set := lockSet{keys: make(map[string]bool, len(names))}
	err := t.queryKeys(names, func(part []string) (dialects.Statement, error) {
		return t.c.sqlLockJobs(part, where, mode)
	}, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		set.keys[name] = true
		return err
	})
	return set, err
}

// sqlReadJobs reads jobs and, where one names a run that is Running, that
// run's id. The added zero keeps a planner from any index but the key's.
func (c *core) sqlReadJobs(names []string) (dialects.Statement, error) {
	q := c.d.Quote
	in, err := c.d.In("j."+q("job_name"), dialects.Key(128), anys(names))
	text := "SELECT " + c.columns("j", jobColumns) + ", r." + q("run_id") + " FROM " + c.t.jobs + " AS j LEFT JOIN " + c.t.runs +
		" AS r ON r." + q("run_id") + " = j." + q("active_run_id") + " AND r." + q("run_state") + " + 0 = 1 WHERE " + in.SQL
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// readJobs reads jobs plainly. It comes after the locking reads: then it sees
// what those who held the rows before have committed, and a job that became
// exclusive meanwhile shows as exclusive and not locked.
func (t *tx) readJobs(names []string, locked lockSet) (map[string]*jobView, error) {
	jobs := make(map[string]*jobView, len(names))
	err := t.queryKeys(names, t.c.sqlReadJobs, func(rows *sql.Rows) error {
		var occupant sql.NullString
		r, err := scanJob(rows, &occupant)
		if err != nil && !errors.Is(err, errUnreadable) {
			return err
		}
		jobs[r.Name] = &jobView{record: r, locked: locked.has(r.Name), unreadable: err != nil, running: occupant.Valid}
		return nil
	})
	return jobs, err
}

// lockForBegin locks the exclusive ones of the jobs and shares the others,
// without waiting. names must be sorted.
func (t *tx) lockForBegin(names []string) (locked, shared lockSet, err error) {
	if locked, err = t.lockJobs(names, t.c.exclusiveJobs(), dialects.LockSkip); err != nil {
		return locked, shared, err
	}
	shared, err = t.lockJobs(names, t.c.concurrentJobs(), dialects.LockKeepSkip)
	return locked, shared, err
}

// readSharedJobs is readJobs after lockForBegin.
func (t *tx) readSharedJobs(names []string, locked, shared lockSet) (map[string]*jobView, error) {
	jobs, err := t.readJobs(names, locked)
	for name, j := range jobs {
		j.shared = shared.has(name)
	}
	return jobs, err
}

// sqlShareJobs shares and reads jobs.
func (c *core) sqlShareJobs(names []string) (dialects.Statement, error) {
	in, err := c.d.In("j."+c.d.Quote("job_name"), dialects.Key(128), anys(names))
	hint, suffix := c.d.Lock(dialects.LockKeepSkip, "j")
	text := "SELECT " + c.columns("j", jobColumns) + " FROM " + c.t.jobs + " AS j" + hint + " WHERE " + in.SQL + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// shareJobs shares and reads those of the jobs that nobody is changing. It is
// for jobs that are thought to be concurrent: one that is exclusive after all
// shows as not locked.
func (t *tx) shareJobs(names []string) (map[string]*jobView, error) {
	if t.c.d.SingleWriter() {
		return t.readJobs(names, lockSet{all: true})
	}
	jobs := make(map[string]*jobView, len(names))
	err := t.queryKeys(names, t.c.sqlShareJobs, func(rows *sql.Rows) error {
		r, err := scanJob(rows)
		if err != nil && !errors.Is(err, errUnreadable) {
			return err
		}
		jobs[r.Name] = &jobView{record: r, shared: true, unreadable: err != nil}
		return nil
	})
	return jobs, err
}

// triggerView is a trigger row that this transaction has locked.
type triggerView struct {
	record     provider.TriggerRecord
	unreadable bool
}

// sqlLockTriggers locks and reads trigger rows by key.
func (c *core) sqlLockTriggers(keys []string) (dialects.Statement, error) {
	key := "t." + c.d.Quote("trigger_key")
	in, err := c.d.In(key, dialects.Key(257), anys(keys))
	hint, suffix := c.d.Lock(dialects.LockSkip, "t")
	text := "SELECT " + c.columns("t", triggerColumns) + " FROM " + c.t.triggers + " AS t" + hint + " WHERE " + in.SQL + " ORDER BY " + key + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// lockTriggers locks and reads triggers by key, without waiting. keys must be
// sorted.
func (t *tx) lockTriggers(keys []string) (map[string]triggerView, error) {
	found := make(map[string]triggerView, len(keys))
	err := t.queryKeys(keys, t.c.sqlLockTriggers, func(rows *sql.Rows) error {
		r, err := scanTrigger(rows)
		if err != nil && !errors.Is(err, errUnreadable) {
			return err
		}
		found[r.TriggerKey.String()] = triggerView{record: r, unreadable: err != nil}
		return nil
	})
	return found, err
}

// sqlTriggerClaims reads plainly which triggers are there, whose they are, and
// their versions.
func (c *core) sqlTriggerClaims(keys []string) (dialects.Statement, error) {
	in, err := c.d.In("t."+c.d.Quote("trigger_key"), dialects.Key(257), anys(keys))
	text := "SELECT " + c.columns("t", []string{"trigger_key", "claim_id", "version"}) + " FROM " + c.t.triggers + " AS t WHERE " + in.SQL
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// heldTriggers tells, of the keys that a locking read did not return, those
// that are there all the same: another transaction holds them. The value is
// the claim that their last committed state carries, 0 for none.
func (t *tx) heldTriggers(keys []string, locked map[string]triggerView) (map[string]int64, error) {
	var missing []string
	for _, key := range keys {
		if _, ok := locked[key]; !ok {
			missing = append(missing, key)
		}
	}
	held := map[string]int64{}
	if t.c.d.SingleWriter() {
		return held, nil
	}
	err := t.queryKeys(missing, t.c.sqlTriggerClaims, func(rows *sql.Rows) error {
		var key string
		var claim sql.NullInt64
		var version int64
		err := rows.Scan(&key, &claim, &version)
		held[key] = claim.Int64
		return err
	})
	return held, err
}

// sqlRuns reads runs by id, and locks them where lock is true.
func (c *core) sqlRuns(ids []string, lock bool) (dialects.Statement, error) {
	id := "r." + c.d.Quote("run_id")
	in, err := c.d.In(id, dialects.Key(36), anys(ids))
	var hint, suffix string
	if lock {
		hint, suffix = c.d.Lock(dialects.LockSkip, "r")
	}
	text := "SELECT " + c.columns("r", runColumns) + " FROM " + c.t.runs + " AS r" + hint + " WHERE " + in.SQL + " ORDER BY " + id + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// lockRuns locks and reads runs by id, without waiting; held are those that
// another transaction holds, as last committed. ids must be sorted. A record
// with unknown values is returned like any other: its id, job, node and state
// are what matters here.
func (t *tx) lockRuns(ids []string) (locked, held map[string]provider.RunRecord, err error) {
	locked, held = make(map[string]provider.RunRecord, len(ids)), map[string]provider.RunRecord{}
	into := func(set map[string]provider.RunRecord) func(*sql.Rows) error {
		return func(rows *sql.Rows) error {
			r, err := scanRun(rows)
			set[r.ID] = r
			return ignoreUnreadable(err)
		}
	}
	err = t.queryKeys(ids, func(part []string) (dialects.Statement, error) { return t.c.sqlRuns(part, true) }, into(locked))
	if err != nil || t.c.d.SingleWriter() {
		return locked, held, err
	}
	var missing []string
	for _, id := range ids {
		if _, ok := locked[id]; !ok {
			missing = append(missing, id)
		}
	}
	err = t.queryKeys(missing, func(part []string) (dialects.Statement, error) { return t.c.sqlRuns(part, false) }, into(held))
	return locked, held, err
}

// ignoreUnreadable passes over values that this version does not know, where
// the rest of the row is what matters.
func ignoreUnreadable(err error) error {
	if errors.Is(err, errUnreadable) {
		return nil
	}
	return err
}
