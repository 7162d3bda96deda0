package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

func runMemory(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench memory", flag.ContinueOnError)
	at := whereFlags(flags)
	sizes := flags.String("triggers", "10000,1000000", "waiting triggers in the table, the smaller number first")
	handlers := flags.Int("handlers", 1000, "running handlers")
	rounds := flags.Int("rounds", 5, "processes measured for each row; the median counts")
	length := flags.Duration("for", 30*time.Second, "how long each serves before it is measured")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := numbers(*sizes)
	if err != nil || len(list) != 2 {
		return fmt.Errorf("-triggers %q: write two positive numbers, separated by a comma", *sizes)
	}
	if *handlers < 1 || *rounds < 1 || *length < time.Second {
		return fmt.Errorf("handlers and rounds must be positive, -for at least 1s")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "memory: of a node in a process of its own after %v, once it has collected its garbage: all that Go's runtime has from the system less what it gave back, in MiB.\n"+
		"A leader that waits, default options; then one with %d slots whose handlers all wait for their contexts, batches of 500; beside it as many goroutines that\n"+
		"wait alike beside an engine that waits. A fresh process for each figure; median of %d [least – most].\n", *length, *handlers, *rounds)
	writeMachine(out)
	for _, d := range found {
		if err := memoryTable(ctx, out, d, list, *handlers, *rounds, *length); err != nil {
			return fmt.Errorf("%s: %w", d.kind, err)
		}
	}
	return nil
}

func memoryTable(ctx context.Context, out io.Writer, d *database, sizes []int, handlers, rounds int, length time.Duration) error {
	var waiting [2][]float64
	for i, n := range sizes {
		if err := memoryTables(ctx, d, n, 0); err != nil {
			return err
		}
		for range rounds {
			m, err := memoryOf(ctx, d, 0, length)
			if err != nil {
				return err
			}
			waiting[i] = append(waiting[i], m)
		}
	}
	var running, alone, bare []float64
	slots := []string{fmt.Sprintf("-slots=%d", handlers), "-batch=500"}
	for range rounds {
		for _, c := range []struct {
			into *[]float64
			runs int
			args []string
		}{
			{&running, handlers, slots},
			{&alone, 0, slots},
			{&bare, handlers, []string{fmt.Sprintf("-bare=%d", handlers)}},
		} {
			enqueued := c.runs
			if c.into == &bare {
				enqueued = 0
			}
			if err := memoryTables(ctx, d, 0, enqueued); err != nil {
				return err
			}
			m, err := memoryOf(ctx, d, c.runs, length, c.args...)
			if err != nil {
				return err
			}
			*c.into = append(*c.into, m)
		}
	}
	fmt.Fprintf(out, "\n%v\n", d)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tMiB\tmore than the row it is beside\ttarget\t\t")
	more := median(waiting[1]) - median(waiting[0])
	fmt.Fprintf(table, "%d triggers wait\t%s\t\t\t\t\n", sizes[0], spread(waiting[0], "%.2f"))
	fmt.Fprintf(table, "%d triggers wait\t%s\t%.2f\tat most 1\t%s\t\n", sizes[1], spread(waiting[1], "%.2f"), more, verdict(more <= 1))
	own := median(bare) - median(alone)
	more = median(running) - median(alone) - max(0, own)
	fmt.Fprintf(table, "an engine that waits\t%s\t\t\t\t\n", spread(alone, "%.2f"))
	fmt.Fprintf(table, "%d goroutines beside it\t%s\t%.2f\t\t\t\n", handlers, spread(bare, "%.2f"), own)
	fmt.Fprintf(table, "%d running handlers\t%s\t%.2f\tless than 64\t%s\t\n", handlers, spread(running, "%.2f"), more, verdict(more < 64))
	return table.Flush()
}

// memoryTables makes the tables with waiting triggers or due one-shots.
func memoryTables(ctx context.Context, d *database, waiting, due int) error {
	pool, err := d.pool(2)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return err
	}
	s, err := define(ctx, d, pool, scheduling.JobDefinition{Name: jobName(0), Handler: handlerKey, AllowConcurrent: true})
	if err != nil {
		return err
	}
	if err := loadTriggers(ctx, d, pool, waiting); err != nil {
		return err
	}
	if err := enqueueAt(ctx, s, jobName(0), make([]time.Time, due)); err != nil {
		return err
	}
	return d.settle(ctx, pool, "scheduler_triggers")
}

// memoryOf starts a node, waits until it has begun so many runs and served for
// a while, and gives its memory in MiB.
func memoryOf(ctx context.Context, d *database, runs int, length time.Duration, args ...string) (mib float64, err error) {
	p, err := startProcess(d, args...)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			p.kill()
		} else {
			err = p.stop()
		}
	}()
	if err := wait(ctx, length); err != nil {
		return 0, err
	}
	for range 100 {
		bytes, begun, err := p.ask()
		if err != nil {
			return 0, err
		}
		if begun == runs {
			return float64(bytes) / (1 << 20), nil
		}
		if err := wait(ctx, 100*time.Millisecond); err != nil {
			return 0, err
		}
	}
	return 0, errors.New("the runs did not begin within 10 seconds")
}
