package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// fastProfile are the timings that the documents recommend for a short
// failover.
var fastProfile = scheduling.Options{NodeTimeout: 10 * time.Second, HeartbeatInterval: time.Second, LeaseTTL: 6 * time.Second}

// runNode serves as a process of its own until its standard input ends. Its
// handlers wait until their contexts end. It prints "ready" once it is
// registered, and answers each line of the input with the bytes of memory that
// it has from the system less those that it gave back, after a collection, and
// the runs that it has begun.
func runNode(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench node", flag.ContinueOnError)
	kind := flags.String("kind", "", "postgres, mysql, mariadb or sqlite")
	dsn := flags.String("dsn", "", "the database, with the store's tables in it")
	fast := flags.Bool("fast", false, "the fast profile in place of the default timings")
	slots := flags.Int("slots", 32, "handlers at once")
	batch := flags.Int("batch", 16, "triggers of a claim")
	bare := flags.Int("bare", 0, "start so many goroutines beside the engine that wait as handlers do")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *kind == "" || *dsn == "" {
		return fmt.Errorf("-kind and -dsn are needed; failover and memory start this command themselves")
	}
	ctx := context.Background()
	d := &database{kind: *kind, dsn: *dsn}
	var begun atomic.Int64
	handler := func(ctx context.Context, _ *scheduling.Run) error {
		begun.Add(1)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	o := scheduling.Options{}
	if *fast {
		o = fastProfile
	}
	o.MaxConcurrentRuns, o.AcquireBatchSize, o.ShutdownTimeout = *slots, *batch, scheduling.Zero
	n, err := startNode(ctx, d, o, 10, handler)
	if err != nil {
		return err
	}
	if err := until(ctx, 30*time.Second, func() bool { return n.counting.counted().Transactions > 2 }); err != nil {
		return err
	}
	for range *bare {
		go func() { _ = handler(ctx, nil) }()
	}
	fmt.Fprintln(out, "ready")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		fmt.Fprintln(out, memory(), begun.Load())
	}
	return n.stop()
}

// memory is what the process holds.
func memory() uint64 {
	for range 3 {
		runtime.GC()
	}
	debug.FreeOSMemory()
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// process is a node in a process of its own.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// startProcess starts this command again, as a node.
func startProcess(d *database, args ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, append([]string{"node", "-kind", d.kind, "-dsn", d.dsn}, args...)...)
	cmd.Env = append(os.Environ(), nodeEnvironment+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, lines: bufio.NewScanner(out)}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if line := p.line(); line != "ready" {
		p.kill()
		return nil, fmt.Errorf("the node said %q, want \"ready\"", line)
	}
	return p, nil
}

// nodeEnvironment tells the tests' own program that it is a node.
const nodeEnvironment = "GORMSCHED_BENCH_NODE"

func (p *process) line() string {
	p.lines.Scan()
	return strings.TrimSpace(p.lines.Text())
}

// ask gives the memory and the runs that have begun.
func (p *process) ask() (bytes uint64, begun int, err error) {
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(p.line(), &bytes, &begun)
	return bytes, begun, err
}

// kill ends it as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// stop lets it end by itself.
func (p *process) stop() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}
