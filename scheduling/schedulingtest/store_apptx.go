package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of enqueuing within the application's transaction (D34).
var appTxCases = []Case{
	{Name: "AppTxCommits", Rules: []string{"D34", "D38"}, Needs: AppTransactions,
		Explanation: "what was enqueued in an application's transaction is there once it commits, and runs once",
		Run:         appTxCommits},
	{Name: "AppTxRollsBack", Rules: []string{"D34"}, Needs: AppTransactions,
		Explanation: "what was enqueued in a transaction that rolls back was never there",
		Run:         appTxRollsBack},
	{Name: "AppTxAnswers", Rules: []string{"D34", "D38", "R227"}, Needs: AppTransactions,
		Explanation: "unknown jobs and taken keys are answered per item, and the application's transaction goes on",
		Run:         appTxAnswers},
	{Name: "AppTxStaysOpen", Rules: []string{"D34", "D23", "B110"}, Needs: AppTransactions | ManyWriters,
		Explanation: "while an application's transaction that has enqueued stays open, its job is managed, run, deleted and saved again",
		Run:         appTxStaysOpen},
	{Name: "AppTxOrphan", Rules: []string{"D34", "D10"}, Needs: AppTransactions | ManyWriters,
		Explanation: "a one-shot whose job was deleted before its transaction committed is claimed without a job, and deleted",
		Run:         appTxOrphan},
	{Name: "AppTxOrphanClaim", Rules: []string{"D34", "D10"}, Needs: AppTransactions | ManyWriters | Claiming,
		Explanation: "the same through Claim",
		Run:         appTxOrphanClaim},
	{Name: "AppTxSameKey", Rules: []string{"D34", "D38"}, Needs: AppTransactions | ManyWriters,
		Explanation: "a key enqueued in an open transaction and by the store itself is inserted once",
		Run:         appTxSameKey},
}

func (e *Env) enqueueIn(tx AppTx, triggers ...provider.TriggerRecord) []provider.EnqueueAnswer {
	e.Helper()
	a, err := tx.Enqueue(e.ctx, triggers)
	e.must(err, "Enqueue in the application's transaction")
	if len(a) != len(triggers) {
		e.Fatalf("%d answers, want %d", len(a), len(triggers))
	}
	return a
}

func appTxCommits(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	tx := e.InTx(e.T)
	want := manual("a", "x", time.Time{}, data(`{"x":1}`))
	equal(e, e.enqueueIn(tx, want), []provider.EnqueueAnswer{{Key: want.TriggerKey, DueAt: e.now}}, "the answer")
	e.must(tx.Commit(), "Commit")
	if t := e.trigger(want.TriggerKey); !t.Exclusive || t.State != provider.TriggerWaiting || t.Data != want.Data || !t.NextFireAt.Equal(e.now) {
		e.Errorf("the one-shot is %+v", t)
	}
	if ran := e.drain(n, 5); len(ran) != 1 {
		e.Errorf("%d runs, want 1", len(ran))
	}
}

func appTxRollsBack(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	tx := e.InTx(e.T)
	e.enqueueIn(tx, manual("a", "x", e.now), manual("a", "y", e.now))
	e.must(tx.Rollback(), "Rollback")
	if ran := e.drain(n, 5); len(ran) != 0 || len(e.look(e.Store).triggers) != 0 {
		e.Errorf("%d runs of what was rolled back", len(ran))
	}
}

func appTxAnswers(e *Env) {
	e.save(job("a"))
	e.enqueue(manual("a", "taken", e.now.Add(time.Hour)))
	tx := e.InTx(e.T)
	a := e.enqueueIn(tx, manual("none", "x", e.now), manual("a", "taken", e.now), manual("a", "new", e.now))
	e.is(a[0].Err, provider.ErrJobNotFound, "the unknown job")
	equal(e, a[1:], []provider.EnqueueAnswer{{Key: manualKey("a", "taken"), DueAt: e.now.Add(time.Hour), Existed: true},
		{Key: manualKey("a", "new"), DueAt: e.now}}, "the other answers")
	again := e.enqueueIn(tx, manual("a", "new", e.now))
	if !again[0].Existed {
		e.Errorf("the same key again in the transaction is answered %+v, want Existed", again[0])
	}
	e.must(tx.Commit(), "Commit")
	e.trigger(manualKey("a", "new"))
}

func appTxStaysOpen(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), every("t", e.now))
	tx := e.InTx(e.T)
	e.enqueueIn(tx, manual("a", "x", e.now))
	for _, f := range []func() ([]error, error){
		func() ([]error, error) { return e.Store.PauseJobs(e.ctx, []string{"a"}) },
		func() ([]error, error) { return e.Store.ResumeJobs(e.ctx, []string{"a"}) },
	} {
		errs, err := f()
		e.each(errs, err, nil)
	}
	e.save(job("a", exclusive), every("t", e.now))
	claimed := e.acquire(n, 5)
	equal(e, claimedKeys(claimed), []string{"a/t"}, "the claims beside the open transaction")
	begun := e.beginWith(n, decide, claimed...)
	e.enqueue(manual("a", "y", e.now))
	e.pass(n, 5)
	e.finish(n, begun...)
	e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", "y"): provider.TriggerWaiting})
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.save(job("a", exclusive), every("t", e.now.Add(time.Hour)))
	if _, err := e.Store.Due(e.ctx, provider.DueRequest{}); err != nil {
		e.Errorf("Due beside the open transaction: %v", err)
	}
	e.must(tx.Commit(), "Commit")
	ran := e.drain(n, 5)
	if len(ran) != 1 || ran[0].TriggerName != "manual-x" {
		e.Errorf("after the commit ran %+v, want the one-shot of the transaction", ran)
	}
}

// orphan leaves a due one-shot whose job is gone.
func orphan(e *Env) provider.TriggerKey {
	e.save(job("a", exclusive))
	e.save(job("b"), cron("t", e.now.Add(time.Second)))
	tx := e.InTx(e.T)
	e.enqueueIn(tx, manual("a", "x", e.now))
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.must(tx.Commit(), "Commit")
	e.advance(time.Second)
	return manualKey("a", "x")
}

func appTxOrphan(e *Env) {
	n := e.node("n")
	k := orphan(e)
	claimed := e.acquire(n, 5)
	equal(e, claimedKeys(claimed), []string{k.String(), "b/t"}, "the claims")
	equal(e, claimed[0].Job, provider.JobRecord{}, "the orphan's job")
	asked := false
	got := e.beginWith(n, func(c provider.Candidate) provider.Decision {
		if c.Trigger.TriggerKey == k {
			asked = true
			equal(e, c.Job, provider.JobRecord{}, "the candidate's job")
		}
		return decide(c)
	}, claimed...)
	equal(e, outcomes(got), []provider.Outcome{provider.OutcomeAdvanced, provider.OutcomeStarted}, "the outcomes")
	if !asked {
		e.Errorf("nobody was asked about the orphan")
	}
	e.gone(k)
	e.finish(n, started(got)...)
}

func appTxOrphanClaim(e *Env) {
	n := e.node("n")
	k := orphan(e)
	var begun []provider.Begun
	for range 3 {
		items := e.claim(n, 5)
		begun = append(begun, started(items)...)
		for _, i := range items { // the long way is legal for an orphan
			if i.Outcome == provider.OutcomeAcquired {
				e.beginWith(n, decide, provider.Claimed{Trigger: e.trigger(i.Trigger.TriggerKey)})
			}
		}
	}
	e.gone(k)
	if len(begun) != 1 || begun[0].Run.Job != "b" {
		e.Errorf("started %+v, want the other job's trigger alone", begun)
	}
	e.finish(n, begun...)
}

func appTxSameKey(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	tx := e.InTx(e.T)
	e.enqueueIn(tx, manual("a", "x", e.now))
	type answer struct {
		items []provider.EnqueueAnswer
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		var items []provider.EnqueueAnswer
		err := caught(func() (err error) {
			items, err = e.Store.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", "x", e.now)})
			return err
		})
		done <- answer{items, err}
	}()
	e.must(tx.Commit(), "Commit")
	got := <-done
	e.must(got.err, "Enqueue beside the transaction")
	if !got.items[0].Existed {
		e.Errorf("the store's own enqueue is answered %+v, want Existed", got.items[0])
	}
	if ran := e.drain(n, 5); len(ran) != 1 {
		e.Errorf("%d runs of one key, want 1", len(ran))
	}
}
