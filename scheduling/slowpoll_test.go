package scheduling_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// A run that begins and ends while one slow poll is under way is Running in its
// answer and unknown to memory before and after it. It is no lost answer: its
// handler is not started again (D07).
func TestRunWithinASlowPoll(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", PollInterval: time.Second})
		n.Handle("long", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		var started atomic.Int64
		n.Handle("short", func(context.Context, *scheduling.Run) error {
			started.Add(1)
			time.Sleep(5 * time.Second)
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "long"})
		n.job(scheduling.JobDefinition{Name: "short"})
		n.run()
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "long"}); err != nil {
			t.Fatal(err)
		}
		sleep(3 * time.Second)
		var slow atomic.Int64
		n.link.setStrike(func(op string) error {
			if op == "Inflight" && slow.Add(1) == 1 {
				time.Sleep(5 * time.Second) // before the store is asked
			}
			return nil
		})
		n.link.mu.Lock()
		n.link.delay = func(op string) {
			if op == "Inflight" && slow.Load() == 1 {
				time.Sleep(3 * time.Second) // and before its answer comes
			}
		}
		n.link.mu.Unlock()
		sleep(1500 * time.Millisecond) // the slow poll is under way
		if slow.Load() != 1 {
			t.Fatalf("%d polls since, want 1", slow.Load())
		}
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "short"}); err != nil {
			t.Fatal(err)
		}
		sleep(20 * time.Second)
		equal(t, "handlers started", started.Load(), 1)
		n.stop()
	})
}
