package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling"
)

const handlerKey = "quickstart.work"

// nodes are the ids of the two nodes. They are fixed, so that a second start
// takes over what the first one left.
var nodes = []string{"quickstart-a", "quickstart-b"}

// options are the timings: a cluster in a hurry.
func options(id string, log *slog.Logger) scheduling.Options {
	return scheduling.Options{
		NodeID:               id,
		PollInterval:         200 * time.Millisecond,
		HeartbeatInterval:    500 * time.Millisecond,
		NodeTimeout:          3 * time.Second,
		LeaseTTL:             3 * time.Second,
		RenewInterval:        500 * time.Millisecond,
		HousekeepingInterval: time.Second,
		MisfireThreshold:     time.Second,
		PruneCodeJobs:        true,
		Logger:               log,
	}
}

func timings() string {
	o := options(nodes[0], nil)
	return fmt.Sprintf("nodes %s; PollInterval %v, heartbeat %v, NodeTimeout %v, lease TTL %v, renewal %v, housekeeping %v, misfire threshold %v",
		strings.Join(nodes, ", "), o.PollInterval, o.HeartbeatInterval, o.NodeTimeout, o.LeaseTTL, o.RenewInterval, o.HousekeepingInterval, o.MisfireThreshold)
}

// cluster is the two nodes, each with a connection pool of its own.
type cluster struct {
	path       string
	dbs        []*gorm.DB
	schedulers []*scheduling.Scheduler
}

// open opens the file, creates the tables and declares the jobs. Its errors are
// one line with the file and what to do.
func open(ctx context.Context, path string, jobs []scheduling.JobDefinition, log *slog.Logger) (*cluster, error) {
	c := &cluster{path: path}
	for _, id := range nodes {
		if err := c.add(ctx, id, jobs, log); err != nil {
			c.close()
			return nil, c.explain(err)
		}
	}
	return c, nil
}

func (c *cluster) add(ctx context.Context, id string, jobs []scheduling.JobDefinition, log *slog.Logger) error {
	dsn := "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(c.path) +
		"?_pragma=busy_timeout(2000)&_pragma=journal_mode(WAL)&_txlock=immediate"
	db, err := gorm.Open(sqlite.Open(dsn), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return err
	}
	c.dbs = append(c.dbs, db)
	store, err := gormsched.NewJobStore(db, gormsched.Options{Logger: log})
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	// _txlock=immediate: this fails at once if the file cannot be written,
	// where the scheduler would patiently wait for it.
	if err := db.WithContext(limited).Transaction(func(*gorm.DB) error { return nil }); err != nil {
		return err
	}
	if err := store.Provision(limited, gormsched.CreateIfMissing); err != nil {
		return err
	}
	s, err := scheduling.New(store, options(id, log))
	if err != nil {
		return err
	}
	s.Handle(handlerKey, handle)
	for _, job := range jobs {
		if err := s.AddJob(job); err != nil {
			return err
		}
	}
	c.schedulers = append(c.schedulers, s)
	return nil
}

// handle is the one handler: it works as long as the job's data says.
func handle(ctx context.Context, run *scheduling.Run) error {
	var w work
	if err := run.Data.Bind(&w); err != nil {
		return err
	}
	if w.Work == "" {
		return nil
	}
	d, err := time.ParseDuration(w.Work)
	if err != nil {
		return scheduling.NoRetry(err)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// serve runs both nodes until ctx ends, and waits until both have stopped.
func (c *cluster) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	failed := make([]error, len(c.schedulers))
	for i, s := range c.schedulers {
		all.Go(func() {
			if failed[i] = s.Run(ctx); failed[i] != nil {
				cancel() // the other node stops too
			}
		})
	}
	all.Wait()
	return c.explain(errors.Join(failed...))
}

func (c *cluster) close() {
	for _, db := range c.dbs {
		if pool, err := db.DB(); err == nil {
			_ = pool.Close()
		}
	}
}

// explain makes one line of an error of the file, with what to do about it.
func (c *cluster) explain(err error) error {
	if err == nil {
		return nil
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, known := range []struct{ part, remedy string }{
		{"not a database", "the file is no SQLite database, or a damaged one: name another with -db, or move it away"},
		{"malformed", "the file is damaged: name another with -db, or move it away"},
		{"locked", "another program holds the file: end it, or name another file with -db"},
		{"busy", "another program holds the file: end it, or name another file with -db"},
		{"readonly", "the file or its folder cannot be written: change its permissions, or name another with -db"},
		{"read-only", "the file or its folder cannot be written: change its permissions, or name another with -db"},
		{"interrupted", "another program holds the file: end it, or name another file with -db"},
		{"unable to open", "the file cannot be opened: does its folder exist, and may you write there? Name another with -db"},
		{"out of memory (14)", "the file cannot be opened: does its folder exist, and may you write there? Name another with -db"},
		{"is a directory", "-db names a folder: name a file"},
	} {
		if strings.Contains(strings.ToLower(text), known.part) {
			return fmt.Errorf("%s: %s (%s)", c.path, known.remedy, text)
		}
	}
	return fmt.Errorf("%s: %s", c.path, text)
}
