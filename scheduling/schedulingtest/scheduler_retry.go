package schedulingtest

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// retries makes a case in which one enqueued run of a job is retried: the story
// of its runs and when they began.
func retries(name, rules, explanation string, p scheduling.RetryPolicy, h scheduling.Handler, lasts time.Duration, story, begun string,
	change ...func(*scheduling.JobDefinition)) Case {
	return alone(name, rules, explanation, func(w *World) {
		n := w.engine("a").code(h, does("x", "", append(change, retried(p))...)).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(lasts)
		w.same("runs", w.story("x"), story)
		w.same("beginnings", w.begun("x"), begun)
		rows, err := n.ListTriggers(w.ctx, scheduling.TriggerQuery{Jobs: []string{"x"}})
		w.must(err, "ListTriggers")
		w.same("triggers left", len(rows), 0)
	})
}

// answers is a handler that answers that error.
func answers(err error) scheduling.Handler {
	return func(context.Context, *scheduling.Run) error { return err }
}

var retryCases = []Case{
	retries("RetryFixed", "R211 R213 R218 R219", "fixed waits are the same each time", scheduling.FixedRetry(3, 2*time.Second), failing(2), 9*time.Second,
		"Manual/Failed/1 Retry/Failed/2 Retry/Succeeded/3", "1s 3s 5s"),
	retries("RetryExponential", "R213 B122", "exponential waits begin with the delay and double",
		scheduling.ExponentialRetry(4, time.Second, 0), failing(9), 17*time.Second,
		"Manual/Failed/1 Retry/Failed/2 Retry/Failed/3 Retry/Failed/4 Retry/Failed/5", "1s 2s 4s 8s 16s"),
	retries("RetryCapped", "R214", "the longest wait caps exponential ones",
		scheduling.ExponentialRetry(3, time.Second, 2*time.Second), failing(9), 9*time.Second,
		"Manual/Failed/1 Retry/Failed/2 Retry/Failed/3 Retry/Failed/4", "1s 2s 4s 6s"),
	retries("RetriesEnd", "R211", "there are as many retries as the policy says", scheduling.FixedRetry(1, time.Second), failing(9), 9*time.Second,
		"Manual/Failed/1 Retry/Failed/2", "1s 2s"),
	retries("NoPolicyNoRetry", "R151 R216", "without a policy nothing is retried", scheduling.RetryPolicy{}, failing(9), 5*time.Second,
		"Manual/Failed/1", "1s"),
	retries("NoRetry", "R216 D39", "a handler may refuse a retry", scheduling.FixedRetry(3, time.Second), answers(scheduling.NoRetry(errWork)), 5*time.Second,
		"Manual/Failed/1", "1s"),
	retries("RetryAfter", "R216 D39", "a handler may choose the wait, once for each failure",
		scheduling.FixedRetry(2, time.Second), answers(scheduling.RetryAfter(errWork, 3*time.Second)), 9*time.Second,
		"Manual/Failed/1 Retry/Failed/2 Retry/Failed/3", "1s 4s 7s"),
	retries("PanicIsRetried", "R132 R216 B164", "a panic is a failure like another", scheduling.FixedRetry(1, time.Second),
		func(_ context.Context, run *scheduling.Run) error {
			if run.Attempt == 1 {
				panic("on purpose")
			}
			return nil
		}, 5*time.Second, "Manual/Failed/1 Retry/Succeeded/2", "1s 2s"),
	retries("TimeoutIsRetried", "R216 R224", "a run that exceeds its limit is retried", scheduling.FixedRetry(1, time.Second), takes(9*time.Second), 9*time.Second,
		"Manual/Failed/1 Retry/Failed/2", "1s 4s", limited(2*time.Second)),
	alone("RetryKeepsTheRun", "R218 R136", "a retry has the failed run's data and points at the first", func(w *World) {
		var seen []string
		n := w.engine("a").code(func(_ context.Context, run *scheduling.Run) error {
			seen = append(seen, run.Data.String())
			return errWork
		}, does("x", "", retried(scheduling.FixedRetry(2, time.Second)))).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Data: scheduling.MustData(map[string]int{"k": 1})})
		w.sleep(5 * time.Second)
		w.same("data", seen, `[{"k":1} {"k":1} {"k":1}]`)
		runs := w.runs("x")
		for i, r := range runs[1:] {
			w.same("first run", r.RetryOf, runs[0].ID)
			w.same("occurrence", w.offset(r.ScheduledAt), w.offset(w.at(time.Duration(i+2)*time.Second)))
		}
	}),
	alone("RetryOfTrigger", "R222", "a failed Trigger run is retried; its caller has the first run's result", func(w *World) {
		n := w.engine("a").code(failing(1), does("x", "", retried(scheduling.FixedRetry(1, time.Second)))).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("result", recs[0].State, provider.RunFailed)
		w.sleep(3 * time.Second)
		w.same("runs", w.story("x"), "Manual/Failed/1 Retry/Succeeded/2")
	}),
	alone("RetryKeepsThePriority", "R154 R218", "a retry waits with the priority of what it repeats", func(w *World) {
		n := w.engine("a").code(failing(9), does("x", "", retried(scheduling.FixedRetry(1, time.Minute)))).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "high", Priority: 9})
		w.sleep(time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.sleep(time.Second)
		runs := w.runs("x")
		if len(runs) != 2 {
			w.Fatalf("there are %d runs, want 2", len(runs))
		}
		for i, want := range []int{9, 5} {
			w.same("priority", w.row("x", "retry-"+runs[i].ID+"-2").Priority, want)
		}
	}),
	alone("RetrySurvivesRestart", "R219", "a retry that waits is run by whoever serves when it is due", func(w *World) {
		def := does("x", "", retried(scheduling.FixedRetry(1, 10*time.Second)))
		a := w.engine("a").code(failing(1), def).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(2 * time.Second)
		w.same("failed", w.story("x"), "Manual/Failed/1")
		a.stop()
		w.sleepTo(5 * time.Second)
		w.engine("b").code(failing(1), def).run()
		w.sleepTo(12 * time.Second)
		w.same("runs", w.story("x"), "Manual/Failed/1 Retry/Succeeded/2")
		w.same("node", w.runs("x")[1].Node, "b")
	}),
	alone("RetryIsExclusive", "R220", "a retry waits for the unfinished run of its exclusive job", func(w *World) {
		n := w.engine("a").code(func(ctx context.Context, run *scheduling.Run) error {
			if run.Trigger == "manual-fails" {
				return errWork
			}
			return takes(5*time.Second)(ctx, run)
		}, does("x", "", retried(scheduling.FixedRetry(1, 2*time.Second)))).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "fails"})
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "works"})
		w.sleepTo(14 * time.Second)
		w.same("runs", w.story("x"), "Manual/Failed/1 Manual/Succeeded/1 Retry/Succeeded/2")
		w.same("overlap", w.overlap("x"), "")
	}),
	alone("RetryLeavesTheSchedule", "R218 R168", "retries do not move the schedule", func(w *World) {
		w.engine("a").code(failing(1), does("x", "cron */10 * * * * *", retried(scheduling.FixedRetry(1, time.Second)))).run()
		w.sleepTo(25 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Failed/1 Retry/Succeeded/2 Schedule/Failed/1 Retry/Succeeded/2")
		w.same("beginnings", w.begun("x"), "10s 11s 20s 21s")
	}),
}

var timeoutCases = []Case{
	alone("Timeout", "R223 R224 D20 B127", "at its limit the context ends, and the run has failed whatever the handler says", func(w *World) {
		var cause error
		n := w.engine("a").code(func(ctx context.Context, _ *scheduling.Run) error {
			<-ctx.Done()
			cause = context.Cause(ctx)
			return nil
		}, does("x", "", limited(2*time.Second))).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.is(cause, scheduling.ErrTimeout, "cause")
		w.same("state", recs[0].State, provider.RunFailed)
		w.same("code", recs[0].ErrorCode, provider.CodeRunTimeout)
		w.same("took", recs[0].CompletedAt.Sub(recs[0].StartedAt).Round(100*time.Millisecond), "2s")
	}),
	alone("TimeoutIgnored", "R225 B125", "a handler that ignores its limit keeps its slot and its job until it returns", func(w *World) {
		n := w.engine("a").code(deaf(8*time.Second), does("x", "", limited(time.Second))).code(nil, does("other", "every 00:00:01")).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "one"})
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "two"})
		w.sleepTo(8 * time.Second)
		w.same("still running", w.story("x"), "Manual/Running/1")
		if len(w.runs("other")) < 6 {
			w.Errorf("the other job was held up: %s", w.begun("other"))
		}
		w.sleepTo(20 * time.Second)
		w.same("runs", w.story("x"), "Manual/Failed/1 Manual/Failed/1")
		w.same("overlap", w.overlap("x"), "")
	}),
	alone("WithinTheLimit", "R224", "a run within its limit succeeds", func(w *World) {
		n := w.engine("a").code(takes(time.Second), does("x", "", limited(1100*time.Millisecond))).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("state", recs[0].State, provider.RunSucceeded)
	}),
}
