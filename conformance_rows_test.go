package gormsched_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

func (p *testPlot) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := p.tools.ExecContext(context.Background(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// each builds one text of statements, one for each table.
func (p *testPlot) each(format string) string {
	var b strings.Builder
	for table := range models {
		fmt.Fprintf(&b, format+";\n", p.table(table), p.copyOf(table))
	}
	return b.String()
}

func (p *testPlot) copyOf(table schedulingtest.Table) string {
	return `"` + p.prefix + "copy_" + string(table) + `"`
}

func (p *testPlot) wipe(t testing.TB) {
	t.Helper()
	p.exec(t, p.each("DELETE FROM %[1]s"))
	if p.bed.truncate {
		p.exec(t, "TRUNCATE TABLE "+p.table(schedulingtest.TableTrigger))
	}
}

// mark copies the tables aside, and back.
func (p *testPlot) mark(t testing.TB) (back func()) {
	t.Helper()
	if !p.copies {
		p.exec(t, p.each(cmp.Or(p.bed.sql.copyTable, "CREATE TABLE %[2]s AS SELECT * FROM %[1]s WHERE 1 = 0")))
		p.copies = true
	}
	p.exec(t, p.each("DELETE FROM %[2]s;\nINSERT INTO %[2]s SELECT * FROM %[1]s"))
	return func() {
		t.Helper()
		p.exec(t, p.each("DELETE FROM %[1]s;\nINSERT INTO %[1]s SELECT * FROM %[2]s"))
	}
}

func (p *testPlot) poke(t testing.TB, row schedulingtest.Row, column string, value any) {
	t.Helper()
	query := p.bound(fmt.Sprintf(`UPDATE %s SET "%s" = $1 WHERE "%s" = $2`, p.table(row.Table), column, models[row.Table].key))
	result, err := p.tools.ExecContext(context.Background(), query, value, row.Key)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("%s: %d rows, %v; want 1", query, n, err)
	}
}

// bound writes placeholders as the database does.
func (p *testPlot) bound(query string) string {
	if r := p.bed.sql.placeholders; r != nil {
		return r.Replace(query)
	}
	return query
}

// hold locks a row until it is released.
func (p *testPlot) hold(t testing.TB, row schedulingtest.Row) (release func()) {
	t.Helper()
	tx, err := p.tools.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatalf("beginning a transaction: %v", err)
	}
	query := p.bound(fmt.Sprintf(cmp.Or(p.bed.sql.lockRow, `SELECT 1 FROM %s WHERE "%s" = $1 FOR UPDATE`), p.table(row.Table), models[row.Table].key))
	var one int
	if err := tx.QueryRowContext(context.Background(), query, row.Key).Scan(&one); err != nil {
		t.Fatalf("holding %s %s: %v", row.Table, row.Key, err)
	}
	var once sync.Once
	release = func() {
		once.Do(func() {
			if err := tx.Rollback(); err != nil {
				t.Errorf("releasing %s %s: %v", row.Table, row.Key, err)
			}
		})
	}
	t.Cleanup(release)
	return release
}

// appTx is an application's transaction.
type appTx struct {
	provider.Enqueuer
	db *gorm.DB
}

func (p *testPlot) inTx(t testing.TB, store *gormsched.JobStore) schedulingtest.AppTx {
	t.Helper()
	db := p.handle(t, p.others).Begin()
	if db.Error != nil {
		t.Fatalf("beginning the application's transaction: %v", db.Error)
	}
	enqueuer, err := store.EnqueuerIn(db)
	if err != nil {
		t.Fatalf("EnqueuerIn: %v", err)
	}
	t.Cleanup(func() { db.Rollback() })
	return appTx{enqueuer, db}
}

func (a appTx) Commit() error   { return a.db.Commit().Error }
func (a appTx) Rollback() error { return a.db.Rollback().Error }

// checks are queries for rows that must not be there.
var checks = []struct {
	table schedulingtest.Table
	where string
	why   string
}{
	{schedulingtest.TableRun, differ("run_state = 1", "running_on IS NOT NULL"), "running_on is set exactly while a run is Running (D44)"},
	{schedulingtest.TableRun, `running_on <> node_id`, "running_on names the run's node (D44)"},
	{schedulingtest.TableRun, differ("run_state = 1", "completed_us IS NULL"), "completed_us is NULL exactly while a run is Running"},
	{schedulingtest.TableTrigger, differ("trigger_state = 2", "claim_id IS NOT NULL"), "claim_id is set exactly while a trigger is Acquired (D07)"},
	{schedulingtest.TableTrigger, differ("claim_id IS NULL", "claimed_by IS NULL") + " OR " + differ("claim_id IS NULL", "incarnation IS NULL") + " OR " + differ("claim_id IS NULL", "claimed_us IS NULL"),
		"the four columns of a claim are set together (D07)"},
	{schedulingtest.TableTrigger, `trigger_key <> job_name || '/' || trigger_name`, "the key is job/trigger (R085)"},
	{schedulingtest.TableTrigger, `trigger_data = '' OR trigger_description = '' OR error_code = '' OR error_text = '' OR retry_of = '' OR zone_hash = ''`,
		"what is absent is NULL, not empty"},
	{schedulingtest.TableRun, `run_data = '' OR run_result = '' OR error_code = '' OR error_text = '' OR retry_of = ''`,
		"what is absent is NULL, not empty"},
}

// differ says that of two conditions one holds and the other does not.
func differ(a, b string) string {
	return "CASE WHEN " + a + " THEN 1 ELSE 0 END <> CASE WHEN " + b + " THEN 1 ELSE 0 END"
}

func (p *testPlot) check(t testing.TB) {
	t.Helper()
	if p.neighbour != nil {
		p.neighbour.undisturbed(t)
	}
	for _, c := range checks {
		query := p.bound(fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", p.table(c.table), c.where))
		var n int
		if err := p.tools.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
			t.Errorf("%s: %v", query, err)
		} else if n != 0 {
			t.Errorf("%d rows break this: %s", n, c.why)
		}
	}
}
