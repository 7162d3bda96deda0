package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Duels of saves with each other and with what runs.
var saveDuels = []duel{
	{name: "SaveAndSave", rules: []string{"R105", "R106", "D28"}, set: saveAndSave,
		explanation: "of two saves of one job both are done, the later one whole"},
	{name: "SaveNewAndSaveNew", rules: []string{"R105", "D28", "B158"}, set: saveNewAndSaveNew,
		explanation: "of two first saves of one job with IfAbsent one is done and the other finds it"},
	{name: "SaveIfVersionAndSave", rules: []string{"D22", "D28"}, set: saveIfVersionAndSave,
		explanation: "a save on a version and a save meanwhile: the first is done only if it came first"},
	{name: "SaveExclusiveAndStart", rules: []string{"D12"}, allow: ManyRunning, set: saveExclusiveAndStart,
		explanation: "a job that becomes exclusive while a run of it starts is occupied if the run came first"},
	{name: "SaveExclusiveAndBegin", rules: []string{"D12", "R033"}, set: exclusiveDuel((*Env).beginClaimed, true),
		explanation: "a job that becomes exclusive while a claimed trigger of it begins is occupied by the run that began"},
	{name: "BeginAndSaveExclusive", rules: []string{"D12", "R033"}, set: exclusiveDuel((*Env).beginClaimed, false),
		explanation: "the same the other way round"},
	{name: "SaveExclusiveAndClaim", rules: []string{"D12", "R033"}, needs: Claiming, set: exclusiveDuel((*Env).claimAll, true),
		explanation: "a job that becomes exclusive while a trigger of it is claimed and begun is occupied by the run that began"},
	{name: "ClaimAndSaveExclusive", rules: []string{"D12", "R033"}, needs: Claiming, set: exclusiveDuel((*Env).claimAll, false),
		explanation: "the same the other way round"},
	{name: "PauseAndAdd", rules: []string{"D08", "D11"}, set: pauseAndAdd,
		explanation: "a trigger that is added while its job is paused is Paused in the end"},
	{name: "ResumeAndPause", rules: []string{"D08"}, set: resumeAndPause,
		explanation: "of a pause and a resume the later one holds, for the job and all its triggers alike"},
	{name: "RescheduleAndPause", rules: []string{"D43", "D08"}, set: rescheduleAndPause,
		explanation: "a trigger that is moved while it is paused is Paused in the end"},
}

func described(text string, triggers ...provider.TriggerRecord) []provider.SaveItem {
	return []provider.SaveItem{item(job("a", func(j *provider.JobRecord) { j.Description = text }), triggers...)}
}

func saveAndSave(e *Env) bout {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("old", at))
	return bout{
		first: func() error { _, err := e.Store.SaveJobs(e.ctx, described("one", cron("one", at))); return err },
		second: func(s provider.Store) error {
			_, err := s.SaveJobs(e.ctx, described("two", cron("two", at)))
			return err
		},
		judge: func(bool) {
			list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
			e.must(err, "ListTriggers")
			oneOf(e, fmt.Sprint(e.job("a").Description, keysOf(list)), "the job", "one[a/one]", "two[a/two]")
		},
	}
}

func saveNewAndSaveNew(e *Env) bout {
	at := e.now.Add(time.Hour)
	one, two := described("one", cron("t", at)), described("two", cron("t", at), cron("u", at))
	one[0].Condition, two[0].Condition = provider.IfAbsent, provider.IfAbsent
	var a, b []provider.SaveAnswer
	return bout{
		first:  func() (err error) { a, err = e.Store.SaveJobs(e.ctx, one); return err },
		second: func(s provider.Store) (err error) { b, err = s.SaveJobs(e.ctx, two); return err },
		judge: func(bool) {
			list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
			e.must(err, "ListTriggers")
			oneOf(e, fmt.Sprint(a[0].Saved, b[0].Saved, e.job("a").Description, keysOf(list)), "the outcome",
				"true falseone[a/t]", "false truetwo[a/t a/u]")
		},
	}
}

func saveIfVersionAndSave(e *Env) bout {
	e.save(job("a"))
	one := described("one")
	one[0].Condition, one[0].Version = provider.IfVersion, e.job("a").Version
	var a []provider.SaveAnswer
	return bout{
		first:  func() (err error) { a, err = e.Store.SaveJobs(e.ctx, one); return err },
		second: func(s provider.Store) error { _, err := s.SaveJobs(e.ctx, described("two")); return err },
		judge: func(early bool) {
			if early && a[0].Saved {
				e.Errorf("the other save had returned before the commit, and the version was still found")
			}
			if got := e.job("a").Description; got != "two" {
				e.Errorf("the job is %q, want two: the save without a condition is never undone", got)
			}
		},
	}
}

func saveExclusiveAndStart(e *Env) bout {
	n := e.node("n")
	e.save(job("a"))
	call := e.call("a")
	var b provider.BeginAnswer
	return bout{
		first: func() error {
			_, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{item(job("a", exclusive))})
			return err
		},
		second: func(s provider.Store) (err error) {
			for {
				b, err = s.Start(e.ctx, provider.StartRequest{Node: n, Runs: []provider.RunRecord{call}})
				if err != nil || b.Items[0].Outcome != provider.OutcomeHeld {
					return err
				}
			}
		},
		judge: func(early bool) {
			if got := b.Items[0].Outcome; got != provider.OutcomeStarted {
				e.Errorf("the start answers %v, want Started", got)
			}
			if got := e.job("a").ActiveRunID; got != call.ID {
				e.Errorf("the exclusive job with run %s Running is occupied by %q", call.ID, got)
			}
		},
	}
}

func pauseAndAdd(e *Env) bout {
	e.save(job("a"), cron("old", e.now.Add(time.Hour)))
	added := cron("new", e.now.Add(time.Hour))
	added.Job = "a"
	return bout{
		first: func() error { return errsOf(e.Store.PauseJobs(e.ctx, []string{"a"})) },
		second: func(s provider.Store) error {
			return errsOf(s.AddTriggers(e.ctx, []provider.TriggerRecord{added}))
		},
		judge: func(bool) {
			e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "old"): provider.TriggerPaused, key("a", "new"): provider.TriggerPaused})
		},
	}
}

func resumeAndPause(e *Env) bout {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("1", at), cron("2", at), cron("3", at))
	e.all(e.Store.PauseJobs(e.ctx, []string{"a"}))
	return bout{
		first:  func() error { return errsOf(e.Store.ResumeJobs(e.ctx, []string{"a"})) },
		second: func(s provider.Store) error { return errsOf(s.PauseJobs(e.ctx, []string{"a"})) },
		judge: func(bool) {
			s := e.look(e.Store)
			for k, t := range s.triggers {
				if t.Paused != s.jobs["a"].Paused {
					e.Errorf("the job's flag is %v, that of %s %v", s.jobs["a"].Paused, k, t.Paused)
				}
			}
		},
	}
}

func rescheduleAndPause(e *Env) bout {
	e.save(job("a"), cron("t", e.now.Add(time.Hour)))
	move := []provider.RescheduleItem{{Key: key("a", "t"), Version: e.trigger(key("a", "t")).Version, Next: waiting(e.now.Add(2 * time.Hour))}}
	return bout{
		first: func() error { _, err := e.Store.Reschedule(e.ctx, move); return err },
		second: func(s provider.Store) error {
			return errsOf(s.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "t")}))
		},
		judge: func(bool) {
			e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "t"): provider.TriggerPaused})
		},
	}
}

// Duels around the node table and the sweep.
var nodeDuels = []duel{
	{name: "SweepAndSweep", rules: []string{"D04", "B143"}, set: sweepAndSweep,
		explanation: "two sweeps declare each run lost once and recover it once"},
	{name: "SweepAndNewClaim", rules: []string{"D04", "D06", "D07"}, set: sweepAndNewClaim,
		explanation: "a claim that a living node took after another sweep returned it is not swept"},
	{name: "SweepAndPause", rules: []string{"D08", "D11", "B161"}, set: sweepAndPause,
		explanation: "a pause beside a sweep leaves what was returned and what was recovered Paused"},
	{name: "SweepAndDelete", rules: []string{"D04", "B174"}, set: sweepAndDelete,
		explanation: "a job deleted beside a sweep stays deleted, with its triggers and its recovery"},
	{name: "RegisterAndRegister", rules: []string{"D06"}, set: registerAndRegister,
		explanation: "of two processes that take over one id one registers and the other finds its row"},
	{name: "ConvictAndHeartbeat", rules: []string{"D04", "D26"}, set: convictAndHeartbeat,
		explanation: "of a conviction and a heartbeat one wins"},
	{name: "HeartbeatAndConvict", rules: []string{"D04", "D26", "B137"}, set: heartbeatAndConvict,
		explanation: "the same the other way round"},
	{name: "BeginAndSweep", rules: []string{"D06", "D04"}, set: beginAndSweep,
		explanation: "a sweep beside a begin of the convicted node returns the claim, or finds the run in the next pass"},
}

func sweepInto(e *Env, s func() provider.Store, a *[]provider.SweepAnswer) func() error {
	return func() error {
		*a = nil
		for {
			got, err := s().Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
			*a = append(*a, got)
			if err != nil || !got.More {
				return err
			}
		}
	}
}

func sweepAndSweep(e *Env) bout {
	n, b := flying(e, recovers)
	e.kill(n)
	var mine, others []provider.SweepAnswer
	return bout{
		first:  sweepInto(e, func() provider.Store { return e.Store }, &mine),
		second: func(s provider.Store) error { return sweepInto(e, func() provider.Store { return s }, &others)() },
		judge: func(bool) {
			lostRuns, recovered := 0, 0
			for _, a := range append(mine, others...) {
				lostRuns, recovered = lostRuns+len(a.Lost), recovered+len(a.Recovered)
			}
			if lostRuns != 1 || recovered != 1 {
				e.Errorf("the sweeps lost %d runs and recovered %d, want 1 and 1", lostRuns, recovered)
			}
			e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "t"): provider.TriggerWaiting,
				key("a", provider.PrefixRecovery+b.Run.ID): provider.TriggerWaiting})
		},
	}
}

func sweepAndNewClaim(e *Env) bout {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	e.acquire(n, 5)
	e.kill(n)
	var mine, others []provider.SweepAnswer
	var claimed provider.AcquireAnswer
	r := provider.AcquireRequest{Node: m, ClaimID: e.claimID(), Limit: 5}
	return bout{
		first: sweepInto(e, func() provider.Store { return e.Store }, &mine),
		second: func(s provider.Store) (err error) {
			if err = sweepInto(e, func() provider.Store { return s }, &others)(); err != nil {
				return err
			}
			claimed, err = s.Acquire(e.ctx, r)
			return err
		},
		judge: func(bool) {
			for _, c := range claimed.Claimed {
				if t := e.trigger(c.Trigger.TriggerKey); t.State != provider.TriggerAcquired || t.ClaimID != r.ClaimID {
					e.Errorf("%v was claimed by a living node and is %v", t.TriggerKey, t.State)
				}
			}
		},
	}
}

func sweepAndPause(e *Env) bout {
	n, b := flying(e, recovers)
	e.kill(n)
	var a []provider.SweepAnswer
	return bout{
		first:  sweepInto(e, func() provider.Store { return e.Store }, &a),
		second: func(s provider.Store) error { return errsOf(s.PauseJobs(e.ctx, []string{"a"})) },
		judge: func(bool) {
			e.sweep(100, recovery)
			e.states(map[provider.TriggerKey]provider.TriggerState{key("a", "t"): provider.TriggerPaused,
				key("a", provider.PrefixRecovery+b.Run.ID): provider.TriggerPaused})
		},
	}
}

func sweepAndDelete(e *Env) bout {
	n, b := flying(e, recovers)
	e.kill(n)
	var a []provider.SweepAnswer
	return bout{
		first:  sweepInto(e, func() provider.Store { return e.Store }, &a),
		second: func(s provider.Store) error { return deleting.take(e, s) },
		judge: func(bool) {
			e.sweep(100, recovery)
			deleting.judge(e, true)
			if r := e.run(b.Run.ID); r.State != provider.RunLost {
				e.Errorf("the run is %v, want Lost", r.State)
			}
		},
	}
}

func registerAndRegister(e *Env) bout {
	e.node("n")
	e.advance(time.Hour)
	judged := e.row("n")
	var a, b provider.RegisterAnswer
	request := provider.RegisterRequest{Node: node("n"), Replace: &judged}
	return bout{
		first:  func() (err error) { a, err = e.Store.Register(e.ctx, request); return err },
		second: func(s provider.Store) (err error) { b, err = s.Register(e.ctx, request); return err },
		judge: func(bool) {
			if a.Registered == b.Registered || a.Node.NodeRef != b.Node.NodeRef {
				e.Errorf("the answers are %+v and %+v, want one registered, and the other to find its row", a, b)
			}
		},
	}
}

func convictAndHeartbeat(e *Env) bout { return heartbeatDuel(e, true) }
func heartbeatAndConvict(e *Env) bout { return heartbeatDuel(e, false) }

func heartbeatDuel(e *Env, convictFirst bool) bout {
	n := e.node("n")
	e.advance(time.Hour)
	judged := e.row("n")
	convicted, alive := false, false
	convict := func(s provider.Store) (err error) { convicted, err = s.Convict(e.ctx, judged); return err }
	beat := func(s provider.Store) error {
		a, err := s.Heartbeat(e.ctx, n)
		alive = a.Alive
		return err
	}
	b := bout{first: func() error { return beat(e.Store) }, second: convict, judge: func(bool) {
		if convicted == alive || len(e.look(e.Store).nodes) == 1 != alive {
			e.Errorf("convicted is %v, alive %v", convicted, alive)
		}
	}}
	if convictFirst {
		b.first, b.second = func() error { return convict(e.Store) }, beat
	}
	return b
}

func beginAndSweep(e *Env) bout {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	items := e.items(e.acquire(n, 1)...)
	e.kill(n)
	var got []provider.Begun
	var swept []provider.SweepAnswer
	return bout{
		first:  func() (err error) { got, err = e.beginAll(e.Store, n, items); return err },
		second: func(s provider.Store) error { return sweepInto(e, func() provider.Store { return s }, &swept)() },
		judge: func(bool) {
			e.sweep(100, recovery)
			oneOf(e, got[0].Outcome, "the outcome", provider.OutcomeStarted, provider.OutcomeGone)
			s := e.look(e.Store)
			if t := s.triggers["a/t"]; t.State != provider.TriggerWaiting || s.jobs["a"].ActiveRunID != "" {
				e.Errorf("after another sweep the trigger is %v, the job is occupied by %q", t.State, s.jobs["a"].ActiveRunID)
			}
			for id, r := range s.runs {
				if r.State != provider.RunLost {
					e.Errorf("run %s of the convicted node is %v, want Lost", id, r.State)
				}
			}
		},
	}
}
