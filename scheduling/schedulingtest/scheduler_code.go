package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// starts runs a program for two seconds, whose code declares job x with that
// schedule.
func (w *World) starts(id, text string, change ...func(*scheduling.Options)) *engine {
	w.Helper()
	n := w.engine(id, change...).code(nil, does("x", text)).run()
	w.sleep(2 * time.Second)
	return n
}

func version(v int64) func(*scheduling.Options) {
	return func(o *scheduling.Options) { o.CodeVersion = v }
}

const (
	codeTen, codeTwo, codeFive = "cron 0 */10 * * * *", "cron 0 */2 * * * *", "cron 0 */5 * * * *"
	lostEdit                   = "change made to it at run time is gone"
)

var codeCases = []Case{
	alone("EditSurvivesRestart", "R243 R244 R245 B154", "a run-time change outlives a restart of the same code", func(w *World) {
		n := w.starts("a", codeTen)
		w.same("source", w.stored("x").Source, scheduling.SourceCode)
		w.must(n.Schedule(w.ctx, does("x", codeTwo, handledBy("nop"))), "Schedule")
		w.same("source after the change", w.stored("x").Source, scheduling.SourceOverridden)
		edited := w.row("x", "default").Schedule
		n.stop()
		w.starts("b", codeTen)
		w.same("schedule", w.row("x", "default").Schedule, edited)
		w.same("source", w.stored("x").Source, scheduling.SourceOverridden)
		w.same("warnings", w.log.count(lostEdit), 0)
	}),
	alone("UnchangedCodeWritesNothing", "R244 R246 D28", "a restart of the same code leaves its job as it is, and its trigger's progress", func(w *World) {
		n := w.starts("a", codeTen)
		w.sleepTo(11 * time.Minute)
		before, row := w.stored("x"), w.row("x", "default")
		n.stop()
		w.starts("b", codeTen)
		w.same("job", w.stored("x"), before)
		w.same("trigger", w.row("x", "default"), row)
	}),
	alone("RunTimeJobsStayRunTime", "R228 R243", "a job that no code declares is the run time's when it is scheduled and when it is replaced", func(w *World) {
		n := w.starts("a", codeTen)
		for _, text := range []string{codeTwo, codeFive} {
			w.must(n.Schedule(w.ctx, does("own", text, handledBy("nop"))), "Schedule")
			job := w.stored("own")
			w.same("source", job.Source, scheduling.SourceRuntime)
			w.same("code", job.Fingerprint+fmt.Sprint(job.CodeVersion), "0")
		}
		w.must(n.Unschedule(w.ctx, "x"), "Unschedule")
		w.must(n.Schedule(w.ctx, does("x", codeTwo, handledBy("nop"))), "Schedule")
		w.same("source of what stands for code", w.stored("x").Source, scheduling.SourceOverridden)
	}),
	alone("ChangedCodeWins", "R246 B154", "code that has changed is written over a run-time change, with one warning", func(w *World) {
		n := w.starts("a", codeTen)
		w.must(n.Schedule(w.ctx, does("x", codeTwo, handledBy("nop"))), "Schedule")
		n.stop()
		w.starts("b", codeFive)
		w.same("trigger", w.state("x"), "Waiting 5m0s")
		w.same("source", w.stored("x").Source, scheduling.SourceCode)
		w.same("warnings", w.log.count(lostEdit), 1)
	}),
	alone("PauseSurvivesCode", "R247 B155 D12", "synchronisation never changes what is paused", func(w *World) {
		n := w.starts("a", codeTen)
		w.must(n.Pause(w.ctx, "x"), "Pause")
		n.stop()
		for i, text := range []string{codeTen, codeFive} {
			n = w.starts(fmt.Sprintf("b%d", i), text)
			w.same("paused", w.stored("x").Paused, true)
			w.same("trigger", w.row("x", "default").State, provider.TriggerPaused)
			n.stop()
		}
	}),
	alone("LowerVersionWritesNothing", "R246 D40", "an older program that restarts does not bring its definition back", func(w *World) {
		w.starts("new", codeFive, version(2)).stop()
		w.starts("old", codeTen, version(1)).stop()
		w.same("trigger", w.state("x"), "Waiting 5m0s")
		w.starts("newer", codeTen, version(3)).stop()
		w.same("trigger", w.state("x"), "Waiting 10m0s")
	}),
	alone("Restore", "R239 R248", "Restore brings the code back and keeps what is paused", func(w *World) {
		n := w.starts("a", codeTen)
		w.must(n.Schedule(w.ctx, does("x", codeTwo, handledBy("nop"))), "Schedule")
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.must(n.Restore(w.ctx, "x"), "Restore")
		w.same("trigger", w.state("x"), "Paused 10m0s")
		w.same("source", w.stored("x").Source, scheduling.SourceCode)
		w.same("paused", w.stored("x").Paused, true)
	}),
	alone("RestoreWithoutCode", "R239 R248", "a job without code cannot be restored", func(w *World) {
		n := w.starts("a", codeTen)
		w.must(n.Schedule(w.ctx, does("own", "", handledBy("nop"))), "Schedule")
		w.is(n.Restore(w.ctx, "own"), scheduling.ErrNoCodeDefinition, "Restore")
		w.is(n.Restore(w.ctx, "none"), scheduling.ErrNoCodeDefinition, "Restore of an unknown job")
	}),
	alone("RestoreKeepsProgress", "R248 D12", "Restore keeps previous instant and count of a trigger of the same name", func(w *World) {
		n := w.engine("a").code(nil, does("x", "every 00:00:02")).run()
		w.sleepTo(5 * time.Second)
		w.must(n.Schedule(w.ctx, does("x", "every 00:00:02", handledBy("nop"), missed(scheduling.Skip))), "Schedule")
		before := w.row("x", "default")
		w.must(n.Restore(w.ctx, "x"), "Restore")
		after := w.row("x", "default")
		w.same("count", after.FireCount, before.FireCount)
		w.same("policy", after.Misfire, scheduling.RunOnce)
		w.sleepTo(7 * time.Second)
		w.same("occurrences", w.due("x"), "2s 4s 6s")
	}),
}

var codeStartCases = []Case{
	alone("UnscheduledIsBack", "R249 R229", "a code job that was deleted is back at the next start; its history stays", func(w *World) {
		n := w.starts("a", "every 00:00:01")
		w.must(n.Unschedule(w.ctx, "x"), "Unschedule")
		w.same("gone", w.stored("x").Name, "")
		ran := len(w.runs("x"))
		if ran == 0 {
			w.Errorf("no history")
		}
		n.stop()
		w.sleep(5 * time.Second)
		w.same("nothing ran", len(w.runs("x")), ran)
		w.starts("b", codeTen)
		w.same("back", w.stored("x").Name, "x")
		w.same("source", w.stored("x").Source, scheduling.SourceCode)
	}),
	alone("UnscheduleUnknown", "R229 G8", "an unknown job is one item's error", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"))), "Schedule")
		err := n.Unschedule(w.ctx, "none", "x")
		w.is(scheduling.ItemErrors(err)[0], scheduling.ErrJobNotFound, "item 0")
		w.same("the other is gone", w.stored("x").Name, "")
	}),
	alone("UnscheduleWhileRunning", "R229", "what runs goes on when its job is deleted", func(w *World) {
		n := w.engine("a").code(takes(5*time.Second), does("x", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(2 * time.Second)
		w.must(n.Unschedule(w.ctx, "x"), "Unschedule")
		w.sleepTo(8 * time.Second)
		w.same("runs", w.story("x"), "Schedule/Succeeded/1")
	}),
	together("SimultaneousStart", "R145 R252 D28 B158", "programs that start together write one job, and none fails", func(w *World) {
		for i := range 6 {
			w.engine(fmt.Sprintf("n%d", i)).code(nil, does("x", codeTen)).run()
		}
		w.sleep(3 * time.Second)
		jobs, err := w.Store.ListJobs(w.ctx, "", 10)
		w.must(err, "ListJobs")
		w.same("jobs", names(jobs), "[x]")
		w.same("trigger", w.state("x"), "Waiting 10m0s")
	}),
	alone("OrphansAreKept", "D40", "a code job that the program no longer declares is kept, and deleted where that is asked for", func(w *World) {
		w.starts("a", codeTen).stop()
		n := w.engine("b").code(nil, does("y", "")).run()
		w.sleep(time.Second)
		status, found, err := n.Status(w.ctx, "x")
		w.must(err, "Status")
		w.same("kept, as orphaned", fmt.Sprint(found, status.Orphaned), "true true")
		n.stop()
		w.engine("c", func(o *scheduling.Options) { o.PruneCodeJobs = true }).code(nil, does("y", "")).run()
		w.sleep(time.Second)
		w.same("pruned", w.stored("x").Name, "")
		w.same("declared", w.stored("y").Name, "y")
	}),
	alone("SameNameTwice", "R144 R146 G4", "two code jobs or two triggers of one name are errors before anything starts", func(w *World) {
		n := w.engine("a").code(nil, does("x", ""))
		w.is(n.AddJob(does("x", "")), scheduling.ErrInvalidDefinition, "AddJob again")
		def := does("y", minutely)
		def.Triggers = append(def.Triggers, def.Triggers[0])
		w.is(n.AddJob(def), scheduling.ErrInvalidDefinition, "two triggers of one name")
	}),
	together("SeenByOtherNodes", "R228", "a job that one node schedules runs on another", func(w *World) {
		w.engine("a").run()
		w.sleep(time.Second)
		w.must(w.engine("writer").Schedule(w.ctx, does("x", "cron */5 * * * * *", handledBy("nop"))), "Schedule")
		w.sleepTo(11 * time.Second)
		w.same("occurrences", w.due("x"), "5s 10s")
		w.same("nodes", w.told("x", func(r provider.RunRecord) string { return r.Node }), "a a")
	}),
	alone("UnchangedTriggersKeepProgress", "R228 D12", "replacing a job keeps the progress of unchanged triggers, and starts changed ones anew", func(w *World) {
		n := w.engine("a")
		w.must(n.Schedule(w.ctx, does("x", "every 00:01:00", handledBy("nop"))), "Schedule")
		w.sleepTo(20 * time.Second)
		w.must(n.Schedule(w.ctx, does("x", "every 00:01:00", handledBy("nop"), overlapping)), "Schedule")
		w.same("unchanged", w.state("x"), "Waiting 1m0s")
		w.must(n.Schedule(w.ctx, does("x", "every 00:01:01", handledBy("nop"))), "Schedule")
		w.same("changed", w.state("x"), "Waiting 1m21s")
	}),
}
