package gormsched

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Enqueue inserts one-shots in a transaction of its own (R234, D10, D38). It
// locks nothing but the rows that it inserts, and waits only for somebody who
// is inserting the same name.
//
// An unknown commit is looked up by the names, among the triggers and, as a
// one-shot may have begun meanwhile, among the runs.
func (s *JobStore) Enqueue(ctx context.Context, triggers []provider.TriggerRecord) ([]provider.EnqueueAnswer, error) {
	if len(triggers) == 0 {
		return []provider.EnqueueAnswer{}, nil
	}
	var answers []provider.EnqueueAnswer
	err := s.core.inTx(ctx, "enqueueing one-shots", txManage, func(t *tx) error {
		var err error
		answers, err = t.enqueue(triggers)
		return err
	}, func(ctx context.Context) (bool, error) {
		return s.core.enqueueTookEffect(ctx, answers)
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// enqueueRounds bounds how often an insert is sent again because a one-shot of
// the same name was there when it was inserted, and gone when it was read.
const enqueueRounds = 3

// enqueue inserts one-shots with one statement that reads their jobs too, and
// reads afterwards why some of them, if any, were not inserted.
func (t *tx) enqueue(triggers []provider.TriggerRecord) ([]provider.EnqueueAnswer, error) {
	first := make(map[string]int, len(triggers)) // of several of one name only the first is inserted
	var keys []string
	refused := map[int]error{}
	for i, tr := range triggers {
		if err := provider.CheckOneShot(tr); err != nil {
			refused[i] = err
			continue
		}
		key := tr.TriggerKey.String()
		if _, ok := first[key]; !ok {
			first[key] = i
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	due, existed := map[string]time.Time{}, map[string]bool{}
	for round := 0; len(keys) > 0; round++ {
		if round == enqueueRounds {
			return nil, provider.Contended("enqueueing one-shots")
		}
		rows := make([][]any, len(keys))
		for i, key := range keys {
			rows[i] = triggerRow(oneShot(triggers[first[key]]))
		}
		if err := t.insertForJobs(rows, due); err != nil {
			return nil, err
		}
		rest := missingFrom(keys, due)
		if err := t.dueInstants(rest, due, round > 0); err != nil {
			return nil, err
		}
		for _, key := range rest {
			_, existed[key] = due[key]
		}
		rest = missingFrom(rest, due)
		names := make([]string, len(rest))
		for i, key := range rest {
			names[i] = triggers[first[key]].Job
		}
		jobs, err := t.jobNames(sortedUnique(names))
		if err != nil {
			return nil, err
		}
		keys = slices.DeleteFunc(rest, func(key string) bool { return !jobs[triggers[first[key]].Job] })
	}
	answers := make([]provider.EnqueueAnswer, len(triggers))
	for i, tr := range triggers {
		if refused[i] != nil {
			answers[i] = provider.EnqueueAnswer{Key: tr.TriggerKey, Err: refused[i]}
			continue
		}
		key := tr.TriggerKey.String()
		at, ok := due[key]
		answers[i] = provider.EnqueueAnswer{Key: tr.TriggerKey, DueAt: at, Existed: ok && (existed[key] || first[key] != i)}
		if !ok {
			answers[i].Err = provider.NotFound(provider.CodeJobNotFound, tr.Job)
		}
	}
	return answers, nil
}

// missingFrom gives the keys that have no entry.
func missingFrom(keys []string, found map[string]time.Time) []string {
	var missing []string
	for _, key := range keys {
		if _, ok := found[key]; !ok {
			missing = append(missing, key)
		}
	}
	return missing
}

// oneShot is a trigger as it is enqueued: Waiting whatever the job's flag says
// (D11). Its due instant, if it has none, and the hint come with the insert.
func oneShot(tr provider.TriggerRecord) provider.TriggerRecord {
	tr.State, tr.Paused, tr.Version = provider.TriggerWaiting, false, 1
	tr.ScheduledAt = tr.NextFireAt
	tr.ClaimID, tr.ClaimedBy, tr.Incarnation, tr.ClaimedAt = 0, "", 0, time.Time{}
	return tr
}

// sqlInsertForJobs inserts triggers whose job exists and whose name is free.
func (c *core) sqlInsertForJobs(rows [][]any, now string, nowArgs []any) (dialects.Statement, error) {
	q := c.d.Quote
	source, err := c.d.Source("v", sourceColumns(triggerColumns...), rows)
	if err != nil {
		return source, err
	}
	text, args := "SELECT ", []any(nil)
	for i, name := range triggerColumns {
		if i > 0 {
			text += ", "
		}
		switch name {
		case "is_exclusive":
			text += "1 - j." + q("allow_concurrent")
		case "scheduled_us", "next_fire_us":
			text += "COALESCE(v." + q(name) + ", " + now + ")"
			args = append(args, nowArgs...)
		default:
			text += "v." + q(name)
		}
	}
	text += " FROM " + source.SQL + " JOIN " + c.t.jobs + " AS j ON j." + q("job_name") + " = v." + q("job_name") + " WHERE 1 = 1"
	return c.d.InsertSelect(dialects.InsertSelect{
		Table: c.t.triggers, Columns: triggerColumns,
		Select: dialects.Statement{SQL: text, Args: append(args, source.Args...)},
		Absent: true, Returning: []string{"trigger_key", "next_fire_us"},
	})
}

// insertForJobs notes when each trigger that it inserted is due.
func (t *tx) insertForJobs(rows [][]any, due map[string]time.Time) error {
	for part := range parts(rows) {
		if !t.c.d.InsertsAbsent() {
			if err := t.readAndInsertForJobs(part, due); err != nil {
				return err
			}
			continue
		}
		now, args := t.nowExpr()
		s, err := t.c.sqlInsertForJobs(part, now, args)
		if err := t.queryBuilt(keyAndDue(due), s, err); err != nil {
			return err
		}
	}
	return nil
}

func keyAndDue(due map[string]time.Time) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var key string
		var us sql.NullInt64
		err := rows.Scan(&key, &us)
		due[key] = nullInstant(us)
		return err
	}
}

// sqlDueInstants reads when triggers are due.
func (c *core) sqlDueInstants(keys []string) (dialects.Statement, error) {
	q := c.d.Quote
	in, err := c.d.In("t."+q("trigger_key"), dialects.Key(257), anys(keys))
	text := "SELECT " + c.columns("t", []string{"trigger_key", "next_fire_us"}) + " FROM " + c.t.triggers + " AS t" + c.byKey() + " WHERE " + in.SQL
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// dueInstants reads when triggers are due; again says that an insert has just
// found some of them there that a read before did not see.
func (t *tx) dueInstants(keys []string, due map[string]time.Time, again bool) error {
	build := t.c.sqlDueInstants
	if again && !t.c.d.InsertsAbsent() {
		build = t.c.sqlHoldDueInstants
	}
	return t.queryKeys(keys, build, keyAndDue(due))
}

// sqlJobNames reads which jobs exist.
func (c *core) sqlJobNames(names []string) (dialects.Statement, error) {
	name := "j." + c.d.Quote("job_name")
	in, err := c.d.In(name, dialects.Key(128), anys(names))
	return dialects.Statement{SQL: "SELECT " + name + " FROM " + c.t.jobs + " AS j" + c.byKey() + " WHERE " + in.SQL, Args: in.Args}, err
}

func (t *tx) jobNames(names []string) (map[string]bool, error) {
	found := make(map[string]bool, len(names))
	err := t.queryKeys(names, t.c.sqlJobNames, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		found[name] = true
		return err
	})
	return found, err
}

// insertOneShots inserts the one-shots of a completion or a sweep whose name is
// free, and answers which were.
func (t *tx) insertOneShots(list []provider.TriggerRecord) (map[string]bool, error) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b provider.TriggerRecord) int { return a.TriggerKey.Compare(b.TriggerKey) })
	inserted := make(map[string]bool, len(list))
	rows := make([][]any, len(list))
	for i, tr := range list {
		rows[i] = triggerRow(tr)
	}
	for part := range parts(rows) {
		if err := t.insertAbsent(t.c.absentTriggers(part), inserted); err != nil {
			return nil, err
		}
	}
	return inserted, nil
}

// absentTriggers inserts triggers whose name is free.
func (c *core) absentTriggers(rows [][]any) dialects.Insert {
	return dialects.Insert{
		Table: c.t.triggers, Columns: sourceColumns(triggerColumns...), Rows: rows,
		Absent: true, Returning: []string{"trigger_key"},
	}
}

// enqueueTookEffect looks for what a lost commit would have left: its triggers,
// or the runs that they have become.
func (c *core) enqueueTookEffect(ctx context.Context, answers []provider.EnqueueAnswer) (bool, error) {
	var keys []string
	earliest := map[string]int64{} // job → due
	names := map[string]bool{}
	for _, a := range answers {
		if a.Err == nil && !a.Existed {
			keys = append(keys, a.Key.String())
			names[a.Key.String()] = true
			if us, ok := earliest[a.Key.Job]; !ok || micros(a.DueAt) < us {
				earliest[a.Key.Job] = micros(a.DueAt)
			}
		}
	}
	found := false
	err := c.lookUpKeys(ctx, keys, c.sqlDueInstants, func(*sql.Rows) error { found = true; return nil })
	if found || err != nil {
		return found, err
	}
	for job, us := range earliest {
		err := c.inTx(ctx, "looking up enqueued one-shots", txRead, func(t *tx) error {
			s := c.sqlRunTriggers(job, us)
			return t.query(func(rows *sql.Rows) error {
				var trigger string
				err := rows.Scan(&trigger)
				found = found || names[provider.TriggerKey{Job: job, Trigger: trigger}.String()]
				return err
			}, s.SQL, s.Args...)
		}, nil)
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// sqlRunTriggers reads the trigger names of a job's runs from an occurrence on.
func (c *core) sqlRunTriggers(job string, us int64) dialects.Statement {
	q := c.d.Quote
	return dialects.Statement{
		SQL:  "SELECT r." + q("trigger_name") + " FROM " + c.t.runs + " AS r" + c.force("runs", "job_sched") + " WHERE r." + q("job_name") + " = ? AND r." + q("scheduled_us") + " >= ?",
		Args: []any{job, us},
	}
}
