package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

func runExclusive(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench exclusive", flag.ContinueOnError)
	at := whereFlags(flags)
	backlogs := flags.String("backlogs", "1000,10000", "one-shots of the exclusive job, separated by commas")
	most := flags.Int("runs", 0, "stop after so many runs of the exclusive job; 0 = drain the backlog")
	behind := flags.Int("behind", 100, "other jobs, each with a one-shot that is due after the backlog")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sizes, err := numbers(*backlogs)
	if err != nil {
		return fmt.Errorf("-backlogs %q: %w", *backlogs, err)
	}
	if *most < 0 || *behind < 1 {
		return fmt.Errorf("runs must not be negative, behind must be positive")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "exclusive: a backlog of due one-shots of one exclusive job, with %d other jobs behind it, one due one-shot each; handlers that do nothing,\n"+
		"default options (32 slots, batches of 16). Counted at the connection pool of the engine: rows of the trigger and run tables inserted,\n"+
		"updated and deleted, transactions and statements of everything the node does, per run of the exclusive job.\n"+
		"\"first\" are the trigger writes that store the backlog as Blocked, once; \"others\" is the time from the first start of any run until\n"+
		"the other jobs' runs had started, by the database's clock.\n", *behind)
	writeMachine(out)
	for _, d := range found {
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "backlog\truns\ttrigger writes per run\tfirst\trun writes per run\ttransactions per run\tstatements per run\truns per second\tothers median\tlast\t")
		for _, n := range sizes {
			if err := exclusiveRow(ctx, table, d, n, *most, *behind); err != nil {
				return fmt.Errorf("%s, backlog of %d: %w", d.kind, n, err)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func exclusiveRow(ctx context.Context, table io.Writer, d *database, backlog, most, behind int) error {
	pool, err := d.pool(10)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return err
	}
	if err := fill(ctx, d, pool, work{jobs: backlog, names: 1, data: payload(200)}, true); err != nil {
		return err
	}
	if err := fillBehind(ctx, d, pool, behind); err != nil {
		return err
	}
	if err := d.settle(ctx, pool, "scheduler_jobs", "scheduler_triggers", "scheduler_runs"); err != nil {
		return err
	}
	runs := backlog
	if most > 0 {
		runs = min(most, backlog)
	}
	counting := &countingPool{db: pool}
	store, err := d.store(counting)
	if err != nil {
		return err
	}
	s, err := scheduling.New(store, scheduling.Options{Logger: quiet})
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, drainLimit)
	defer cancel()
	running, stop := context.WithCancel(limited)
	defer stop()
	var one, other atomic.Int64
	var began, ended atomic.Int64
	s.Handle(handlerKey, func(_ context.Context, run *scheduling.Run) error {
		began.CompareAndSwap(0, time.Now().UnixNano())
		if run.Job != jobName(0) {
			other.Add(1)
		} else {
			one.Add(1)
		}
		if one.Load() >= int64(runs) && other.Load() >= int64(behind) && ended.CompareAndSwap(0, time.Now().UnixNano()) {
			stop()
		}
		return nil
	})
	before := counting.counted()
	if err := s.Run(running); err != nil {
		return err
	}
	if limited.Err() != nil {
		return fmt.Errorf("%d of %d runs and %d of %d others within %v", one.Load(), runs, other.Load(), behind, drainLimit)
	}
	t := counting.counted().minus(before)
	took := time.Duration(ended.Load() - began.Load())
	n := float64(one.Load())
	delays, err := delaysOfOthers(ctx, pool)
	if err != nil {
		return err
	}
	if len(delays) < behind {
		return fmt.Errorf("%d runs of other jobs are recorded, want %d", len(delays), behind)
	}
	fmt.Fprintf(table, "%d\t%.0f\t%.2f\t%d\t%.2f\t%.2f\t%.1f\t%.0f\t%v\t%v\t\n", backlog, n,
		float64(t.TriggerWrites-behind-(backlog-1))/n, backlog-1, float64(t.RunWrites-2*behind)/n, float64(t.Transactions)/n, float64(t.Statements)/n,
		n/took.Seconds(), delays[len(delays)/2].Round(time.Millisecond), delays[len(delays)-1].Round(time.Millisecond))
	return nil
}

// fillBehind creates the other jobs, each with a one-shot that is due now.
func fillBehind(ctx context.Context, d *database, pool *sql.DB, behind int) error {
	store, err := d.store(pool)
	if err != nil {
		return err
	}
	s, err := scheduling.New(store, scheduling.Options{Logger: quiet})
	if err != nil {
		return err
	}
	s.Handle(handlerKey, func(context.Context, *scheduling.Run) error { return nil })
	jobs, requests := make([]scheduling.JobDefinition, behind), make([]scheduling.EnqueueRequest, behind)
	for i := range jobs {
		name := fmt.Sprintf("other.job-%03d", i)
		jobs[i] = scheduling.JobDefinition{Name: name, Handler: handlerKey, AllowConcurrent: true}
		requests[i] = scheduling.EnqueueRequest{Job: name}
	}
	if err := s.Schedule(ctx, jobs...); err != nil {
		return err
	}
	_, err = s.Enqueue(ctx, requests...)
	return err
}

// delaysOfOthers gives, in order, how long after the first run the runs of
// the other jobs started.
func delaysOfOthers(ctx context.Context, pool *sql.DB) ([]time.Duration, error) {
	rows, err := pool.QueryContext(ctx, "SELECT started_us - (SELECT MIN(started_us) FROM scheduler_runs) FROM scheduler_runs WHERE job_name LIKE 'other.%'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []time.Duration
	for rows.Next() {
		var us int64
		if err := rows.Scan(&us); err != nil {
			return nil, err
		}
		list = append(list, time.Duration(us)*time.Microsecond)
	}
	slices.Sort(list)
	return list, rows.Err()
}
