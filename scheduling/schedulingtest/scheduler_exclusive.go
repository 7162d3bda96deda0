package schedulingtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var exclusiveCases = []Case{
	fires("BlockedThenRuns", "R200 R201 B114", "an occurrence that meets an unfinished run begins at that run's end, and stands for its own instant",
		"cron */5 * * * * *", takes(7*time.Second), 22*time.Second, "5s 10s 15s", "5s 12s 19s", "Blocked 20s"),
	fires("ConcurrentOverlaps", "R148", "a job that allows it overlaps with itself",
		"cron */5 * * * * *", takes(7*time.Second), 16*time.Second, "5s 10s 15s", "5s 10s 15s", "Waiting 20s", overlapping),
	alone("BlockedKeepsItsInstant", "R200 R266", "a Blocked trigger keeps the instant that it is due for", func(w *World) {
		w.engine("a").code(takes(7*time.Second), does("x", "cron */5 * * * * *")).run()
		w.sleepTo(11 * time.Second)
		w.same("trigger", w.state("x"), "Blocked 10s")
		w.sleepTo(12500 * time.Millisecond)
		w.same("trigger", w.state("x"), "Waiting 15s")
	}),
	alone("BlockedMisfires", "R201 R197", "the misfire policy takes over when the wait was long", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.MisfireThreshold = 3 * time.Second })
		n.code(takes(12*time.Second), does("x", "cron */5 * * * * *", missed(scheduling.Skip))).run()
		w.sleepTo(18 * time.Second)
		w.same("occurrences", w.due("x"), "5s")
		w.same("trigger", w.state("x"), "Waiting 20s")
	}),
	together("ExclusiveAcrossNodes", "R148 R200 R259 B103", "two triggers due together on two nodes make two runs, one after the other", func(w *World) {
		def := does("x", "")
		for _, name := range []string{"one", "two"} {
			def.Triggers = append(def.Triggers, scheduling.TriggerDefinition{Name: name, Schedule: scheduling.MustCron("*/10 * * * * *", "")})
		}
		for _, id := range []string{"a", "b"} {
			w.engine(id).code(takes(2*time.Second), def).run()
		}
		w.sleepTo(25 * time.Second)
		w.same("occurrences", w.due("x"), "10s 10s 20s 20s")
		w.same("overlap", w.overlap("x"), "")
	}),
	alone("TriggerMeetsARun", "R204 B120", "Trigger on an occupied exclusive job is a conflict and makes no run", func(w *World) {
		n := w.engine("a").code(takes(5*time.Second), does("x", "cron */10 * * * * *")).run()
		w.sleepTo(12 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.is(err, scheduling.ErrJobRunning, "Trigger")
		w.same("runs", w.story("x"), "Schedule/Running/1")
	}),
	together("TriggerMeetsAnotherNodesRun", "R204 B120", "the conflict is the cluster's, not the node's", func(w *World) {
		a := w.engine("a").code(takes(5*time.Second), does("x", "")).run()
		b := w.engine("b").code(takes(5*time.Second), does("x", "")).run()
		_, err := a.Enqueue(w.ctx, scheduling.EnqueueRequest{Job: "x"})
		w.must(err, "Enqueue")
		w.sleep(2 * time.Second)
		for _, n := range []*engine{a, b} {
			_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
			w.is(err, scheduling.ErrJobRunning, "Trigger on %s", n.NodeID())
		}
	}),
	alone("EnqueueMeetsARun", "R200 R234 B120", "an enqueued run waits for the unfinished one", func(w *World) {
		n := w.engine("a").code(takes(5*time.Second), does("x", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(2 * time.Second)
		_, err := n.Enqueue(w.ctx, scheduling.EnqueueRequest{Job: "x", Key: "k"})
		w.must(err, "Enqueue")
		w.sleepTo(4 * time.Second)
		w.same("one-shot", w.row("x", "manual-k").State, provider.TriggerBlocked)
		w.sleepTo(12 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Succeeded/1 Manual/Succeeded/1")
		w.same("beginnings", w.begun("x"), "1s 6s")
	}),
	alone("FreeAfterEveryEnd", "R201 R232 B117 B164", "however a run ends, its job is free at once and the process lives", func(w *World) {
		how := ""
		n := w.engine("a").code(func(ctx context.Context, _ *scheduling.Run) error {
			switch how {
			case "error":
				return errWork
			case "panic":
				panic("on purpose")
			case "goexit":
				runtime.Goexit()
			case "timeout":
				<-ctx.Done()
			}
			return nil
		}, does("x", "", limited(time.Second))).run()
		w.sleep(time.Second)
		for _, c := range []struct {
			how   string
			state provider.RunState
			code  error
		}{
			{"error", provider.RunFailed, scheduling.ErrRunPanicked}, {"panic", provider.RunFailed, scheduling.ErrRunPanicked},
			{"goexit", provider.RunFailed, scheduling.ErrRunPanicked}, {"timeout", provider.RunFailed, scheduling.ErrRunTimeout},
			{"nil", provider.RunSucceeded, nil},
		} {
			how = c.how
			recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
			w.must(err, "Trigger after %s", c.how)
			w.same(c.how, recs[0].State, c.state)
			want := ""
			var coded *scheduling.Error
			if errors.As(c.code, &coded) {
				want = string(coded.Code)
			}
			w.same(c.how+" code", recs[0].ErrorCode, want)
		}
	}),
	alone("BecomesConcurrent", "D12 R200", "a job that becomes concurrent starts what is Blocked", func(w *World) {
		n := w.engine("a").code(takes(10*time.Second), does("x", "cron */5 * * * * *")).run()
		w.sleepTo(11 * time.Second)
		w.same("trigger", w.state("x"), "Blocked 10s")
		w.must(n.Schedule(w.ctx, does("x", "cron */5 * * * * *", overlapping)), "Schedule")
		w.sleepTo(13 * time.Second)
		w.same("occurrences", w.due("x"), "5s 10s")
	}),
}

// overlap names two runs of a job of which one begins before the other ends.
func (w *World) overlap(job string) string {
	w.Helper()
	runs := w.runs(job)
	for i := 1; i < len(runs); i++ {
		if end := runs[i-1].CompletedAt; end.IsZero() || runs[i].StartedAt.Before(end) {
			return fmt.Sprintf("run %s begins at %s, run %s ends at %s", runs[i].ID, w.offset(runs[i].StartedAt), runs[i-1].ID, w.offset(end))
		}
	}
	return ""
}

var callCases = []Case{
	alone("TriggerBeforeStart", "R233", "Trigger starts nothing before the scheduler serves", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.is(err, scheduling.ErrNotServing, "Trigger before Run")
		n.run()
		w.sleep(time.Second)
		n.stop()
		_, err = n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.is(err, scheduling.ErrNotServing, "Trigger after Run")
		w.same("runs", w.story("x"), "")
	}),
	alone("TriggerUnknown", "R233 G8", "an unknown job is one item's error, the others run", func(w *World) {
		n := w.engine("a").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "none"}, scheduling.TriggerRequest{Job: "x"})
		w.is(scheduling.ItemErrors(err)[0], scheduling.ErrJobNotFound, "item 0")
		w.same("failed items", len(scheduling.ItemErrors(err)), 1)
		w.same("the other", recs[1].State, provider.RunSucceeded)
	}),
	alone("TriggerInOrder", "R232", "requests of one call run one after another", func(w *World) {
		n := w.engine("a").code(takes(2*time.Second), does("x", "", overlapping)).run()
		w.sleep(time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"}, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("beginnings", w.begun("x"), "1s 3s")
	}),
	together("TriggerRunsHere", "R232", "Trigger runs on the node that is asked, whoever leads", func(w *World) {
		w.engine("a").code(nil, does("x", "")).run()
		b := w.engine("b").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		recs, err := b.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("node", recs[0].Node, "b")
	}),
	alone("TriggerWithoutSlot", "R232 D37", "Trigger waits for no slot", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.MaxConcurrentRuns = 1 }).
			code(takes(10*time.Second), does("busy", "once 2000-01-01T00:00:01Z")).code(nil, does("x", "")).run()
		w.sleepTo(2 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("beginnings", w.begun("x"), "2s")
	}),
}
