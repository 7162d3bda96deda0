package main

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// loadRuns fills the run table with ended runs, spread over jobs, one a second
// until an hour ago.
func loadRuns(ctx context.Context, d *database, pool *sql.DB, runs, jobs int) error {
	now, err := d.now(ctx, pool)
	if err != nil {
		return err
	}
	text := func(x string) string { return "'x-' || " + x }
	source := fmt.Sprintf("generate_series(1, %d) AS n", runs)
	with := ""
	if d.kind == "sqlite" {
		source, with = "n", fmt.Sprintf("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %d) ", runs)
	}
	at := fmt.Sprintf("%d - 1000000 * (CAST(%d AS bigint) - n)", now.Add(-time.Hour).UnixMicro(), runs)
	_, err = pool.ExecContext(ctx, fmt.Sprintf(`INSERT INTO scheduler_runs (run_id, job_name, trigger_name, run_kind, run_state, node_id, incarnation,
		scheduled_us, started_us, completed_us, attempt, fence, sequence_no, version)
		%sSELECT %s, 'bench.job-' || (n %% %d), 't', 1, 2, 'n', 1, %s, %s, %s, 1, 0, n, 1 FROM %s`, with, text("n"), jobs, at, at, at, source))
	return err
}

// loadTriggers fills the trigger table with triggers that wait for a year.
func loadTriggers(ctx context.Context, d *database, pool *sql.DB, triggers int) error {
	now, err := d.now(ctx, pool)
	if err != nil {
		return err
	}
	source, with := fmt.Sprintf("generate_series(1, %d) AS n", triggers), ""
	if d.kind == "sqlite" {
		source, with = "n", fmt.Sprintf("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %d) ", triggers)
	}
	at := fmt.Sprintf("%d + n", now.Add(365*24*time.Hour).UnixMicro())
	_, err = pool.ExecContext(ctx, fmt.Sprintf(`INSERT INTO scheduler_triggers (trigger_key, job_name, trigger_name, schedule_text, priority, misfire_policy,
		trigger_state, paused, is_local, is_exclusive, scheduled_us, next_fire_us, fire_count, run_as, version)
		%sSELECT '%s/t' || n, '%s', 't' || n, 'every 00:01:00', 5, 1, 1, 0, 0, 0, %s, %s, 0, 1, 1 FROM %s`, with, jobName(0), jobName(0), at, at, source))
	return err
}
