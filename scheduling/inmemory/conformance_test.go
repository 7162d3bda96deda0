package inmemory

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

func TestConformance(t *testing.T) {
	h := harness("memory, shared", Options{Shared: true})
	schedulingtest.RunStore(t, h)
	schedulingtest.RunElection(t, h)
	schedulingtest.RunScheduler(t, h)
}

// The long way is the same for an engine that does not want Claim, and an
// unshared store is no other one but for its nodes.
func TestConformanceOfTheOptions(t *testing.T) {
	unshared := harness("memory, unshared, the long way", Options{LongWay: true})
	schedulingtest.RunStore(t, unshared)
	schedulingtest.RunScheduler(t, unshared)
}

// harness makes stores whose faults, held jobs and rows the suites command.
func harness(name string, options Options) schedulingtest.Harness {
	return schedulingtest.Harness{Name: name, New: func(t testing.TB) schedulingtest.Subject {
		clock := schedulingtest.NewClock()
		c := &commands{}
		own := options
		own.Now, own.Fault, own.Held = clock.Now, c.fault, c.held
		store := New(own)
		return schedulingtest.Subject{
			Store:     store,
			SetNow:    clock.Set,
			Open:      func(testing.TB) provider.Store { return store },
			InBubble:  inBubble(options),
			OneWriter: true,
			SetTap:    c.setTap,
			CanFail:   canFail,
			HoldJob:   c.holdJob,
			Poke: func(t testing.TB, row schedulingtest.Row, column string, value any) {
				poke(t, store, row, column, value)
			},
			Check: func(t testing.TB) {
				t.Helper()
				if err := store.CheckInvariants(); err != nil {
					t.Errorf("invariants: %v", err)
				}
			},
		}
	}}
}

// inBubble answers one store, whose clock is the bubble's.
func inBubble(options Options) func(testing.TB) provider.Store {
	store := sync.OnceValue(func() *Store { return New(options) })
	return func(t testing.TB) provider.Store { return store() }
}

// commands is what a case tells its store to suffer.
type commands struct {
	mu   sync.Mutex
	tap  schedulingtest.Tap
	jobs []string
}

func (c *commands) setTap(tap schedulingtest.Tap) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tap = tap
}

func (c *commands) holdJob(_ testing.TB, job string) (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jobs = append(c.jobs, job)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.jobs = slices.DeleteFunc(c.jobs, func(held string) bool { return held == job })
	}
}

func (c *commands) held(_, job string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.jobs, job)
}

var errCommanded = errors.New("commanded by the suite")

// fault shows the suite the two ends of each transaction.
func (c *commands) fault(_ string, phase Phase) error {
	c.mu.Lock()
	tap := c.tap
	c.mu.Unlock()
	if tap == nil {
		return nil
	}
	event := schedulingtest.Event{Kind: schedulingtest.Begin}
	if phase == AfterCommit {
		event = schedulingtest.Event{Kind: schedulingtest.Commit, InTx: true}
	}
	if tap(context.Background(), event) != schedulingtest.Pass {
		return errCommanded
	}
	return nil
}

// canFail: a transaction fails before it begins or after it has committed, and
// never loses a race.
func canFail(event schedulingtest.Event, verdict schedulingtest.Verdict) bool {
	if event.Kind == schedulingtest.Commit {
		return verdict == schedulingtest.FailAfter
	}
	return verdict == schedulingtest.FailBefore || verdict == schedulingtest.Cut
}

// poke writes one column behind the store's back.
func poke(t testing.TB, s *Store, row schedulingtest.Row, column string, value any) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch job, lease, node := s.jobs[row.Key], s.leases[row.Key], s.nodes[row.Key]; [2]string{string(row.Table), column} {
	case [2]string{"job", "active_run_id"}:
		job.ActiveRunID = value.(string)
		s.setJob(row.Key, &job)
		return
	case [2]string{"job", "fence"}:
		job.Fence = value.(int64)
		s.setJob(row.Key, &job)
		return
	case [2]string{"lease", "fence"}:
		lease.Fence = value.(int64)
		s.marks.leaseFences[row.Key] = lease.Fence // no other process writes here
		s.setLease(row.Key, &lease)
		return
	case [2]string{"node", "incarnation"}:
		node.Incarnation = value.(int64)
		s.marks.incarnations[row.Key] = node.Incarnation
		s.setNode(row.Key, &node)
		return
	}
	k, err := provider.ParseTriggerKey(row.Key)
	trigger, ok := s.triggers[k]
	switch {
	case row.Table != schedulingtest.TableTrigger, err != nil, !ok:
		t.Fatalf("cannot poke %s of %s %s", column, row.Table, row.Key)
	case column == "misfire_policy":
		trigger.Misfire = provider.MisfirePolicy(value.(int64))
	case column == "run_as":
		trigger.RunAs = provider.RunKind(value.(int64))
	case column == "trigger_state":
		trigger.State = provider.TriggerState(value.(int64))
	default:
		t.Fatalf("no column %s to poke", column)
	}
	s.setTrigger(k, &trigger)
}
