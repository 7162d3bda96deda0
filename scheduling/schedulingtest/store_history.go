package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var historyCases = []Case{
	{Name: "RunsFilters", Rules: []string{"R110", "R111", "R112"},
		Explanation: "job, trigger, node, states, error code: each narrows the page, alone and together",
		Run:         runsFilters},
	{Name: "RunsRange", Rules: []string{"R113"},
		Explanation: "the scheduled range is inclusive at From and exclusive at To",
		Run:         runsRange},
	{Name: "RunsOrder", Rules: []string{"R114", "R090", "D21"},
		Explanation: "runs go by scheduled instant, later first, and by sequence, larger first, among equal instants",
		Run:         runsOrder},
	{Name: "RunsPages", Rules: []string{"R115", "R114"},
		Explanation: "skip and limit cut pages out of the order without loss or repetition",
		Run:         runsPages},
	{Name: "CountRuns", Rules: []string{"R117", "B175"},
		Explanation: "the count obeys the filters and ignores the page",
		Run:         countRuns},
	{Name: "RecordInserts", Rules: []string{"R205", "D21"},
		Explanation: "records of local runs are stored whole, and get a sequence where they have none, in their order",
		Run:         recordInserts},
	{Name: "RecordReplacesRunning", Rules: []string{"R205", "D05"},
		Explanation: "a Running record is replaced by the same id's next record; a final one stays as it is",
		Run:         recordReplacesRunning},
	{Name: "RecordOccupiesNothing", Rules: []string{"R205", "R206"}, Allow: ManyRunning,
		Explanation: "the Running record of a local run occupies nothing",
		Run:         recordOccupiesNothing},
}

// history records 24 finished runs over two jobs, two triggers, two nodes, four
// states; run i is scheduled at Start plus i/2 minutes, so that two share an
// instant. It returns them as stored.
func history(e *Env) []provider.RunRecord {
	e.Helper()
	n, m := e.node("n"), e.node("m")
	states := []provider.RunState{provider.RunSucceeded, provider.RunFailed, provider.RunCanceled, provider.RunLost}
	var runs []provider.RunRecord
	var ids []string
	for i := range 24 {
		at := Start.Add(time.Duration(i/2) * time.Minute)
		r := localRun(e.runID(), []string{"a", "b"}[i%2], n, at)
		r.TriggerName = []string{"t", "u"}[i/2%2]
		if i%3 == 0 {
			r.Node, r.Incarnation = m.ID, m.Incarnation
		}
		r.State = states[i/4%4]
		if r.State == provider.RunFailed {
			r.ErrorCode, r.ErrorText = "CODE", "why"
		}
		runs, ids = append(runs, r), append(ids, r.ID)
	}
	e.must(e.Store.Record(e.ctx, runs), "Record")
	stored, err := e.Store.RunsByID(e.ctx, ids)
	e.must(err, "RunsByID")
	if len(stored) != len(runs) {
		e.Fatalf("RunsByID: %d runs, want %d", len(stored), len(runs))
	}
	return stored
}

func runsFilters(e *Env) {
	all := history(e)
	for what, query := range map[string]provider.RunQuery{
		"nothing":          {},
		"a job":            {Job: "a"},
		"another job":      {Job: "none"},
		"a trigger":        {Trigger: "u"},
		"a node":           {Node: "m"},
		"one state":        {States: []provider.RunState{provider.RunLost}},
		"two states":       {States: []provider.RunState{provider.RunFailed, provider.RunSucceeded}},
		"with an error":    {WithError: true},
		"without an error": {WithoutError: true},
		"both":             {WithError: true, WithoutError: true},
		"job and trigger":  {Job: "b", Trigger: "t"},
		"everything": {Job: "a", Trigger: "t", Node: "n", States: []provider.RunState{provider.RunFailed, provider.RunLost}, WithError: true,
			From: Start.Add(time.Minute), To: Start.Add(11 * time.Minute)},
	} {
		query.Limit = 100
		got, err := e.Store.Runs(e.ctx, query)
		e.must(err, "Runs by %s", what)
		equal(e, runIDs(got), expected(all, query), "runs by %s", what)
	}
}

// expected computes the page of a query from all runs, which are in insertion
// order, later ones with larger sequences.
func expected(all []provider.RunRecord, q provider.RunQuery) []string {
	out := []string{}
	for i := len(all) - 1; i >= 0; i-- {
		r := all[i]
		state := len(q.States) == 0
		for _, s := range q.States {
			state = state || s == r.State
		}
		if state && (q.Job == "" || q.Job == r.Job) && (q.Trigger == "" || q.Trigger == r.TriggerName) && (q.Node == "" || q.Node == r.Node) &&
			(q.From.IsZero() || !r.ScheduledAt.Before(q.From)) && (q.To.IsZero() || r.ScheduledAt.Before(q.To)) &&
			(!q.WithError || r.ErrorCode != "") && (!q.WithoutError || r.ErrorCode == "") {
			out = append(out, r.ID)
		}
	}
	return out
}

func runsRange(e *Env) {
	all := history(e)
	at := func(m int) time.Time { return Start.Add(time.Duration(m) * time.Minute) }
	for _, q := range []provider.RunQuery{
		{From: at(3)}, {To: at(3)}, {From: at(3), To: at(5)}, {From: at(3), To: at(3)},
		{From: at(3).Add(time.Microsecond), To: at(5).Add(time.Microsecond)}, {From: at(99)}, {To: at(0)},
	} {
		q.Limit = 100
		got, err := e.Store.Runs(e.ctx, q)
		e.must(err, "Runs")
		equal(e, runIDs(got), expected(all, q), "runs from %v to %v", q.From, q.To)
		count, err := e.Store.CountRuns(e.ctx, q)
		e.must(err, "CountRuns")
		equal(e, count, int64(len(got)), "the count from %v to %v", q.From, q.To)
	}
}

func runsOrder(e *Env) {
	n := e.node("n")
	var runs []provider.RunRecord
	for i, minute := range []int{2, 1, 2, 3, 1, 2} {
		r := localRun(fmt.Sprintf("019c0000-0000-7000-8000-%012x", 100-i), "a", n, Start.Add(time.Duration(minute)*time.Minute))
		r.Sequence = int64(50 + i)
		runs = append(runs, r)
	}
	e.must(e.Store.Record(e.ctx, runs), "Record")
	want := []string{runs[3].ID, runs[5].ID, runs[2].ID, runs[0].ID, runs[4].ID, runs[1].ID}
	for _, query := range []provider.RunQuery{{Limit: 10}, {Limit: 10, Job: "a"}} {
		got, err := e.Store.Runs(e.ctx, query)
		e.must(err, "Runs")
		equal(e, runIDs(got), want, "runs of %q", query.Job)
	}
}

func runsPages(e *Env) {
	all := history(e)
	want := expected(all, provider.RunQuery{})
	for _, limit := range []int{1, 5, 24, provider.MaxRunPage} {
		got := []string{}
		for skip := 0; ; skip += limit {
			page, err := e.Store.Runs(e.ctx, provider.RunQuery{Skip: skip, Limit: limit})
			e.must(err, "Runs")
			if len(page) == 0 {
				break
			}
			got = append(got, runIDs(page)...)
		}
		equal(e, got, want, "pages of %d", limit)
	}
	page, err := e.Store.Runs(e.ctx, provider.RunQuery{Skip: 1000, Limit: 5})
	e.must(err, "Runs")
	if len(page) != 0 {
		e.Errorf("a page behind the end has %d runs", len(page))
	}
}

func countRuns(e *Env) {
	all := history(e)
	for _, q := range []provider.RunQuery{{}, {Job: "a"}, {States: []provider.RunState{provider.RunFailed}}, {WithError: true, WithoutError: true}, {Node: "m", Trigger: "t"}} {
		want := int64(len(expected(all, q)))
		q.Skip, q.Limit = 3, 2
		if _, err := e.Store.Runs(e.ctx, q); err != nil {
			e.Fatalf("Runs: %v", err)
		}
		got, err := e.Store.CountRuns(e.ctx, q)
		e.must(err, "CountRuns")
		equal(e, got, want, "the count of %+v", q)
		q.Skip, q.Limit = -1, 0 // a page that Runs would refuse
		got, err = e.Store.CountRuns(e.ctx, q)
		e.must(err, "CountRuns")
		equal(e, got, want, "the count of %+v", q)
	}
}

func recordInserts(e *Env) {
	n := e.node("n")
	var runs []provider.RunRecord
	for i := range 5 {
		r := localRun(e.runID(), "a", n, Start)
		r.State, r.CompletedAt = provider.RunRunning, time.Time{}
		if i == 4 {
			r.Sequence = 7
		}
		runs = append(runs, r)
	}
	e.must(e.Store.Record(e.ctx, runs), "Record")
	last := int64(0)
	for i, want := range runs {
		got := e.run(want.ID)
		if i < 4 {
			if got.Sequence <= last {
				e.Errorf("record %d has sequence %d after %d", i, got.Sequence, last)
			}
			last = got.Sequence
			want.Sequence = got.Sequence
		}
		want.Version = got.Version
		equal(e, got, want, "record %d", i)
	}
}

func recordReplacesRunning(e *Env) {
	n := e.node("n")
	final := localRun(e.runID(), "a", n, Start)
	final.ErrorCode, final.Result = "CODE", `{"r":1}`
	running := final
	running.State, running.CompletedAt, running.ErrorCode, running.Result = provider.RunRunning, time.Time{}, "", ""
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{running}), "Record")
	first := e.run(final.ID)
	final.Sequence = first.Sequence
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{final}), "Record")
	got := e.run(final.ID)
	want := final
	want.Version = got.Version
	equal(e, got, want, "the record that ended")
	late := final
	late.State, late.Result = provider.RunFailed, ""
	e.unchanged("recording over a final record", func() {
		e.must(e.Store.Record(e.ctx, []provider.RunRecord{late, running}), "Record")
	})
	other := localRun(e.runID(), "a", n, Start)
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{late, other}), "Record")
	if got := e.run(other.ID); got.State != provider.RunSucceeded {
		e.Errorf("a record that could not be replaced kept another from being inserted")
	}
}

func recordOccupiesNothing(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	run := localRun(e.runID(), "a", n, Start)
	run.State, run.CompletedAt = provider.RunRunning, time.Time{}
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{run}), "Record")
	if j := e.job("a"); j.ActiveRunID != "" {
		e.Errorf("a local run occupies the job")
	}
	b := e.startOne(n)
	e.finish(n, b)
}
