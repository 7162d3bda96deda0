package schedulingtest

import (
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// enqueue stores one request, which must be accepted.
func (n *engine) enqueue(q scheduling.EnqueueRequest) scheduling.Enqueued {
	n.w.Helper()
	answers, err := n.Enqueue(n.w.ctx, q)
	n.w.must(err, "Enqueue")
	return answers[0]
}

var enqueuedCases = []Case{
	alone("EnqueueBeforeStart", "R128 R234 R235", "what is enqueued before the start runs after it", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		a := n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		if !strings.HasPrefix(a.Trigger.Trigger, "manual-") {
			w.Errorf("name %s", a.Trigger)
		}
		n.run()
		w.sleep(time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
		w.same("trigger name", w.runs("x")[0].TriggerName, a.Trigger.Trigger)
	}),
	alone("EnqueueUnknown", "R234 G8", "an unknown job is one item's error", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		_, err := n.Enqueue(w.ctx, scheduling.EnqueueRequest{Job: "none"}, scheduling.EnqueueRequest{Job: "x", Key: "k"})
		w.is(scheduling.ItemErrors(err)[0], scheduling.ErrJobNotFound, "item 0")
		w.same("the other", w.row("x", "manual-k").State, provider.TriggerWaiting)
	}),
	alone("EnqueueWakes", "R234", "a node runs at once what is enqueued on it, however long its poll interval", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.PollInterval = 2 * time.Second }).code(nil, does("x", "")).run()
		w.sleepTo(3500 * time.Millisecond)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(3900 * time.Millisecond)
		w.same("beginnings", w.begun("x"), "3.5s")
	}),
	alone("EnqueueDueLater", "D38 R234", "a due instant is kept", func(w *World) {
		n := w.engine("a").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		a := n.enqueue(scheduling.EnqueueRequest{Job: "x", DueAt: w.at(5 * time.Second)})
		w.same("answer", w.offset(a.DueAt), "5s")
		w.sleepTo(4900 * time.Millisecond)
		w.same("early", w.due("x"), "")
		w.sleepTo(6 * time.Second)
		w.same("occurrences", w.due("x"), "5s")
	}),
	alone("EnqueueLateRuns", "D10 R234", "no misfire policy skips what was enqueued", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(24 * time.Hour)
		n.run()
		w.sleep(time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
	}),
	alone("EnqueueSameKey", "D38", "a second request of the same key inserts nothing while the first has not begun", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		q := scheduling.EnqueueRequest{Job: "x", Key: "k"}
		first, second := n.enqueue(q), n.enqueue(q)
		w.same("names", fmt.Sprint(first.Trigger, second.Trigger), "x/manual-k x/manual-k")
		w.same("existed", fmt.Sprint(first.Existed, second.Existed), "false true")
		n.run()
		w.sleep(time.Second)
		w.same("after the run it is a new request", n.enqueue(q).Existed, false)
		w.sleep(time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1 Manual/Succeeded/1")
	}),
	alone("EnqueueExpires", "D38", "what has expired is dropped and logged, not run", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "gone", ExpiresAt: w.at(5 * time.Second)})
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "kept", ExpiresAt: w.at(15 * time.Second)})
		w.sleepTo(10 * time.Second)
		n.run()
		w.sleep(2 * time.Second)
		w.same("ran", w.told("x", func(r provider.RunRecord) string { return r.TriggerName }), "manual-kept")
		if w.log.count("manual-gone") == 0 {
			w.Errorf("the drop is not logged")
		}
	}),
	together("EnqueueRunsAnywhere", "R234", "any node runs what was enqueued, within a poll interval", func(w *World) {
		w.engine("a").code(nil, does("x", "")).run()
		w.sleep(1500 * time.Millisecond)
		w.engine("writer").enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(1100 * time.Millisecond)
		w.same("node", w.told("x", func(r provider.RunRecord) string { return r.Node }), "a")
	}),
	alone("RemoveEnqueued", "D38", "what was enqueued can be removed while it has not begun", func(w *World) {
		n := w.engine("a").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		a := n.enqueue(scheduling.EnqueueRequest{Job: "x", DueAt: w.at(5 * time.Second)})
		w.must(n.RemoveTriggers(w.ctx, a.Trigger), "RemoveTriggers")
		w.sleepTo(7 * time.Second)
		w.same("runs", w.story("x"), "")
		w.is(n.RemoveTriggers(w.ctx, a.Trigger), scheduling.ErrTriggerNotFound, "RemoveTriggers again")
	}),
}
