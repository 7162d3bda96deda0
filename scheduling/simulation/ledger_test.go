package simulation

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var errAway = errors.New("the database is away")

const leaseResource = "scheduling.jobs"

// ledger is the cluster's store with an observer: calls go through one at a
// time, and after each it compares all rows with what they were.
type ledger struct {
	store *inmemory.Store
	out   *history
	step  time.Duration // of the store's clock; guarded by mu

	mu    sync.Mutex
	now   time.Time // of the latest transaction
	lose  bool      // the answer of the call under way
	quiet bool      // the observer itself reads

	triggers map[provider.TriggerKey]provider.TriggerRecord
	jobs     map[string]provider.JobRecord
	running  map[string]provider.RunRecord
	nodes    map[string]provider.NodeRecord
	lease    *provider.LeaseRecord
}

func newLedger(out *history, longWay bool, held func(op, job string) bool) *ledger {
	l := &ledger{
		out: out, triggers: map[provider.TriggerKey]provider.TriggerRecord{}, jobs: map[string]provider.JobRecord{},
		running: map[string]provider.RunRecord{}, nodes: map[string]provider.NodeRecord{},
	}
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
	})
	return l
}

// commit makes one call and writes down what it changed.
func (l *ledger) commit(node, op string, lose bool, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lose = lose
	do()
	l.lose = false
	e := event{at: time.Now(), node: node, op: op, now: l.now}
	l.quiet = true
	l.observe(&e)
	l.quiet = false
	if op == "Now" {
		e.note = "reads the clock"
	}
	if !e.empty() {
		l.out.add(e)
	}
}

// stepTo sets how far the store's clock is off.
func (l *ledger) stepTo(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.add(event{at: time.Now(), op: "clock", note: "the store's clock steps from " + l.step.String() + " to " + d.String()})
	l.step = d
}

// observe fills in the changes since the last look. The in-memory store fails
// none of these reads.
func (l *ledger) observe(e *event) {
	ctx := context.Background()
	triggers := must(l.store.ListTriggers(ctx, provider.TriggerQuery{Limit: 100_000}))
	e.triggers = differ(l.triggers, triggers, func(r provider.TriggerRecord) provider.TriggerKey { return r.TriggerKey }, provider.TriggerKey.Compare)
	jobs := must(l.store.ListJobs(ctx, "", 1000))
	e.jobs = differ(l.jobs, jobs, func(r provider.JobRecord) string { return r.Name }, compare)
	beats := must(l.store.ListNodes(ctx))
	e.nodes = differ(l.nodes, beats.Nodes, func(r provider.NodeRecord) string { return r.ID }, compare)

	running := must(l.store.RunningRuns(ctx, nil))
	e.runs = differ(l.running, running, func(r provider.RunRecord) string { return r.ID }, compare)
	var ids []string
	for _, c := range e.runs {
		if c.after == nil {
			ids = append(ids, c.before.ID)
		}
	}
	if len(ids) > 0 {
		ended := must(l.store.RunsByID(ctx, ids))
		for i := range e.runs {
			if c := &e.runs[i]; c.after == nil {
				if k := slices.IndexFunc(ended, func(r provider.RunRecord) bool { return r.ID == c.before.ID }); k >= 0 {
					c.after = &ended[k]
				}
			}
		}
	}
	answer := must(l.store.Election().Inspect(ctx, leaseResource))
	var lease *provider.LeaseRecord
	if answer.Found {
		lease = &answer.Lease
	}
	if (l.lease == nil) != (lease == nil) || lease != nil && *l.lease != *lease {
		e.lease = &change[provider.LeaseRecord]{l.lease, lease}
		l.lease = lease
	}
}

// differ lists what changed, in order of the keys, and updates known.
func differ[K, R comparable](known map[K]R, rows []R, key func(R) K, order func(a, b K) int) []change[R] {
	var changes []change[R]
	seen := make(map[K]struct{}, len(rows))
	for i := range rows {
		k := key(rows[i])
		seen[k] = struct{}{}
		if before, ok := known[k]; !ok {
			changes = append(changes, change[R]{nil, &rows[i]})
		} else if before != rows[i] {
			changes = append(changes, change[R]{&before, &rows[i]})
		}
		known[k] = rows[i]
	}
	for k, before := range known {
		if _, ok := seen[k]; !ok {
			changes = append(changes, change[R]{&before, nil})
			delete(known, k)
		}
	}
	slices.SortFunc(changes, func(a, b change[R]) int { return order(key(*either(a)), key(*either(b))) })
	return changes
}

// check holds the store's own invariants and all records against the judge.
func (l *ledger) check() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quiet = true
	defer func() { l.quiet = false }()
	var runs []provider.RunRecord
	for {
		page := must(l.store.Runs(context.Background(), provider.RunQuery{Skip: len(runs), Limit: provider.MaxRunPage}))
		runs = append(runs, page...)
		if len(page) < provider.MaxRunPage {
			break
		}
	}
	l.out.mu.Lock()
	defer l.out.mu.Unlock()
	l.out.judge.records(runs)
	if err := l.store.CheckInvariants(); err != nil {
		l.out.judge.fail(nil, ruleInvariants, "%v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("simulation: the observer's read failed: " + err.Error())
	}
	return v
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
