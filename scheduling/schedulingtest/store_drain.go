package schedulingtest

import (
	"fmt"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases that drain a backlog of one exclusive job (D35).
var drainCases = []Case{
	{Name: "DrainWhole", Rules: []string{"D35", "R148", "R039"},
		Explanation: "every one-shot of a backlog runs exactly once, one after the other, in order",
		Run:         drainWhole},
	{Name: "DrainCostIsFlat", Rules: []string{"D35"}, Allow: Undrained,
		Explanation: "with 1,000 one-shots behind it a run costs at most 60 trigger writes",
		Run:         drainCostIsFlat},
	{Name: "DrainTransactions", Rules: []string{"D35"}, Needs: Counting, Allow: Undrained,
		Explanation: "with 1,000 one-shots behind it a run costs at most 4 transactions",
		Run:         drainTransactions},
	{Name: "DrainLetsOthersPass", Rules: []string{"D35", "D13"}, Allow: Undrained,
		Explanation: "a job enqueued behind a backlog of another starts within two passes",
		Run:         drainLetsOthersPass},
}

// passAny makes one pass in the way that the store wants.
func (e *Env) passAny(n provider.NodeRef, limit int) []provider.Begun {
	e.Helper()
	if capabilities(e.Subject)&Claiming != 0 {
		return e.claim(n, limit)
	}
	return e.pass(n, limit)
}

// backlog enqueues so many one-shots of exclusive job a and runs a few, so that
// what is left is Blocked.
func backlog(e *Env, n provider.NodeRef, shots int) {
	e.Helper()
	e.save(job("a", exclusive))
	var batch []provider.TriggerRecord
	for i := range shots {
		batch = append(batch, manual("a", fmt.Sprintf("%05d", i), e.now))
	}
	e.enqueue(batch...)
	for range 6 {
		e.oneRun(n)
	}
}

// oneRun makes passes until one run has started, ends it, and returns it.
func (e *Env) oneRun(n provider.NodeRef) provider.RunRecord {
	e.Helper()
	for range 20 {
		if begun := started(e.passAny(n, 16)); len(begun) > 0 {
			if len(begun) > 1 {
				e.Fatalf("%d runs of an exclusive job started at once", len(begun))
			}
			e.finish(n, begun...)
			return begun[0].Run
		}
	}
	e.Fatalf("20 passes started nothing")
	return provider.RunRecord{}
}

func drainWhole(e *Env) {
	n := e.node("n")
	const shots = 60
	e.save(job("a", exclusive))
	var batch []provider.TriggerRecord
	for i := range shots {
		batch = append(batch, manual("a", fmt.Sprintf("%05d", i), e.now))
	}
	e.enqueue(batch...)
	for i := range shots {
		if r := e.oneRun(n); r.TriggerName != batch[i].Trigger {
			e.Fatalf("run %d is of %s, want %s", i, r.TriggerName, batch[i].Trigger)
		}
	}
	if s := e.look(e.Store); len(s.triggers) != 0 || len(s.runs) != shots {
		e.Errorf("%d triggers and %d runs are there, want 0 and %d", len(s.triggers), len(s.runs), shots)
	}
}

func drainCostIsFlat(e *Env) {
	n := e.node("n")
	backlog(e, n, e.backlogSize())
	const runs, most = 3, 60
	writes, last := 0, e.look(e.Store).triggers
	count := func() {
		now := e.look(e.Store).triggers
		for k, t := range last {
			if after, ok := now[k]; !ok || after.Version != t.Version {
				writes++
			}
		}
		last = now
	}
	left := len(last)
	for range runs {
		begun := started(e.passAny(n, 16))
		count()
		if len(begun) != 1 {
			e.Fatalf("a pass started %d runs, want 1", len(begun))
		}
		e.finish(n, begun...)
		count()
	}
	if writes > runs*most {
		e.Errorf("%d runs cost %d trigger writes, want at most %d", runs, writes, runs*most)
	}
	if got := left - len(last); got != runs {
		e.Errorf("%d one-shots are gone after %d runs", got, runs)
	}
}

func drainTransactions(e *Env) {
	n := e.node("n")
	backlog(e, n, e.backlogSize())
	const runs = 5
	transactions := 0
	for _, event := range e.record(func() {
		for range runs {
			e.oneRun(n)
		}
	}) {
		if event.Kind == Begin {
			transactions++
		}
	}
	if transactions > 4*runs {
		e.Errorf("%d runs took %d transactions, want at most %d", runs, transactions, 4*runs)
	}
}

func drainLetsOthersPass(e *Env) {
	n := e.node("n")
	backlog(e, n, e.backlogSize())
	e.save(job("b"))
	e.enqueue(manual("b", "behind", e.now))
	var begun []provider.Begun
	for range 2 {
		begun = append(begun, started(e.passAny(n, 16))...)
	}
	found := false
	for _, b := range begun {
		found = found || b.Run.Job == "b"
	}
	if !found {
		e.Errorf("two passes started %d runs, not the one of the job behind the backlog", len(begun))
	}
	e.finish(n, begun...)
}
