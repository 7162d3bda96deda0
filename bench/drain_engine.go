package main

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// quiet drops what an engine logs.
var quiet = slog.New(slog.DiscardHandler)

// handlerKey names the one handler of all workloads.
const handlerKey = "bench"

// work is what a drain drains.
type work struct {
	jobs, names, workers, batch, connections int
	data                                     string
	// first, where not nil, is told how long the engine took to its first run.
	first func(time.Duration)
	// profile, where not empty, is the file for a processor profile of the
	// engine's last round.
	profile string
}

// payload is a JSON object of n bytes.
func payload(n int) string {
	const frame = `{"payload":""}`
	return `{"payload":"` + strings.Repeat("x", max(0, n-len(frame))) + `"}`
}

func jobName(i int) string { return fmt.Sprintf("bench.job-%03d", i) }

// fill creates the jobs and their due one-shots through a scheduler that does
// not run.
func fill(ctx context.Context, d *database, pool *sql.DB, w work, exclusive bool) error {
	store, err := d.store(pool)
	if err != nil {
		return err
	}
	s, err := scheduling.New(store, scheduling.Options{Logger: quiet})
	if err != nil {
		return err
	}
	s.Handle(handlerKey, func(context.Context, *scheduling.Run) error { return nil })
	jobs := make([]scheduling.JobDefinition, w.names)
	for i := range jobs {
		jobs[i] = scheduling.JobDefinition{Name: jobName(i), Handler: handlerKey, AllowConcurrent: !exclusive}
	}
	if err := s.Schedule(ctx, jobs...); err != nil {
		return err
	}
	data, err := scheduling.ParseData(w.data)
	if err != nil {
		return err
	}
	for from := 0; from < w.jobs; from += 500 {
		requests := make([]scheduling.EnqueueRequest, min(500, w.jobs-from))
		for i := range requests {
			requests[i] = scheduling.EnqueueRequest{Job: jobName((from + i) % w.names), Data: data}
		}
		if _, err := s.Enqueue(ctx, requests...); err != nil {
			return err
		}
	}
	return nil
}

// engineDrain drains with the engine and tells how long it took from Run until
// the last run had been recorded, the stop included.
func engineDrain(ctx context.Context, d *database, w work) (time.Duration, error) {
	pool, err := d.pool(w.connections)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	if err := prepare(ctx, d, pool, w); err != nil {
		return 0, err
	}
	store, err := d.store(pool)
	if err != nil {
		return 0, err
	}
	s, err := scheduling.New(store, scheduling.Options{MaxConcurrentRuns: w.workers, AcquireBatchSize: w.batch, Logger: quiet})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, drainLimit)
	defer cancel()
	all := make(chan struct{})
	var done, began atomic.Int64
	s.Handle(handlerKey, func(context.Context, *scheduling.Run) error {
		n := done.Add(1)
		if n == 1 {
			began.Store(time.Now().UnixNano())
		}
		if n == int64(w.jobs) {
			close(all)
		}
		return nil
	})
	running, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-all:
			stop()
		case <-running.Done():
		}
	}()
	if w.profile != "" {
		file, err := os.Create(w.profile)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return 0, err
		}
		defer pprof.StopCPUProfile()
	}
	start := time.Now()
	err = s.Run(running)
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	if w.first != nil {
		w.first(time.Duration(began.Load() - start.UnixNano()))
	}
	return took, drained(ctx, pool, w.jobs)
}

// drainLimit ends a round that does not come to its end.
const drainLimit = 10 * time.Minute

// prepare makes the tables and fills them.
func prepare(ctx context.Context, d *database, pool *sql.DB, w work) error {
	if err := d.fresh(ctx, pool); err != nil {
		return err
	}
	if err := fill(ctx, d, pool, w, false); err != nil {
		return err
	}
	return d.settle(ctx, pool, "scheduler_jobs", "scheduler_triggers", "scheduler_runs")
}

// drained checks that everything has run and nothing is left.
func drained(ctx context.Context, pool *sql.DB, jobs int) error {
	var runs, triggers int
	if err := pool.QueryRowContext(ctx, "SELECT COUNT(*) FROM scheduler_runs WHERE run_state = 2").Scan(&runs); err != nil {
		return err
	}
	if err := pool.QueryRowContext(ctx, "SELECT COUNT(*) FROM scheduler_triggers").Scan(&triggers); err != nil {
		return err
	}
	if runs != jobs || triggers != 0 {
		return fmt.Errorf("%d runs succeeded and %d one-shots are left, want %d and 0", runs, triggers, jobs)
	}
	return nil
}
