package gormsched

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// leaseRequest asks for a lease of a minute.
func leaseRequest(resource, token string) provider.LeaseRequest {
	return provider.LeaseRequest{Resource: resource, Holder: "node-" + token, Token: token, TTL: time.Minute}
}

// Of many candidates one takes the lease, whether there is no row, or one that
// has expired; the others get the row that holds it (R058–R060, B171).
func TestAcquireAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		d.store(t, Options{})
		const candidates = 6
		var stores []*JobStore
		for range candidates {
			stores = append(stores, d.bare(t, Options{Now: clock.Now}))
		}
		var fence int64
		for round := range 4 {
			won := make([]provider.LeaseAnswer, candidates)
			errs := make([]error, candidates)
			atOnce(candidates, func(i int) {
				won[i], errs[i] = stores[i].Election().TryAcquire(ctx, leaseRequest("x", fmt.Sprintf("%d-%d", round, i)))
			})
			winner := -1
			for i, err := range errs {
				switch {
				case err == nil && winner >= 0:
					t.Fatalf("round %d: %d and %d both hold the lease", round, winner, i)
				case err == nil:
					winner = i
				case !errors.Is(err, provider.ErrLeaseHeld):
					t.Errorf("round %d, candidate %d: %v, want ErrLeaseHeld", round, i, err)
				}
			}
			if winner < 0 {
				t.Fatalf("round %d: nobody holds the lease", round)
			}
			for i := range won {
				if won[i].Lease != won[winner].Lease {
					t.Errorf("round %d: candidate %d was answered %+v, the winner %+v", round, i, won[i].Lease, won[winner].Lease)
				}
			}
			if won[winner].Lease.Fence <= fence {
				t.Errorf("round %d: the fence is %d after %d (D25)", round, won[winner].Lease.Fence, fence)
			}
			fence = won[winner].Lease.Fence
			clock.add(time.Minute) // exactly expired
		}
	})
}

// The fence grows also over a release, which deletes the row, and with a clock
// that stands still.
func TestFenceGrowsOverRelease(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		d.store(t, Options{})
		var fence int64
		for i := range 3 {
			e := d.bare(t, Options{Now: clock.Now}).Election()
			a, err := e.TryAcquire(ctx, leaseRequest("x", "t"))
			if err != nil || a.Lease.Fence <= fence {
				t.Fatalf("acquisition %d: %+v, %v; the fence before was %d", i, a, err, fence)
			}
			fence = a.Lease.Fence
			for range 2 { // idempotent (R067)
				if err := e.Release(ctx, "x", "t"); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// Renew and release are the token's alone (R063–R067, B145, B147).
func TestRenewAndReleaseNeedTheToken(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		e := d.store(t, Options{Now: clock.Now}).Election()
		mine, err := e.TryAcquire(ctx, leaseRequest("x", "mine"))
		if err != nil {
			t.Fatal(err)
		}
		clock.add(time.Second)
		if a, err := e.Renew(ctx, "x", "other"); !errors.Is(err, provider.ErrLeaseHeld) || a.Lease != mine.Lease {
			t.Errorf("renewing with another token: %+v, %v", a, err)
		}
		if err := e.Release(ctx, "x", "other"); err != nil {
			t.Errorf("releasing with another token: %v", err)
		}
		a, err := e.Renew(ctx, "x", "mine")
		if err != nil || !a.Lease.ExpiresAt.Equal(clock.Now().Add(time.Minute)) || a.Lease.Version <= mine.Lease.Version || a.Lease.Fence != mine.Lease.Fence {
			t.Errorf("Renew: %+v, %v", a, err)
		}
		clock.add(time.Minute)
		if _, err := e.Renew(ctx, "x", "mine"); !errors.Is(err, provider.ErrLeaseHeld) {
			t.Errorf("renewing what has expired: %v, want ErrLeaseHeld (R065)", err)
		}
		if _, err := e.Renew(ctx, "none", "mine"); !errors.Is(err, provider.ErrLeaseHeld) {
			t.Errorf("renewing what is not there: %v, want ErrLeaseHeld", err)
		}
	})
}

// A clock that has stepped back does not keep a lease for good: a row that was
// watched standing still counts as expired if its expiry is further away than
// any renewal can have put it (D26).
func TestSteppedClock(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		e := d.store(t, Options{Now: clock.Now}).Election()
		held, err := e.TryAcquire(ctx, leaseRequest("x", "old"))
		if err != nil {
			t.Fatal(err)
		}
		req := leaseRequest("x", "new")
		req.Margin = 6 * time.Second
		try := func(stood *provider.LeaseRecord) error {
			req.Stood = stood
			_, err := e.TryAcquire(ctx, req)
			return err
		}
		clock.add(-req.Margin)
		if err := try(&held.Lease); !errors.Is(err, provider.ErrLeaseHeld) {
			t.Errorf("an expiry TTL plus margin away: %v, want ErrLeaseHeld", err)
		}
		clock.add(-time.Microsecond)
		if err := try(nil); !errors.Is(err, provider.ErrLeaseHeld) {
			t.Errorf("without having watched: %v, want ErrLeaseHeld", err)
		}
		renewed := held.Lease
		renewed.Version--
		if err := try(&renewed); !errors.Is(err, provider.ErrLeaseHeld) {
			t.Errorf("a row that has moved since: %v, want ErrLeaseHeld", err)
		}
		if err := try(&held.Lease); err != nil {
			t.Errorf("a row that stood still: %v", err)
		}
	})
}

// A lost commit of an acquisition is adopted by its token (D24); without one
// the same token is as little re-entrant as another (R061).
func TestAcquireFindsLostCommit(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s, w := d.wired(t, Options{})
		for i, f := range []fault{failAfter, failBefore} {
			resource := fmt.Sprintf("r%d", i)
			w.reset(commits(f, 1))
			a, err := s.Election().TryAcquire(ctx, leaseRequest(resource, "t"))
			if err != nil {
				t.Fatalf("commit %d lost: %v", i, err)
			}
			w.reset(nil)
			found, err := s.Election().Inspect(ctx, resource)
			if err != nil || found.Lease != a.Lease {
				t.Errorf("answered %+v, stored %+v, %v", a.Lease, found.Lease, err)
			}
			if _, err := s.Election().TryAcquire(ctx, leaseRequest(resource, "t")); !errors.Is(err, provider.ErrLeaseHeld) {
				t.Errorf("the holder acquires again: %v, want ErrLeaseHeld", err)
			}
			w.reset(commits(f, 1))
			if b, err := s.Election().Renew(ctx, resource, "t"); err != nil || b.Lease.ExpiresAt.Before(a.Lease.ExpiresAt) {
				t.Errorf("Renew with a lost commit: %+v, %v", b, err)
			}
			w.reset(commits(f, 1))
			if err := s.Election().Release(ctx, resource, "t"); err != nil {
				t.Errorf("Release with a lost commit: %v", err)
			}
		}
		w.reset(func(int, event) fault { return failBefore })
		if _, err := s.Election().TryAcquire(ctx, leaseRequest("y", "t")); !errors.Is(err, provider.ErrElectionUnavailable) {
			t.Errorf("with the database away: %v, want ErrElectionUnavailable (R069)", err)
		}
	})
}

// What a lease request may hold; each error names field and value.
func TestLeaseRequestIsChecked(t *testing.T) {
	e := sqliteDatabase(t).store(t, Options{}).Election()
	for want, change := range map[string]func(*provider.LeaseRequest){
		`Resource "Upper"`: func(r *provider.LeaseRequest) { r.Resource = "Upper" },
		`Holder ""`:        func(r *provider.LeaseRequest) { r.Holder = "" },
		`Token "a b"`:      func(r *provider.LeaseRequest) { r.Token = "a b" },
		"at most 64":       func(r *provider.LeaseRequest) { r.Token = strings.Repeat("t", 65) },
		"TTL 999µs":        func(r *provider.LeaseRequest) { r.TTL = 999 * time.Microsecond },
	} {
		req := leaseRequest("x", "t")
		change(&req)
		if _, err := e.TryAcquire(context.Background(), req); !errors.Is(err, provider.ErrInvalidDefinition) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a validation error with %q", err, want)
		}
	}
}
