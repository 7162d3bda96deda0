package gormsched

import (
	"database/sql"
	"time"

	"github.com/gormsched/gormsched/dialects"
)

// Inserting rows whose key is free, and knowing which those were.
//
// MySQL, MariaDB and SQL Server have no statement for it that locks nothing else
// (see [dialects.Dialect]). There the
// rows are inserted as if all their keys were free, which they nearly always
// are; if one is not, the statement has done nothing, and the rows are inserted
// one by one. A key that is found taken stays taken until the transaction ends:
// the server holds the other's row meanwhile.

// insertAbsent inserts at most one batch of rows, as far as their keys are
// free, and notes the first column of each that it inserted. It waits for
// somebody who is inserting the same key.
func (t *tx) insertAbsent(in dialects.Insert, inserted map[string]bool) error {
	if t.c.d.InsertsAbsent() {
		s, err := t.c.d.Insert(in)
		return t.queryBuilt(func(rows *sql.Rows) error {
			var key string
			err := rows.Scan(&key)
			inserted[key] = true
			return err
		}, s, err)
	}
	in.Absent, in.Returning = false, nil
	free, err := t.insertIfFree(in)
	if err != nil {
		return err
	}
	for _, row := range in.Rows {
		alone := in
		alone.Rows = [][]any{row}
		if ok := free; !ok {
			if ok, err = t.insertIfFree(alone); err != nil {
				return err
			}
			if !ok {
				continue
			}
		}
		inserted[row[0].(string)] = true
	}
	return nil
}

// insertIfFree inserts all rows, or none where a key is taken.
func (t *tx) insertIfFree(in dialects.Insert) (bool, error) {
	if len(in.Rows) == 0 {
		return true, nil
	}
	s, err := t.c.d.Insert(in)
	_, err = t.execBuilt(s, err)
	if t.c.d.Classify(err) == dialects.FaultDuplicate {
		return false, nil
	}
	return err == nil, err
}

// sqlFreeForJobs reads which of some triggers have a job and a free name, with
// what the job says. It locks nothing, in an application's transaction of any
// isolation level below SERIALIZABLE, which an INSERT that reads would; at that
// level it shares these jobs and no others.
func (c *core) sqlFreeForJobs(keys [][]any, now string, nowArgs []any) (dialects.Statement, error) {
	q := c.d.Quote
	source, err := c.d.Source("v", sourceColumns("trigger_key", "job_name"), keys)
	text := "SELECT v." + q("trigger_key") + ", 1 - j." + q("allow_concurrent") + ", " + now + " FROM " + source.SQL +
		c.fixedJoin() + c.t.jobs + " AS j" + c.byKey() + " ON j." + q("job_name") + " = v." + q("job_name") +
		" LEFT JOIN " + c.t.triggers + " AS t" + c.byKey() + " ON t." + q("trigger_key") + " = v." + q("trigger_key") + " WHERE t." + q("trigger_key") + " IS NULL"
	return dialects.Statement{SQL: text, Args: append(append([]any(nil), nowArgs...), source.Args...)}, err
}

// readAndInsertForJobs inserts triggers whose job exists and whose name is free,
// and notes when each of them is due.
func (t *tx) readAndInsertForJobs(rows [][]any, due map[string]time.Time) error {
	keys := make([][]any, len(rows))
	for i, row := range rows {
		keys[i] = row[:2] // trigger_key, job_name
	}
	now, args := t.nowExpr()
	s, err := t.c.sqlFreeForJobs(keys, now, args)
	exclusive := map[string]int64{}
	err = t.queryBuilt(func(rows *sql.Rows) error {
		var key string
		var hint, us int64
		err := rows.Scan(&key, &hint, &us)
		exclusive[key] = hint
		t.setNow(us)
		return err
	}, s, err)
	if err != nil {
		return err
	}
	in := t.c.absentTriggers(nil)
	next, scheduled, hint := indexOfColumn("next_fire_us"), indexOfColumn("scheduled_us"), indexOfColumn("is_exclusive")
	instants := map[string]int64{}
	for _, row := range rows {
		key := row[0].(string)
		flag, free := exclusive[key]
		if !free {
			continue
		}
		row[hint] = flag
		for _, at := range []int{next, scheduled} {
			if row[at] == nil {
				row[at] = t.us
			}
		}
		instants[key] = row[next].(int64)
		in.Rows = append(in.Rows, row)
	}
	inserted := map[string]bool{}
	if err := t.insertAbsent(in, inserted); err != nil {
		return err
	}
	for key := range inserted {
		due[key] = instant(instants[key])
	}
	return nil
}

// indexOfColumn is the place of a column in a trigger's row.
func indexOfColumn(name string) int {
	for i, column := range triggerColumns {
		if column == name {
			return i
		}
	}
	return -1
}

// sqlHoldDueInstants is sqlDueInstants for triggers that an insert has found
// taken: it locks them, and so sees them where the transaction reads an older
// state, as an application's under REPEATABLE READ does.
func (c *core) sqlHoldDueInstants(keys []string) (dialects.Statement, error) {
	in, err := c.d.In("t."+c.d.Quote("trigger_key"), dialects.Key(257), anys(keys))
	hint, suffix := c.d.Lock(dialects.LockWait, "t")
	text := "SELECT " + c.columns("t", []string{"trigger_key", "next_fire_us"}) + " FROM " + c.t.triggers + " AS t" + hint + " WHERE " + in.SQL + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}
