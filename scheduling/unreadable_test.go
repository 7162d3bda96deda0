package scheduling_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D14: schedule text that a newer version wrote is left alone and logged, once
// per job; a backlog of it stops nobody who is due behind it.
func TestNewerScheduleText(t *testing.T) {
	for _, long := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{LongWay: long})
			var items []provider.SaveItem
			for i := range 50 {
				name := fmt.Sprintf("newer-%02d", i)
				items = append(items, provider.SaveItem{
					Job: provider.JobRecord{Name: name, Handler: "x", Source: provider.SourceRuntime},
					Triggers: []provider.TriggerRecord{{
						TriggerKey: provider.TriggerKey{Job: name, Trigger: "t"}, Schedule: "moon full", Priority: 5, RunAs: provider.KindSchedule,
						State: provider.TriggerWaiting, ScheduledAt: at(0), NextFireAt: at(0),
					}},
				})
			}
			if _, err := store.SaveJobs(t.Context(), items); err != nil {
				t.Fatal(err)
			}
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			n.Handle("x", nop)
			n.job(scheduling.NewJob("x", scheduling.MustEvery(time.Second)))
			n.run()
			sleep(10 * time.Second)
			if ran := len(history(t, store, "x")); ran < 7 {
				t.Errorf("long %v: %d runs of the job behind, want at least 7", long, ran)
			}
			equal(t, "log lines", n.log.count("a newer version wrote this trigger"), 50)
			row := trigger(t, store, "newer-00", "t")
			equal(t, "state", row.State, provider.TriggerWaiting)
			equal(t, "text", row.Schedule, "moon full")
			n.stopClean()
		})
	}
}
