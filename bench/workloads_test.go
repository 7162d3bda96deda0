package main

import (
	"database/sql"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The drain runs the engine and the hand-written program to their end on
// SQLite, with a row for each and what it was measured with. A round that
// leaves something behind is an error.
func TestDrainWorkload(t *testing.T) {
	var out strings.Builder
	err := run([]string{"drain", "-postgres", "none", "-peers=false", "-jobs", "60", "-batches", "16,500", "-workers", "20,500", "-rounds", "1"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gormsched", "hand-written", "sqlite 3.", "batch 16, 20 workers", "batch 500, 500 workers", "every index", "this tree"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// The exclusive workload counts two run writes for each run, its insert and
// its end, and runs what stands behind (D35).
func TestExclusiveWorkload(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"exclusive", "-postgres", "none", "-backlogs", "30", "-behind", "5"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	row := strings.Fields(lines[len(lines)-1])
	if len(row) != 10 || row[0] != "30" || row[1] != "30" || row[3] != "29" || row[4] != "2.00" {
		t.Errorf("row %q, want a backlog and runs of 30, 29 first writes and 2.00 run writes per run, in\n%s", row, out.String())
	}
}

// Flags that mean nothing are errors, before anything is started.
func TestBadFlags(t *testing.T) {
	for _, args := range []string{
		"drain -jobs 0", "drain -batches 0", "drain -batches x", "drain -batches 16 -workers 1,2", "drain -connections 2",
		"exclusive -backlogs x", "exclusive -runs -1", "idle -for 1ms", "acquire -triggers 0", "acquire -passes 0",
		"drain -postgres none -sqlite=false", "acquire -postgres none",
	} {
		if err := run(strings.Fields(args), &strings.Builder{}); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

// The pages are those of the plan's top, which has its children's in it.
func TestReadPlan(t *testing.T) {
	pages, scan, err := readPlan(`[{"Plan": {"Node Type": "Limit", "Shared Hit Blocks": 7, "Shared Read Blocks": 2, "Plans": [
		{"Node Type": "Sort", "Shared Hit Blocks": 7, "Plans": [{"Node Type": "Index Scan", "Index Name": "due", "Shared Hit Blocks": 5}]}]}}]`)
	if err != nil || pages != 9 || scan != "Sort of Index Scan due" {
		t.Errorf("%d pages, %q, %v; want 9, a sort of an index scan", pages, scan, err)
	}
	if _, _, err := readPlan("nothing"); err == nil {
		t.Error("no error for what is no plan")
	}
}

// The pool counts transactions, statements, rows and commits that changed
// something, and not those that did not.
func TestCountingPool(t *testing.T) {
	d, err := sqliteFile()
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	db, err := d.pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE scheduler_triggers (a INTEGER)"); err != nil {
		t.Fatal(err)
	}
	pool := &countingPool{db: db}
	var traced []string
	pool.trace = func(query string) { traced = append(traced, query) }
	send := func(commit bool, queries ...string) {
		t.Helper()
		tx, err := pool.BeginTx(t.Context(), &sql.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		own := tx.(*countingTx)
		for _, query := range queries {
			if _, err := own.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		if !commit {
			err = own.Rollback()
		} else {
			err = own.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	send(true, `INSERT INTO "scheduler_triggers" VALUES (1), (2)`, "UPDATE scheduler_triggers AS t SET a = 3 WHERE a = 1")
	send(true, "DELETE FROM scheduler_triggers WHERE a = 9")
	send(false, "SELECT 1")
	want := traffic{Statements: 4, Transactions: 3, Commits: 2, Writing: 1, TriggerWrites: 3}
	if got := pool.counted(); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	if n := len(traced); n != 7 || traced[0] != "BEGIN" {
		t.Errorf("traced %q", traced)
	}
	if got := want.minus(want); got != (traffic{}) {
		t.Errorf("a total minus itself: %+v", got)
	}
}

// A row source keeps NULL and its columns' order on every database.
func TestHandRows(t *testing.T) {
	columns := []handColumn{{"a", "key"}, {"b", "big"}}
	rows := [][]any{{"x", int64(1)}, {nil, nil}}
	for kind, want := range map[string]string{
		"postgres": "unnest($1::text[], $2::bigint[]) AS v(a, b)",
		"sqlite":   "(SELECT value->>0 AS a, value->>1 AS b FROM json_each(?)) AS v",
		"mysql":    "PATH '$[1]' ERROR ON ERROR",
		"mariadb":  "STRAIGHT_JOIN",
	} {
		text, err := handTexts(kind)
		if err != nil {
			t.Fatal(err)
		}
		query, args, err := text.rows("{rows} STRAIGHT_JOIN", columns, rows)
		if err != nil || !strings.Contains(query, want) {
			t.Errorf("%s: %q, %v; want %q in it", kind, query, err, want)
		}
		if kind != "postgres" && !reflect.DeepEqual(args, []any{`[["x",1],[null,null]]`}) {
			t.Errorf("%s: %v", kind, args)
		}
	}
	if got := column[int64](rows, 1); *got[0] != 1 || got[1] != nil {
		t.Errorf("a column of numbers: %v", got)
	}
	if got := distinct([]string{"b", "a", "b"}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("distinct: %v", got)
	}
}
