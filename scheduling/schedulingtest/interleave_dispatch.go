package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

func interleaveCases() []Case {
	var out []Case
	for _, duels := range [][]duel{beginDuels, claimDuels, endDuels, saveDuels, nodeDuels} {
		for _, d := range duels {
			out = append(out, d.asCase())
		}
	}
	return out
}

// Duels of begin with those that take its trigger away.
var beginDuels = []duel{
	{name: "BeginAndPause", rules: []string{"D08"}, set: beginAgainst(pausing, provider.OutcomePaused),
		explanation: "a pause that has returned before the begin commits keeps the trigger from starting"},
	{name: "BeginAndRemove", rules: []string{"D38", "D07"}, set: beginAgainst(removing, provider.OutcomeGone),
		explanation: "a trigger removed before the begin commits does not start, and does not come back"},
	{name: "BeginAndReplace", rules: []string{"D12", "D07"}, set: beginAgainst(replacing, provider.OutcomeGone),
		explanation: "a trigger whose text was replaced before the begin commits does not start, and stays replaced"},
	{name: "BeginAndDelete", rules: []string{"D10", "B174"}, set: beginAgainst(deleting, provider.OutcomeGone),
		explanation: "a trigger whose job was deleted before the begin commits does not start, and nothing comes back"},
	{name: "BeginAndBegin", rules: []string{"R033", "R034", "R035", "B103"}, set: beginAndBegin,
		explanation: "of two begins of one exclusive job one starts and the other finds it occupied"},
	{name: "BlockAndComplete", rules: []string{"R043", "R044", "R040", "R042", "D35"}, set: blockAndComplete,
		explanation: "a block and the completion of the run that it waits for leave no Blocked trigger of a free job"},
	{name: "StartAndBegin", rules: []string{"R033", "R232"}, set: startAndBegin,
		explanation: "of a start and a begin of one exclusive job one runs and the other finds it occupied"},
}

// taking is a way to take trigger a/t away, and what must be true once it and
// the begin have returned.
type taking struct {
	take  func(e *Env, s provider.Store) error
	judge func(e *Env, started bool)
}

var pausing = taking{
	take: func(e *Env, s provider.Store) error { return errsOf(s.PauseJobs(e.ctx, []string{"a"})) },
	judge: func(e *Env, _ bool) {
		if t := e.trigger(key("a", "t")); !t.Paused || t.State == provider.TriggerWaiting {
			e.Errorf("after a pause the trigger is %v, flag %v", t.State, t.Paused)
		}
	},
}

var removing = taking{
	take: func(e *Env, s provider.Store) error {
		return errsOf(s.RemoveTriggers(e.ctx, []provider.TriggerKey{key("a", "t")}))
	},
	judge: func(e *Env, _ bool) { e.gone(key("a", "t")) },
}

var replacing = taking{
	take: func(e *Env, s provider.Store) error {
		_, err := s.SaveJobs(e.ctx, []provider.SaveItem{item(job("a", exclusive), trigger("t", "cron 0 30 * * * *", Start.Add(30*time.Minute)))})
		return err
	},
	judge: func(e *Env, _ bool) {
		if t := e.trigger(key("a", "t")); t.Schedule != "cron 0 30 * * * *" || t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(Start.Add(30*time.Minute)) {
			e.Errorf("after a replacement the trigger is %+v", t)
		}
	},
}

var deleting = taking{
	take: func(e *Env, s provider.Store) error { return errsOf(s.DeleteJobs(e.ctx, []string{"a"})) },
	judge: func(e *Env, _ bool) {
		if s := e.look(e.Store); len(s.jobs)+len(s.triggers) != 0 {
			e.Errorf("after the deletion there are %v", s.effect())
		}
	},
}

// beginAgainst lets a begin of a/t meet somebody who takes it away; instead is
// the outcome where he was first.
func beginAgainst(t taking, instead provider.Outcome) func(e *Env) bout {
	return func(e *Env) bout {
		n := e.node("n")
		e.save(job("a", exclusive), cron("t", e.now))
		claimed := e.acquire(n, 1)
		items := e.items(claimed...)
		var got []provider.Begun
		return bout{
			first:  func() (err error) { got, err = e.beginAll(e.Store, n, items); return err },
			second: func(s provider.Store) error { return t.take(e, s) },
			judge: func(early bool) {
				oneOf(e, got[0].Outcome, "the outcome", provider.OutcomeStarted, instead)
				if early && got[0].Outcome == provider.OutcomeStarted {
					e.Errorf("the other party had returned before the commit, and the trigger started all the same")
				}
				runs := 0
				if got[0].Outcome == provider.OutcomeStarted {
					runs = 1
				}
				if stored := len(e.look(e.Store).runs); stored != runs {
					e.Errorf("%d runs are stored, want %d", stored, runs)
				}
				t.judge(e, runs == 1)
			},
		}
	}
}

func beginAndBegin(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive), cron("1", e.now), cron("2", e.now))
	mine, others := e.items(e.acquire(n, 1)...), e.items(e.acquire(m, 1)...)
	var a, b []provider.Begun
	return bout{
		first:  func() (err error) { a, err = e.beginAll(e.Store, n, mine); return err },
		second: func(s provider.Store) (err error) { b, err = e.beginAll(s, m, others); return err },
		judge: func(bool) {
			if got := len(started(a)) + len(started(b)); got != 1 {
				e.Errorf("the outcomes are %v and %v, want one Started", outcomes(a), outcomes(b))
			}
			oneOf(e, a[0].Outcome, "the first outcome", provider.OutcomeStarted, provider.OutcomeBlocked)
			oneOf(e, b[0].Outcome, "the second outcome", provider.OutcomeStarted, provider.OutcomeBlocked)
		},
	}
}

func blockAndComplete(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive))
	running := e.occupy(m, "a", 1)
	e.enqueue(manual("a", "x", e.now))
	items := e.items(e.acquire(n, 1)...)
	var got []provider.Begun
	return bout{
		first: func() (err error) { got, err = e.beginAll(e.Store, n, items); return err },
		second: func(s provider.Store) error {
			return e.completeAll(s, m, []provider.Completion{completion(running)})
		},
		judge: func(bool) {
			oneOf(e, got[0].Outcome, "the outcome", provider.OutcomeStarted, provider.OutcomeBlocked)
			if got[0].Outcome == provider.OutcomeStarted {
				return // the completion came first; the begin may then block the other
			}
			e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", "x"): provider.TriggerWaiting,
				manualKey("a", blockedName(0)): provider.TriggerWaiting})
		},
	}
}

func startAndBegin(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive), cron("t", e.now))
	items := e.items(e.acquire(m, 1)...)
	call := e.call("a")
	var a provider.BeginAnswer
	var b []provider.Begun
	return bout{
		first: func() (err error) {
			for {
				a, err = e.Store.Start(e.ctx, provider.StartRequest{Node: n, Runs: []provider.RunRecord{call}})
				if err != nil || a.Items[0].Outcome != provider.OutcomeHeld {
					return err
				}
			}
		},
		second: func(s provider.Store) (err error) { b, err = e.beginAll(s, m, items); return err },
		judge: func(bool) {
			if got := len(started(a.Items)) + len(started(b)); got != 1 {
				e.Errorf("the outcomes are %v and %v, want one Started", outcomes(a.Items), outcomes(b))
			}
		},
	}
}

// Duels of claim and acquire with each other and with management.
var claimDuels = []duel{
	{name: "AcquireAndAcquire", rules: []string{"R032", "R259"}, set: acquireAndAcquire,
		explanation: "two acquires share the due triggers out without a double"},
	{name: "AcquireAndPause", rules: []string{"D08", "R028"}, set: acquireAndPause,
		explanation: "a pause beside an acquire leaves each trigger claimed with the flag, or Paused"},
	{name: "AcquireAndRelease", rules: []string{"D07"}, set: acquireAndRelease,
		explanation: "a release beside an acquire gives back only its own claim"},
	{name: "ClaimAndClaim", rules: []string{"R259", "R148", "D35"}, needs: Claiming, set: claimAndClaim,
		explanation: "two claims start each due trigger once, and one of an exclusive job"},
	{name: "ClaimAndClaimWrongHints", rules: []string{"D35", "R148"}, needs: Claiming | Poking, set: claimAndClaimWrongHints,
		explanation: "two claims of an exclusive job whose triggers are hinted as concurrent start at most one run: the job row decides"},
	{name: "ClaimAndPause", rules: []string{"D08"}, needs: Claiming, set: claimAndPause,
		explanation: "a pause that has returned before the claim commits keeps the trigger from starting"},
	{name: "ClaimAndComplete", rules: []string{"R043", "D35"}, needs: Claiming, set: claimAndComplete,
		explanation: "a claim that blocks and the completion it waits for leave no Blocked trigger of a free job"},
	{name: "EnqueueAndEnqueue", rules: []string{"D38"}, set: enqueueAndEnqueue,
		explanation: "of two enqueues of one key one inserts and the other finds it"},
	{name: "EnqueueAndDelete", rules: []string{"D10", "D34"}, set: enqueueAndDelete,
		explanation: "a one-shot enqueued while its job is deleted is gone with it, or an orphan that is claimed without a job"},
}

func acquireAndAcquire(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("c"), cron("1", e.now), cron("2", e.now), cron("3", e.now))
	e.save(job("x", exclusive), cron("1", e.now))
	var a, b provider.AcquireAnswer
	first := provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 3}
	second := provider.AcquireRequest{Node: m, ClaimID: e.claimID(), Limit: 3}
	return bout{
		first:  func() (err error) { a, err = e.Store.Acquire(e.ctx, first); return err },
		second: func(s provider.Store) (err error) { b, err = s.Acquire(e.ctx, second); return err },
		judge: func(bool) {
			for k, t := range e.look(e.Store).triggers {
				got := 0
				for _, answer := range []provider.AcquireAnswer{a, b} {
					for _, c := range answer.Claimed {
						if c.Trigger.TriggerKey.String() == k {
							got++
							if c.Trigger.ClaimID != t.ClaimID {
								e.Errorf("%s was answered to claim %d and is stored with %d", k, c.Trigger.ClaimID, t.ClaimID)
							}
						}
					}
				}
				if acquired := t.State == provider.TriggerAcquired; got > 1 || acquired != (got == 1) {
					e.Errorf("%s is %v and was answered %d times", k, t.State, got)
				}
			}
			if len(a.Claimed)+len(b.Claimed) < 3 {
				e.Errorf("claimed %v and %v of 4 due triggers with limits of 3", claimedKeys(a.Claimed), claimedKeys(b.Claimed))
			}
		},
	}
}

func acquireAndPause(e *Env) bout {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	var a provider.AcquireAnswer
	r := provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 5}
	return bout{
		first:  func() (err error) { a, err = e.Store.Acquire(e.ctx, r); return err },
		second: func(s provider.Store) error { return errsOf(s.PauseJobs(e.ctx, []string{"a"})) },
		judge: func(bool) {
			for k, t := range e.look(e.Store).triggers {
				if !t.Paused || t.State != provider.TriggerPaused && t.State != provider.TriggerAcquired {
					e.Errorf("%s is %v, flag %v", k, t.State, t.Paused)
				}
			}
			for _, c := range a.Claimed {
				if t := e.trigger(c.Trigger.TriggerKey); t.State != provider.TriggerAcquired || t.ClaimID != r.ClaimID {
					e.Errorf("%v was answered as claimed and is %v", t.TriggerKey, t.State)
				}
			}
		},
	}
}

func acquireAndRelease(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	old := e.acquire(m, 1)
	var a provider.AcquireAnswer
	r := provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 5}
	return bout{
		first: func() (err error) { a, err = e.Store.Acquire(e.ctx, r); return err },
		second: func(s provider.Store) error {
			item := provider.ReleaseItem{Key: old[0].Trigger.TriggerKey, ClaimID: old[0].Trigger.ClaimID}
			_, err := s.Release(e.ctx, provider.ReleaseRequest{Node: m, Items: []provider.ReleaseItem{item}})
			return err
		},
		judge: func(bool) {
			for _, c := range a.Claimed {
				if t := e.trigger(c.Trigger.TriggerKey); t.State != provider.TriggerAcquired || t.ClaimID != r.ClaimID || t.ClaimedBy != n.ID {
					e.Errorf("%v was answered as claimed and is %+v", t.TriggerKey, t)
				}
			}
		},
	}
}

func claimAndClaim(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("c"), cron("1", e.now))
	e.enqueue(manual("c", "2", e.now))
	e.save(job("x", exclusive), cron("1", e.now), cron("2", e.now))
	first, second := e.claimRequest(n, 5, decide), e.claimRequest(m, 5, decide)
	return bout{
		first:  func() error { _, err := e.Store.(provider.Claimer).Claim(e.ctx, first); return err },
		second: func(s provider.Store) error { _, err := s.(provider.Claimer).Claim(e.ctx, second); return err },
		judge: func(bool) {
			times := map[string]int{}
			for _, r := range e.look(e.Store).runs {
				times[r.Job+"/"+r.TriggerName]++
			}
			if times["c/1"] != 1 || times["c/manual-2"] != 1 || times["x/1"]+times["x/2"] != 1 {
				e.Errorf("the runs are %v, want c/1, c/manual-2 and one of x", times)
			}
		},
	}
}

func claimAndClaimWrongHints(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("x", exclusive), cron("1", e.now), cron("2", e.now))
	for _, name := range []string{"1", "2"} {
		e.Poke(e.T, Row{TableTrigger, "x/" + name}, "is_exclusive", int64(0))
	}
	first, second := e.claimRequest(n, 1, decide), e.claimRequest(m, 1, decide)
	return bout{
		first:  func() error { _, err := e.Store.(provider.Claimer).Claim(e.ctx, first); return err },
		second: func(s provider.Store) error { _, err := s.(provider.Claimer).Claim(e.ctx, second); return err },
		judge: func(bool) {
			if runs := len(e.look(e.Store).runs); runs > 1 {
				e.Errorf("%d runs of an exclusive job started, want at most one", runs)
			}
		},
	}
}

func claimAndPause(e *Env) bout {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	r := e.claimRequest(n, 5, decide)
	var a provider.ClaimAnswer
	return bout{
		first:  func() (err error) { a, err = e.Store.(provider.Claimer).Claim(e.ctx, r); return err },
		second: func(s provider.Store) error { return errsOf(s.PauseJobs(e.ctx, []string{"a"})) },
		judge: func(early bool) {
			begun := len(started(a.Items))
			if early && begun > 0 {
				e.Errorf("the pause had returned before the commit, and the trigger started all the same")
			}
			if stored := len(e.look(e.Store).runs); stored != begun {
				e.Errorf("%d runs are stored, %d started", stored, begun)
			}
			pausing.judge(e, begun > 0)
		},
	}
}

func claimAndComplete(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a", exclusive))
	running := e.occupy(m, "a", 1)
	e.enqueue(manual("a", "x", e.now))
	r := e.claimRequest(n, 5, decide)
	return bout{
		first: func() error { _, err := e.Store.(provider.Claimer).Claim(e.ctx, r); return err },
		second: func(s provider.Store) error {
			return e.completeAll(s, m, []provider.Completion{completion(running)})
		},
		judge: func(bool) {
			if r := e.run(running.Run.ID); r.State != provider.RunSucceeded {
				e.Errorf("the run is %v", r.State)
			}
		},
	}
}

func enqueueAndEnqueue(e *Env) bout {
	e.save(job("a"))
	shot := []provider.TriggerRecord{manual("a", "x", e.now)}
	var a, b []provider.EnqueueAnswer
	return bout{
		first:  func() (err error) { a, err = e.Store.Enqueue(e.ctx, shot); return err },
		second: func(s provider.Store) (err error) { b, err = s.Enqueue(e.ctx, shot); return err },
		judge: func(bool) {
			if a[0].Err != nil || b[0].Err != nil || a[0].Existed == b[0].Existed {
				e.Errorf("the answers are %+v and %+v, want one inserted, one existed", a, b)
			}
		},
	}
}

func enqueueAndDelete(e *Env) bout {
	n := e.node("n")
	e.save(job("a", exclusive))
	shot := []provider.TriggerRecord{manual("a", "x", e.now)}
	var a []provider.EnqueueAnswer
	return bout{
		first:  func() (err error) { a, err = e.Store.Enqueue(e.ctx, shot); return err },
		second: func(s provider.Store) error { return errsOf(s.DeleteJobs(e.ctx, []string{"a"})) },
		judge: func(bool) {
			e.is(ignoring(a[0].Err, provider.ErrJobNotFound), nil, "the answer")
			for _, c := range e.acquire(n, 5) {
				equal(e, c.Job, provider.JobRecord{}, "the orphan's job")
				e.beginWith(n, decide, c)
			}
			if s := e.look(e.Store); len(s.triggers)+len(s.runs) != 0 {
				e.Errorf("after the orphan's begin there are %v", s.effect())
			}
		},
	}
}
