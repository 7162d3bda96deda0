package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// start2000 is the present of every bubble.
var start2000 = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// at is an instant d after the bubble's beginning.
func at(d time.Duration) time.Time { return start2000.Add(d) }

// bubble runs a test under fake time; every goroutine that the test starts must
// have ended when it returns.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// sleep lets d of the bubble's time pass.
func sleep(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// faults lets a test strike at the store's calls.
type faults struct {
	mu   sync.Mutex
	hook func(op string, phase inmemory.Phase) error
}

func (f *faults) set(hook func(op string, phase inmemory.Phase) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hook = hook
}

func (f *faults) strike(op string, phase inmemory.Phase) error {
	f.mu.Lock()
	hook := f.hook
	f.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(op, phase)
}

var errAway = errors.New("the database is away")

// once strikes at the first call of an operation in a phase.
func (f *faults) once(op string, phase inmemory.Phase) {
	struck := false
	f.set(func(o string, p inmemory.Phase) error {
		if o == op && p == phase && !struck {
			struck = true
			return errAway
		}
		return nil
	})
}

// node is one engine of a cluster.
type node struct {
	*scheduling.Scheduler
	t    *testing.T
	link *link
	log  *logBook
	end  context.CancelFunc
	done chan error
}

// link is a node's own connection to the shared store: it can be cut, without
// harm to the others.
type link struct {
	*inmemory.Store
	mu     sync.Mutex
	cut    bool
	strike func(op string) error
	delay  func(op string)
	asked  func(req provider.AcquireRequest)
}

// noteAsked tells the test what is asked for.
func (l *link) noteAsked(req provider.AcquireRequest) {
	l.mu.Lock()
	asked := l.asked
	l.mu.Unlock()
	if asked != nil {
		asked(req)
	}
}

func (l *link) setAsked(f func(req provider.AcquireRequest)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = f
}

// delayed holds an answer back whose call has been done.
func (l *link) delayed(op string) {
	l.mu.Lock()
	delay := l.delay
	l.mu.Unlock()
	if delay != nil {
		delay(op)
	}
}

func (l *link) setDelay(f func(op string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay = f
}

func (l *link) down(op string) error {
	l.mu.Lock()
	cut, strike := l.cut, l.strike
	l.mu.Unlock()
	if cut {
		return provider.Unavailable(op, errAway)
	}
	if strike != nil {
		return strike(op)
	}
	return nil
}

func (l *link) setCut(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

func (l *link) setStrike(f func(op string) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strike = f
}

// logBook keeps what a node logs.
type logBook struct {
	mu    sync.Mutex
	lines []string
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, string(p))
	return len(p), nil
}

func (b *logBook) count(part string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, line := range b.lines {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// warnings are the lines of level WARN and above, and those about leadership.
func (b *logBook) warnings() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var lines []string
	for _, line := range b.lines {
		if !strings.Contains(line, "level=DEBUG") && !strings.Contains(line, "the run has ended") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func (b *logBook) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.lines, "")
}

// newStore makes the shared store of a cluster and checks its invariants at the
// end of the test.
func newStore(t *testing.T, o inmemory.Options) *inmemory.Store {
	t.Helper()
	o.Shared = true
	store := inmemory.New(o)
	t.Cleanup(func() {
		if err := store.CheckInvariants(); err != nil {
			t.Errorf("invariants after the test: %v", err)
		}
	})
	return store
}

// newNode makes an engine on the store, not running yet.
func newNode(t *testing.T, store *inmemory.Store, o scheduling.Options) *node {
	t.Helper()
	n := &node{t: t, link: &link{Store: store}, log: &logBook{}, done: make(chan error, 1)}
	o.Logger = slog.New(slog.NewTextHandler(n.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := scheduling.New(n.link, o)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	n.Scheduler = s
	return n
}

// run starts the engine.
func (n *node) run() *node {
	n.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	n.end = cancel
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.done <- n.Scheduler.Run(ctx)
	}()
	n.t.Cleanup(func() { // where the test has failed before its stop
		cancel()
		<-ended
	})
	synctest.Wait()
	return n
}

// stop ends the engine and returns Run's error.
func (n *node) stop() error {
	n.t.Helper()
	n.end()
	err := <-n.done
	synctest.Wait()
	return err
}

// stopClean ends the engine and fails the test if it did not stop cleanly.
func (n *node) stopClean() {
	n.t.Helper()
	if err := n.stop(); err != nil {
		n.t.Errorf("Run: %v", err)
	}
}

// job declares a code job or fails the test.
func (n *node) job(def scheduling.JobDefinition) {
	n.t.Helper()
	if err := n.AddJob(def); err != nil {
		n.t.Fatalf("AddJob: %v", err)
	}
}

func nop(context.Context, *scheduling.Run) error { return nil }

// history returns all runs of a job, oldest first.
func history(t *testing.T, store *inmemory.Store, job string) []scheduling.RunRecord {
	t.Helper()
	runs, err := store.Runs(t.Context(), provider.RunQuery{Job: job, Limit: provider.MaxRunPage})
	if err != nil {
		t.Fatalf("Runs: %v", err)
	}
	slices.SortFunc(runs, func(a, b scheduling.RunRecord) int {
		return cmpOr(a.StartedAt.Compare(b.StartedAt), strings.Compare(a.ID, b.ID))
	})
	return runs
}

func cmpOr(values ...int) int {
	for _, v := range values {
		if v != 0 {
			return v
		}
	}
	return 0
}

// states renders the states of a job's runs, oldest first.
func states(t *testing.T, store *inmemory.Store, job string) string {
	t.Helper()
	var parts []string
	for _, r := range history(t, store, job) {
		parts = append(parts, fmt.Sprintf("%s/%s/%d", r.Kind, r.State, r.Attempt))
	}
	return strings.Join(parts, " ")
}

// overlap returns a description of two runs of an exclusive job that overlap in
// the history; "" if none do.
func overlap(runs []scheduling.RunRecord) string {
	for i := 1; i < len(runs); i++ {
		before, after := runs[i-1], runs[i]
		if before.CompletedAt.IsZero() || after.StartedAt.Before(before.CompletedAt) {
			return fmt.Sprintf("%s [%v, %v] and %s from %v", before.ID, before.StartedAt, before.CompletedAt, after.ID, after.StartedAt)
		}
	}
	return ""
}

func trigger(t *testing.T, store *inmemory.Store, job, name string) scheduling.TriggerRecord {
	t.Helper()
	rows, err := store.Triggers(t.Context(), []provider.TriggerKey{{Job: job, Trigger: name}})
	if err != nil {
		t.Fatalf("Triggers: %v", err)
	}
	if len(rows) != 1 {
		t.Fatalf("trigger %s/%s: found %d rows", job, name, len(rows))
	}
	return rows[0]
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// endElsewhere ends a run as a sweep by another node would.
func endElsewhere(t *testing.T, store *inmemory.Store, run scheduling.RunRecord) {
	t.Helper()
	answer, err := store.Complete(t.Context(), provider.CompleteRequest{
		Node:  provider.NodeRef{ID: run.Node, Incarnation: run.Incarnation},
		Items: []provider.Completion{{RunID: run.ID, Job: run.Job, State: provider.RunLost}},
	})
	if err != nil || answer.Items[0].Outcome != provider.OutcomeDone {
		t.Fatalf("Complete: %v %v", answer, err)
	}
}

// notes are what goroutines of a test tell it.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, text)
}

func (n *notes) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

func (n *notes) String() string { return strings.Join(n.all(), " ") }

// publisher notes the events that it gets as "topic job".
type publisher struct {
	notes
	do func(event scheduling.Event) error
}

func (p *publisher) Publish(_ context.Context, event scheduling.Event) error {
	p.add(strings.TrimPrefix(event.Type, "scheduling.") + ":" + event.Data.Job)
	if p.do != nil {
		return p.do(event)
	}
	return nil
}

func contains(text, part string) bool { return strings.Contains(text, part) }
