package gormsched

import (
	"database/sql"

	"github.com/gormsched/gormsched/dialects"
)

// sqlJobStates reads the few columns that ending a run needs, and locks the
// rows where lock is true. Jobs that allow concurrent runs are left out of the
// locking read unless they are occupied.
func (c *core) sqlJobStates(names []string, lock bool) (dialects.Statement, error) {
	q := c.d.Quote
	name := "j." + q("job_name")
	build := func(names []string) (dialects.Statement, error) { return c.d.In(name, dialects.Key(128), anys(names)) }
	if lock {
		build = func(names []string) (dialects.Statement, error) { return c.lockIn(name, dialects.Key(128), names) }
	}
	in, err := build(names)
	if err != nil {
		return in, err
	}
	var hint, suffix, restrict string
	if lock {
		hint, suffix = c.d.Lock(dialects.LockSkip, "j")
		restrict = " AND (" + c.occupiable().SQL + ")"
	}
	text := "SELECT " + c.columns("j", []string{"job_name", "allow_concurrent", "paused", "active_run_id"}) +
		" FROM " + c.t.jobs + " AS j" + hint + " WHERE " + in.SQL + restrict + " ORDER BY " + name + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// lockJobStates locks those jobs of runs that end whose rows are needed,
// without waiting. The others follow with [tx.readJobStates]. names must be
// sorted.
func (t *tx) lockJobStates(names []string) (map[string]*jobState, error) {
	states := make(map[string]*jobState, len(names))
	single := t.c.d.SingleWriter()
	err := t.queryKeys(names, func(part []string) (dialects.Statement, error) {
		return t.c.sqlJobStates(part, !single)
	}, intoJobStates(states, true))
	return states, err
}

// readJobStates reads the jobs that were not locked, plainly. One that is in no
// answer is gone. It comes after the runs are locked: a job that became
// exclusive before shows as exclusive and not locked, and whoever makes it
// exclusive later waits for the run and finds it ended.
func (t *tx) readJobStates(names []string, states map[string]*jobState) error {
	if t.c.d.SingleWriter() {
		return nil
	}
	var missing []string
	for _, name := range names {
		if states[name] == nil {
			missing = append(missing, name)
		}
	}
	return t.queryKeys(missing, func(part []string) (dialects.Statement, error) {
		return t.c.sqlJobStates(part, false)
	}, intoJobStates(states, false))
}

func intoJobStates(states map[string]*jobState, locked bool) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var name string
		var concurrent, paused int64
		var active sql.NullString
		err := rows.Scan(&name, &concurrent, &paused, &active)
		states[name] = &jobState{concurrent: concurrent != 0, paused: paused != 0, active: active.String, locked: locked}
		return err
	}
}
