package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// R159, R166, R168: the three kinds of schedule, each at its instants.
func TestSchedulesRun(t *testing.T) {
	for _, long := range []bool{false, true} {
		t.Run(fmt.Sprintf("longway=%v", long), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				store := newStore(t, inmemory.Options{LongWay: long})
				n := newNode(t, store, scheduling.Options{NodeID: "a"})
				n.Handle("any", func(_ context.Context, run *scheduling.Run) error {
					if run.Job == "every" {
						<-time.After(300 * time.Millisecond)
					}
					return nil
				})
				for name, s := range map[string]scheduling.Schedule{
					"every": scheduling.MustEvery(5 * time.Second),
					"cron":  scheduling.MustCron("*/10 * * * * *", ""),
					"once":  scheduling.MustOnce(at(7 * time.Second)),
				} {
					def := scheduling.NewJob(name, s)
					def.Handler = "any"
					n.job(def)
				}
				n.run()
				sleep(31 * time.Second)
				n.stopClean()

				var every, cron, once []time.Duration
				for _, r := range history(t, store, "every") {
					every = append(every, r.StartedAt.Sub(start2000))
				}
				for _, r := range history(t, store, "cron") {
					cron = append(cron, r.StartedAt.Sub(start2000))
				}
				for _, r := range history(t, store, "once") {
					once = append(once, r.StartedAt.Sub(start2000))
				}
				// B71: fixed delay, from completion.
				equal(t, "every", fmt.Sprint(every), "[5s 10.3s 15.6s 20.9s 26.2s]")
				equal(t, "cron", fmt.Sprint(cron), "[10s 20s 30s]")
				equal(t, "once", fmt.Sprint(once), "[7s]")
				equal(t, "once state", trigger(t, store, "once", "default").State, provider.TriggerComplete)
			})
		})
	}
}

// What a handler sees of its run (R136, R137, R139).
func TestHandlerSeesItsRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		type payload struct {
			Format string
			Big    int64
			Copies int
		}
		var got payload
		var run *scheduling.Run
		n.Use(func(next scheduling.Handler) scheduling.Handler {
			return func(ctx context.Context, r *scheduling.Run) error {
				run, _ = scheduling.FromContext(ctx)
				if run != r {
					t.Error("FromContext differs from the run that the handler was given")
				}
				return next(ctx, r)
			}
		})
		n.Handle("report", scheduling.Typed(func(ctx context.Context, r *scheduling.Run, p payload) error {
			got = p
			r.Logger().Info("working")
			return r.SetResult(map[string]int{"rows": 7})
		}))
		n.job(scheduling.JobDefinition{
			Name: "report", Data: scheduling.MustData(map[string]any{"format": "pdf", "big": int64(9007199254740993)}),
			Triggers: []scheduling.TriggerDefinition{{Name: "t", Schedule: scheduling.MustOnce(at(time.Second)),
				Data: scheduling.MustData(map[string]any{"format": "xlsx", "copies": 2})}},
		})
		n.run()
		sleep(2 * time.Second)
		n.stopClean()
		equal(t, "data", got, payload{"xlsx", 9007199254740993, 2})
		runs := history(t, store, "report")
		if len(runs) != 1 || run == nil {
			t.Fatalf("runs: %v", runs)
		}
		equal(t, "result", runs[0].Result, `{"rows":7}`)
		equal(t, "id", run.ID, runs[0].ID)
		equal(t, "trigger", run.Trigger, "t")
		equal(t, "kind", run.Kind, scheduling.KindSchedule)
		equal(t, "scheduled", run.ScheduledAt, at(time.Second))
		equal(t, "attempt", run.Attempt, 1)
		if run.Fence == 0 || run.Fence != runs[0].Fence {
			t.Errorf("fence of an exclusive run: got %d, stored %d (D25)", run.Fence, runs[0].Fence)
		}
		for _, part := range []string{"msg=working", "job=report", "trigger=t", "run=" + run.ID, "node=a"} {
			if n.log.count(part) == 0 {
				t.Errorf("log lacks %q", part)
			}
		}
	})
}

// B164, D39: however a handler ends, the process lives, the run is recorded,
// and the exclusive job is free again (B117).
func TestEndings(t *testing.T) {
	cases := []struct {
		name  string
		h     scheduling.Handler
		state scheduling.RunState
		code  provider.Code
		text  string
	}{
		{"nil", nop, scheduling.RunSucceeded, "", ""},
		{"error", func(context.Context, *scheduling.Run) error { return errors.New("no paper") }, scheduling.RunFailed, provider.CodeRunPanicked, "no paper"},
		{"coded", func(context.Context, *scheduling.Run) error {
			return provider.NotFound(provider.CodeTriggerNotFound, "x")
		}, scheduling.RunFailed, provider.CodeTriggerNotFound, ""},
		{"panic", func(context.Context, *scheduling.Run) error { panic("boom") }, scheduling.RunFailed, provider.CodeRunPanicked, "run_test.go"},
		{"nilpanic", func(context.Context, *scheduling.Run) error { panic(nil) }, scheduling.RunFailed, provider.CodeRunPanicked, "nil"},
		{"goexit", func(context.Context, *scheduling.Run) error { runtime.Goexit(); return nil }, scheduling.RunFailed, provider.CodeRunPanicked, "Goexit"},
		{"bad text", func(context.Context, *scheduling.Run) error {
			return errors.New("a\x00b\xff" + strings.Repeat("ö", 4000))
		}, scheduling.RunFailed, provider.CodeRunPanicked, "a\uFFFDb\uFFFD"},
		{"bad error", func(context.Context, *scheduling.Run) error { return panickingError{} }, scheduling.RunFailed, provider.CodeRunPanicked, "panicked"},
	}
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		for i, c := range cases {
			key := fmt.Sprintf("h%d", i)
			n.Handle(key, c.h)
			n.job(scheduling.JobDefinition{Name: key})
		}
		n.run()
		for i, c := range cases {
			for range 2 { // twice: it is free again
				recs, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: fmt.Sprintf("h%d", i)})
				if err != nil {
					t.Errorf("%s: Trigger: %v", c.name, err)
					continue
				}
				r := recs[0]
				equal(t, c.name+" state", r.State, c.state)
				equal(t, c.name+" code", provider.Code(r.ErrorCode), c.code)
				if !strings.Contains(r.ErrorText, c.text) || len(r.ErrorText) > 4096 || strings.ContainsRune(r.ErrorText, 0) {
					t.Errorf("%s: text %q (%d bytes)", c.name, r.ErrorText, len(r.ErrorText))
				}
			}
		}
		n.stopClean()
	})
}

type panickingError struct{}

func (panickingError) Error() string { panic("in Error") }

// D20, R224–R226, B127: the first cause decides, whatever the handler returns.
func TestFirstCauseWins(t *testing.T) {
	for _, c := range []struct {
		cancelAt time.Duration
		answer   func(ctx context.Context) error
		state    scheduling.RunState
		cause    error
	}{
		{900 * time.Millisecond, func(context.Context) error { return nil }, scheduling.RunCanceled, scheduling.ErrCanceled},
		{900 * time.Millisecond, context.Cause, scheduling.RunCanceled, scheduling.ErrCanceled},
		{1100 * time.Millisecond, func(context.Context) error { return nil }, scheduling.RunFailed, scheduling.ErrTimeout},
		{1100 * time.Millisecond, context.Cause, scheduling.RunFailed, scheduling.ErrTimeout},
	} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{})
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			var cause error
			var id atomic.Value
			n.Handle("slow", func(ctx context.Context, run *scheduling.Run) error {
				id.CompareAndSwap(nil, run.ID)
				<-time.After(1200 * time.Millisecond) // ignores its context (R225)
				cause = context.Cause(ctx)
				return c.answer(ctx)
			})
			n.job(scheduling.JobDefinition{Name: "slow", Timeout: time.Second, Retry: scheduling.FixedRetry(1, time.Hour)})
			n.run()
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "slow"}); err != nil {
				t.Fatal(err)
			}
			sleep(c.cancelAt)
			if err := n.CancelRuns(t.Context(), id.Load().(string)); err != nil {
				t.Fatalf("CancelRuns: %v", err)
			}
			sleep(time.Second)
			runs := history(t, store, "slow")
			equal(t, "runs", len(runs), 1)
			equal(t, "state", runs[0].State, c.state)
			if !errors.Is(cause, c.cause) {
				t.Errorf("cause: got %v, want %v", cause, c.cause)
			}
			triggers, err := store.ListTriggers(t.Context(), provider.TriggerQuery{})
			if err != nil {
				t.Fatal(err)
			}
			retries := 0 // R216, R217: only the time limit's failure is retried
			if c.state == scheduling.RunFailed {
				retries = 1
				equal(t, "code", runs[0].ErrorCode, string(provider.CodeRunTimeout))
			}
			equal(t, "one-shots left", len(triggers), retries)
			n.stopClean()
		})
	}
}

// R211–R219, D39: what a handler may say about retries, and the group's names.
func TestRetries(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		failing := errors.New("not today")
		n.Handle("policy", func(context.Context, *scheduling.Run) error { return failing })
		n.Handle("never", func(context.Context, *scheduling.Run) error {
			return fmt.Errorf("wrapped: %w", scheduling.NoRetry(failing))
		})
		n.Handle("after", func(_ context.Context, run *scheduling.Run) error {
			if run.Attempt == 1 {
				return scheduling.RetryAfter(failing, 30*time.Second)
			}
			return nil
		})
		for _, name := range []string{"policy", "never", "after"} {
			n.job(scheduling.JobDefinition{Name: name, Retry: scheduling.ExponentialRetry(3, 2*time.Second, 0)})
		}
		n.run()
		for _, name := range []string{"policy", "never", "after"} {
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: name, Data: scheduling.MustData(map[string]int{"n": 1})}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(time.Minute)
		n.stopClean()
		equal(t, "policy", states(t, store, "policy"), "Manual/Failed/1 Retry/Failed/2 Retry/Failed/3 Retry/Failed/4")
		equal(t, "never", states(t, store, "never"), "Manual/Failed/1")
		equal(t, "after", states(t, store, "after"), "Manual/Failed/1 Retry/Succeeded/2")
		runs := history(t, store, "policy")
		var waits []time.Duration
		for i, r := range runs[1:] {
			waits = append(waits, r.StartedAt.Sub(runs[i].CompletedAt))
			equal(t, "RetryOf", r.RetryOf, runs[0].ID)
			equal(t, "data", r.Data, runs[0].Data)
		}
		equal(t, "waits (R213)", fmt.Sprint(waits), "[2s 4s 8s]")
		after := history(t, store, "after")
		equal(t, "chosen wait", after[1].StartedAt.Sub(after[0].CompletedAt), 30*time.Second)
	})
}

// B125: a handler that ignores its time limit keeps its slot, and holds up no
// other job.
func TestTimeoutIgnored(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("deaf", func(context.Context, *scheduling.Run) error {
			<-time.After(10 * time.Second)
			return nil
		})
		n.Handle("tick", nop)
		n.job(scheduling.JobDefinition{Name: "deaf", Timeout: time.Second, Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustCron("*/2 * * * * *", "")}}})
		n.job(scheduling.NewJob("tick", scheduling.MustEvery(time.Second)))
		n.run()
		sleep(30 * time.Second)
		if len(history(t, store, "tick")) < 25 {
			t.Errorf("tick ran %d times", len(history(t, store, "tick")))
		}
		n.stopClean()
		runs := history(t, store, "deaf")
		for _, r := range runs[:2] {
			equal(t, "took", r.CompletedAt.Sub(r.StartedAt), 10*time.Second)
			equal(t, "state", r.State, scheduling.RunFailed)
			equal(t, "code", r.ErrorCode, string(provider.CodeRunTimeout))
		}
		if o := overlap(runs); o != "" {
			t.Errorf("exclusive runs overlap: %s", o)
		}
	})
}
