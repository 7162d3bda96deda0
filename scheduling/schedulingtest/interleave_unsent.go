package schedulingtest

import (
	"context"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of a commit that never arrived, of which the caller cannot know, while
// somebody else does the same. What is found afterwards is the other's.
var unsentCases = []Case{
	{Name: "UnsentAcquire", Rules: []string{"D07", "B104"}, Needs: Sharing | Counting,
		Explanation: "an acquire whose commit never arrived does not take another's claims for its own",
		Run:         unsentAcquire},
	{Name: "UnsentEnqueue", Rules: []string{"D10", "D38"}, Needs: Sharing | Counting,
		Explanation: "an enqueue whose commit never arrived leaves one one-shot of the key",
		Run:         unsentEnqueue},
	{Name: "UnsentStart", Rules: []string{"D07", "R033"}, Needs: Sharing | Counting,
		Explanation: "a start whose commit never arrived does not take another's run for its own",
		Run:         unsentStart},
	{Name: "UnsentComplete", Rules: []string{"D05", "B136"}, Needs: Sharing | Counting,
		Explanation: "a completion whose commit never arrived finds the run Lost where a sweep came between",
		Run:         unsentComplete},
	{Name: "UnsentRegister", Rules: []string{"D06"}, Needs: Sharing | Counting,
		Explanation: "a registration whose commit never arrived does not take another's row for its own",
		Run:         unsentRegister},
	{Name: "UnsentLease", Rules: []string{"D24"}, Needs: Sharing | Counting,
		Explanation: "an acquisition whose commit never arrived is told that the lease is held where another took it",
		Run:         unsentLease},
}

// unsent runs first; its first commit does not arrive, and before whatever it
// sends next second runs on another handle.
func (e *Env) unsent(first func() error, second func(s provider.Store) error) error {
	e.Helper()
	other := e.other()
	cut, taken := false, false
	var failed error
	e.SetTap(func(_ context.Context, event Event) Verdict {
		switch {
		case !cut && event.Kind == Commit:
			cut = true
			return FailBefore
		case cut && !taken:
			taken = true
			failed = second(other)
		}
		return Pass
	})
	err := first()
	e.untap()
	e.report.interleaved(1)
	if !cut || !taken {
		e.Fatalf("the first party committed: %v, and sent something after it: %v; want both", cut, taken)
	}
	e.must(failed, "the other party")
	return err
}

func unsentAcquire(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	r := provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 5}
	var a provider.AcquireAnswer
	err := e.unsent(
		func() (err error) { a, err = e.Store.Acquire(e.ctx, r); return err },
		func(s provider.Store) error {
			_, err := s.Acquire(e.ctx, provider.AcquireRequest{Node: m, ClaimID: e.claimID(), Limit: 2})
			return err
		})
	e.must(err, "Acquire")
	equal(e, claimedKeys(a.Claimed), []string{"a/3"}, "the claims beside the other's")
	for _, c := range a.Claimed {
		equal(e, e.trigger(c.Trigger.TriggerKey), c.Trigger, "the claimed trigger")
	}
}

func unsentEnqueue(e *Env) {
	e.save(job("a"))
	var a []provider.EnqueueAnswer
	err := e.unsent(
		func() (err error) {
			a, err = e.Store.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", "x", e.now, data(`{"first":1}`))})
			return err
		},
		func(s provider.Store) error {
			_, err := s.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", "x", e.now.Add(time.Hour), data(`{"second":1}`))})
			return err
		})
	e.must(err, "Enqueue")
	// A key names one one-shot, whoever inserted it: the answer may say that it
	// existed or not, but there is one, whole.
	if t := e.trigger(manualKey("a", "x")); t.Data != `{"second":1}` || !t.NextFireAt.Equal(e.now.Add(time.Hour)) {
		e.Errorf("the one-shot is %+v, want the other party's", t)
	}
	equal(e, a[0].Key, manualKey("a", "x"), "the answer's key")
}

func unsentStart(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive))
	mine, others := e.call("a"), e.call("a")
	var a provider.BeginAnswer
	err := e.unsent(
		func() (err error) {
			a, err = e.Store.Start(e.ctx, provider.StartRequest{Node: n, Runs: []provider.RunRecord{mine}})
			return err
		},
		func(s provider.Store) error {
			_, err := s.Start(e.ctx, provider.StartRequest{Node: m, Runs: []provider.RunRecord{others}})
			return err
		})
	e.must(err, "Start")
	if j := e.job("a"); a.Items[0].Outcome != provider.OutcomeBlocked || j.ActiveRunID != others.ID {
		e.Errorf("the start answers %v, the job is occupied by %q; want Blocked, %q", a.Items[0].Outcome, j.ActiveRunID, others.ID)
	}
}

func unsentComplete(e *Env) {
	n, b := flying(e, recovers)
	e.kill(n)
	var done provider.Completed
	err := e.unsent(ending(e, n, b, &done), func(s provider.Store) error {
		_, err := s.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
		return err
	})
	e.must(err, "Complete")
	r := e.run(b.Run.ID)
	if done.Outcome != provider.OutcomeGone || r.State != provider.RunLost {
		e.Errorf("the completion answers %v, the run is %v; want Gone, Lost", done.Outcome, r.State)
	}
	e.gone(key("a", "retry-r"))
	e.trigger(key("a", provider.PrefixRecovery+b.Run.ID))
}

func unsentRegister(e *Env) {
	var a, b provider.RegisterAnswer
	err := e.unsent(
		func() (err error) {
			a, err = e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n")})
			return err
		},
		func(s provider.Store) (err error) {
			b, err = s.Register(e.ctx, provider.RegisterRequest{Node: node("n")})
			return err
		})
	e.must(err, "Register")
	if a.Registered || !b.Registered || a.Node.NodeRef != b.Node.NodeRef {
		e.Errorf("the answers are %s and %s, want the other party registered", fmt.Sprint(a.Registered, a.Node.NodeRef), fmt.Sprint(b.Registered, b.Node.NodeRef))
	}
}

func unsentLease(e *Env) {
	err := e.unsent(
		func() error { _, err := e.Store.Election().TryAcquire(e.ctx, lease("n", "token-1")); return err },
		func(s provider.Store) error {
			_, err := s.Election().TryAcquire(e.ctx, lease("m", "token-2"))
			return err
		})
	e.is(err, provider.ErrLeaseHeld, "TryAcquire")
	if row := e.inspect().Lease; row.Holder != "m" || row.Token != "token-2" {
		e.Errorf("the row is %+v, want the other party's", row)
	}
}
