package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

func runPunctuality(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench punctuality", flag.ContinueOnError)
	at := whereFlags(flags)
	rate := flags.Int("rate", 100, "one-shots a second, at random instants")
	length := flags.Duration("for", 30*time.Second, "how long")
	rounds := flags.Int("rounds", 5, "alternating rounds; the median counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rate < 1 || *rounds < 1 || *length < time.Second {
		return fmt.Errorf("rate and rounds must be positive, -for at least 1s")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "punctuality: %d one-shots a second at random instants for %v, one node, default options, pools of 10 connections, handlers that do nothing; beside it a loop\n"+
		"written by hand over database/sql that sends the same statements, sleeps until the next due instant as the database told it, and claims at most every\n"+
		"10 ms. Start of a run less its instant, both as the database's clock says; \"early\" counts runs that began before their instants, in all rounds.\n"+
		"Median of %d alternating rounds [least – most].\n", *rate, *length, *rounds)
	writeMachine(out)
	for _, d := range found {
		subjects := []string{"gormsched", "hand-written"}
		shares, p50, tail, early := make([][]float64, 2), make([][]float64, 2), make([][]float64, 2), make([]int, 2)
		for r := range *rounds {
			for k := range subjects {
				i := (k + r) % 2
				runtime.GC()
				late, err := punctualRound(ctx, d, i == 1, *rate, *length)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", d.kind, subjects[i], err)
				}
				within := 0
				for _, l := range late {
					if l < 0 {
						early[i]++
					} else if l <= 50*time.Millisecond {
						within++
					}
				}
				shares[i] = append(shares[i], 100*float64(within)/float64(len(late)))
				p50[i], tail[i] = append(p50[i], ms(quantile(late, 0.5))), append(tail[i], ms(quantile(late, 0.99)))
			}
		}
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "\tearly\twithin 50 ms, %\tp50, ms\tp99, ms\t")
		for i, name := range subjects {
			fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t\n", name, early[i], spread(shares[i], "%.2f"), spread(p50[i], "%.1f"), spread(tail[i], "%.1f"))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		ratios := make([]float64, *rounds)
		for r := range ratios {
			ratios[r] = shares[0][r] / shares[1][r]
		}
		fmt.Fprintf(out, "  share by the loop's: %s (at least 0.98: %s); none early: %s\n", spread(ratios, "%.3f"), verdict(median(ratios) >= 0.98), verdict(early[0] == 0))
	}
	return nil
}

// punctualRound stores one-shots for the coming seconds and lets one of the two
// run them.
func punctualRound(ctx context.Context, d *database, byHand bool, rate int, length time.Duration) (late []time.Duration, err error) {
	pool, err := d.pool(10)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return nil, err
	}
	s, err := define(ctx, d, pool, scheduling.JobDefinition{Name: jobName(0), Handler: handlerKey, AllowConcurrent: true})
	if err != nil {
		return nil, err
	}
	now, err := d.now(ctx, pool)
	if err != nil {
		return nil, err
	}
	from := now.Add(4 * time.Second)
	instants := make([]time.Time, int(float64(rate)*length.Seconds()))
	for i := range instants {
		instants[i] = from.Add(rand.N(length)).Truncate(time.Microsecond)
	}
	if err := enqueueAt(ctx, s, jobName(0), instants); err != nil {
		return nil, err
	}
	if err := d.settle(ctx, pool, "scheduler_jobs", "scheduler_triggers", "scheduler_runs"); err != nil {
		return nil, err
	}
	limit := length + 10*time.Second
	if byHand {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		err = handPunctual(limited, d, len(instants))
	} else {
		var nodes []*node
		nodes, err = startNodes(ctx, d, pool, 1, scheduling.Options{}, 10, nothing)
		if err == nil {
			err = until(ctx, limit, func() bool {
				time.Sleep(200 * time.Millisecond) // look rarely
				var n int
				return pool.QueryRowContext(ctx, "SELECT COUNT(*) FROM scheduler_runs WHERE run_state = 2").Scan(&n) == nil && n == len(instants)
			})
			err = errors.Join(err, stopNodes(nodes))
		}
	}
	if err != nil {
		return nil, err
	}
	if err := drained(ctx, pool, len(instants)); err != nil {
		return nil, err
	}
	return lateness(ctx, pool, "1 = 1")
}

// handPunctual is the loop: what the engine's claim loop does, in thirty lines.
func handPunctual(ctx context.Context, d *database, runs int) error {
	pool, err := d.pool(10)
	if err != nil {
		return err
	}
	defer pool.Close()
	text, err := handTexts(d.kind)
	if err != nil {
		return err
	}
	const batch, floor, poll = 16, 10 * time.Millisecond, time.Second
	sent := time.Now()
	now, err := d.now(ctx, pool)
	if err != nil {
		return err
	}
	offset := now.Sub(sent.Add(time.Since(sent) / 2))
	h := &hand{pool: pool, text: text, ended: make(chan handRun, runs)}
	var lanes sync.WaitGroup
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for range handLanes {
		lanes.Go(func() {
			if err := h.lane(ctx); err != nil {
				cancel(err)
			}
		})
	}
	for done := 0; done < runs && ctx.Err() == nil; {
		start := time.Now()
		list, next, err := h.claim(ctx, batch)
		if err != nil {
			cancel(err)
			break
		}
		for _, r := range list {
			go func() { h.ended <- r }()
		}
		if done += len(list); len(list) == batch {
			continue
		}
		rest := poll
		if next.Valid {
			rest = min(rest, time.UnixMicro(next.Int64).Add(-offset).Sub(time.Now()))
		}
		_ = wait(ctx, max(rest, floor-time.Since(start), 0))
	}
	if ctx.Err() == nil {
		for len(h.ended) > 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond) // the last handlers hand over
	}
	close(h.ended)
	lanes.Wait()
	return context.Cause(ctx)
}
