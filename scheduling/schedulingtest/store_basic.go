package schedulingtest

import (
	"context"
	"errors"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var basicCases = []Case{
	{Name: "InfoIsConstant", Rules: []string{"R017", "R259"},
		Explanation: "Info names the store, is the same on every handle and call, and Claims only where Claim is there",
		Run:         infoIsConstant},
	{Name: "NowIsTheStoresClock", Rules: []string{"D26", "D31"},
		Explanation: "Now and every answer show the store's clock, in UTC, cut to microseconds, forward and back",
		Run:         nowIsTheStoresClock},
	{Name: "EmptyBatchesDoNothing", Rules: []string{"R227"},
		Explanation: "an empty batch answers empty, without an error and without a change",
		Run:         emptyBatchesDoNothing},
	{Name: "EmptyBatchesSendNothing", Rules: []string{"R227"}, Needs: Counting,
		Explanation: "an empty batch sends no statement",
		Run:         emptyBatchesSendNothing},
	{Name: "EndedContext", Rules: []string{"R021"},
		Explanation: "a context that has ended before the call is answered unwrapped, and nothing is written",
		Run:         endedContext},
	{Name: "EmptyStoreAnswersEmpty", Rules: []string{"R108"},
		Explanation: "on an empty store every read answers empty and nothing is due",
		Run:         emptyStoreAnswersEmpty},
}

func infoIsConstant(e *Env) {
	info := e.Store.Info()
	if info.Name == "" {
		e.Errorf("Info().Name is empty")
	}
	equal(e, e.Store.Info(), info, "a second Info")
	equal(e, e.other().Info(), info, "the other handle's Info")
	if _, ok := e.Store.(provider.Claimer); info.Claims && !ok {
		e.Errorf("Info().Claims is true, but the store has no Claim")
	}
	if e.Store.Election() == nil {
		e.Errorf("Election() is nil")
	}
}

func nowIsTheStoresClock(e *Env) {
	e.save(job("j"))
	n := e.node("n")
	for _, at := range []time.Time{Start.Add(987654321 * time.Nanosecond), Start.Add(-time.Hour), Start} {
		e.set(at)
		want := at.Truncate(time.Microsecond)
		now, err := e.Store.Now(e.ctx)
		e.must(err, "Now")
		equal(e, now, want, "Now")
		due, err := e.Store.Due(e.ctx, provider.DueRequest{})
		e.must(err, "Due")
		equal(e, due.Now, want, "Due's now")
		acquired, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 1})
		e.must(err, "Acquire")
		equal(e, acquired.Now, want, "Acquire's now")
		list, err := e.other().ListNodes(e.ctx)
		e.must(err, "ListNodes")
		equal(e, list.Now, want, "ListNodes' now on the other handle")
		inflight, err := e.Store.Inflight(e.ctx, n)
		e.must(err, "Inflight")
		equal(e, inflight.Now, want, "Inflight's now")
		swept, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
		e.must(err, "Sweep")
		equal(e, swept.Now, want, "Sweep's now")
		lease, err := e.Store.Election().Inspect(e.ctx, leaseName)
		e.must(err, "Inspect")
		equal(e, lease.Now, want, "Inspect's now")
	}
}

// emptyBatches calls each batch method with nothing and returns how many items
// came back.
func emptyBatches(e *Env, n provider.NodeRef) map[string]int {
	s, ctx := e.Store, e.ctx
	counts := map[string]int{}
	count := func(name string, items int, err error) {
		e.is(err, nil, "%s of nothing", name)
		counts[name] = items
	}
	saved, err := s.SaveJobs(ctx, nil)
	count("SaveJobs", len(saved), err)
	errs, err := s.DeleteJobs(ctx, nil)
	count("DeleteJobs", len(errs), err)
	jobs, err := s.Jobs(ctx, nil)
	count("Jobs", len(jobs), err)
	triggers, err := s.Triggers(ctx, nil)
	count("Triggers", len(triggers), err)
	errs, err = s.AddTriggers(ctx, nil)
	count("AddTriggers", len(errs), err)
	errs, err = s.RemoveTriggers(ctx, nil)
	count("RemoveTriggers", len(errs), err)
	moved, err := s.Reschedule(ctx, nil)
	count("Reschedule", len(moved), err)
	for name, f := range map[string]func(context.Context, []string) ([]error, error){
		"PauseJobs": s.PauseJobs, "ResumeJobs": s.ResumeJobs, "RequestCancel": s.RequestCancel} {
		errs, err = f(ctx, nil)
		count(name, len(errs), err)
	}
	for name, f := range map[string]func(context.Context, []provider.TriggerKey) ([]error, error){
		"PauseTriggers": s.PauseTriggers, "ResumeTriggers": s.ResumeTriggers} {
		errs, err = f(ctx, nil)
		count(name, len(errs), err)
	}
	enqueued, err := s.Enqueue(ctx, nil)
	count("Enqueue", len(enqueued), err)
	begun, err := s.Begin(ctx, provider.BeginRequest{Node: n, Decide: decide})
	count("Begin", len(begun.Items), err)
	begun, err = s.Start(ctx, provider.StartRequest{Node: n})
	count("Start", len(begun.Items), err)
	count("Record", 0, s.Record(ctx, nil))
	done, err := s.Complete(ctx, provider.CompleteRequest{Node: n})
	count("Complete", len(done.Items), err)
	released, err := s.Release(ctx, provider.ReleaseRequest{Node: n})
	count("Release", released, err)
	runs, err := s.RunsByID(ctx, nil)
	count("RunsByID", len(runs), err)
	runs, err = s.LatestRuns(ctx, nil)
	count("LatestRuns", len(runs), err)
	return counts
}

func emptyBatchesDoNothing(e *Env) {
	n := e.node("n")
	e.save(job("j", exclusive), cron("t", e.now))
	e.unchanged("a round of empty batches", func() {
		for name, items := range emptyBatches(e, n) {
			if items != 0 {
				e.Errorf("%s of nothing answered %d items", name, items)
			}
		}
	})
}

func emptyBatchesSendNothing(e *Env) {
	n := e.node("n")
	events := e.record(func() { emptyBatches(e, n) })
	if len(events) != 0 {
		e.Errorf("empty batches sent %d events, the first %v", len(events), events[0])
	}
}

func endedContext(e *Env) {
	n := e.node("n")
	e.save(job("j"), cron("t", e.now))
	ended, cancel := context.WithCancel(e.ctx)
	cancel()
	calls := map[string]func() error{
		"SaveJobs": func() error {
			_, err := e.Store.SaveJobs(ended, []provider.SaveItem{item(job("k"), cron("t", e.now))})
			return err
		},
		"Acquire": func() error {
			_, err := e.Store.Acquire(ended, provider.AcquireRequest{Node: n, ClaimID: 7, Limit: 1})
			return err
		},
		"Enqueue": func() error {
			_, err := e.Store.Enqueue(ended, []provider.TriggerRecord{manual("j", "x", time.Time{})})
			return err
		},
		"PauseJobs": func() error { _, err := e.Store.PauseJobs(ended, []string{"j"}); return err },
		"Heartbeat": func() error { _, err := e.Store.Heartbeat(ended, n); return err },
		"ListJobs":  func() error { _, err := e.Store.ListJobs(ended, "", 0); return err },
	}
	e.advance(time.Second)
	e.unchanged("calls whose context has ended", func() {
		for name, call := range calls {
			err := call()
			var coded *provider.Error
			if !errors.Is(err, context.Canceled) || errors.As(err, &coded) {
				e.Errorf("%s with an ended context: error %v, want context.Canceled unwrapped", name, err)
			}
		}
	})
}

func emptyStoreAnswersEmpty(e *Env) {
	jobs, err := e.Store.ListJobs(e.ctx, "", 0)
	e.must(err, "ListJobs")
	triggers, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	runs, err := e.Store.Runs(e.ctx, provider.RunQuery{Limit: 10})
	e.must(err, "Runs")
	count, err := e.Store.CountRuns(e.ctx, provider.RunQuery{})
	e.must(err, "CountRuns")
	running, err := e.Store.RunningRuns(e.ctx, nil)
	e.must(err, "RunningRuns")
	nodes, err := e.Store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	due, err := e.Store.Due(e.ctx, provider.DueRequest{})
	e.must(err, "Due")
	purged, err := e.Store.PurgeRuns(e.ctx, time.Hour)
	e.must(err, "PurgeRuns")
	if n := len(jobs) + len(triggers) + len(runs) + len(running) + len(nodes.Nodes) + int(count) + int(purged); n != 0 {
		e.Errorf("an empty store answered %d items", n)
	}
	equal(e, due.NextDue, time.Time{}, "the next due instant")
	a, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
	e.must(err, "Sweep")
	equal(e, a, provider.SweepAnswer{Now: e.now, Lost: a.Lost, Recovered: a.Recovered, Returned: a.Returned}, "a sweep of nothing")
}
