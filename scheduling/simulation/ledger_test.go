package simulation

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var errAway = errors.New("the database is away")

// ledger is the cluster's store with an observer: calls go through one at a
// time, and each transaction that changes rows is an event.
type ledger struct {
	store *inmemory.Store
	out   *history
	every bool          // check the store's invariants after every call that changed something
	step  time.Duration // of the store's clock; guarded by mu

	checks int // of the invariants

	mu      sync.Mutex
	now     time.Time // of the latest transaction
	lose    bool      // the answer of the call under way
	quiet   bool      // the observer itself reads
	changed []event   // by the call under way
	asked   *request  // what it asked for, where the judge must know
}

func newLedger(out *history, longWay bool, held func(op, job string) bool) *ledger {
	l := &ledger{out: out}
	l.store = inmemory.New(inmemory.Options{
		Shared: true, MaxRuns: 1 << 20, LongWay: longWay, Held: held,
		Now: func() time.Time {
			l.now = time.Now().Add(l.step).UTC().Truncate(time.Microsecond)
			return l.now
		},
		Fault: func(_ string, phase inmemory.Phase) error {
			if phase == inmemory.AfterCommit && l.lose && !l.quiet {
				return errAway
			}
			return nil
		},
		Committed: func(_ string, c inmemory.Changes) {
			e := event{
				now: l.now,
				triggers: sorted(c.Triggers, func(a, b *provider.TriggerRecord) int {
					return strings.Compare(out.plain(a.TriggerKey), out.plain(b.TriggerKey))
				}),
				jobs:  sorted(c.Jobs, func(a, b *provider.JobRecord) int { return strings.Compare(a.Name, b.Name) }),
				runs:  sorted(c.Runs, func(a, b *provider.RunRecord) int { return strings.Compare(a.ID, b.ID) }),
				nodes: sorted(c.Nodes, func(a, b *provider.NodeRecord) int { return strings.Compare(a.ID, b.ID) }),
			}
			if len(c.Leases) > 0 {
				e.lease = &change[provider.LeaseRecord]{c.Leases[0].Before, c.Leases[0].After}
			}
			l.changed = append(l.changed, e)
		},
	})
	return l
}

// sorted lists changes in order of the rows' keys.
func sorted[R any](rows []inmemory.Change[R], order func(a, b *R) int) []change[R] {
	if len(rows) == 0 {
		return nil
	}
	list := make([]change[R], len(rows))
	for i, c := range rows {
		list[i] = change[R]{c.Before, c.After}
	}
	if len(list) > 1 {
		slices.SortFunc(list, func(a, b change[R]) int { return order(either(a), either(b)) })
	}
	return list
}

// commit makes one call and writes down what it changed, an event for each
// transaction of it. It answers the runs that the call began.
func (l *ledger) commit(node, op string, lose bool, do func()) (begun []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lose, l.asked, l.changed = lose, nil, l.changed[:0]
	do()
	l.lose = false
	for i := range l.changed {
		l.changed[i].asked = l.asked
	}
	if l.asked != nil && l.asked.done() {
		l.changed = append(l.changed, event{now: l.now, note: "is answered", asked: l.asked, answered: true})
	}
	if op == "Now" {
		l.changed = append(l.changed, event{now: l.now, note: "reads the clock"})
	}
	for i := range l.changed {
		e := &l.changed[i]
		e.at, e.node, e.op = time.Now(), node, op
		l.out.add(*e)
		for _, c := range e.runs {
			if c.before == nil {
				begun = append(begun, c.after.ID)
			}
		}
	}
	if l.every && len(l.changed) > 0 && op != "Now" {
		l.invariants()
	}
	return begun
}

// present is the store's clock.
func (l *ledger) present() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Add(l.step).UTC().Truncate(time.Microsecond)
}

// stepTo sets how far the store's clock is off.
func (l *ledger) stepTo(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.add(event{at: time.Now(), op: "clock", note: "the store's clock steps from " + l.step.String() + " to " + d.String()})
	l.step = d
}

// invariants holds the store's own invariants against the judge.
func (l *ledger) invariants() {
	l.checks++
	if err := l.store.CheckInvariants(); err != nil {
		l.out.fail(ruleInvariants, "%v", err)
	}
}

// check holds the store's own invariants and all its rows against the judge,
// who knows them from the events alone.
func (l *ledger) check() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quiet = true
	defer func() { l.quiet = false }()
	ctx := context.Background()
	var all stored
	for {
		page := must(l.store.Runs(ctx, provider.RunQuery{Skip: len(all.runs), Limit: provider.MaxRunPage}))
		all.runs = append(all.runs, page...)
		if len(page) < provider.MaxRunPage {
			break
		}
	}
	all.triggers = must(l.store.ListTriggers(ctx, provider.TriggerQuery{Limit: 100_000}))
	all.jobs = must(l.store.ListJobs(ctx, "", 1000))
	all.nodes = must(l.store.ListNodes(ctx)).Nodes
	l.out.mu.Lock()
	l.out.judge.records(all)
	l.out.mu.Unlock()
	l.invariants()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("simulation: the observer's read failed: " + err.Error())
	}
	return v
}
