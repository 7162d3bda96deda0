package inmemory_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

func TestConformance(t *testing.T) {
	h := schedulingtest.Harness{Name: "memory", New: newSubject}
	schedulingtest.RunStore(t, h)
	schedulingtest.RunElection(t, h)
}

// seam is where a case disturbs a store: it taps the transactions and holds
// jobs.
type seam struct {
	mu   sync.Mutex
	tap  schedulingtest.Tap
	held map[string]bool
}

func newSubject(testing.TB) schedulingtest.Subject {
	clock, s := schedulingtest.NewClock(), &seam{held: map[string]bool{}}
	store := inmemory.New(inmemory.Options{Now: clock.Now, Shared: true, Fault: s.fault, Held: s.isHeld})
	return schedulingtest.Subject{
		Store:     store,
		SetNow:    clock.Set,
		Open:      func(testing.TB) provider.Store { return store },
		OneWriter: true,
		SetTap:    s.setTap,
		CanFail: func(event schedulingtest.Event, v schedulingtest.Verdict) bool {
			return event.Kind == schedulingtest.Begin && v == schedulingtest.FailBefore ||
				event.Kind == schedulingtest.Commit && v == schedulingtest.FailAfter
		},
		HoldJob: s.hold,
		Check: func(t testing.TB) {
			if err := store.CheckInvariants(); err != nil {
				t.Errorf("CheckInvariants: %v", err)
			}
		},
	}
}

func (s *seam) setTap(tap schedulingtest.Tap) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tap = tap
}

// fault asks the tap about a transaction's begin and its commit, the only
// events that there are in memory.
func (s *seam) fault(op string, phase inmemory.Phase) error {
	s.mu.Lock()
	tap := s.tap
	s.mu.Unlock()
	if tap == nil {
		return nil
	}
	event := schedulingtest.Event{Kind: schedulingtest.Begin, Text: op}
	if phase == inmemory.AfterCommit {
		event = schedulingtest.Event{Kind: schedulingtest.Commit, Text: op, InTx: true}
	}
	if v := tap(context.Background(), event); v != schedulingtest.Pass {
		return errors.New(v.String())
	}
	return nil
}

func (s *seam) hold(_ testing.TB, job string) (release func()) {
	set := func(held bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held[job] = held
	}
	set(true)
	return func() { set(false) }
}

func (s *seam) isHeld(_, job string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[job]
}
