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

// R080–R082, D04–D06, D25: a node is cut off while it runs an exclusive job
// with recovery. It gives its run up before anyone may recover it; the other
// convicts it after NodeTimeout, recovers the run once, with the same data, and
// goes on with the schedule; the cut-off node comes back under a new
// incarnation.
func TestFailover(t *testing.T) {
	for _, long := range []bool{false, true} {
		t.Run(fmt.Sprintf("longway=%v", long), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				store := newStore(t, inmemory.Options{LongWay: long})
				var cause error
				var given time.Time
				make := func(id string) *node {
					n := newNode(t, store, scheduling.Options{NodeID: id})
					n.Handle("x", func(ctx context.Context, run *scheduling.Run) error {
						if run.Node == "a" && run.Kind == scheduling.KindManual {
							<-ctx.Done()
							cause, given = context.Cause(ctx), time.Now()
							return ctx.Err()
						}
						return nil
					})
					n.job(scheduling.JobDefinition{Name: "x", RequestsRecovery: true, Triggers: []scheduling.TriggerDefinition{
						{Name: "t", Schedule: scheduling.MustEvery(10 * time.Second)}}})
					return n
				}
				a := make("a").run()
				if _, err := a.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x", Data: scheduling.MustData(map[string]int{"k": 1})}); err != nil {
					t.Fatal(err)
				}
				sleep(time.Second)
				b := make("b").run()
				sleep(4 * time.Second)
				a.link.setCut(true)
				cutAt := time.Now()
				sleep(3 * time.Minute)
				if !errors.Is(cause, scheduling.ErrIsolated) {
					t.Errorf("cause on the cut-off node: %v", cause)
				}
				if d := given.Sub(cutAt); d > 70*time.Second || d < 55*time.Second {
					t.Errorf("given up %v after the cut: NodeTimeout 90s less 20s, less up to one heartbeat", d)
				}
				runs := history(t, store, "x")
				equal(t, "first", runs[0].State, scheduling.RunLost)
				lostAt := runs[0].CompletedAt
				if d := lostAt.Sub(cutAt); d < 80*time.Second || d > 110*time.Second {
					t.Errorf("declared lost %v after the cut", d)
				}
				if !given.Before(lostAt) {
					t.Errorf("recovered at %v, before the node gave it up at %v", lostAt, given)
				}
				recovered := 0
				for _, r := range runs {
					if r.Kind == scheduling.KindRecovery {
						recovered++
						equal(t, "data", r.Data, `{"k":1}`)
						equal(t, "node", r.Node, "b")
						equal(t, "state", r.State, scheduling.RunSucceeded)
					}
				}
				equal(t, "recovered", recovered, 1)
				if o := overlap(runs); o != "" {
					t.Errorf("overlap: %s", o)
				}
				equal(t, "b leads", b.IsLeader(), true)
				equal(t, "a leads", a.IsLeader(), false)

				before := len(runs)
				a.link.setCut(false)
				sleep(time.Minute)
				nodes, err := b.Nodes(t.Context())
				if err != nil || len(nodes) != 2 {
					t.Fatalf("nodes: %v, %v", nodes, err)
				}
				runs = history(t, store, "x")
				if len(runs) < before+5 {
					t.Errorf("the schedule does not go on")
				}
				equal(t, "first stays Lost (D05)", runs[0].State, scheduling.RunLost)
				a.stopClean()
				b.stopClean()
			})
		})
	}
}

// B115: an exclusive job with five one-shots; the node dies in the first. The
// others run one by one after the recovery, and without the flag there is no
// recovery run (B139).
func TestFailoverBacklog(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		make := func(id string, h scheduling.Handler) *node {
			n := newNode(t, store, scheduling.Options{NodeID: id, NodeTimeout: 9 * time.Second, LeaseTTL: 6 * time.Second})
			n.Handle("x", h)
			n.job(scheduling.JobDefinition{Name: "x"})
			return n.run()
		}
		a := make("a", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		for range 5 {
			if _, err := a.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(time.Second)
		a.link.setCut(true)
		b := make("b", nop)
		sleep(30 * time.Second)
		equal(t, "states", states(t, store, "x"),
			"Manual/Lost/1 Manual/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1")
		b.stopClean()
		a.link.setCut(false)
		a.stopClean()
	})
}

// D25: a node that is back in time is not convicted; what it gave up it has
// recorded Lost itself, with its recovery; handlers that ignore their context
// are recorded after CancelGrace, keep their slots, and end nothing twice.
func TestIsolatedNodeComesBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		release := make(chan struct{})
		n.Handle("deaf", func(ctx context.Context, run *scheduling.Run) error {
			if run.Kind != scheduling.KindRecovery {
				<-release
			}
			return nil
		})
		n.Handle("heeds", func(ctx context.Context, run *scheduling.Run) error {
			if run.Kind != scheduling.KindRecovery {
				<-ctx.Done()
			}
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "deaf", RequestsRecovery: true})
		n.job(scheduling.JobDefinition{Name: "heeds", RequestsRecovery: true})
		n.run()
		for _, job := range []string{"deaf", "heeds"} {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: job}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(10 * time.Second)
		n.link.setCut(true)
		sleep(72 * time.Second)
		equal(t, "nothing recorded while the store is away", states(t, store, "deaf")+states(t, store, "heeds"),
			"Manual/Running/1Manual/Running/1")
		if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "heeds"}); !errors.Is(err, scheduling.ErrStoreUnavailable) {
			t.Errorf("Trigger of an isolated node: %v (D41)", err)
		}
		n.link.setCut(false)
		sleep(10 * time.Second)
		equal(t, "heeds", states(t, store, "heeds"), "Manual/Lost/1 Recovery/Succeeded/1")
		equal(t, "deaf", states(t, store, "deaf"), "Manual/Lost/1 Recovery/Succeeded/1")
		close(release)
		sleep(time.Second)
		equal(t, "deaf returned late (D05)", states(t, store, "deaf"), "Manual/Lost/1 Recovery/Succeeded/1")
		equal(t, "convicted", n.log.count("declared dead"), 0)
		n.stopClean()
	})
}

// D25: OnIsolation KeepRunning leaves the runs alone; conviction ends them.
func TestKeepRunning(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", OnIsolation: scheduling.KeepRunning})
		var cause atomic.Value
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error {
			select {
			case <-time.After(85 * time.Second):
			case <-ctx.Done():
				cause.Store(context.Cause(ctx))
			}
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		n.link.setCut(true)
		sleep(80 * time.Second)
		n.link.setCut(false)
		sleep(10 * time.Second)
		equal(t, "kept", states(t, store, "x"), "Manual/Succeeded/1")

		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		other := newNode(t, store, scheduling.Options{NodeID: "b"})
		other.run()
		n.link.setCut(true)
		sleep(150 * time.Second)
		equal(t, "still running here", cause.Load(), nil)
		n.link.setCut(false)
		sleep(15 * time.Second)
		n.stopClean()
		other.stopClean()
	})
}

// B137, D06: a node whose row is removed under it cancels its runs with
// ErrLost, registers anew, and goes on.
func TestConvictedWhileAlive(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var causes []error
		n.Handle("x", func(ctx context.Context, run *scheduling.Run) error {
			if run.Data.String() == `{"hang":true}` {
				<-ctx.Done()
				causes = append(causes, context.Cause(ctx))
			}
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x", Data: scheduling.MustData(map[string]bool{"hang": true})}); err != nil {
			t.Fatal(err)
		}
		sleep(5 * time.Second)
		before, err := n.Nodes(t.Context())
		if err != nil || len(before) != 1 {
			t.Fatalf("nodes: %v %v", before, err)
		}
		if gone, err := store.Deregister(t.Context(), before[0].NodeRef); err != nil || !gone {
			t.Fatalf("Deregister: %v %v", gone, err)
		}
		sleep(15 * time.Second)
		if len(causes) != 1 || !errors.Is(causes[0], scheduling.ErrLost) {
			t.Errorf("causes: %v", causes)
		}
		after, err := n.Nodes(t.Context())
		if err != nil || len(after) != 1 || after[0].Incarnation <= before[0].Incarnation {
			t.Errorf("nodes after: %v %v", after, err)
		}
		sleep(15 * time.Second)
		equal(t, "lost run", states(t, store, "x"), "Manual/Lost/1")
		recs, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
		if err != nil || recs[0].State != scheduling.RunSucceeded {
			t.Errorf("after registering anew: %v %v", recs, err)
		}
		n.stopClean()
	})
}

// B129: a run that the store no longer holds as running ends with ErrLost at
// the next poll, without its node being convicted.
func TestRunEndedElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var cause error
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error {
			<-ctx.Done()
			cause = context.Cause(ctx)
			return errors.New("must not be recorded")
		})
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(5 * time.Second)
		run := history(t, store, "x")[0]
		endElsewhere(t, store, run)
		sleep(2 * time.Second)
		if !errors.Is(cause, scheduling.ErrLost) {
			t.Errorf("cause: %v", cause)
		}
		equal(t, "state stays (D05)", states(t, store, "x"), "Manual/Lost/1")
		n.stopClean()
	})
}
