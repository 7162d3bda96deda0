package schedulingtest

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// onNode works on one node until its context ends, and on the others not at all.
func onNode(id string) scheduling.Handler {
	return func(ctx context.Context, run *scheduling.Run) error {
		if run.Node == id && run.Kind != scheduling.KindRecovery {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
}

// dies makes a case in which node a dies while it runs a job, and node b, which
// knows the job too, goes on: the story of the job's runs half a minute later.
func dies(name, rules, explanation, story string, def scheduling.JobDefinition, check func(w *World)) Case {
	return together(name, rules, explanation, func(w *World) {
		a := w.engine("a").code(onNode("a"), def).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "first", Data: scheduling.MustData(map[string]int{"k": 1})})
		w.sleep(time.Second)
		w.engine("b").code(onNode("a"), def).run()
		w.sleep(time.Second)
		a.die()
		w.sleep(30 * time.Second)
		w.same("runs", w.story("x"), story)
		if check != nil {
			check(w)
		}
	})
}

var failoverCases = []Case{
	dies("RecoveredOnce", "R150 R208 R137 D04 B139 B143", "a lost run that asks for it is recovered once, elsewhere, with its data",
		"Manual/Lost/1 Recovery/Succeeded/1", does("x", "", recovering), func(w *World) {
			runs := w.runs("x")
			w.same("name", runs[1].TriggerName, "recovery-"+runs[0].ID)
			w.same("data", runs[1].Data, `{"k":1}`)
			w.same("node", runs[1].Node, "b")
			if runs[1].StartedAt.Before(runs[0].CompletedAt) {
				w.Errorf("recovered at %v, lost at %v", runs[1].StartedAt, runs[0].CompletedAt)
			}
		}),
	dies("NotRecovered", "R150 R208 B139", "without the flag a lost run is Lost, and that is all", "Manual/Lost/1", does("x", ""), nil),
	dies("LostIsNotRetried", "R210 R217 B123", "the retry policy does not concern a lost run", "Manual/Lost/1",
		does("x", "", retried(scheduling.FixedRetry(3, time.Second))), nil),
	dies("LostJobIsFree", "D04 B141", "the job of a lost run is free", "Manual/Lost/1", does("x", ""), func(w *World) {
		w.same("occupied by", w.stored("x").ActiveRunID, "")
		recs, err := w.engines[1].Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("state", recs[0].State, provider.RunSucceeded)
	}),
	dies("NodeRowGoes", "D04 D26", "the dead node's row is deleted", "Manual/Lost/1", does("x", ""), func(w *World) {
		nodes, err := w.engines[1].Nodes(w.ctx)
		w.must(err, "Nodes")
		w.same("nodes", len(nodes), 1)
	}),
	together("ScheduleGoesOn", "R254 R259 D04 B104", "the schedule of a cluster goes on without a node that died, also of an interval in flight", func(w *World) {
		def, interval := does("x", "cron */5 * * * * *"), does("y", "every 00:00:04")
		a := w.engine("a").code(onNode("a"), def, interval).run()
		w.sleepTo(6 * time.Second)
		w.engine("b").code(onNode("a"), def, interval).run()
		w.sleepTo(7 * time.Second)
		a.die()
		w.sleepTo(40 * time.Second)
		for _, job := range []string{"x", "y"} {
			runs := w.runs(job)
			w.same("first of "+job, runs[0].State, provider.RunLost)
			w.same("overlap of "+job, w.overlap(job), "")
			if last := runs[len(runs)-1]; last.State != provider.RunSucceeded || last.StartedAt.Before(w.at(34*time.Second)) {
				w.Errorf("job %s: %s, begun %s", job, w.story(job), w.begun(job))
			}
		}
	}),
	together("BacklogRunsAfterFailover", "D35 R201 B115", "what waited for the lost run of an exclusive job runs after it, one by one", func(w *World) {
		def := does("x", "")
		a := w.engine("a").code(onNode("a"), def).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "first"})
		w.sleep(time.Second)
		for range 4 {
			a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		}
		w.engine("b").code(onNode("a"), def).run()
		w.sleep(time.Second)
		a.die()
		w.sleep(30 * time.Second)
		w.same("runs", w.story("x"), "Manual/Lost/1"+strings.Repeat(" Manual/Succeeded/1", 4))
		w.same("overlap", w.overlap("x"), "")
	}),
	together("RecovererKnowsNoHandler", "R208 B140", "recovery needs no handler: a node without it recovers for those that have it", func(w *World) {
		a := w.engine("a").code(onNode("a"), does("x", "", recovering)).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "first"})
		w.sleep(time.Second)
		w.engine("b").run()
		w.sleep(time.Second)
		a.die()
		w.sleep(20 * time.Second)
		w.same("lost", w.story("x"), "Manual/Lost/1")
		w.engine("c").code(onNode("a"), does("x", "", recovering)).run()
		w.sleep(20 * time.Second)
		w.same("recovered", w.story("x"), "Manual/Lost/1 Recovery/Succeeded/1")
	}),
	together("EndedBeforeDeath", "D05 B136", "a run that had ended stays as it ended, and is not recovered", func(w *World) {
		a := w.engine("a").code(nil, does("x", "", recovering)).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		w.engine("b").code(nil, does("x", "", recovering)).run()
		a.die()
		w.sleep(25 * time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
	}),
}

var zombieCases = []Case{
	together("ConvictedWhileAlive", "D05 D06 R138 B137", "a node whose row is gone ends its runs as lost, registers anew and works on", func(w *World) {
		var cause error
		n := w.engine("a").code(func(ctx context.Context, run *scheduling.Run) error {
			if run.Trigger == "" {
				return nil
			}
			<-ctx.Done()
			cause = context.Cause(ctx)
			return nil
		}, does("x", "")).run()
		w.sleep(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		before, err := n.Nodes(w.ctx)
		w.must(err, "Nodes")
		gone, err := w.Store.Deregister(w.ctx, before[0].NodeRef)
		w.must(err, "Deregister")
		w.same("the row was there", gone, true)
		w.sleep(5 * time.Second)
		w.is(cause, scheduling.ErrLost, "cause")
		w.sleep(15 * time.Second)
		w.same("runs", w.story("x"), "Manual/Lost/1")
		after, err := n.Nodes(w.ctx)
		w.must(err, "Nodes")
		if len(after) != 1 || after[0].Incarnation <= before[0].Incarnation {
			w.Errorf("nodes before %+v, after %+v", before, after)
		}
		recs, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.must(err, "Trigger")
		w.same("works on", recs[0].State, provider.RunSucceeded)
	}),
	together("IsolatedGivesUpFirst", "D25 R138", "a node that is cut off ends its runs before another may recover them", func(w *World) {
		var cause error
		var given time.Time
		def := does("x", "", recovering)
		a := w.engine("a").code(func(ctx context.Context, run *scheduling.Run) error {
			<-ctx.Done()
			cause, given = context.Cause(ctx), now()
			return ctx.Err()
		}, def).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		w.engine("b").code(takes(time.Second), def).run()
		w.sleep(time.Second)
		a.link.setCut(true)
		w.sleep(25 * time.Second)
		w.is(cause, scheduling.ErrIsolated, "cause")
		runs := w.runs("x")
		w.same("runs", w.story("x"), "Manual/Lost/1 Recovery/Succeeded/1")
		if !given.Before(runs[0].CompletedAt) {
			w.Errorf("given up at %v, declared lost at %v", given, runs[0].CompletedAt)
		}
		a.link.setCut(false)
		w.sleep(10 * time.Second)
		w.same("the first stays Lost (D05)", w.runs("x")[0].State, provider.RunLost)
		nodes, err := a.Nodes(w.ctx)
		w.must(err, "Nodes")
		w.same("nodes", len(nodes), 2)
	}),
	together("SecondProcessIsRefused", "D06 R078 R278", "a second process under a living node's id is refused, and the first undisturbed", func(w *World) {
		w.engine("a").code(nil, does("x", "every 00:00:02")).run()
		w.sleep(3 * time.Second)
		second := w.engine("a").run()
		<-second.gone
		w.is(second.err, scheduling.ErrNotServing, "Run of the second")
		w.sleepTo(11 * time.Second)
		w.same("occurrences", w.due("x"), "2s 4s 6s 8s 10s")
	}),
	together("RestartAfterDeath", "D06 B158", "a process that takes a dead one's id sweeps what that left, without a NodeTimeout", func(w *World) {
		def := does("x", "", recovering)
		a := w.engine("a").code(onNode("a"), def).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(time.Second)
		a.die()
		w.engine("a").code(onNode("a"), def).run()
		w.sleepTo(20 * time.Second)
		w.same("runs", w.story("x"), "Manual/Lost/1 Recovery/Succeeded/1")
		w.same("overlap", w.overlap("x"), "")
	}),
	together("ABlipConvictsNobody", "D26 D30 D36 B133", "a connection that fails for a moment costs no run", func(w *World) {
		def := does("x", "")
		a := w.engine("a").code(takes(20*time.Second), def).run()
		w.engine("b").code(nil, def).run()
		a.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleep(2 * time.Second)
		holder := w.engines[0]
		if runs := w.runs("x"); len(runs) == 1 && runs[0].Node == "b" {
			holder = w.engines[1]
		}
		holder.link.setCut(true)
		w.sleep(1500 * time.Millisecond)
		holder.link.setCut(false)
		w.sleepTo(25 * time.Second)
		for _, r := range w.runs("x") {
			w.same("state", r.State, provider.RunSucceeded)
		}
	}),
}

var errOnPurpose = errors.New("on purpose")
