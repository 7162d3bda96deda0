package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// delayOnce holds the answer of the next call of op back for d.
func delayOnce(l *link, op string, d time.Duration) {
	var struck atomic.Bool
	l.setDelay(func(o string) {
		if o == op && struck.CompareAndSwap(false, true) {
			<-time.After(d)
		}
	})
}

// D25: an answer that arrives when the heartbeat is older than the isolation
// limit starts no handler, whichever call it answers; the run is Lost, with its
// recovery.
func TestAnswerAfterIsolation(t *testing.T) {
	for _, c := range []struct {
		op   string
		long bool
	}{{"Claim", false}, {"Begin", true}, {"Start", false}} {
		t.Run(c.op, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				store := newStore(t, inmemory.Options{LongWay: c.long})
				n := newNode(t, store, scheduling.Options{NodeID: "a"})
				var calls notes
				n.Handle("x", func(_ context.Context, run *scheduling.Run) error { calls.add(run.Kind.String()); return nil })
				n.job(scheduling.JobDefinition{Name: "x", RequestsRecovery: true})
				n.run()
				sleep(5 * time.Second)
				n.link.setStrike(func(op string) error {
					if op == "Heartbeat" {
						return errAway
					}
					return nil
				})
				delayOnce(n.link, c.op, 75*time.Second)
				told := make(chan error, 1)
				if c.op == "Start" {
					go func() {
						recs, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
						if err == nil && recs[0].State != scheduling.RunLost {
							err = fmt.Errorf("state %s", recs[0].State)
						}
						told <- err
					}()
				} else {
					told <- nil
					if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
						t.Fatal(err)
					}
				}
				sleep(70 * time.Second)
				equal(t, "begun", states(t, store, "x"), "Manual/Running/1")
				sleep(10 * time.Second)
				equal(t, "calls", calls.String(), "")
				equal(t, "recorded by the node itself", states(t, store, "x"), "Manual/Lost/1")
				if err := <-told; err != nil {
					t.Errorf("Trigger: %v", err)
				}
				n.link.setStrike(nil)
				sleep(5 * time.Second)
				equal(t, "after", states(t, store, "x"), "Manual/Lost/1 Recovery/Succeeded/1")
				equal(t, "calls", calls.String(), "Recovery")
				equal(t, "convictions", n.log.count("declared dead"), 0)
				n.stopClean()
			})
		})
	}
}

// D06: what an incarnation claimed is not started once it has been convicted,
// although the node has registered anew by then.
func TestAnswerAfterConviction(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var calls notes
		n.Handle("x", func(_ context.Context, run *scheduling.Run) error { calls.add(run.Kind.String()); return nil })
		n.job(scheduling.JobDefinition{Name: "x", RequestsRecovery: true})
		n.run()
		sleep(5 * time.Second)
		delayOnce(n.link, "Claim", 40*time.Second)
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		nodes, err := n.Nodes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if gone, err := store.Deregister(t.Context(), nodes[0].NodeRef); err != nil || !gone {
			t.Fatalf("%v %v", gone, err)
		}
		sleep(50 * time.Second)
		equal(t, "states", states(t, store, "x"), "Manual/Lost/1 Recovery/Succeeded/1")
		equal(t, "calls", calls.String(), "Recovery")
		n.stopClean()
	})
}

// D06, D07: a run whose begin is still under way in this process is no lost
// answer, however long that takes.
func TestSlowAnswerStartsOnce(t *testing.T) {
	for _, c := range []struct {
		op   string
		long bool
	}{{"Claim", false}, {"Begin", true}, {"Acquire", true}, {"Start", false}} {
		t.Run(c.op, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				store := newStore(t, inmemory.Options{LongWay: c.long})
				n := newNode(t, store, scheduling.Options{NodeID: "a"})
				var calls notes
				n.Handle("x", func(_ context.Context, run *scheduling.Run) error { calls.add(run.Job); return nil })
				n.Handle("y", func(ctx context.Context, run *scheduling.Run) error { <-ctx.Done(); return nil })
				n.job(scheduling.JobDefinition{Name: "x"})
				n.job(scheduling.JobDefinition{Name: "y"})
				n.run()
				sleep(time.Second)
				if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "y"}); err != nil {
					t.Fatal(err) // a run in flight, so that the poll looks
				}
				sleep(time.Second)
				delayOnce(n.link, c.op, 8*time.Second)
				if c.op == "Start" {
					if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); err != nil {
						t.Errorf("Trigger: %v", err)
					}
				} else if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
					t.Fatal(err)
				}
				sleep(20 * time.Second)
				equal(t, "calls", calls.String(), "x")
				equal(t, "states", states(t, store, "x"), "Manual/Succeeded/1")
				if err := n.CancelRuns(t.Context(), history(t, store, "y")[0].ID); err != nil {
					t.Error(err)
				}
				n.stopClean()
			})
		})
	}
}

// D41: Trigger on a node that cannot reach its store answers at once.
func TestTriggerWithoutStore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", nop)
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		sleep(time.Second)
		n.link.setCut(true)
		for range 2 {
			began := time.Now()
			if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); !errors.Is(err, scheduling.ErrStoreUnavailable) {
				t.Errorf("err: %v", err)
			}
			equal(t, "took", time.Since(began), 0)
			sleep(80 * time.Second)
		}
		n.link.setCut(false)
		n.stopClean()
	})
}

// D07, D26: a lost answer is found although the store's clock has stepped back
// behind it, by the node's own watch.
func TestLostAnswerUnderSteppedClock(t *testing.T) {
	for _, c := range []struct {
		op   string
		long bool
	}{{"Claim", false}, {"Acquire", true}, {"Begin", true}} {
		bubble(t, func(t *testing.T) {
			var f faults
			var step atomic.Int64
			store := newStore(t, inmemory.Options{LongWay: c.long, Fault: f.strike,
				Now: func() time.Time { return time.Now().Add(time.Duration(step.Load())) }})
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			n.Handle("x", nop)
			n.job(scheduling.JobDefinition{Name: "x"})
			n.run()
			sleep(time.Second)
			f.once(c.op, inmemory.AfterCommit)
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x", DueAt: time.Now().Add(-time.Hour)}); err != nil {
				t.Fatal(err)
			}
			sleep(100 * time.Millisecond)
			step.Store(int64(-10 * time.Minute))
			sleep(10 * time.Second)
			equal(t, c.op, states(t, store, "x"), "Manual/Succeeded/1")
			n.stopClean()
		})
	}
}
