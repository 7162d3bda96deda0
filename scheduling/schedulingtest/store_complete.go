package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var completeCases = []Case{
	{Name: "CompleteWritesTheEnd", Rules: []string{"R037", "D39", "D26"},
		Explanation: "a completed run has state, instant, error and result of the item, and keeps everything else",
		Run:         completeWritesTheEnd},
	{Name: "CompleteTwice", Rules: []string{"D05", "R292"},
		Explanation: "a run ends once: a second completion is Gone, shows the record as stored, and changes nothing",
		Run:         completeTwice},
	{Name: "CompleteLate", Rules: []string{"D05", "B136"},
		Explanation: "the completion of a run that was declared Lost changes nothing, however it ended",
		Needs:       Sharing, Run: completeLate},
	{Name: "CompleteUnknown", Rules: []string{"D05", "R292"},
		Explanation: "the completion of a run that is not there is Gone, with no record",
		Run:         completeUnknown},
	{Name: "CompleteByAnother", Rules: []string{"D05", "D06"},
		Explanation: "only the node and incarnation that runs it can end a run",
		Run:         completeByAnother},
	{Name: "CompleteAfterCancelRequest", Rules: []string{"D22", "R236"},
		Explanation: "a cancel request, which writes the record too, does not make a completion fail, and stays on record",
		Run:         completeAfterCancelRequest},
	{Name: "CompleteReleasesOwnOccupancy", Rules: []string{"R038", "D05"},
		Explanation: "completing clears the occupancy that names the run, and no other",
		Run:         completeReleasesOwnOccupancy},
	{Name: "CompleteOneDecidesOverNoOther", Rules: []string{"R227", "D05"},
		Explanation: "in a batch each item answers for itself, in order",
		Run:         completeOneDecidesOverNoOther},
	{Name: "CompleteHandsBackAll", Rules: []string{"R039", "R201", "D35", "B114"},
		Explanation: "the end of a run returns its job's Blocked triggers to Waiting, with their due instants, in the same transaction",
		Run:         completeHandsBackAll},
	{Name: "CompleteManyJobs", Rules: []string{"D35", "R039"},
		Explanation: "a batch over many exclusive jobs hands back the triggers of each, and of no job that still runs",
		Run:         completeManyJobs},
}

func completeWritesTheEnd(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	for _, c := range []provider.Completion{
		{State: provider.RunSucceeded, Result: `{"rows":12}`},
		{State: provider.RunFailed, ErrorCode: string(provider.CodeRunPanicked), ErrorText: "panic: 'quoted' \"text\" — ü\nline two"},
		{State: provider.RunCanceled, ErrorCode: string(provider.CodeRunCanceled)},
		{State: provider.RunLost},
	} {
		e.enqueue(manual("a", "x", e.now, data(`{"in":1}`)))
		b := e.startOne(n)
		e.advance(90 * time.Second)
		c.RunID, c.Job = b.Run.ID, "a"
		a := e.complete(n, c)
		want := b.Run
		want.State, want.CompletedAt, want.ErrorCode, want.ErrorText, want.Result = c.State, e.now, c.ErrorCode, c.ErrorText, c.Result
		stored := e.run(b.Run.ID)
		want.Version = stored.Version
		equal(e, stored, want, "the run that ended %v", c.State)
		equal(e, a.Items[0].Run, stored, "the answer's run")
		equal(e, a.Now, e.now, "the answer's now")
		if stored.Version <= b.Run.Version {
			e.Errorf("the version went from %d to %d, want it greater", b.Run.Version, stored.Version)
		}
	}
}

// completesGone completes one run and fails the case unless it is Gone, with
// the record as stored, and nothing changed.
func (e *Env) completesGone(n provider.NodeRef, c provider.Completion, stored provider.RunRecord) {
	e.Helper()
	e.unchanged("a completion that comes to nothing", func() {
		e.Helper()
		a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{c}})
		e.must(err, "Complete")
		equal(e, a.Items, []provider.Completed{{Outcome: provider.OutcomeGone, Run: stored}}, "the answer")
	})
}

func completeTwice(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), every("i", e.now))
	b := e.startOne(n)
	e.finish(n, b)
	e.advance(time.Minute)
	again := completion(b)
	again.State, again.Result = provider.RunFailed, `{"again":1}`
	again.Settle = func(at time.Time) provider.Settlement {
		s := settleEvery(at)
		r := retry("a", "x", at)
		s.Insert = &r
		return s
	}
	e.completesGone(n, again, e.run(b.Run.ID))
}

func completeLate(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive, recovers), every("i", e.now))
	b := e.startOne(n)
	e.kill(n)
	e.sweep(100, recovery)
	m := e.node("m")
	stored := e.run(b.Run.ID)
	if stored.State != provider.RunLost {
		e.Fatalf("after the sweep the run is %v, want Lost", stored.State)
	}
	e.completesGone(n, completion(b), stored)
	begun := started(e.pass(m, 1))
	if len(begun) != 1 {
		e.Fatalf("no run started after the sweep")
	}
	e.completesGone(n, completion(b), stored)
	if j := e.job("a"); j.ActiveRunID != begun[0].Run.ID {
		e.Errorf("the late completion left the job occupied by %q, want %q", j.ActiveRunID, begun[0].Run.ID)
	}
	e.finish(m, begun...)
}

func completeUnknown(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	b := e.startOne(n)
	c := completion(b)
	c.RunID = e.runID()
	e.completesGone(n, c, provider.RunRecord{})
	e.finish(n, b)
}

func completeByAnother(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive), every("i", e.now))
	b := e.startOne(n)
	for what, ref := range map[string]provider.NodeRef{"another node": m,
		"an earlier incarnation":               {ID: n.ID, Incarnation: n.Incarnation - 1},
		"a later incarnation":                  {ID: n.ID, Incarnation: n.Incarnation + 1},
		"another node of the same incarnation": {ID: "other", Incarnation: n.Incarnation}} {
		e.Log(what)
		e.completesGone(ref, completion(b), b.Run)
	}
	e.finish(n, b)
}

func completeAfterCancelRequest(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	b := e.startOne(n)
	e.advance(time.Second)
	asked := e.now
	errs, err := e.Store.RequestCancel(e.ctx, []string{b.Run.ID})
	e.each(errs, err, nil)
	e.advance(time.Second)
	e.complete(n, provider.Completion{RunID: b.Run.ID, Job: "a", State: provider.RunCanceled, ErrorCode: string(provider.CodeRunCanceled)})
	if r := e.run(b.Run.ID); r.State != provider.RunCanceled || !r.CancelRequestedAt.Equal(asked) {
		e.Errorf("the run is %v, asked to cancel at %v; want Canceled, %v", r.State, r.CancelRequestedAt, asked)
	}
}

func completeReleasesOwnOccupancy(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	e.enqueue(manual("a", "old", e.now))
	old := e.startOne(n)
	e.finish(n, old)
	e.save(job("a", exclusive), cron("t", e.now))
	b := e.startOne(n)
	other := e.call("a")
	local := localRun(other.ID, "a", n, e.now)
	local.State, local.CompletedAt = provider.RunRunning, time.Time{}
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{local}), "Record")
	e.complete(n, provider.Completion{RunID: other.ID, Job: "a", State: provider.RunSucceeded})
	if j := e.job("a"); j.ActiveRunID != b.Run.ID {
		e.Errorf("the end of a run that occupies nothing left the job occupied by %q, want %q", j.ActiveRunID, b.Run.ID)
	}
	e.finish(n, b)
	if j := e.job("a"); j.ActiveRunID != "" {
		e.Errorf("the end of its run left the job occupied by %q", j.ActiveRunID)
	}
}

func completeOneDecidesOverNoOther(e *Env) {
	n := e.node("n")
	e.save(job("c"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	e.save(job("x", exclusive), cron("1", e.now))
	begun := started(e.pass(n, 9))
	if len(begun) != 4 {
		e.Fatalf("%d runs started, want 4", len(begun))
	}
	e.finish(n, begun[1])
	var items []provider.Completion
	for _, b := range begun {
		items = append(items, completion(b))
	}
	items = append(items, provider.Completion{RunID: e.runID(), Job: "none", State: provider.RunFailed})
	items[0], items[3] = items[3], items[0]
	a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: items})
	e.must(err, "Complete")
	want := []provider.Outcome{provider.OutcomeDone, provider.OutcomeGone, provider.OutcomeDone, provider.OutcomeDone, provider.OutcomeGone}
	for i, done := range a.Items {
		if done.Outcome != want[i] || i < 4 && done.Run.ID != items[i].RunID {
			e.Errorf("item %d answers %v with run %s, want %v with %s", i, done.Outcome, done.Run.ID, want[i], items[i].RunID)
		}
	}
}

func completeHandsBackAll(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("late", e.now.Add(time.Hour)))
	b := e.occupy(n, "a", 5)
	e.advance(time.Minute)
	a := e.finish(n, b)
	if a.HandedBack != 5 {
		e.Errorf("%d triggers were handed back, want 5", a.HandedBack)
	}
	for i := range 5 {
		if t := e.trigger(manualKey("a", blockedName(i))); t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(Start) || !t.ScheduledAt.Equal(Start) {
			e.Errorf("%v is %v for %v, want Waiting for %v", t.TriggerKey, t.State, t.NextFireAt, Start)
		}
	}
	if ran := e.drain(n, 10); len(ran) != 5 {
		e.Errorf("%d runs followed, want 5", len(ran))
	}
}

func completeManyJobs(e *Env) {
	n := e.node("n")
	var begun []provider.Begun
	for _, name := range []string{"a", "b", "c", "d"} {
		e.save(job(name, exclusive))
		begun = append(begun, e.occupy(n, name, 2))
	}
	a := e.finish(n, begun[0], begun[2], begun[3])
	if a.HandedBack != 6 {
		e.Errorf("%d triggers were handed back, want 6", a.HandedBack)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		want := provider.TriggerWaiting
		if name == "b" {
			want = provider.TriggerBlocked
		}
		e.states(map[provider.TriggerKey]provider.TriggerState{manualKey(name, blockedName(0)): want, manualKey(name, blockedName(1)): want})
	}
	e.finish(n, begun[1])
}
