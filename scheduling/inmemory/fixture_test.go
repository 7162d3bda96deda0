package inmemory

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// start is the instant at which every test begins.
var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// fixture is a store with a clock that only the test moves, and names to use.
// Its clean-up checks the invariants.
type fixture struct {
	*Store
	t     testing.TB
	ctx   context.Context
	clock time.Time
	drawn int
	node  provider.NodeRef
}

func newFixture(t testing.TB, options Options) *fixture {
	f := &fixture{t: t, ctx: context.Background(), clock: start}
	options.Now = func() time.Time { return f.clock }
	f.Store = New(options)
	f.node = f.register("n")
	t.Cleanup(f.check)
	return f
}

func (f *fixture) check() {
	f.t.Helper()
	if err := f.CheckInvariants(); err != nil {
		f.t.Errorf("invariants: %v", err)
	}
}

func (f *fixture) ok(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) register(id string) provider.NodeRef {
	f.t.Helper()
	a, err := f.Register(f.ctx, provider.RegisterRequest{Node: provider.NodeRecord{
		NodeRef: provider.NodeRef{ID: id}, Timeout: 90 * time.Second, HeartbeatInterval: 10 * time.Second}})
	f.ok(err)
	return a.Node.NodeRef
}

// runIDs draws n run ids that ascend.
func (f *fixture) runIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		f.drawn++
		ids[i] = fmt.Sprintf("019c0000-0000-7000-8000-%012x", f.drawn)
	}
	return ids
}

func (f *fixture) claimID() int64 { f.drawn++; return int64(f.drawn) }

func key(job, trigger string) provider.TriggerKey {
	return provider.TriggerKey{Job: job, Trigger: trigger}
}

// due is a trigger that is Waiting from that instant.
func due(name string, at time.Time) provider.TriggerRecord {
	return provider.TriggerRecord{TriggerKey: key("", name), Schedule: "cron 0 0 * * * *", Priority: 5,
		State: provider.TriggerWaiting, ScheduledAt: at, NextFireAt: at, RunAs: provider.KindSchedule}
}

func exclusiveJob(name string) provider.JobRecord {
	return provider.JobRecord{Name: name, Handler: name, Source: provider.SourceRuntime}
}

func concurrentJob(name string) provider.JobRecord {
	job := exclusiveJob(name)
	job.AllowConcurrent = true
	return job
}

func (f *fixture) save(job provider.JobRecord, triggers ...provider.TriggerRecord) {
	f.t.Helper()
	_, err := f.SaveJobs(f.ctx, []provider.SaveItem{{Job: job, Triggers: triggers}})
	f.ok(err)
}

// enqueue inserts one-shots named manual-<name>, due now, in that order.
func (f *fixture) enqueue(job string, names ...string) {
	f.t.Helper()
	var shots []provider.TriggerRecord
	for _, name := range names {
		shots = append(shots, provider.TriggerRecord{TriggerKey: key(job, provider.PrefixManual+name), RunAs: provider.KindManual})
	}
	answers, err := f.Enqueue(f.ctx, shots)
	f.ok(err)
	for _, a := range answers {
		f.ok(a.Err)
	}
}

// numbered are n names in the order of their bytes.
func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%05d", i)
	}
	return names
}

// startOrBlock is the plainest decision: one-shots go, all others move one hour
// on.
func startOrBlock(c provider.Candidate) provider.Decision {
	if c.Occupied {
		return provider.Decision{Action: provider.Block}
	}
	d := provider.Decision{Action: provider.Start, Run: provider.RunRecord{Kind: c.Trigger.RunAs, ScheduledAt: c.Trigger.ScheduledAt}}
	if provider.IsOneShot(c.Trigger.Trigger) {
		d.After.Delete = true
	} else {
		d.After = provider.Progress{Next: waitingAt(c.Now.Add(time.Hour)), PrevFireAt: c.Trigger.ScheduledAt, FireCount: c.Trigger.FireCount + 1}
	}
	return d
}

func waitingAt(at time.Time) provider.Next {
	return provider.Next{State: provider.TriggerWaiting, NextFireAt: at}
}

// skip moves a trigger one hour on without a run.
func skip(c provider.Candidate) provider.Decision {
	return provider.Decision{Action: provider.Advance, After: provider.Progress{Next: waitingAt(c.Now.Add(time.Hour))}}
}

// fly starts an interval trigger, which stays Acquired.
func fly(c provider.Candidate) provider.Decision {
	d := startOrBlock(c)
	if d.Action == provider.Start {
		d.After = provider.Progress{Next: provider.Next{State: provider.TriggerAcquired}, PrevFireAt: c.Now, FireCount: 1}
	}
	return d
}

func (f *fixture) claimRequest(limit int, decide provider.DecideFunc) provider.ClaimRequest {
	return provider.ClaimRequest{AcquireRequest: provider.AcquireRequest{Node: f.node, ClaimID: f.claimID(), Limit: limit},
		RunIDs: f.runIDs(limit), Decide: decide}
}

func (f *fixture) claim(limit int, decide provider.DecideFunc) provider.ClaimAnswer {
	f.t.Helper()
	a, err := f.Claim(f.ctx, f.claimRequest(limit, decide))
	f.ok(err)
	return a
}

func (f *fixture) acquire(limit int) []provider.Claimed {
	f.t.Helper()
	a, err := f.Acquire(f.ctx, provider.AcquireRequest{Node: f.node, ClaimID: f.claimID(), Limit: limit})
	f.ok(err)
	return a.Claimed
}

func (f *fixture) begin(decide provider.DecideFunc, claimed ...provider.Claimed) []provider.Begun {
	f.t.Helper()
	req := provider.BeginRequest{Node: f.node, Decide: decide}
	for _, c := range claimed {
		req.Items = append(req.Items, provider.BeginItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID, RunID: f.runIDs(1)[0]})
	}
	a, err := f.Begin(f.ctx, req)
	f.ok(err)
	return a.Items
}

// occupy starts a run of an exclusive job and blocks so many one-shots behind
// it.
func (f *fixture) occupy(job string, blocked int) provider.RunRecord {
	f.t.Helper()
	f.enqueue(job, "0first")
	items := f.claim(1, startOrBlock).Items
	if len(items) != 1 || items[0].Outcome != provider.OutcomeStarted {
		f.t.Fatalf("the first run of %s: %+v", job, items)
	}
	f.enqueue(job, numbered(blocked)...)
	for f.count(job, provider.TriggerBlocked) < blocked {
		f.claim(1, startOrBlock)
	}
	return items[0].Run
}

func (f *fixture) finish(runs ...provider.RunRecord) provider.CompleteAnswer {
	f.t.Helper()
	req := provider.CompleteRequest{Node: f.node}
	for _, run := range runs {
		req.Items = append(req.Items, provider.Completion{RunID: run.ID, Job: run.Job, State: provider.RunSucceeded})
	}
	a, err := f.Complete(f.ctx, req)
	f.ok(err)
	return a
}

func (f *fixture) trigger(k provider.TriggerKey) provider.TriggerRecord {
	f.t.Helper()
	rows, err := f.Triggers(f.ctx, []provider.TriggerKey{k})
	f.ok(err)
	if len(rows) != 1 {
		f.t.Fatalf("trigger %v is gone", k)
	}
	return rows[0]
}

func (f *fixture) job(name string) provider.JobRecord {
	f.t.Helper()
	rows, err := f.Jobs(f.ctx, []string{name})
	f.ok(err)
	if len(rows) != 1 {
		f.t.Fatalf("job %s is gone", name)
	}
	return rows[0]
}

// names returns the trigger names of a job in that state, by key.
func (f *fixture) names(job string, state provider.TriggerState) []string {
	f.t.Helper()
	rows, err := f.ListTriggers(f.ctx, provider.TriggerQuery{Jobs: []string{job}, States: []provider.TriggerState{state}, Limit: 100_000})
	f.ok(err)
	names := []string{}
	for _, row := range rows {
		names = append(names, row.Trigger)
	}
	return names
}

func (f *fixture) count(job string, state provider.TriggerState) int {
	f.t.Helper()
	return len(f.names(job, state))
}

func outcomes(items []provider.Begun) []provider.Outcome {
	out := []provider.Outcome{}
	for _, item := range items {
		out = append(out, item.Outcome)
	}
	return out
}

func (f *fixture) wantOutcomes(items []provider.Begun, want ...provider.Outcome) {
	f.t.Helper()
	if got := outcomes(items); !slices.Equal(got, want) {
		f.t.Fatalf("outcomes %v, want %v", got, want)
	}
}
