package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

func runFailover(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench failover", flag.ContinueOnError)
	at := whereFlags(flags)
	rounds := flags.Int("rounds", 5, "alternating rounds; the median counts")
	fast := flags.Bool("fast", true, "the fast profile; false = default timings, where a round takes four minutes")
	only := flags.String("only", "leader,worker", "who is killed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var victims []string
	for v := range strings.SplitSeq(*only, ",") {
		if v != "leader" && v != "worker" {
			return fmt.Errorf("-only %q: write leader, worker, or both", *only)
		}
		victims = append(victims, v)
	}
	if *rounds < 1 {
		return fmt.Errorf("rounds must be positive")
	}
	limit, profile := 110*time.Second, "default timings: NodeTimeout 90 s, HeartbeatInterval 10 s, LeaseTTL 30 s"
	if *fast {
		limit, profile = fastProfile.NodeTimeout+2*fastProfile.HeartbeatInterval, "fast profile: NodeTimeout 10 s, HeartbeatInterval 1 s, LeaseTTL 6 s"
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "failover: two nodes, each a process; one runs a job that asks for recovery and is killed with SIGKILL: the leader, or the one that does not lead.\n"+
		"From just before the kill to the start of the recovered run on the other node, both by the database's clock.\n"+
		"%s: at most %v. Median of %d alternating rounds [least – most].\n", profile, limit, *rounds)
	writeMachine(out)
	for _, d := range found {
		took := make([][]float64, len(victims))
		for r := range *rounds {
			for k := range victims {
				i := (k + r) % len(victims)
				t, err := failoverRound(ctx, d, victims[i] == "leader", *fast, 2*limit)
				if err != nil {
					return fmt.Errorf("%s, kill of the %s: %w", d.kind, victims[i], err)
				}
				took[i] = append(took[i], t.Seconds())
			}
		}
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "killed\trecovered run starts after, s\tof the limit\t\t")
		for i, v := range victims {
			ratios := make([]float64, *rounds)
			most := 0.0
			for r := range ratios {
				ratios[r] = took[i][r] / limit.Seconds()
				most = max(most, took[i][r])
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t\n", v, spread(took[i], "%.2f"), spread(ratios, "%.2f"), verdict(most <= limit.Seconds()))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func failoverRound(ctx context.Context, d *database, leader, fast bool, limit time.Duration) (time.Duration, error) {
	pool, err := d.pool(2)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return 0, err
	}
	s, err := define(ctx, d, pool, scheduling.JobDefinition{Name: jobName(0), Handler: handlerKey, AllowConcurrent: true, RequestsRecovery: true})
	if err != nil {
		return 0, err
	}
	one := func(query string) string {
		var text sql.NullString
		_ = pool.QueryRowContext(ctx, query).Scan(&text)
		return text.String
	}
	profile := fmt.Sprintf("-fast=%v", fast)
	slots := "-slots=32"
	if !leader { // it takes one, and the other node the next
		slots = "-slots=1"
	}
	first, err := startProcess(d, profile, slots)
	if err != nil {
		return 0, err
	}
	defer first.kill()
	const holder = "SELECT holder FROM scheduler_leases WHERE expires_us > 0"
	if err := until(ctx, 30*time.Second, func() bool { return one(holder) != "" }); err != nil {
		return 0, fmt.Errorf("waiting for the leader: %w", err)
	}
	second, err := startProcess(d, profile)
	if err != nil {
		return 0, err
	}
	defer second.kill()
	if err := until(ctx, 30*time.Second, func() bool { return one("SELECT COUNT(*) FROM scheduler_nodes") == "2" }); err != nil {
		return 0, fmt.Errorf("waiting for two nodes: %w", err)
	}
	// One-shots are asked for until the node that is meant has one.
	leads := "= (" + holder + ")"
	if !leader {
		leads = "<> (" + holder + ")"
	}
	victims := "SELECT COUNT(*) FROM scheduler_runs WHERE run_state = 1 AND running_on " + leads
	for tries := 0; one(victims) == "0"; tries++ {
		if tries == 30 {
			return 0, fmt.Errorf("%d one-shots, and none runs on the node that is meant", tries)
		}
		if _, err := s.Enqueue(ctx, scheduling.EnqueueRequest{Job: jobName(0)}); err != nil {
			return 0, err
		}
		if err := wait(ctx, 500*time.Millisecond); err != nil {
			return 0, err
		}
	}
	if !leader { // make room for the recovered run
		if err := s.CancelRuns(ctx, one("SELECT run_id FROM scheduler_runs WHERE run_state = 1 AND running_on = ("+holder+")")); err != nil {
			return 0, err
		}
		if err := until(ctx, 30*time.Second, func() bool { return one("SELECT COUNT(*) FROM scheduler_runs WHERE run_state <> 1") == "1" }); err != nil {
			return 0, fmt.Errorf("waiting for a free slot: %w", err)
		}
	}
	killed, err := d.now(ctx, pool)
	if err != nil {
		return 0, err
	}
	if leader {
		first.kill()
	} else {
		second.kill()
	}
	const recovered = "SELECT MIN(started_us) FROM scheduler_runs WHERE run_kind = 4"
	if err := until(ctx, limit, func() bool { return one(recovered) != "" }); err != nil {
		return 0, fmt.Errorf("no recovered run within %v: %w", limit, err)
	}
	var us int64
	if err := pool.QueryRowContext(ctx, recovered).Scan(&us); err != nil {
		return 0, err
	}
	return time.UnixMicro(us).Sub(killed), nil
}
