package scheduling_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// R195–R199, B92: a day without a node, each policy.
func TestMisfireAfterADay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		start := func() *node {
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			n.Handle("any", nop)
			return n
		}
		n := start()
		for name, policy := range map[string]scheduling.MisfirePolicy{"once": scheduling.RunOnce, "skip": scheduling.Skip, "all": scheduling.RunAll} {
			n.job(scheduling.JobDefinition{Name: name, Handler: "any", Triggers: []scheduling.TriggerDefinition{
				{Name: "t", Misfire: policy, Schedule: scheduling.MustCron("0 */10 * * * *", "")}}})
		}
		n.run()
		sleep(time.Second)
		n.stopClean()
		sleep(24*time.Hour + 7*time.Minute + 29*time.Second)
		back := time.Now().UTC()
		n = start().run()
		sleep(2 * time.Second)
		once := history(t, store, "once")
		equal(t, "RunOnce runs", len(once), 1)
		if late := once[0].ScheduledAt.Sub(back); late < 0 || late > 20*time.Millisecond {
			t.Errorf("its scheduled instant is now (R197): %v", once[0].ScheduledAt)
		}
		next := start2000.Add(24*time.Hour + 10*time.Minute)
		equal(t, "RunOnce next", trigger(t, store, "once", "t").NextFireAt, next)
		equal(t, "Skip runs", len(history(t, store, "skip")), 0)
		equal(t, "Skip next", trigger(t, store, "skip", "t").NextFireAt, next)

		sleep(2*time.Minute + 25*time.Second)
		all := history(t, store, "all")
		equal(t, "RunAll runs", len(all), 144)
		for i, r := range all {
			equal(t, "oldest first", r.ScheduledAt, start2000.Add(time.Duration(i+1)*10*time.Minute))
			if i > 0 && r.StartedAt.Sub(all[i-1].StartedAt) < time.Second {
				t.Errorf("make-ups %v apart (D13)", r.StartedAt.Sub(all[i-1].StartedAt))
			}
		}
		n.stopClean()
	})
}

// D13: a thousand backlogged RunAll triggers, and a trigger due now starts
// within one PollInterval.
func TestBacklogLeavesRoom(t *testing.T) {
	for _, long := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{LongWay: long})
			n := newNode(t, store, scheduling.Options{NodeID: "a", StartPaused: true})
			n.Handle("any", nop)
			for i := range 100 {
				def := scheduling.JobDefinition{Name: fmt.Sprintf("j%d", i), Handler: "any", AllowConcurrent: i%2 == 0}
				for k := range 10 {
					def.Triggers = append(def.Triggers, scheduling.TriggerDefinition{Name: fmt.Sprintf("t%d", k),
						Misfire: scheduling.RunAll, Schedule: scheduling.MustCron("*/10 * * * * *", "")})
				}
				n.job(def)
			}
			n.job(scheduling.JobDefinition{Name: "now", Handler: "any"})
			n.run()
			sleep(10 * time.Minute)
			n.Unpause()
			for range 2 {
				sleep(700 * time.Millisecond)
				if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "now"}); err != nil {
					t.Fatal(err)
				}
			}
			sleep(time.Second)
			runs := history(t, store, "now")
			equal(t, "runs", len(runs), 2)
			for _, r := range runs {
				if late := r.StartedAt.Sub(r.ScheduledAt); late > time.Second {
					t.Errorf("long=%v: started %v after it was due", long, late)
				}
			}
			n.stopClean()
		})
	}
}

// B90, B91, B95, D19: the threshold is strict, 0 is legal, and what is less
// late runs as scheduled.
func TestMisfireThreshold(t *testing.T) {
	for _, c := range []struct {
		threshold time.Duration
		away      time.Duration
		want      string
	}{
		{0, 42 * time.Second, "[0s 15s 30s]"}, // default 60 s: B91
		{43 * time.Second, 42 * time.Second, "[0s 15s 30s]"},
		{41*time.Second + 999*time.Millisecond, 42 * time.Second, "[]"}, // Skip
		{scheduling.Zero, 42 * time.Second, "[]"},
	} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{})
			n := newNode(t, store, scheduling.Options{NodeID: "a", StartPaused: true, MisfireThreshold: c.threshold})
			n.Handle("x", nop)
			n.job(scheduling.JobDefinition{Name: "x", Triggers: []scheduling.TriggerDefinition{
				{Name: "t", Misfire: scheduling.Skip, Schedule: scheduling.MustCron("0/15 * * * * *", "").WithStart(at(time.Minute))}}})
			n.run()
			sleep(time.Minute + c.away)
			n.Unpause()
			sleep(2 * time.Second)
			var got []time.Duration
			for _, r := range history(t, store, "x") {
				got = append(got, r.ScheduledAt.Sub(at(time.Minute)))
			}
			equal(t, fmt.Sprint(c.threshold), fmt.Sprint(got), c.want)
			n.stopClean()
		})
	}
}

// B161, D08, R230: pausing while a run is active sticks through its end, for an
// interval too; manual runs go on; resuming leaves a next instant.
func TestPauseDuringRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", func(context.Context, *scheduling.Run) error { <-time.After(3 * time.Second); return nil })
		n.job(scheduling.NewJob("x", scheduling.MustEvery(5*time.Second)))
		n.run()
		sleep(6 * time.Second)
		if err := n.Pause(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		sleep(time.Minute)
		equal(t, "paused", trigger(t, store, "x", "default").State, provider.TriggerPaused)
		equal(t, "runs", states(t, store, "x"), "Schedule/Succeeded/1")
		if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"}); err != nil {
			t.Errorf("Trigger while paused: %v", err)
		}
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Errorf("Enqueue while paused: %v", err)
		}
		sleep(10 * time.Second)
		equal(t, "runs", states(t, store, "x"), "Schedule/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1")
		if err := n.Resume(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		sleep(20 * time.Second)
		if c := len(history(t, store, "x")); c < 5 {
			t.Errorf("%d runs: it must go on after the resume", c)
		}
		n.stopClean()
	})
}

// D38: a one-shot that has expired before it began is dropped and logged; B78:
// a schedule's end is inclusive.
func TestExpiryAndEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", StartPaused: true})
		n.Handle("any", nop)
		n.job(scheduling.JobDefinition{Name: "expires", Handler: "any"})
		n.job(scheduling.JobDefinition{Name: "ends", Handler: "any", Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustCron("*/10 * * * * *", "").WithEnd(at(30 * time.Second))}}})
		n.run()
		sleep(time.Second)
		for _, after := range []time.Duration{2 * time.Second, time.Hour} {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "expires", ExpiresAt: time.Now().Add(after)}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(5 * time.Second)
		n.Unpause()
		sleep(time.Minute)
		equal(t, "expires", states(t, store, "expires"), "Manual/Succeeded/1")
		equal(t, "logged", n.log.count("expired before it began"), 1)
		equal(t, "ends", len(history(t, store, "ends")), 3)
		equal(t, "state", trigger(t, store, "ends", "t").State, provider.TriggerComplete)
		n.stopClean()
	})
}

// D35: draining one-shots of one exclusive job takes a flat number of
// transactions per run, and a job enqueued behind them starts within two polls.
func TestDrainOfOneExclusiveJob(t *testing.T) {
	for _, total := range []int{100, 1000} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{})
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			n.Handle("x", nop)
			n.Handle("behind", nop)
			n.job(scheduling.JobDefinition{Name: "x"})
			n.job(scheduling.JobDefinition{Name: "behind"})
			n.run()
			sleep(time.Second)
			requests := make([]scheduling.EnqueueRequest, total)
			for i := range requests {
				requests[i].Job = "x"
			}
			var calls notes
			n.link.setStrike(func(op string) error {
				if op == "Claim" || op == "Complete" {
					calls.add(op)
				}
				return nil
			})
			if _, err := n.Enqueue(t.Context(), requests...); err != nil {
				t.Fatal(err)
			}
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "behind"}); err != nil {
				t.Fatal(err)
			}
			sleep(2 * time.Second)
			if b := history(t, store, "behind"); len(b) != 1 {
				t.Errorf("behind: %v", b)
			}
			for len(history(t, store, "x")) < total {
				sleep(time.Second)
				if time.Since(start2000) > time.Hour {
					t.Fatal("the drain has stopped")
				}
			}
			sleep(time.Second)
			if per := float64(len(calls.all())) / float64(total); per > 4 {
				t.Errorf("%d one-shots: %.1f transactions per run", total, per)
			}
			n.stopClean()
			if o := overlap(history(t, store, "x")); o != "" {
				t.Errorf("overlap: %s", o)
			}
		})
	}
}
