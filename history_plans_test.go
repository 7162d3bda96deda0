package gormsched

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Each index that a read or a management call needs is the one that its plan
// uses (R095–R101, D02, D44). Sequential scans are switched off on PostgreSQL:
// a test's tables are too small to show what a planner does with large ones.
func TestHistoryPlans(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		history(t, s, 3000)
		// Few of many run, as in any history.
		sqlExec(t, s, "UPDATE {{runs}} SET completed_us = 1 WHERE completed_us IS NULL AND run_id > 'run-0040'")
		analyze := "ANALYZE {{runs}}"
		if mysqlDSN(d.name) != "" {
			analyze = "ANALYZE TABLE {{runs}}, {{triggers}}"
		}
		sqlExec(t, s, analyze)
		c := s.core
		built := func(st dialects.Statement, err error) dialects.Statement {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			return st
		}
		page := func(query provider.RunQuery) dialects.Statement {
			query.Limit = 20
			return built(c.sqlRunsPage(query))
		}
		for name, q := range map[string]struct {
			st    dialects.Statement
			table int
			index string
		}{
			"a page of all":           {page(provider.RunQuery{}), 2, "sched"},
			"a page of one job":       {page(provider.RunQuery{Job: "job-1"}), 2, "job_sched"},
			"the latest of each job":  {built(c.sqlLatest([]string{"job-0", "job-1"})), 2, "job_done"},
			"the running of a job":    {built(c.sqlRunning([]string{"job-1"})), 2, "job_done"},
			"the purge":               {dialects.Statement{SQL: c.sqlPurgeable(), Args: []any{int64(1)}}, 2, "done"},
			"the triggers of one job": {built(c.sqlTriggersOf([]string{"job-1"})), 1, "name"},
		} {
			index := c.db.NamingStrategy.IndexName(c.t.plain[q.table], q.index)
			if plan := explain(t, s, q.st); !strings.Contains(plan, index) && !(q.index == "name" && strings.Contains(plan, "handback")) {
				t.Errorf("%s does not use the index %s:\n%s", name, index, plan)
			}
		}
	})
}

// explain gives a statement's plan as text.
func explain(t *testing.T, s *JobStore, st dialects.Statement) string {
	t.Helper()
	var plan strings.Builder
	words, columns := "EXPLAIN QUERY PLAN ", 4
	switch s.core.d.Name() {
	case "postgres":
		words, columns = "EXPLAIN ", 1
	case "mysql", "mariadb":
		return explainMySQL(t, s, st)
	}
	err := s.core.inTx(t.Context(), "test", txManage, func(tx *tx) error {
		if columns == 1 {
			if _, err := tx.exec("SET LOCAL enable_seqscan = off"); err != nil {
				return err
			}
		}
		return tx.query(func(rows *sql.Rows) error {
			row := make([]any, columns)
			for i := range row {
				row[i] = new(any)
			}
			err := rows.Scan(row...)
			fmt.Fprintln(&plan, *row[columns-1].(*any))
			return err
		}, words+st.SQL, st.Args...)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
