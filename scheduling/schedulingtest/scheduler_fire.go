package schedulingtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The handlers of the suite.

func nop(context.Context, *scheduling.Run) error { return nil }

// takes works for d unless its context ends, and then answers its error.
func takes(d time.Duration) scheduling.Handler {
	return func(ctx context.Context, _ *scheduling.Run) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// deaf works for d whatever happens to its context.
func deaf(d time.Duration) scheduling.Handler {
	return func(context.Context, *scheduling.Run) error { <-time.After(d); return nil }
}

var errWork = errors.New("the work failed")

// failing fails in the first attempts and succeeds afterwards.
func failing(attempts int) scheduling.Handler {
	return func(_ context.Context, run *scheduling.Run) error {
		if run.Attempt <= attempts {
			return errWork
		}
		return nil
	}
}

// does is a job of one trigger whose schedule is given as text; without a text
// it is manual.
func does(name, text string, change ...func(*scheduling.JobDefinition)) scheduling.JobDefinition {
	def := scheduling.NewJob(name, scheduling.Schedule{})
	if text != "" {
		def = scheduling.NewJob(name, scheduling.MustParseSchedule(text))
	}
	for _, c := range change {
		c(&def)
	}
	return def
}

func overlapping(d *scheduling.JobDefinition) { d.AllowConcurrent = true }
func recovering(d *scheduling.JobDefinition)  { d.RequestsRecovery = true }
func everywhere(d *scheduling.JobDefinition)  { d.RunOnEveryInstance = true }
func limited(limit time.Duration) func(*scheduling.JobDefinition) {
	return func(d *scheduling.JobDefinition) { d.Timeout = limit }
}
func retried(p scheduling.RetryPolicy) func(*scheduling.JobDefinition) {
	return func(d *scheduling.JobDefinition) { d.Retry = p }
}
func missed(p scheduling.MisfirePolicy) func(*scheduling.JobDefinition) {
	return func(d *scheduling.JobDefinition) { d.Triggers[0].Misfire = p }
}

// fires makes a case in which a job runs for a while: for which instants it ran,
// when it began, and how its trigger is left.
func fires(name, rules, explanation, text string, h scheduling.Handler, lasts time.Duration, due, begun, left string,
	change ...func(*scheduling.JobDefinition)) Case {
	return alone(name, rules, explanation, func(w *World) {
		w.engine("a").code(h, does("x", text, change...)).run()
		w.sleepTo(lasts)
		w.same("occurrences", w.due("x"), due)
		w.same("beginnings", w.begun("x"), begun)
		w.same("trigger", w.state("x"), left)
	})
}

var fireCases = []Case{
	fires("CronOnTime", "R140 R141 R158 R168 R250 R263", "a cron trigger runs at its instants",
		"cron */10 * * * * *", nil, 35*time.Second, "10s 20s 30s", "10s 20s 30s", "Waiting 40s"),
	fires("CronDoesNotDrift", "R168", "long runs do not move a cron schedule",
		"cron */10 * * * * *", takes(4*time.Second), 35*time.Second, "10s 20s 30s", "10s 20s 30s", "Waiting 40s"),
	fires("IntervalShortRun", "R159 R265 B71", "an interval counts from the completion of a short run",
		"every 00:00:05", takes(2*time.Second), 20*time.Second, "5s 12s 19s", "5s 12s 19s", "Acquired never"),
	fires("IntervalLongRun", "R159 R203 B71", "a run longer than its interval makes no backlog",
		"every 00:00:05", takes(6*time.Second), 29*time.Second, "5s 16s 27s", "5s 16s 27s", "Acquired never"),
	fires("RepeatCount", "R160 R267", "the count is the number of runs in all",
		"every 00:00:02 x3", nil, 20*time.Second, "2s 4s 6s", "2s 4s 6s", "Complete never"),
	fires("RepeatCountOfOne", "R160", "a count of one is one run",
		"every 00:00:02 x1", nil, 10*time.Second, "2s", "2s", "Complete never"),
	fires("Once", "R162 R267", "a once schedule runs a single time",
		"once 2000-01-01T00:00:05Z", nil, 20*time.Second, "5s", "5s", "Complete never"),
	fires("ImpossibleDate", "R182 R267 B64", "a schedule without a next instant is Complete and runs nothing",
		"cron 0 0 30 2 *", nil, 5*time.Second, "", "", "Complete never"),
	fires("FailuresKeepTheSchedule", "R168 R216", "a run that fails is followed by the next occurrence",
		"cron */10 * * * * *", failing(100), 25*time.Second, "10s 20s", "10s 20s", "Waiting 30s"),
	alone("CronInAZone", "R161 R180", "the expression matches the clock on the wall of its zone", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "cron 0 9 * * * tz=Asia/Shanghai", handledBy("nop"))), "Schedule")
		w.sleepTo(time.Hour - 5*time.Second)
		n.run()
		w.sleep(10 * time.Second)
		w.same("occurrences", w.due("x"), "1h0m0s")
		w.same("trigger", w.state("x"), "Waiting 25h0m0s")
	}),
	alone("Priority", "R154 D01 R279", "when slots are short the higher priority starts first", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.MaxConcurrentRuns = 1 }).code(takes(time.Second), does("x", "", overlapping))
		w.must(n.Schedule(w.ctx, does("x", "", overlapping)), "Schedule")
		_, err := n.Enqueue(w.ctx, scheduling.EnqueueRequest{Job: "x", Key: "low", Priority: -1}, scheduling.EnqueueRequest{Job: "x", Key: "mid"},
			scheduling.EnqueueRequest{Job: "x", Key: "high", Priority: 9})
		w.must(err, "Enqueue")
		n.run()
		w.sleep(6 * time.Second)
		w.same("order", w.told("x", func(r provider.RunRecord) string { return r.TriggerName }), "manual-high manual-mid manual-low")
	}),
	alone("Slots", "R258 R279", "no more runs than slots at once", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.MaxConcurrentRuns = 2 }).code(takes(2*time.Second), does("x", "", overlapping))
		w.must(n.Schedule(w.ctx, does("x", "", overlapping)), "Schedule")
		for range 5 {
			_, err := n.Enqueue(w.ctx, scheduling.EnqueueRequest{Job: "x"})
			w.must(err, "Enqueue")
		}
		n.run()
		w.sleep(8 * time.Second)
		w.same("beginnings", w.begun("x"), "0s 0s 2s 2s 4s")
	}),
	together("OneNodeEach", "R007 R259 B102", "each occurrence is one node's, however many there are", func(w *World) {
		for i := range 3 {
			w.engine(fmt.Sprintf("n%d", i)).code(nil, does("x", "cron */2 * * * * *", overlapping)).run()
		}
		w.sleepTo(13 * time.Second)
		w.same("occurrences", w.due("x"), "2s 4s 6s 8s 10s 12s")
	}),
}

func handledBy(name string) func(*scheduling.JobDefinition) {
	return func(d *scheduling.JobDefinition) { d.Handler = name }
}

var windowCases = []Case{
	fires("IntervalAfterStart", "R163 B74", "an interval's first run is one interval after the start of its window",
		"every 00:00:05 start=2000-01-01T00:00:10Z", nil, 21*time.Second, "15s 20s", "15s 20s", "Waiting 25s"),
	fires("CronAfterStart", "R163 B74", "a cron schedule runs nothing before its window",
		"cron */10 * * * * * start=2000-01-01T00:00:25Z", nil, 35*time.Second, "30s", "30s", "Waiting 40s"),
	fires("EndIsInside", "R164 B78", "the end of the window itself still runs",
		"cron */10 * * * * * end=2000-01-01T00:00:20Z", nil, 45*time.Second, "10s 20s", "10s 20s", "Complete never"),
	fires("JustBeforeEnd", "R164 B78", "a microsecond after the end nothing runs",
		"cron */10 * * * * * end=2000-01-01T00:00:19.999999Z", nil, 45*time.Second, "10s", "10s", "Complete never"),
	fires("IntervalToEnd", "R164 B78", "an interval ends with its window",
		"every 00:00:05 end=2000-01-01T00:00:10Z", nil, 25*time.Second, "5s 10s", "5s 10s", "Complete never"),
	alone("RestartKeepsTheInterval", "R159 R247 B73", "a restart counts on from the stored completion", func(w *World) {
		w.engine("a").code(nil, does("x", "every 00:00:20")).run()
		w.sleepTo(25 * time.Second)
		w.engines[0].stop()
		w.sleepTo(30 * time.Second)
		w.engine("b").code(nil, does("x", "every 00:00:20")).run()
		w.sleepTo(45 * time.Second)
		w.same("occurrences", w.due("x"), "20s 40s")
	}),
	alone("ManualRunMovesNothing", "R232 B76", "a manual run leaves the schedule as it is", func(w *World) {
		n := w.engine("a").code(nil, does("x", "every 00:00:10")).run()
		w.sleepTo(3 * time.Second)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.sleepTo(11 * time.Second)
		w.same("beginnings", w.begun("x"), "3s 10s")
	}),
}
