package schedulingtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// formCases are of what is stored and told, rather than of what is run.
var formCases = []Case{
	alone("ScheduleTextIsStored", "R166 R167 R086", "a schedule is stored as its text, which reads back to the same schedule", func(w *World) {
		n := w.engine("a")
		w.must(n.AddCalendar("days", firstHalf{}), "AddCalendar")
		for i, c := range []struct{ typed, stored string }{
			{"EVERY 0:10:00 X5", "every 00:10:00 x5"},
			{"every 1.02:03:04.5", "every 1.02:03:04.5000000"},
			{"cron  0 0 9 * * MON-FRI  tz=China Standard Time", "cron 0 0 9 * * MON-FRI tz=Asia/Shanghai"},
			{"once 2026-11-01T01:00:00+01:00", "once 2026-11-01T00:00:00.0000000+00:00"},
			{"cron 0 0 9 * * * calendar=days end=2030-01-01T00:00:00Z start=2001-01-01T00:00:00Z",
				"cron 0 0 9 * * * start=2001-01-01T00:00:00.0000000+00:00 end=2030-01-01T00:00:00.0000000+00:00 calendar=days"},
		} {
			job := fmt.Sprintf("j%d", i)
			w.must(n.Schedule(w.ctx, does(job, c.typed, handledBy("nop"))), "Schedule %q", c.typed)
			row := w.row(job, scheduling.DefaultTrigger)
			w.same(c.typed, row.Schedule, c.stored)
			back, err := scheduling.ParseSchedule(row.Schedule)
			w.must(err, "ParseSchedule %q", row.Schedule)
			if !back.Equal(scheduling.MustParseSchedule(c.typed)) {
				w.Errorf("%q reads back as %v", c.typed, back)
			}
		}
		w.is(n.Schedule(w.ctx, does("unzoned", "", handledBy("nop"), func(d *scheduling.JobDefinition) {
			d.Triggers = []scheduling.TriggerDefinition{{Name: "t"}}
		})), scheduling.ErrInvalidDefinition, "Schedule of a trigger without a schedule")
	}),
	alone("OccupiedIsStoredAtOnce", "R202 R200 D35", "a trigger that is due while its job runs is Blocked in the store, and Waiting as soon as the run has ended", func(w *World) {
		def := does("x", "once 2000-01-01T00:00:01Z")
		def.Triggers = append(def.Triggers, scheduling.TriggerDefinition{Name: "second", Schedule: scheduling.MustOnce(w.at(2 * time.Second))})
		w.engine("a").code(takes(4*time.Second), def).run()
		w.sleepTo(3500 * time.Millisecond)
		w.same("while it runs", w.row("x", "second").State, provider.TriggerBlocked)
		w.sleepTo(6 * time.Second)
		w.same("then", w.row("x", "second").State, provider.TriggerComplete)
		w.same("beginnings", w.begun("x"), "1s 5s")
	}),
	unshared("UnsharedRecoversNothing", "R209", "on a store that no others share nothing is recovered", func(w *World) {
		def := does("x", "", recovering)
		a := w.engine("a").code(takes(time.Hour), def).run()
		w.sleep(time.Second)
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		w.same("before", w.story("x"), "Manual/Running/1")
		a.die()
		w.engine("b").code(nil, def).run()
		w.sleep(2 * time.Minute)
		for _, r := range w.runs("x") {
			if r.Kind == provider.KindRecovery || r.State == provider.RunLost {
				w.Errorf("a run is recovered: %s", w.story("x"))
			}
		}
	}),
	alone("RetryBounds", "R212 R215 G4", "waits are above 0 and at most 30 days, what is outside is refused, and each wait can be asked for", func(w *World) {
		n := w.engine("a")
		for _, p := range []scheduling.RetryPolicy{
			scheduling.FixedRetry(1, 0), scheduling.FixedRetry(1, -time.Second), scheduling.FixedRetry(1, 30*24*time.Hour+time.Millisecond),
			scheduling.FixedRetry(-1, time.Second), scheduling.FixedRetry(101, time.Second),
		} {
			if p.Validate() == nil {
				w.Errorf("%+v is taken for legal", p)
			}
			w.is(n.Schedule(w.ctx, does("x", "", handledBy("nop"), retried(p))), scheduling.ErrInvalidDefinition, "Schedule with %+v", p)
		}
		w.same("stored", w.stored("x").Name, "")
		w.must(n.Schedule(w.ctx, does("x", "", handledBy("nop"), retried(scheduling.FixedRetry(3, 30*24*time.Hour)))), "Schedule with the longest wait")
		p := scheduling.ExponentialRetry(4, time.Second, 5*time.Second)
		w.same("waits", fmt.Sprint(p.DelayFor(1), p.DelayFor(2), p.DelayFor(3), p.DelayFor(4)), "1s 2s 4s 5s")
	}),
	alone("HandlerKeysAreListed", "R242", "the keys of the registered handlers can be listed, before Run and while it serves", func(w *World) {
		n := w.engine("a")
		n.Handle("b", nop)
		n.Handle("a", nop)
		want := "[a b nop]"
		w.same("before", n.HandlerKeys(), want)
		n.run()
		w.sleep(time.Second)
		w.same("while it serves", n.HandlerKeys(), want)
		n.HandlerKeys()[0] = "changed"
		w.same("the caller's own", n.HandlerKeys(), want)
	}),
	together("HeartbeatGoesOn", "R253 D30 D36", "the heartbeat keeps its interval, whatever the node's runs and its other calls do", func(w *World) {
		n := w.engine("a", narrow(1)).code(takes(time.Hour), does("x", "once 2000-01-01T00:00:01Z")).run()
		var beats []string
		for at := 2 * time.Second; at <= 20*time.Second; at += time.Second {
			w.sleepTo(at)
			nodes, err := n.Nodes(w.ctx)
			w.must(err, "Nodes")
			if age := w.at(at).Sub(nodes[0].HeartbeatAt); age > nodes[0].HeartbeatInterval+200*time.Millisecond {
				w.Errorf("at %v the heartbeat is %v old, its interval is %v", at, age, nodes[0].HeartbeatInterval)
			}
			if beat := w.offset(nodes[0].HeartbeatAt); !slices.Contains(beats, beat) {
				beats = append(beats, beat)
			}
		}
		if len(beats) < 15 {
			w.Errorf("heartbeats at %v, want one in 1.111 s", beats)
		}
	}),
	alone("OldZoneDataIsMended", "D43", "a next instant that was computed with other zone data is computed anew when a node takes office", func(w *World) {
		def := does("x", "cron 0 0 12 * * * tz=Asia/Tokyo", handledBy("nop"))
		n := w.engine("a").code(nil, def)
		w.must(n.Schedule(w.ctx, def), "Schedule")
		right := w.row("x", scheduling.DefaultTrigger)
		job, stale := w.stored("x"), right
		_, err := w.Store.DeleteJobs(w.ctx, []string{"x"})
		w.must(err, "DeleteJobs")
		stale.ZoneHash, stale.ScheduledAt, stale.NextFireAt = "stale", right.ScheduledAt.Add(time.Hour), right.NextFireAt.Add(time.Hour)
		answers, err := w.Store.SaveJobs(w.ctx, []provider.SaveItem{{Job: job, Triggers: []provider.TriggerRecord{stale}}})
		w.must(err, "SaveJobs")
		w.same("saved", answers[0].Saved, true)
		w.same("stale", w.state("x"), "Waiting 4h0m0s")
		n.run()
		w.sleep(5 * time.Second)
		w.same("mended", w.state("x"), "Waiting 3h0m0s")
		w.same("hash", w.row("x", scheduling.DefaultTrigger).ZoneHash, right.ZoneHash)
	}),
}
