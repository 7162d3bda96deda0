package gormsched

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/dialects"
)

// The plans below are those that a server keeps for a statement that it has
// prepared (generic), after the tables have changed much since their
// statistics were taken: where plans go wrong.

// churned makes tables of some size, takes statistics while everything waits,
// and then lets most of it happen without taking them again.
func churned(t *testing.T, d testDatabase) *world {
	t.Helper()
	w := newWorld(t, d.store(t, Options{}))
	for _, table := range []string{"jobs", "triggers", "runs", "nodes"} {
		sqlExec(t, w.s, "ALTER TABLE {{"+table+"}} SET (autovacuum_enabled = off)")
	}
	const jobs, triggers, runs = 2000, 20000, 20000
	us := fmt.Sprint(micros(w.t0))
	sqlExec(t, w.s, `INSERT INTO {{jobs}} (job_name, handler_key, allow_concurrent, every_instance, requests_recovery, paused, fence, job_source, code_version, version)
		SELECT 'job-' || i, 'h', i % 2, 0, 1, 0, 0, 2, 0, 1 FROM generate_series(1, ?::int) i`, jobs)
	sqlExec(t, w.s, `INSERT INTO {{triggers}} (trigger_key, job_name, trigger_name, schedule_text, priority, misfire_policy, trigger_state, paused, is_local, is_exclusive,
			scheduled_us, next_fire_us, fire_count, run_as, version)
		SELECT 'job-' || i % 2000 + 1 || '/t-' || i, 'job-' || i % 2000 + 1, 't-' || i, 'cron', i % 7, 0, 1, 0, 0, i % 2, `+us+` + i, `+us+` + i, 0, 1, 1 FROM generate_series(1, ?::int) i`, triggers)
	insertRuns := `INSERT INTO {{runs}} (run_id, job_name, trigger_name, run_kind, run_state, node_id, incarnation, scheduled_us, started_us, completed_us, fence, sequence_no, version)
		SELECT ? || i, 'job-' || i % 2000 + 1, 't-' || i, 1, 2, 'n1', 1, ` + us + ` + i, ` + us + ` + i, ` + us + ` + i, 0, i, 1 FROM generate_series(1, ?::int) i`
	sqlExec(t, w.s, insertRuns, "a", runs)
	for _, table := range []string{"jobs", "triggers", "runs", "nodes"} {
		sqlExec(t, w.s, "ANALYZE {{"+table+"}}")
	}
	// Most triggers are claimed, moved on, blocked and moved on again; runs come
	// and end.
	for _, churn := range []string{
		"trigger_state = 2, claim_id = 1, claimed_by = 'n1', incarnation = 1, claimed_us = 1",
		"trigger_state = 3, claim_id = NULL, claimed_by = NULL, incarnation = NULL, claimed_us = NULL",
		"trigger_state = 1, next_fire_us = next_fire_us + 86400000000",
	} {
		sqlExec(t, w.s, "UPDATE {{triggers}} SET version = version + 1, "+churn+" WHERE priority > 0")
	}
	sqlExec(t, w.s, "UPDATE {{triggers}} SET trigger_state = 3 WHERE priority IN (1, 2)")
	sqlExec(t, w.s, "UPDATE {{triggers}} SET trigger_state = 2, claim_id = 1, claimed_by = 'n1', incarnation = 1, claimed_us = 1 WHERE priority = 3")
	sqlExec(t, w.s, insertRuns, "b", runs)
	sqlExec(t, w.s, "UPDATE {{runs}} SET run_state = 1, running_on = 'n1', completed_us = NULL WHERE run_id LIKE 'b%'")
	sqlExec(t, w.s, "UPDATE {{runs}} SET run_state = 2, running_on = NULL, completed_us = 1 WHERE run_id LIKE 'b%' AND sequence_no > 200")
	return w
}

var placeholder = regexp.MustCompile(`\?`)

// plan explains a statement as the server keeps it, in a transaction that has
// begun as the store's do.
func (w *world) plan(opening, statement string) string {
	w.Helper()
	n := 0
	text := placeholder.ReplaceAllStringFunc(statement, func(string) string { n++; return fmt.Sprintf("$%d", n) })
	execute := "EXPLAIN (COSTS OFF) EXECUTE probe"
	if n > 0 {
		execute += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
	}
	tx := w.s.core.db.Begin()
	w.must(tx.Error)
	defer tx.Rollback()
	for _, step := range []string{opening, "SET LOCAL plan_cache_mode = force_generic_plan", "PREPARE probe AS " + text} {
		if step == "" {
			continue
		}
		if err := tx.Exec(step).Error; err != nil {
			w.Fatalf("%s: %v", step, err)
		}
	}
	defer tx.Exec("DEALLOCATE probe")
	rows, err := tx.Raw(execute).Rows()
	if err != nil {
		w.Fatalf("explaining %s: %v", text, err)
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var line string
		w.must(rows.Scan(&line))
		b.WriteString(line + "\n")
	}
	w.must(rows.Err())
	return b.String()
}

// Every statement of the hot path reaches its rows by the index that is there
// for it: the claim index without a sort (D03), the hand-back index for the
// triggers of a job in order (D35), keys for everything that names keys (D23),
// the running index for what runs on a node (D44).
func TestPlans(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		if d.name != "postgres" {
			return // see TestMySQLPlans
		}
		w := churned(t, d)
		triggers, runs := w.s.core.t.plain[1], w.s.core.t.plain[2]
		claim, handBack := "idx_"+triggers+"_due", "idx_"+triggers+"_handback"
		running := "idx_" + runs + "_running"
		opener := w.s.core.d.(dialects.Opener).Opening("", time.Second, time.Second).SQL
		for _, s := range dispatchStatements(t, w.s.core) {
			opening := opener
			want, ban := []string(nil), []string{"Seq Scan on " + triggers, "Seq Scan on " + runs}
			switch name := s.name; {
			case strings.HasPrefix(name, "opening"), strings.HasPrefix(name, "the clock"), strings.HasPrefix(name, "insert"):
				continue
			case strings.HasPrefix(name, "candidates"), strings.HasPrefix(name, "further candidates"), strings.HasPrefix(name, "next due"):
				want, ban = []string{claim}, append(ban, "Sort", "Bitmap")
			case strings.HasPrefix(name, "due triggers"), strings.Contains(name, "first Blocked"), strings.HasPrefix(name, "all Blocked"):
				want, ban = []string{handBack}, append(ban, "Sort", "Bitmap")
			case name == "runs in flight":
				want = []string{running}
			case name == "claims in flight":
				want = []string{claim}
			case strings.HasPrefix(name, "lost runs"):
				want = []string{running}
			case strings.HasPrefix(name, "lost claims"):
				want = []string{claim}
			case strings.HasPrefix(name, "stray jobs"):
				want = []string{handBack}
			case strings.HasPrefix(name, "trigger names of runs"):
				want = []string{"idx_" + runs + "_job_sched"}
			case strings.Contains(name, "trigger") && !strings.Contains(name, "jobs of ending"), strings.HasPrefix(name, "enqueue"):
				want = []string{triggers + "_pkey"}
			case strings.Contains(name, "runs") && !strings.Contains(name, "jobs of ending"), strings.HasPrefix(name, "request cancel"):
				want = []string{runs + "_pkey"}
			case strings.HasPrefix(name, "read jobs, "):
				want = []string{runs + "_pkey"}
			}
			if strings.HasPrefix(s.name, "enqueue") {
				want = nil // it inserts; its jobs are few
			}
			if strings.HasPrefix(s.name, "next due and") || strings.HasSuffix(s.name, "in flight") {
				opening = "" // sent without a transaction
			}
			plan := w.plan(opening, s.SQL)
			for _, text := range want {
				if !strings.Contains(plan, text) {
					t.Errorf("%s does not use %s:\n%s\n%s", s.name, text, s.SQL, plan)
				}
			}
			for _, text := range ban {
				if strings.Contains(plan, text) {
					t.Errorf("%s has a %s:\n%s\n%s", s.name, text, s.SQL, plan)
				}
			}
		}
	})
}
