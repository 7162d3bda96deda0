package scheduling_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// slowClaims is a store whose claims take a while, and that says how many of
// them gain something side by side.
type slowClaims struct {
	*inmemory.Store
	atOnce           int
	under, most, all atomic.Int64
}

func (s *slowClaims) Info() provider.Info {
	info := s.Store.Info()
	info.ClaimsAtOnce = s.atOnce
	return info
}

func (s *slowClaims) Claim(ctx context.Context, req provider.ClaimRequest) (provider.ClaimAnswer, error) {
	n := s.under.Add(1)
	defer s.under.Add(-1)
	for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
	}
	s.all.Add(1)
	time.Sleep(2 * time.Millisecond)
	return s.Store.Claim(ctx, req)
}

// Full claims follow each other at once, and go side by side where the store
// says that this gains something; together they never take more slots than
// there are (R258, P17). A backlog of an exclusive job makes no claims beside
// each other: they would find its row held.
func TestClaimsAtOnce(t *testing.T) {
	for _, c := range []struct {
		atOnce, slots int
		exclusive     bool
		most          int64
	}{
		{atOnce: 0, slots: 1000, most: 1},
		{atOnce: 3, slots: 1000, most: 3},
		{atOnce: 3, slots: 40, most: 2}, // a whole batch, then one and what is left
		{atOnce: 3, slots: 10, most: 1}, // one claim takes them all
		{atOnce: 3, slots: 1000, exclusive: true, most: 1},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				store := &slowClaims{Store: newStore(t, inmemory.Options{}), atOnce: c.atOnce}
				s, err := scheduling.New(store, scheduling.Options{NodeID: "a", MaxConcurrentRuns: c.slots, StartPaused: true})
				if err != nil {
					t.Fatal(err)
				}
				var running, most, ran atomic.Int64
				s.Handle("x", func(context.Context, *scheduling.Run) error {
					n := running.Add(1)
					defer running.Add(-1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					time.Sleep(20 * time.Millisecond)
					ran.Add(1)
					return nil
				})
				if err := s.Schedule(t.Context(), scheduling.JobDefinition{Name: "x", AllowConcurrent: !c.exclusive}); err != nil {
					t.Fatal(err)
				}
				requests := make([]scheduling.EnqueueRequest, 200)
				for i := range requests {
					requests[i].Job = "x"
				}
				if _, err := s.Enqueue(t.Context(), requests...); err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- s.Run(ctx) }()
				sleep(time.Second)
				s.Unpause()
				sleep(30 * time.Second)
				stop()
				if err := <-done; err != nil {
					t.Errorf("Run: %v", err)
				}
				equal(t, "runs", ran.Load(), 200)
				equal(t, "claims at once", store.most.Load(), c.most)
				if most.Load() > int64(c.slots) {
					t.Errorf("%d handlers at once in %d slots", most.Load(), c.slots)
				}
			})
		})
	}
}
