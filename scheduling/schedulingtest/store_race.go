package schedulingtest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases in which several goroutines, each with a handle of its own, do the same
// at once. They judge what comes out, never how long it takes.
var raceCases = []Case{
	{Name: "RaceForTriggers", Rules: []string{"R007", "R259", "B102"},
		Explanation: "four workers share out a backlog by acquire and begin: each one-shot runs once",
		Run:         func(e *Env) { raceForTriggers(e, (*Env).acquireAndBegin) }},
	{Name: "RaceForTriggersClaim", Rules: []string{"R007", "R259"}, Needs: Claiming,
		Explanation: "the same by claim",
		Run:         func(e *Env) { raceForTriggers(e, (*Env).claimOnce) }},
	{Name: "RaceForExclusiveJobs", Rules: []string{"R148", "R033", "B103", "D35"},
		Explanation: "four workers on three exclusive jobs by acquire and begin: no job runs twice at once, each one-shot runs once",
		Run:         func(e *Env) { raceForExclusiveJobs(e, (*Env).acquireAndBegin) }},
	{Name: "RaceForExclusiveJobsClaim", Rules: []string{"R148", "R033", "B103", "D35"}, Needs: Claiming,
		Explanation: "the same by claim",
		Run:         func(e *Env) { raceForExclusiveJobs(e, (*Env).claimOnce) }},
	{Name: "RaceWithManagement", Rules: []string{"D08", "D12", "D23", "B109"},
		Explanation: "workers run while jobs are paused, resumed, replaced and swept: nothing is lost, doubled or left",
		Run:         raceWithManagement},
	{Name: "RaceToEnqueue", Rules: []string{"D38"},
		Explanation: "of many enqueues of one key at once one inserts and the others find it",
		Run:         raceToEnqueue},
	{Name: "RaceToSave", Rules: []string{"D28", "B158"},
		Explanation: "of many first saves of one job at once one saves, the others find it, none fails",
		Run:         raceToSave},
	{Name: "RaceToRegister", Rules: []string{"D06"},
		Explanation: "of many registrations of one id at once one registers and the others find its row",
		Run:         raceToRegister},
	{Name: "RaceOfConvictAndHeartbeat", Rules: []string{"D04", "D26", "B137"},
		Explanation: "of a conviction and a heartbeat at once one wins: a node is alive or convicted, not both and not neither",
		Run:         raceOfConvictAndHeartbeat},
	{Name: "RaceOfSweepAndCompletion", Rules: []string{"B136", "D05"}, Needs: Sharing,
		Explanation: "of sweeps and a completion at once one ends the run; it is recovered exactly if it was lost",
		Run:         raceOfSweepAndCompletion},
}

const workers = 4

// handles returns stores to race with, different handles where there are some.
func (e *Env) handles(count int) []provider.Store {
	e.Helper()
	out := []provider.Store{e.Store}
	for len(out) < count {
		if e.Open != nil {
			out = append(out, e.Open(e.T))
		} else {
			out = append(out, e.Store)
		}
	}
	return out
}

// together runs f in one goroutine per handle, at once, and waits for all.
func (e *Env) together(stores []provider.Store, f func(i int, s provider.Store) error) {
	e.Helper()
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, len(stores))
	for i, s := range stores {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			errs[i] = caught(func() error { return f(i, s) })
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	e.must(errors.Join(errs...), "racing")
}

// patient calls f again while it says that it lost every race.
func (e *Env) patient(f func() error) error {
	for {
		err := f()
		var coded *provider.Error
		if errors.As(err, &coded) && coded.Reason == provider.ReasonContention && e.ctx.Err() == nil {
			continue
		}
		return err
	}
}

// begin is a way to begin what is due on a handle.
type beginner func(e *Env, s provider.Store, n provider.NodeRef, limit int) ([]provider.Begun, error)

func (e *Env) acquireAndBegin(s provider.Store, n provider.NodeRef, limit int) ([]provider.Begun, error) {
	a, err := s.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: limit})
	if err != nil || len(a.Claimed) == 0 {
		return nil, err
	}
	return e.beginAll(s, n, e.items(a.Claimed...))
}

// beginAll begins items, those that are held again.
func (e *Env) beginAll(s provider.Store, n provider.NodeRef, items []provider.BeginItem) ([]provider.Begun, error) {
	var out []provider.Begun
	for len(items) > 0 {
		var b provider.BeginAnswer
		err := e.patient(func() (err error) {
			b, err = s.Begin(e.ctx, provider.BeginRequest{Node: n, Items: items, Decide: decide})
			return err
		})
		if err != nil {
			return nil, err
		}
		var held []provider.BeginItem
		for i, begun := range b.Items {
			switch begun.Outcome {
			case provider.OutcomeHeld, provider.OutcomeConflict, provider.OutcomeLeft:
				held = append(held, items[i])
			default:
				out = append(out, begun)
			}
		}
		items = held
	}
	return out, nil
}

func (e *Env) claimOnce(s provider.Store, n provider.NodeRef, limit int) ([]provider.Begun, error) {
	r := e.claimRequest(n, limit, decide)
	a, err := s.(provider.Claimer).Claim(e.ctx, r)
	if err != nil {
		return nil, err
	}
	for i := range a.Items {
		if a.Items[i].After.State == provider.TriggerAcquired {
			a.Items[i].Trigger.ClaimID = r.ClaimID
		}
	}
	return a.Items, nil
}

// completeAll ends runs, those that are held again.
func (e *Env) completeAll(s provider.Store, n provider.NodeRef, items []provider.Completion) error {
	for len(items) > 0 {
		var a provider.CompleteAnswer
		err := e.patient(func() (err error) {
			a, err = s.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: items})
			return err
		})
		if err != nil {
			return err
		}
		var held []provider.Completion
		for i, done := range a.Items {
			switch done.Outcome {
			case provider.OutcomeDone:
			case provider.OutcomeHeld:
				held = append(held, items[i])
			default:
				return fmt.Errorf("completion of %s answers %v", items[i].RunID, done.Outcome)
			}
		}
		items = held
	}
	return nil
}

// work lets workers run what is due until nothing is left, and calls running
// around each run.
func (e *Env) work(begin beginner, limit int, idle func() bool, running func(r provider.RunRecord, delta int32)) {
	e.Helper()
	stores := e.handles(workers)
	var refs []provider.NodeRef
	for i := range stores {
		refs = append(refs, e.node(fmt.Sprintf("worker-%d", i)))
	}
	e.together(stores, func(i int, s provider.Store) error {
		for e.ctx.Err() == nil {
			var items []provider.Begun
			err := e.patient(func() (err error) {
				items, err = begin(e, s, refs[i], limit)
				return err
			})
			if err != nil {
				return err
			}
			var ends []provider.Completion
			for _, b := range started(items) {
				running(b.Run, 1)
				ends = append(ends, completion(b))
			}
			for _, b := range started(items) {
				running(b.Run, -1)
			}
			if err := e.completeAll(s, refs[i], ends); err != nil {
				return err
			}
			if len(items) == 0 && idle() {
				return nil
			}
		}
		return e.ctx.Err()
	})
}

// nothingLeft reports whether no one-shot is there any more.
func (e *Env) nothingLeft() bool {
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{Limit: 1})
	return err == nil && len(list) == 0
}

// ranOnce fails the case unless each of so many one-shots ran exactly once.
func (e *Env) ranOnce(want int) {
	e.Helper()
	times := map[provider.TriggerKey]int{}
	for _, r := range e.look(e.Store).runs {
		times[key(r.Job, r.TriggerName)]++
		if r.State != provider.RunSucceeded {
			e.Errorf("run %s of %s ended %v", r.ID, r.TriggerName, r.State)
		}
	}
	for k, n := range times {
		if n != 1 {
			e.Errorf("%v ran %d times, want once", k, n)
		}
	}
	if len(times) != want {
		e.Errorf("%d one-shots ran, want %d", len(times), want)
	}
}

func raceForTriggers(e *Env, begin beginner) {
	const shots = 60
	e.save(job("a"))
	var batch []provider.TriggerRecord
	for i := range shots {
		batch = append(batch, manual("a", fmt.Sprintf("%03d", i), e.now))
	}
	e.enqueue(batch...)
	e.work(begin, 7, e.nothingLeft, func(provider.RunRecord, int32) {})
	e.ranOnce(shots)
}

// overlaps counts the runs of each job and says where two overlapped.
type overlaps struct {
	count [3]atomic.Int32
	most  [3]atomic.Int32
}

func (o *overlaps) running(r provider.RunRecord, delta int32) {
	i := r.Job[0] - 'a'
	if n := o.count[i].Add(delta); n > o.most[i].Load() {
		o.most[i].Store(n)
	}
}

func exclusiveBacklog(e *Env, each int) {
	var batch []provider.TriggerRecord
	for _, name := range []string{"a", "b", "c"} {
		e.save(job(name, exclusive))
		for i := range each {
			batch = append(batch, manual(name, fmt.Sprintf("%03d", i), e.now))
		}
	}
	e.enqueue(batch...)
}

func raceForExclusiveJobs(e *Env, begin beginner) {
	const each = 8
	exclusiveBacklog(e, each)
	var seen overlaps
	e.work(begin, 5, e.nothingLeft, seen.running)
	for i := range seen.most {
		if n := seen.most[i].Load(); n != 1 {
			e.Errorf("of job %c up to %d runs ran at once, want 1", 'a'+i, n)
		}
	}
	e.ranOnce(3 * each)
}

func raceWithManagement(e *Env) {
	const each = 6
	exclusiveBacklog(e, each)
	var seen overlaps
	begin := beginner((*Env).acquireAndBegin)
	if capabilities(e.Subject)&Claiming != 0 {
		begin = (*Env).claimOnce
	}
	manager := e.handles(2)[1]
	names := []string{"a", "b", "c"}
	var rounds atomic.Int32
	var wait sync.WaitGroup
	var failed error
	wait.Go(func() {
		for round := range 6 {
			rounds.Add(1)
			for _, f := range []func() error{
				func() error { _, err := manager.PauseJobs(e.ctx, names); return err },
				func() error {
					_, err := manager.SaveJobs(e.ctx, []provider.SaveItem{item(job(names[round%3], exclusive))})
					return err
				},
				func() error { _, err := manager.ResumeJobs(e.ctx, names); return err },
				func() error {
					_, err := manager.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
					return err
				},
			} {
				failed = errors.Join(failed, e.patient(f))
			}
		}
		rounds.Add(1000)
	})
	e.work(begin, 5, func() bool { return rounds.Load() > 1000 && e.nothingLeft() }, seen.running)
	wait.Wait()
	e.must(failed, "managing")
	for i := range seen.most {
		if n := seen.most[i].Load(); n != 1 {
			e.Errorf("of job %c up to %d runs ran at once, want 1", 'a'+i, n)
		}
	}
	e.ranOnce(3 * each)
}

func raceToEnqueue(e *Env) {
	e.save(job("a"))
	var inserted, existed atomic.Int32
	e.together(e.handles(6), func(_ int, s provider.Store) error {
		for _, name := range []string{"x", "y", "z"} {
			a, err := s.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", name, e.now)})
			switch {
			case err != nil:
				return err
			case a[0].Err != nil:
				return a[0].Err
			case a[0].Existed:
				existed.Add(1)
			default:
				inserted.Add(1)
			}
		}
		return nil
	})
	if inserted.Load() != 3 || existed.Load() != 15 {
		e.Errorf("%d were inserted, %d existed; want 3 and 15", inserted.Load(), existed.Load())
	}
}

func raceToSave(e *Env) {
	var saved atomic.Int32
	e.together(e.handles(6), func(_ int, s provider.Store) error {
		first := item(job("a", exclusive), cron("t", Start.Add(time.Hour)))
		second := item(job("b"), cron("t", Start.Add(time.Hour)), cron("u", Start.Add(time.Hour)))
		first.Condition, second.Condition = provider.IfAbsent, provider.IfAbsent
		a, err := s.SaveJobs(e.ctx, []provider.SaveItem{first, second})
		for _, answer := range a {
			if answer.Saved {
				saved.Add(1)
			} else if answer.Before.Name == "" {
				return errors.New("a save that was not done does not name the job it found")
			}
		}
		return err
	})
	if saved.Load() != 2 {
		e.Errorf("%d saves were done, want one of each job", saved.Load())
	}
	if s := e.look(e.Store); len(s.jobs) != 2 || len(s.triggers) != 3 {
		e.Errorf("%d jobs, %d triggers; want 2, 3", len(s.jobs), len(s.triggers))
	}
}

func raceToRegister(e *Env) {
	var registered atomic.Int32
	var refs [6]provider.NodeRef
	e.together(e.handles(6), func(i int, s provider.Store) error {
		a, err := s.Register(e.ctx, provider.RegisterRequest{Node: node("n")})
		if a.Registered {
			registered.Add(1)
		}
		refs[i] = a.Node.NodeRef
		return err
	})
	if registered.Load() != 1 {
		e.Errorf("%d registered, want 1", registered.Load())
	}
	for i, ref := range refs {
		if ref != refs[0] || ref.ID != "n" {
			e.Errorf("registration %d answers %+v, the first %+v", i, ref, refs[0])
		}
	}
}

func raceOfConvictAndHeartbeat(e *Env) {
	for range 6 {
		e.fresh()
		n := e.node("n")
		e.advance(time.Hour)
		judged := e.row("n")
		var convicted, alive atomic.Bool
		e.together(e.handles(2), func(i int, s provider.Store) error {
			if i == 0 {
				got, err := s.Convict(e.ctx, judged)
				convicted.Store(got)
				return err
			}
			a, err := s.Heartbeat(e.ctx, n)
			alive.Store(a.Alive)
			return err
		})
		if rows := len(e.look(e.Store).nodes); convicted.Load() == alive.Load() || rows == 1 != alive.Load() {
			e.Errorf("convicted is %v, alive %v, with %d rows", convicted.Load(), alive.Load(), rows)
		}
	}
}

func raceOfSweepAndCompletion(e *Env) {
	for range 6 {
		e.fresh()
		n := e.node("n")
		e.save(job("a", exclusive, recovers), every("t", e.now))
		b := e.startOne(n)
		e.kill(n)
		var done provider.Outcome
		var lost atomic.Int32
		e.together(e.handles(3), func(i int, s provider.Store) error {
			for {
				if i == 0 {
					a, err := s.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{completion(b)}})
					if err != nil || a.Items[0].Outcome != provider.OutcomeHeld {
						done = a.Items[0].Outcome
						return err
					}
					continue
				}
				a, err := s.Sweep(e.ctx, provider.SweepRequest{Recover: recovery})
				lost.Add(int32(len(a.Lost)))
				if err != nil || !a.More {
					return err
				}
			}
		})
		_, recovered := e.lookTrigger(key("a", provider.PrefixRecovery+b.Run.ID))
		state := e.run(b.Run.ID).State
		if ended := done == provider.OutcomeDone; ended == (lost.Load() == 1) || lost.Load() > 1 ||
			ended != (state == provider.RunSucceeded) || ended == recovered {
			e.Errorf("the completion answers %v, %d sweeps lost the run, it is %v, recovered is %v", done, lost.Load(), state, recovered)
		}
	}
}
