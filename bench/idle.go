package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

func runIdle(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench idle", flag.ContinueOnError)
	at := whereFlags(flags)
	length := flags.Duration("for", 60*time.Second, "how long to count each of the two phases")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *length < time.Second {
		return fmt.Errorf("-for %v: count for a second at least", *length)
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "idle: what a node sends while nothing is due, at default options, with 100 one-shots that are due in a year. Per second, counted for %v:\n"+
		"first of a leader alone, then of the same leader with a follower beside it. At the pool: statements (BEGIN and COMMIT apart), transactions,\n"+
		"commits that changed a row. At the server: pg_stat_database.xact_commit of the database, or Questions of the whole server, which counts\n"+
		"BEGIN and COMMIT too; other clients of the server, if there are any, count in it. The follower's is the difference of the two phases.\n", *length)
	writeMachine(out)
	for _, d := range found {
		if err := idleTable(ctx, out, d, *length); err != nil {
			return fmt.Errorf("%s: %w", d.kind, err)
		}
	}
	return nil
}

func idleTable(ctx context.Context, out io.Writer, d *database, length time.Duration) (err error) {
	pool, err := d.pool(2)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return err
	}
	if err := fillBehind(ctx, d, pool, 100); err != nil {
		return err
	}
	const year = int64(365 * 24 * time.Hour / time.Microsecond)
	if _, err := pool.ExecContext(ctx, fmt.Sprintf("UPDATE scheduler_triggers SET next_fire_us = next_fire_us + %d, scheduled_us = scheduled_us + %d", year, year)); err != nil {
		return err
	}
	leader, err := startNode(ctx, d, scheduling.Options{}, 5, nothing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leader.stop()) }()
	if err := until(ctx, 30*time.Second, leader.s.IsLeader); err != nil {
		return fmt.Errorf("waiting for the leader: %w", err)
	}
	alone, err := count(ctx, d, pool, length, leader)
	if err != nil {
		return err
	}
	follower, err := startNode(ctx, d, scheduling.Options{}, 5, nothing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, follower.stop()) }()
	if err := until(ctx, 30*time.Second, func() bool { return follower.counting.counted().Statements > 5 }); err != nil {
		return fmt.Errorf("waiting for the follower: %w", err)
	}
	both, err := count(ctx, d, pool, length, leader, follower)
	if err != nil {
		return err
	}
	if !leader.s.IsLeader() {
		return errors.New("the leader lost its lease while it was counted: the machine is too busy, count again")
	}
	fmt.Fprintf(out, "\n%v\n", d)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "per second\tstatements\ttransactions\twriting commits\tserver's counter\t")
	row := func(name string, t traffic, seconds, server float64) {
		fmt.Fprintf(table, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t\n", name, float64(t.Statements)/seconds, float64(t.Transactions)/seconds, float64(t.Writing)/seconds, server)
	}
	row("leader", alone.nodes[0], alone.seconds, alone.server)
	row("leader beside a follower", both.nodes[0], both.seconds, both.server)
	row("follower", both.nodes[1], both.seconds, both.server-alone.server)
	return table.Flush()
}

// phase is what was counted of some nodes.
type phase struct {
	nodes           []traffic
	seconds, server float64
}

func count(ctx context.Context, d *database, pool *sql.DB, length time.Duration, nodes ...*node) (phase, error) {
	var p phase
	if err := wait(ctx, 2*time.Second); err != nil { // the server hears of what came before with a delay
		return p, err
	}
	first, err := serverCounter(ctx, d, pool)
	if err != nil {
		return p, err
	}
	before := make([]traffic, len(nodes))
	for i, n := range nodes {
		before[i] = n.counting.counted()
	}
	start := time.Now()
	if err := wait(ctx, length); err != nil {
		return p, err
	}
	for i, n := range nodes {
		p.nodes = append(p.nodes, n.counting.counted().minus(before[i]))
	}
	p.seconds = time.Since(start).Seconds()
	last, err := serverCounter(ctx, d, pool)
	p.server = (last - first) / p.seconds
	return p, err
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// serverCounter reads what the server itself has counted until now.
func serverCounter(ctx context.Context, d *database, pool *sql.DB) (n float64, err error) {
	switch d.kind {
	case "postgres":
		err = pool.QueryRowContext(ctx, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()").Scan(&n)
	case "mysql", "mariadb":
		var name string
		err = pool.QueryRowContext(ctx, "SHOW GLOBAL STATUS LIKE 'Questions'").Scan(&name, &n)
	}
	return n, err
}

// until waits until something holds.
func until(ctx context.Context, most time.Duration, holds func() bool) error {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !holds() {
		select {
		case <-look.C:
		case <-limited.Done():
			return limited.Err()
		}
	}
	return nil
}
