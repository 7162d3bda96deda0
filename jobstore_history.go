package gormsched

import (
	"context"
	"database/sql"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The history's reads are one statement each, outside any transaction, and
// take no locks. Every filter is a condition of the statement (R111).

// Runs reads a page of the history: scheduled instant descending, then sequence
// descending (R114), then id, so that the order is total and pages neither
// repeat nor skip a run (R108). A page that is out of range is ErrInvalidPage
// and asks nothing of the database (R116).
func (s *JobStore) Runs(ctx context.Context, query provider.RunQuery) ([]provider.RunRecord, error) {
	if query.Skip < 0 || query.Limit < 1 || query.Limit > provider.MaxRunPage {
		return nil, &provider.Error{Code: provider.CodeInvalidPage, Reason: "Skip must be 0 or more, Limit 1 to 1000"}
	}
	st, err := s.core.sqlRunsPage(query)
	if err != nil {
		return nil, provider.Unavailable("reading runs", err)
	}
	return s.readRuns(ctx, "reading runs", st)
}

// sqlRunsPage reads a page in the order of the index over the instants; the id
// sorts only among runs of equal instant and sequence.
func (c *core) sqlRunsPage(query provider.RunQuery) (dialects.Statement, error) {
	q := c.d.Quote
	where, err := c.runsWhere(query)
	page := c.d.(dialects.Pager).Page(query.Skip, query.Limit)
	index := "sched"
	if query.Job != "" {
		index = "job_sched"
	}
	text := "SELECT " + c.columns("r", runColumns) + " FROM " + c.t.runs + " AS r" + c.force("runs", index) + where.SQL +
		" ORDER BY r." + q("scheduled_us") + " DESC, r." + q("sequence_no") + " DESC, r." + q("run_id") + c.lastInIndex() + page.SQL
	return dialects.Statement{SQL: text, Args: append(where.Args, page.Args...)}, err
}

// CountRuns counts under the same filters (R117).
func (s *JobStore) CountRuns(ctx context.Context, query provider.RunQuery) (int64, error) {
	c := s.core
	where, err := c.runsWhere(query)
	if err != nil {
		return 0, provider.Unavailable("counting runs", err)
	}
	var n int64
	err = c.inTx(ctx, "counting runs", txRead, func(t *tx) error {
		return t.query(instantColumn(&n), "SELECT COUNT(*) FROM "+c.t.runs+" AS r"+where.SQL, where.Args...)
	}, nil)
	if err != nil {
		return 0, err
	}
	return n, nil
}

// runsWhere is the WHERE clause of a query; empty where nothing is filtered.
func (c *core) runsWhere(query provider.RunQuery) (dialects.Statement, error) {
	col := func(name string) string { return "r." + c.d.Quote(name) }
	where := condition{d: c.d}
	if query.Job != "" {
		where.in(col("job_name"), dialects.Key(128), []any{query.Job})
	}
	if query.Trigger != "" {
		where.in(col("trigger_name"), dialects.Key(128), []any{query.Trigger})
	}
	if query.Node != "" {
		where.in(col("node_id"), dialects.Key(128), []any{query.Node})
	}
	states := make([]any, len(query.States))
	for i, state := range query.States {
		states[i] = int64(state)
	}
	where.in(col("run_state"), dialects.Small, states)
	if !query.From.IsZero() {
		where.add(col("scheduled_us")+" >= ?", ceil(query.From))
	}
	if !query.To.IsZero() {
		where.add(col("scheduled_us")+" < ?", ceil(query.To))
	}
	if query.WithError {
		where.add(col("error_code") + " IS NOT NULL")
	}
	if query.WithoutError {
		where.add(col("error_code") + " IS NULL")
	}
	return dialects.Statement{SQL: where.text(), Args: where.args}, where.err
}

// ceil is the first microsecond that is not before an instant: stored instants
// are whole, so that a bound within a microsecond falls behind the one that
// began earlier.
func ceil(t time.Time) int64 {
	us := micros(t)
	if instant(us).Before(t) {
		us++
	}
	return us
}

// RunsByID reads runs by id, ordered by id.
func (s *JobStore) RunsByID(ctx context.Context, ids []string) ([]provider.RunRecord, error) {
	runs := []provider.RunRecord{}
	if len(ids) == 0 {
		return runs, nil
	}
	err := s.core.inTx(ctx, "reading runs", txRead, func(t *tx) error {
		runs = runs[:0]
		return t.queryKeys(sortedUnique(ids), func(part []string) (dialects.Statement, error) {
			return t.c.sqlRuns(part, false)
		}, t.intoRuns(&runs))
	}, nil)
	if err != nil {
		return nil, err
	}
	return runs, nil
}

// RunningRuns reads the Running records, by start (R118). They are those with
// a node in running_on, which has an index of its own (D44).
func (s *JobStore) RunningRuns(ctx context.Context, jobs []string) ([]provider.RunRecord, error) {
	c := s.core
	q := c.d.Quote
	where := condition{d: c.d}
	where.add(c.present("r." + q("running_on")))
	where.in("r."+q("job_name"), dialects.Key(128), anys(sortedUnique(jobs)))
	if where.err != nil {
		return nil, provider.Unavailable("reading running runs", where.err)
	}
	text := "SELECT " + c.columns("r", runColumns) + " FROM " + c.t.runs + " AS r" + where.text() + " ORDER BY r." + q("started_us") + ", r." + q("run_id")
	return s.readRuns(ctx, "reading running runs", dialects.Statement{SQL: text, Args: where.args})
}

// LatestRuns reads, for each job, the run that ended last (R119): one probe of
// the index over job and completion for each.
func (s *JobStore) LatestRuns(ctx context.Context, jobs []string) ([]provider.RunRecord, error) {
	runs := []provider.RunRecord{}
	if len(jobs) == 0 {
		return runs, nil
	}
	err := s.core.inTx(ctx, "reading latest runs", txRead, func(t *tx) error {
		runs = runs[:0]
		return t.queryKeys(sortedUnique(jobs), t.c.sqlLatest, t.intoRuns(&runs))
	}, nil)
	if err != nil {
		return nil, err
	}
	return runs, nil
}

func (c *core) sqlLatest(jobs []string) (dialects.Statement, error) {
	q := c.d.Quote
	if _, ok := c.d.(dialects.IndexForcer); ok { // would sort all runs of each job
		s, err := c.d.First(dialects.First{
			Table: c.t.runs, Key: "run_id", Parent: sourceColumns("job_name")[0], Parents: anys(jobs), Select: runColumns,
			Where: dialects.Statement{SQL: "b." + q("completed_us") + " IS NOT NULL"},
			Order: "b." + q("completed_us") + " DESC, b." + q("run_id") + " DESC", Each: 1, Total: len(jobs),
		})
		s.SQL += " ORDER BY b." + q("job_name")
		return s, err
	}
	source, err := c.d.Source("v", sourceColumns("job_name"), rowsOf(jobs))
	head, tail := c.d.Limit(1)
	latest := "SELECT" + head + " b." + q("run_id") + " FROM " + c.t.runs + " AS b WHERE b." + q("job_name") + " = v." + q("job_name") +
		" AND b." + q("completed_us") + " IS NOT NULL ORDER BY b." + q("completed_us") + " DESC, b." + q("run_id") + " DESC" + tail
	text := "SELECT " + c.columns("r", runColumns) + " FROM " + source.SQL + " JOIN " + c.t.runs + " AS r ON r." + q("run_id") + " = (" + latest + ") ORDER BY r." + q("job_name")
	return dialects.Statement{SQL: text, Args: source.Args}, err
}

// PurgeRuns deletes ended runs in chunks of their own (D27). Rows that another
// node is purging are left to it. A stop between two chunks leaves the rest to
// the next purge.
func (s *JobStore) PurgeRuns(ctx context.Context, age time.Duration) (int64, error) {
	var total int64
	if age <= 0 {
		return 0, nil
	}
	for {
		n, err := s.purgeChunk(ctx, age)
		total += int64(n)
		if err != nil || n < provider.MaxBatch {
			return total, err
		}
	}
}

func (s *JobStore) purgeChunk(ctx context.Context, age time.Duration) (int, error) {
	var ids []string
	err := s.core.inTx(ctx, "purging runs", txDispatch, func(t *tx) error {
		ids = nil
		now, err := t.nowUS()
		if err != nil {
			return err
		}
		err = t.query(func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		}, t.c.sqlPurgeable(), now-age.Microseconds())
		if err != nil {
			return err
		}
		_, err = t.deleteRows(dialects.Delete{Table: t.c.t.runs, Key: sourceColumns("run_id")[0], Keys: anys(ids)})
		return err
	}, func(ctx context.Context) (bool, error) {
		// Nothing but a purge deletes runs: if the lost commit took effect,
		// none of them is there.
		found, err := s.core.anyRun(ctx, ids)
		return !found, err
	})
	if err != nil {
		return 0, err
	}
	return len(ids), nil
}

// sqlPurgeable locks the oldest ended runs, without waiting.
func (c *core) sqlPurgeable() string {
	q := c.d.Quote
	hint, suffix := c.d.Lock(dialects.LockSkipFound, "r")
	head, tail := c.d.Limit(provider.MaxBatch)
	return "SELECT" + head + " r." + q("run_id") + " FROM " + c.t.runs + " AS r" + c.force("runs", "done") + hint + " WHERE r." + q("completed_us") + " < ? ORDER BY r." + q("completed_us") + tail + suffix
}

// readRuns sends one query.
func (s *JobStore) readRuns(ctx context.Context, op string, st dialects.Statement) ([]provider.RunRecord, error) {
	runs := []provider.RunRecord{}
	err := s.core.inTx(ctx, op, txRead, func(t *tx) error {
		runs = runs[:0]
		return t.query(t.intoRuns(&runs), st.SQL, st.Args...)
	}, nil)
	if err != nil {
		return nil, err
	}
	return runs, nil
}

func (t *tx) intoRuns(runs *[]provider.RunRecord) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		*runs = append(*runs, r)
		return t.c.noteUnreadable(t.ctx, "run", err)
	}
}

func rowsOf(values []string) [][]any {
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{v}
	}
	return rows
}
