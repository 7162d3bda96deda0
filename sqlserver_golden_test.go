package gormsched

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gorm.io/driver/sqlserver"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// onPaper is a store on SQL Server that is not there.
func onPaper(t testing.TB) (*JobStore, *gorm.DB, *scripted) {
	t.Helper()
	paper := &scripted{server: []driver.Value{int64(16), int64(3), int64(160), true, int64(256)}}
	db, err := gorm.Open(sqlserver.New(sqlserver.Config{Conn: paper.pool()}), &gorm.Config{Logger: logger.Discard, DisableAutomaticPing: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewJobStore(db, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, db, paper
}

// paperRow is a row of any table: what all have in common.
func paperRow(n int64) map[string]driver.Value {
	job := fmt.Sprintf("j%d", n)
	return map[string]driver.Value{
		"job_name": job, "trigger_name": "t", "trigger_key": job + "/t", "handler_key": "h", "schedule_text": "s",
		"run_id": fmt.Sprintf("r%d", n), "node_id": "n", "host": "h", "lease_name": "l", "holder": "n", "token": "k", "ttl_ms": int64(1000), "expires_us": int64(1),
		"allow_concurrent": int64(0), "every_instance": int64(0), "requests_recovery": int64(1), "paused": int64(0), "fence": n, "job_source": int64(2), "code_version": int64(0), "version": n,
		"priority": int64(5), "misfire_policy": int64(1), "trigger_state": int64(1), "is_local": int64(0), "is_exclusive": int64(1),
		"scheduled_us": int64(1), "next_fire_us": int64(1), "fire_count": n, "run_as": int64(1), "run_kind": int64(1), "run_state": int64(1), "running_on": "n",
		"incarnation": int64(1), "started_us": int64(1), "sequence_no": n, "heartbeat_us": int64(1), "timeout_ms": int64(1), "heartbeat_ms": int64(1),
	}
}

// with changes columns of two rows.
func with(change map[string]driver.Value) []map[string]driver.Value {
	rows := []map[string]driver.Value{paperRow(1), paperRow(2)}
	for _, row := range rows {
		maps.Copy(row, change)
	}
	return rows
}

type values = map[string]driver.Value

// paperOperations are all operations of the store, each with the rows that
// every query of it answers.
func paperOperations(s *JobStore, app *gorm.DB) []struct {
	name string
	rows []map[string]driver.Value
	call func(context.Context) error
} {
	node := provider.NodeRef{ID: "n", Incarnation: 1}
	keys := []provider.TriggerKey{{Job: "j1", Trigger: "t"}, {Job: "j2", Trigger: "t"}}
	shots := []provider.TriggerRecord{{Data: `{"a":1}`, Priority: 5}, {Description: "d", Priority: 5}}
	freeShots := with(values{"active_run_id": nil, "run_id": nil})
	for i, key := range keys {
		shots[i].TriggerKey = provider.TriggerKey{Job: key.Job, Trigger: provider.PrefixManual + key.Trigger}
		freeShots[i]["trigger_key"] = shots[i].TriggerKey.String()
	}
	item := jobItem("j1", waitingTrigger("t", instant(9)), waitingTrigger("u", instant(9)))
	next := provider.Next{State: provider.TriggerWaiting, NextFireAt: instant(5)}
	began := func(w []map[string]driver.Value, n int) []provider.BeginItem {
		var list []provider.BeginItem
		for i := range n {
			list = append(list, provider.BeginItem{Key: keys[i], ClaimID: 7, RunID: w[i]["run_id"].(string)})
		}
		return list
	}
	settle := func(time.Time) provider.Settlement {
		one := shots[0]
		return provider.Settlement{Trigger: &next, Insert: &one}
	}
	free := with(values{"active_run_id": nil, "run_id": nil})
	acquired := with(values{"trigger_state": int64(2), "claim_id": int64(7), "claimed_by": "n", "claimed_us": int64(1)})
	inFlight := with(values{"trigger_state": int64(2), "claim_id": int64(7), "claimed_by": "n", "claimed_us": int64(1), "next_fire_us": nil, "active_run_id": nil})
	for i, row := range inFlight {
		row["active_run_id"] = fmt.Sprintf("r%d", i+1)
	}
	election := s.Election()
	joined := func(ctx context.Context) error {
		tx := app.Begin()
		defer tx.Rollback()
		e, err := s.EnqueuerIn(tx)
		if err == nil {
			_, err = e.Enqueue(ctx, shots)
		}
		return err
	}
	type operation = struct {
		name string
		rows []map[string]driver.Value
		call func(context.Context) error
	}
	drop := func(f func(context.Context) (any, error)) func(context.Context) error {
		return func(ctx context.Context) error { _, err := f(ctx); return err }
	}
	return []operation{
		{"Now", free, drop(func(ctx context.Context) (any, error) { return s.Now(ctx) })},
		{"Due", free, drop(func(ctx context.Context) (any, error) { return s.Due(ctx, provider.DueRequest{}) })},
		{"Claim", free, drop(func(ctx context.Context) (any, error) {
			return s.Claim(ctx, provider.ClaimRequest{AcquireRequest: provider.AcquireRequest{Node: node, ClaimID: 7, Limit: 2}, RunIDs: []string{"r1", "r2"}, Decide: decide})
		})},
		{"Acquire", free, drop(func(ctx context.Context) (any, error) {
			return s.Acquire(ctx, provider.AcquireRequest{Node: node, ClaimID: 7, Limit: 2})
		})},
		{"Begin", acquired, drop(func(ctx context.Context) (any, error) {
			return s.Begin(ctx, provider.BeginRequest{Node: node, Items: began(acquired, 2), Decide: decide})
		})},
		{"Start", free, drop(func(ctx context.Context) (any, error) {
			return s.Start(ctx, provider.StartRequest{Node: node, Runs: []provider.RunRecord{{ID: "r1", Job: "j1"}, {ID: "r2", Job: "j2", Data: "{}"}}})
		})},
		{"Complete", inFlight, drop(func(ctx context.Context) (any, error) {
			return s.Complete(ctx, provider.CompleteRequest{Node: node, Items: []provider.Completion{
				{RunID: "r1", Job: "j1", State: provider.RunFailed, ErrorText: "x", Trigger: keys[0], ClaimID: 7, Settle: settle},
				{RunID: "r2", Job: "j2", State: provider.RunSucceeded, Result: "{}", Trigger: keys[1], ClaimID: 7}}})
		})},
		{"Release", acquired, drop(func(ctx context.Context) (any, error) {
			return s.Release(ctx, provider.ReleaseRequest{Node: node, Items: []provider.ReleaseItem{{Key: keys[0], ClaimID: 7}}})
		})},
		{"Inflight", acquired, drop(func(ctx context.Context) (any, error) { return s.Inflight(ctx, node) })},
		{"Record", nil, func(ctx context.Context) error {
			return s.Record(ctx, []provider.RunRecord{{ID: "a", Job: "j1", State: provider.RunRunning}, {ID: "b", Job: "j1", State: provider.RunFailed, ErrorText: "x"}})
		}},
		{"Record again", acquired, func(ctx context.Context) error {
			return s.Record(ctx, []provider.RunRecord{{ID: "r1", Job: "j1", State: provider.RunFailed}, {ID: "r2", Job: "j1", State: provider.RunFailed}})
		}},
		{"Sweep", inFlight, drop(func(ctx context.Context) (any, error) {
			return s.Sweep(ctx, provider.SweepRequest{Recover: recoverAll})
		})},
		{"Enqueue", nil, drop(func(ctx context.Context) (any, error) { return s.Enqueue(ctx, shots) })},
		{"Enqueue what is free", freeShots, drop(func(ctx context.Context) (any, error) { return s.Enqueue(ctx, shots) })},
		{"Enqueue in the application's transaction", freeShots, joined},
		{"Register", nil, drop(func(ctx context.Context) (any, error) {
			return s.Register(ctx, provider.RegisterRequest{Node: provider.NodeRecord{NodeRef: node, Timeout: time.Second}})
		})},
		{"Heartbeat", free, drop(func(ctx context.Context) (any, error) { return s.Heartbeat(ctx, node) })},
		{"ListNodes", free, drop(func(ctx context.Context) (any, error) { return s.ListNodes(ctx) })},
		{"Convict", free, drop(func(ctx context.Context) (any, error) { return s.Convict(ctx, provider.NodeRecord{NodeRef: node}) })},
		{"Deregister", free, drop(func(ctx context.Context) (any, error) { return s.Deregister(ctx, node) })},
		{"Election.TryAcquire", nil, drop(func(ctx context.Context) (any, error) { return election.TryAcquire(ctx, leaseRequest("l", "k")) })},
		{"Election.TryAcquire after another", free, drop(func(ctx context.Context) (any, error) { return election.TryAcquire(ctx, leaseRequest("l", "k2")) })},
		{"Election.Renew", free, drop(func(ctx context.Context) (any, error) { return election.Renew(ctx, "l", "k") })},
		{"Election.Inspect", free, drop(func(ctx context.Context) (any, error) { return election.Inspect(ctx, "l") })},
		{"Election.Release", free, func(ctx context.Context) error { return election.Release(ctx, "l", "k") }},
		{"SaveJobs, new", nil, drop(func(ctx context.Context) (any, error) {
			return s.SaveJobs(ctx, []provider.SaveItem{item, jobItem("j2")})
		})},
		{"SaveJobs, replacing", with(values{"allow_concurrent": int64(1)}), drop(func(ctx context.Context) (any, error) {
			return s.SaveJobs(ctx, []provider.SaveItem{item, jobItem("j2")})
		})},
		{"DeleteJobs", free, drop(func(ctx context.Context) (any, error) { return s.DeleteJobs(ctx, []string{"j1", "j2"}) })},
		{"AddTriggers", with(values{"trigger_key": "other/t"}), drop(func(ctx context.Context) (any, error) {
			tr := waitingTrigger("t", instant(9))
			tr.Job = "j1"
			return s.AddTriggers(ctx, []provider.TriggerRecord{tr})
		})},
		{"RemoveTriggers", free, drop(func(ctx context.Context) (any, error) { return s.RemoveTriggers(ctx, keys) })},
		{"Reschedule", free, drop(func(ctx context.Context) (any, error) {
			return s.Reschedule(ctx, []provider.RescheduleItem{{Key: keys[0], Version: 1, Next: next}, {Key: keys[1], Version: 2, Next: next}})
		})},
		{"PauseJobs", free, drop(func(ctx context.Context) (any, error) { return s.PauseJobs(ctx, []string{"j1", "j2"}) })},
		{"ResumeJobs", with(values{"paused": int64(1), "trigger_state": int64(4)}), drop(func(ctx context.Context) (any, error) { return s.ResumeJobs(ctx, []string{"j1", "j2"}) })},
		{"PauseTriggers", free, drop(func(ctx context.Context) (any, error) { return s.PauseTriggers(ctx, keys) })},
		{"ResumeTriggers", with(values{"paused": int64(1)}), drop(func(ctx context.Context) (any, error) { return s.ResumeTriggers(ctx, keys) })},
		{"RequestCancel", acquired[:1], drop(func(ctx context.Context) (any, error) { return s.RequestCancel(ctx, []string{"r1", "r2"}) })},
		{"Jobs", free, drop(func(ctx context.Context) (any, error) { return s.Jobs(ctx, []string{"j1", "j2"}) })},
		{"ListJobs", free, drop(func(ctx context.Context) (any, error) { return s.ListJobs(ctx, "a", 10) })},
		{"Triggers", free, drop(func(ctx context.Context) (any, error) { return s.Triggers(ctx, keys) })},
		{"ListTriggers", free, drop(func(ctx context.Context) (any, error) {
			return s.ListTriggers(ctx, provider.TriggerQuery{After: keys[0], Jobs: []string{"j1", "j2"}, States: []provider.TriggerState{1, 2}, LocalOnly: true, Limit: 10})
		})},
		{"Runs", acquired, drop(func(ctx context.Context) (any, error) { return s.Runs(ctx, provider.RunQuery{Skip: 10, Limit: 10}) })},
		{"Runs, filtered", acquired, drop(func(ctx context.Context) (any, error) {
			return s.Runs(ctx, provider.RunQuery{Limit: 10, Job: "j1", Trigger: "t", Node: "n", States: []provider.RunState{1, 2}, From: instant(1), To: instant(2), WithError: true})
		})},
		{"CountRuns", free, drop(func(ctx context.Context) (any, error) { return s.CountRuns(ctx, provider.RunQuery{WithoutError: true}) })},
		{"RunsByID", acquired, drop(func(ctx context.Context) (any, error) { return s.RunsByID(ctx, []string{"r1", "r2"}) })},
		{"RunningRuns", acquired, drop(func(ctx context.Context) (any, error) { return s.RunningRuns(ctx, []string{"j1", "j2"}) })},
		{"LatestRuns", acquired, drop(func(ctx context.Context) (any, error) { return s.LatestRuns(ctx, []string{"j1", "j2"}) })},
		{"PurgeRuns", acquired, drop(func(ctx context.Context) (any, error) { return s.PurgeRuns(ctx, time.Hour) })},
		{"Health", free, func(ctx context.Context) error { s.Health(ctx, HealthOptions{}); return nil }},
		{"Provision, nothing there", nil, func(ctx context.Context) error {
			var differs *SchemaError
			if err := s.Provision(ctx, CreateIfMissing); !errors.As(err, &differs) { // on paper nothing comes to be
				return fmt.Errorf("the tables are not missed: %w", err)
			}
			return nil
		}},
	}
}

var drawn = regexp.MustCompile(`\b1[0-9]{15}\b`)

// What every operation sends to SQL Server, transaction, settings and
// placeholders included, is looked at by people: it changes only together with
// its golden file.
func TestGoldenSQLServerOperations(t *testing.T) {
	s, app, paper := onPaper(t)
	var b strings.Builder
	for _, op := range paperOperations(s, app) {
		paper.rows = op.rows
		sent := paper.record(func() {
			if err := op.call(context.Background()); err != nil {
				t.Errorf("%s: %v", op.name, err)
			}
		})
		if len(sent) == 0 {
			t.Errorf("%s sends nothing", op.name)
		}
		fmt.Fprintf(&b, "-- ==== %s\n", op.name)
		for _, text := range sent {
			fmt.Fprintln(&b, pretty(drawn.ReplaceAllString(text, "n")))
		}
		b.WriteByte('\n')
	}
	compareGolden(t, "operations.sqlserver.sql", b.String())
	script, err := SchemaSQL("sqlserver", 0, SchemaVersion, nil)
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "schema.sqlserver.sql", script)
}

// compareGolden compares with a golden file, or writes it.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", file)
	if *updateGolden {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: write it with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date; after a look at the difference write it with -update. First difference:\n%s", path, firstDifference(got, string(want)))
	}
}

// The rules of T-SQL that a look at one statement can hold (B172, B176; docs/databases.md
// lists them with where each is met).
func TestSQLServerStatementsKeepTheRules(t *testing.T) {
	s, app, paper := onPaper(t)
	banned := regexp.MustCompile(` LIMIT |FOR UPDATE|NOLOCK|MERGE |OUTPUT |HOLDLOCK|ON CONFLICT|RETURNING| IS TRUE|SKIP LOCKED|\) IN \(\(| LATERAL `)
	parameter := regexp.MustCompile(`@p(\d+)`)
	twoHints := regexp.MustCompile(`WITH \([A-Z, ]+\) WITH \(`)
	write := regexp.MustCompile(`(?:^|; )(?:INSERT|UPDATE|DELETE) `)
	for _, op := range paperOperations(s, app) {
		paper.rows = op.rows
		for _, text := range paper.record(func() { _ = op.call(context.Background()) }) {
			if found := banned.FindString(text); found != "" {
				t.Errorf("%s: %q is not T-SQL, or not the store's: %s", op.name, found, text)
			}
			for _, p := range parameter.FindAllStringSubmatch(text, -1) {
				if n, _ := strconv.Atoi(p[1]); n > 2000 {
					t.Errorf("%s: parameter %d: a request takes 2,100", op.name, n)
				}
			}
			if twoHints.MatchString(text) {
				t.Errorf("%s: a table has one list of hints: %s", op.name, text)
			}
			if strings.Contains(text, "READPAST") && !strings.Contains(text, "READCOMMITTEDLOCK") && !strings.Contains(text, "REPEATABLEREAD") {
				t.Errorf("%s: READPAST alone is an error where READ_COMMITTED_SNAPSHOT is on (T16): %s", op.name, text)
			}
			if write.MatchString(text) && !strings.HasPrefix(text, "SET NOCOUNT OFF; SET XACT_ABORT OFF; ") {
				t.Errorf("%s: a write without its settings: %s", op.name, text)
			}
			if strings.HasPrefix(text, "SET ") && !strings.Contains(text, "@p") {
				t.Errorf("%s: a setting outside dynamic SQL stays with the session: %s", op.name, text)
			}
			if strings.HasPrefix(text, "BEGIN") && text != "BEGIN READ COMMITTED" && !strings.Contains(op.name, "application") {
				t.Errorf("%s: a transaction without its level (T17): %s", op.name, text)
			}
		}
	}
}

// 500 rows with a text in each column that can have one stay within the limits
// of a request: 2,100 parameters, 1,000 rows of VALUES.
func TestSQLServerLimits(t *testing.T) {
	c := paperCore(t, "sqlserver")
	for _, columns := range [][]string{jobColumns, triggerColumns, runColumns} {
		rows := make([][]any, provider.MaxBatch)
		for i := range rows {
			row := make([]any, len(columns))
			for j, name := range columns {
				row[j] = int64(i)
				if k := columnTypes[name]; c.d.ColumnType(k)[0] == 'n' {
					row[j] = strconv.Itoa(i)
				}
			}
			rows[i] = row
		}
		source, err := c.d.Source("v", sourceColumns(columns...), rows)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(source.Args); n > 2050 || n != strings.Count(source.SQL, "?") {
			t.Errorf("%s: %d parameters, %d placeholders; a request takes 2,100, and a statement has others", columns[0], n, strings.Count(source.SQL, "?"))
		}
	}
	in, err := c.d.In("t.x", columnTypes["trigger_key"], slices.Repeat([]any{"k"}, 10_000))
	if err != nil || len(in.Args) != 1 {
		t.Errorf("10,000 keys: %d parameters, %v; want one", len(in.Args), err)
	}
}
