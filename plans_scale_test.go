package gormsched

import (
	"fmt"
	"strings"
	"testing"
)

// planSize is how many rows the tables have on which plans are looked at.
type planSize struct {
	name                        string
	jobs                        int
	triggers                    int // Waiting, due within 30 days
	blocked, paused             int // overdue
	runs                        int // ended
	backlog                     int // due triggers of one exclusive job, and as many of others, in each state of the statistics
	acquired, running, occupied int // in flight on the node that asks
}

// planSmall is what every go test looks at; planFull is for GORMSCHED_TEST_PLANS=full.
var (
	planSmall = planSize{name: "small", jobs: 200, triggers: 4000, blocked: 400, paused: 400, runs: 40000, backlog: 700, acquired: 40, running: 40, occupied: 4}
	planFull  = planSize{name: "full", jobs: 2000, triggers: 80000, blocked: 10000, paused: 10000, runs: 1000000, backlog: 2500, acquired: 40, running: 40, occupied: 4}
)

// early is how many triggers and runs there are when the statistics are taken
// that are stale later.
const early = 1000

// scaled is a store with many rows, made by the server itself.
type scaled struct {
	*world
	d    testDatabase
	size planSize
	us   int64 // an hour ago
}

// newScaled fills the tables. Statistics are taken while there are few rows,
// and never again by the server on its own.
func newScaled(t *testing.T, d testDatabase, size planSize) *scaled {
	t.Helper()
	w := &scaled{world: newWorld(t, d.store(t, Options{})), d: d, size: size}
	w.us = micros(w.t0)
	w.exec("CREATE TABLE {{numbers}} (i bigint PRIMARY KEY)")
	w.exec("INSERT INTO {{numbers}} VALUES (0)")
	for n := 1; n < max(size.runs, size.triggers); n *= 2 {
		w.exec("INSERT INTO {{numbers}} SELECT i + %d FROM {{numbers}}", n)
	}
	for _, table := range []string{"jobs", "triggers", "runs", "nodes"} {
		switch d.name {
		case "postgres":
			w.exec("ALTER TABLE {{" + table + "}} SET (autovacuum_enabled = off)")
		case "mysql", "mariadb":
			w.exec("ALTER TABLE {{" + table + "}} STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0")
		}
	}
	w.exec(`INSERT INTO {{jobs}} (job_name, handler_key, allow_concurrent, every_instance, requests_recovery, paused, fence, job_source, code_version, version)
		SELECT CONCAT('job-', i), 'h', i %% 2, 0, 1, 0, 0, 2, 0, 1 FROM {{numbers}} WHERE i < %d`, size.jobs)
	waiting := planted{state: 1, job: fmt.Sprintf("i %% %d", size.jobs), name: "'t-'", due: fmt.Sprintf("%d + (i * 7919) %% 2592000 * 1000000", w.us+2*3600e6)}
	w.plant(waiting, 0, early)
	w.ended(0, early)
	w.analyze()
	w.plant(waiting, early, size.triggers)
	w.ended(early, size.runs)
	// Every Blocked trigger belongs to one of a few occupied jobs.
	overdue := fmt.Sprintf("%d + i", w.us-3600e6)
	w.plant(planted{state: 3, job: fmt.Sprintf("2 * (i %% %d)", size.occupied), name: "'b-'", due: overdue}, 0, size.blocked)
	w.plant(planted{state: 4, job: fmt.Sprintf("i %% %d", size.jobs), name: "'p-'", due: overdue}, 0, size.paused)
	w.begun("'n1'", "2 * i", "'o-'", 0, size.occupied)
	w.exec("UPDATE {{jobs}} SET active_run_id = CONCAT('o-', SUBSTR(job_name, 5)) WHERE job_name IN (SELECT job_name FROM {{runs}} WHERE run_id LIKE 'o-%%')")
	w.begun("'n1'", "2 * i + 1", "'n-'", 0, size.running)
	w.plant(planted{state: 2, job: "2 * i + 1", name: "'a-'", due: overdue, node: "'n1'"}, 0, size.acquired)
	w.plant(planted{state: 2, job: "2 * i + 1", name: "'n-'", due: "NULL", node: "'n1'"}, 0, size.running)
	return w
}

func (w *scaled) exec(statement string, args ...any) {
	w.Helper()
	if len(args) > 0 {
		statement = fmt.Sprintf(statement, args...)
	} else {
		statement = strings.ReplaceAll(statement, "%%", "%")
	}
	sqlExec(w, w.s, strings.ReplaceAll(statement, "{{numbers}}", w.s.core.d.Quote(w.d.prefix+"numbers")))
}

// each runs f for parts of a range of numbers that fit one transaction.
func (w *scaled) each(from, to int, f func(from, to int)) {
	const part = 100000
	for ; from < to; from += part {
		f(from, min(to, from+part))
	}
}

// planted are triggers to insert, in expressions over the number i.
type planted struct {
	state     int
	job       string // its number; even ones are exclusive
	name, due string // name is followed by i
	node      string // who claims it; "" = nobody
}

func (w *scaled) plant(p planted, from, to int) {
	w.Helper()
	claim := "NULL, NULL, NULL, NULL"
	if p.node != "" {
		claim = fmt.Sprintf("1, %s, %d, 1", p.node, w.node.Incarnation)
	}
	paused := 0
	if p.state == 4 {
		paused = 1
	}
	w.each(from, to, func(from, to int) {
		w.exec(`INSERT INTO {{triggers}} (trigger_key, job_name, trigger_name, schedule_text, priority, misfire_policy, trigger_state, paused, is_local, is_exclusive,
			scheduled_us, next_fire_us, fire_count, claim_id, claimed_by, incarnation, claimed_us, run_as, version)
			SELECT CONCAT('job-', %[1]s, '/', %[2]s, i), CONCAT('job-', %[1]s), CONCAT(%[2]s, i), 'cron 0 0 * * * *', 5, 0, %[3]d, %[4]d, 0, 1 - (%[1]s) %% 2,
			%[5]s, %[5]s, 0, %[6]s, 1, 1 FROM {{numbers}} WHERE i >= %[7]d AND i < %[8]d`, p.job, p.name, p.state, paused, p.due, claim, from, to)
	})
}

const hotJob = "job-7"

// ended inserts ended runs, one for each second before an hour ago. A seventh of
// them is of one job.
func (w *scaled) ended(from, to int) {
	w.Helper()
	at := fmt.Sprintf("%d + i * 1000000", w.us-int64(w.size.runs)*1e6)
	w.each(from, to, func(from, to int) {
		w.exec(`INSERT INTO {{runs}} (run_id, job_name, trigger_name, run_kind, run_state, node_id, incarnation, scheduled_us, started_us, completed_us, fence, sequence_no, version)
			SELECT CONCAT('r-', 10000000 + i), CASE WHEN i %% 7 = 0 THEN '%[5]s' ELSE CONCAT('job-', i %% %[1]d) END, CONCAT('t-', i), 1, 2, 'n1', 1, %[2]s, %[2]s, %[2]s + 500000, 0, i, 1
			FROM {{numbers}} WHERE i >= %[3]d AND i < %[4]d`, w.size.jobs, at, from, to, hotJob)
	})
}

// begun inserts runs that a node is said to run; their ids are the prefix and
// the job's number.
func (w *scaled) begun(node, job, prefix string, from, to int) {
	w.Helper()
	w.exec(`INSERT INTO {{runs}} (run_id, job_name, trigger_name, run_kind, run_state, running_on, node_id, incarnation, scheduled_us, started_us, fence, sequence_no, version)
		SELECT CONCAT(%[1]s, %[2]s), CONCAT('job-', %[2]s), CONCAT(%[1]s, i), 1, 1, %[3]s, %[3]s, %[7]d, %[4]d, %[4]d, 0, i, 1 FROM {{numbers}} WHERE i >= %[5]d AND i < %[6]d`,
		prefix, job, node, w.us, from, to, w.node.Incarnation)
}

// analyze takes statistics anew.
func (w *scaled) analyze() {
	w.Helper()
	switch w.d.name {
	case "sqlite":
		w.exec("ANALYZE")
	case "postgres":
		for _, table := range []string{"jobs", "triggers", "runs", "nodes"} {
			w.exec("ANALYZE {{" + table + "}}")
		}
	default:
		w.exec("ANALYZE TABLE {{jobs}}, {{triggers}}, {{runs}}, {{nodes}}")
	}
}

// lostEach is how many of each kind a node leaves behind that is gone.
const lostEach = 30

// work adds what the operations of one state of the statistics find to do: a
// backlog of an exclusive job that nothing occupies, as many due triggers of
// other jobs, and what a node left behind that is gone.
func (w *scaled) work(state int) {
	w.Helper()
	due := fmt.Sprintf("%d + i", w.us-7200e6-int64(state)*1e6)
	w.plant(planted{state: 1, job: fmt.Sprint(w.backlogJob(state)), name: fmt.Sprintf("'e%d-'", state), due: due}, 0, w.size.backlog)
	w.plant(planted{state: 1, job: "2 * (i % 50) + 1", name: fmt.Sprintf("'c%d-'", state), due: due}, 0, w.size.backlog)
	w.plant(planted{state: 2, job: "2 * i + 1", name: fmt.Sprintf("'l%d-'", state), due: due, node: "'gone'"}, 0, lostEach)
	w.plant(planted{state: 2, job: "2 * i + 1", name: fmt.Sprintf("'g%d-'", state), due: "NULL", node: "'gone'"}, 0, lostEach)
	w.begun("'gone'", "2 * i + 1", fmt.Sprintf("'g%d-'", state), 0, lostEach)
}

// backlogJob is an exclusive job that nothing occupies yet.
func (w *scaled) backlogJob(state int) int { return 100 + 2*state }
