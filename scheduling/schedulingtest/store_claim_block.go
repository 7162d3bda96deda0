package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of the locking claim with exclusive jobs.
var claimBlockCases = []Case{
	{Name: "ClaimExclusive", Rules: []string{"D35", "R148", "B103"}, Needs: Claiming,
		Explanation: "of many due triggers of one exclusive job the first in order starts and the others are Blocked",
		Run:         claimExclusive},
	{Name: "ClaimOccupied", Rules: []string{"R033", "R200", "D35"}, Needs: Claiming,
		Explanation: "due triggers of an occupied job are all Blocked, and the candidate says occupied",
		Run:         claimOccupied},
	{Name: "ClaimBlocksAtMost500", Rules: []string{"D35"}, Needs: Claiming | Heaviness, Allow: Undrained,
		Explanation: "a pass blocks at most 500 triggers of a job beside the candidates; a backlog leaves the range in a few passes",
		Run:         claimBlocksAtMost500},
	{Name: "ClaimBehindBacklog", Rules: []string{"D35", "D14"}, Needs: Claiming, Allow: Undrained,
		Explanation: "a trigger due behind a backlog of an exclusive job is claimed within two passes",
		Run:         claimBehindBacklog},
	{Name: "ClaimPausedAndFuture", Rules: []string{"D08", "D35"}, Needs: Claiming,
		Explanation: "a claim blocks neither paused nor future nor local triggers of the job it starts",
		Run:         claimPausedAndFuture},
}

func claimExclusive(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now, priority(9)), cron("3", e.now.Add(-time.Second), priority(0)))
	a := e.claimWith(e.claimRequest(n, 5, decide))
	begun := started(a.Items)
	if len(begun) != 1 || begun[0].Trigger.Trigger != "3" {
		e.Fatalf("started %+v, want the trigger due first alone", begun)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerBlocked, key("a", "2"): provider.TriggerBlocked})
	blocked := a.Blocked
	for _, i := range a.Items {
		if i.Outcome == provider.OutcomeBlocked {
			blocked++
		}
	}
	if blocked != 2 {
		e.Errorf("the answer counts %d blocked triggers, want 2", blocked)
	}
	e.finish(n, begun...)
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "1"): provider.TriggerWaiting, key("a", "2"): provider.TriggerWaiting})
	second := e.claim(n, 5)
	if got := started(second); len(got) != 1 || got[0].Trigger.Trigger != "2" {
		e.Errorf("then started %+v, want the one of larger priority", got)
	}
	e.finish(n, started(second)...)
}

func claimOccupied(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 0)
	e.enqueue(manual("a", "1", e.now), manual("a", "2", e.now), manual("a", "3", e.now))
	asked := 0
	a := e.claimWith(e.claimRequest(n, 5, func(c provider.Candidate) provider.Decision {
		asked++
		if !c.Occupied {
			e.Errorf("the candidate %v of an occupied job is not said to be occupied", c.Trigger.TriggerKey)
		}
		return decide(c)
	}))
	if asked == 0 || len(started(a.Items)) != 0 {
		e.Errorf("asked %d times, outcomes %v; want asked, and none started", asked, outcomes(a.Items))
	}
	for _, name := range []string{"1", "2", "3"} {
		e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", name): provider.TriggerBlocked})
	}
	e.finish(n, b)
	if ran := e.drain(n, 9); len(ran) != 3 {
		e.Errorf("%d runs followed, want 3", len(ran))
	}
}

func claimBlocksAtMost500(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	var shots []provider.TriggerRecord
	for i := range 620 {
		shots = append(shots, manual("a", fmt.Sprintf("%04d", i), e.now))
	}
	e.enqueue(shots...)
	first := e.claimWith(e.claimRequest(n, 16, decide))
	begun := started(first.Items)
	if len(begun) != 1 || first.Blocked > 500 {
		e.Errorf("the first pass started %d and blocked %d beside the candidates, want 1 and at most 500", len(begun), first.Blocked)
	}
	passes := 0
	for ; passes < 10; passes++ {
		a := e.claimWith(e.claimRequest(n, 16, decide))
		if len(a.Items)+a.Blocked == 0 {
			break
		}
	}
	count := 0
	for _, t := range e.look(e.Store).triggers {
		if t.State == provider.TriggerBlocked {
			count++
		}
	}
	if count != 619 || passes > 2 {
		e.Errorf("after %d more passes %d triggers are blocked, want 619 after at most 2", passes, count)
	}
	e.finish(n, begun...)
}

func claimBehindBacklog(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	e.save(job("b"))
	var shots []provider.TriggerRecord
	for i := range 100 {
		shots = append(shots, manual("a", fmt.Sprintf("%04d", i), e.now.Add(-time.Hour)))
	}
	e.enqueue(shots...)
	e.enqueue(manual("b", "behind", e.now))
	var begun []provider.Begun
	for range 2 {
		begun = append(begun, started(e.claim(n, 16))...)
	}
	found := false
	for _, b := range begun {
		found = found || b.Run.Job == "b"
	}
	if !found {
		e.Errorf("two passes started %d runs, not the one due behind the backlog", len(begun))
	}
	e.finish(n, begun...)
}

func claimPausedAndFuture(e *Env) {
	n := e.node("n")
	want := siblings(e, n)
	a := e.claimWith(e.claimRequest(n, 1, decide))
	if got := started(a.Items); len(got) != 1 || got[0].Trigger.TriggerKey != key("a", "due-2") {
		e.Fatalf("started %+v, want a/due-2, which is due first", got)
	}
	want[key("a", "due-2")] = provider.TriggerWaiting // it has moved on
	want[key("a", "claimed")] = provider.TriggerBlocked
	e.states(want)
	e.finish(n, started(a.Items)...)
}
