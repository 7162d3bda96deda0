package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gormsched/gormsched/dialects"
)

// handColumn is a column of a row source: number or text, and its type where
// a database wants it told.
type handColumn struct {
	name string
	// kind is "key", "text", "small", "int" or "big".
	kind string
}

var runColumns = []handColumn{
	{"run_id", "key"}, {"job_name", "key"}, {"trigger_name", "key"}, {"run_kind", "small"}, {"run_state", "small"},
	{"running_on", "key"}, {"node_id", "key"}, {"incarnation", "big"}, {"scheduled_us", "big"}, {"started_us", "big"},
	{"completed_us", "big"}, {"attempt", "int"}, {"retry_of", "key"}, {"cancel_requested_us", "big"}, {"fence", "big"},
	{"sequence_no", "big"}, {"run_data", "text"}, {"run_result", "text"}, {"error_code", "key"}, {"error_text", "text"}, {"version", "big"},
}

var finishColumns = []handColumn{
	{"run_id", "key"}, {"run_state", "small"}, {"completed_us", "big"}, {"run_result", "text"}, {"error_code", "key"}, {"error_text", "text"},
}

// Columns of the reads, those first that the program uses.
const (
	dueColumns = "t.trigger_key, t.job_name, t.trigger_name, t.trigger_data, t.scheduled_us, t.run_as, t.attempt, " +
		"t.schedule_text, t.trigger_description, t.priority, t.misfire_policy, t.trigger_state, t.paused, t.is_local, t.is_exclusive, " +
		"t.next_fire_us, t.prev_fire_us, t.fire_count, t.claim_id, t.claimed_by, t.incarnation, t.claimed_us, t.retry_of, t.expires_us, " +
		"t.error_code, t.error_text, t.zone_hash, t.version"
	jobColumns = "j.job_name, j.job_data, j.handler_key, j.job_description, j.allow_concurrent, j.every_instance, j.requests_recovery, j.paused, " +
		"j.max_retries, j.retry_delay_ms, j.retry_max_delay_ms, j.retry_backoff, j.timeout_ms, j.active_run_id, j.fence, j.job_source, " +
		"j.fingerprint, j.code_version, j.version"
)

// handText are the statements for one database. A {list} stands for a list of
// keys, a {rows} for a row source named v.
type handText struct {
	kind       string
	isolation  sql.IsolationLevel
	force      func(index string) string // the hint behind an alias
	open, now  string
	joined     int    // further columns of readJobs
	clock      string // the database's clock, outside of a transaction
	skip       string // the suffix of a locking read; %s is the alias
	readJobs   string
	lockJobs   string
	readStates string
	lockRuns   string

	deleteTriggers, insertRuns, nextDue, finishRuns string
}

func handTexts(kind string) (handText, error) {
	t := handText{kind: kind, isolation: sql.LevelReadCommitted, skip: " FOR UPDATE OF %s SKIP LOCKED", force: func(string) string { return "" }}
	share := " FOR SHARE OF j SKIP LOCKED"
	switch kind {
	case "postgres":
		t.skip, share = " FOR NO KEY UPDATE OF %s SKIP LOCKED", " FOR KEY SHARE OF j SKIP LOCKED"
	case "mariadb":
		t.skip, share = " FOR UPDATE SKIP LOCKED", " LOCK IN SHARE MODE SKIP LOCKED"
	case "sqlite":
		t.isolation, t.skip = sql.LevelDefault, ""
	}
	if kind == "mysql" || kind == "mariadb" {
		t.force = func(index string) string { return " FORCE INDEX (" + index + ")" }
	}
	primary := t.force("PRIMARY")
	names, shown := make([]string, len(runColumns)), make([]string, len(runColumns))
	for i, c := range runColumns {
		names[i], shown[i] = c.name, "r."+c.name
	}
	t.readJobs = "SELECT " + jobColumns + " FROM scheduler_jobs AS j" + primary + " WHERE j.job_name {list}" + share
	if kind == "sqlite" {
		t.joined = 1
		t.readJobs = "SELECT " + jobColumns + ", r.run_id FROM scheduler_jobs AS j LEFT JOIN scheduler_runs AS r ON r.run_id = j.active_run_id AND r.run_state + 0 = 1 WHERE j.job_name {list}"
	}
	t.readStates = "SELECT j.job_name, j.allow_concurrent, j.paused, j.active_run_id FROM scheduler_jobs AS j" + primary + " WHERE j.job_name {list} ORDER BY j.job_name"
	t.insertRuns = "INSERT INTO scheduler_runs (" + strings.Join(names, ", ") + ") SELECT v." + strings.Join(names, ", v.") + " FROM {rows} WHERE 1 = 1"
	t.nextDue = "SELECT MIN(t.next_fire_us) FROM scheduler_triggers AS t WHERE t.trigger_state = 1 AND t.is_local = 0"
	t.deleteTriggers = "DELETE FROM scheduler_triggers AS t WHERE t.trigger_key {list}"
	t.finishRuns = "UPDATE scheduler_runs AS t SET run_state = v.run_state, completed_us = v.completed_us, run_result = v.run_result, " +
		"error_code = v.error_code, error_text = v.error_text, running_on = NULL, version = t.version + 1 FROM {rows} WHERE t.run_id = v.run_id"
	d, err := dialects.For(kind, "")
	if err != nil {
		return t, err
	}
	t.clock = "SELECT " + d.NowMicros()
	t.now = t.clock
	if o, ok := d.(dialects.Opener); ok { // the one statement whose text is the store's own
		if opening := o.Opening("scheduler_leases", 2*time.Second, 10*time.Second); opening.Now {
			t.now = opening.SQL
		} else {
			t.open = opening.SQL
		}
	}
	if kind == "mysql" || kind == "mariadb" {
		t.insertRuns = strings.TrimSuffix(t.insertRuns, " WHERE 1 = 1")
		t.deleteTriggers = "DELETE t FROM {rows} STRAIGHT_JOIN scheduler_triggers AS t FORCE INDEX (PRIMARY) ON t.trigger_key = v.trigger_key"
		t.finishRuns = "UPDATE {rows} STRAIGHT_JOIN scheduler_runs AS t FORCE INDEX (PRIMARY) ON t.run_id = v.run_id SET t.run_state = v.run_state, " +
			"t.completed_us = v.completed_us, t.run_result = v.run_result, t.error_code = v.error_code, t.error_text = v.error_text, " +
			"t.running_on = NULL, t.version = t.version + 1"
	}
	if t.skip != "" {
		t.lockJobs = "SELECT j.job_name, j.allow_concurrent, j.paused, j.active_run_id FROM scheduler_jobs AS j" + primary + " WHERE j.job_name {list} " +
			"AND (j.allow_concurrent = 0 OR j.active_run_id IS NOT NULL) ORDER BY j.job_name" + t.locking("j")
	}
	t.lockRuns = "SELECT r.run_id, r.run_state, " + strings.Join(append(append([]string(nil), shown[1:4]...), shown[5:]...), ", ") +
		" FROM scheduler_runs AS r" + primary + " WHERE r.run_id {list} ORDER BY r.run_id" + t.locking("r")
	return t, nil
}

func (t handText) locking(alias string) string {
	if strings.Contains(t.skip, "%s") {
		return fmt.Sprintf(t.skip, alias)
	}
	return t.skip
}

// candidates reads the first due triggers.
func (t handText) candidates(most int) string {
	return "SELECT " + dueColumns + " FROM scheduler_triggers AS t" + t.force("idx_scheduler_triggers_due") +
		" WHERE t.trigger_state = 1 AND t.is_local = 0 AND t.next_fire_us <= " + t.bound(1) +
		" ORDER BY t.next_fire_us, t.priority DESC, t.trigger_key LIMIT " + strconv.Itoa(most) + t.locking("t")
}

func (t handText) bound(n int) string {
	if t.kind == "postgres" {
		return "$" + strconv.Itoa(n)
	}
	return "?"
}

// list completes a statement over keys: one array parameter on PostgreSQL, one
// JSON parameter on SQLite; on MySQL and MariaDB a row source where the
// statement joins one, and otherwise a parameter for each.
func (t handText) list(query string, keys []string) (string, []any) {
	switch {
	case t.kind == "postgres":
		return strings.Replace(query, "{list}", "= ANY($1::text[])", 1), []any{keys}
	case t.kind == "sqlite":
		text, _ := json.Marshal(keys) // of strings: cannot fail
		return strings.Replace(query, "{list}", "IN (SELECT value FROM json_each(?))", 1), []any{string(text)}
	case strings.Contains(query, "{rows}"):
		rows := make([][]any, len(keys))
		for i, k := range keys {
			rows[i] = []any{k}
		}
		text, args, _ := t.rows(query, []handColumn{{"trigger_key", "key"}}, rows)
		return text, args
	}
	args := make([]any, len(keys))
	for i, k := range keys {
		args[i] = k
	}
	return strings.Replace(query, "{list}", "IN (?"+strings.Repeat(", ?", len(keys)-1)+")", 1), args
}

// rows completes a statement over a row source.
func (t handText) rows(query string, columns []handColumn, rows [][]any) (string, []any, error) {
	if t.kind == "postgres" {
		return strings.Replace(query, "{rows}", unnest(columns), 1), arrays(columns, rows), nil
	}
	text, err := json.Marshal(rows)
	parts := make([]string, len(columns))
	source := ""
	if t.kind == "sqlite" {
		for i, c := range columns {
			parts[i] = fmt.Sprintf("value->>%d AS %s", i, c.name)
		}
		source = "(SELECT " + strings.Join(parts, ", ") + " FROM json_each(?)) AS v"
	} else {
		types := map[string]string{
			"key": "varchar(257) CHARACTER SET ascii COLLATE ascii_bin", "text": "longtext CHARACTER SET utf8mb4",
			"small": "smallint", "int": "int", "big": "bigint",
		}
		for i, c := range columns {
			parts[i] = fmt.Sprintf("%s %s PATH '$[%d]' ERROR ON ERROR", c.name, types[c.kind], i)
		}
		source = "JSON_TABLE(?, '$[*]' COLUMNS (" + strings.Join(parts, ", ") + ")) AS v"
	}
	return strings.Replace(query, "{rows}", source, 1), []any{string(text)}, err
}

var arrayTypes = map[string]string{"key": "text", "text": "text", "small": "smallint", "int": "integer", "big": "bigint"}

func unnest(columns []handColumn) string {
	names, parts := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], parts[i] = c.name, fmt.Sprintf("$%d::%s[]", i+1, arrayTypes[c.kind])
	}
	return "unnest(" + strings.Join(parts, ", ") + ") AS v(" + strings.Join(names, ", ") + ")"
}

// arrays turns rows into one argument for each column.
func arrays(columns []handColumn, rows [][]any) []any {
	args := make([]any, len(columns))
	for i, c := range columns {
		if c.kind == "key" || c.kind == "text" {
			args[i] = column[string](rows, i)
		} else {
			args[i] = column[int64](rows, i)
		}
	}
	return args
}

// column is one column of rows; nil stays NULL.
func column[T any](rows [][]any, at int) []*T {
	list := make([]*T, len(rows))
	for i, row := range rows {
		if v, ok := row[at].(T); ok {
			list[i] = &v
		}
	}
	return list
}
