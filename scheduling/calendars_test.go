package scheduling_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// calendar is an application's own.
type calendar func(time.Time) bool

func (c calendar) IsExcluded(at time.Time) bool { return c(at) }

// D14, design §5: an application's calendar is asked outside of transactions;
// one that panics puts its trigger into state Error, one that hangs keeps its
// own jobs from running, and neither holds up any other.
func TestHostileCalendars(t *testing.T) {
	for _, long := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{LongWay: long})
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			release := make(chan struct{})
			var hang atomic.Bool
			for name, c := range map[string]calendar{
				"odd": func(at time.Time) bool { return at.Second()%2 == 1 },
				"panics": func(at time.Time) bool {
					if at.After(start2000.Add(10 * time.Second)) {
						panic("calendar")
					}
					return false
				},
				"hangs": func(at time.Time) bool {
					if hang.Load() {
						<-release
					}
					return false
				},
				"never": func(time.Time) bool { return true },
			} {
				if err := n.AddCalendar(name, c); err != nil {
					t.Fatal(err)
				}
			}
			n.Handle("any", nop)
			for _, name := range []string{"odd", "panics", "hangs", "never"} {
				n.job(scheduling.JobDefinition{Name: name, Handler: "any", Triggers: []scheduling.TriggerDefinition{
					{Name: "t", Schedule: scheduling.MustCron("* * * * * *", "").WithCalendar(name)}}})
				n.job(scheduling.JobDefinition{Name: name + "-local", Handler: "any", RunOnEveryInstance: true, Triggers: []scheduling.TriggerDefinition{
					{Name: "t", Schedule: scheduling.MustCron("* * * * * *", "").WithCalendar(name)}}})
			}
			n.job(scheduling.JobDefinition{Name: "plain", Handler: "any", Triggers: []scheduling.TriggerDefinition{
				{Name: "t", Schedule: scheduling.MustCron("* * * * * *", "")}}})
			n.run()
			sleep(5 * time.Second)
			hang.Store(true)
			sleep(115 * time.Second)
			for _, name := range []string{"odd", "odd-local"} {
				for _, r := range history(t, store, name) {
					if r.ScheduledAt.Second()%2 == 1 {
						t.Errorf("%s ran at %v", name, r.ScheduledAt)
					}
				}
				if c := len(history(t, store, name)); c < 55 || c > 60 {
					t.Errorf("%s ran %d times", name, c)
				}
			}
			if c := len(history(t, store, "plain")); c < 117 {
				t.Errorf("plain ran %d times of 120", c)
			}
			equal(t, "panics", trigger(t, store, "panics", "t").State, provider.TriggerError)
			for _, name := range []string{"hangs", "hangs-local", "panics", "panics-local"} {
				if c := len(history(t, store, name)); c < 3 || c > 11 {
					t.Errorf("%s ran %d times", name, c)
				}
			}
			equal(t, "never", len(history(t, store, "never"))+len(history(t, store, "never-local")), 0)
			close(release)
			sleep(2 * time.Minute)
			if c := len(history(t, store, "hangs")); c < 20 {
				t.Errorf("when its calendar has answered it runs again: %d", c)
			}
			n.stopClean()
		})
	}
}
