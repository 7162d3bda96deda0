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
	"github.com/gormsched/gormsched/scheduling/provider"
)

func everywhere(name string, s scheduling.Schedule) scheduling.JobDefinition {
	def := scheduling.NewJob(name, s)
	def.RunOnEveryInstance = true
	return def
}

// R149, R205: every instance runs a local job on its own clock, without claims,
// and writes its runs to the history.
func TestLocalJobs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		var nodes []*node
		for _, id := range []string{"a", "b"} {
			n := newNode(t, store, scheduling.Options{NodeID: id})
			n.Handle("any", nop)
			for name, s := range map[string]scheduling.Schedule{
				"cron":  scheduling.MustCron("*/10 * * * * *", ""),
				"every": scheduling.MustEveryTimes(3*time.Second, 4),
				"past":  scheduling.MustOnce(at(-time.Hour)),
				"once":  scheduling.MustOnce(at(5 * time.Second)),
			} {
				def := everywhere(name, s)
				def.Handler = "any"
				n.job(def)
			}
			nodes = append(nodes, n.run())
		}
		sleep(61 * time.Second)
		for _, n := range nodes {
			n.stopClean()
		}
		for name, want := range map[string]int{"cron": 6, "every": 4, "past": 0, "once": 1} {
			count := map[string]int{}
			for _, r := range history(t, store, name) {
				count[r.Node]++
				equal(t, name+" state", r.State, scheduling.RunSucceeded)
				equal(t, name+" fence", r.Fence, 0)
			}
			equal(t, name, fmt.Sprint(count["a"], count["b"]), fmt.Sprint(want, want))
		}
	})
}

// R206: exclusivity of a local job is judged within the instance; a skipped
// occurrence is not made up.
func TestLocalExclusive(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(context.Context, *scheduling.Run) error { <-time.After(25 * time.Second); return nil })
		n.job(everywhere("x", scheduling.MustCron("*/10 * * * * *", "")))
		n.run()
		sleep(5 * time.Second)
		done := make(chan error, 1)
		sleep(10 * time.Second)
		go func() {
			_, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
			done <- err
		}()
		if err := <-done; !errors.Is(err, scheduling.ErrJobRunning) {
			t.Errorf("Trigger while it runs here: %v", err)
		}
		sleep(80 * time.Second)
		n.stopClean()
		runs := history(t, store, "x")
		if o := overlap(runs[:len(runs)-1]); o != "" {
			t.Errorf("overlap: %s", o)
		}
		var starts []time.Duration
		for _, r := range runs {
			starts = append(starts, r.ScheduledAt.Sub(start2000))
		}
		equal(t, "occurrences", fmt.Sprint(starts), "[10s 40s 1m10s]")
	})
}

// R221: a local job's retry waits in the process, keeps group and data, and is
// dropped when the instance stops. R222: a Trigger call answers for the first.
func TestLocalRetry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(_ context.Context, run *scheduling.Run) error {
			if run.Attempt < 3 {
				return errors.New("again")
			}
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x", RunOnEveryInstance: true, Retry: scheduling.ExponentialRetry(5, 2*time.Second, 0),
			Data: scheduling.MustData(map[string]int{"n": 1})})
		n.run()
		sleep(time.Second)
		recs, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
		if err != nil || recs[0].State != scheduling.RunFailed || recs[0].Attempt != 1 {
			t.Errorf("%v %v", recs, err)
		}
		sleep(20 * time.Second)
		equal(t, "group", states(t, store, "x"), "Manual/Failed/1 Retry/Failed/2 Retry/Succeeded/3")
		runs := history(t, store, "x")
		equal(t, "waits", fmt.Sprint(runs[1].StartedAt.Sub(runs[0].CompletedAt), runs[2].StartedAt.Sub(runs[1].CompletedAt)), "2s 4s")
		equal(t, "RetryOf", runs[2].RetryOf, runs[0].ID)
		equal(t, "data", runs[2].Data, `{"n":1}`)
		rows, _ := store.ListTriggers(t.Context(), provider.TriggerQuery{})
		equal(t, "stored one-shots", len(rows), 0)
		if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		n.stopClean()
		sleep(time.Minute)
		equal(t, "dropped", len(history(t, store, "x")), 4)
	})
}

// R207: a change made on this node is seen at once, another's within ten polls;
// pausing holds a local job, and what was missed follows the misfire policy.
func TestLocalRefresh(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		a, b := newNode(t, store, scheduling.Options{NodeID: "a"}), newNode(t, store, scheduling.Options{NodeID: "b"})
		for _, n := range []*node{a, b} {
			n.Handle("x", nop)
			n.run()
		}
		sleep(5500 * time.Millisecond)
		if err := a.Schedule(t.Context(), everywhere("x", scheduling.MustCron("* * * * * *", ""))); err != nil {
			t.Fatal(err)
		}
		sleep(2 * time.Second)
		count := func() map[string]int {
			c := map[string]int{}
			for _, r := range history(t, store, "x") {
				c[r.Node]++
			}
			return c
		}
		if c := count(); c["a"] < 1 || c["b"] != 0 {
			t.Errorf("after 2 s: %v", c)
		}
		sleep(10 * time.Second)
		if c := count(); c["b"] < 1 {
			t.Errorf("after ten polls: %v", c)
		}
		if err := a.Pause(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		sleep(11 * time.Second)
		before := count()
		sleep(2 * time.Minute)
		equal(t, "paused", fmt.Sprint(count()), fmt.Sprint(before))
		if err := a.Resume(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		sleep(400 * time.Millisecond)
		equal(t, "RunOnce after the pause", count()["a"], before["a"]+1)
		if err := a.Unschedule(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		sleep(11 * time.Second)
		before = count()
		sleep(20 * time.Second)
		equal(t, "unscheduled", fmt.Sprint(count()), fmt.Sprint(before))
		a.stopClean()
		b.stopClean()
	})
}

// D41: while the store is away local jobs go on and their history waits, also
// through isolation; when it answers again everything is written.
func TestLocalWithoutStore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var ran, canceled atomic.Int64
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error {
			ran.Add(1)
			select {
			case <-time.After(1500 * time.Millisecond):
			case <-ctx.Done():
				canceled.Add(1)
			}
			return nil
		})
		n.job(everywhere("x", scheduling.MustCron("*/2 * * * * *", "")))
		n.run()
		sleep(5 * time.Second)
		n.link.setCut(true)
		sleep(85 * time.Second)
		if ran.Load() < 43 {
			t.Errorf("ran %d times", ran.Load())
		}
		n.link.setCut(false)
		sleep(10 * time.Second)
		n.stopClean()
		runs := history(t, store, "x")
		equal(t, "history", len(runs), int(ran.Load()))
		for _, r := range runs {
			equal(t, "state", r.State, scheduling.RunSucceeded)
		}
		equal(t, "canceled", canceled.Load(), 0)
	})
}

// R236: a local run is canceled like any other.
func TestLocalCancel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		a, b := newNode(t, store, scheduling.Options{NodeID: "a"}), newNode(t, store, scheduling.Options{NodeID: "b"})
		a.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		a.job(everywhere("x", scheduling.MustOnce(at(time.Second))))
		a.run()
		b.run()
		sleep(2 * time.Second)
		if err := b.CancelRuns(t.Context(), history(t, store, "x")[0].ID); err != nil {
			t.Fatal(err)
		}
		sleep(1100 * time.Millisecond)
		equal(t, "canceled at the next poll", states(t, store, "x"), "Schedule/Canceled/1")
		a.stopClean()
		b.stopClean()
	})
}

// R221, R229: a retry whose job was unscheduled meanwhile is dropped.
func TestLocalRetryOfGoneJob(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(context.Context, *scheduling.Run) error { return errors.New("again") })
		def := everywhere("x", scheduling.MustOnce(at(time.Second)))
		def.Retry = scheduling.FixedRetry(1, 30*time.Second)
		n.job(def)
		n.run()
		sleep(5 * time.Second)
		if err := n.Unschedule(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		sleep(time.Minute)
		equal(t, "states", states(t, store, "x"), "Schedule/Failed/1")
		n.stopClean()
	})
}
