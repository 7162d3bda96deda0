package gormsched

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// explainMySQL gives a plan in the words of MySQL's tree, or as MariaDB's rows.
func explainMySQL(t *testing.T, s *JobStore, st dialects.Statement) string {
	t.Helper()
	words := "EXPLAIN FORMAT=TREE "
	if s.core.d.Name() == "mariadb" {
		words = "EXPLAIN "
	}
	var plan strings.Builder
	err := s.core.inTx(t.Context(), "test", txDispatch, func(tx *tx) error {
		return tx.query(func(rows *sql.Rows) error {
			names, err := rows.Columns()
			if err != nil {
				return err
			}
			values, row := make([]sql.NullString, len(names)), make([]any, len(names))
			for i := range row {
				row[i] = &values[i]
			}
			if err := rows.Scan(row...); err != nil {
				return err
			}
			for i, value := range values {
				fmt.Fprintf(&plan, "%s: %s; ", names[i], value.String)
			}
			plan.WriteString("\n")
			return nil
		}, words+st.SQL, st.Args...)
	}, nil)
	if err != nil {
		t.Fatalf("explaining %s: %v", st.SQL, err)
	}
	return plan.String()
}

// Plans with few rows and with many, with statistics from before: the claim
// reads its index in order and sorts nothing (D03), writes are driven by their
// source and find rows by the primary key, locking reads by key visit nothing
// else, and what runs on a node, or is Blocked, is found by its own index.
func TestMySQLPlans(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		w := newWorld(t, mysqlDatabase(name)(t).store(t, Options{}))
		c := w.s.core
		w.jobs(true, w.names(20)...)
		var runs []provider.RunRecord
		for i, id := range runIDs(2000) {
			at := w.t0.Add(time.Duration(i) * time.Second)
			runs = append(runs, provider.RunRecord{ID: id, Job: w.names(20)[i%20], State: provider.RunSucceeded, Node: "n1", Kind: provider.KindManual, ScheduledAt: at, StartedAt: at, CompletedAt: at})
		}
		w.must(c.inTx(w.ctx, "fixture", txManage, func(t *tx) error { return t.insertRuns(runs) }, nil))
		index := func(table int, name string) string { return c.db.NamingStrategy.IndexName(c.t.plain[table], name) }
		due, handBack, running, sched := index(1, "due"), index(1, "handback"), index(2, "running"), index(2, "job_sched")
		for _, round := range []struct{ triggers, blocked int }{{40, 0}, {4000, 3}} {
			for i, job := range w.names(20) {
				list := w.many(job, fmt.Sprintf("r%d", round.triggers), round.triggers/20, true)
				for k := range list {
					if round.blocked != 0 && k%round.blocked == 0 {
						list[k].State = provider.TriggerBlocked
					}
					list[k].NextFireAt = list[k].NextFireAt.Add(time.Duration(i) * time.Minute)
				}
				w.triggers(list...)
			}
			for _, s := range dispatchStatements(t, c) {
				var want, ban []string
				sorts := []string{"Sort", "filesort", "Table scan on t ", "type: ALL; possible_keys: " + due}
				switch what := s.name; {
				case strings.HasPrefix(what, "candidates"), strings.HasPrefix(what, "further candidates"), strings.HasPrefix(what, "next due"):
					want, ban = []string{due}, sorts
				case round.triggers > 1000 && (strings.HasPrefix(what, "due triggers") || strings.Contains(what, "first Blocked")):
					want = []string{handBack, "PRIMARY"}
				case what == "runs in flight", strings.HasPrefix(what, "lost runs"):
					want = []string{running}
				case what == "claims in flight", strings.HasPrefix(what, "lost claims"):
					want = []string{due}
				case strings.HasPrefix(what, "stray jobs"):
					want = []string{handBack}
				case strings.HasPrefix(what, "trigger names of runs"):
					want = []string{sched}
				case strings.HasPrefix(what, "lock"), strings.HasPrefix(what, "share"), strings.HasPrefix(s.SQL, "UPDATE"), strings.HasPrefix(s.SQL, "DELETE"):
					want, ban = []string{"PRIMARY"}, []string{due, handBack, "Table scan on t ", "Table scan on j ", "Table scan on r "}
				default:
					continue
				}
				if strings.HasSuffix(s.name, ", 1") && strings.Contains(s.SQL, " = ?") { // a constant row, or none
					continue
				}
				plan := explainMySQL(t, w.s, s.Statement)
				for _, text := range want {
					if !strings.Contains(plan, text) {
						t.Errorf("%d triggers: %s does not use %s:\n%s\n%s", round.triggers, s.name, text, s.SQL, plan)
					}
				}
				for _, text := range ban {
					if strings.Contains(plan, text) {
						t.Errorf("%d triggers: %s has %q:\n%s\n%s", round.triggers, s.name, text, s.SQL, plan)
					}
				}
			}
		}
	})
}

// Provision accepts an index under another name; what cannot be forced then is
// not, and everything works.
func TestIndexOfAnotherName(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		d := mysqlDatabase(name)(t)
		s := d.store(t, Options{})
		for _, rename := range []string{"triggers.due", "triggers.handback", "runs.done"} {
			table, _, _ := strings.Cut(rename, ".")
			sqlExec(t, s, indexNames(s, "ALTER TABLE {{"+table+"}} RENAME INDEX {{"+rename+"}} TO other_"+strings.ReplaceAll(rename, ".", "_")))
		}
		if err := s.Provision(t.Context(), Validate); err != nil {
			t.Fatal(err)
		}
		w := newWorld(t, d.bare(t, Options{}))
		w.jobs(false, "a")
		w.enqueue("a", 3)
		if got := started(w.claim(16).Items); len(got) != 3 {
			t.Errorf("%d runs started, want 3", len(got))
		}
		if _, err := d.bare(t, Options{}).PurgeRuns(w.ctx, time.Hour); err != nil {
			t.Error(err)
		}
		w.invariants("after")
	})
}
