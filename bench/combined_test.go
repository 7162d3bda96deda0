package main

import (
	"slices"
	"testing"
)

// The rows of each table that one statement writes to are counted.
func TestCombined(t *testing.T) {
	query := `WITH w1 AS (UPDATE "scheduler_jobs" AS t SET "active_run_id" = $1 WHERE t."job_name" = $2), ` +
		`w2 AS (DELETE FROM "scheduler_triggers" AS t WHERE t."trigger_key" = ANY($3::text[])) ` +
		`INSERT INTO "scheduler_runs" ("run_id") SELECT v."run_id" FROM unnest($4::text[], $5::bigint[]) AS v("run_id", "n") WHERE 1 = 1`
	args := []any{"r", "j", `{"j/a","j/b","j/c"}`, `{"1","2"}`, "{1,2}"}
	list, ok := combined(query, args)
	want := []part{{`scheduler_jobs`, 1}, {`scheduler_triggers`, 3}, {`scheduler_runs`, 2}}
	if !ok || !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
	if _, ok := combined("UPDATE x SET y = 1", nil); ok {
		t.Error("an update alone is taken apart")
	}
}
