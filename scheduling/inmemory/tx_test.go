package inmemory

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// state copies every row, for comparisons; versions are left out where loose.
func (f *fixture) state() map[string]any {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[string]any{}
	for k, v := range f.jobs {
		all["job "+k] = v
	}
	for k, v := range f.triggers {
		all["trigger "+k.String()] = v
	}
	for k, v := range f.runs {
		all["run "+k] = v
	}
	for k, v := range f.nodes {
		all["node "+k] = v
	}
	for k, v := range f.leases {
		all["lease "+k] = v
	}
	return all
}

// busy is a store in which most of what can happen is under way.
func busy(t testing.TB, options Options) *fixture {
	options.Shared = true
	f := newFixture(t, options)
	f.save(exclusiveJob("a"), due("cron", start))
	f.save(exclusiveJob("b"), due("every", start))
	f.save(concurrentJob("c"), due("x", start), due("y", start.Add(time.Hour)))
	f.enqueue("a", numbered(30)...)
	f.claim(2, fly)
	f.enqueue("c", numbered(30)...)
	return f
}

// A function of the caller's that panics, or ends its goroutine, in the middle
// of a batch leaves nothing half done, and the mutex free.
func TestPanicChangesNothing(t *testing.T) {
	calls := 0
	second := func(f func()) { // lets the first item through
		if calls++; calls == 2 {
			f()
		}
	}
	for name, blow := range map[string]func(){"panic": func() { panic("no") }, "Goexit": runtime.Goexit} {
		for op, call := range map[string]func(f *fixture) error{
			"Claim": func(f *fixture) error {
				_, err := f.Claim(f.ctx, f.claimRequest(8, func(c provider.Candidate) provider.Decision {
					second(blow)
					return startOrBlock(c)
				}))
				return err
			},
			"Complete": func(f *fixture) error {
				running, _ := f.RunningRuns(f.ctx, nil)
				req := provider.CompleteRequest{Node: f.node}
				for _, run := range running {
					req.Items = append(req.Items, provider.Completion{RunID: run.ID, State: provider.RunFailed,
						Settle: func(time.Time) provider.Settlement { second(blow); return provider.Settlement{} }})
				}
				_, err := f.Complete(f.ctx, req)
				return err
			},
			"Sweep": func(f *fixture) error {
				_, err := f.Sweep(f.ctx, provider.SweepRequest{
					Recover: func(provider.RunRecord, provider.JobRecord, time.Time) (provider.TriggerRecord, bool) {
						second(blow)
						return provider.TriggerRecord{}, false
					}})
				return err
			},
		} {
			t.Run(op+" "+name, func(t *testing.T) {
				f := busy(t, Options{})
				if op == "Sweep" {
					_, err := f.Deregister(f.ctx, f.node)
					f.ok(err)
				}
				before := f.state()
				calls = 0
				var err error
				var ended sync.WaitGroup
				ended.Go(func() { err = call(f) })
				ended.Wait()
				if name == "panic" && !errors.Is(err, provider.ErrStoreUnavailable) {
					t.Errorf("error %v, want ErrStoreUnavailable", err)
				}
				if calls != 2 {
					t.Errorf("the function was called %d times, want 2", calls)
				}
				if after := f.state(); !reflect.DeepEqual(before, after) {
					t.Errorf("the state changed")
				}
				f.check() // would hang on a mutex that stayed locked
			})
		}
	}
}

// What was written twice is undone to what it was before the first time.
func TestRollbackGoesBackwards(t *testing.T) {
	f := busy(t, Options{})
	before := f.state()
	_, _, err := locked(f.Store, "test", func(tx *tx) (struct{}, error) {
		for range 2 {
			row := tx.triggers[key("c", "y")]
			row.FireCount++
			tx.putTrigger(row)
			run := tx.runs[tx.jobs["a"].ActiveRunID]
			run.Attempt++
			tx.putRun(run)
		}
		tx.deleteTrigger(key("c", "y"))
		return struct{}{}, errCut
	})
	if !errors.Is(err, errCut) || !reflect.DeepEqual(before, f.state()) {
		t.Errorf("error %v; the state must be as before", err)
	}
}

var errCut = errors.New("cable cut")

// The phases of the fault hook: before, nothing has changed; after the commit,
// all has, and the caller is told that it cannot know.
func TestFaultPhases(t *testing.T) {
	var at Phase
	armed := false
	var seen []string
	f := newFixture(t, Options{Fault: func(op string, phase Phase) error {
		if armed {
			seen = append(seen, op+" "+phase.String())
			if phase == at {
				return errCut
			}
		}
		return nil
	}})
	f.save(concurrentJob("a"))
	f.enqueue("a", "x")
	armed, at = true, Before
	before := f.state()
	_, err := f.Claim(f.ctx, f.claimRequest(1, startOrBlock))
	if !errors.Is(err, provider.ErrStoreUnavailable) || !errors.Is(err, errCut) || errors.Is(err, provider.ErrOutcomeUnknown) {
		t.Errorf("before: %v, want ErrStoreUnavailable with the cause and a known outcome", err)
	}
	if !reflect.DeepEqual(before, f.state()) {
		t.Error("before: the state changed")
	}
	if _, err = f.Election().TryAcquire(f.ctx, lease("t")); !errors.Is(err, provider.ErrElectionUnavailable) {
		t.Errorf("election: %v, want ErrElectionUnavailable", err)
	}
	at = AfterCommit
	_, err = f.Claim(f.ctx, f.claimRequest(1, startOrBlock))
	if !errors.Is(err, provider.ErrStoreUnavailable) || !errors.Is(err, errCut) || !errors.Is(err, provider.ErrOutcomeUnknown) {
		t.Errorf("after: %v, want ErrStoreUnavailable with the cause and an unknown outcome", err)
	}
	if _, err = f.Election().TryAcquire(f.ctx, lease("t")); !errors.Is(err, provider.ErrElectionUnavailable) || !errors.Is(err, provider.ErrOutcomeUnknown) {
		t.Errorf("election after: %v, want ErrElectionUnavailable and an unknown outcome", err)
	}
	if _, err = f.Claim(f.ctx, f.claimRequest(1, startOrBlock)); !errors.Is(err, errCut) || errors.Is(err, provider.ErrOutcomeUnknown) {
		t.Errorf("after a pass that wrote nothing: %v, want a known outcome", err)
	}
	if _, err = f.Enqueue(f.ctx, nil); err != nil {
		t.Errorf("an empty batch reached the hook: %v", err)
	}
	armed = false
	if running, _ := f.RunningRuns(f.ctx, nil); len(running) != 1 {
		t.Errorf("%d run, want 1: the lost answer's", len(running))
	}
	if info, _ := f.Election().Inspect(f.ctx, "r"); !info.Found {
		t.Error("the lost answer's lease is not there")
	}
	want := []string{"Claim Before", "Election.TryAcquire Before",
		"Claim Before", "Claim AfterCommit", "Election.TryAcquire Before", "Election.TryAcquire AfterCommit", "Claim Before", "Claim AfterCommit"}
	if !slices.Equal(seen, want) {
		t.Errorf("the hook saw %v, want %v", seen, want)
	}
}

// One of the contract's errors passes the hook unchanged (R024).
func TestFaultPassesContractErrors(t *testing.T) {
	f := newFixture(t, Options{})
	f.options.Fault = func(string, Phase) error { return provider.Contended("x") }
	_, err := f.Enqueue(f.ctx, []provider.TriggerRecord{{}})
	var known *provider.Error
	if !errors.As(err, &known) || known.Reason != provider.ReasonContention {
		t.Errorf("error %v, want the contention unchanged", err)
	}
	f.options.Fault = nil
}

// A context that has ended is answered unwrapped; elections know one error.
func TestEndedContext(t *testing.T) {
	f := newFixture(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	f.options.Fault = func(_ string, phase Phase) error { // ends while the call waits
		if phase == Before {
			cancel()
		}
		return nil
	}
	var known *provider.Error
	if _, err := f.Heartbeat(ctx, f.node); !errors.Is(err, context.Canceled) || errors.As(err, &known) {
		t.Errorf("error %v, want context.Canceled unwrapped", err)
	}
	if err := f.Election().Release(ctx, "r", "t"); !errors.Is(err, context.Canceled) || !errors.Is(err, provider.ErrElectionUnavailable) {
		t.Errorf("error %v, want ErrElectionUnavailable", err)
	}
}

// Many nodes at once: nothing is claimed twice, no exclusive job runs twice.
func TestConcurrentClaims(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	f.save(concurrentJob("c"))
	f.enqueue("a", numbered(30)...)
	f.enqueue("c", numbered(60)...)
	var mu sync.Mutex
	began := map[string]int{}
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for i := range 200 {
				base := int64(1000 + w*1000 + i)
				ids := []string{}
				for range 4 {
					ids = append(ids, string(rune('A'+w))+time.Duration(base*10+int64(len(ids))).String())
				}
				a, err := f.Claim(f.ctx, provider.ClaimRequest{AcquireRequest: provider.AcquireRequest{Node: f.node, ClaimID: base, Limit: 4},
					RunIDs: ids, Decide: startOrBlock})
				if err != nil {
					t.Error(err)
					return
				}
				done := provider.CompleteRequest{Node: f.node}
				for _, item := range a.Items {
					if item.Outcome == provider.OutcomeStarted {
						mu.Lock()
						began[item.Trigger.TriggerKey.String()]++
						mu.Unlock()
						done.Items = append(done.Items, provider.Completion{RunID: item.Run.ID, State: provider.RunSucceeded})
					}
				}
				if err := f.CheckInvariants(); err != nil {
					t.Error(err)
					return
				}
				if _, err := f.Complete(f.ctx, done); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
	if len(began) != 90 {
		t.Errorf("%d one-shots began, want 90", len(began))
	}
	for k, n := range began {
		if n != 1 {
			t.Errorf("%s began %d times", k, n)
		}
	}
}
