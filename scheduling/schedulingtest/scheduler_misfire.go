package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// late makes a case in which a job is stored, nothing runs for a while, and a
// scheduler starts: for which instants it ran within six seconds, and how its
// trigger is left. A threshold of 0 is the default.
func late(name, rules, explanation, text string, policy scheduling.MisfirePolicy, threshold, away time.Duration, due, left string) Case {
	return alone(name, rules, explanation, func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.MisfireThreshold = threshold })
		w.must(n.Schedule(w.ctx, does("x", text, handledBy("nop"), missed(policy))), "Schedule")
		w.sleepTo(away)
		n.run()
		w.sleep(6 * time.Second)
		w.same("occurrences", w.due("x"), due)
		w.same("trigger", w.state("x"), left)
	})
}

const (
	minutely   = "cron 0 * * * * *"
	twoMinutes = "cron 0 */2 * * * *"
	tenMinutes = "cron 0 */10 * * * *"
	onceAtTen  = "once 2000-01-01T00:10:00Z"
	dayAway    = 24*time.Hour + 17*time.Minute + 30*time.Second
)

var misfireCases = []Case{
	late("MisfireRunOnce", "R155 R195 R196 R197 B92", "after a day away RunOnce makes one run that stands for now",
		tenMinutes, scheduling.RunOnce, 0, dayAway, "24h17m30s", "Waiting 24h20m0s"),
	late("MisfireSkip", "R195 R196 R198 B92", "after a day away Skip runs nothing and goes on from now",
		tenMinutes, scheduling.Skip, 0, dayAway, "", "Waiting 24h20m0s"),
	late("MisfireRunAll", "R199 D13 B92", "RunAll makes up every occurrence, oldest first",
		minutely, scheduling.RunAll, 0, 5*time.Minute+30*time.Second, "1m0s 2m0s 3m0s 4m0s 5m0s", "Waiting 6m0s"),
	late("LateWithinThreshold", "R195 D19 B90", "what is late by less than the threshold is an ordinary run, under Skip too",
		twoMinutes, scheduling.Skip, 0, 2*time.Minute+30*time.Second, "2m0s", "Waiting 4m0s"),
	late("SkipCountsFromNow", "R198 B90", "Skip never fires an occurrence before now",
		twoMinutes, scheduling.Skip, 0, 3*time.Minute+10*time.Second, "", "Waiting 4m0s"),
	late("BurstWithinThreshold", "R195 B91", "several occurrences within the threshold all run",
		"cron */15 * * * * *", scheduling.Skip, 0, 57*time.Second, "15s 30s 45s 1m0s", "Waiting 1m15s"),
	late("JustWithinTheThreshold", "R195 D19", "late by a tenth of a second less than the configured threshold is no misfire",
		twoMinutes, scheduling.Skip, 30*time.Second, 2*time.Minute+29900*time.Millisecond, "2m0s", "Waiting 4m0s"),
	late("OverTheThreshold", "R195 D19 B95", "late by more than the configured threshold is a misfire of a stored trigger too",
		twoMinutes, scheduling.Skip, 30*time.Second, 2*time.Minute+31*time.Second, "", "Waiting 4m0s"),
	late("ThresholdZero", "R281 D19 B95", "with a threshold of zero everything late is a misfire",
		twoMinutes, scheduling.Skip, scheduling.Zero, 2*time.Minute+time.Second, "", "Waiting 4m0s"),
	late("MissedOnceRunOnce", "R197 R162 B81", "a missed once schedule under RunOnce runs, for now",
		onceAtTen, scheduling.RunOnce, 0, 2*time.Hour, "2h0m0s", "Complete never"),
	late("MissedOnceSkip", "R198 R162 B81", "a missed once schedule under Skip is Complete without a run",
		onceAtTen, scheduling.Skip, 0, 2*time.Hour, "", "Complete never"),
	late("MissedOnceRunAll", "R199 R162 B81", "a missed once schedule under RunAll runs for its instant",
		onceAtTen, scheduling.RunAll, 0, 2*time.Hour, "10m0s", "Complete never"),
	late("DeployedOverTheMinute", "R195 R197 B99", "what fell into a deployment of minutes runs after it",
		"cron 0 0 * * * *", scheduling.RunOnce, 0, time.Hour+3*time.Minute, "1h3m0s", "Waiting 2h0m0s"),
	late("MissedWindow", "R164 R197 B79", "a missed occurrence of a window that has passed runs once, then the trigger is Complete",
		"cron 0 */10 * * * * end=2000-01-01T00:10:00Z", scheduling.RunAll, 0, time.Hour, "10m0s", "Complete never"),
	late("IntervalRunOnce", "R159 R197", "a missed interval runs once and counts on from that run",
		"every 00:10:00", scheduling.RunOnce, 0, time.Hour, "1h0m0s", "Waiting 1h10m0s"),
	late("IntervalSkip", "R159 R198", "a missed interval under Skip counts on from now",
		"every 00:10:00", scheduling.Skip, 0, time.Hour, "", "Waiting 1h10m0s"),

	alone("SkipKeepsTheCount", "R160 R198", "occurrences that are skipped are no runs, and do not begin the count anew", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "every 00:05:00 x3", handledBy("nop"), missed(scheduling.Skip))), "Schedule")
		n.run()
		w.sleepTo(11 * time.Minute)
		w.same("before", w.due("x"), "5m0s 10m0s")
		n.stop()
		w.sleepTo(40 * time.Minute)
		w.engine("b").run()
		w.sleepTo(time.Hour)
		w.same("runs", len(w.runs("x")), 3)
		w.same("trigger", w.state("x"), "Complete never")
	}),
	alone("OneMissRunsOnce", "R168 R197 B100", "the outstanding minute runs for its own instant, and the next not early", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", minutely, handledBy("nop"))), "Schedule")
		w.sleepTo(66 * time.Second)
		n.run()
		w.sleepTo(121 * time.Second)
		w.same("occurrences", w.due("x"), "1m0s 2m0s")
		w.same("beginnings", w.begun("x"), "1m6s 2m0s")
	}),
	alone("MakeUpsAreSpaced", "R199 D13", "make-ups come at most one per poll interval", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.PollInterval = 3 * time.Second })
		w.must(n.Schedule(w.ctx, does("x", minutely, handledBy("nop"), missed(scheduling.RunAll))), "Schedule")
		w.sleepTo(4 * time.Minute)
		n.run()
		w.sleep(15 * time.Second)
		w.same("occurrences", w.due("x"), "1m0s 2m0s 3m0s 4m0s")
		runs := w.runs("x")
		for i := 1; i < len(runs)-1; i++ { // the last is on time
			if d := runs[i].StartedAt.Sub(runs[i-1].StartedAt); d < 3*time.Second {
				w.Errorf("make-up %d came %v after the one before", i, d)
			}
		}
	}),
	together("MakeUpsOfACluster", "R199 D13", "several nodes make up each occurrence once", func(w *World) {
		w.must(w.engine("writer").Schedule(w.ctx, does("x", minutely, handledBy("nop"), missed(scheduling.RunAll))), "Schedule")
		w.sleepTo(5*time.Minute + 30*time.Second)
		w.engine("a").run()
		w.engine("b").run()
		w.sleep(6 * time.Second)
		w.same("occurrences", w.due("x"), "1m0s 2m0s 3m0s 4m0s 5m0s")
	}),
	alone("RegisteringTouchesNoOther", "R228 B94", "a job that is registered leaves the due triggers of others alone", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", minutely, handledBy("nop"))), "Schedule")
		w.sleepTo(70 * time.Second)
		before := w.row("x", "default")
		w.must(n.Schedule(w.ctx, does("y", minutely, handledBy("nop"))), "Schedule")
		equal(w.Env, w.row("x", "default"), before, "the other job's trigger")
		w.same("the new trigger", w.state("y"), "Waiting 2m0s")
	}),
}
