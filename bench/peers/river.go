package main

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	_ "github.com/glebarez/go-sqlite" // the driver "sqlite"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// args are a job's arguments.
type args struct {
	Name    string `json:"name"`
	Payload string `json:"payload"`
}

func (args) Kind() string { return "bench" }

// worker counts.
type worker struct {
	river.WorkerDefaults[args]
	left atomic.Int64
	all  chan struct{}
}

func (w *worker) Work(context.Context, *river.Job[args]) error {
	if w.left.Add(-1) == 0 {
		close(w.all)
	}
	return nil
}

func (t task) riverPostgres(ctx context.Context) (answer, error) {
	config, err := pgxpool.ParseConfig(t.dsn)
	if err != nil {
		return answer{}, err
	}
	config.MaxConns = int32(t.connections)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return answer{}, err
	}
	defer pool.Close()
	exec := func(query string) error { _, err := pool.Exec(ctx, query); return err }
	count := func(query string) (n int, err error) { err = pool.QueryRow(ctx, query).Scan(&n); return n, err }
	settle := []string{"VACUUM ANALYZE river_job", "CHECKPOINT"}
	return drainRiver(ctx, t, riverpgxv5.New(pool), exec, count, settle)
}

func (t task) riverSQLite(ctx context.Context) (answer, error) {
	pool, err := sql.Open("sqlite", t.dsn)
	if err != nil {
		return answer{}, err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1) // as the driver's documentation asks
	exec := func(query string) error { _, err := pool.ExecContext(ctx, query); return err }
	count := func(query string) (n int, err error) { err = pool.QueryRowContext(ctx, query).Scan(&n); return n, err }
	settle := []string{"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"}
	return drainRiver(ctx, t, riversqlite.New(pool), exec, count, settle)
}

// drainRiver inserts the jobs and tells how long a client takes from its start
// until the last one has been recorded, its stop included.
func drainRiver[TTx any](ctx context.Context, t task, driver riverdriver.Driver[TTx], exec func(string) error, count func(string) (int, error), settle []string) (answer, error) {
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return answer{}, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return answer{}, fmt.Errorf("migrating: %w", err)
	}
	if err := exec("DELETE FROM river_job"); err != nil {
		return answer{}, err
	}
	work := &worker{all: make(chan struct{})}
	work.left.Store(int64(t.jobs))
	workers := river.NewWorkers()
	river.AddWorker(workers, work)
	config := &river.Config{
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: t.workers}},
		Workers: workers, Logger: quiet,
	}
	settings := fmt.Sprintf("defaults (FetchCooldown %v, FetchPollInterval %v)", river.FetchCooldownDefault, river.FetchPollIntervalDefault)
	if !t.defaults {
		config.FetchCooldown, config.FetchPollInterval = t.fetchCooldown, t.fetchPoll
		settings = fmt.Sprintf("FetchCooldown %v, FetchPollInterval %v", t.fetchCooldown, t.fetchPoll)
	}
	client, err := river.NewClient(driver, config)
	if err != nil {
		return answer{}, err
	}
	payload := t.data
	for from := 0; from < t.jobs; from += 500 {
		batch := make([]river.InsertManyParams, min(500, t.jobs-from))
		for i := range batch {
			batch[i].Args = args{Name: fmt.Sprintf("bench.job-%03d", (from+i)%t.names), Payload: payload}
		}
		if _, err := client.InsertMany(ctx, batch); err != nil {
			return answer{}, fmt.Errorf("inserting: %w", err)
		}
	}
	for _, query := range settle {
		if err := exec(query); err != nil {
			return answer{}, err
		}
	}
	start := time.Now()
	if err := client.Start(ctx); err != nil {
		return answer{}, err
	}
	select {
	case <-work.all:
	case <-ctx.Done():
		return answer{}, fmt.Errorf("%d jobs are left: %w", work.left.Load(), ctx.Err())
	}
	if err := client.Stop(ctx); err != nil {
		return answer{}, err
	}
	took := time.Since(start)
	n, err := count("SELECT COUNT(*) FROM river_job WHERE state = 'completed'")
	if err == nil && n != t.jobs {
		err = fmt.Errorf("%d jobs are completed, want %d", n, t.jobs)
	}
	return answer{Seconds: took.Seconds(), Version: version("github.com/riverqueue/river"), Settings: settings}, err
}
