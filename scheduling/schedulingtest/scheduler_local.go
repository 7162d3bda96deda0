package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// on counts the runs of a job by node.
func (w *World) on(job string) string {
	w.Helper()
	count := map[string]int{}
	for _, r := range w.runs(job) {
		count[r.Node]++
	}
	return fmt.Sprint(count)
}

var localCases = []Case{
	together("LocalOnEveryNode", "R149 R205 R257", "every node runs a local job by its own clock, and its runs are in the history", func(w *World) {
		for _, id := range []string{"a", "b"} {
			w.engine(id).code(nil, does("x", "cron */5 * * * * *", everywhere), does("y", "every 00:00:02 x3", everywhere)).run()
		}
		w.sleepTo(17 * time.Second)
		w.same("runs", w.on("x"), "map[a:3 b:3]")
		w.same("runs", w.on("y"), "map[a:3 b:3]")
		w.same("states", w.runs("x")[0].State, provider.RunSucceeded)
	}),
	alone("LocalIsNotClaimed", "R149 R205", "a local trigger is never claimed", func(w *World) {
		w.engine("a").code(takes(2*time.Second), does("x", "cron */5 * * * * *", everywhere)).run()
		w.sleepTo(6 * time.Second)
		r := w.row("x", "default")
		w.same("trigger", fmt.Sprintf("%v %d %t", r.State, r.ClaimID, r.Local), "Waiting 0 true")
		w.same("runs", w.story("x"), "Schedule/Running/1")
		w.sleepTo(8 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Succeeded/1")
	}),
	alone("LocalExclusive", "R206", "an occurrence that meets this node's run is skipped, and the next one counts from now", func(w *World) {
		w.engine("a").code(takes(7*time.Second), does("x", "cron */5 * * * * *", everywhere)).run()
		w.sleepTo(23 * time.Second)
		w.same("occurrences", w.due("x"), "5s 15s")
	}),
	together("LocalExclusiveWithinTheNode", "R206", "a local job is exclusive within its node only", func(w *World) {
		for _, id := range []string{"a", "b"} {
			w.engine(id).code(takes(3*time.Second), does("x", "cron */5 * * * * *", everywhere)).run()
		}
		w.sleepTo(9 * time.Second)
		w.same("beginnings", w.begun("x"), "5s 5s")
	}),
	alone("LocalTriggerConflict", "R204 R206", "Trigger meets this node's run of a local job", func(w *World) {
		n := w.engine("a").code(takes(3*time.Second), does("x", "cron */5 * * * * *", everywhere)).run()
		w.sleepTo(6 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.is(err, scheduling.ErrJobRunning, "Trigger")
	}),
	alone("LocalRetry", "R218 R221", "a local job's retry stays in its node, and leaves no trigger", func(w *World) {
		n := w.engine("a").code(failing(1), does("x", "", everywhere, retried(scheduling.FixedRetry(1, 2*time.Second)))).run()
		w.sleep(time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		rows, err := n.ListTriggers(w.ctx, scheduling.TriggerQuery{})
		w.must(err, "ListTriggers")
		w.same("triggers", len(rows), 0)
		w.sleepTo(4 * time.Second)
		w.same("runs", w.story("x"), "Manual/Failed/1 Retry/Succeeded/2")
		w.same("beginnings", w.begun("x"), "1s 3s")
	}),
	alone("LocalRetryIsDropped", "R221", "a local job's retry is dropped when its node stops", func(w *World) {
		def := does("x", "", everywhere, retried(scheduling.FixedRetry(1, 5*time.Second)))
		n := w.engine("a").code(failing(1), def).run()
		w.sleep(time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		n.stop()
		w.engine("b").code(failing(1), def).run()
		w.sleep(10 * time.Second)
		w.same("runs", w.story("x"), "Manual/Failed/1")
	}),
	alone("LocalChangeAtOnce", "R207 R228", "a node sees its own change of a local job at once", func(w *World) {
		n := w.engine("a").run()
		w.sleep(1500 * time.Millisecond)
		w.must(n.Schedule(w.ctx, does("x", "cron */2 * * * * *", handledBy("nop"), everywhere)), "Schedule")
		w.sleepTo(5 * time.Second)
		w.same("occurrences", w.due("x"), "2s 4s")
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.sleepTo(9 * time.Second)
		w.same("paused", w.due("x"), "2s 4s")
	}),
	together("LocalChangeElsewhere", "R207", "another node's change of a local job arrives after ten cycles at most", func(w *World) {
		w.engine("a").run()
		w.sleep(1500 * time.Millisecond)
		w.must(w.engine("writer").Schedule(w.ctx, does("x", "cron * * * * * *", handledBy("nop"), everywhere)), "Schedule")
		w.sleep(12 * time.Second)
		if len(w.runs("x")) == 0 {
			w.Errorf("no runs after ten cycles")
		}
	}),
	alone("LocalPanic", "R132 B164", "a panic in a local run is a failed run", func(w *World) {
		n := w.engine("a").code(panics, does("x", "once 2000-01-01T00:00:02Z", everywhere)).run()
		w.sleepTo(3 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Failed/1")
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("triggered", recs[0].State, provider.RunFailed)
	}),
	together("LocalCancel", "R236 R256", "a local run is canceled from another node like any other", func(w *World) {
		w.engine("a").code(takes(time.Hour), does("x", "once 2000-01-01T00:00:01Z", everywhere)).run()
		w.sleepTo(2 * time.Second)
		w.must(w.engine("b").CancelRuns(w.ctx, w.runs("x")[0].ID), "CancelRuns")
		w.sleep(1200 * time.Millisecond)
		w.same("runs", w.story("x"), "Schedule/Canceled/1")
	}),
	alone("LocalWithoutStore", "R205 D41", "local jobs go on while the store is away, and their history is written later", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */2 * * * * *", everywhere)).run()
		w.sleepTo(3 * time.Second)
		n.link.setCut(true)
		w.sleepTo(9 * time.Second)
		n.link.setCut(false)
		w.sleepTo(15 * time.Second)
		w.same("occurrences", w.due("x"), "2s 4s 6s 8s 10s 12s 14s")
	}),
}
