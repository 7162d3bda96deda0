package gormsched

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// onServers runs a test on the databases where several transactions write side
// by side.
func onServers(t *testing.T, test func(*testing.T, testDatabase)) {
	t.Helper()
	if onNamedServers(t, test) == 0 {
		t.Log("no GORMSCHED_TEST_…_DSN is set: nothing to test on")
	}
}

// hold locks a row in a transaction of its own until release is called.
func (w *world) hold(statement string, args ...any) (release func()) {
	w.Helper()
	// What it does not return it must not lock: not so at MySQL's own level.
	tx := w.s.core.db.WithContext(w.ctx).Begin(&sql.TxOptions{Isolation: w.s.core.d.Isolation()})
	w.must(tx.Error)
	w.Cleanup(func() { tx.Rollback() }) // also when the test fails before its release
	w.must(tx.Exec(w.s.named(statement), args...).Error)
	return func() { w.must(tx.Rollback().Error) }
}

// soon is how long an operation that must not wait may take at most; far below
// the time after which a waiting one would give up.
const soon = 1500 * time.Millisecond

// within fails the test if f has not returned in time.
func (w *world) within(limit time.Duration, what string, f func()) {
	w.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		w.Errorf("%s waits for another transaction", what)
		<-done
	}
}

// A job whose row another transaction holds is left alone and named; the
// others start (D23, D35, design of the transactions).
func TestClaimPassesOverAHeldJob(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "held", "free")
		w.triggers(w.trigger("held", "a", w.t0, true), w.trigger("held", "b", w.t0, true), w.trigger("free", "a", w.t0, true))
		release := w.hold("SELECT 1 FROM {{jobs}} WHERE job_name = 'held' FOR UPDATE")
		var a provider.ClaimAnswer
		w.within(soon, "Claim", func() { a = w.claim(16) })
		if got := started(a.Items); len(got) != 1 || got[0].Run.Job != "free" {
			t.Errorf("started %+v, want one run of free", got)
		}
		if len(a.HeldJobs) != 1 || a.HeldJobs[0] != "held" || !a.More {
			t.Errorf("held jobs %v, more %v; want held, true", a.HeldJobs, a.More)
		}
		req := w.claimRequest(16)
		req.ExcludeJobs = a.HeldJobs
		again, err := w.s.Claim(w.ctx, req)
		w.must(err)
		if len(again.Items) != 0 || again.More {
			t.Errorf("with the job excluded there is %+v", again)
		}
		release()
		if got := started(w.claim(16).Items); len(got) != 1 || got[0].Trigger.Trigger != "a" {
			t.Errorf("after the release started %+v, want held/a", got)
		}
		if got := w.states("held"); got[provider.TriggerBlocked] != 1 {
			t.Errorf("the triggers of held are %v, want one Blocked", got)
		}
		w.invariants("after")
	})
}

// 1,000 due triggers of one job whose row is held: a trigger due behind them
// starts within two polls (design of the hot path).
func TestHeldBacklogLetsOthersPass(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "held")
		w.jobs(false, "behind")
		w.enqueue("held", 1000)
		w.triggers(w.trigger("behind", "a", w.t0.Add(time.Minute), false))
		release := w.hold("SELECT 1 FROM {{jobs}} WHERE job_name = 'held' FOR UPDATE")
		defer release()
		var held []string
		for range 2 {
			req := w.claimRequest(16)
			req.ExcludeJobs = held
			a, err := w.s.Claim(w.ctx, req)
			w.must(err)
			held = append(held, a.HeldJobs...)
			if got := started(a.Items); len(got) == 1 && got[0].Run.Job == "behind" {
				return
			}
		}
		t.Error("two passes did not start the trigger behind the backlog")
	})
}

// Begin, Start and Complete answer Held for what another transaction holds, do
// the rest, and do it later when asked again (D23, contract of Dispatcher).
func TestHeldItems(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		for _, c := range []struct{ name, lock string }{
			{"job", "SELECT 1 FROM {{jobs}} WHERE job_name = 'x' FOR UPDATE"},
			{"trigger", "SELECT 1 FROM {{triggers}} WHERE job_name = 'x' FOR UPDATE"},
		} {
			t.Run("begin, "+c.name, func(t *testing.T) {
				w := newWorld(t, d.store(t, Options{}))
				w.jobs(true, "x", "y")
				w.triggers(w.trigger("x", "a", w.t0, true), w.trigger("y", "a", w.t0.Add(time.Second), true))
				begin := w.beginRequest(16)
				release := w.hold(c.lock)
				var a provider.BeginAnswer
				var err error
				w.within(soon, "Begin", func() { a, err = w.s.Begin(w.ctx, begin) })
				w.must(err)
				if a.Items[0].Outcome != provider.OutcomeHeld || a.Items[1].Outcome != provider.OutcomeStarted {
					t.Errorf("outcomes %v, %v; want Held, Started", a.Items[0].Outcome, a.Items[1].Outcome)
				}
				w.invariants("held")
				release()
				begin.Items = begin.Items[:1]
				a, err = w.s.Begin(w.ctx, begin)
				w.must(err)
				if a.Items[0].Outcome != provider.OutcomeStarted {
					t.Errorf("outcome %v after the release, want Started", a.Items[0].Outcome)
				}
			})
		}
		for _, c := range []struct{ name, lock string }{
			{"job", "SELECT 1 FROM {{jobs}} WHERE job_name = 'x' FOR UPDATE"},
			{"interval trigger", "SELECT 1 FROM {{triggers}} WHERE job_name = 'x' FOR UPDATE"},
			{"run", "SELECT 1 FROM {{runs}} WHERE job_name = 'x' FOR UPDATE"},
		} {
			t.Run("complete, "+c.name, func(t *testing.T) {
				w := newWorld(t, d.store(t, Options{}))
				w.jobs(true, "x", "y")
				w.triggers(w.trigger("x", "every-a", w.t0, true), w.trigger("y", "a", w.t0.Add(time.Second), true))
				req := w.completions(provider.RunSucceeded, started(w.claim(16).Items)...)
				release := w.hold(c.lock)
				var a provider.CompleteAnswer
				var err error
				w.within(soon, "Complete", func() { a, err = w.s.Complete(w.ctx, req) })
				w.must(err)
				if a.Items[0].Outcome != provider.OutcomeHeld || a.Items[1].Outcome != provider.OutcomeDone {
					t.Errorf("outcomes %v, %v; want Held, Done", a.Items[0].Outcome, a.Items[1].Outcome)
				}
				w.invariants("held")
				w.within(soon, "Sweep", func() {
					w.forget(w.node)
					s, err := w.s.Sweep(w.ctx, provider.SweepRequest{})
					if err != nil || len(s.Lost) != 0 || !s.More {
						t.Errorf("Sweep answers %+v, %v; want nothing lost and more", s, err)
					}
				})
				release()
				s, err := w.s.Sweep(w.ctx, provider.SweepRequest{})
				w.must(err)
				if len(s.Lost) != 1 || s.More {
					t.Errorf("Sweep answers %+v after the release, want one lost", s)
				}
				a, err = w.s.Complete(w.ctx, provider.CompleteRequest{Node: w.node, Items: req.Items[:1]})
				w.must(err)
				if a.Items[0].Outcome != provider.OutcomeGone || a.Items[0].Run.State != provider.RunLost {
					t.Errorf("a late completion answers %v of a run that is %v, want Gone, Lost", a.Items[0].Outcome, a.Items[0].Run.State)
				}
				w.invariants("swept")
			})
		}
		t.Run("start", func(t *testing.T) {
			w := newWorld(t, d.store(t, Options{}))
			w.jobs(true, "x")
			w.jobs(false, "y", "z")
			release := w.hold("SELECT 1 FROM {{jobs}} WHERE job_name IN ('x', 'y') FOR UPDATE")
			req := provider.StartRequest{Node: w.node}
			for i, id := range runIDs(3) {
				req.Runs = append(req.Runs, provider.RunRecord{ID: id, Job: []string{"x", "y", "z"}[i], Kind: provider.KindManual, Attempt: 1})
			}
			var a provider.BeginAnswer
			var err error
			w.within(soon, "Start", func() { a, err = w.s.Start(w.ctx, req) })
			w.must(err)
			for i, want := range []provider.Outcome{provider.OutcomeHeld, provider.OutcomeHeld, provider.OutcomeStarted} {
				if a.Items[i].Outcome != want {
					t.Errorf("outcome %d is %v, want %v", i, a.Items[i].Outcome, want)
				}
			}
			release()
		})
	})
}

func (w *world) beginRequest(limit int) provider.BeginRequest {
	w.Helper()
	a, err := w.s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: limit})
	w.must(err)
	req := provider.BeginRequest{Node: w.node, Decide: decide}
	for i, id := range runIDs(len(a.Claimed)) {
		tr := a.Claimed[i].Trigger
		req.Items = append(req.Items, provider.BeginItem{Key: tr.TriggerKey, ClaimID: tr.ClaimID, RunID: id})
	}
	return req
}

// Two claims of one exclusive job at once: one starts, the other finds the job
// held or its triggers locked, and nothing waits (D35).
func TestTwoClaimsOfOneExclusiveJob(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		other := &world{TB: t, s: d.store(t, Options{}), ctx: w.ctx, t0: w.t0, node: w.register("n2")}
		w.jobs(true, "x")
		w.enqueue("x", 40)
		var second provider.ClaimAnswer
		asked := false
		wire.reset(func(_ int, e event) fault {
			if !asked && strings.Contains(e.text, "INSERT INTO") { // the first claim has everything and has not committed
				asked = true
				w.within(soon, "the second claim", func() { second = other.claim(16) })
			}
			return send
		})
		first := w.claim(16)
		wire.reset(nil)
		if !asked {
			t.Fatal("the first claim inserted no run")
		}
		if len(started(first.Items)) != 1 || len(started(second.Items)) != 0 {
			t.Errorf("%d and %d runs started, want 1 and 0", len(started(first.Items)), len(started(second.Items)))
		}
		if len(second.HeldJobs) != 1 {
			t.Errorf("the second claim names %v as held, want x", second.HeldJobs)
		}
		w.invariants("after")
	})
}

// A job that becomes exclusive while a claim that read it as concurrent is on
// its way is born occupied by the run that the claim begins (D12, R148).
func TestJobBecomesExclusiveDuringAClaim(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		for _, way := range []string{"claim", "start"} {
			t.Run(way, func(t *testing.T) {
				s, wire := d.wired(t, Options{})
				w := newWorld(t, s)
				other := d.store(t, Options{})
				w.jobs(false, "x")
				w.enqueue("x", 2)
				saved := make(chan error, 1)
				at := false
				wire.reset(func(_ int, e event) fault {
					if !at && strings.Contains(e.text, "INSERT INTO") {
						at = true
						go func() {
							_, err := other.SaveJobs(context.Background(), []provider.SaveItem{{Job: provider.JobRecord{Name: "x", Handler: "x", Source: provider.SourceRuntime}}})
							saved <- err
						}()
						w.untilWaiting(d.prefix, 1)
					}
					return send
				})
				var run provider.RunRecord
				if way == "claim" {
					run = started(w.claim(1).Items)[0].Run
				} else {
					a, err := s.Start(w.ctx, provider.StartRequest{Node: w.node, Runs: []provider.RunRecord{{ID: runIDs(1)[0], Job: "x", Kind: provider.KindManual, Attempt: 1}}})
					w.must(err)
					run = a.Items[0].Run
				}
				wire.reset(nil)
				w.must(<-saved)
				jobs, err := s.Jobs(w.ctx, []string{"x"})
				w.must(err)
				if jobs[0].ActiveRunID != run.ID {
					t.Errorf("the job is occupied by %q, want %q", jobs[0].ActiveRunID, run.ID)
				}
				if got := started(w.claim(16).Items); len(got) != 0 {
					t.Errorf("a second run started: %+v", got)
				}
				w.complete(provider.RunSucceeded, provider.Begun{Run: run})
				w.invariants("after")
				if got := started(w.claim(16).Items); len(got) != 1 {
					t.Errorf("%d runs started after the first had ended, want 1", len(got))
				}
			})
		}
	})
}

// A job that becomes exclusive while its run is being completed is not left
// occupied by a run that has ended (D12, R038).
func TestJobBecomesExclusiveDuringACompletion(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		other := d.store(t, Options{})
		w.jobs(false, "x")
		w.enqueue("x", 1)
		begun := started(w.claim(1).Items)
		saved := make(chan error, 1)
		at := false
		wire.reset(func(_ int, e event) fault {
			if !at && strings.HasPrefix(e.text, "UPDATE") { // the run is locked and about to be ended
				at = true
				go func() {
					_, err := other.SaveJobs(context.Background(), []provider.SaveItem{{Job: provider.JobRecord{Name: "x", Handler: "x", Source: provider.SourceRuntime}}})
					saved <- err
				}()
				w.untilWaiting(d.prefix, 1)
			}
			return send
		})
		w.complete(provider.RunSucceeded, begun...)
		wire.reset(nil)
		w.must(<-saved)
		w.invariants("after")
	})
}

// untilWaiting returns when so many sessions wait for a lock on the test's
// tables.
func (w *world) untilWaiting(prefix string, n int) {
	w.Helper()
	count, sleep := "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE ?", "SELECT pg_sleep(0.005)"
	if w.s.core.d.Name() != "postgres" {
		count, sleep = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE ?", "DO SLEEP(0.11)" // read more often it would stay as it is
	}
	for range 400 {
		var waiting int
		w.must(w.s.core.db.Raw(count, "%"+prefix+"%").Row().Scan(&waiting))
		if waiting >= n {
			return
		}
		w.must(w.s.core.db.Exec(sleep).Error)
	}
	w.Errorf("nobody waits for the rows that are held")
}

// An application's transaction that has enqueued stays open while its job is
// paused, resumed, run, completed, replaced, unscheduled and scheduled again:
// none of it waits (D34). What was enqueued appears with the commit, as an
// orphan if the job was made anew without it.
func TestDispatchBesideAnOpenEnqueue(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "x")
		w.enqueue("x", 3)
		app := d.open(t, nil)
		err := app.Transaction(func(tx *gorm.DB) error {
			in, err := w.s.EnqueuerIn(tx)
			w.must(err)
			answers, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{
				TriggerKey: provider.TriggerKey{Job: "x", Trigger: "manual-app"}, RunAs: provider.KindManual, Priority: 5,
			}})
			w.must(err)
			w.must(answers[0].Err)
			if answers[0].DueAt.IsZero() {
				t.Error("the answer has no due instant")
			}
			item := provider.SaveItem{Job: provider.JobRecord{Name: "x", Handler: "x", Source: provider.SourceRuntime}}
			for _, step := range []struct {
				name string
				do   func()
			}{
				{"PauseJobs", func() { w.each(w.s.PauseJobs(w.ctx, []string{"x"})) }},
				{"ResumeJobs", func() { w.each(w.s.ResumeJobs(w.ctx, []string{"x"})) }},
				{"SaveJobs", func() { _, err := w.s.SaveJobs(w.ctx, []provider.SaveItem{item}); w.must(err) }},
				{"Claim", func() { w.complete(provider.RunSucceeded, started(w.claim(16).Items)...) }},
				{"DeleteJobs", func() { w.each(w.s.DeleteJobs(w.ctx, []string{"x"})) }},
				{"SaveJobs again", func() { _, err := w.s.SaveJobs(w.ctx, []provider.SaveItem{item}); w.must(err) }},
				{"Sweep", func() { _, err := w.s.Sweep(w.ctx, provider.SweepRequest{}); w.must(err) }},
				{"Due", func() { _, err := w.s.Due(w.ctx, provider.DueRequest{}); w.must(err) }},
			} {
				w.within(soon, step.name, step.do)
			}
			if n := w.count("SELECT COUNT(*) FROM {{triggers}}"); n != 0 {
				t.Errorf("%d triggers are visible before the commit, want 0", n)
			}
			return nil
		})
		w.must(err)
		if got := started(w.claim(16).Items); len(got) != 1 || got[0].Run.TriggerName != "manual-app" {
			t.Errorf("after the commit started %+v, want the one-shot", got)
		}
		w.invariants("after")
	})
}

func (w *world) each(errs []error, err error) {
	w.Helper()
	w.must(err)
	for _, err := range errs {
		w.must(err)
	}
}

// On SQLite an application's transaction that has enqueued holds the database:
// everything succeeds after it (D34). A rollback takes the one-shot with it.
func TestEnqueueInTheApplicationsTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "x")
		app := d.open(t, nil)
		shot := []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "x", Trigger: "manual-app"}, RunAs: provider.KindManual}}
		for _, commit := range []bool{false, true} {
			tx := app.Begin()
			w.must(tx.Error)
			in, err := w.s.EnqueuerIn(tx)
			w.must(err)
			for _, existed := range []bool{false, true} {
				answers, err := in.Enqueue(w.ctx, shot)
				w.must(err)
				if answers[0].Err != nil || answers[0].Existed != existed {
					t.Errorf("the answer is %+v, want existed %v", answers[0], existed)
				}
			}
			gone, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "none", Trigger: "manual-app"}}})
			w.must(err)
			if gone[0].Err == nil {
				t.Error("a job that does not exist takes a one-shot")
			}
			if !commit {
				w.must(tx.Rollback().Error)
				if n := w.count("SELECT COUNT(*) FROM {{triggers}}"); n != 0 {
					t.Errorf("%d triggers after the rollback, want 0", n)
				}
				continue
			}
			result := make(chan error, 1)
			go func() { _, err := w.s.PauseJobs(w.ctx, []string{"x"}); result <- err }()
			w.must(tx.Commit().Error)
			w.must(<-result)
			if n := w.count("SELECT COUNT(*) FROM {{triggers}}"); n != 1 {
				t.Errorf("%d triggers after the commit, want 1", n)
			}
		}
		if _, err := w.s.EnqueuerIn(app); err == nil {
			t.Error("a handle that is no transaction makes an enqueuer")
		}
	})
}
