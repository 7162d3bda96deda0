package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D07, B104: whichever call's answer is lost after its commit, nothing hangs,
// nothing runs twice and nothing is forgotten. Begun runs are started once,
// claims that were not begun are given back, and ends are recorded once.
func TestLostAnswers(t *testing.T) {
	for _, c := range []struct {
		op   string
		long bool
	}{
		{"Claim", false}, {"Acquire", true}, {"Begin", true}, {"Complete", false}, {"Complete", true},
		{"Inflight", false}, {"Heartbeat", false}, {"Register", false}, {"SaveJobs", false}, {"Sweep", false},
		{"Election.TryAcquire", false}, {"Election.Renew", false}, {"Due", true}, {"Jobs", false},
	} {
		for _, phase := range []inmemory.Phase{inmemory.Before, inmemory.AfterCommit} {
			t.Run(fmt.Sprintf("%s/%v/long=%v", c.op, phase, c.long), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					var f faults
					store := newStore(t, inmemory.Options{LongWay: c.long, Fault: f.strike})
					n := newNode(t, store, scheduling.Options{NodeID: "a"})
					n.Handle("x", func(context.Context, *scheduling.Run) error {
						<-time.After(100 * time.Millisecond)
						return nil
					})
					n.job(scheduling.JobDefinition{Name: "x", Triggers: []scheduling.TriggerDefinition{
						{Name: "every", Schedule: scheduling.MustEvery(2 * time.Second)},
						{Name: "cron", Schedule: scheduling.MustCron("*/3 * * * * *", "")}}})
					if c.op == "Register" || c.op == "SaveJobs" || c.op == "Election.TryAcquire" {
						f.once(c.op, phase)
					}
					n.run()
					sleep(2 * time.Second)
					for i := range 5 {
						struck := false
						if i < 3 {
							f.set(func(o string, p inmemory.Phase) error {
								if o == c.op && p == phase && !struck {
									struck = true
									return errAway
								}
								return nil
							})
						}
						if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
							t.Fatal(err)
						}
						sleep(11 * time.Second)
					}
					f.set(nil)
					sleep(20 * time.Second)
					equal(t, "leads", n.IsLeader(), true)
					n.stopClean()
					runs := history(t, store, "x")
					if o := overlap(runs); o != "" {
						t.Errorf("overlap: %s", o)
					}
					manual, cron := 0, map[time.Time]int{}
					for _, r := range runs {
						equal(t, "state", r.State, scheduling.RunSucceeded)
						if r.Kind == scheduling.KindManual {
							manual++
						}
						if r.TriggerName == "cron" {
							cron[r.ScheduledAt]++
						}
					}
					equal(t, "manual runs", manual, 5)
					for scheduled, times := range cron {
						if times != 1 {
							t.Errorf("the occurrence %v ran %d times", scheduled, times)
						}
					}
					if len(cron) < 20 {
						t.Errorf("%d occurrences of 25", len(cron))
					}
				})
			})
		}
	}
}

// D07: a Trigger call whose answer was lost ends as Canceled, because its
// caller was told that the store could not be reached; its handler never runs.
func TestLostTriggerIsCanceled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var f faults
		store := newStore(t, inmemory.Options{Fault: f.strike})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var calls atomic.Int64
		n.Handle("x", func(context.Context, *scheduling.Run) error { calls.Add(1); return nil })
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		sleep(time.Second)
		f.once("Start", inmemory.AfterCommit)
		if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); !errors.Is(err, scheduling.ErrStoreUnavailable) {
			t.Errorf("err: %v", err)
		}
		equal(t, "begun", states(t, store, "x"), "Manual/Running/1")
		sleep(1500 * time.Millisecond)
		equal(t, "younger than two polls: left alone", states(t, store, "x"), "Manual/Running/1")
		sleep(3 * time.Second)
		equal(t, "ended", states(t, store, "x"), "Manual/Canceled/1")
		equal(t, "handler calls", calls.Load(), 0)
		recs, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
		if err != nil || recs[0].State != scheduling.RunSucceeded {
			t.Errorf("free again: %v %v", recs, err)
		}
		n.stopClean()
	})
}

// D05, D29: ends that the store does not take are kept, one that fails alone
// holds up no other, and all are recorded when the store answers again.
func TestCompletionsAreKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", MaxConcurrentRuns: 64, AcquireBatchSize: 64})
		var calls atomic.Int64
		n.Handle("x", func(context.Context, *scheduling.Run) error {
			calls.Add(1)
			<-time.After(time.Second)
			return nil
		})
		n.Handle("long", func(ctx context.Context, _ *scheduling.Run) error { <-time.After(20 * time.Second); return nil })
		n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true})
		n.job(scheduling.JobDefinition{Name: "long"})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "long"}); err != nil {
			t.Fatal(err) // keeps the poll comparing
		}
		for range 40 {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(500 * time.Millisecond)
		n.link.setStrike(func(op string) error {
			if op == "Complete" {
				return provider.Unavailable(op, errAway)
			}
			return nil
		})
		sleep(10 * time.Second)
		running := 0
		for _, r := range history(t, store, "x") {
			if r.State == scheduling.RunRunning {
				running++
			}
		}
		equal(t, "unrecorded", running, 40)
		n.link.setStrike(nil)
		sleep(2 * time.Second)
		equal(t, "handler calls: an end on its way is no lost answer (D07)", calls.Load(), 40)
		for _, r := range history(t, store, "x") {
			equal(t, "state", r.State, scheduling.RunSucceeded)
		}
		n.stopClean()
	})
}

// Design §4: a completion whose row another transaction holds is asked for
// again alone, and holds up no other.
func TestHeldRows(t *testing.T) {
	for _, long := range []bool{false, true} {
		t.Run(fmt.Sprintf("longway=%v", long), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var held atomic.Bool
				store := newStore(t, inmemory.Options{LongWay: long, Held: func(op, job string) bool { return held.Load() && job == "held" }})
				n := newNode(t, store, scheduling.Options{NodeID: "a"})
				n.Handle("x", func(context.Context, *scheduling.Run) error {
					<-time.After(100 * time.Millisecond)
					return nil
				})
				for _, name := range []string{"held", "free"} {
					n.job(scheduling.JobDefinition{Name: name, Handler: "x"})
				}
				n.run()
				enqueue := func(job string) {
					if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: job}); err != nil {
						t.Fatal(err)
					}
				}
				enqueue("held")
				sleep(50 * time.Millisecond)
				held.Store(true) // while it runs
				enqueue("free")
				sleep(time.Second)
				equal(t, "held, ended", states(t, store, "held"), "Manual/Running/1")
				equal(t, "free", states(t, store, "free"), "Manual/Succeeded/1")
				held.Store(false)
				sleep(200 * time.Millisecond)
				equal(t, "released", states(t, store, "held"), "Manual/Succeeded/1")

				var passed atomic.Int64
				n.link.setAsked(func(req provider.AcquireRequest) {
					if slices.Contains(req.ExcludeJobs, "held") {
						passed.Add(1)
					}
				})
				held.Store(true) // before it begins
				for range 20 {
					enqueue("held")
				}
				enqueue("free")
				sleep(2 * time.Second)
				equal(t, "behind a held job, within two polls", states(t, store, "free"), "Manual/Succeeded/1 Manual/Succeeded/1")
				equal(t, "held, due", states(t, store, "held"), "Manual/Succeeded/1")
				if passed.Load() == 0 && !long {
					t.Error("the held job was never passed over")
				}
				held.Store(false)
				sleep(10 * time.Second)
				equal(t, "then all run", len(history(t, store, "held")), 21)
				n.stopClean()
			})
		})
	}
}
