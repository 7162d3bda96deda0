package scheduling_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// R270–R273: a publisher that fails, panics or hangs touches no run.
func TestPublisher(t *testing.T) {
	for name, do := range map[string]func(scheduling.Event) error{
		"works":  func(scheduling.Event) error { return nil },
		"fails":  func(scheduling.Event) error { return errors.New("no broker") },
		"panics": func(scheduling.Event) error { panic("broker") },
		"slow":   func(scheduling.Event) error { <-time.After(20 * time.Second); return nil },
	} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{})
			p := &publisher{do: do}
			n := newNode(t, store, scheduling.Options{NodeID: "a", Publisher: p})
			n.Handle("x", func(_ context.Context, run *scheduling.Run) error {
				if run.Data.IsZero() {
					return errors.New("no data")
				}
				return nil
			})
			n.job(scheduling.JobDefinition{Name: "x"})
			n.run()
			sleep(time.Second)
			for _, data := range []any{nil, map[string]int{"n": 1}} {
				if _, err := n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x", Data: scheduling.MustData(data)}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			equal(t, name, states(t, store, "x"), "Manual/Failed/1 Manual/Succeeded/1")
			began := time.Now()
			n.stopClean()
			if d := time.Since(began); d > 6*time.Second {
				t.Errorf("%s: the stop took %v", name, d)
			}
			if name != "slow" {
				equal(t, name, p.String(), "job.scheduled:x run.started:x run.failed:x run.started:x run.succeeded:x")
			}
			sleep(3 * time.Minute)
		})
	}
}
