// Command bench measures this module beside others on the same machine, in the
// same process, and prints tables that say what was measured and how.
//
//	go run ./bench cron
//	go run ./bench drain -rounds 7
//	go run ./bench exclusive -h
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// workload is one subcommand; each has a file of its own.
type workload struct {
	name  string
	about string
	// run reads its own flags from args and writes its tables to out.
	run func(args []string, out io.Writer) error
}

var workloads = []workload{
	{"cron", "Next and Parse of scheduling/cron beside robfig/cron, gronx and go-quartz", runCron},
	{"drain", "due one-shots drained by the engine, by a hand-written program, by River and goqite", runDrain},
	{"exclusive", "a backlog of one exclusive job: writes and transactions per run, delay of the others", runExclusive},
	{"idle", "statements and commits per second of an idle leader and follower", runIdle},
	{"acquire", "pages and time of looking for due triggers in tables of several sizes, beside published indexes", runAcquire},
	{"recurring", "triggers that fire every second, on one node and on four: fires, commits, lateness", runRecurring},
	{"punctuality", "one-shots at random instants beside a hand-written loop", runPunctuality},
	{"herd", "triggers due in the same second on 1, 2, 4 and 8 nodes: time, lost claims, duplicates", runHerd},
	{"failover", "kill -9 of a leader and of a worker: when the recovered run starts", runFailover},
	{"history", "pages, counts, latest runs and the purge with a million runs", runHistory},
	{"memory", "memory of a node by table size, and with a thousand running handlers", runMemory},
	{"node", "a node as a process of its own, which failover and memory start", runNode},
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if err != flag.ErrHelp {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) > 0 {
		for _, w := range workloads {
			if w.name == args[0] {
				return w.run(args[1:], out)
			}
		}
	}
	var known []string
	for _, w := range workloads {
		known = append(known, fmt.Sprintf("  %-11s %s", w.name, w.about))
	}
	return fmt.Errorf("want one of these workloads as the first argument:\n%s", strings.Join(known, "\n"))
}

// writeMachine tells what the figures depend on.
func writeMachine(out io.Writer) {
	fmt.Fprintf(out, "%s, %s/%s, %s, GOMAXPROCS %d\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, processor(), runtime.GOMAXPROCS(0))
}

// processor names the processor where the system tells.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "processor unknown"
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "processor unknown"
}

// version gives the version of a module that this command was built with.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path != module {
			continue
		}
		if m.Replace != nil || m.Version == "(devel)" || m.Version == "" || m.Version == "v0.0.0" {
			return "this tree"
		}
		return m.Version
	}
	return "this tree"
}
