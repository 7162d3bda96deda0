package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var nodeVictims = []victim{
	{name: "Register", rules: []string{"D06"}, set: killRegister},
	{name: "RegisterReplacing", rules: []string{"D06"}, set: killRegisterReplacing},
	{name: "Heartbeat", rules: []string{"D26", "D36"}, set: killHeartbeat},
	{name: "Convict", rules: []string{"D04"}, set: killConvict},
	{name: "Deregister", rules: []string{"D29"}, set: killDeregister},
	{name: "Sweep", rules: []string{"D04", "B143", "B105"}, needs: Sharing, set: killSweep},
	{name: "Reads", rules: []string{"R108", "R258"}, set: killReads},
}

func registering(e *Env, r provider.RegisterRequest) attempt {
	return attempt{run: func() (string, error) {
		a, err := e.Store.Register(e.ctx, r)
		return fmt.Sprint(a.Registered, a.Node.ID), err
	}}
}

func killRegister(e *Env) attempt {
	e.node("other")
	return registering(e, provider.RegisterRequest{Node: node("n")})
}

func killRegisterReplacing(e *Env) attempt {
	e.node("n")
	e.advance(time.Hour)
	judged := e.row("n")
	return registering(e, provider.RegisterRequest{Node: node("n"), Replace: &judged})
}

func killHeartbeat(e *Env) attempt {
	n := e.node("n")
	e.advance(time.Second)
	return attempt{run: func() (string, error) {
		a, err := e.Store.Heartbeat(e.ctx, n)
		return fmt.Sprint(a.Alive, len(a.Nodes)), err
	}}
}

func killConvict(e *Env) attempt {
	e.node("n")
	e.advance(time.Hour)
	judged := e.row("n")
	return attempt{run: func() (string, error) {
		got, err := e.Store.Convict(e.ctx, judged)
		return fmt.Sprint(got), err
	}}
}

func killDeregister(e *Env) attempt {
	n := e.node("n")
	return attempt{run: func() (string, error) {
		got, err := e.Store.Deregister(e.ctx, n)
		return fmt.Sprint(got), err
	}}
}

func killSweep(e *Env) attempt {
	n := mixed(e)
	e.pass(n, 50)
	e.enqueue(manual("c", "claimed", e.now))
	e.acquire(n, 5)
	e.save(job("p", recovers), cron("t", e.now))
	e.pass(n, 5)
	e.all(e.Store.PauseJobs(e.ctx, []string{"p"}))
	e.kill(n)
	return attempt{run: func() (string, error) {
		a, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
		return fmt.Sprint(len(a.Lost), len(a.Recovered), len(a.Returned), a.HandedBack, a.More), err
	}}
}

// killReads calls every read once; a read that fails says so.
func killReads(e *Env) attempt {
	n := mixed(e)
	history(e)
	e.pass(n, 3)
	e.acquire(n, 1)
	return attempt{run: func() (string, error) {
		answer := ""
		for _, read := range []func() (int, error){
			func() (int, error) { a, err := e.Store.Jobs(e.ctx, []string{"x", "c"}); return len(a), err },
			func() (int, error) { a, err := e.Store.ListJobs(e.ctx, "", 0); return len(a), err },
			func() (int, error) {
				a, err := e.Store.Triggers(e.ctx, []provider.TriggerKey{key("x", "1"), key("c", "1")})
				return len(a), err
			},
			func() (int, error) {
				a, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
				return len(a), err
			},
			func() (int, error) { a, err := e.Store.Runs(e.ctx, provider.RunQuery{Limit: 50}); return len(a), err },
			func() (int, error) { a, err := e.Store.CountRuns(e.ctx, provider.RunQuery{}); return int(a), err },
			func() (int, error) { a, err := e.Store.RunningRuns(e.ctx, nil); return len(a), err },
			func() (int, error) { a, err := e.Store.LatestRuns(e.ctx, []string{"a", "b"}); return len(a), err },
			func() (int, error) { a, err := e.Store.ListNodes(e.ctx); return len(a.Nodes), err },
			func() (int, error) { a, err := e.Store.Inflight(e.ctx, n); return len(a.Runs) + len(a.Claims), err },
			func() (int, error) {
				a, err := e.Store.Due(e.ctx, provider.DueRequest{})
				return int(a.NextDue.Unix() % 1000), err
			},
			func() (int, error) { a, err := e.Store.Now(e.ctx); return int(a.Unix() % 1000), err },
		} {
			got, err := read()
			if err != nil {
				return "", err
			}
			answer += fmt.Sprint(got, " ")
		}
		return answer, nil
	}}
}
