package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of the other reads of runs, of cancel requests and of the purge.
var historyReadCases = []Case{
	{Name: "RunsByID", Rules: []string{"R104", "D32"},
		Explanation: "runs asked for by id come by id, missing ones are left out",
		Run:         runsByID},
	{Name: "RunningRuns", Rules: []string{"R118"},
		Explanation: "Running records of the jobs, or of all, come by start, then id; finished ones do not",
		Run:         runningRuns},
	{Name: "LatestRuns", Rules: []string{"R119"},
		Explanation: "the run with the latest completion counts, not the latest scheduled or started; Running ones do not",
		Run:         latestRuns},
	{Name: "RequestCancel", Rules: []string{"R236", "R292"},
		Explanation: "a request marks Running records with now; a second keeps the first instant; others are not found",
		Run:         requestCancel},
	{Name: "PurgeHorizon", Rules: []string{"R120", "D27", "B150"},
		Explanation: "only what completed earlier than the horizon goes, to the microsecond; Running records stay whatever their age",
		Run:         purgeHorizon},
	{Name: "PurgeNever", Rules: []string{"R121", "B150"},
		Explanation: "an age of 0 or less deletes nothing",
		Run:         purgeNever},
	{Name: "PurgeInChunks", Rules: []string{"D27", "R120"}, Needs: Heaviness,
		Explanation: "more than one chunk is deleted and counted in full",
		Run:         purgeInChunks},
	{Name: "PurgeWithoutJob", Rules: []string{"B151"},
		Explanation: "the history of paused and deleted jobs is purged like any other",
		Run:         purgeWithoutJob},
	{Name: "SequenceOrdersRuns", Rules: []string{"D21", "R090"},
		Explanation: "runs begun later have greater sequences, through begin, start and record, whichever handle began them",
		Run:         sequenceOrdersRuns},
}

func runsByID(e *Env) {
	all := history(e)
	ask := []string{all[7].ID, e.runID(), all[3].ID, all[20].ID}
	got, err := e.Store.RunsByID(e.ctx, ask)
	e.must(err, "RunsByID")
	equal(e, got, []provider.RunRecord{all[3], all[7], all[20]}, "the runs")
	got, err = e.Store.RunsByID(e.ctx, []string{e.runID()})
	e.must(err, "RunsByID")
	if len(got) != 0 {
		e.Errorf("a run that is not there is answered by %v", runIDs(got))
	}
}

func runningRuns(e *Env) {
	n := e.node("n")
	history(e)
	start := func(id int, job string, ago time.Duration) string {
		r := localRun(fmt.Sprintf("019c0000-0000-7000-8000-%012x", 9000+id), job, n, Start.Add(-ago))
		r.State, r.CompletedAt = provider.RunRunning, time.Time{}
		e.must(e.Store.Record(e.ctx, []provider.RunRecord{r}), "Record")
		return r.ID
	}
	c2, c1, a3, b0 := start(2, "c", 0), start(1, "c", 0), start(3, "a", time.Hour), start(0, "b", -time.Hour)
	for _, c := range []struct {
		jobs []string
		want []string
	}{{nil, []string{a3, c1, c2, b0}}, {[]string{"c", "none", "b"}, []string{c1, c2, b0}}, {[]string{"none"}, []string{}}} {
		got, err := e.Store.RunningRuns(e.ctx, c.jobs)
		e.must(err, "RunningRuns")
		equal(e, runIDs(got), c.want, "the running runs of %v", c.jobs)
	}
}

func latestRuns(e *Env) {
	n := e.node("n")
	record := func(job string, scheduled, completed time.Duration) string {
		r := localRun(e.runID(), job, n, Start.Add(scheduled))
		r.CompletedAt = Start.Add(completed)
		e.must(e.Store.Record(e.ctx, []provider.RunRecord{r}), "Record")
		return r.ID
	}
	record("b", 3*time.Minute, 4*time.Minute)
	long := record("b", time.Minute, 10*time.Minute)
	record("b", 5*time.Minute, 6*time.Minute)
	only := record("a", 0, time.Minute)
	record("d", 0, time.Minute)
	running := localRun(e.runID(), "c", n, Start.Add(time.Hour))
	running.State, running.CompletedAt = provider.RunRunning, time.Time{}
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{running}), "Record")
	got, err := e.Store.LatestRuns(e.ctx, []string{"c", "b", "none", "a"})
	e.must(err, "LatestRuns")
	equal(e, runIDs(got), []string{only, long}, "the latest runs of c, b, none, a")
}

func requestCancel(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	begun := started(e.pass(n, 5))
	e.finish(n, begun[2])
	done := e.run(begun[2].Run.ID)
	e.advance(time.Second)
	first := e.now
	errs, err := e.other().RequestCancel(e.ctx, []string{begun[0].Run.ID, e.runID(), begun[2].Run.ID})
	e.each(errs, err, nil, provider.ErrRunNotFound, provider.ErrRunNotFound)
	e.advance(time.Second)
	errs, err = e.Store.RequestCancel(e.ctx, []string{begun[1].Run.ID, begun[0].Run.ID})
	e.each(errs, err, nil, nil)
	want := begun[0].Run
	got := e.run(want.ID)
	want.CancelRequestedAt, want.Version = first, got.Version
	equal(e, got, want, "the run asked to cancel twice")
	if r := e.run(begun[1].Run.ID); !r.CancelRequestedAt.Equal(e.now) {
		e.Errorf("the second run was asked to cancel at %v, want %v", r.CancelRequestedAt, e.now)
	}
	equal(e, e.run(done.ID), done, "the run that had ended")
}

func (e *Env) purge(age time.Duration, want int64) {
	e.Helper()
	got, err := e.Store.PurgeRuns(e.ctx, age)
	e.must(err, "PurgeRuns")
	if got != want {
		e.Errorf("PurgeRuns of %v deleted %d, want %d", age, got, want)
	}
}

func purgeHorizon(e *Env) {
	n := e.node("n")
	var ids []string
	for i, completed := range []time.Duration{-time.Hour - time.Microsecond, -time.Hour, -time.Minute, 0} {
		r := localRun(e.runID(), "a", n, Start.Add(-48*time.Hour))
		if r.CompletedAt = Start.Add(completed); i == 3 {
			r.State, r.CompletedAt = provider.RunRunning, time.Time{}
		}
		ids = append(ids, r.ID)
		e.must(e.Store.Record(e.ctx, []provider.RunRecord{r}), "Record")
	}
	e.purge(time.Hour, 1)
	left, err := e.Store.RunsByID(e.ctx, ids)
	e.must(err, "RunsByID")
	equal(e, runIDs(left), ids[1:], "what is left")
	e.advance(1000 * time.Hour)
	e.purge(time.Hour, 2)
	left, err = e.Store.RunsByID(e.ctx, ids)
	e.must(err, "RunsByID")
	equal(e, runIDs(left), ids[3:], "what is left a month later")
}

func purgeNever(e *Env) {
	history(e)
	e.advance(10000 * time.Hour)
	e.unchanged("a purge of an age of 0 or less", func() {
		e.purge(0, 0)
		e.purge(-time.Hour, 0)
	})
}

func purgeInChunks(e *Env) {
	n := e.node("n")
	var runs []provider.RunRecord
	for i := range 620 {
		r := localRun(e.runID(), "a", n, Start)
		if i >= 610 {
			r.CompletedAt = Start.Add(48 * time.Hour)
		}
		runs = append(runs, r)
	}
	e.must(e.Store.Record(e.ctx, runs), "Record")
	e.advance(24 * time.Hour)
	e.purge(time.Hour, 610)
	count, err := e.Store.CountRuns(e.ctx, provider.RunQuery{})
	e.must(err, "CountRuns")
	equal(e, count, 10, "what is left")
}

func purgeWithoutJob(e *Env) {
	n := e.node("n")
	for _, name := range []string{"paused", "deleted"} {
		e.save(job(name), cron("t", e.now))
	}
	e.finish(n, started(e.pass(n, 5))...)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"paused"})
	e.each(errs, err, nil)
	errs, err = e.Store.DeleteJobs(e.ctx, []string{"deleted"})
	e.each(errs, err, nil)
	e.advance(2 * time.Hour)
	e.purge(time.Hour, 2)
}

func sequenceOrdersRuns(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	var runs []provider.RunRecord
	for i := range 4 {
		e.enqueue(manual("a", "x", e.now))
		b := e.startOne(n)
		runs = append(runs, b.Run)
		e.finish(n, b)
		s := e.startRuns(n, e.call("a"))
		runs = append(runs, s[0].Run)
		e.finish(n, s...)
		r := localRun(e.runID(), "a", n, e.now)
		e.must(e.Store.Record(e.ctx, []provider.RunRecord{r}), "Record")
		runs = append(runs, e.run(r.ID))
		if i == 1 {
			e.advance(time.Second)
		}
	}
	for i := 1; i < len(runs); i++ {
		if runs[i].Sequence <= runs[i-1].Sequence {
			e.Errorf("run %d has sequence %d after %d", i, runs[i].Sequence, runs[i-1].Sequence)
		}
	}
	// Another process begins later by the cluster's clock.
	e.advance(time.Second)
	a, err := e.other().Start(e.ctx, provider.StartRequest{Node: n, Runs: []provider.RunRecord{e.call("a")}})
	e.must(err, "Start")
	if last := runs[len(runs)-1].Sequence; a.Items[0].Run.Sequence <= last {
		e.Errorf("a second later, another handle's run has sequence %d after %d", a.Items[0].Run.Sequence, last)
	}
	e.finish(n, a.Items...)
}
