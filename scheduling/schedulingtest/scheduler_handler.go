package schedulingtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

func panics(context.Context, *scheduling.Run) error { panic(errOnPurpose) }

// brokenError is an error of a type that is not to be trusted.
type brokenError struct{}

func (brokenError) Error() string { panic("in Error") }

// brokenAs is one that panics when it is asked what else it is.
type brokenAs struct{}

func (brokenAs) Error() string { return "broken" }
func (brokenAs) As(any) bool   { panic("in As") }

// ends makes a case of what a handler answers in a scheduled run, an enqueued
// one and a triggered one: the state, the code and a part of the text.
func ends(name, rules, explanation string, h scheduling.Handler, state provider.RunState, code provider.Code, part string) Case {
	return alone(name, rules, explanation, func(w *World) {
		n := w.engine("a").code(h, does("x", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(2 * time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(3 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		runs := w.runs("x")
		w.same("runs", len(runs), 3)
		for _, r := range runs {
			w.same(r.Kind.String(), fmt.Sprint(r.State, r.ErrorCode), fmt.Sprint(state, code))
			if !strings.Contains(r.ErrorText, part) || (part == "") != (r.ErrorText == "") {
				w.Errorf("%v run: error text %q, want %q in it", r.Kind, r.ErrorText, part)
			}
			if len(r.ErrorText) > 4<<10 || !utf8.ValidString(r.ErrorText) || strings.Contains(r.ErrorText, "\x00") {
				w.Errorf("%v run: error text of %d bytes is not fit to be stored", r.Kind, len(r.ErrorText))
			}
		}
	})
}

var handlerCases = []Case{
	ends("EndsWell", "R129 D39", "no error is Succeeded", nop, provider.RunSucceeded, "", ""),
	ends("EndsWithError", "R132 D39", "an error is Failed, and its text is kept", answers(errWork), provider.RunFailed, provider.CodeRunPanicked, "the work failed"),
	ends("EndsWithCodedError", "D39", "an error with a code keeps it",
		answers(&scheduling.Error{Code: provider.CodeJobNotFound, Key: "other"}), provider.RunFailed, provider.CodeJobNotFound, "other"),
	ends("EndsWithPanic", "R132 D39 B164", "a panic is Failed, with its stack", panics, provider.RunFailed, provider.CodeRunPanicked, "on purpose"),
	ends("EndsWithGoexit", "R132 D39 B164", "Goexit is Failed",
		func(context.Context, *scheduling.Run) error { runtime.Goexit(); return nil }, provider.RunFailed, provider.CodeRunPanicked, "xit"),
	ends("EndsWithLongText", "D39", "a text too long is cut to 4 KiB of valid UTF-8 without NUL",
		answers(errors.New(strings.Repeat("é\x00\xff", 4000))), provider.RunFailed, provider.CodeRunPanicked, "é"),
	ends("EndsWithBrokenError", "D39 R132", "an error whose text cannot be had is Failed", answers(brokenError{}), provider.RunFailed,
		provider.CodeRunPanicked, "whose Error method panicked"),
	ends("EndsWithBrokenAs", "D39 R132", "an error whose other methods panic is Failed", answers(brokenAs{}), provider.RunFailed,
		provider.CodeRunPanicked, "whose methods panicked"),
	ends("CanceledByItself", "D20 R226", "a handler that answers context.Canceled without a cause has failed",
		answers(context.Canceled), provider.RunFailed, provider.CodeRunPanicked, "canceled"),
	alone("ResultIsKept", "D39 R238", "a small result is kept with its run, however that ends", func(w *World) {
		n := w.engine("a").code(func(_ context.Context, run *scheduling.Run) error {
			if err := run.SetResult(strings.Repeat("x", scheduling.MaxResult)); err == nil {
				return errors.New("a result that is too large was taken")
			}
			if err := run.SetResult(map[string]int{"rows": 7}); err != nil {
				return err
			}
			return errWork
		}, does("x", "")).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("error", recs[0].ErrorText, errWork.Error())
		w.same("result", w.runs("x")[0].Result, `{"rows":7}`)
	}),
	alone("RunInContext", "R130 R131 R139", "whatever starts it, a run passes the middleware, and is found in its context", func(w *World) {
		var seen []string
		n := w.engine("a")
		n.Use(func(next scheduling.Handler) scheduling.Handler {
			return func(ctx context.Context, run *scheduling.Run) error {
				if found, ok := scheduling.FromContext(ctx); ok && found == run && run.ID != "" && run.Job == "x" && run.Node == "a" {
					seen = append(seen, run.Kind.String())
				}
				return next(ctx, run)
			}
		})
		n.code(failing(1), does("x", "once 2000-01-01T00:00:01Z", retried(scheduling.FixedRetry(1, time.Second)))).run()
		w.sleepTo(5 * time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(8 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.sleepTo(11 * time.Second)
		w.same("seen", seen, "[Schedule Retry Manual Retry Manual Retry]")
	}),
	alone("HandlerCallsTheScheduler", "R227 R232", "a handler may call the scheduler from inside", func(w *World) {
		n := w.engine("a")
		n.code(nil, does("inner", "")).code(func(ctx context.Context, _ *scheduling.Run) error {
			if _, err := n.Trigger(ctx, scheduling.TriggerRequest{Job: "inner"}); err != nil {
				return err
			}
			if _, err := n.Trigger(ctx, scheduling.TriggerRequest{Job: "x"}); !errors.Is(err, scheduling.ErrJobRunning) {
				return fmt.Errorf("its own exclusive job: %v", err)
			}
			_, err := n.Enqueue(ctx, scheduling.EnqueueRequest{Job: "inner"})
			return err
		}, does("x", "")).run()
		w.sleep(time.Second)
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("error", recs[0].ErrorText, "")
		w.sleep(2 * time.Second)
		w.same("runs", w.story("inner"), "Manual/Succeeded/1 Manual/Succeeded/1")
	}),
	alone("FenceGrows", "D25 R148", "each run of an exclusive job has a higher fence", func(w *World) {
		var fences []int64
		w.engine("a").code(func(_ context.Context, run *scheduling.Run) error {
			fences = append(fences, run.Fence)
			return nil
		}, does("x", "every 00:00:01")).run()
		w.sleepTo(4500 * time.Millisecond)
		for i := range fences {
			if fences[i] < 1 || i > 0 && fences[i] <= fences[i-1] {
				w.Errorf("fences %v", fences)
			}
		}
		w.same("runs", len(fences), 4)
	}),
}

var dataCases = []Case{
	alone("DataMerge", "R137 R240 R147 B139", "a run's data is the job's, overlaid by the trigger's, overlaid by the request's", func(w *World) {
		def := does("x", "once 2000-01-01T00:00:01Z")
		def.Data = scheduling.MustData(map[string]any{"a": 1, "b": 1, "c": map[string]int{"k": 1}})
		def.Triggers[0].Data = scheduling.MustData(map[string]any{"b": 2, "c": nil})
		var seen []string
		n := w.engine("a").code(func(_ context.Context, run *scheduling.Run) error {
			seen = append(seen, run.Data.String())
			return nil
		}, def).run()
		w.sleepTo(2 * time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x", Data: scheduling.MustData(map[string]any{"b": 3})})
		w.sleepTo(4 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x", Data: scheduling.MustData(map[string]any{"a": 4})})
		w.must(err, "Trigger")
		w.same("data", strings.Join(seen, " "), `{"a":1,"b":2,"c":null} {"a":1,"b":3,"c":{"k":1}} {"a":4,"b":1,"c":{"k":1}}`)
		w.same("in the history", w.told("x", func(r provider.RunRecord) string { return r.Data }), strings.Join(seen, " "))
	}),
	alone("TypedData", "D39 R130", "a typed handler gets its data, and data that does not fit fails without retries", func(w *World) {
		var got int
		n := w.engine("a").code(scheduling.Typed(func(_ context.Context, _ *scheduling.Run, data struct{ N int }) error {
			got = data.N
			return nil
		}), does("x", "", retried(scheduling.FixedRetry(2, time.Second)))).run()
		w.sleep(time.Second)
		for _, value := range []any{7, "seven"} {
			n.enqueue(scheduling.EnqueueRequest{Job: "x", Data: scheduling.MustData(map[string]any{"N": value})})
			w.sleep(2 * time.Second)
		}
		w.same("data", got, 7)
		w.same("runs", w.story("x"), "Manual/Succeeded/1 Manual/Failed/1")
	}),
}
