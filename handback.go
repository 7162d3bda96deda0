package gormsched

import (
	"database/sql"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

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
