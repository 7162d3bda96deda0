package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of begin in which something changed since the claim, and of what begin
// does to a job's other triggers.
var beginEndCases = []Case{
	{Name: "BeginGone", Rules: []string{"D07", "R033"},
		Explanation: "a claim id that is not the trigger's, a released claim, a deleted trigger: Gone, nobody is asked, nothing changes",
		Run:         beginGone},
	{Name: "BeginAfterOtherNodesClaim", Rules: []string{"D07", "B104"},
		Explanation: "a claim that was given back and taken by another node cannot be begun by its first holder",
		Run:         beginAfterOtherNodesClaim},
	{Name: "BeginReadsTheTriggerAgain", Rules: []string{"D07", "D10"},
		Explanation: "the decision sees trigger and job as they are now, not as they were claimed; a changed version orphans nothing",
		Run:         beginReadsAgain},
	{Name: "BeginCandidate", Rules: []string{"R033", "R036", "D35"},
		Explanation: "the candidate holds trigger, job, the store's now, and whether an exclusive job is occupied",
		Run:         beginCandidate},
	{Name: "BeginAnswersInOrder", Rules: []string{"R227"},
		Explanation: "answers come in the order of the request, and one item that is gone decides over no other",
		Run:         beginAnswersInOrder},
	{Name: "BeginBlocksSiblings", Rules: []string{"D35", "R200"},
		Explanation: "a begin that occupies a job blocks its other due Waiting triggers; not future, local, paused or claimed ones",
		Run:         beginBlocksSiblings},
	{Name: "BeginFindsOccupiedBlocksSiblings", Rules: []string{"D35"},
		Explanation: "a begin that finds the job occupied blocks the job's other due triggers too",
		Run:         beginFindsOccupiedBlocksSiblings},
	{Name: "BeginBlocksAtMost500", Rules: []string{"D35"}, Needs: Heaviness, Allow: Undrained,
		Explanation: "one transaction blocks at most 500 triggers; later claims block the rest, so a backlog leaves the range",
		Run:         beginBlocksAtMost500},
	{Name: "BeginOfDeletedJob", Rules: []string{"R229", "D10"},
		Explanation: "a claim whose job was deleted is gone",
		Run:         beginOfDeletedJob},
	{Name: "BeginByAnotherIncarnation", Rules: []string{"D06", "D07"},
		Explanation: "a claim swept from an earlier incarnation cannot be begun",
		Needs:       Sharing, Run: beginByAnotherIncarnation},
}

func beginGone(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("removed", e.now), cron("released", e.now), cron("wrong", e.now))
	claimed := e.acquire(n, 9)
	if len(claimed) != 3 {
		e.Fatalf("claimed %v, want 3", claimedKeys(claimed))
	}
	for i, c := range claimed {
		switch c.Trigger.Trigger {
		case "removed":
			errs, err := e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{c.Trigger.TriggerKey})
			e.each(errs, err, nil)
		case "released":
			e.release(n, c)
		case "wrong":
			claimed[i].Trigger.ClaimID++
		}
	}
	e.unchanged("beginning claims that are not there", func() {
		for i, got := range e.beginWith(n, e.mustNotAsk, claimed...) {
			if got.Outcome != provider.OutcomeGone {
				e.Errorf("%v answers %v, want Gone", claimed[i].Trigger.TriggerKey, got.Outcome)
			}
		}
	})
}

func beginAfterOtherNodesClaim(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive), cron("t", e.now))
	old := e.acquire(n, 1)
	e.release(n, old...)
	e.acquire(m, 1)
	e.unchanged("beginning a claim that another node has", func() {
		if got := e.beginWith(n, e.mustNotAsk, old...); got[0].Outcome != provider.OutcomeGone {
			e.Errorf("begin answers %v, want Gone", got[0].Outcome)
		}
		if count := e.release(n, old...); count != 0 {
			e.Errorf("a claim that another node has was given back")
		}
	})
}

func beginReadsAgain(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now, data(`{"old":1}`)))
	claimed := e.acquire(n, 1)
	e.save(job("a", func(j *provider.JobRecord) { j.Timeout = time.Minute }), cron("t", e.now, data(`{"new":1}`), priority(1)))
	var asked provider.Candidate
	got := e.beginWith(n, func(c provider.Candidate) provider.Decision { asked = c; return decide(c) }, claimed...)
	if got[0].Outcome != provider.OutcomeStarted {
		e.Fatalf("begin answers %v, want Started", got[0].Outcome)
	}
	if asked.Trigger.Data != `{"new":1}` || asked.Job.Timeout != time.Minute || got[0].Job.Timeout != time.Minute {
		e.Errorf("the decision saw data %q, time limit %v, the answer has %v; want the new definition's", asked.Trigger.Data, asked.Job.Timeout, got[0].Job.Timeout)
	}
}

func beginCandidate(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now))
	e.save(job("c"), cron("1", e.now.Add(time.Second)))
	first, second := e.acquire(n, 1), e.acquire(n, 1)
	e.advance(time.Minute)
	third := e.acquire(n, 1)
	claimed := append(append(first, second...), third...)
	var asked []provider.Candidate
	seen := map[provider.TriggerKey]bool{}
	got := e.beginWith(n, func(c provider.Candidate) provider.Decision {
		if !seen[c.Trigger.TriggerKey] {
			asked = append(asked, c)
		}
		seen[c.Trigger.TriggerKey] = true
		return decide(c)
	}, claimed...)
	if len(asked) != 3 {
		e.Fatalf("asked about %d candidates, want 3", len(asked))
	}
	for _, c := range asked {
		want := provider.Candidate{Trigger: c.Trigger, Job: c.Job, Now: e.now, Occupied: c.Trigger.TriggerKey == key("a", "2")}
		equal(e, c, want, "the candidate %v", c.Trigger.TriggerKey)
		if c.Job.Name != c.Trigger.Job {
			e.Errorf("candidate %v comes with job %q", c.Trigger.TriggerKey, c.Job.Name)
		}
	}
	e.finish(n, started(got)...)
}

func beginAnswersInOrder(e *Env) {
	n := e.node("n")
	var triggers []provider.TriggerRecord
	for i := range 9 {
		triggers = append(triggers, cron(fmt.Sprint(i), e.now, priority(i)))
	}
	e.save(job("a"), triggers...)
	claimed := e.acquire(n, 9)
	claimed[4].Trigger.ClaimID++
	claimed[0], claimed[8] = claimed[8], claimed[0]
	got := e.beginWith(n, decide, claimed...)
	for i, b := range got {
		want := provider.OutcomeStarted
		if i == 4 {
			want = provider.OutcomeGone
		}
		if b.Outcome != want || i != 4 && (b.Trigger.TriggerKey != claimed[i].Trigger.TriggerKey || b.Run.TriggerName != claimed[i].Trigger.Trigger) {
			e.Errorf("item %d, %v, answers %v for %v, run of %q", i, claimed[i].Trigger.TriggerKey, b.Outcome, b.Trigger.TriggerKey, b.Run.TriggerName)
		}
	}
	e.finish(n, started(got)...)
	e.finish(n, started(e.beginWith(n, decide, provider.Claimed{Trigger: e.trigger(claimed[4].Trigger.TriggerKey)}))...)
}

// siblings saves an exclusive job whose triggers stand where a block may and
// may not reach them, and returns the states that it must leave.
func siblings(e *Env, n provider.NodeRef) map[provider.TriggerKey]provider.TriggerState {
	e.save(job("a", exclusive), cron("claimed", e.now, priority(9)), cron("due-1", e.now), cron("due-2", e.now.Add(-time.Hour), priority(1)),
		cron("future", e.now.Add(time.Microsecond)), cron("paused", e.now), cron("own", e.now, local),
		cron("done", e.now, in(provider.TriggerComplete)))
	e.save(job("b", exclusive), cron("other", e.now.Add(2*time.Hour)))
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "paused")})
	e.each(errs, err, nil)
	return map[provider.TriggerKey]provider.TriggerState{
		key("a", "due-1"): provider.TriggerBlocked, key("a", "due-2"): provider.TriggerBlocked,
		key("a", "future"): provider.TriggerWaiting, key("a", "paused"): provider.TriggerPaused,
		key("a", "own"): provider.TriggerWaiting, key("a", "done"): provider.TriggerComplete, key("b", "other"): provider.TriggerWaiting}
}

func beginBlocksSiblings(e *Env) {
	n := e.node("n")
	want := siblings(e, n)
	e.enqueue(manual("a", "x", e.now.Add(-2*time.Hour)))
	e.enqueue(manual("a", "y", e.now.Add(-3*time.Hour)))
	x, y := e.acquire(n, 1), e.acquire(n, 1)
	b := e.beginWith(n, decide, x...)
	if b[0].Outcome != provider.OutcomeStarted {
		e.Fatalf("begin answers %v, want Started", b[0].Outcome)
	}
	want[y[0].Trigger.TriggerKey] = provider.TriggerAcquired
	want[key("a", "claimed")] = provider.TriggerBlocked
	e.states(want)
	if t := e.trigger(key("a", "due-2")); !t.NextFireAt.Equal(Start.Add(-time.Hour)) {
		e.Errorf("the blocked sibling is due at %v, want its instant unchanged", t.NextFireAt)
	}
	e.finish(n, b...)
}

func beginFindsOccupiedBlocksSiblings(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 0)
	want := siblings(e, n)
	got := e.pass(n, 1)
	if len(got) != 1 || got[0].Outcome != provider.OutcomeBlocked {
		e.Fatalf("begin answers %v, want one Blocked", outcomes(got))
	}
	want[key("a", "claimed")] = provider.TriggerBlocked
	e.states(want)
	e.finish(n, b)
}

func beginBlocksAtMost500(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	var shots []provider.TriggerRecord
	for i := range 620 {
		shots = append(shots, manual("a", fmt.Sprintf("%04d", i), e.now))
	}
	e.enqueue(shots...)
	b := e.startOne(n)
	blocked := func() int {
		s := e.look(e.Store)
		count := 0
		for _, t := range s.triggers {
			if t.State == provider.TriggerBlocked {
				count++
			}
		}
		return count
	}
	if got := blocked(); got == 0 || got > 500 {
		e.Errorf("the first begin blocked %d triggers, want at least 1 and at most 500", got)
	}
	passes := 0
	for ; passes < 10 && len(e.pass(n, 16)) > 0; passes++ {
	}
	if got := blocked(); got != 619 || passes > 2 {
		e.Errorf("after %d more passes %d triggers are blocked, want 619 after at most 2", passes, got)
	}
	due, err := e.Store.Due(e.ctx, provider.DueRequest{})
	e.must(err, "Due")
	equal(e, due.NextDue, time.Time{}, "the next due instant of a blocked backlog")
	e.finish(n, b)
}

func beginOfDeletedJob(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	e.enqueue(manual("a", "x", e.now))
	claimed := e.acquire(n, 5)
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	for _, got := range e.beginWith(n, e.mustNotAsk, claimed...) {
		if got.Outcome != provider.OutcomeGone {
			e.Errorf("begin answers %v, want Gone", got.Outcome)
		}
	}
	if s := e.look(e.Store); len(s.triggers)+len(s.runs)+len(s.jobs) != 0 {
		e.Errorf("a begin brought something back: %v", s.effect())
	}
}

func beginByAnotherIncarnation(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now))
	claimed := e.acquire(n, 1)
	e.kill(n)
	e.sweep(100, recovery)
	again := e.node("n")
	if again.Incarnation <= n.Incarnation {
		e.Errorf("the new incarnation is %d, want greater than %d", again.Incarnation, n.Incarnation)
	}
	for _, ref := range []provider.NodeRef{n, again} {
		if got := e.beginWith(ref, e.mustNotAsk, claimed...); got[0].Outcome != provider.OutcomeGone {
			e.Errorf("begin of a swept claim answers %v, want Gone", got[0].Outcome)
		}
	}
}
