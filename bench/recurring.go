package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// recurring is one way to let triggers fire every second.
type recurring struct {
	onSecond bool
	nodes    int

	fires, owed        int
	commits, p50, tail []float64
}

func runRecurring(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench recurring", flag.ContinueOnError)
	at := whereFlags(flags)
	triggers := flags.Int("triggers", 1000, "triggers that fire every second, ten of each job")
	length := flags.Duration("for", 30*time.Second, "how long they fire in a round")
	rounds := flags.Int("rounds", 5, "alternating rounds; the median counts")
	nodes := flags.String("nodes", "1,4", "nodes, separated by commas")
	ways := flags.String("ways", "spread,second", "\"spread\" over the second, by a fixed delay of one second, or all on the \"second\", by a cron expression; or both")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := numbers(*nodes)
	if err != nil {
		return fmt.Errorf("-nodes %q: %w", *nodes, err)
	}
	if *triggers < 1 || *rounds < 1 || *length < 2*time.Second {
		return fmt.Errorf("triggers and rounds must be positive, -for at least 2s")
	}
	var cases []*recurring
	for _, way := range []bool{false, true} {
		for _, n := range list {
			if *ways == "spread,second" || (*ways == "second") == way {
				cases = append(cases, &recurring{onSecond: way, nodes: n})
			}
		}
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "recurring: %d triggers every second for %v, default options, pools of 10 connections, handlers that do nothing. \"second\": all by the cron\n"+
		"expression of every second; every second of the window must have its run of each trigger. \"spread\": a fixed delay of one second from the end of a\n"+
		"run to the next, first instants spread over a second; at the end none may be overdue by a second. Missing are fires that were not made, in all rounds. Commits\n"+
		"are all of the nodes' transactions, idle ones included. Lateness by the database's clock. Median of %d alternating rounds [least – most].\n", *triggers, *length, *rounds)
	writeMachine(out)
	for _, d := range found {
		for r := range *rounds {
			for k := range cases {
				c := cases[(k+r)%len(cases)]
				runtime.GC()
				if err := c.round(ctx, d, *triggers, *length); err != nil {
					return fmt.Errorf("%s, %d nodes: %w", d.kind, c.nodes, err)
				}
			}
		}
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "triggers fire\tnodes\tfires\tmissing\tcommits per fire\tat most 0.2\tlateness p50, ms\tp99, ms\tp99 of the first row by this\t")
		first := cases[0]
		for _, c := range cases {
			if c.onSecond != first.onSecond {
				first = c
			}
			ratios := make([]float64, *rounds)
			for i := range ratios {
				ratios[i] = first.tail[i] / c.tail[i]
			}
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t\n", map[bool]string{true: "on the second", false: "spread"}[c.onSecond], c.nodes, c.fires, c.owed,
				spread(c.commits, "%.3f"), verdict(median(c.commits) <= 0.2), spread(c.p50, "%.0f"), spread(c.tail, "%.0f"), spread(ratios, "%.2f"))
			*c = recurring{onSecond: c.onSecond, nodes: c.nodes, tail: c.tail}
		}
		for _, c := range cases {
			c.tail = nil
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// round lets the triggers fire for a while and counts.
func (c *recurring) round(ctx context.Context, d *database, triggers int, length time.Duration) (err error) {
	pool, err := d.pool(3)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return err
	}
	schedule := scheduling.MustEvery(time.Second)
	if c.onSecond {
		schedule = scheduling.MustCron("* * * * * *", "UTC")
	}
	jobs := make([]scheduling.JobDefinition, (triggers+9)/10)
	for i := range jobs {
		jobs[i] = scheduling.JobDefinition{Name: jobName(i), Handler: handlerKey, AllowConcurrent: true}
	}
	for i := range triggers {
		j := &jobs[i/10]
		j.Triggers = append(j.Triggers, scheduling.TriggerDefinition{Name: fmt.Sprintf("t%d", i%10), Schedule: schedule})
	}
	if _, err := define(ctx, d, pool, jobs...); err != nil {
		return err
	}
	now, err := d.now(ctx, pool)
	if err != nil {
		return err
	}
	from := now.Truncate(time.Second).Add(4 * time.Second) // the nodes are there by then
	if !c.onSecond {
		if err := spreadOut(ctx, d, pool, from, triggers); err != nil {
			return err
		}
	} else if _, err := pool.ExecContext(ctx, fmt.Sprintf("UPDATE scheduler_triggers SET next_fire_us = %d, scheduled_us = %d", from.UnixMicro(), from.UnixMicro())); err != nil {
		return err
	}
	if err := d.settle(ctx, pool, "scheduler_jobs", "scheduler_triggers", "scheduler_runs"); err != nil {
		return err
	}
	nodes, err := startNodes(ctx, d, pool, c.nodes, scheduling.Options{}, 10, nothing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopNodes(nodes)) }()
	if now, err = d.now(ctx, pool); err != nil || now.After(from) {
		return errors.Join(err, errors.New("the nodes took more than 3 seconds to start: the machine is too busy"))
	}
	if err := wait(ctx, from.Sub(now)); err != nil {
		return err
	}
	before := total(nodes)
	if err := wait(ctx, length); err != nil {
		return err
	}
	sent := total(nodes).minus(before)
	if err := wait(ctx, time.Second); err != nil { // what was due in the window may be late
		return err
	}
	window := fmt.Sprintf("scheduled_us >= %d AND scheduled_us < %d", from.UnixMicro(), from.Add(length).UnixMicro())
	late, err := lateness(ctx, pool, window)
	if err != nil {
		return err
	}
	c.fires += len(late)
	if c.onSecond {
		c.owed += triggers*int(length/time.Second) - len(late)
	} else {
		var owed int
		end := from.Add(length).UnixMicro()
		if err := pool.QueryRowContext(ctx, fmt.Sprintf("SELECT COUNT(*) FROM scheduler_triggers WHERE trigger_state = 1 AND next_fire_us < %d", end)).Scan(&owed); err != nil {
			return err
		}
		c.owed += owed
	}
	if n, err := duplicates(ctx, pool); err != nil || n > 0 {
		return errors.Join(err, fmt.Errorf("%d occurrences ran twice", n))
	}
	c.commits = append(c.commits, float64(sent.Commits)/float64(max(1, len(late))))
	c.p50 = append(c.p50, ms(quantile(late, 0.5)))
	c.tail = append(c.tail, ms(quantile(late, 0.99)))
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// spreadOut spreads the first instants over a second.
func spreadOut(ctx context.Context, d *database, pool execer, from time.Time, triggers int) error {
	number := "ROW_NUMBER() OVER (ORDER BY trigger_key) - 1"
	text := fmt.Sprintf("UPDATE scheduler_triggers AS t SET next_fire_us = v.at, scheduled_us = v.at FROM (SELECT trigger_key AS k, %d + (%s) * %d AS at FROM scheduler_triggers) AS v WHERE t.trigger_key = v.k",
		from.UnixMicro(), number, 1000000/triggers)
	if d.kind == "mysql" || d.kind == "mariadb" {
		text = fmt.Sprintf("UPDATE scheduler_triggers AS t JOIN (SELECT trigger_key AS k, %d + (%s) * %d AS at FROM scheduler_triggers) AS v ON t.trigger_key = v.k SET t.next_fire_us = v.at, t.scheduled_us = v.at",
			from.UnixMicro(), number, 1000000/triggers)
	}
	_, err := pool.ExecContext(ctx, text)
	return err
}
