package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var pausedCases = []Case{
	alone("PausedRunsNothing", "R230 R264", "a paused job's triggers do not fire, and resume by their misfire policy", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */10 * * * * *")).run()
		w.sleepTo(12 * time.Second)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.sleepTo(100 * time.Second)
		w.same("paused", w.due("x"), "10s")
		w.must(n.Resume(w.ctx, "x"), "Resume")
		w.sleepTo(111 * time.Second)
		w.same("RunOnce makes one run for now", w.due("x"), "10s 1m40s 1m50s")
	}),
	alone("ShortPause", "R230 R195", "what a pause within the threshold held up runs for its own instant", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */10 * * * * *")).run()
		w.sleepTo(5 * time.Second)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.sleepTo(15 * time.Second)
		w.must(n.Resume(w.ctx, "x"), "Resume")
		w.sleepTo(21 * time.Second)
		w.same("occurrences", w.due("x"), "10s 20s")
		w.same("beginnings", w.begun("x"), "15s 20s")
	}),
	alone("PausedRunsByHand", "R230 R232 D11", "Trigger and Enqueue run a paused job", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */10 * * * * *")).run()
		w.sleep(time.Second)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(12 * time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1 Manual/Succeeded/1")
	}),
	alone("PauseDuringRun", "R264 D08 B161", "a trigger that is paused while its run goes on is Paused after it", func(w *World) {
		n := w.engine("a").code(takes(3*time.Second), does("x", "every 00:00:02")).run()
		w.sleepTo(3 * time.Second)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.sleepTo(20 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Succeeded/1")
		w.same("trigger", w.row("x", "default").State, provider.TriggerPaused)
		w.must(n.Resume(w.ctx, "x"), "Resume")
		w.sleepTo(22 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Succeeded/1 Schedule/Running/1")
	}),
	alone("PauseWhileBlocked", "R264 R266 D08 B119", "a Blocked trigger that is paused is Paused when the job is free", func(w *World) {
		n := w.engine("a").code(takes(7*time.Second), does("x", "cron */5 * * * * *")).run()
		w.sleepTo(11 * time.Second)
		w.same("before", w.row("x", "default").State, provider.TriggerBlocked)
		w.must(n.PauseTriggers(w.ctx, key("x", "default")), "PauseTriggers")
		w.sleepTo(20 * time.Second)
		w.same("trigger", w.row("x", "default").State, provider.TriggerPaused)
		w.same("runs", w.story("x"), "Schedule/Succeeded/1")
		w.must(n.ResumeTriggers(w.ctx, key("x", "default")), "ResumeTriggers")
		w.sleepTo(21 * time.Second)
		w.same("occurrences", w.due("x"), "5s 10s")
	}),
	alone("SingleTriggers", "R231 R127", "one trigger is paused, the job's other goes on", func(w *World) {
		def := does("x", "")
		for name, expr := range map[string]string{"even": "0/10 * * * * *", "odd": "5/10 * * * * *"} {
			def.Triggers = append(def.Triggers, scheduling.TriggerDefinition{Name: name, Schedule: scheduling.MustCron(expr, "")})
		}
		n := w.engine("a").code(nil, def).run()
		w.sleepTo(time.Second)
		w.must(n.PauseTriggers(w.ctx, key("x", "even")), "PauseTriggers")
		w.sleepTo(26 * time.Second)
		w.same("occurrences", w.due("x"), "5s 15s 25s")
		w.must(n.ResumeTriggers(w.ctx, key("x", "even")), "ResumeTriggers")
		w.sleepTo(31 * time.Second)
		w.same("occurrences", w.due("x"), "5s 15s 25s 10s 20s 30s")
	}),
	alone("PauseUnknown", "R230 R231 G8", "unknown names are items' errors, the others are paused", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", minutely, handledBy("nop"))), "Schedule")
		err := n.Pause(w.ctx, "none", "x")
		w.is(scheduling.ItemErrors(err)[0], scheduling.ErrJobNotFound, "Pause")
		w.same("the other", w.stored("x").Paused, true)
		w.is(n.Resume(w.ctx, "none"), scheduling.ErrJobNotFound, "Resume")
		w.is(n.PauseTriggers(w.ctx, key("x", "none")), scheduling.ErrTriggerNotFound, "PauseTriggers")
		w.is(n.ResumeTriggers(w.ctx, key("x", "none")), scheduling.ErrTriggerNotFound, "ResumeTriggers")
	}),
	alone("PauseOfAnEmptyJob", "R230 D08 B160", "the pause of a job without triggers sticks until it is resumed", func(w *World) {
		n := w.engine("a").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.same("paused", w.stored("x").Paused, true)
		add := func(name string) {
			w.Helper()
			w.must(n.AddTriggers(w.ctx, "x", scheduling.TriggerDefinition{Name: name, Schedule: scheduling.MustEvery(2 * time.Second)}), "AddTriggers")
		}
		add("born-paused")
		w.same("while paused", w.row("x", "born-paused").State, provider.TriggerPaused)
		w.must(n.Resume(w.ctx, "x"), "Resume")
		add("born-free")
		w.same("resumed", w.row("x", "born-free").State, provider.TriggerWaiting)
		w.sleep(3 * time.Second)
		w.same("runs", len(w.runs("x")), 2)
	}),
}
