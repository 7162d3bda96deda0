package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

func killCases() []Case {
	var out []Case
	for _, victims := range [][]victim{dispatchVictims, managementVictims, nodeVictims} {
		for _, v := range victims {
			out = append(out, v.asCase())
		}
	}
	return out
}

var dispatchVictims = []victim{
	{name: "Enqueue", rules: []string{"R234", "D10", "D38"}, set: killEnqueue},
	{name: "Acquire", rules: []string{"R031", "D07", "B104"}, set: killAcquire},
	{name: "Begin", rules: []string{"R034", "D07", "D10", "D35", "B105"}, set: killBegin},
	{name: "BeginAdvancing", rules: []string{"D10", "D35"}, set: killBeginAdvancing},
	{name: "Claim", rules: []string{"R034", "D07", "D35", "B104"}, needs: Claiming, set: killClaim},
	{name: "Start", rules: []string{"R232", "D07"}, set: killStart},
	{name: "Record", rules: []string{"R205"}, set: killRecord},
	{name: "Complete", rules: []string{"R037", "R203", "R218", "D05", "D35", "B109"}, set: killComplete},
	{name: "Release", rules: []string{"R269", "D29"}, set: killRelease},
}

// mixed saves exclusive job x with three due triggers and concurrent job c with
// a cron, an interval, a once trigger and a one-shot, all due.
func mixed(e *Env) provider.NodeRef {
	n := e.node("n")
	e.save(job("x", exclusive, recovers), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	e.save(job("c", recovers), cron("1", e.now), every("2", e.now), once("3", e.now))
	e.enqueue(manual("c", "4", e.now))
	return n
}

func killEnqueue(e *Env) attempt {
	e.save(job("a", exclusive))
	e.enqueue(manual("a", "old", e.now))
	shots := []provider.TriggerRecord{manual("a", "new", e.now), manual("none", "x", e.now), manual("a", "old", e.now), manual("a", "later", e.now.Add(time.Hour))}
	run := func() (string, error) {
		a, err := e.Store.Enqueue(e.ctx, shots)
		return fmt.Sprint(a), err
	}
	return attempt{run: run}
}

func killAcquire(e *Env) attempt {
	n := mixed(e)
	r := provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 4}
	return attempt{
		run: func() (string, error) {
			a, err := e.Store.Acquire(e.ctx, r)
			return fmt.Sprint(claimedKeys(a.Claimed), a.More), err
		},
		again: func() error { // a node gives back what it knows nothing of (D07)
			a, err := e.Store.Inflight(e.ctx, n)
			if err != nil {
				return err
			}
			var items []provider.ReleaseItem
			for _, t := range a.Claims {
				items = append(items, provider.ReleaseItem{Key: t.TriggerKey, ClaimID: t.ClaimID})
			}
			_, err = e.Store.Release(e.ctx, provider.ReleaseRequest{Node: n, Items: items})
			return err
		},
	}
}

// adopt is what a node does with runs that begin without its knowledge: it runs
// their handlers, here at once (D07).
func adopt(e *Env, n provider.NodeRef) func() error {
	return func() error {
		a, err := e.Store.Inflight(e.ctx, n)
		if err != nil {
			return err
		}
		var items []provider.Completion
		for _, r := range a.Runs {
			c := provider.Completion{RunID: r.ID, Job: r.Job, State: provider.RunSucceeded}
			if t, ok := e.lookTrigger(key(r.Job, r.TriggerName)); ok && t.State == provider.TriggerAcquired && t.NextFireAt.IsZero() {
				c.Settle, c.Trigger, c.ClaimID = settleEvery, t.TriggerKey, t.ClaimID
			}
			items = append(items, c)
		}
		return e.completeAll(e.Store, n, items)
	}
}

func killBegin(e *Env) attempt {
	n := mixed(e)
	items := e.items(e.acquire(n, 50)...)
	return attempt{
		run: func() (string, error) {
			a, err := e.Store.Begin(e.ctx, provider.BeginRequest{Node: n, Items: items, Decide: decide})
			return fmt.Sprint(outcomes(a.Items)), err
		},
		again: adopt(e, n),
	}
}

func killBeginAdvancing(e *Env) attempt {
	n := e.node("n")
	lastWaiting(e, n)
	e.save(job("c"), cron("errs", e.now), cron("moves", e.now), cron("returns", e.now), cron("paused", e.now))
	items := e.items(e.acquire(n, 50)...)
	e.all(e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("c", "paused")}))
	d := func(c provider.Candidate) provider.Decision {
		out := provider.Decision{Action: provider.Advance}
		switch c.Trigger.Trigger {
		case "errs":
			out.After = provider.Progress{Next: provider.Next{State: provider.TriggerError}, ErrorCode: "CODE"}
		case "moves":
			out.After = provider.Progress{Next: waiting(c.Now.Add(cronPeriod))}
		case "returns":
			out.Action = provider.Return
		default:
			out.After = provider.Progress{Delete: true}
		}
		return out
	}
	return attempt{
		run: func() (string, error) {
			a, err := e.Store.Begin(e.ctx, provider.BeginRequest{Node: n, Items: items, Decide: d})
			return fmt.Sprint(outcomes(a.Items)), err
		},
		again: adopt(e, n),
	}
}

func killClaim(e *Env) attempt {
	n := e.node("n")
	e.save(job("o", exclusive))
	e.occupy(n, "o", 0)
	e.enqueue(manual("o", "x", e.now))
	mixed(e)
	r := e.claimRequest(n, 50, decide)
	return attempt{
		run: func() (string, error) {
			a, err := e.Store.(provider.Claimer).Claim(e.ctx, r)
			return fmt.Sprint(outcomes(a.Items), a.Blocked, a.HeldJobs, a.NextDue, a.More), err
		},
		again: adopt(e, n),
	}
}

func killStart(e *Env) attempt {
	n := e.node("n")
	e.save(job("x", exclusive))
	e.save(job("c"))
	calls := []provider.RunRecord{e.call("x"), e.call("x"), e.call("c"), e.call("none")}
	return attempt{
		run: func() (string, error) {
			a, err := e.Store.Start(e.ctx, provider.StartRequest{Node: n, Runs: calls})
			return fmt.Sprint(outcomes(a.Items)), err
		},
		again: adopt(e, n),
	}
}

func killRecord(e *Env) attempt {
	n := e.node("n")
	known := localRun(e.runID(), "a", n, e.now)
	running := known
	running.State, running.CompletedAt = provider.RunRunning, time.Time{}
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{running}), "Record")
	runs := []provider.RunRecord{localRun(e.runID(), "a", n, e.now.Add(time.Second)), known, localRun(e.runID(), "b", n, e.now)}
	return attempt{run: func() (string, error) { return "", e.Store.Record(e.ctx, runs) }}
}

func killComplete(e *Env) attempt {
	n := e.node("n")
	e.save(job("x", exclusive))
	occupied := e.occupy(n, "x", 3)
	e.save(job("c"), every("2", e.now), cron("1", e.now))
	var items []provider.Completion
	for _, b := range started(e.pass(n, 50)) {
		items = append(items, inserting(b, retry("c", b.Trigger.Trigger, e.now.Add(time.Minute))))
	}
	items = append(items, completion(occupied), provider.Completion{RunID: e.runID(), Job: "none", State: provider.RunFailed})
	return attempt{
		run: func() (string, error) {
			a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: items})
			answer := fmt.Sprint(a.HandedBack)
			for _, done := range a.Items {
				answer += fmt.Sprint(" ", done.Outcome, done.Inserted, done.Run.State)
			}
			return answer, err
		},
	}
}

func killRelease(e *Env) attempt {
	n := mixed(e)
	var items []provider.ReleaseItem
	for _, c := range e.acquire(n, 50) {
		items = append(items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID})
	}
	e.all(e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("c", "1")}))
	return attempt{
		run: func() (string, error) {
			got, err := e.Store.Release(e.ctx, provider.ReleaseRequest{Node: n, Items: items})
			return fmt.Sprint(got), err
		},
	}
}
