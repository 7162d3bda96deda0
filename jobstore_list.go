package gormsched

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strconv"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// pageRows is the length of a page whose query names none.
const pageRows = 1000

// Jobs reads jobs by name, in one statement outside any transaction for up to
// [provider.MaxBatch] names. A row that a newer version wrote is answered as it
// is and logged (D14); the Valid methods of its values tell.
func (s *JobStore) Jobs(ctx context.Context, names []string) ([]provider.JobRecord, error) {
	jobs := []provider.JobRecord{}
	if len(names) == 0 {
		return jobs, nil
	}
	err := s.core.inTx(ctx, "reading jobs", txRead, func(t *tx) error {
		jobs = jobs[:0]
		return t.queryKeys(sortedUnique(names), t.c.sqlJobs, t.intoJobs(&jobs))
	}, nil)
	if err != nil {
		return nil, err
	}
	return jobs, nil
}

// ListJobs reads the page of jobs behind a name (R108).
func (s *JobStore) ListJobs(ctx context.Context, after string, limit int) ([]provider.JobRecord, error) {
	c := s.core
	jobs := []provider.JobRecord{}
	head, tail := c.d.Limit(page(limit))
	name := "j." + c.d.Quote("job_name")
	text := "SELECT" + head + " " + c.columns("j", jobColumns) + " FROM " + c.t.jobs + " AS j WHERE " + name + " > ? ORDER BY " + name + tail
	err := c.inTx(ctx, "listing jobs", txRead, func(t *tx) error {
		jobs = jobs[:0]
		return t.query(t.intoJobs(&jobs), text, pageAfter(after))
	}, nil)
	if err != nil {
		return nil, err
	}
	return jobs, nil
}

// Triggers reads triggers by key; otherwise as Jobs.
func (s *JobStore) Triggers(ctx context.Context, keys []provider.TriggerKey) ([]provider.TriggerRecord, error) {
	triggers := []provider.TriggerRecord{}
	if len(keys) == 0 {
		return triggers, nil
	}
	err := s.core.inTx(ctx, "reading triggers", txRead, func(t *tx) error {
		triggers = triggers[:0]
		return t.queryKeys(sortedUnique(textKeys(keys)), t.c.sqlTriggers, t.intoTriggers(&triggers))
	}, nil)
	if err != nil {
		return nil, err
	}
	return triggers, nil
}

// ListTriggers reads the page of triggers behind a key (R108).
func (s *JobStore) ListTriggers(ctx context.Context, query provider.TriggerQuery) ([]provider.TriggerRecord, error) {
	triggers := []provider.TriggerRecord{}
	st, err := s.core.sqlListTriggers(query)
	if err != nil {
		return nil, provider.Unavailable("listing triggers", err)
	}
	err = s.core.inTx(ctx, "listing triggers", txRead, func(t *tx) error {
		triggers = triggers[:0]
		return t.query(t.intoTriggers(&triggers), st.SQL, st.Args...)
	}, nil)
	if err != nil {
		return nil, err
	}
	return triggers, nil
}

func (c *core) sqlJobs(names []string) (dialects.Statement, error) {
	name := "j." + c.d.Quote("job_name")
	in, err := c.d.In(name, dialects.Key(128), anys(names))
	text := "SELECT " + c.columns("j", jobColumns) + " FROM " + c.t.jobs + " AS j WHERE " + in.SQL + " ORDER BY " + name
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

func (c *core) sqlTriggers(keys []string) (dialects.Statement, error) {
	key := "t." + c.d.Quote("trigger_key")
	in, err := c.d.In(key, dialects.Key(257), anys(keys))
	text := "SELECT " + c.columns("t", triggerColumns) + " FROM " + c.t.triggers + " AS t WHERE " + in.SQL + " ORDER BY " + key
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

func (c *core) sqlListTriggers(query provider.TriggerQuery) (dialects.Statement, error) {
	q := c.d.Quote
	key := "t." + q("trigger_key")
	where := condition{d: c.d}
	if query.After != (provider.TriggerKey{}) {
		where.add(key+" > ?", pageAfter(query.After.String()))
	}
	where.in("t."+q("job_name"), dialects.Key(128), anys(sortedUnique(query.Jobs)))
	states := make([]any, len(query.States))
	for i, state := range query.States {
		states[i] = int64(state)
	}
	where.in("t."+q("trigger_state"), dialects.Small, states)
	if query.LocalOnly {
		where.add("t." + q("is_local") + " = 1")
	}
	if query.ScheduledOnly {
		where.add("t." + q("run_as") + " = " + strconv.Itoa(int(provider.KindSchedule)))
	}
	head, tail := c.d.Limit(page(query.Limit))
	text := "SELECT" + head + " " + c.columns("t", triggerColumns) + " FROM " + c.t.triggers + " AS t" + where.text() + " ORDER BY " + key + tail
	return dialects.Statement{SQL: text, Args: where.args}, where.err
}

// condition puts a WHERE clause together.
type condition struct {
	d     dialects.Dialect
	terms string
	args  []any
	err   error
}

func (w *condition) add(term string, args ...any) {
	if w.terms != "" {
		w.terms += " AND "
	}
	w.terms += term
	w.args = append(w.args, args...)
}

// in restricts to values; no values do not restrict.
func (w *condition) in(expr string, kind dialects.Type, values []any) {
	if len(values) == 0 {
		return
	}
	in, err := w.d.In(expr, kind, values)
	if err != nil {
		w.err = err
	}
	w.add(in.SQL, in.Args...)
}

func (w *condition) text() string {
	if w.terms == "" {
		return ""
	}
	return " WHERE " + w.terms
}

func (t *tx) intoJobs(jobs *[]provider.JobRecord) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		r, err := scanJob(rows)
		*jobs = append(*jobs, r)
		return t.c.noteUnreadable(t.ctx, "job", err)
	}
}

func (t *tx) intoTriggers(triggers *[]provider.TriggerRecord) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		r, err := scanTrigger(rows)
		*triggers = append(*triggers, r)
		return t.c.noteUnreadable(t.ctx, "trigger", err)
	}
}

// noteUnreadable logs a row that a newer version wrote, and lets it pass.
func (c *core) noteUnreadable(ctx context.Context, kind string, err error) error {
	if errors.Is(err, errUnreadable) {
		c.log.DebugContext(ctx, "gormsched: "+kind+" "+err.Error(), slog.String("remedy", "update this node to the version that wrote it"))
		return nil
	}
	return err
}

// pageAfter is the key behind which a page begins. Keys are ASCII; MySQL does not
// compare them with anything else. What is not ends here: every key that begins
// with the part before it comes before it.
func pageAfter(key string) string {
	for i := range len(key) {
		if key[i] >= 0x80 {
			return key[:i] + "\x7f"
		}
	}
	return key
}

func page(limit int) int {
	if limit <= 0 {
		return pageRows
	}
	return limit
}
