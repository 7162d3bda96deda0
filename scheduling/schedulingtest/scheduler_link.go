package schedulingtest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// link is a scheduler's own connection to the store, which can be cut without
// harm to the others.
type link struct {
	provider.Store

	mu    sync.Mutex
	cut   bool
	calls []string
}

var errCut = errors.New("the connection is cut")

func (l *link) setCut(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

func (l *link) isCut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut
}

// called returns the names of the calls since the last time, and forgets them.
func (l *link) called() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	calls := l.calls
	l.calls = nil
	return calls
}

func (l *link) down(op string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, op)
	if l.cut {
		return provider.Unavailable(op, errCut)
	}
	return nil
}

// through makes a call unless the link is cut.
func through[Q, A any](ctx context.Context, l *link, op string, call func(context.Context, Q) (A, error), q Q) (A, error) {
	if err := l.down(op); err != nil {
		var none A
		return none, err
	}
	return call(ctx, q)
}

func (l *link) Now(ctx context.Context) (time.Time, error) {
	if err := l.down("Now"); err != nil {
		return time.Time{}, err
	}
	return l.Store.Now(ctx)
}

func (l *link) Acquire(ctx context.Context, q provider.AcquireRequest) (provider.AcquireAnswer, error) {
	return through(ctx, l, "Acquire", l.Store.Acquire, q)
}

// Claim is only called where the store's Info offers it.
func (l *link) Claim(ctx context.Context, q provider.ClaimRequest) (provider.ClaimAnswer, error) {
	return through(ctx, l, "Claim", l.Store.(provider.Claimer).Claim, q)
}

func (l *link) Begin(ctx context.Context, q provider.BeginRequest) (provider.BeginAnswer, error) {
	return through(ctx, l, "Begin", l.Store.Begin, q)
}

func (l *link) Start(ctx context.Context, q provider.StartRequest) (provider.BeginAnswer, error) {
	return through(ctx, l, "Start", l.Store.Start, q)
}

func (l *link) Record(ctx context.Context, runs []provider.RunRecord) error {
	if err := l.down("Record"); err != nil {
		return err
	}
	return l.Store.Record(ctx, runs)
}

func (l *link) Complete(ctx context.Context, q provider.CompleteRequest) (provider.CompleteAnswer, error) {
	return through(ctx, l, "Complete", l.Store.Complete, q)
}

func (l *link) Release(ctx context.Context, q provider.ReleaseRequest) (int, error) {
	return through(ctx, l, "Release", l.Store.Release, q)
}

func (l *link) Inflight(ctx context.Context, q provider.NodeRef) (provider.InflightAnswer, error) {
	return through(ctx, l, "Inflight", l.Store.Inflight, q)
}

func (l *link) Due(ctx context.Context, q provider.DueRequest) (provider.DueAnswer, error) {
	return through(ctx, l, "Due", l.Store.Due, q)
}

func (l *link) Register(ctx context.Context, q provider.RegisterRequest) (provider.RegisterAnswer, error) {
	return through(ctx, l, "Register", l.Store.Register, q)
}

func (l *link) Heartbeat(ctx context.Context, q provider.NodeRef) (provider.HeartbeatAnswer, error) {
	return through(ctx, l, "Heartbeat", l.Store.Heartbeat, q)
}

func (l *link) Convict(ctx context.Context, q provider.NodeRecord) (bool, error) {
	return through(ctx, l, "Convict", l.Store.Convict, q)
}

func (l *link) Deregister(ctx context.Context, q provider.NodeRef) (bool, error) {
	return through(ctx, l, "Deregister", l.Store.Deregister, q)
}

func (l *link) Sweep(ctx context.Context, q provider.SweepRequest) (provider.SweepAnswer, error) {
	return through(ctx, l, "Sweep", l.Store.Sweep, q)
}

func (l *link) Jobs(ctx context.Context, q []string) ([]provider.JobRecord, error) {
	return through(ctx, l, "Jobs", l.Store.Jobs, q)
}

func (l *link) SaveJobs(ctx context.Context, q []provider.SaveItem) ([]provider.SaveAnswer, error) {
	return through(ctx, l, "SaveJobs", l.Store.SaveJobs, q)
}

func (l *link) ListTriggers(ctx context.Context, q provider.TriggerQuery) ([]provider.TriggerRecord, error) {
	return through(ctx, l, "ListTriggers", l.Store.ListTriggers, q)
}

// Election returns the store's, behind the same link.
func (l *link) Election() provider.Election { return linkElection{l, l.Store.Election()} }

type linkElection struct {
	l *link
	provider.Election
}

func (e linkElection) TryAcquire(ctx context.Context, q provider.LeaseRequest) (provider.LeaseAnswer, error) {
	return through(ctx, e.l, "TryAcquire", e.Election.TryAcquire, q)
}

func (e linkElection) Renew(ctx context.Context, resource, token string) (provider.LeaseAnswer, error) {
	if err := e.l.down("Renew"); err != nil {
		return provider.LeaseAnswer{}, err
	}
	return e.Election.Renew(ctx, resource, token)
}

func (e linkElection) Release(ctx context.Context, resource, token string) error {
	if err := e.l.down("Release lease"); err != nil {
		return err
	}
	return e.Election.Release(ctx, resource, token)
}

// logBook keeps what the schedulers of a case log.
type logBook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBook) count(part string) int { return strings.Count(b.String(), part) }

// eventBook is a publisher that keeps what it gets.
type eventBook struct {
	mu   sync.Mutex
	list []scheduling.Event
	do   func(scheduling.Event) error
}

func (b *eventBook) Publish(_ context.Context, event scheduling.Event) error {
	b.mu.Lock()
	b.list = append(b.list, event)
	do := b.do
	b.mu.Unlock()
	if do != nil {
		return do(event)
	}
	return nil
}

// of renders the types of the events about a job, in order.
func (b *eventBook) of(job string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var parts []string
	for _, e := range b.list {
		if e.Data.Job == job {
			parts = append(parts, strings.TrimPrefix(e.Type, "scheduling."))
		}
	}
	return strings.Join(parts, " ")
}
