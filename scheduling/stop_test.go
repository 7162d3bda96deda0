package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D29, R262: the order of a stop: claim nothing, give back, release the lease,
// wait for the runs with the heartbeat going on, cancel, record, deregister.
func TestStopOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var calls notes
		n.link.setStrike(func(op string) error {
			calls.add(op)
			return nil
		})
		var cause error
		n.Handle("quick", func(context.Context, *scheduling.Run) error { <-time.After(15 * time.Second); return nil })
		n.Handle("slow", func(ctx context.Context, _ *scheduling.Run) error {
			<-ctx.Done()
			cause = context.Cause(ctx)
			<-time.After(2 * time.Second)
			return nil
		})
		n.Handle("tick", nop)
		n.job(scheduling.JobDefinition{Name: "quick"})
		n.job(scheduling.JobDefinition{Name: "slow", Retry: scheduling.FixedRetry(3, time.Second)})
		n.job(scheduling.NewJob("tick", scheduling.MustEvery(time.Second)))
		n.run()
		for _, job := range []string{"quick", "slow"} {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: job}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(3500 * time.Millisecond)
		ticks := len(history(t, store, "tick"))
		before := len(calls.all())
		stopped := time.Now()
		n.end()
		sleep(10 * time.Millisecond)
		lease, err := store.Election().Inspect(t.Context(), "scheduling.jobs")
		if err != nil || lease.Found {
			t.Errorf("the lease must be released at once: %+v %v", lease, err)
		}
		if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "tick"}); !errors.Is(err, scheduling.ErrNotServing) {
			t.Errorf("Trigger while stopping: %v (R233)", err)
		}
		sleep(10 * time.Second)
		nodes, err := n.Nodes(t.Context())
		if err != nil || len(nodes) != 1 || time.Since(nodes[0].HeartbeatAt) > 11*time.Second {
			t.Errorf("the heartbeat must go on: %v %v", nodes, err)
		}
		if err := <-n.done; err != nil {
			t.Errorf("Run: %v", err)
		}
		equal(t, "took ShutdownTimeout and what the handler took", time.Since(stopped).Round(100*time.Millisecond), 22*time.Second)
		if !errors.Is(cause, scheduling.ErrStopping) {
			t.Errorf("cause: %v", cause)
		}
		equal(t, "quick", states(t, store, "quick"), "Manual/Succeeded/1")
		equal(t, "slow, not retried (R217)", states(t, store, "slow"), "Manual/Canceled/1")
		equal(t, "no tick after the stop", len(history(t, store, "tick")), ticks)
		after := calls.all()[before:]
		rows, err := n.ListTriggers(t.Context(), scheduling.TriggerQuery{Jobs: []string{"slow"}})
		if err != nil || len(rows) != 0 {
			t.Errorf("triggers of slow: %v %v", rows, err)
		}
		if after[len(after)-1] != "Deregister" {
			t.Errorf("the last call must be Deregister: %v", after)
		}
		for _, op := range after {
			if op == "Claim" || op == "Election.TryAcquire" || op == "Election.Renew" {
				t.Errorf("%s after the stop began: %v", op, after)
			}
		}
	})
}

// D29: handlers that never return are named, their node's row is left to age,
// and nothing waits for them longer than ShutdownTimeout and CancelGrace.
func TestStopWithHangingHandlers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		release := make(chan struct{})
		n.Handle("deaf", func(context.Context, *scheduling.Run) error { <-release; return nil })
		n.job(scheduling.JobDefinition{Name: "deaf", AllowConcurrent: true})
		n.run()
		for range 3 {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "deaf"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(time.Second)
		stopped := time.Now()
		err := n.stop()
		if d := time.Since(stopped); d < 25*time.Second || d > 26*time.Second {
			t.Errorf("took %v", d)
		}
		if err == nil || !strings.Contains(err.Error(), "3 handlers have not returned") || !strings.Contains(err.Error(), history(t, store, "deaf")[0].ID) {
			t.Errorf("err: %v", err)
		}
		nodes, _ := n.Nodes(t.Context())
		equal(t, "rows left to age", len(nodes), 1)
		close(release)
		sleep(time.Second)
		// The next node finds them.
		other := newNode(t, store, scheduling.Options{NodeID: "b"})
		other.run()
		sleep(2 * time.Minute)
		equal(t, "lost", states(t, store, "deaf"), "Manual/Lost/1 Manual/Lost/1 Manual/Lost/1")
		other.stopClean()
	})
}

// D29: what the store does not take while stopping is tried until the end, and
// named; without handlers running the row is deleted nevertheless if possible.
func TestStopWithoutStore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		n.link.setCut(true)
		stopped := time.Now()
		err := n.stop()
		if err == nil || !errors.Is(err, scheduling.ErrStoreUnavailable) || !strings.Contains(err.Error(), history(t, store, "x")[0].ID) {
			t.Errorf("err: %v", err)
		}
		if d := time.Since(stopped); d > 27*time.Second {
			t.Errorf("took %v", d)
		}
		// The store comes back while another node stops in time: recorded.
		m := newNode(t, store, scheduling.Options{NodeID: "b"})
		m.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { <-time.After(time.Second); return nil })
		m.run()
		sleep(2 * time.Minute)
		if _, err := m.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(500 * time.Millisecond)
		m.link.setCut(true)
		m.end()
		sleep(5 * time.Second)
		m.link.setCut(false)
		if err := <-m.done; err != nil {
			t.Errorf("Run: %v", err)
		}
		equal(t, "states", states(t, store, "x"), "Manual/Lost/1 Manual/Succeeded/1")
	})
}

// G5: Shutdown ends Run, a context that ends hurries it, and a handler may call
// it.
func TestShutdown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		if err := n.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		equal(t, "took", time.Since(began).Round(100*time.Millisecond), 3*time.Second)
		equal(t, "Run", fmt.Sprint(<-n.done), "<nil>")
		equal(t, "states", states(t, store, "x"), "Manual/Canceled/1")
		if err := n.Run(t.Context()); !errors.Is(err, scheduling.ErrNotServing) {
			t.Errorf("second Run: %v", err)
		}
		if err := n.Shutdown(t.Context()); err != nil {
			t.Errorf("second Shutdown: %v", err)
		}

		inside := newNode(t, store, scheduling.Options{NodeID: "b"})
		inside.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { return inside.Shutdown(ctx) })
		inside.run()
		if _, err := inside.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		if err := <-inside.done; err == nil || !strings.Contains(err.Error(), "1 handlers have not returned") {
			t.Errorf("Run: %v", err)
		}
		synctest.Wait()

		never := newNode(t, store, scheduling.Options{NodeID: "c"})
		if err := never.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown of a scheduler that never ran: %v", err)
		}
		if err := never.Run(t.Context()); !errors.Is(err, scheduling.ErrNotServing) {
			t.Errorf("Run after it: %v", err)
		}
	})
}

// R259, D29: claims that are not begun when the stop begins are given back with
// their due instants unchanged.
func TestStopGivesClaimsBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{LongWay: true, Held: func(op, job string) bool { return op == "Begin" }})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", nop)
		n.job(scheduling.JobDefinition{Name: "x", Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustOnce(at(time.Second))}}})
		n.run()
		sleep(2 * time.Second)
		equal(t, "claimed", trigger(t, store, "x", "t").State, provider.TriggerAcquired)
		n.stopClean()
		row := trigger(t, store, "x", "t")
		equal(t, "state", row.State, provider.TriggerWaiting)
		equal(t, "due", row.NextFireAt, at(time.Second))
		equal(t, "claim", row.ClaimID, 0)
	})
}

// A stop while the database is away from the beginning returns at once.
func TestStopBeforeServing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.link.setCut(true)
		n.run()
		sleep(time.Minute)
		if n.log.count("register failed") == 0 {
			t.Errorf("log: %s", n.log.text())
		}
		n.stopClean()
	})
}
