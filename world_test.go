package gormsched

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// world is a store with one node, and short words for what tests do to it.
type world struct {
	testing.TB
	s    *JobStore
	node provider.NodeRef
	ctx  context.Context
	t0   time.Time // all due instants count from here
	// claimID is the claim of the last claim call.
	claimID int64
}

// past is how long ago everything that a test makes due has been due.
const past = time.Hour

// newWorld empties the store.
func newWorld(t testing.TB, s *JobStore) *world {
	t.Helper()
	w := &world{TB: t, s: s, ctx: context.Background()}
	now, err := s.Now(w.ctx)
	if err != nil {
		t.Fatalf("Now: %v", err)
	}
	w.t0 = now.Add(-past)
	w.clear()
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatalf("%T: %v", err, err)
	}
}

func (w *world) register(id string) provider.NodeRef {
	w.Helper()
	a, err := w.s.Register(w.ctx, provider.RegisterRequest{Node: provider.NodeRecord{
		NodeRef: provider.NodeRef{ID: id}, Timeout: 90 * time.Second, HeartbeatInterval: 10 * time.Second,
	}})
	w.must(err)
	if !a.Registered {
		w.Fatalf("node %s is there already", id)
	}
	return a.Node.NodeRef
}

// clear empties the store and begins anew.
func (w *world) clear() {
	w.Helper()
	for _, table := range []string{"jobs", "triggers", "runs", "nodes", "leases"} {
		sqlExec(w, w.s, "DELETE FROM {{"+table+"}}")
	}
	w.node = w.register("n1")
}

// forget takes a node's row away, as a conviction does.
func (w *world) forget(node provider.NodeRef) {
	w.Helper()
	_, err := w.s.Deregister(w.ctx, node)
	w.must(err)
}

// jobs inserts jobs.
func (w *world) jobs(exclusive bool, names ...string) {
	w.Helper()
	var rows [][]any
	for _, name := range names {
		rows = append(rows, jobRow(provider.JobRecord{
			Name: name, Handler: name, Data: `{"a":1}`, AllowConcurrent: !exclusive, RequestsRecovery: true,
			Source: provider.SourceRuntime, Version: 1,
		}))
	}
	w.must(w.s.core.inTx(w.ctx, "fixture", txManage, func(t *tx) error {
		return t.insertRows(t.c.t.jobs, sourceColumns(jobColumns...), rows)
	}, nil))
}

// triggers inserts triggers of definitions, due in the past.
func (w *world) triggers(list ...provider.TriggerRecord) {
	w.Helper()
	var rows [][]any
	for _, tr := range list {
		rows = append(rows, triggerRow(tr))
	}
	w.must(w.s.core.inTx(w.ctx, "fixture", txManage, func(t *tx) error {
		return t.insertRows(t.c.t.triggers, sourceColumns(triggerColumns...), rows)
	}, nil))
}

// trigger is a Waiting trigger of a definition.
func (w *world) trigger(job, name string, due time.Time, exclusive bool) provider.TriggerRecord {
	return provider.TriggerRecord{
		TriggerKey: provider.TriggerKey{Job: job, Trigger: name}, Schedule: "cron 0 0 * * * *", Priority: 5,
		State: provider.TriggerWaiting, Exclusive: exclusive, ScheduledAt: due, NextFireAt: due,
		RunAs: provider.KindSchedule, Version: 1,
	}
}

// enqueue inserts one-shots of a job, each due a microsecond after the one
// before.
func (w *world) enqueue(job string, n int) []provider.TriggerKey {
	w.Helper()
	var list []provider.TriggerRecord
	var keys []provider.TriggerKey
	for i := range n {
		key := provider.TriggerKey{Job: job, Trigger: fmt.Sprintf("manual-%06d", i)}
		keys = append(keys, key)
		list = append(list, provider.TriggerRecord{
			TriggerKey: key, Priority: 5, RunAs: provider.KindManual, Data: `{"i":1}`,
			NextFireAt: w.t0.Add(time.Duration(i) * time.Microsecond),
		})
	}
	for part := range slices.Chunk(list, 1000) { // each within its deadline, under the race detector too
		answers, err := w.s.Enqueue(w.ctx, part)
		w.must(err)
		for _, a := range answers {
			w.must(a.Err)
		}
	}
	return keys
}

func runIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		id, err := uuid.NewV7()
		if err != nil {
			panic(err)
		}
		ids[i] = id.String()
	}
	return ids
}

// decide is an engine's decision in short: one-shots start and go, "every-"
// triggers start and stay in flight, others start and move on; what is
// occupied blocks; an orphan goes.
func decide(c provider.Candidate) provider.Decision {
	tr := c.Trigger
	d := provider.Decision{Action: provider.Start, Run: provider.RunRecord{
		TriggerName: tr.Trigger, Kind: tr.RunAs, ScheduledAt: tr.ScheduledAt, Attempt: 1, Data: tr.Data,
	}}
	d.After.PrevFireAt, d.After.FireCount = tr.ScheduledAt, tr.FireCount+1
	switch {
	case c.Job.Name == "":
		return provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}
	case c.Occupied:
		return provider.Decision{Action: provider.Block}
	case provider.IsOneShot(tr.Trigger):
		d.After.Delete = true
	case strings.HasPrefix(tr.Trigger, "every-"):
		d.After.State = provider.TriggerAcquired
	default:
		next := c.Now.Add(24 * time.Hour)
		d.After.Next = provider.Next{State: provider.TriggerWaiting, ScheduledAt: next, NextFireAt: next}
	}
	return d
}

func (w *world) claimRequest(limit int) provider.ClaimRequest {
	w.claimID = newClaimID()
	return provider.ClaimRequest{
		AcquireRequest: provider.AcquireRequest{Node: w.node, ClaimID: w.claimID, Limit: limit},
		RunIDs:         runIDs(limit), Decide: decide,
	}
}

var claimIDs sequence

func newClaimID() int64 { return claimIDs.next(time.Now().UnixNano()) }

func (w *world) claim(limit int) provider.ClaimAnswer {
	w.Helper()
	a, err := w.s.Claim(w.ctx, w.claimRequest(limit))
	w.must(err)
	return a
}

// started gives the runs that began.
func started(items []provider.Begun) []provider.Begun {
	var list []provider.Begun
	for _, b := range items {
		if b.Outcome == provider.OutcomeStarted {
			list = append(list, b)
		}
	}
	return list
}

// completions ends runs, each interval trigger due again in an hour, failed
// ones with a retry.
func (w *world) completions(state provider.RunState, begun ...provider.Begun) provider.CompleteRequest {
	req := provider.CompleteRequest{Node: w.node}
	for _, b := range begun {
		item := provider.Completion{RunID: b.Run.ID, Job: b.Run.Job, State: state, Result: `{"r":1}`}
		run, flight := b.Run, b.After.State == provider.TriggerAcquired && !b.After.Delete
		if flight {
			item.Trigger, item.ClaimID = b.Trigger.TriggerKey, w.claimID
		}
		item.Settle = func(at time.Time) provider.Settlement {
			var s provider.Settlement
			if flight {
				s.Trigger = &provider.Next{State: provider.TriggerWaiting, ScheduledAt: at.Add(time.Hour), NextFireAt: at.Add(time.Hour)}
			}
			if state == provider.RunFailed {
				s.Insert = &provider.TriggerRecord{
					TriggerKey: provider.TriggerKey{Job: run.Job, Trigger: provider.PrefixRetry + run.ID + "-2"},
					RunAs:      provider.KindRetry, Attempt: 2, RetryOf: run.ID, NextFireAt: at.Add(time.Minute), Data: run.Data, Priority: 5,
				}
			}
			return s
		}
		req.Items = append(req.Items, item)
	}
	return req
}

func (w *world) complete(state provider.RunState, begun ...provider.Begun) provider.CompleteAnswer {
	w.Helper()
	a, err := w.s.Complete(w.ctx, w.completions(state, begun...))
	w.must(err)
	return a
}

// count counts rows.
func (w *world) count(statement string, args ...any) int {
	w.Helper()
	var n int
	w.must(w.s.core.db.Raw(w.s.named(statement), args...).Row().Scan(&n))
	return n
}

// invariants checks what must hold at every commit.
func (w *world) invariants(when string) {
	w.Helper()
	for text, statement := range map[string]string{
		"an Acquired trigger without a whole claim, or another with one": `SELECT COUNT(*) FROM {{triggers}} WHERE
			(trigger_state = 2 AND (claim_id IS NULL OR claimed_by IS NULL OR incarnation IS NULL OR claimed_us IS NULL)) OR
			(trigger_state <> 2 AND (claim_id IS NOT NULL OR claimed_by IS NOT NULL OR incarnation IS NOT NULL OR claimed_us IS NOT NULL))`,
		"a claim without a node": `SELECT COUNT(*) FROM {{triggers}} t WHERE trigger_state = 2 AND NOT EXISTS
			(SELECT 1 FROM {{nodes}} n WHERE n.node_id = t.claimed_by AND n.incarnation = t.incarnation)`,
		"an occupancy without a Running record": `SELECT COUNT(*) FROM {{jobs}} j WHERE active_run_id IS NOT NULL AND NOT EXISTS
			(SELECT 1 FROM {{runs}} r WHERE r.run_id = j.active_run_id AND r.run_state = 1)`,
		"an exclusive job with a Running record that does not occupy it": `SELECT COUNT(*) FROM {{runs}} r JOIN {{jobs}} j ON j.job_name = r.job_name
			WHERE r.run_state = 1 AND j.allow_concurrent = 0 AND (j.active_run_id IS NULL OR j.active_run_id <> r.run_id)`,
		"a Blocked trigger of a free job (D35)": `SELECT COUNT(*) FROM {{triggers}} t JOIN {{jobs}} j ON j.job_name = t.job_name
			WHERE t.trigger_state = 3 AND j.active_run_id IS NULL AND NOT EXISTS
			(SELECT 1 FROM {{triggers}} o WHERE o.job_name = t.job_name AND (o.trigger_state = 2 OR o.trigger_state = 1 AND o.next_fire_us <= ?))`,
		"a Waiting trigger whose flag is set": `SELECT COUNT(*) FROM {{triggers}} WHERE trigger_state = 1 AND paused = 1`,
		"a trigger in a state without a way out": `SELECT COUNT(*) FROM {{triggers}} WHERE trigger_state NOT IN (1, 2, 3, 4, 5, 6) OR
			(trigger_state IN (1, 3, 4) AND next_fire_us IS NULL)`,
		"a record that says where it runs although it has ended, or not although it runs": `SELECT COUNT(*) FROM {{runs}} WHERE
			(run_state = 1) <> (running_on IS NOT NULL) OR (run_state = 1) <> (completed_us IS NULL)`,
		"a one-shot that has begun and is still there": `SELECT COUNT(*) FROM {{triggers}} t JOIN {{runs}} r
			ON r.job_name = t.job_name AND r.trigger_name = t.trigger_name WHERE t.trigger_name LIKE 'manual-%'`,
		"an interval trigger in flight without its run": `SELECT COUNT(*) FROM {{triggers}} t WHERE trigger_state = 2 AND next_fire_us IS NULL AND NOT EXISTS
			(SELECT 1 FROM {{runs}} r WHERE r.job_name = t.job_name AND r.trigger_name = t.trigger_name AND r.run_state = 1)`,
		"an occurrence that ran twice": `SELECT COUNT(*) FROM (SELECT job_name, trigger_name, scheduled_us FROM {{runs}}
			WHERE run_kind <> 4 GROUP BY job_name, trigger_name, scheduled_us HAVING COUNT(*) > 1) x`,
	} {
		var args []any
		if strings.Contains(statement, "?") {
			now, err := w.s.Now(w.ctx)
			w.must(err)
			args = append(args, micros(now))
		}
		if n := w.count(statement, args...); n != 0 {
			w.Errorf("%s: %d × %s", when, n, text)
		}
	}
}

// states counts the triggers of a job by state.
func (w *world) states(job string) map[provider.TriggerState]int {
	w.Helper()
	got := map[provider.TriggerState]int{}
	rows, err := w.s.core.db.Raw(w.s.named("SELECT trigger_state, COUNT(*) FROM {{triggers}} WHERE job_name = ? GROUP BY trigger_state"), job).Rows()
	w.must(err)
	defer rows.Close()
	for rows.Next() {
		var state, n int
		w.must(rows.Scan(&state, &n))
		got[provider.TriggerState(state)] = n
	}
	return got
}

// loadTrigger reads one trigger; ok false where there is none.
func (w *world) loadTrigger(key provider.TriggerKey) (provider.TriggerRecord, bool) {
	w.Helper()
	var tr provider.TriggerRecord
	found := false
	w.must(w.s.core.inTx(w.ctx, "test", txRead, func(t *tx) error {
		return t.query(func(rows *sql.Rows) error {
			var err error
			tr, err = scanTrigger(rows)
			found = true
			return err
		}, "SELECT "+t.c.columns("", triggerColumns)+" FROM "+t.c.t.triggers+" WHERE trigger_key = ?", key.String())
	}, nil))
	return tr, found
}

func isOutcomeUnknown(err error) bool {
	return errors.Is(err, provider.ErrOutcomeUnknown) && errors.Is(err, provider.ErrStoreUnavailable)
}

// wantUnavailable checks how an operation fails whose connection is gone.
func (w *world) wantUnavailable(err error) {
	w.Helper()
	if err != nil && !errors.Is(err, provider.ErrStoreUnavailable) {
		w.Errorf("the error is %v, want one that matches ErrStoreUnavailable", err)
	}
}
