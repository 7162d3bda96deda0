// Command quickstart runs a real scheduler: two nodes on one SQLite file, in
// one process, with the jobs of a text file. Kill it with kill -9 and start it
// again to see what a cluster does with what was left behind.
//
//	go run ./examples/quickstart [-for 6s] [-db app.db] [-jobs jobs.txt]
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	_ "time/tzdata" // zones also where the machine has none
)

//go:embed jobs.txt
var builtInJobs string

type settings struct {
	db    string
	jobs  string
	run   time.Duration
	debug bool
}

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(args []string, out, errOut io.Writer) error {
	var set settings
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.StringVar(&set.db, "db", filepath.Join(os.TempDir(), "gormsched-quickstart.db"), "the SQLite `file`; it is kept")
	flags.StringVar(&set.jobs, "jobs", "", "a text `file` with jobs; default: the jobs.txt beside the program's source")
	flags.DurationVar(&set.run, "for", 6*time.Second, "how `long` to run before stopping")
	flags.BoolVar(&set.debug, "v", false, "show the scheduler's own log")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errors.New("see the usage above")
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("argument %q is not understood: give options only, such as -for 10s", flags.Arg(0))
	case set.run <= 0:
		return fmt.Errorf("-for %v: give a duration above zero, such as 6s", set.run)
	case set.db == "":
		return errors.New("-db is empty: give the path of a file")
	}

	source, text := "jobs.txt (built in)", builtInJobs
	if set.jobs != "" {
		raw, err := os.ReadFile(set.jobs)
		if err != nil {
			return fmt.Errorf("-jobs: %w: give the path of a readable text file", err)
		}
		source, text = set.jobs, string(raw)
	}
	jobs, err := parseJobs(source, text)
	if err != nil {
		return err
	}

	level := slog.LevelError + 4 // what matters to a newcomer stands in the table
	if set.debug {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: level}))

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cluster, err := open(ctx, set.db, jobs, log)
	if err != nil {
		return err
	}
	defer cluster.close()

	fmt.Fprintf(out, "%d jobs from %s, two nodes on %s\n%s\n", len(jobs), source, set.db, timings())
	before, err := cluster.look(ctx)
	if err != nil {
		return err
	}
	before.printLeftBehind(out)
	fmt.Fprintf(out, "running for %v (Ctrl-C stops earlier) …\n\n", set.run)

	started := time.Now()
	limited, cancel := context.WithTimeout(ctx, set.run)
	defer cancel()
	if err := cluster.serve(limited); err != nil {
		return err
	}
	after, err := cluster.look(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	after.printTable(out)
	after.printRecovery(out, before, started)
	return nil
}
