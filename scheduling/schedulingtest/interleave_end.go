package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Duels of the end of a run with those who change what follows from it.
var endDuels = []duel{
	{name: "CompleteAndCancel", rules: []string{"D22", "R236"}, set: completeAndCancel,
		explanation: "a cancel request beside a completion makes neither fail nor changes how the run ended"},
	{name: "CompleteAndSweep", rules: []string{"B136", "D05"}, set: completeAndSweep,
		explanation: "a sweep beside a completion: the run ends once, and is recovered exactly if it was lost"},
	{name: "CompleteAndPause", rules: []string{"D08", "B161"}, set: completeAndPause,
		explanation: "a pause beside a completion leaves the interval trigger Paused with its next, the retry Paused"},
	{name: "CompleteAndReplace", rules: []string{"D12", "D07"}, set: completeAndReplace,
		explanation: "an interval trigger that is replaced beside its run's completion stays replaced"},
	{name: "CompleteAndRemove", rules: []string{"D07", "B174"}, set: completeAndRemove,
		explanation: "an interval trigger that is removed beside its run's completion stays removed"},
	{name: "CompleteAndDelete", rules: []string{"B174", "R229"}, set: completeAndDelete,
		explanation: "a job that is deleted beside its run's completion stays deleted, with its retry"},
	{name: "CompleteAndConcurrent", rules: []string{"D12", "D35"}, set: completeAndConcurrent,
		explanation: "a job that becomes concurrent beside the completion of its run leaves nothing Blocked"},
	{name: "CompleteAndBlock", rules: []string{"R043", "R044", "D35"}, set: completeAndBlock,
		explanation: "a completion beside a block of the same job leaves no Blocked trigger of a free job"},
	{name: "CompleteAndComplete", rules: []string{"D05"}, set: completeAndComplete,
		explanation: "of two completions of one run one ends it and the other finds it ended"},
}

// flying is an interval run of exclusive job a, trigger t, in flight on n.
func flying(e *Env, mods ...jobMod) (provider.NodeRef, provider.Begun) {
	n := e.node("n")
	e.save(job("a", append(mods, exclusive)...), every("t", e.now))
	return n, e.startOne(n)
}

// ending returns a first party that completes the run and inserts a retry.
func ending(e *Env, n provider.NodeRef, b provider.Begun, done *provider.Completed) func() error {
	c := inserting(b, retry("a", "r", Start.Add(time.Hour)))
	return func() error {
		for {
			a, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{c}})
			if err != nil {
				return err
			}
			if *done = a.Items[0]; done.Outcome != provider.OutcomeHeld {
				return nil
			}
		}
	}
}

func (e *Env) ended(done provider.Completed, b provider.Begun) {
	e.Helper()
	if r := e.run(b.Run.ID); done.Outcome != provider.OutcomeDone || r.State != provider.RunFailed {
		e.Errorf("the completion answers %v, the run is %v; want Done, Failed", done.Outcome, r.State)
	}
	if j, err := e.Store.Jobs(e.ctx, []string{"a"}); err != nil || len(j) == 1 && j[0].ActiveRunID != "" {
		e.Errorf("the job is still occupied: %+v, %v", j, err)
	}
}

func completeAndCancel(e *Env) bout {
	n, b := flying(e)
	var done provider.Completed
	return bout{
		first: ending(e, n, b, &done),
		second: func(s provider.Store) error {
			return ignoring(errsOf(s.RequestCancel(e.ctx, []string{b.Run.ID})), provider.ErrRunNotFound)
		},
		judge: func(early bool) {
			e.ended(done, b)
			if r := e.run(b.Run.ID); early && r.CancelRequestedAt.IsZero() {
				e.Errorf("the request had returned before the commit, and is not on record")
			}
		},
	}
}

func completeAndSweep(e *Env) bout {
	n, b := flying(e, recovers)
	e.kill(n)
	var done provider.Completed
	lostRuns := 0
	return bout{
		first: ending(e, n, b, &done),
		second: func(s provider.Store) error {
			lostRuns = 0
			for {
				a, err := s.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
				lostRuns += len(a.Lost)
				if err != nil || !a.More {
					return err
				}
			}
		},
		judge: func(bool) {
			_, recovered := e.lookTrigger(key("a", provider.PrefixRecovery+b.Run.ID))
			_, retried := e.lookTrigger(key("a", "retry-r"))
			state := e.run(b.Run.ID).State
			byNode := done.Outcome == provider.OutcomeDone && state == provider.RunFailed && lostRuns == 0 && retried && !recovered
			bySweep := done.Outcome == provider.OutcomeGone && state == provider.RunLost && lostRuns == 1 && recovered && !retried
			if !byNode && !bySweep {
				e.Errorf("the completion answers %v, sweeps lost %d, the run is %v, retried %v, recovered %v", done.Outcome, lostRuns, state, retried, recovered)
			}
			if t := e.trigger(key("a", "t")); t.State != provider.TriggerWaiting {
				e.Errorf("the interval trigger is %v, want Waiting", t.State)
			}
		},
	}
}

func completeAndPause(e *Env) bout {
	n, b := flying(e)
	var done provider.Completed
	return bout{
		first:  ending(e, n, b, &done),
		second: func(s provider.Store) error { return errsOf(s.PauseJobs(e.ctx, []string{"a"})) },
		judge: func(bool) {
			e.ended(done, b)
			for k, next := range map[provider.TriggerKey]time.Time{key("a", "t"): Start.Add(everyPeriod), key("a", "retry-r"): Start.Add(time.Hour)} {
				if t := e.trigger(k); t.State != provider.TriggerPaused || !t.NextFireAt.Equal(next) {
					e.Errorf("%v is %v for %v, want Paused for %v", k, t.State, t.NextFireAt, next)
				}
			}
		},
	}
}

func completeAndReplace(e *Env) bout {
	n, b := flying(e)
	var done provider.Completed
	return bout{
		first:  ending(e, n, b, &done),
		second: func(s provider.Store) error { return replacing.take(e, s) },
		judge:  func(bool) { e.ended(done, b); replacing.judge(e, true); e.trigger(key("a", "retry-r")) },
	}
}

func completeAndRemove(e *Env) bout {
	n, b := flying(e)
	var done provider.Completed
	return bout{
		first:  ending(e, n, b, &done),
		second: func(s provider.Store) error { return removing.take(e, s) },
		judge:  func(bool) { e.ended(done, b); removing.judge(e, true); e.trigger(key("a", "retry-r")) },
	}
}

func completeAndDelete(e *Env) bout {
	n, b := flying(e)
	var done provider.Completed
	return bout{
		first:  ending(e, n, b, &done),
		second: func(s provider.Store) error { return deleting.take(e, s) },
		judge:  func(bool) { e.ended(done, b); deleting.judge(e, true) },
	}
}

func completeAndConcurrent(e *Env) bout {
	n := e.node("n")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 2)
	return bout{
		first: func() error { return e.completeAll(e.Store, n, []provider.Completion{completion(b)}) },
		second: func(s provider.Store) error {
			_, err := s.SaveJobs(e.ctx, []provider.SaveItem{item(job("a"))})
			return err
		},
		judge: func(bool) {
			e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", blockedName(0)): provider.TriggerWaiting,
				manualKey("a", blockedName(1)): provider.TriggerWaiting})
		},
	}
}

func completeAndBlock(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive))
	b := e.occupy(n, "a", 1)
	e.enqueue(manual("a", "x", e.now))
	items := e.items(e.acquire(m, 1)...)
	var got []provider.Begun
	return bout{
		first:  func() error { return e.completeAll(e.Store, n, []provider.Completion{completion(b)}) },
		second: func(s provider.Store) (err error) { got, err = e.beginAll(s, m, items); return err },
		judge: func(bool) {
			oneOf(e, got[0].Outcome, "the outcome", provider.OutcomeStarted, provider.OutcomeBlocked)
		},
	}
}

func completeAndComplete(e *Env) bout {
	n, b := flying(e)
	var done provider.Completed
	var other provider.CompleteAnswer
	return bout{
		first: ending(e, n, b, &done),
		second: func(s provider.Store) (err error) {
			for {
				other, err = s.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{completion(b)}})
				if err != nil || other.Items[0].Outcome != provider.OutcomeHeld {
					return err
				}
			}
		},
		judge: func(bool) {
			outcome := other.Items[0].Outcome
			if (done.Outcome == provider.OutcomeDone) == (outcome == provider.OutcomeDone) {
				e.Errorf("the completions answer %v and %v, want one Done, one Gone", done.Outcome, outcome)
			}
			want := provider.RunSucceeded
			if done.Outcome == provider.OutcomeDone {
				want = provider.RunFailed
			}
			if r := e.run(b.Run.ID); r.State != want {
				e.Errorf("the run is %v, want %v, as the one that was Done says", r.State, want)
			}
		},
	}
}
