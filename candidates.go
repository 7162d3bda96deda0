package gormsched

import (
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// dueFilter restricts what a node asks for: triggers that are Waiting and not
// local (R028), of jobs that it does not pass over (D14), and only one-shots
// where it is not the leader of an unshared store (D42).
type dueFilter struct {
	exclude  []string
	oneShots bool
}

// waiting is the filter's condition over alias t.
func (c *core) waiting(f dueFilter) (dialects.Statement, error) {
	q := c.d.Quote
	s := dialects.Statement{SQL: "t." + q("trigger_state") + " = 1 AND t." + q("is_local") + " = 0"}
	if len(f.exclude) > 0 {
		not, err := c.d.NotIn("t."+q("job_name"), dialects.Key(128), anys(f.exclude))
		if err != nil {
			return s, err
		}
		s.SQL += " AND " + not.SQL
		s.Args = append(s.Args, not.Args...)
	}
	if f.oneShots {
		var prefixes []string
		for _, p := range []string{provider.PrefixManual, provider.PrefixRetry, provider.PrefixRecovery} {
			prefixes = append(prefixes, "t."+q("trigger_name")+" LIKE '"+p+"%'")
		}
		s.SQL += " AND (" + strings.Join(prefixes, " OR ") + ")"
	}
	return s, nil
}

// candidates asks for due triggers in R029's order.
type candidates struct {
	filter dueFilter
	now    int64
	most   int
	lock   bool
	// after, where not nil, continues behind this trigger.
	after *provider.TriggerRecord
}

// sqlCandidates searches the claim index for the first due triggers. The
// condition and the order are the index's, so that nothing is sorted and a
// lock is taken on no row that is not answered (D03).
func (c *core) sqlCandidates(q candidates) (dialects.Statement, error) {
	where, err := c.waiting(q.filter)
	if err != nil {
		return where, err
	}
	next, priority, key := "t."+c.d.Quote("next_fire_us"), "t."+c.d.Quote("priority"), "t."+c.d.Quote("trigger_key")
	hint, suffix := c.passOver(), ""
	if q.lock {
		hint, suffix = c.d.Lock(dialects.LockSkipFound, "t")
	}
	head, tail := c.d.Limit(q.most)
	text := "SELECT" + head + " " + c.columns("t", triggerColumns) + " FROM " + c.t.triggers + " AS t" + c.force("triggers", "due") + hint + " WHERE " + where.SQL + " AND " + next + " <= ?"
	args := append(slices.Clone(where.Args), q.now)
	if a := q.after; a != nil {
		at := micros(a.NextFireAt)
		text += " AND " + next + " >= ? AND (" + next + " > ? OR " + priority + " < ? OR (" + priority + " = ? AND " + key + " > ?))"
		args = append(args, at, at, int64(a.Priority), int64(a.Priority), a.TriggerKey.String())
	}
	text += " ORDER BY " + c.dueOrder("t") + tail + suffix
	return dialects.Statement{SQL: text, Args: args}, nil
}

// candidate is a due trigger as read.
type candidate struct {
	record     provider.TriggerRecord
	unreadable bool
}

// due reads candidates in R029's order. The order is made again here: a row
// that changed while it was being locked may come out of it.
func (t *tx) due(q candidates) ([]candidate, error) {
	var list []candidate
	s, err := t.c.sqlCandidates(q)
	err = t.queryBuilt(func(rows *sql.Rows) error {
		r, err := scanTrigger(rows)
		if err != nil && !errors.Is(err, errUnreadable) {
			return err
		}
		list = append(list, candidate{record: r, unreadable: err != nil})
		return nil
	}, s, err)
	slices.SortFunc(list, func(a, b candidate) int { return dueCompare(a.record, b.record) })
	return list, err
}

// dueCompare is R029's order.
func dueCompare(a, b provider.TriggerRecord) int {
	if n := a.NextFireAt.Compare(b.NextFireAt); n != 0 {
		return n
	}
	if a.Priority != b.Priority {
		return b.Priority - a.Priority
	}
	return a.TriggerKey.Compare(b.TriggerKey)
}

// sqlNextDue reads the earliest instant at which a trigger is or becomes due:
// one probe of the claim index. clock, where not empty, is answered before it.
func (c *core) sqlNextDue(f dueFilter, clock string, clockArgs []any) (dialects.Statement, error) {
	where, err := c.waiting(f)
	next := "t." + c.d.Quote("next_fire_us")
	inner := "SELECT MIN(" + next + ") FROM " + c.t.triggers + " AS t" + c.passOver() + " WHERE " + where.SQL
	if hint := c.force("triggers", "due"); hint != "" {
		// With a further condition MIN would read all that wait.
		inner = "SELECT (SELECT " + next + " FROM " + c.t.triggers + " AS t" + hint + " WHERE " + where.SQL + " ORDER BY " + next + " LIMIT 1)"
	}
	if clock == "" {
		return dialects.Statement{SQL: inner, Args: where.Args}, err
	}
	return dialects.Statement{SQL: "SELECT " + clock + ", (" + inner + ")", Args: append(slices.Clone(clockArgs), where.Args...)}, err
}

// nextDue reads the earliest next instant, as this transaction has left it.
func (t *tx) nextDue(f dueFilter) (sql.NullInt64, error) {
	var us sql.NullInt64
	s, err := t.c.sqlNextDue(f, "", nil)
	err = t.queryBuilt(func(rows *sql.Rows) error { return rows.Scan(&us) }, s, err)
	return us, err
}
