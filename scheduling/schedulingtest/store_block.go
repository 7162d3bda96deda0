package schedulingtest

import (
	"fmt"
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
	{Name: "HandBackBesidePausedOnes", Rules: []string{"D35", "D08"},
		Explanation: "beside Blocked triggers whose flag is set 16 of the others go back to Waiting, and no more",
		Run:         handBackBesidePausedOnes},
	{Name: "HandBackChangesVersions", Rules: []string{"D35", "D22"},
		Explanation: "a trigger's version grows when it is blocked and when it is handed back, so that who read it before loses",
		Run:         handBackChangesVersions},
	{Name: "HandBackByPause", Rules: []string{"D35"},
		Explanation: "pausing the due triggers of a free job hands its Blocked ones back",
		Run:         handBackBy(takenByPauseTriggers)},
	{Name: "HandBackByPauseOfJob", Rules: []string{"D35", "D08"},
		Explanation: "pausing a free job leaves none of its triggers Blocked",
		Run:         handBackByPauseOfJob},
	{Name: "HandBackByRemove", Rules: []string{"D35"},
		Explanation: "removing the due triggers of a free job hands its Blocked ones back",
		Run:         handBackBy(takenByRemove)},
	{Name: "HandBackByReschedule", Rules: []string{"D35", "D43"},
		Explanation: "moving the due triggers of a free job into the future hands its Blocked ones back",
		Run:         handBackBy(takenByReschedule)},
	{Name: "HandBackByReplace", Rules: []string{"D35", "D12"},
		Explanation: "a replacement that drops the due triggers of a free job hands its Blocked ones back",
		Run:         handBackByReplace},
	{Name: "HandBackByAdvance", Rules: []string{"D35", "R198"},
		Explanation: "a begin that moves the last due trigger of a free job on without a run hands its Blocked ones back",
		Run:         handBackBy(takenByAdvance)},
	{Name: "HandBackByError", Rules: []string{"D35", "R268"},
		Explanation: "a begin that sets the last due trigger of a free job to Error hands its Blocked ones back",
		Run:         handBackBy(takenByError)},
	{Name: "HandBackByPausedBegin", Rules: []string{"D35", "D08"},
		Explanation: "a begin that finds the due triggers of a free job paused hands its Blocked ones back",
		Run:         handBackBy(takenByPausedBegin)},
	{Name: "HandBackByPausedRelease", Rules: []string{"D35", "D08"},
		Explanation: "giving back the due triggers of a free job, paused meanwhile, hands its Blocked ones back",
		Run:         handBackBy(takenByPausedRelease)},
	{Name: "HandBackByClaim", Rules: []string{"D35", "R198"}, Needs: Claiming,
		Explanation: "a claim that moves the last due trigger of a free job on without a run hands its Blocked ones back",
		Run:         handBackBy(takenByClaim)},
	{Name: "HandBackBySweep", Rules: []string{"D35", "R048", "D08"}, Needs: Sharing,
		Explanation: "a sweep that returns the due triggers of a free job to Paused hands its Blocked ones back",
		Run:         handBackBy(takenBySweep)},
	{Name: "HandBackByRemoveClaimed", Rules: []string{"D35", "D38"},
		Explanation: "removing the claimed triggers of a free job hands its Blocked ones back",
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

func handBackBesidePausedOnes(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	const blocked, paused = 38, 18
	b := e.occupy(n, "a", blocked)
	want := map[provider.TriggerKey]provider.TriggerState{}
	var keys []provider.TriggerKey
	for i := range blocked {
		k := manualKey("a", blockedName(i))
		switch {
		case i < paused:
			keys = append(keys, k)
			want[k] = provider.TriggerPaused
		case i < paused+16:
			want[k] = provider.TriggerWaiting
		default:
			want[k] = provider.TriggerBlocked
		}
	}
	e.all(e.Store.PauseTriggers(e.ctx, keys))
	if a := e.finish(n, b); a.HandedBack != 16 {
		e.Errorf("%d triggers were handed back, want 16", a.HandedBack)
	}
	e.states(want)
}

func handBackChangesVersions(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now.Add(time.Second)))
	k := key("a", "t")
	versions := []int64{e.trigger(k).Version}
	b := e.occupy(n, "a", 0)
	e.advance(time.Second)
	e.pass(n, 5)
	e.states(map[provider.TriggerKey]provider.TriggerState{k: provider.TriggerBlocked})
	versions = append(versions, e.trigger(k).Version)
	e.finish(n, b)
	e.states(map[provider.TriggerKey]provider.TriggerState{k: provider.TriggerWaiting})
	versions = append(versions, e.trigger(k).Version)
	if versions[0] >= versions[1] || versions[1] >= versions[2] {
		e.Errorf("waiting, blocked and handed back the trigger has the versions %v, want them to grow", versions)
	}
	for _, old := range versions[:2] {
		moved, err := e.Store.Reschedule(e.ctx, []provider.RescheduleItem{{Key: k, Version: old, Next: waiting(e.now.Add(time.Hour))}})
		e.must(err, "Reschedule")
		if t := e.trigger(k); t.Version != versions[2] {
			e.Errorf("a reschedule by version %d answers %v and makes it %+v", old, moved, t)
		}
	}
}

// waitingAndBlocked makes a free exclusive job a with 16 due one-shots that were
// handed back, in order, and one that is still Blocked, b, the last in order.
func waitingAndBlocked(e *Env, n provider.NodeRef) (ws []provider.TriggerKey, b provider.TriggerKey) {
	e.Helper()
	e.save(job("a", exclusive))
	e.finish(n, e.occupy(n, "a", 17))
	b = manualKey("a", blockedName(16))
	want := map[provider.TriggerKey]provider.TriggerState{b: provider.TriggerBlocked}
	for i := range 16 {
		ws = append(ws, manualKey("a", blockedName(i)))
		want[ws[i]] = provider.TriggerWaiting
	}
	e.states(want)
	return ws, b
}

// handBackBy takes the Waiting triggers away in some way and expects the Blocked
// one to be Waiting in their place.
func handBackBy(take func(e *Env, n provider.NodeRef, ws []provider.TriggerKey)) func(*Env) {
	return func(e *Env) {
		n := e.node("n")
		ws, b := waitingAndBlocked(e, n)
		take(e, n, ws)
		if t := e.trigger(b); t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(Start) {
			e.Errorf("the Blocked trigger is %v for %v, want Waiting for %v", t.State, t.NextFireAt, Start)
		}
	}
}

func takenByPauseTriggers(e *Env, _ provider.NodeRef, ws []provider.TriggerKey) {
	e.all(e.Store.PauseTriggers(e.ctx, ws))
}

func takenByRemove(e *Env, _ provider.NodeRef, ws []provider.TriggerKey) {
	e.all(e.Store.RemoveTriggers(e.ctx, ws))
}

func takenByReschedule(e *Env, _ provider.NodeRef, ws []provider.TriggerKey) {
	var items []provider.RescheduleItem
	for _, w := range ws {
		items = append(items, provider.RescheduleItem{Key: w, Version: e.trigger(w).Version, Next: waiting(e.now.Add(time.Hour))})
	}
	moved, err := e.Store.Reschedule(e.ctx, items)
	e.must(err, "Reschedule")
	for i := range moved {
		if !moved[i] {
			e.Fatalf("%v was not moved", ws[i])
		}
	}
}

// claimOf claims the first due trigger, which must be w.
func claimOf(e *Env, n provider.NodeRef, w provider.TriggerKey) []provider.Claimed {
	e.Helper()
	claimed := e.acquire(n, 5)
	if len(claimed) != 1 || claimed[0].Trigger.TriggerKey != w {
		e.Fatalf("claimed %v, want %v", claimedKeys(claimed), w)
	}
	return claimed
}

func takenByAdvance(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	for _, w := range ws {
		e.beginWith(n, always(provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}), claimOf(e, n, w)...)
	}
}

func takenByError(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	for _, w := range ws {
		e.beginWith(n, always(provider.Decision{Action: provider.Advance,
			After: provider.Progress{Next: provider.Next{State: provider.TriggerError}, ErrorCode: "CODE"}}), claimOf(e, n, w)...)
	}
}

// claimAndPauseAll claims the triggers, each by a call of its own, and pauses
// them.
func claimAndPauseAll(e *Env, n provider.NodeRef, ws []provider.TriggerKey) []provider.Claimed {
	e.Helper()
	var claimed []provider.Claimed
	for _, w := range ws {
		claimed = append(claimed, claimOf(e, n, w)...)
	}
	e.all(e.Store.PauseTriggers(e.ctx, ws))
	return claimed
}

func takenByPausedBegin(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	claimed := claimAndPauseAll(e, n, ws)
	for i, got := range e.beginWith(n, e.mustNotAsk, claimed...) {
		if got.Outcome != provider.OutcomePaused {
			e.Errorf("begin of %v answers %v, want Paused", ws[i], got.Outcome)
		}
	}
}

func takenByPausedRelease(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	claimed := claimAndPauseAll(e, n, ws)
	if count := e.release(n, claimed...); count != len(ws) {
		e.Errorf("%d claims were given back, want %d", count, len(ws))
	}
}

func takenByClaim(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	last := ws[len(ws)-1]
	for range 2 * len(ws) {
		if _, there := e.lookTrigger(last); !there {
			return
		}
		e.claimWith(e.claimRequest(n, 1, always(provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}})))
	}
}

func takenBySweep(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	claimAndPauseAll(e, n, ws)
	e.kill(n)
	e.sweep(100, recovery)
}

func takenByRemoveClaimed(e *Env, n provider.NodeRef, ws []provider.TriggerKey) {
	for _, w := range ws {
		claimOf(e, n, w)
	}
	takenByRemove(e, n, ws)
}

func handBackByPauseOfJob(e *Env) {
	n := e.node("n")
	ws, b := waitingAndBlocked(e, n)
	e.all(e.Store.PauseJobs(e.ctx, []string{"a"}))
	for _, k := range append(ws, b) {
		e.states(map[provider.TriggerKey]provider.TriggerState{k: provider.TriggerPaused})
	}
	e.all(e.Store.ResumeJobs(e.ctx, []string{"a"}))
	if ran := e.drain(n, 40); len(ran) != 17 {
		e.Errorf("%d runs after the resume, want 17", len(ran))
	}
}

func handBackByReplace(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	run := e.occupy(n, "a", 0)
	var triggers []provider.TriggerRecord
	for i := range 17 {
		triggers = append(triggers, cron(fmt.Sprintf("t%02d", i), e.now))
	}
	e.save(job("a", exclusive), triggers...)
	e.pass(n, 5)
	e.finish(n, run)
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "t00"): provider.TriggerWaiting, key("a", "t16"): provider.TriggerBlocked})
	e.save(job("a", exclusive), triggers[16])
	e.gone(key("a", "t00"))
	e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "t16"): provider.TriggerWaiting})
}
