package scheduling_test

import (
	"context"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// R207, R228: what this node changes takes effect here at once, although it
// would look at the store only after ten seconds, and at local triggers after a
// hundred.
func TestChangesTakeEffectAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", PollInterval: 10 * time.Second})
		ran := &notes{}
		n.Handle("note", scheduling.Typed(func(_ context.Context, run *scheduling.Run, _ struct{}) error {
			ran.add(run.Job)
			return nil
		}))
		n.run()
		sleep(25 * time.Second)
		do := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			sleep(1500 * time.Millisecond)
		}
		local := scheduling.NewJob("local", scheduling.MustEvery(time.Second))
		local.Handler, local.RunOnEveryInstance = "note", true
		do("Schedule local", n.Schedule(t.Context(), local))
		equal(t, "local job", ran.String(), "local")
		do("Pause local", n.Pause(t.Context(), "local"))
		seen := len(ran.all())
		sleep(5 * time.Second)
		equal(t, "runs of the paused local job", len(ran.all()), seen)
		do("Resume local", n.Resume(t.Context(), "local"))
		if len(ran.all()) == seen {
			t.Error("the resumed local job does not run")
		}
		key := scheduling.TriggerKey{Job: "local", Trigger: scheduling.DefaultTrigger}
		do("PauseTriggers local", n.PauseTriggers(t.Context(), key))
		seen = len(ran.all())
		sleep(5 * time.Second)
		equal(t, "runs of the paused local trigger", len(ran.all()), seen)
		do("ResumeTriggers local", n.ResumeTriggers(t.Context(), key))
		if len(ran.all()) == seen {
			t.Error("the resumed local trigger does not run")
		}
		do("Unschedule local", n.Unschedule(t.Context(), "local"))
		seen = len(ran.all())
		sleep(5 * time.Second)
		equal(t, "runs of the deleted local job", len(ran.all()), seen)

		past := scheduling.MustOnce(start2000)
		due := scheduling.NewJob("due", past)
		due.Handler = "note"
		do("Schedule", n.Schedule(t.Context(), due))
		equal(t, "scheduled, due now", len(history(t, store, "due")), 1)
		do("AddTriggers", n.AddTriggers(t.Context(), "due", scheduling.TriggerDefinition{Name: "again", Schedule: past}))
		equal(t, "added, due now", len(history(t, store, "due")), 2)
		do("PauseTriggers", n.PauseTriggers(t.Context(), scheduling.TriggerKey{Job: "due", Trigger: "again"}))
		do("Pause", n.Pause(t.Context(), "due"))
		do("AddTriggers paused", n.AddTriggers(t.Context(), "due", scheduling.TriggerDefinition{Name: "third", Schedule: past}))
		equal(t, "added to a paused job", len(history(t, store, "due")), 2)
		do("Resume", n.Resume(t.Context(), "due"))
		equal(t, "resumed, due since", len(history(t, store, "due")), 3)
		_, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "due"})
		do("Enqueue", err)
		equal(t, "enqueued", len(history(t, store, "due")), 4)
		n.stopClean()
	})
}
