package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// R148, R200–R202, B103, B114, B120: an exclusive job with many triggers on
// three nodes, on both ways of claiming: runs never overlap, and none is lost.
func TestExclusiveNeverOverlaps(t *testing.T) {
	for _, long := range []bool{false, true} {
		t.Run(fmt.Sprintf("longway=%v", long), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				store := newStore(t, inmemory.Options{LongWay: long})
				var running, most atomic.Int64
				var nodes []*node
				for _, id := range []string{"a", "b", "c"} {
					n := newNode(t, store, scheduling.Options{NodeID: id})
					n.Handle("x", func(context.Context, *scheduling.Run) error {
						most.Store(max(most.Load(), running.Add(1)))
						<-time.After(70 * time.Millisecond)
						running.Add(-1)
						return nil
					})
					n.job(scheduling.JobDefinition{Name: "x", Triggers: []scheduling.TriggerDefinition{
						{Name: "t1", Schedule: scheduling.MustCron("*/5 * * * * *", "")},
						{Name: "t2", Schedule: scheduling.MustCron("*/5 * * * * *", "")},
						{Name: "t3", Schedule: scheduling.MustEvery(time.Second)},
					}})
					nodes = append(nodes, n.run())
				}
				for i := range 60 {
					if _, err := nodes[i%3].Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
						t.Fatal(err)
					}
				}
				sleep(time.Minute)
				for _, n := range nodes {
					n.stopClean()
				}
				runs := history(t, store, "x")
				if o := overlap(runs); o != "" || most.Load() != 1 {
					t.Errorf("overlap: %s; most at once: %d", o, most.Load())
				}
				count := map[string]int{}
				byNode := map[string]int{}
				for _, r := range runs {
					equal(t, "state", r.State, scheduling.RunSucceeded)
					count[r.Kind.String()+" "+r.TriggerName[:2]]++
					byNode[r.Node]++
				}
				equal(t, "manual", count["Manual ma"], 60)
				if c := count["Schedule t1"]; c < 11 || c > 13 {
					t.Errorf("t1 ran %d times in a minute of every 5 s", c)
				}
				if count["Schedule t3"] < 40 {
					t.Errorf("t3 ran %d times", count["Schedule t3"])
				}
				if len(byNode) != 3 {
					t.Errorf("all on %v", byNode)
				}
			})
		})
	}
}

// R204, R232: a synchronous trigger of an exclusive job that runs elsewhere is
// a conflict, at once.
func TestTriggerConflict(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		a, b := newNode(t, store, scheduling.Options{NodeID: "a"}), newNode(t, store, scheduling.Options{NodeID: "b"})
		for _, n := range []*node{a, b} {
			n.Handle("x", func(ctx context.Context, run *scheduling.Run) error {
				<-time.After(3 * time.Second)
				return nil
			})
			n.job(scheduling.JobDefinition{Name: "x"})
			n.run()
		}
		first := make(chan scheduling.RunRecord, 1)
		go func() {
			recs, err := a.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
			if err != nil {
				t.Errorf("first: %v", err)
			}
			first <- recs[0]
		}()
		sleep(time.Second)
		before := time.Now()
		if _, err := b.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); !errors.Is(err, scheduling.ErrJobRunning) {
			t.Errorf("second: got %v, want ErrJobRunning", err)
		}
		equal(t, "waited", time.Since(before), 0)
		// B120: an enqueued one waits Blocked and runs afterwards.
		if _, err := b.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		equal(t, "first", (<-first).State, scheduling.RunSucceeded)
		sleep(5 * time.Second)
		runs := history(t, store, "x")
		equal(t, "runs", len(runs), 2)
		if o := overlap(runs); o != "" {
			t.Errorf("overlap: %s", o)
		}
		a.stopClean()
		b.stopClean()
	})
}

// R232: requests run in order, and one exclusive job may stand twice in a call.
func TestTriggerInOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var order notes
		n.Handle("x", func(_ context.Context, run *scheduling.Run) error {
			order.add(run.Data.String())
			<-time.After(time.Second)
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x", Data: scheduling.MustData(map[string]int{"n": 0})})
		n.run()
		recs, err := n.Trigger(t.Context(),
			scheduling.TriggerRequest{Job: "x", Data: scheduling.MustData(map[string]int{"n": 1})},
			scheduling.TriggerRequest{Job: "none"},
			scheduling.TriggerRequest{Job: "x", Data: scheduling.MustData(map[string]int{"n": 2})})
		if failed := scheduling.ItemErrors(err); len(failed) != 1 || !errors.Is(failed[1], scheduling.ErrJobNotFound) {
			t.Errorf("errors: %v", err)
		}
		equal(t, "order", order.String(), `{"n":1} {"n":2}`)
		equal(t, "third", recs[2].State, scheduling.RunSucceeded)
		equal(t, "trigger name (D37)", recs[0].TriggerName, "")
		n.stopClean()
		if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); !errors.Is(err, scheduling.ErrNotServing) {
			t.Errorf("after the stop: %v (R233)", err)
		}
	})
}

// R232: while a run is waited for the caller may leave; the run goes on.
func TestTriggerCallerLeaves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error {
			select {
			case <-time.After(3 * time.Second):
			case <-ctx.Done():
			}
			return ctx.Err()
		})
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		recs, err := n.Trigger(ctx, scheduling.TriggerRequest{Job: "x"}, scheduling.TriggerRequest{Job: "x"})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err: %v", err)
		}
		equal(t, "record so far", recs[0].State, scheduling.RunRunning)
		sleep(5 * time.Second)
		equal(t, "states", states(t, store, "x"), "Manual/Succeeded/1")
		n.stopClean()
	})
}

// D01, R154: among candidates the earlier due goes first; what a pass got
// starts in descending priority. D41: StartPaused claims nothing until Unpause.
func TestStartOrder(t *testing.T) {
	for _, long := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{LongWay: long})
			var events publisher
			n := newNode(t, store, scheduling.Options{NodeID: "a", StartPaused: true, MaxConcurrentRuns: 3, Publisher: &events})
			n.Handle("x", func(_ context.Context, run *scheduling.Run) error {
				<-time.After(time.Second)
				return nil
			})
			for i, p := range []int{1, 9, 5, 7, 3} { // due one after another
				name := fmt.Sprintf("p%d", p)
				n.job(scheduling.JobDefinition{Name: name, Handler: "x", Triggers: []scheduling.TriggerDefinition{
					{Name: "t", Priority: p, Schedule: scheduling.MustOnce(at(time.Duration(1+i) * time.Second))}}})
			}
			n.run()
			sleep(6 * time.Second)
			equal(t, "leads while paused", n.IsLeader(), false)
			var started []string
			take := func() (now []string) {
				for _, e := range events.all()[len(started):] {
					started = append(started, e)
					if job, ok := strings.CutPrefix(e, "run.started:"); ok {
						now = append(now, job)
					}
				}
				return now
			}
			equal(t, "while paused", fmt.Sprint(take()), "[]")
			n.Unpause()
			sleep(500 * time.Millisecond)
			equal(t, "first", fmt.Sprint(take()), "[p9 p5 p1]")
			sleep(time.Second)
			equal(t, "then", fmt.Sprint(take()), "[p7 p3]")
			equal(t, "leads", n.IsLeader(), true)
			n.stopClean()
		})
	}
}

// Design §5: what this node enqueues begins at once, not with the next poll.
func TestEnqueueWakes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", PollInterval: time.Minute})
		n.Handle("x", nop)
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		sleep(10 * time.Second)
		for range 3 {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
			sleep(time.Second)
		}
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x", DueAt: time.Now().Add(5 * time.Second)}); err != nil {
			t.Fatal(err)
		}
		sleep(6 * time.Second)
		n.stopClean()
		runs := history(t, store, "x")
		equal(t, "runs", len(runs), 4)
		for _, r := range runs {
			if late := r.StartedAt.Sub(r.ScheduledAt); late > 10*time.Millisecond {
				t.Errorf("began %v after it was due", late)
			}
		}
	})
}

// Design §5: passes begin at the earliest 10 ms after one another, however
// often the loop is woken; an idle node looks once per PollInterval.
func TestPassFloor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var mu sync.Mutex
		var seen []time.Time
		n.link.setStrike(func(op string) error {
			if op == "Claim" {
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, time.Now())
			}
			return nil
		})
		take := func() []time.Time {
			mu.Lock()
			defer mu.Unlock()
			was := seen
			seen = nil
			return was
		}
		n.Handle("x", nop)
		n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true})
		n.run()
		sleep(100 * time.Millisecond)
		take()
		stormEnd := time.Now().Add(time.Second)
		for time.Now().Before(stormEnd) {
			n.Wake()
			sleep(time.Millisecond)
		}
		passes := take()
		for i := 1; i < len(passes); i++ {
			if d := passes[i].Sub(passes[i-1]); d < 10*time.Millisecond {
				t.Fatalf("passes %v apart", d)
			}
		}
		if len(passes) < 90 {
			t.Errorf("%d passes: woken passes must not wait for the poll", len(passes))
		}
		sleep(2 * time.Second)
		take()
		sleep(20 * time.Second)
		if passes = take(); len(passes) < 19 || len(passes) > 21 {
			t.Errorf("idle: %d passes in 20 s of PollInterval 1 s", len(passes))
		}
		n.stopClean()
	})
}

// R258, design §5: a slot that frees wakes the loop, and slots are never
// exceeded by claimed runs.
func TestSlots(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", MaxConcurrentRuns: 4, PollInterval: time.Minute})
		var running, most atomic.Int64
		n.Handle("x", func(context.Context, *scheduling.Run) error {
			most.Store(max(most.Load(), running.Add(1)))
			<-time.After(time.Second)
			running.Add(-1)
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true})
		n.run()
		for range 20 {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(6 * time.Second)
		equal(t, "ended in 5 rounds of 1 s", len(history(t, store, "x")), 20)
		equal(t, "most at once", most.Load(), 4)
		n.stopClean()
	})
}

// Design §5: a slot is free when the handler has returned, not only when the
// store has taken the run's end.
func TestSlotFreesAtReturn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", MaxConcurrentRuns: 1, PollInterval: time.Minute})
		var began notes
		n.Handle("x", func(context.Context, *scheduling.Run) error {
			began.add(time.Since(start2000).Round(100 * time.Millisecond).String())
			<-time.After(time.Second)
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true})
		n.run()
		n.link.setDelay(func(op string) {
			if op == "Complete" {
				<-time.After(5 * time.Second)
			}
		})
		for range 3 {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(30 * time.Second)
		equal(t, "began", began.String(), "0s 1s 2s")
		n.stopClean()
	})
}
