package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// claims counts what came of claims, of all nodes together.
type claims struct{ full, wasted, lost atomic.Int64 }

// watched is a store whose claims are counted.
type watched struct {
	*gormsched.JobStore
	seen *claims
}

// Claim counts an answer with nothing in it although something is due as
// wasted, and each candidate that somebody else held or took as lost.
func (w watched) Claim(ctx context.Context, req provider.ClaimRequest) (provider.ClaimAnswer, error) {
	a, err := w.JobStore.Claim(ctx, req)
	if err != nil {
		return a, err
	}
	begun := false
	for _, item := range a.Items {
		switch item.Outcome {
		case provider.OutcomeStarted:
			begun = true
		case provider.OutcomeGone, provider.OutcomeHeld:
			w.seen.lost.Add(1)
		}
	}
	switch {
	case begun:
		w.seen.full.Add(1)
	case !a.NextDue.IsZero() && !a.NextDue.After(a.Now):
		w.seen.wasted.Add(1)
	}
	return a, nil
}

func runHerd(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench herd", flag.ContinueOnError)
	at := whereFlags(flags)
	triggers := flags.Int("triggers", 5000, "one-shots due within one second")
	counts := flags.String("nodes", "1,2,4,8", "nodes, separated by commas")
	rounds := flags.Int("rounds", 5, "alternating rounds; the median counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := numbers(*counts)
	if err != nil {
		return fmt.Errorf("-nodes %q: %w", *counts, err)
	}
	if *triggers < 1 || *rounds < 1 {
		return fmt.Errorf("triggers and rounds must be positive")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "herd: %d one-shots of 100 jobs due at random instants of one second, default options (32 slots, batches of 16), handlers that do nothing; all nodes in this process,\n"+
		"pools of 6 connections. Time from the first instant to the start of the last run, by the database's clock, never below one second. Claims: those that began something, those that\n"+
		"answered nothing while something was due (wasted), and candidates that somebody else had taken (lost). Median of %d alternating rounds [least – most].\n", *triggers, *rounds)
	writeMachine(out)
	for _, d := range found {
		n := len(list)
		took, full, wasted, lost, twice := make([][]float64, n), make([][]float64, n), make([][]float64, n), make([][]float64, n), make([]int, n)
		for r := range *rounds {
			for k := range list {
				i := (k + r) % n
				runtime.GC()
				t, seen, double, err := herdRound(ctx, d, list[i], *triggers)
				if err != nil {
					return fmt.Errorf("%s, %d nodes: %w", d.kind, list[i], err)
				}
				took[i], twice[i] = append(took[i], t.Seconds()), twice[i]+double
				full[i], wasted[i], lost[i] = append(full[i], float64(seen.full.Load())), append(wasted[i], float64(seen.wasted.Load())), append(lost[i], float64(seen.lost.Load()))
			}
		}
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "nodes\tall started after, s\tratio to the first row\tclaims\twasted\tlost\tduplicates\t")
		for i, count := range list {
			ratios := make([]float64, *rounds)
			for r := range ratios {
				ratios[r] = took[0][r] / took[i][r]
			}
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t\n", count, spread(took[i], "%.2f"), spread(ratios, "%.2f"), spread(full[i], "%.0f"), spread(wasted[i], "%.0f"), spread(lost[i], "%.0f"), twice[i])
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func herdRound(ctx context.Context, d *database, count, triggers int) (took time.Duration, seen *claims, twice int, err error) {
	seen = new(claims)
	pool, err := d.pool(3)
	if err != nil {
		return 0, seen, 0, err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return 0, seen, 0, err
	}
	const names = 100
	jobs := make([]scheduling.JobDefinition, names)
	for i := range jobs {
		jobs[i] = scheduling.JobDefinition{Name: jobName(i), Handler: handlerKey, AllowConcurrent: true}
	}
	s, err := define(ctx, d, pool, jobs...)
	if err != nil {
		return 0, seen, 0, err
	}
	now, err := d.now(ctx, pool)
	if err != nil {
		return 0, seen, 0, err
	}
	from := now.Add(4 * time.Second)
	for i := range names {
		instants := make([]time.Time, (triggers+i)/names)
		for k := range instants {
			instants[k] = from.Add(rand.N(time.Second)).Truncate(time.Microsecond)
		}
		if len(instants) == 0 {
			continue
		}
		if err := enqueueAt(ctx, s, jobName(i), instants); err != nil {
			return 0, seen, 0, err
		}
	}
	if err := d.settle(ctx, pool, "scheduler_jobs", "scheduler_triggers", "scheduler_runs"); err != nil {
		return 0, seen, 0, err
	}
	nodes, err := startNodes(ctx, d, pool, count, scheduling.Options{}, 6, nothing, func(s provider.Store) provider.Store {
		return watched{s.(*gormsched.JobStore), seen}
	})
	if err != nil {
		return 0, seen, 0, err
	}
	err = until(ctx, 2*time.Minute, func() bool {
		time.Sleep(100 * time.Millisecond)
		var left int
		return pool.QueryRowContext(ctx, "SELECT COUNT(*) FROM scheduler_triggers").Scan(&left) == nil && left == 0
	})
	if err = errors.Join(err, stopNodes(nodes)); err != nil {
		return 0, seen, 0, err
	}
	if err := drained(ctx, pool, triggers); err != nil {
		return 0, seen, 0, err
	}
	var us int64
	if err := pool.QueryRowContext(ctx, "SELECT MAX(started_us) FROM scheduler_runs").Scan(&us); err != nil {
		return 0, seen, 0, err
	}
	twice, err = duplicates(ctx, pool)
	return time.UnixMicro(us).Sub(from), seen, twice, err
}
