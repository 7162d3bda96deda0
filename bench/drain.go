package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// drainer is one of those compared.
type drainer struct {
	name string
	// jobs is how many it drains where it is too slow for all of them.
	jobs int
	run  func(ctx context.Context, w work) (time.Duration, error)
	// notes are told once it has run.
	notes func() string
}

func runDrain(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench drain", flag.ContinueOnError)
	at := whereFlags(flags)
	jobs := flags.Int("jobs", 20000, "due one-shots to drain")
	names := flags.Int("names", 100, "job names that they are spread over")
	size := flags.Int("data", 200, "bytes of data of each")
	batches := flags.String("batches", "16,500", "AcquireBatchSize, separated by commas")
	slots := flags.String("workers", "100,1000", "handlers at once for each of the batch sizes, separated by commas")
	rounds := flags.Int("rounds", 5, "alternating rounds; the median counts")
	connections := flags.Int("connections", 10, "connections of each one's pool")
	others := flags.Bool("peers", true, "measure River and goqite too")
	slow := flags.Int("default-jobs", 2000, "how many River drains at its default settings, where it is slow")
	only := flags.String("only", "", "measure only the subjects whose names contain this; the engine is always there")
	profile := flags.String("cpuprofile", "", "write a processor profile of the engine's last round to this `file`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sizes, err := numbers(*batches)
	if err != nil {
		return fmt.Errorf("-batches %q: %w", *batches, err)
	}
	workers, err := numbers(*slots)
	if err != nil || len(workers) != len(sizes) {
		return fmt.Errorf("-workers %q: write one positive number for each of the batch sizes %s", *slots, *batches)
	}
	if *jobs < 1 || *names < 1 || *rounds < 1 || *connections < 3 || *slow < 1 {
		return fmt.Errorf("jobs, names, rounds and default-jobs must be positive, connections at least 3")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres", "mysql", "mariadb", "sqlite")
	if err != nil {
		return err
	}
	defer closeAll(found)

	fmt.Fprintf(out, "drain: %d due one-shots of %d jobs that allow concurrency, %d bytes of data each, every index of the schema, handlers that do nothing.\n"+
		"Time from the start of the engine (registration, lease) or peer until all is recorded and it has stopped; jobs per second of it.\n"+
		"Elapsed time, median of %d alternating rounds [least – most]; \"ratio\" is the engine's rate by that of the row, round by round, its median.\n"+
		"hand-written: the store's statements from database/sql, same batches and connections, no GORM and no engine.\n", *jobs, *names, *size, *rounds)
	writeMachine(out)
	fmt.Fprintf(out, "  gormsched %s; pools of %d connections (River and goqite on SQLite: 1, as they ask)\n",
		version("github.com/gormsched/gormsched"), *connections)
	var program *peers
	if *others {
		if program, err = buildPeers(ctx); err != nil {
			fmt.Fprintf(out, "  River and goqite are left out: %v\n", err)
		} else {
			defer program.close()
		}
	}
	for _, d := range found {
		for i, batch := range sizes {
			w := work{jobs: *jobs, names: *names, workers: workers[i], batch: batch, connections: *connections, data: payload(*size), profile: *profile}
			subjects := slices.DeleteFunc(drainers(d, program, w, *slow), func(s drainer) bool {
				return s.name != "gormsched" && !strings.Contains(s.name, *only)
			})
			if err := drainTable(ctx, out, d, w, subjects, *rounds); err != nil {
				return fmt.Errorf("%s: %w", d.kind, err)
			}
		}
	}
	return nil
}

// numbers reads positive numbers.
func numbers(text string) ([]int, error) {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("write positive numbers, separated by commas")
		}
		list = append(list, n)
	}
	return list, nil
}

// drainers are the subjects for a database; the first one is the engine.
func drainers(d *database, program *peers, w work, slow int) []drainer {
	plain := func(f func(context.Context, *database, work) (time.Duration, error)) func(context.Context, work) (time.Duration, error) {
		return func(ctx context.Context, w work) (time.Duration, error) { return f(ctx, d, w) }
	}
	var firsts []float64 // of the engine, in milliseconds
	list := []drainer{
		{
			name: "gormsched",
			run: func(ctx context.Context, w work) (time.Duration, error) {
				w.first = func(d time.Duration) { firsts = append(firsts, float64(d.Microseconds())/1000) }
				return engineDrain(ctx, d, w)
			},
			notes: func() string {
				return fmt.Sprintf("its first run began %.0f ms after its start, in the median", median(firsts))
			},
		},
		{name: "hand-written", run: plain(handDrain)},
	}
	if program == nil {
		return list
	}
	peer := func(name, system string, defaults bool, jobs int) drainer {
		var last peerAnswer
		return drainer{
			name: name, jobs: jobs,
			run: func(ctx context.Context, w work) (took time.Duration, err error) {
				took, last, err = program.drain(ctx, d, w, system, defaults)
				return took, err
			},
			notes: func() string { return system + " " + last.Version + ": " + last.Settings },
		}
	}
	switch d.kind {
	case "postgres":
		list = append(list, peer("River, fast", "river", false, 0), peer("River, defaults", "river", true, slow))
	case "sqlite":
		list = append(list, peer("River, fast", "river", false, slow), peer("River, defaults", "river", true, slow), peer("goqite", "goqite", false, 0))
	}
	return list
}

// drainTable measures the subjects on a database and prints them.
func drainTable(ctx context.Context, out io.Writer, d *database, w work, subjects []drainer, rounds int) error {
	rates := make([][]float64, len(subjects))
	for r := range rounds {
		for k := range subjects {
			i := (k + r) % len(subjects) // each goes first in turn
			s := subjects[i]
			mine := w
			if s.jobs > 0 {
				mine.jobs = min(w.jobs, s.jobs)
			}
			runtime.GC()
			took, err := s.run(ctx, mine)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			rates[i] = append(rates[i], float64(mine.jobs)/took.Seconds())
		}
	}
	fmt.Fprintf(out, "\n%v\n", d)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "batch %d, %d workers\tjobs\tper second\tspread\tratio\tspread\t\n", w.batch, w.workers)
	for i, s := range subjects {
		n := w.jobs
		if s.jobs > 0 {
			n = min(n, s.jobs)
		}
		ratios := make([]float64, rounds)
		for r := range ratios {
			ratios[r] = rates[0][r] / rates[i][r]
		}
		rate := median(slices.Clone(rates[i]))
		fmt.Fprintf(table, "%s\t%d\t%.0f\t[%.0f – %.0f]\t%.2f\t[%.2f – %.2f]\t\n", s.name, n,
			rate, slices.Min(rates[i]), slices.Max(rates[i]), median(slices.Clone(ratios)), slices.Min(ratios), slices.Max(ratios))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, s := range subjects {
		if s.notes != nil {
			fmt.Fprintf(out, "  %s: %s\n", s.name, s.notes())
		}
	}
	return nil
}
