package schedulingtest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// condition renders how a job stands.
func (n *engine) condition(job string) string {
	n.w.Helper()
	status, found, err := n.Status(n.w.ctx, job)
	n.w.must(err, "Status of %s", job)
	latest := "none"
	if status.Latest != nil {
		latest = status.Latest.State.String()
	}
	return fmt.Sprintf("%t %v, %d running, latest %s", found, status.Condition, len(status.Running), latest)
}

var statusCases = []Case{
	alone("StatusThroughALife", "R237 D33", "a job's status follows what becomes of it", func(w *World) {
		n := w.engine("a").code(takes(7*time.Second), does("x", "cron */5 * * * * * end=2000-01-01T00:00:10Z")).run()
		for _, c := range []struct {
			at   time.Duration
			want string
		}{
			{time.Second, "true Normal, 0 running, latest none"},
			{6 * time.Second, "true Executing, 1 running, latest none"},
			{11 * time.Second, "true Executing, 1 running, latest none"},
			{13 * time.Second, "true Executing, 1 running, latest Succeeded"},
			{20 * time.Second, "true Complete, 0 running, latest Succeeded"},
		} {
			w.sleepTo(c.at)
			w.same(fmt.Sprintf("after %v", c.at), n.condition("x"), c.want)
		}
	}),
	alone("StatusPaused", "R237 D33", "a paused job says so, before anything else but errors", func(w *World) {
		n := w.engine("a").code(takes(5*time.Second), does("x", "cron */5 * * * * *")).run()
		w.sleepTo(6 * time.Second)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.same("running and paused", n.condition("x"), "true Paused, 1 running, latest none")
	}),
	alone("StatusOfNobody", "R237", "an unknown name is no error, only no value", func(w *World) {
		w.same("status", w.engine("a").condition("none"), "false None, 0 running, latest none")
	}),
	alone("StatusOfTriggers", "R237", "status shows each trigger's previous and next instant and its count", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */5 * * * * *")).run()
		w.sleepTo(11 * time.Second)
		status, _, err := n.Status(w.ctx, "x")
		w.must(err, "Status")
		t := status.Triggers[0].Trigger
		w.same("trigger", fmt.Sprint(t.State, w.offset(t.PrevFireAt), w.offset(t.NextFireAt), t.FireCount), "Waiting10s15s2")
		next, ok := status.NextRun()
		w.same("next run", fmt.Sprint(w.offset(next), ok), "15strue")
	}),
	alone("HistoryFilters", "R238 R116", "history and its size answer to the same filters", func(w *World) {
		n := w.engine("a").code(func(_ context.Context, run *scheduling.Run) error {
			if run.Kind == scheduling.KindManual {
				return errWork
			}
			return nil
		}, does("x", "cron */5 * * * * *")).code(nil, does("y", "cron */5 * * * * *")).run()
		w.sleepTo(11 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		for _, c := range []struct {
			query scheduling.RunQuery
			want  int
		}{
			{scheduling.RunQuery{}, 5}, {scheduling.RunQuery{Job: "x"}, 3}, {scheduling.RunQuery{Job: "x", Trigger: "default"}, 2},
			{scheduling.RunQuery{States: []provider.RunState{provider.RunFailed}}, 1}, {scheduling.RunQuery{WithError: true}, 1},
			{scheduling.RunQuery{Job: "x", WithoutError: true}, 2}, {scheduling.RunQuery{From: w.at(9 * time.Second)}, 3},
			{scheduling.RunQuery{Node: "b"}, 0},
		} {
			runs, err := n.Runs(w.ctx, c.query)
			w.must(err, "Runs")
			count, err := n.CountRuns(w.ctx, c.query)
			w.must(err, "CountRuns")
			w.same(fmt.Sprintf("%+v", c.query), fmt.Sprint(len(runs), count), fmt.Sprint(c.want, c.want))
		}
		_, err = n.Runs(w.ctx, scheduling.RunQuery{Skip: -1})
		w.is(err, scheduling.ErrInvalidPage, "Runs with a bad page")
	}),
	alone("RunRecord", "R136 R129", "a run's record says what started it, for when, and by whom", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */5 * * * * *")).run()
		w.sleepTo(6 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("runs", w.told("x", func(r provider.RunRecord) string {
			return strings.Join([]string{r.TriggerName, r.Kind.String(), w.offset(r.ScheduledAt), w.offset(r.CompletedAt), r.Node}, ",")
		}), "default,Schedule,5s,5s,a ,Manual,6s,6s,a")
	}),
}

var eventCases = []Case{
	alone("JobEvents", "R270 R273", "each change of a job is an event", func(w *World) {
		n := w.engine("a").run()
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.must(n.Resume(w.ctx, "x"), "Resume")
		w.must(n.Unschedule(w.ctx, "x"), "Unschedule")
		w.sleep(time.Second)
		w.same("events", w.events.of("x"), "job.scheduled job.paused job.resumed job.unscheduled")
	}),
	alone("RunEvents", "R270 R273", "each beginning and each end of a run is an event", func(w *World) {
		n := w.engine("a").code(func(ctx context.Context, run *scheduling.Run) error {
			switch run.Trigger {
			case "manual-fails":
				return errWork
			case "manual-waits":
				<-ctx.Done()
			}
			return nil
		}, does("x", "")).run()
		w.sleep(time.Second)
		for _, k := range []string{"works", "fails", "waits"} {
			n.enqueue(scheduling.EnqueueRequest{Job: "x", Key: k})
			w.sleep(time.Second)
		}
		w.must(n.CancelRuns(w.ctx, w.runs("x")[2].ID), "CancelRuns")
		w.sleep(time.Second)
		_, events, _ := strings.Cut(w.events.of("x"), "job.scheduled ")
		if events == "" {
			events = w.events.of("x")
		}
		w.same("events", events, "run.started run.succeeded run.started run.failed run.started run.canceled")
	}),
	dies("LostEvent", "R273 B136", "a lost run is an event, once", "Manual/Lost/1", does("x", ""), func(w *World) {
		w.same("events", strings.Count(w.events.of("x"), "run.lost"), 1)
	}),
	alone("EventEnvelope", "R272", "a run's event carries the run", func(w *World) {
		w.engine("a").code(nil, does("x", "once 2000-01-01T00:00:02Z")).run()
		w.sleepTo(4 * time.Second)
		w.events.mu.Lock()
		defer w.events.mu.Unlock()
		e := w.events.list[len(w.events.list)-1]
		w.same("event", fmt.Sprint(e.Type, e.Source, e.Data.Job, e.Data.Trigger, e.Data.Kind, e.Data.State, e.Data.Node, e.Data.Attempt),
			"scheduling.run.succeeded/schedulingxdefaultScheduleSucceededa1")
		w.same("subject", e.Subject, e.Data.Run)
		w.same("instants", fmt.Sprint(w.offset(e.Data.ScheduledAt), w.offset(e.Time)), "2s2s")
	}),
	publishes("PublisherFails", func() error { return errWork }),
	publishes("PublisherPanics", func() error { panic("on purpose") }),
	publishes("PublisherHangs", nil),
}

// publishes makes a case of a publisher that does not do its work; nil never
// returns.
func publishes(name string, do func() error) Case {
	return alone(name, "R271", "a publisher that does not do its work touches no run", func(w *World) {
		forever := make(chan struct{})
		defer close(forever)
		w.events.do = func(scheduling.Event) error {
			if do == nil {
				<-forever
				return nil
			}
			return do()
		}
		w.engine("a").code(nil, does("x", "cron */2 * * * * *")).run()
		w.sleepTo(9 * time.Second)
		w.same("runs", w.story("x"), strings.TrimSpace(strings.Repeat("Schedule/Succeeded/1 ", 4)))
		w.same("beginnings", w.begun("x"), "2s 4s 6s 8s")
		w.engines[0].stop()
	})
}
