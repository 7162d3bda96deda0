package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling/provider"
)

func runHistory(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench history", flag.ContinueOnError)
	at := whereFlags(flags)
	small := flags.Int("small", 30000, "runs of the small history")
	large := flags.Int("runs", 1000000, "runs of the large history")
	jobs := flags.Int("jobs", 10, "jobs that they are spread over")
	page := flags.Int("page", 20, "runs of a page")
	deep := flags.Int("deep", 1000, "the late page that is read")
	rounds := flags.Int("rounds", 20, "how often each read is timed; the median counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *small < 1 || *large < 1 || *jobs < 1 || *page < 1 || *deep < 1 || *rounds < 1 {
		return fmt.Errorf("small, runs, jobs, page, deep and rounds must be positive")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "history: ended runs of %d jobs, through the store. Pages of %d runs; \"late\" is page %d. Median of %d [least – most], in ms; the purge of the older half once,\n"+
		"in transactions of 500, in thousand runs a second. The ratio is small by large: 1 is flat.\n", *jobs, *page, *deep, *rounds)
	writeMachine(out)
	for _, d := range found {
		first, err := historyFigures(ctx, d, *small, *jobs, *page, *deep, *rounds)
		if err != nil {
			return fmt.Errorf("%s, %d runs: %w", d.kind, *small, err)
		}
		second, err := historyFigures(ctx, d, *large, *jobs, *page, *deep, *rounds)
		if err != nil {
			return fmt.Errorf("%s, %d runs: %w", d.kind, *large, err)
		}
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(table, "\t%d runs\t%d runs\tratio\t\n", *small, *large)
		for i, f := range first {
			fmt.Fprintf(table, "%s\t%s\t%s\t%.2f\t\n", f.name, spread(f.values, "%.2f"), spread(second[i].values, "%.2f"), median(f.values)/median(second[i].values))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// figure is one row of the history's table.
type figure struct {
	name   string
	values []float64
}

func historyFigures(ctx context.Context, d *database, runs, jobs, page, deep, rounds int) ([]figure, error) {
	pool, err := d.pool(2)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return nil, err
	}
	if err := loadRuns(ctx, d, pool, runs, jobs); err != nil {
		return nil, err
	}
	if err := d.settle(ctx, pool, "scheduler_runs"); err != nil {
		return nil, err
	}
	store, err := d.store(pool)
	if err != nil {
		return nil, err
	}
	names := make([]string, jobs)
	for i := range names {
		names[i] = fmt.Sprintf("bench.job-%d", i)
	}
	reads := []struct {
		name string
		want int
		read func() (int, error)
	}{
		{"first page of a job", min(page, runs/jobs), func() (int, error) { return readPage(ctx, store, names[0], 0, page) }},
		{"late page of a job", max(0, min(page, runs/jobs-(deep-1)*page)), func() (int, error) { return readPage(ctx, store, names[0], (deep-1)*page, page) }},
		{"first page of all", min(page, runs), func() (int, error) { return readPage(ctx, store, "", 0, page) }},
		{"count of a job", runs / jobs, func() (int, error) {
			n, err := store.CountRuns(ctx, provider.RunQuery{Job: names[0]})
			return int(n), err
		}},
		{"latest of each job", min(jobs, runs), func() (int, error) { list, err := store.LatestRuns(ctx, names); return len(list), err }},
	}
	var list []figure
	for _, r := range reads {
		f := figure{name: r.name + ", ms"}
		for i := range rounds + 1 {
			start := time.Now()
			n, err := r.read()
			took := time.Since(start)
			if err != nil || n != r.want {
				return nil, fmt.Errorf("%s: %d, want %d: %w", r.name, n, r.want, err)
			}
			if i > 0 { // the first one warms
				f.values = append(f.values, ms(took))
			}
		}
		list = append(list, f)
	}
	start := time.Now()
	n, err := store.PurgeRuns(ctx, time.Hour+time.Duration(runs/2)*time.Second)
	took := time.Since(start)
	if err != nil || int(n) < runs/2-1 || int(n) > runs/2+600 { // seconds have passed since they were loaded
		return nil, fmt.Errorf("%d of %d runs purged, want about half: %w", n, runs, err)
	}
	return append(list, figure{"purge of half, thousands a second", []float64{float64(n) / 1000 / took.Seconds()}}), nil
}

func readPage(ctx context.Context, store *gormsched.JobStore, job string, skip, limit int) (int, error) {
	list, err := store.Runs(ctx, provider.RunQuery{Job: job, Skip: skip, Limit: limit})
	return len(list), err
}
