package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var startCases = []Case{
	{Name: "Start", Rules: []string{"R232", "D37"},
		Explanation: "a run without a trigger is stored as asked, scheduled at the store's now where no instant is given",
		Run:         start},
	{Name: "StartExclusive", Rules: []string{"R204", "R033", "D25", "B120"},
		Explanation: "a start occupies an exclusive job, and one that finds it occupied answers Blocked and leaves nothing",
		Run:         startExclusive},
	{Name: "StartInOneBatch", Rules: []string{"R232", "R148", "R227"},
		Explanation: "of two starts of one exclusive job in a batch the first runs; a missing job answers Gone alone",
		Run:         startInOneBatch},
	{Name: "StartIgnoresPause", Rules: []string{"R232", "D11"},
		Explanation: "a start runs in a paused job",
		Run:         startIgnoresPause},
	{Name: "StartThenTriggers", Rules: []string{"R200", "R039"},
		Explanation: "a trigger that is due beside a started run is blocked and follows it",
		Run:         startThenTriggers},
}

// startRuns calls Start and returns the answers.
func (e *Env) startRuns(n provider.NodeRef, runs ...provider.RunRecord) []provider.Begun {
	e.Helper()
	a, err := e.Store.Start(e.ctx, provider.StartRequest{Node: n, Runs: runs})
	e.must(err, "Start")
	equal(e, a.Now, e.now, "the instant of the starts")
	if len(a.Items) != len(runs) {
		e.Fatalf("Start: %d answers, want %d", len(a.Items), len(runs))
	}
	return a.Items
}

func (e *Env) call(job string) provider.RunRecord {
	return provider.RunRecord{ID: e.runID(), Job: job, Kind: provider.KindManual, Attempt: 1}
}

func start(e *Env) {
	n := e.node("n")
	e.save(job("a", func(j *provider.JobRecord) { j.Timeout = time.Minute }))
	now, asked := e.call("a"), e.call("a")
	now.Data = `{"x":1}`
	asked.ScheduledAt, asked.Kind, asked.Attempt = e.now.Add(-time.Hour), provider.KindSchedule, 2
	got := e.startRuns(n, now, asked)
	for i, want := range []provider.RunRecord{now, asked} {
		stored := e.run(want.ID)
		if want.ScheduledAt.IsZero() {
			want.ScheduledAt = e.now
		}
		want.State, want.Node, want.Incarnation, want.StartedAt = provider.RunRunning, n.ID, n.Incarnation, e.now
		want.Sequence, want.Version = stored.Sequence, stored.Version
		equal(e, stored, want, "the stored run")
		equal(e, got[i].Run, stored, "the answer's run")
		equal(e, got[i].Job, e.job("a"), "the answer's job")
		equal(e, got[i].Trigger, provider.TriggerRecord{}, "the answer's trigger")
		if got[i].Outcome != provider.OutcomeStarted {
			e.Errorf("the outcome is %v, want Started", got[i].Outcome)
		}
	}
	e.finish(n, got...)
}

func startExclusive(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	first := e.startRuns(n, e.call("a"))
	j := e.job("a")
	if first[0].Outcome != provider.OutcomeStarted || j.ActiveRunID != first[0].Run.ID || j.Fence != first[0].Run.Fence || j.Fence == 0 {
		e.Errorf("the start answers %v; the job is occupied by %q, fence %d, the run's fence %d", first[0].Outcome, j.ActiveRunID, j.Fence, first[0].Run.Fence)
	}
	second := e.call("a")
	e.unchanged("a start that finds the job occupied", func() {
		if got := e.startRuns(n, second); got[0].Outcome != provider.OutcomeBlocked {
			e.Errorf("the second start answers %v, want Blocked", got[0].Outcome)
		}
	})
	e.finish(n, first...)
	third := e.startRuns(n, e.call("a"))
	if third[0].Outcome != provider.OutcomeStarted || third[0].Run.Fence <= first[0].Run.Fence {
		e.Errorf("the third start answers %v with fence %d, want Started with more than %d", third[0].Outcome, third[0].Run.Fence, first[0].Run.Fence)
	}
	e.finish(n, third...)
}

func startInOneBatch(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	e.save(job("c"))
	got := e.startRuns(n, e.call("c"), e.call("a"), e.call("none"), e.call("a"), e.call("c"))
	equal(e, outcomes(got), []provider.Outcome{provider.OutcomeStarted, provider.OutcomeStarted, provider.OutcomeGone,
		provider.OutcomeBlocked, provider.OutcomeStarted}, "the outcomes")
	e.finish(n, started(got)...)
}

func startIgnoresPause(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	got := e.startRuns(n, e.call("a"))
	if got[0].Outcome != provider.OutcomeStarted {
		e.Errorf("a start in a paused job answers %v, want Started", got[0].Outcome)
	}
	e.finish(n, got...)
}

func startThenTriggers(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	got := e.startRuns(n, e.call("a"))
	if items := started(e.pass(n, 5)); len(items) != 0 {
		e.Errorf("a trigger started beside the run")
	}
	e.finish(n, got...)
	if ran := e.drain(n, 5); len(ran) != 1 {
		e.Errorf("%d runs followed, want 1", len(ran))
	}
}
