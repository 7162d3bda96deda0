package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// node is a node with a pool of its own that serves until it is stopped.
type node struct {
	pool     *sql.DB
	counting *countingPool
	s        *scheduling.Scheduler
	result   chan error
}

// nothing is the handler of most workloads.
func nothing(context.Context, *scheduling.Run) error { return nil }

// startNode starts a node. wrap, if any, puts something between the engine
// and its store.
func startNode(ctx context.Context, d *database, o scheduling.Options, connections int, handler scheduling.Handler, wrap ...func(provider.Store) provider.Store) (*node, error) {
	pool, err := d.pool(connections)
	if err != nil {
		return nil, err
	}
	n := &node{pool: pool, counting: &countingPool{db: pool}, result: make(chan error, 1)}
	o.Logger = quiet
	own, err := d.store(n.counting)
	if err == nil {
		var store provider.Store = own
		for _, w := range wrap {
			store = w(store)
		}
		n.s, err = scheduling.New(store, o)
	}
	if err != nil {
		pool.Close()
		return nil, err
	}
	n.s.Handle(handlerKey, handler)
	go func() { n.result <- n.s.Run(ctx) }()
	return n, nil
}

func (n *node) stop() error {
	defer n.pool.Close()
	limited, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return errors.Join(n.s.Shutdown(limited), <-n.result)
}

// startNodes starts so many nodes and waits until each is registered and one
// of them leads.
func startNodes(ctx context.Context, d *database, pool *sql.DB, count int, o scheduling.Options, connections int, handler scheduling.Handler, wrap ...func(provider.Store) provider.Store) ([]*node, error) {
	var list []*node
	for range count {
		n, err := startNode(ctx, d, o, connections, handler, wrap...)
		if err != nil {
			return nil, errors.Join(err, stopNodes(list))
		}
		list = append(list, n)
	}
	err := until(ctx, 30*time.Second, func() bool {
		var n int
		err := pool.QueryRowContext(ctx, "SELECT COUNT(*) FROM scheduler_nodes").Scan(&n)
		return err == nil && n == count && slices.ContainsFunc(list, func(n *node) bool { return n.s.IsLeader() })
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("waiting for %d nodes and their leader: %w", count, err), stopNodes(list))
	}
	return list, nil
}

func stopNodes(list []*node) error {
	var errs []error
	for _, n := range list {
		errs = append(errs, n.stop())
	}
	return errors.Join(errs...)
}

// total is what all nodes have sent.
func total(list []*node) (t traffic) {
	for _, n := range list {
		t = t.minus(traffic{}.minus(n.counting.counted()))
	}
	return t
}

// define stores jobs with one handler that does nothing.
func define(ctx context.Context, d *database, pool *sql.DB, jobs ...scheduling.JobDefinition) (*scheduling.Scheduler, error) {
	store, err := d.store(pool)
	if err != nil {
		return nil, err
	}
	s, err := scheduling.New(store, scheduling.Options{Logger: quiet})
	if err != nil {
		return nil, err
	}
	s.Handle(handlerKey, nothing)
	for part := range slices.Chunk(jobs, 100) {
		if err := s.Schedule(ctx, part...); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// enqueueAt asks for one run of the job at each of the instants.
func enqueueAt(ctx context.Context, s *scheduling.Scheduler, job string, at []time.Time) error {
	for part := range slices.Chunk(at, 500) {
		requests := make([]scheduling.EnqueueRequest, len(part))
		for i, t := range part {
			requests[i] = scheduling.EnqueueRequest{Job: job, DueAt: t}
		}
		if _, err := s.Enqueue(ctx, requests...); err != nil {
			return err
		}
	}
	return nil
}

// now reads the database's clock.
func (d *database) now(ctx context.Context, pool *sql.DB) (time.Time, error) {
	text, err := handTexts(d.kind)
	if err != nil {
		return time.Time{}, err
	}
	var us int64
	err = pool.QueryRowContext(ctx, text.clock).Scan(&us)
	return time.UnixMicro(us), err
}

// lateness gives in order by how much the runs that a condition selects had
// started after their instants, by the database's clock.
func lateness(ctx context.Context, pool *sql.DB, condition string) ([]time.Duration, error) {
	rows, err := pool.QueryContext(ctx, "SELECT started_us - scheduled_us FROM scheduler_runs WHERE "+condition)
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

// quantile picks from an ordered list; zero of an empty one.
func quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[min(len(list)-1, int(q*float64(len(list))))]
}

// duplicates counts occurrences that ran more than once.
func duplicates(ctx context.Context, pool *sql.DB) (n int, err error) {
	err = pool.QueryRowContext(ctx, `SELECT COUNT(*) FROM (SELECT job_name FROM scheduler_runs GROUP BY job_name, trigger_name, scheduled_us HAVING COUNT(*) > 1) AS x`).Scan(&n)
	return n, err
}

// spread shows the median of some figures and their extremes.
func spread(values []float64, format string) string {
	list := slices.Clone(values)
	return fmt.Sprintf(format+" ["+format+" – "+format+"]", median(list), slices.Min(list), slices.Max(list))
}

// verdict says whether a target is met.
func verdict(met bool) string {
	if met {
		return "met"
	}
	return "MISSED"
}

// execer is a pool or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}
