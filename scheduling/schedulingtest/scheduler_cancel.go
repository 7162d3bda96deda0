package schedulingtest

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// tells waits for the end of its context and keeps the cause.
func tells(cause *error) scheduling.Handler {
	return func(ctx context.Context, _ *scheduling.Run) error {
		<-ctx.Done()
		*cause = context.Cause(ctx)
		return ctx.Err()
	}
}

var cancelCases = []Case{
	alone("CancelHere", "R236 R138 B130", "a cancel request ends this node's run at once, and frees its job", func(w *World) {
		var cause error
		n := w.engine("a").code(tells(&cause), does("x", "")).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(2300 * time.Millisecond)
		w.must(n.CancelRuns(w.ctx, w.runs("x")[0].ID), "CancelRuns")
		w.sleep(100 * time.Millisecond)
		w.is(cause, scheduling.ErrCanceled, "cause")
		w.same("runs", w.story("x"), "Manual/Canceled/1")
		w.same("occupied by", w.stored("x").ActiveRunID, "")
	}),
	together("CancelElsewhere", "R236 R256", "a cancel request ends another node's run at its next cycle", func(w *World) {
		var cause error
		a := w.engine("a").code(tells(&cause), does("x", "")).run()
		w.sleep(time.Second)
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(500 * time.Millisecond)
		w.must(w.engine("b").CancelRuns(w.ctx, w.runs("x")[0].ID), "CancelRuns")
		w.sleep(1200 * time.Millisecond)
		w.is(cause, scheduling.ErrCanceled, "cause")
		w.same("runs", w.story("x"), "Manual/Canceled/1")
	}),
	alone("CancelEnded", "R236", "a run that is absent or has ended is not found", func(w *World) {
		n := w.engine("a").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		err = n.CancelRuns(w.ctx, recs[0].ID, "01900000-0000-7000-8000-000000000000")
		w.is(scheduling.ItemErrors(err)[0], scheduling.ErrRunNotFound, "an ended run")
		w.is(scheduling.ItemErrors(err)[1], scheduling.ErrRunNotFound, "an absent run")
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
	}),
	alone("CanceledIsNotRetried", "R217 R226", "a run that was canceled is not retried", func(w *World) {
		n := w.engine("a").code(takes(time.Hour), does("x", "", retried(scheduling.FixedRetry(3, time.Second)))).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		w.must(n.CancelRuns(w.ctx, w.runs("x")[0].ID), "CancelRuns")
		w.sleep(5 * time.Second)
		w.same("runs", w.story("x"), "Manual/Canceled/1")
	}),
	cancelRace("CancelBeforeLimit", 1500*time.Millisecond, provider.RunCanceled),
	cancelRace("CancelAfterLimit", 2500*time.Millisecond, provider.RunFailed),
	alone("CancelIgnored", "R225 R236", "a handler that ignores a cancel request ends when it returns", func(w *World) {
		n := w.engine("a").code(deaf(5*time.Second), does("x", "")).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		w.must(n.CancelRuns(w.ctx, w.runs("x")[0].ID), "CancelRuns")
		w.sleep(2 * time.Second)
		w.same("running", w.story("x"), "Manual/Running/1")
		w.sleep(3 * time.Second)
		w.same("ended", w.story("x"), "Manual/Canceled/1")
	}),
	alone("CancelLeaksNoSlot", "R258 B130", "canceled runs leave their slots free", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.MaxConcurrentRuns = 2 }).code(takes(time.Hour), does("x", "", overlapping)).run()
		w.sleep(time.Second)
		for range 5 {
			n.enqueue(scheduling.EnqueueRequest{Job: "x"})
			n.enqueue(scheduling.EnqueueRequest{Job: "x"})
			w.sleep(1100 * time.Millisecond)
			runs, err := w.Store.RunningRuns(w.ctx, []string{"x"})
			w.must(err, "RunningRuns")
			w.same("running", len(runs), 2)
			for _, r := range runs {
				w.must(n.CancelRuns(w.ctx, r.ID), "CancelRuns")
			}
			w.sleep(100 * time.Millisecond)
		}
	}),
}

// cancelRace makes a case of a run with a limit of 2 s that is canceled and
// returns nil a second after the later of the two.
func cancelRace(name string, canceled time.Duration, state provider.RunState) Case {
	return alone(name, "R224 R226 D20 B127", "the first cause decides, whatever the handler returns", func(w *World) {
		n := w.engine("a").code(deaf(3500*time.Millisecond), does("x", "", limited(2*time.Second))).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(canceled)
		w.must(n.CancelRuns(w.ctx, w.runs("x")[0].ID), "CancelRuns")
		w.sleep(4 * time.Second)
		w.same("state", w.runs("x")[0].State, state)
	})
}
