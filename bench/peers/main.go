// Command peers drains a queue of another project once, and prints how long it
// took as a line of JSON. It is a module of its own, so that what the peers
// need decides nothing about what the measured module is built with; the drain
// workload of the bench command builds and runs it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"time"
)

// task is what to drain, and how.
type task struct {
	system, database, dsn               string
	jobs, names, workers, connections   int
	data                                string
	defaults                            bool
	fetchCooldown, fetchPoll, timeLimit time.Duration
}

// answer is what is printed.
type answer struct {
	Seconds  float64 `json:"seconds"`
	Version  string  `json:"version"`
	Settings string  `json:"settings"`
}

var quiet = slog.New(slog.DiscardHandler)

func main() {
	var t task
	flag.StringVar(&t.system, "system", "river", "river or goqite")
	flag.StringVar(&t.database, "database", "postgres", "postgres or sqlite")
	flag.StringVar(&t.dsn, "dsn", "", "where; the tables of the system are made anew")
	flag.IntVar(&t.jobs, "jobs", 20000, "jobs to drain")
	flag.IntVar(&t.names, "names", 100, "kinds that they are spread over")
	flag.IntVar(&t.workers, "workers", 100, "jobs at once")
	flag.IntVar(&t.connections, "connections", 10, "connections of the pool")
	flag.StringVar(&t.data, "data", "{}", "the arguments of each job")
	flag.BoolVar(&t.defaults, "defaults", false, "leave the system's settings at their defaults, but for the workers")
	flag.DurationVar(&t.fetchCooldown, "cooldown", 2*time.Millisecond, "River's FetchCooldown, as its own benchmark sets it")
	flag.DurationVar(&t.fetchPoll, "poll", 20*time.Millisecond, "River's FetchPollInterval, as its own benchmark sets it")
	flag.DurationVar(&t.timeLimit, "limit", 10*time.Minute, "the longest time")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), t.timeLimit)
	defer cancel()
	a, err := t.run(ctx)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(a)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func (t task) run(ctx context.Context) (answer, error) {
	switch t.system + " " + t.database {
	case "river postgres":
		return t.riverPostgres(ctx)
	case "river sqlite":
		return t.riverSQLite(ctx)
	case "goqite sqlite":
		return t.goqite(ctx)
	}
	return answer{}, fmt.Errorf("system %q on %q: not known", t.system, t.database)
}

// version gives the version of a module that this command was built with.
func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return m.Version
			}
		}
	}
	return "unknown"
}
