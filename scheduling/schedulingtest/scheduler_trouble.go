package schedulingtest

import (
	"context"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var unknownCases = []Case{
	together("UnknownHandler", "R142 R157 R268 R269 D14 B111", "a trigger whose handler a node lacks is Error with its reason, and a node that knows it brings it back", func(w *World) {
		writer := w.engine("writer").code(nil, does("x", "", handledBy("special")))
		writer.Handle("special", nop)
		w.must(writer.Schedule(w.ctx, does("x", "", handledBy("special"))), "Schedule")
		w.engine("old").code(nil, does("other", "every 00:00:01")).run()
		writer.enqueue(scheduling.EnqueueRequest{Job: "x", Key: "k"})
		w.sleep(3 * time.Second)
		r := w.row("x", "manual-k")
		w.same("trigger", fmt.Sprint(r.State, r.ErrorCode), fmt.Sprint(provider.TriggerError, provider.CodeHandlerNotFound))
		w.same("job", writer.condition("x"), "true Error, 0 running, latest none")
		if len(w.runs("other")) < 2 {
			w.Errorf("the other job was held up: %s", w.begun("other"))
		}
		fresh := w.engine("new")
		fresh.Handle("special", nop)
		fresh.run()
		w.sleep(12 * time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
		w.same("node", w.runs("x")[0].Node, "new")
	}),
	alone("UnregisteredHandler", "R241", "a job that names no registered handler is refused", func(w *World) {
		n := w.engine("a").run()
		w.is(n.Schedule(w.ctx, does("x", "")), scheduling.ErrHandlerNotFound, "Schedule")
		w.same("stored", w.stored("x").Name, "")
	}),
	alone("IllegalDefinitions", "R152 R153 R156 R194 G4", "what is illegal is refused, with its name, before anything is stored", func(w *World) {
		n := w.engine("a")
		manualTrigger := does("manual-trigger", "", handledBy("nop"))
		manualTrigger.Triggers = []scheduling.TriggerDefinition{{Name: "t"}}
		for _, def := range []scheduling.JobDefinition{
			does("Upper", "", handledBy("nop")), does("", "", handledBy("nop")), manualTrigger,
			does("no-calendar", "every 00:00:01 calendar=none", handledBy("nop")), does("negative", "", handledBy("nop"), limited(-time.Second)),
			does("retries", "", handledBy("nop"), retried(scheduling.FixedRetry(101, time.Second))),
			does("local-recovery", "", handledBy("nop"), everywhere, recovering),
		} {
			w.is(n.Schedule(w.ctx, def), scheduling.ErrInvalidDefinition, "Schedule %q", def.Name)
		}
		jobs, err := w.Store.ListJobs(w.ctx, "", 10)
		w.must(err, "ListJobs")
		w.same("jobs", len(jobs), 0)
	}),
}

// neverElected is an election that somebody else has always won.
type neverElected struct{ provider.Election }

func (neverElected) TryAcquire(_ context.Context, q provider.LeaseRequest) (provider.LeaseAnswer, error) {
	return provider.LeaseAnswer{Now: now(), Found: true, Lease: provider.LeaseRecord{Resource: q.Resource, Holder: "another",
			Token: "another's", TTL: q.TTL, ExpiresAt: now().Add(q.TTL)}},
		&provider.Error{Code: provider.CodeLeaseHeld, Key: q.Resource}
}

// unshared makes a case of a store that each process has to itself.
func unshared(name, rules, explanation string, play func(w *World)) Case {
	c := alone(name, rules, explanation, play)
	c.Needs |= Unshared
	return c
}

var unsharedCases = []Case{
	unshared("UnsharedLeadsItself", "R135 R079", "on a store of its own a node leads, runs everything, and registers nowhere", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron */5 * * * * *")).run()
		w.sleepTo(11 * time.Second)
		w.same("occurrences", w.due("x"), "5s 10s")
		nodes, err := n.Nodes(w.ctx)
		w.must(err, "Nodes")
		w.same("nodes", len(nodes), 0)
	}),
	unshared("UnsharedWithoutLease", "R260 D42", "without the lease a node runs one-shots only, and lets scheduled triggers wait before they move on unrun", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) {
			o.Election, o.MisfireThreshold = neverElected{w.Store.Election()}, 5*time.Second
		}).code(nil, does("x", "cron */30 * * * * *")).run()
		w.sleepTo(time.Second)
		n.enqueue(scheduling.EnqueueRequest{Job: "x"})
		w.sleepTo(35 * time.Second)
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
		w.same("still due", w.state("x"), "Waiting 30s")
		w.sleepTo(45 * time.Second)
		w.same("moved on", w.state("x"), "Waiting 1m0s")
		w.same("runs", w.story("x"), "Manual/Succeeded/1")
	}),
}

var awayCases = []Case{
	alone("StoreAwayAtStart", "R252 B159", "a store that is away at the start is waited for; its work runs within two polls of its return", func(w *World) {
		n := w.engine("a").code(nil, does("x", "cron * * * * * *"))
		n.link.setCut(true)
		n.run()
		w.sleepTo(30 * time.Second)
		w.same("nothing stored", w.stored("x").Name, "")
		n.link.setCut(false)
		w.sleepTo(34 * time.Second)
		if runs := w.runs("x"); len(runs) == 0 || runs[0].StartedAt.After(w.at(33*time.Second)) {
			w.Errorf("runs at %s", w.begun("x"))
		}
	}),
	alone("StoreAwayForAMoment", "D41 R250", "what ends while the store is away is recorded when it is back", func(w *World) {
		n := w.engine("a").code(takes(2*time.Second), does("x", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(2 * time.Second)
		n.link.setCut(true)
		w.sleepTo(5 * time.Second)
		w.same("unrecorded", w.story("x"), "Schedule/Running/1")
		n.link.setCut(false)
		w.sleepTo(8 * time.Second)
		w.same("recorded", w.story("x"), "Schedule/Succeeded/1")
	}),
	alone("CallsWithoutStore", "R233 D41", "a call that needs the store says that it is away", func(w *World) {
		n := w.engine("a").code(nil, does("x", "")).run()
		w.sleep(time.Second)
		n.link.setCut(true)
		_, err := n.Trigger(w.ctx, scheduling.TriggerRequest{Job: "x"})
		w.is(err, scheduling.ErrStoreUnavailable, "Trigger")
		w.is(n.Schedule(w.ctx, does("y", "", handledBy("nop"))), scheduling.ErrStoreUnavailable, "Schedule")
		n.link.setCut(false)
		w.sleep(2 * time.Second)
	}),
}
