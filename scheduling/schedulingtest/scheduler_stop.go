package schedulingtest

import (
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var stopCases = []Case{
	alone("StopWaits", "R262 D29", "a stop waits for runs that end within its patience", func(w *World) {
		n := w.engine("a").code(takes(1500*time.Millisecond), does("x", "")).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(500 * time.Millisecond)
		n.stop()
		w.same("stopped", w.offset(now()), "2.5s")
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
	}),
	alone("StopCancels", "R138 R226 R262 D29 B130", "at the end of its patience a stop cancels the runs, and they are not retried", func(w *World) {
		var cause error
		n := w.engine("a").code(tells(&cause), does("x", "", retried(scheduling.FixedRetry(3, time.Second)))).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		n.stop()
		w.same("stopped", w.offset(now()), "4s")
		w.is(cause, scheduling.ErrStopping, "cause")
		w.same("runs", w.story("x"), "Manual/Canceled/1")
	}),
	alone("StopOrder", "R251 R262 D29", "a stop claims nothing more, releases the lease first and deletes the node's row last", func(w *World) {
		n := w.engine("a").code(takes(10*time.Second), does("x", "")).code(nil, does("tick", "every 00:00:01")).run()
		w.sleep(1500 * time.Millisecond)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(100 * time.Millisecond)
		n.link.called()
		n.stop()
		calls := n.link.called()
		for _, op := range []string{"Acquire", "Claim", "Begin", "Start", "TryAcquire", "Renew"} {
			if slices.Contains(calls, op) {
				w.Errorf("%s after the stop began: %v", op, calls)
			}
		}
		lease, end := slices.Index(calls, "Release lease"), slices.Index(calls, "Complete")
		if lease < 0 || end < lease {
			w.Errorf("the lease is released at %d, the run recorded at %d of %v", lease, end, calls)
		}
		if w.Store.Info().Shared && calls[len(calls)-1] != "Deregister" {
			w.Errorf("the last call is %v", calls[len(calls)-1])
		}
		w.same("ticks", w.begun("tick"), "1s")
	}),
	alone("CallsWhileStopping", "R233 R235", "while stopping Trigger starts nothing, and Enqueue stores", func(w *World) {
		n := w.engine("a").code(takes(1500*time.Millisecond), does("x", "")).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(100 * time.Millisecond)
		n.end()
		w.sleep(100 * time.Millisecond)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.is(err, scheduling.ErrNotServing, "Trigger")
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "later"})
		<-n.gone
		w.same("left for others", w.row("x", "manual-later").State, provider.TriggerWaiting)
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
	}),
	alone("Shutdown", "G5 R262 D29", "Shutdown ends Run as the end of its context does", func(w *World) {
		n := w.engine("a").code(nil, does("x", "every 00:00:01")).run()
		w.sleep(1500 * time.Millisecond)
		w.must(n.Shutdown(w.ctx), "Shutdown")
		<-n.gone
		w.must(n.err, "Run")
		w.sleep(3 * time.Second)
		w.same("beginnings", w.begun("x"), "1s")
	}),
	together("StopGivesWorkAway", "R251 D29", "what is due while a node stops runs on another", func(w *World) {
		a := w.engine("a").code(takes(2*time.Second), does("x", "cron * * * * * *", overlapping)).run()
		w.engine("b").code(takes(2*time.Second), does("x", "cron * * * * * *", overlapping)).run()
		w.sleep(2500 * time.Millisecond)
		a.stop()
		w.sleepTo(8500 * time.Millisecond)
		w.same("occurrences", w.due("x"), "1s 2s 3s 4s 5s 6s 7s 8s")
		for _, r := range w.runs("x") {
			if r.StartedAt.After(w.at(2600*time.Millisecond)) && r.Node != "b" {
				w.Errorf("run at %s on node %s", w.offset(r.StartedAt), r.Node)
			}
		}
	}),
	together("HandlersThatStay", "D29 R225", "a handler that never heeds the stop is named, and its run becomes Lost", func(w *World) {
		a := w.engine("a").code(deaf(40*time.Second), does("x", "")).run()
		w.sleep(time.Second)
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		if err := a.finish(); err == nil {
			w.Errorf("Run returned no error")
		}
		w.engine("b").code(nil, does("x", "")).run()
		w.sleepTo(30 * time.Second)
		w.same("runs", w.story("x"), "Manual/Lost/1")
		w.sleepTo(45 * time.Second)
		w.same("runs", w.story("x"), "Manual/Lost/1")
	}),
}
