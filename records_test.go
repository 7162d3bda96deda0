package gormsched

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Every column goes through the database and comes back: full and empty rows,
// the greatest numbers, text that is none of JSON's business (B170, B173, B179,
// T8, R088, R089, R092, D31).
func TestRecordsRoundTrip(t *testing.T) {
	hostile := "{\"a\": 9007199254740993, \"b\": \"\\u00e9 \\\" ' \\\\ ? @name $1\", \"c\": {}}\n\t😀 " + strings.Repeat("x", 100_000)
	full := frozenTriggers[0]
	full.Data, full.ErrorText, full.FireCount = hostile, hostile, math.MaxInt64
	full.ClaimID, full.Priority = math.MinInt64, math.MinInt32
	epoch := full
	epoch.TriggerKey = provider.TriggerKey{Job: strings.Repeat("j", 128), Trigger: strings.Repeat("t", 128)}
	epoch.ScheduledAt, epoch.NextFireAt, epoch.ClaimedAt = us(0), us(-1), us(253402300799999999) // 9999-12-31
	run := frozenRuns[0]
	run.Data, run.Result, run.Sequence, run.Fence = hostile, "{}", math.MaxInt64, math.MaxInt64
	zero := provider.RunRecord{ID: "zero", State: provider.RunSucceeded}
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		triggers := []provider.TriggerRecord{epoch, full, frozenTriggers[1]}
		runs := []provider.RunRecord{run, frozenRuns[1], zero}
		err := s.core.inTx(ctx, "test", txManage, func(t *tx) error {
			if err := t.insertTriggers(triggers); err != nil {
				return err
			}
			for _, jobs := range frozenJobs { // one by one: the plain form of the insert
				if err := t.insertRows(t.c.t.jobs, sourceColumns(jobColumns...), [][]any{jobRow(jobs)}); err != nil {
					return err
				}
			}
			var rows [][]any
			for _, r := range runs {
				rows = append(rows, runRow(r))
			}
			if err := t.insertRows(t.c.t.runs, sourceColumns(runColumns...), rows); err != nil {
				return err
			}
			rows = nil
			for _, n := range frozenNodes {
				rows = append(rows, nodeRow(n))
			}
			return t.insertRows(t.c.t.nodes, sourceColumns(nodeColumns...), rows)
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		gotTriggers, err := s.ListTriggers(ctx, provider.TriggerQuery{})
		same(t, err, gotTriggers, triggers)
		jobs, err := s.ListJobs(ctx, "", 0)
		same(t, err, jobs, frozenJobs)
		gotRuns, err := s.RunsByID(ctx, []string{run.ID, frozenRuns[1].ID, zero.ID})
		same(t, err, gotRuns, runs)
		nodes, err := s.ListNodes(ctx)
		same(t, err, nodes.Nodes, frozenNodes)
	})
}

// A replacement sets every column back: text to absent, numbers to zero, flags
// to false, each of which a struct update of GORM would leave out (B173).
func TestReplacementEmptiesEveryColumn(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		full := frozenJobs[0]
		saveJobs(t, s, provider.SaveItem{Job: full})
		saveJobs(t, s, provider.SaveItem{Job: provider.JobRecord{Name: full.Name}})
		jobs, err := s.Jobs(ctx, []string{full.Name})
		if err != nil || len(jobs) != 1 {
			t.Fatalf("Jobs: %v, %v", jobs, err)
		}
		same(t, nil, jobs, []provider.JobRecord{{Name: full.Name, Version: jobs[0].Version}})
	})
}

// Absent is not empty: "" comes back as "", "{}" as "{}", and in the column
// absent text is NULL.
func TestAbsentIsNull(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		with, without := jobItem("with"), jobItem("without")
		with.Job.Data = "{}"
		saveJobs(t, s, with, without)
		var nulls int
		if err := s.core.db.Raw(s.named("SELECT COUNT(*) FROM {{jobs}} WHERE job_data IS NULL AND job_name = 'without'")).Scan(&nulls).Error; err != nil || nulls != 1 {
			t.Errorf("absent data is not NULL: %d, %v", nulls, err)
		}
		jobs, err := s.Jobs(context.Background(), []string{"with", "without"})
		if err != nil || jobs[0].Data != "{}" || jobs[1].Data != "" {
			t.Errorf("got %v, %v", jobs, err)
		}
	})
}

// Instants are cut, never rounded up: a due instant does not move later by
// storage (B170). Durations are whole milliseconds.
func TestInstantsAndDurationsAreCut(t *testing.T) {
	at := time.Date(2006, 1, 2, 15, 4, 5, 999_999_999, time.FixedZone("CST", 8*3600))
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		item := jobItem("a", provider.TriggerRecord{
			TriggerKey: provider.TriggerKey{Trigger: "t"}, Schedule: "x", State: provider.TriggerWaiting, RunAs: provider.KindSchedule, ScheduledAt: at, NextFireAt: at,
		})
		item.Job.Timeout = 1_999_999 * time.Nanosecond
		saveJobs(t, s, item)
		got, err := s.Triggers(ctx, []provider.TriggerKey{{Job: "a", Trigger: "t"}})
		want := time.Date(2006, 1, 2, 7, 4, 5, 999_999_000, time.UTC)
		if err != nil || got[0].NextFireAt != want || got[0].ScheduledAt != want {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
		if jobs, err := s.Jobs(ctx, []string{"a"}); err != nil || jobs[0].Timeout != time.Millisecond {
			t.Errorf("got %v, %v, want 1ms", jobs, err)
		}
	})
}

// A value that this version does not know is told apart from a fault, with the
// key of the row; reads answer the row as it is (D14).
func TestUnreadableRows(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		saveJobs(t, s, jobItem("a", waitingTrigger("t", us(1))), jobItem("b"))
		if err := s.Record(ctx, []provider.RunRecord{frozenRuns[0]}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name, poke, key string
			scan            func(*tx) error
		}{
			{"state", "UPDATE {{triggers}} SET trigger_state = 9", "a/t", scanning(scanTrigger, "triggers", triggerColumns)},
			{"state zero", "UPDATE {{triggers}} SET trigger_state = 0", "a/t", scanning(scanTrigger, "triggers", triggerColumns)},
			{"misfire policy", "UPDATE {{triggers}} SET trigger_state = 1, misfire_policy = 3", "a/t", scanning(scanTrigger, "triggers", triggerColumns)},
			{"kind", "UPDATE {{triggers}} SET misfire_policy = 0, run_as = 5", "a/t", scanning(scanTrigger, "triggers", triggerColumns)},
			{"source", "UPDATE {{jobs}} SET job_source = 4 WHERE job_name = 'a'", "a", scanning(scanJob, "jobs", jobColumns)},
			{"backoff", "UPDATE {{jobs}} SET job_source = 1, retry_backoff = 2 WHERE job_name = 'a'", "a", scanning(scanJob, "jobs", jobColumns)},
			{"run state", "UPDATE {{runs}} SET run_state = 6", frozenRuns[0].ID, scanning(scanRun, "runs", runColumns)},
			{"run kind", "UPDATE {{runs}} SET run_state = 2, run_kind = 5", frozenRuns[0].ID, scanning(scanRun, "runs", runColumns)},
		} {
			sqlExec(t, s, c.poke)
			err := s.core.inTx(ctx, "test", txRead, c.scan, nil)
			if !errors.Is(err, errUnreadable) || !strings.Contains(err.Error(), c.key) {
				t.Errorf("%s: got %v, want errUnreadable with the key %s", c.name, err, c.key)
			}
		}
		jobs, err := s.ListJobs(ctx, "", 0)
		if err != nil || len(jobs) != 2 || jobs[0].Retry.Backoff.Valid() {
			t.Errorf("ListJobs: %v, %v; want both jobs, one with a value that is not valid", jobs, err)
		}
		triggers, err := s.ListTriggers(ctx, provider.TriggerQuery{})
		if err != nil || len(triggers) != 1 || triggers[0].RunAs.Valid() {
			t.Errorf("ListTriggers: %v, %v", triggers, err)
		}
	})
}

// scanning reads the first row of a table with one of the scan functions.
func scanning[R any](scan func(*sql.Rows, ...any) (R, error), table string, columns []string) func(*tx) error {
	return func(t *tx) error {
		s := &JobStore{core: t.c}
		return t.query(func(rows *sql.Rows) error {
			_, err := scan(rows)
			return err
		}, s.named("SELECT "+t.c.columns("", columns)+" FROM {{"+table+"}} ORDER BY 1"))
	}
}

// waitingTrigger is a trigger of a definition that waits for an instant.
func waitingTrigger(name string, at time.Time) provider.TriggerRecord {
	return provider.TriggerRecord{
		TriggerKey: provider.TriggerKey{Trigger: name}, Schedule: "cron 0 0 * * * *", Priority: 5,
		State: provider.TriggerWaiting, RunAs: provider.KindSchedule, ScheduledAt: at, NextFireAt: at,
	}
}
