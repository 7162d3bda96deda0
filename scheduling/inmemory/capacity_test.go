package inmemory

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

func (f *fixture) kept() []string {
	f.t.Helper()
	runs, err := f.Runs(f.ctx, provider.RunQuery{Limit: provider.MaxRunPage})
	f.ok(err)
	ids := []string{}
	for _, run := range runs {
		ids = append(ids, run.ID)
	}
	slices.Sort(ids)
	return ids
}

// D37: a new record evicts the one that finished first, never a Running one.
func TestEvictsTheOldestFinished(t *testing.T) {
	f := newFixture(t, Options{MaxRuns: 3})
	f.save(concurrentJob("a"))
	f.enqueue("a", "1", "2", "3")
	runs := f.claim(3, startOrBlock).Items
	for _, i := range []int{2, 0} { // the third finishes first
		f.clock = f.clock.Add(time.Second)
		f.finish(runs[i].Run)
	}
	f.enqueue("a", "4")
	fourth := f.claim(1, startOrBlock).Items
	f.wantOutcomes(fourth, provider.OutcomeStarted)
	if want := []string{runs[0].Run.ID, runs[1].Run.ID, fourth[0].Run.ID}; !slices.Equal(f.kept(), want) {
		t.Errorf("kept %v, want %v", f.kept(), want)
	}
}

// R302: where all are Running, every way to begin answers ErrStoreFull and
// changes nothing.
func TestStoreFull(t *testing.T) {
	f := newFixture(t, Options{MaxRuns: 2})
	f.save(concurrentJob("a"))
	f.enqueue("a", "1", "2", "3", "4")
	runs := f.claim(2, startOrBlock).Items
	claimed := f.acquire(1)
	before := f.state()
	_, claimErr := f.Claim(f.ctx, f.claimRequest(1, startOrBlock))
	_, beginErr := f.Begin(f.ctx, provider.BeginRequest{Node: f.node, Decide: startOrBlock, Items: []provider.BeginItem{
		{Key: claimed[0].Trigger.TriggerKey, ClaimID: claimed[0].Trigger.ClaimID, RunID: f.runIDs(1)[0]}}})
	_, startErr := f.Start(f.ctx, provider.StartRequest{Node: f.node, Runs: []provider.RunRecord{{ID: f.runIDs(1)[0], Job: "a"}}})
	recordErr := f.Record(f.ctx, []provider.RunRecord{{ID: f.runIDs(1)[0], Job: "a", State: provider.RunRunning, StartedAt: start}})
	for op, err := range map[string]error{"Claim": claimErr, "Begin": beginErr, "Start": startErr, "Record": recordErr} {
		if !errors.Is(err, provider.ErrStoreFull) {
			t.Errorf("%s: %v, want ErrStoreFull", op, err)
		}
	}
	if after := f.state(); len(after) != len(before) || f.trigger(claimed[0].Trigger.TriggerKey) != before["trigger a/manual-3"] {
		t.Error("a full store changed something")
	}
	f.finish(runs[0].Run)
	f.wantOutcomes(f.begin(startOrBlock, claimed...), provider.OutcomeStarted)
}

// One item never decides over the others: what needs no room is done.
func TestFullStoreStillMovesOn(t *testing.T) {
	f := newFixture(t, Options{MaxRuns: 1})
	f.save(concurrentJob("a"), due("start", start), due("skip", start))
	f.enqueue("a", "0")
	f.claim(1, func(c provider.Candidate) provider.Decision {
		if provider.IsOneShot(c.Trigger.Trigger) {
			return startOrBlock(c)
		}
		return provider.Decision{}
	})
	a := f.claim(4, func(c provider.Candidate) provider.Decision {
		if c.Trigger.Trigger == "skip" {
			return skip(c)
		}
		return startOrBlock(c)
	})
	f.wantOutcomes(a.Items, provider.OutcomeAdvanced)
	both := f.begin(func(c provider.Candidate) provider.Decision {
		if c.Trigger.Trigger == "one-more" {
			return skip(c)
		}
		return startOrBlock(c)
	}, f.claimedAnew("b", "one-more", "start")...)
	f.wantOutcomes(both, provider.OutcomeAdvanced, provider.OutcomeLeft)
	if row := f.trigger(key("a", "start")); row.State != provider.TriggerWaiting || !a.More {
		t.Errorf("the trigger without room is %v, more %v; want it left", row.State, a.More)
	}
}

// claimedAnew saves a concurrent job with due triggers and claims them alone.
func (f *fixture) claimedAnew(job string, names ...string) []provider.Claimed {
	f.t.Helper()
	var triggers []provider.TriggerRecord
	for _, name := range names {
		triggers = append(triggers, due(name, start.Add(-time.Hour)))
	}
	f.save(concurrentJob(job), triggers...)
	return f.acquire(len(names))
}

// A batch of local records makes its own room: those that end go first.
func TestRecordMakesRoom(t *testing.T) {
	f := newFixture(t, Options{MaxRuns: 1})
	ids := f.runIDs(2)
	running := provider.RunRecord{ID: ids[0], Job: "l", Node: "n", State: provider.RunRunning, ScheduledAt: start, StartedAt: start}
	f.ok(f.Record(f.ctx, []provider.RunRecord{running}))
	ended, next := running, running
	ended.State, ended.CompletedAt = provider.RunSucceeded, start.Add(time.Second)
	next.ID = ids[1]
	f.ok(f.Record(f.ctx, []provider.RunRecord{next, ended}))
	if got := f.kept(); !slices.Equal(got, ids[1:]) {
		t.Errorf("kept %v, want %v", got, ids[1:])
	}
}

// R205, D05: a record is replaced whole while it is Running, and not any more
// when it has ended; its sequence stays.
func TestRecordReplacesWhileRunning(t *testing.T) {
	f := newFixture(t, Options{})
	run := provider.RunRecord{ID: f.runIDs(1)[0], Job: "l", Node: "n", State: provider.RunRunning, ScheduledAt: start, StartedAt: start, Data: "{}"}
	f.ok(f.Record(f.ctx, []provider.RunRecord{run}))
	f.clock = start.Add(time.Second)
	first, _ := f.RunsByID(f.ctx, []string{run.ID})
	run.State, run.CompletedAt, run.Result, run.Data = provider.RunCanceled, f.clock, `{"n":1}`, ""
	f.ok(f.Record(f.ctx, []provider.RunRecord{run}))
	late := run
	late.State, late.Result = provider.RunSucceeded, "late"
	f.ok(f.Record(f.ctx, []provider.RunRecord{late}))
	got, _ := f.RunsByID(f.ctx, []string{run.ID})
	run.Sequence, run.Version = start.UnixMicro(), first[0].Version+1
	if got[0] != run || first[0].Sequence != run.Sequence {
		t.Errorf("stored %+v, want %+v", got[0], run)
	}
}
