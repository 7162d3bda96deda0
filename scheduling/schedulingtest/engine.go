package schedulingtest

import (
	"maps"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The smallest engine that can drive a store: it knows three schedule texts and
// starts whatever may be started.

// decide starts the candidate, or blocks it where its job is occupied. It is
// pure.
func decide(c provider.Candidate) provider.Decision {
	t := c.Trigger
	if c.Job.Name == "" {
		return provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}
	}
	if c.Occupied {
		return provider.Decision{Action: provider.Block}
	}
	d := provider.Decision{Action: provider.Start, Run: provider.RunRecord{TriggerName: t.Trigger, Kind: t.RunAs,
		ScheduledAt: t.ScheduledAt, Attempt: max(t.Attempt, 1), RetryOf: t.RetryOf, Data: t.Data}}
	d.After = after(t, c.Now)
	return d
}

// after is what becomes of a trigger that starts a run now.
func after(t provider.TriggerRecord, now time.Time) provider.Progress {
	p := provider.Progress{PrevFireAt: t.ScheduledAt, FireCount: t.FireCount + 1}
	switch {
	case provider.IsOneShot(t.Trigger):
		return provider.Progress{Delete: true}
	case t.Schedule == everyText:
		p.State = provider.TriggerAcquired
	case t.Schedule == onceText:
		p.State = provider.TriggerComplete
	default:
		p.Next = waiting(now.Add(cronPeriod))
	}
	return p
}

func waiting(at time.Time) provider.Next {
	return provider.Next{State: provider.TriggerWaiting, ScheduledAt: at, NextFireAt: at, ZoneHash: "zone"}
}

// settleEvery moves an interval trigger one period on.
func settleEvery(completedAt time.Time) provider.Settlement {
	next := waiting(completedAt.Add(everyPeriod))
	return provider.Settlement{Trigger: &next}
}

// always returns a DecideFunc that answers d.
func always(d provider.Decision) provider.DecideFunc {
	return func(provider.Candidate) provider.Decision { return d }
}

// save saves one job with its triggers.
func (e *Env) save(j provider.JobRecord, triggers ...provider.TriggerRecord) {
	e.Helper()
	a, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{item(j, triggers...)})
	e.must(err, "SaveJobs %s", j.Name)
	if len(a) != 1 || !a[0].Saved {
		e.Fatalf("SaveJobs %s: answers %+v, want one that was saved", j.Name, a)
	}
}

// enqueue enqueues one-shots; none may fail or exist.
func (e *Env) enqueue(triggers ...provider.TriggerRecord) {
	e.Helper()
	answers, err := e.Store.Enqueue(e.ctx, triggers)
	e.must(err, "Enqueue")
	if len(answers) != len(triggers) {
		e.Fatalf("Enqueue: %d answers, want %d", len(answers), len(triggers))
	}
	for i, a := range answers {
		if a.Err != nil || a.Existed {
			e.Fatalf("Enqueue %v: %+v, want it inserted", triggers[i].TriggerKey, a)
		}
	}
}

// acquire claims at most limit due triggers for the node.
func (e *Env) acquire(n provider.NodeRef, limit int) []provider.Claimed {
	e.Helper()
	a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: limit})
	e.must(err, "Acquire")
	return a.Claimed
}

// items makes begin items of claims, each with a run id of its own.
func (e *Env) items(claimed ...provider.Claimed) []provider.BeginItem {
	var out []provider.BeginItem
	for _, c := range claimed {
		out = append(out, provider.BeginItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID, RunID: e.runID()})
	}
	return out
}

// beginWith begins claims with a decision function.
func (e *Env) beginWith(n provider.NodeRef, d provider.DecideFunc, claimed ...provider.Claimed) []provider.Begun {
	e.Helper()
	a, err := e.Store.Begin(e.ctx, provider.BeginRequest{Node: n, Items: e.items(claimed...), Decide: d})
	e.must(err, "Begin")
	if len(a.Items) != len(claimed) {
		e.Fatalf("Begin: %d answers, want %d", len(a.Items), len(claimed))
	}
	return a.Items
}

// pass claims and begins what is due, and returns what became of each.
func (e *Env) pass(n provider.NodeRef, limit int) []provider.Begun {
	e.Helper()
	claimed := e.acquire(n, limit)
	if len(claimed) == 0 {
		return nil
	}
	return e.beginWith(n, decide, claimed...)
}

// started returns those of the items that started.
func started(items []provider.Begun) []provider.Begun {
	var out []provider.Begun
	for _, i := range items {
		if i.Outcome == provider.OutcomeStarted {
			out = append(out, i)
		}
	}
	return out
}

// startOne claims and begins until one run has started, the only one.
func (e *Env) startOne(n provider.NodeRef) provider.Begun {
	e.Helper()
	items := started(e.pass(n, 500))
	if len(items) != 1 {
		e.Fatalf("started %d runs, want 1", len(items))
	}
	return items[0]
}

// completion builds the item that ends a begun run, with what follows.
func completion(b provider.Begun) provider.Completion {
	c := provider.Completion{RunID: b.Run.ID, Job: b.Run.Job, State: provider.RunSucceeded}
	if b.After.State == provider.TriggerAcquired {
		c.Settle, c.Trigger, c.ClaimID = settleEvery, b.Trigger.TriggerKey, b.Trigger.ClaimID
	}
	return c
}

// complete ends runs and returns the answer; each must end now.
func (e *Env) complete(n provider.NodeRef, items ...provider.Completion) provider.CompleteAnswer {
	e.Helper()
	a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: items})
	e.must(err, "Complete")
	if len(a.Items) != len(items) {
		e.Fatalf("Complete: %d answers, want %d", len(a.Items), len(items))
	}
	for i, done := range a.Items {
		if done.Outcome != provider.OutcomeDone {
			e.Fatalf("Complete %s: outcome %v, want Done", items[i].RunID, done.Outcome)
		}
	}
	return a
}

// finish ends begun runs with success.
func (e *Env) finish(n provider.NodeRef, begun ...provider.Begun) provider.CompleteAnswer {
	e.Helper()
	var items []provider.Completion
	for _, b := range begun {
		items = append(items, completion(b))
	}
	return e.complete(n, items...)
}

// drain runs what is due until nothing is, at most so many passes, and returns
// what ran.
func (e *Env) drain(n provider.NodeRef, passes int) []provider.RunRecord {
	e.Helper()
	var ran []provider.RunRecord
	for range passes {
		items := e.pass(n, 500)
		if len(items) == 0 {
			return ran
		}
		begun := started(items)
		for _, b := range begun {
			ran = append(ran, b.Run)
		}
		if len(begun) > 0 {
			e.finish(n, begun...)
		}
	}
	return ran
}

// sweep sweeps until nothing is left and returns all answers.
func (e *Env) sweep(limit int, recover provider.RecoverFunc) []provider.SweepAnswer {
	e.Helper()
	var answers []provider.SweepAnswer
	for range 100 {
		a, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Limit: limit, Recover: recover})
		e.must(err, "Sweep")
		answers = append(answers, a)
		if !a.More {
			return answers
		}
	}
	e.Fatalf("Sweep: still more after 100 passes")
	return nil
}

// recovery builds the recovery one-shot of a lost run of a job that asks for it.
func recovery(run provider.RunRecord, job provider.JobRecord, now time.Time) (provider.TriggerRecord, bool) {
	if !job.RequestsRecovery {
		return provider.TriggerRecord{}, false
	}
	return provider.TriggerRecord{TriggerKey: key(run.Job, provider.PrefixRecovery+run.ID), Data: run.Data, Priority: 5,
		State: provider.TriggerWaiting, Exclusive: !job.AllowConcurrent, ScheduledAt: now, NextFireAt: now,
		RunAs: provider.KindRecovery, Attempt: run.Attempt, RetryOf: run.RetryOf}, true
}

// kill convicts the node, as if it had stopped for ever an hour ago.
func (e *Env) kill(n provider.NodeRef) {
	e.Helper()
	e.advance(time.Hour)
	list, err := e.Store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	for _, row := range list.Nodes {
		if row.NodeRef == n {
			gone, err := e.Store.Convict(e.ctx, row)
			e.must(err, "Convict %s", n.ID)
			if !gone {
				e.Fatalf("Convict %s: not convicted an hour after its heartbeat", n.ID)
			}
		}
	}
	delete(e.noded, n.ID)
}

// The reads of single rows.

func (e *Env) trigger(k provider.TriggerKey) provider.TriggerRecord {
	e.Helper()
	t, ok := e.lookTrigger(k)
	if !ok {
		e.Fatalf("trigger %v is gone", k)
	}
	return t
}

func (e *Env) lookTrigger(k provider.TriggerKey) (provider.TriggerRecord, bool) {
	e.Helper()
	got, err := e.Store.Triggers(e.ctx, []provider.TriggerKey{k})
	e.must(err, "Triggers %v", k)
	if len(got) == 0 {
		return provider.TriggerRecord{}, false
	}
	return got[0], true
}

func (e *Env) gone(k provider.TriggerKey) {
	e.Helper()
	if t, ok := e.lookTrigger(k); ok {
		e.Errorf("trigger %v is still there, %v; want it gone", k, t.State)
	}
}

func (e *Env) job(name string) provider.JobRecord {
	e.Helper()
	got, err := e.Store.Jobs(e.ctx, []string{name})
	e.must(err, "Jobs %s", name)
	if len(got) != 1 {
		e.Fatalf("Jobs %s: %d answers, want 1", name, len(got))
	}
	return got[0]
}

func (e *Env) run(id string) provider.RunRecord {
	e.Helper()
	got, err := e.Store.RunsByID(e.ctx, []string{id})
	e.must(err, "RunsByID %s", id)
	if len(got) != 1 {
		e.Fatalf("RunsByID %s: %d answers, want 1", id, len(got))
	}
	return got[0]
}

// states fails the case unless the triggers are in these states.
func (e *Env) states(want map[provider.TriggerKey]provider.TriggerState) {
	e.Helper()
	got, err := e.Store.Triggers(e.ctx, slices.Collect(maps.Keys(want)))
	e.must(err, "Triggers")
	found := map[provider.TriggerKey]bool{}
	for _, t := range got {
		found[t.TriggerKey] = true
		if t.State != want[t.TriggerKey] {
			e.Errorf("trigger %v is %v, want %v", t.TriggerKey, t.State, want[t.TriggerKey])
		}
	}
	for k, state := range want {
		if !found[k] {
			e.Errorf("trigger %v is gone, want it %v", k, state)
		}
	}
}

// startOneOf claims one due trigger, which must be of that job, and starts it.
func (e *Env) startOneOf(n provider.NodeRef, job string) provider.Begun {
	e.Helper()
	items := started(e.pass(n, 1))
	if len(items) != 1 || items[0].Run.Job != job {
		e.Fatalf("started %+v, want one run of %s", items, job)
	}
	return items[0]
}

// release gives claims back and returns how many were.
func (e *Env) release(n provider.NodeRef, claimed ...provider.Claimed) int {
	e.Helper()
	var items []provider.ReleaseItem
	for _, c := range claimed {
		items = append(items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID})
	}
	count, err := e.Store.Release(e.ctx, provider.ReleaseRequest{Node: n, Items: items})
	e.must(err, "Release")
	return count
}
