package scheduling_test

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D14, R157, B111: a node without the handler puts the trigger into state Error
// and touches the job no more; one that knows it takes it up, and no occurrence
// is lost, one-shots included.
func TestUnknownHandler(t *testing.T) {
	for _, long := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{LongWay: long})
			old := newNode(t, store, scheduling.Options{NodeID: "old"})
			old.Handle("other", nop)
			old.job(scheduling.NewJob("other", scheduling.MustEvery(time.Second)))
			old.run()
			sleep(time.Second)
			// Another program's job, due now.
			writer := newNode(t, store, scheduling.Options{NodeID: "writer"})
			writer.Handle("x", nop)
			if err := writer.Schedule(t.Context(), scheduling.NewJob("x", scheduling.MustCron("*/5 * * * * *", ""))); err != nil {
				t.Fatal(err)
			}
			if _, err := writer.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x", Key: "k"}); err != nil {
				t.Fatal(err)
			}
			sleep(6 * time.Second)
			row := trigger(t, store, "x", "manual-k")
			equal(t, "one-shot", row.State, provider.TriggerError)
			equal(t, "code", row.ErrorCode, string(provider.CodeHandlerNotFound))
			if n := old.log.count("is in state Error"); n == 0 || n > 2 {
				t.Errorf("logged %d times", n)
			}
			if len(history(t, store, "other")) < 5 {
				t.Errorf("other jobs are affected")
			}
			// Someone who knows better returns it: the old node leaves it alone.
			moved, err := store.Reschedule(t.Context(), []provider.RescheduleItem{{Key: row.TriggerKey, Version: row.Version,
				Next: provider.Next{State: provider.TriggerWaiting, ScheduledAt: row.ScheduledAt, NextFireAt: time.Now()}}})
			if err != nil || !moved[0] {
				t.Fatalf("%v %v", moved, err)
			}
			sleep(5 * time.Second)
			equal(t, "one-shot", trigger(t, store, "x", "manual-k").State, provider.TriggerWaiting)
			fresh := newNode(t, store, scheduling.Options{NodeID: "new"})
			fresh.Handle("x", nop)
			fresh.run()
			sleep(30 * time.Second)
			runs := history(t, store, "x")
			manual := 0
			for _, r := range runs {
				equal(t, "node", r.Node, "new")
				if r.Kind == scheduling.KindManual {
					manual++
				}
			}
			equal(t, "manual", manual, 1)
			if len(runs) < 6 {
				t.Errorf("%d runs", len(runs))
			}
			old.stopClean()
			fresh.stopClean()
		})
	}
}

// D43: a new leader computes anew what was computed with other zone data, from
// the previous scheduled instant, and never an instant that has run.
func TestZoneData(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", nop)
		n.job(scheduling.NewJob("x", scheduling.MustCron("0 0 12 * * *", "Europe/Berlin")))
		n.run()
		sleep(time.Second)
		n.stopClean()
		row := trigger(t, store, "x", "default")
		right := row.NextFireAt
		moved, err := store.Reschedule(t.Context(), []provider.RescheduleItem{{Key: row.TriggerKey, Version: row.Version,
			Next: provider.Next{State: provider.TriggerWaiting, ScheduledAt: right.Add(time.Hour), NextFireAt: right.Add(time.Hour), ZoneHash: "old"}}})
		if err != nil || !moved[0] {
			t.Fatalf("%v %v", moved, err)
		}
		n = newNode(t, store, scheduling.Options{NodeID: "b"})
		n.Handle("x", nop)
		n.run()
		sleep(time.Second)
		equal(t, "next", trigger(t, store, "x", "default").NextFireAt, right)
		n.stopClean()
	})
}
