package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of D35: whoever leaves an exclusive job free hands its Blocked triggers
// back, whatever he did.
var blockCases = []Case{
	{Name: "HandBackOrder", Rules: []string{"D35", "R029", "D01"},
		Explanation: "the first 16 Blocked triggers by due instant, priority and key go back to Waiting, the rest stay",
		Run:         handBackOrder},
	{Name: "HandBackPausedOnes", Rules: []string{"D35", "D08"},
		Explanation: "Blocked triggers whose flag is set go to Paused and do not use up the hand-back: something that can run is handed back",
		Run:         handBackPausedOnes},
	{Name: "HandBackByPause", Rules: []string{"D35"},
		Explanation: "pausing the last due trigger of a free job hands its Blocked ones back",
		Run:         handBackBy(takenByPauseTriggers)},
	{Name: "HandBackByPauseOfJob", Rules: []string{"D35", "D08"},
		Explanation: "pausing a free job leaves none of its triggers Blocked",
		Run:         handBackByPauseOfJob},
	{Name: "HandBackByRemove", Rules: []string{"D35"},
		Explanation: "removing the last due trigger of a free job hands its Blocked ones back",
		Run:         handBackBy(takenByRemove)},
	{Name: "HandBackByReschedule", Rules: []string{"D35", "D43"},
		Explanation: "moving the last due trigger of a free job into the future hands its Blocked ones back",
		Run:         handBackBy(takenByReschedule)},
	{Name: "HandBackByReplace", Rules: []string{"D35", "D12"},
		Explanation: "a replacement that drops the last due trigger of a free job hands its Blocked ones back",
		Run:         handBackByReplace},
	{Name: "HandBackByAdvance", Rules: []string{"D35", "R198"},
		Explanation: "a begin that moves the last due trigger of a free job on without a run hands its Blocked ones back",
		Run:         handBackBy(takenByAdvance)},
	{Name: "HandBackByError", Rules: []string{"D35", "R268"},
		Explanation: "a begin that sets the last due trigger of a free job to Error hands its Blocked ones back",
		Run:         handBackBy(takenByError)},
	{Name: "HandBackByPausedBegin", Rules: []string{"D35", "D08"},
		Explanation: "a begin that finds the last due trigger of a free job paused hands its Blocked ones back",
		Run:         handBackBy(takenByPausedBegin)},
	{Name: "HandBackByPausedRelease", Rules: []string{"D35", "D08"},
		Explanation: "giving back the last due trigger of a free job, paused meanwhile, hands its Blocked ones back",
		Run:         handBackBy(takenByPausedRelease)},
	{Name: "HandBackByClaim", Rules: []string{"D35", "R198"}, Needs: Claiming,
		Explanation: "a claim that moves the last due trigger of a free job on without a run hands its Blocked ones back",
		Run:         handBackBy(takenByClaim)},
	{Name: "HandBackBySweep", Rules: []string{"D35", "R048", "D08"}, Needs: Sharing,
		Explanation: "a sweep that returns the last due trigger of a free job to Paused hands its Blocked ones back",
		Run:         handBackBy(takenBySweep)},
	{Name: "HandBackByRemoveClaimed", Rules: []string{"D35", "D38"},
		Explanation: "removing the claimed trigger of a free job hands its Blocked ones back",
		Run:         handBackBy(takenByRemoveClaimed)},
}

func handBackOrder(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 14)
	e.enqueue(manual("a", "zz-late", e.now.Add(time.Second), priority(99)), manual("a", "zz-early", e.now.Add(-time.Second), priority(-1)),
		manual("a", "zz-low", e.now, priority(4)), manual("a", "zz-high", e.now, priority(6)))
	e.advance(time.Second)
	for len(e.pass(n, 50)) > 0 {
	}
	a := e.finish(n, b)
	if a.HandedBack != 16 {
		e.Errorf("%d triggers were handed back, want 16", a.HandedBack)
	}
	want := map[provider.TriggerKey]provider.TriggerState{}
	for i := range 14 {
		want[manualKey("a", blockedName(i))] = provider.TriggerWaiting
	}
	want[manualKey("a", "zz-early")], want[manualKey("a", "zz-high")] = provider.TriggerWaiting, provider.TriggerWaiting
	want[manualKey("a", "zz-low")], want[manualKey("a", "zz-late")] = provider.TriggerBlocked, provider.TriggerBlocked
	e.states(want)
	var order []string
	for _, r := range e.drain(n, 60) {
		order = append(order, r.TriggerName)
	}
	if len(order) != 18 || order[0] != "manual-zz-early" || order[1] != "manual-zz-high" || order[16] != "manual-zz-low" || order[17] != "manual-zz-late" {
		e.Errorf("they ran in the order %v", order)
	}
}

func handBackPausedOnes(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	const blocked = 20
	b := e.occupy(n, "a", blocked)
	var paused []provider.TriggerKey
	for i := range blocked - 2 {
		paused = append(paused, manualKey("a", blockedName(i)))
	}
	errs, err := e.Store.PauseTriggers(e.ctx, paused)
	e.must(err, "PauseTriggers")
	e.all(errs, nil)
	e.finish(n, b)
	if ran := e.drain(n, 20); len(ran) != 2 {
		e.Errorf("%d runs followed, want the 2 that are not paused", len(ran))
	}
	for _, k := range paused {
		e.states(map[provider.TriggerKey]provider.TriggerState{k: provider.TriggerPaused})
	}
}

// waitingAndBlocked makes a free exclusive job a with one due Waiting trigger,
// w, and one Blocked trigger, b, behind it. (A store that hands back earlier
// than it must has b Waiting already, which breaks nothing.)
func waitingAndBlocked(e *Env, n provider.NodeRef) (w, b provider.TriggerKey) {
	e.Helper()
	e.save(job("a", exclusive))
	run := e.occupy(n, "a", 17)
	e.finish(n, run)
	var surplus []provider.TriggerKey
	for i := 1; i < 16; i++ {
		surplus = append(surplus, manualKey("a", blockedName(i)))
	}
	errs, err := e.Store.RemoveTriggers(e.ctx, surplus)
	e.all(errs, err)
	w, b = manualKey("a", blockedName(0)), manualKey("a", blockedName(16))
	if w, b := e.trigger(w).State, e.trigger(b).State; w != provider.TriggerWaiting || b != provider.TriggerBlocked && b != provider.TriggerWaiting {
		e.Fatalf("the triggers are %v and %v, want Waiting and Blocked", w, b)
	}
	return w, b
}

// handBackBy takes the Waiting trigger away in some way and expects the Blocked
// one to be Waiting in its place.
func handBackBy(take func(e *Env, n provider.NodeRef, w provider.TriggerKey)) func(*Env) {
	return func(e *Env) {
		n := e.node("n")
		w, b := waitingAndBlocked(e, n)
		take(e, n, w)
		if t := e.trigger(b); t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(Start) {
			e.Errorf("the Blocked trigger is %v for %v, want Waiting for %v", t.State, t.NextFireAt, Start)
		}
	}
}

func takenByPauseTriggers(e *Env, _ provider.NodeRef, w provider.TriggerKey) {
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{w})
	e.each(errs, err, nil)
}

func takenByRemove(e *Env, _ provider.NodeRef, w provider.TriggerKey) {
	errs, err := e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{w})
	e.each(errs, err, nil)
}

func takenByReschedule(e *Env, _ provider.NodeRef, w provider.TriggerKey) {
	moved, err := e.Store.Reschedule(e.ctx, []provider.RescheduleItem{{Key: w, Version: e.trigger(w).Version, Next: waiting(e.now.Add(time.Hour))}})
	e.must(err, "Reschedule")
	equal(e, moved, []bool{true}, "what was moved")
}

// claimOf claims the one due trigger.
func claimOf(e *Env, n provider.NodeRef, w provider.TriggerKey) []provider.Claimed {
	e.Helper()
	claimed := e.acquire(n, 5)
	if len(claimed) != 1 || claimed[0].Trigger.TriggerKey != w {
		e.Fatalf("claimed %v, want %v", claimedKeys(claimed), w)
	}
	return claimed
}

func takenByAdvance(e *Env, n provider.NodeRef, w provider.TriggerKey) {
	e.beginWith(n, always(provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}), claimOf(e, n, w)...)
}

func takenByError(e *Env, n provider.NodeRef, w provider.TriggerKey) {
	e.beginWith(n, always(provider.Decision{Action: provider.Advance,
		After: provider.Progress{Next: provider.Next{State: provider.TriggerError}, ErrorCode: "CODE"}}), claimOf(e, n, w)...)
}

func takenByPausedBegin(e *Env, n provider.NodeRef, w provider.TriggerKey) {
	claimed := claimOf(e, n, w)
	takenByPauseTriggers(e, n, w)
	if got := e.beginWith(n, e.mustNotAsk, claimed...); got[0].Outcome != provider.OutcomePaused {
		e.Errorf("begin answers %v, want Paused", got[0].Outcome)
	}
}

func takenByPausedRelease(e *Env, n provider.NodeRef, w provider.TriggerKey) {
	claimed := claimOf(e, n, w)
	takenByPauseTriggers(e, n, w)
	if count := e.release(n, claimed...); count != 1 {
		e.Errorf("%d claims were given back, want 1", count)
	}
}

func takenByClaim(e *Env, n provider.NodeRef, _ provider.TriggerKey) {
	e.claimWith(e.claimRequest(n, 5, always(provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}})))
}

func takenBySweep(e *Env, n provider.NodeRef, w provider.TriggerKey) {
	claimOf(e, n, w)
	takenByPauseTriggers(e, n, w)
	e.kill(n)
	e.sweep(100, recovery)
}

func takenByRemoveClaimed(e *Env, n provider.NodeRef, w provider.TriggerKey) {
	claimOf(e, n, w)
	takenByRemove(e, n, w)
}

func handBackByPauseOfJob(e *Env) {
	n := e.node("n")
	w, b := waitingAndBlocked(e, n)
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.states(map[provider.TriggerKey]provider.TriggerState{w: provider.TriggerPaused, b: provider.TriggerPaused})
	errs, err = e.Store.ResumeJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	if ran := e.drain(n, 5); len(ran) != 2 {
		e.Errorf("%d runs after the resume, want 2", len(ran))
	}
}

func handBackByReplace(e *Env) {
	n := e.node("n")
	w, b := waitingAndReplaced(e, n)
	e.save(job("a", exclusive))
	e.gone(w)
	e.states(map[provider.TriggerKey]provider.TriggerState{b: provider.TriggerWaiting})
}

// waitingAndReplaced is waitingAndBlocked with a trigger of the definition
// Waiting and a one-shot Blocked.
func waitingAndReplaced(e *Env, n provider.NodeRef) (w, b provider.TriggerKey) {
	e.Helper()
	w, b = waitingAndBlocked(e, n)
	t := cron("t", e.now)
	t.Job, t.Exclusive = "a", true
	errs, err := e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{t})
	e.each(errs, err, nil)
	errs, err = e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{w})
	e.each(errs, err, nil)
	return key("a", "t"), b
}
