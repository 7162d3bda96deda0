package schedulingtest

import (
	"context"
	"strings"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// narrow leaves a node n slots.
func narrow(n int) func(*scheduling.Options) {
	return func(o *scheduling.Options) { o.MaxConcurrentRuns = n }
}

// beside makes a case of something hostile that is stored beside a job that is
// due every two seconds, which must keep its time. Every goroutine must have
// ended with the case: its bubble fails otherwise.
func beside(name, rules, explanation string, hostile func(w *World, n *engine)) Case {
	return alone(name, rules, explanation, func(w *World) {
		n := w.engine("a", narrow(2)).code(nil, does("good", "cron */2 * * * * *")).run()
		w.sleepTo(500 * time.Millisecond)
		hostile(w, n)
		w.sleepTo(11 * time.Second)
		w.same("the other job's beginnings", w.begun("good"), "2s 4s 6s 8s 10s")
	})
}

// nested is JSON of objects within objects.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

var badInputCases = []Case{
	alone("HandlerNeverReturns", "R225 R226 D20 D29", "a handler that never returns keeps its own slot and no other, and a stop names its run", func(w *World) {
		free := make(chan struct{})
		n := w.engine("a", narrow(2)).code(nil, does("good", "cron */2 * * * * *")).code(func(context.Context, *scheduling.Run) error {
			<-free
			return nil
		}, does("stuck", "once 2000-01-01T00:00:01Z", limited(time.Second))).run()
		w.sleepTo(11 * time.Second)
		w.same("the other job's beginnings", w.begun("good"), "2s 4s 6s 8s 10s")
		w.same("its own run", w.story("stuck"), "Schedule/Running/1")
		err := n.finish()
		if err == nil || !strings.Contains(err.Error(), w.runs("stuck")[0].ID) {
			w.Errorf("Run: got error %v, want one that names the run", err)
		}
		close(free)
		synctest.Wait()
	}),
	together("LostHandlerFreesItsSlot", "R225 D05 D25", "a handler that returns after its run was declared Lost gives its slot back and changes nothing", func(w *World) {
		free, returned := make(chan struct{}), false
		def := does("stuck", "", recovering)
		a := w.engine("a", narrow(1)).code(func(_ context.Context, run *scheduling.Run) error {
			if run.Kind != provider.KindRecovery {
				<-free
				returned = true
			}
			return nil
		}, def).code(nil, does("good", "")).run()
		w.sleep(time.Second)
		a.enqueue(scheduling.EnqueueRequest{Job: "stuck"})
		w.sleep(time.Second)
		b := w.engine("b").code(nil, def, does("good", "")).run()
		a.link.setCut(true)
		w.sleep(30 * time.Second)
		w.same("runs", w.story("stuck"), "Manual/Lost/1 Recovery/Succeeded/1")
		b.stop()
		a.link.setCut(false)
		w.sleep(5 * time.Second)
		a.enqueue(scheduling.EnqueueRequest{Job: "good"})
		w.sleep(3 * time.Second)
		w.same("while it holds the only slot", w.story("good"), "")
		close(free)
		w.sleep(3 * time.Second)
		w.same("returned", returned, true)
		w.same("once it has returned", w.story("good"), "Manual/Succeeded/1")
		w.same("the first stays Lost", w.story("stuck"), "Manual/Lost/1 Recovery/Succeeded/1")
	}),
	alone("HandlerStartsOthers", "R232 R234 D37", "handlers that start other runs wait for no slot of their own node, and all of them run", func(w *World) {
		n := w.engine("a", narrow(1))
		n.code(nil, does("inner", "", overlapping), does("good", "cron */2 * * * * *")).code(func(ctx context.Context, _ *scheduling.Run) error {
			if _, err := n.Trigger(ctx, scheduling.TriggerRequest{Job: "inner"}, scheduling.TriggerRequest{Job: "inner"}); err != nil {
				return err
			}
			_, err := n.Enqueue(ctx, scheduling.EnqueueRequest{Job: "inner", Key: "a"}, scheduling.EnqueueRequest{Job: "inner", Key: "b"})
			return err
		}, does("x", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(11 * time.Second)
		w.same("its own run", w.story("x"), "Schedule/Succeeded/1")
		w.same("the others", w.story("inner"), strings.TrimSpace(strings.Repeat("Manual/Succeeded/1 ", 4)))
		w.same("the other job's beginnings", w.begun("good"), "2s 4s 6s 8s 10s")
	}),
	alone("HandlerShutsDown", "D29 R262", "a handler that stops its own scheduler is canceled in time, and the stop is clean", func(w *World) {
		var cause error
		n := w.engine("a")
		n.code(func(ctx context.Context, _ *scheduling.Run) error {
			stopped := make(chan error, 1)
			go func() { stopped <- n.Shutdown(context.Background()) }()
			<-ctx.Done()
			cause = context.Cause(ctx)
			return ctx.Err()
		}, does("x", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(10 * time.Second)
		<-n.gone
		w.must(n.err, "Run")
		w.is(cause, scheduling.ErrStopping, "cause")
		w.same("runs", w.story("x"), "Schedule/Canceled/1")
	}),
	beside("EmptyWindow", "R163 R164 R267", "a schedule whose window holds no instant is Complete and never runs", func(w *World, n *engine) {
		for name, text := range map[string]string{
			"between":  "cron 0 0 0 1 1 * start=2000-01-01T00:01:00Z end=2000-01-02T00:00:00Z",
			"past":     "every 00:00:01 start=1999-01-01T00:00:00Z end=1999-01-02T00:00:00Z",
			"too-soon": "every 01:00:00 start=2000-01-01T00:00:00Z end=2000-01-01T00:30:00Z",
		} {
			w.must(n.Schedule(w.ctx, does(name, text, handledBy("nop"))), "Schedule %s", name)
			w.same(name, w.state(name), "Complete never")
		}
		w.is(n.Schedule(w.ctx, does("backwards", "", handledBy("nop"), func(d *scheduling.JobDefinition) {
			backwards := scheduling.MustEvery(time.Second).WithStart(w.at(time.Hour)).WithEnd(w.at(time.Minute))
			d.Triggers = []scheduling.TriggerDefinition{{Name: "t", Schedule: backwards}}
		})), scheduling.ErrInvalidDefinition, "Schedule of a window that ends before it begins")
	}),
	alone("EverythingExcluded", "R185 R187 R267 D18", "a calendar that excludes everything holds up no other job, whatever asks it", func(w *World) {
		n := w.engine("a", narrow(2)).code(nil, does("good", "cron */2 * * * * *"))
		w.must(n.AddCalendar("never", yes{}), "AddCalendar")
		n.code(nil, does("cron", "cron * * * * * * calendar=never"), does("every", "every 00:00:01 calendar=never"),
			does("once", "once 2000-01-01T00:00:05Z calendar=never"), does("local", "cron * * * * * * calendar=never", everywhere)).run()
		w.sleepTo(11 * time.Second)
		w.same("the other job's beginnings", w.begun("good"), "2s 4s 6s 8s 10s")
		for _, job := range []string{"cron", "every", "once"} {
			w.same(job, w.state(job), "Complete never")
			w.same(job+" runs", w.story(job), "")
		}
		w.same("local runs", w.story("local"), "")
	}),
	beside("HugeData", "R147 R153 R240", "data that is too large or too deep is refused with its limit, and the largest runs", func(w *World, n *engine) {
		for what, text := range map[string]string{
			"too large": `{"a":"` + strings.Repeat("x", scheduling.MaxData) + `"}`,
			"too deep":  nested(scheduling.MaxDataDepth + 1),
		} {
			_, err := scheduling.ParseData(text)
			w.is(err, scheduling.ErrInvalidDefinition, "ParseData of data that is %s", what)
		}
		largest, err := scheduling.ParseData(`{"a":"` + strings.Repeat("x", scheduling.MaxData-8) + `"}`)
		w.must(err, "ParseData of the largest")
		deepest, err := scheduling.ParseData(nested(scheduling.MaxDataDepth))
		w.must(err, "ParseData of the deepest")
		w.must(n.Schedule(w.ctx, does("huge", "", handledBy("nop"))), "Schedule")
		n.enqueue(scheduling.EnqueueRequest{Job: "huge", Data: largest})
		n.enqueue(scheduling.EnqueueRequest{Job: "huge", Data: deepest})
		w.sleep(3 * time.Second)
		w.same("runs", w.story("huge"), "Manual/Succeeded/1 Manual/Succeeded/1")
		w.same("data", w.told("huge", func(r provider.RunRecord) string { return r.Data }), largest.String()+" "+deepest.String())
	}),
}
