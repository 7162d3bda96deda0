package gormsched

import (
	"database/sql"
	"maps"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Management calls lock in the order of D23 and wait for what another
// transaction holds: job rows by name, then trigger rows by key. Which triggers
// a job has is read without locks, and then those are locked: a row that an
// application has inserted and not committed (D34) stops nobody.
//
// Each call is one transaction. A process that stops in it has changed nothing,
// and what it had locked is free once the database ends its session. A commit
// that is not answered is found out by the same call: it runs again, waits for
// the rows, and recognises what it had written by the versions that it drew.

// sqlTriggersOf reads plainly which triggers jobs have.
func (c *core) sqlTriggersOf(jobs []string) (dialects.Statement, error) {
	q := c.d.Quote
	in, err := c.d.In("t."+q("job_name"), dialects.Key(128), anys(jobs))
	text := "SELECT t." + q("trigger_key") + ", t." + q("trigger_name") + ", t." + q("job_name") + ", t." + q("is_exclusive") + ", t." + q("paused") +
		" FROM " + c.t.triggers + " AS t WHERE " + in.SQL
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// triggerOf is what is read of a trigger before it is locked.
type triggerOf struct {
	key, name, job    string
	exclusive, paused bool
}

// triggersOf reads plainly which triggers jobs have, in no particular order.
func (t *tx) triggersOf(jobs []string) ([]triggerOf, error) {
	var list []triggerOf
	err := t.queryKeys(jobs, t.c.sqlTriggersOf, func(rows *sql.Rows) error {
		var row triggerOf
		var exclusive, paused int64
		err := rows.Scan(&row.key, &row.name, &row.job, &exclusive, &paused)
		row.exclusive, row.paused = exclusive != 0, paused != 0
		list = append(list, row)
		return err
	})
	return list, err
}

// holdJobs locks the rows of jobs, waiting for them, and reads them. Names that
// are not there, or came after the locking read, are not in the answer.
func (t *tx) holdJobs(names []string) (map[string]*jobView, error) {
	return t.holdJobsBy(names, dialects.LockWait)
}

// holdJobsAlone is holdJobs for saving and deleting: it waits also for those who
// are about to begin a run of a concurrent job, and keeps others from it (D12).
func (t *tx) holdJobsAlone(names []string) (map[string]*jobView, error) {
	return t.holdJobsBy(names, dialects.LockAlone)
}

func (t *tx) holdJobsBy(names []string, mode dialects.LockMode) (map[string]*jobView, error) {
	locked, err := t.lockJobs(names, dialects.Statement{}, mode)
	if err != nil {
		return nil, err
	}
	jobs, err := t.readJobs(names, locked)
	for name, job := range jobs {
		if !job.locked {
			delete(jobs, name)
		}
	}
	return jobs, err
}

// sqlHoldTriggers locks trigger rows by key, waiting for them, and reads them.
func (c *core) sqlHoldTriggers(keys []string) (dialects.Statement, error) {
	key := "t." + c.d.Quote("trigger_key")
	in, err := c.d.In(key, dialects.Key(257), anys(keys))
	hint, suffix := c.d.Lock(dialects.LockWait, "t")
	text := "SELECT " + c.columns("t", triggerColumns) + " FROM " + c.t.triggers + " AS t" + hint + " WHERE " + in.SQL + " ORDER BY " + key + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// holdTriggers locks and reads triggers by key. Those that are not there are
// not in the answer. Rows with values that this version does not know are read
// like any other: a management call is the user's word (D14).
func (t *tx) holdTriggers(keys []string) (map[string]provider.TriggerRecord, error) {
	found := make(map[string]provider.TriggerRecord, len(keys))
	err := t.queryKeys(sortedUnique(keys), t.c.sqlHoldTriggers, func(rows *sql.Rows) error {
		r, err := scanTrigger(rows)
		found[r.TriggerKey.String()] = r
		return ignoreUnreadable(err)
	})
	return found, err
}

// setTriggers writes triggers that this transaction has locked, every column
// but their names, each with the version in its record.
func (t *tx) setTriggers(rows []provider.TriggerRecord) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = triggerRow(r)
	}
	up := dialects.Update{Table: t.c.t.triggers, Columns: sourceColumns(triggerColumns...), Rows: values}
	for _, name := range triggerColumns {
		if name != "trigger_key" && name != "job_name" && name != "trigger_name" {
			up.Set = append(up.Set, dialects.Set{Column: name})
		}
	}
	_, err := t.updateRows(up)
	return err
}

// insertTriggers inserts triggers of which this transaction knows that they
// are not there.
func (t *tx) insertTriggers(rows []provider.TriggerRecord) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = triggerRow(r)
	}
	return t.insertRows(t.c.t.triggers, sourceColumns(triggerColumns...), values)
}

func (t *tx) deleteTriggers(keys []string) error {
	_, err := t.deleteRows(dialects.Delete{Table: t.c.t.triggers, Key: sourceColumns("trigger_key")[0], Keys: anys(sortedUnique(keys))})
	return err
}

// newVersion is the version of a row that replaces one of version old; 0 for a
// row that is new. It is drawn like a sequence number, so that a row that was
// deleted and made again is not taken for the one before (D22).
func (t *tx) newVersion(old int64) (int64, error) {
	now, err := t.nowUS()
	if err != nil {
		return 0, err
	}
	return t.c.nextSequence(max(old+1, now)), nil
}

// jobsOf are the distinct jobs of keys, by name.
func jobsOf(keys []provider.TriggerKey) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Job
	}
	return sortedUnique(names)
}

func textKeys(keys []provider.TriggerKey) []string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.String()
	}
	return texts
}

// perJob and perTrigger answer nil for what was found, otherwise that it was
// not.
func perJob(names []string, found func(string) bool) []error {
	answers := make([]error, len(names))
	for i, name := range names {
		if !found(name) {
			answers[i] = provider.NotFound(provider.CodeJobNotFound, name)
		}
	}
	return answers
}

func perTrigger(keys []provider.TriggerKey, found func(string) bool) []error {
	answers := make([]error, len(keys))
	for i, key := range keys {
		if !found(key.String()) {
			answers[i] = provider.NotFound(provider.CodeTriggerNotFound, key.String())
		}
	}
	return answers
}

func sortedKeys[V any](set map[string]V) []string { return slices.Sorted(maps.Keys(set)) }
