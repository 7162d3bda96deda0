package inmemory

import (
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

func lease(token string) provider.LeaseRequest {
	return provider.LeaseRequest{Resource: "r", Holder: "n", Token: token, TTL: 30 * time.Second, Margin: 3 * time.Second}
}

// R056–R072: taken, not re-entrant, renewed by its token, lost at its expiry.
func TestLease(t *testing.T) {
	f := newFixture(t, Options{})
	e := f.Election()
	first, err := e.TryAcquire(f.ctx, lease("one"))
	f.ok(err)
	if !first.Lease.ExpiresAt.Equal(start.Add(30*time.Second)) || first.Lease.Fence == 0 {
		t.Errorf("acquired %+v", first)
	}
	if held, err := e.TryAcquire(f.ctx, lease("one")); !errors.Is(err, provider.ErrLeaseHeld) || held.Lease != first.Lease {
		t.Errorf("acquired while held: %+v, %v; want ErrLeaseHeld (R061) and the row", held, err)
	}
	if _, err := e.Renew(f.ctx, "r", "two"); !errors.Is(err, provider.ErrLeaseHeld) {
		t.Errorf("renewed with another token: %v", err)
	}
	f.clock = start.Add(30*time.Second - time.Microsecond)
	renewed, err := e.Renew(f.ctx, "r", "one")
	f.ok(err)
	if want := f.clock.Add(30 * time.Second); !renewed.Lease.ExpiresAt.Equal(want) || renewed.Lease.Fence != first.Lease.Fence || renewed.Lease.Version <= first.Lease.Version {
		t.Errorf("renewed %+v, want expiry %v, the same fence, a new version", renewed.Lease, want)
	}
	f.clock = renewed.Lease.ExpiresAt
	if _, err := e.Renew(f.ctx, "r", "one"); !errors.Is(err, provider.ErrLeaseHeld) {
		t.Errorf("renewed at its expiry: %v, want it lost (R065)", err)
	}
	second, err := e.TryAcquire(f.ctx, lease("two"))
	f.ok(err)
	if second.Lease.Fence <= first.Lease.Fence {
		t.Errorf("fence %d after %d, want it greater (D25)", second.Lease.Fence, first.Lease.Fence)
	}
}

// R066, R067: only the own row is released, as often as one likes; the fence
// of the next acquisition is greater all the same (D25).
func TestLeaseRelease(t *testing.T) {
	f := newFixture(t, Options{})
	e := f.Election()
	first, err := e.TryAcquire(f.ctx, lease("one"))
	f.ok(err)
	f.ok(e.Release(f.ctx, "r", "other"))
	if a, _ := e.Inspect(f.ctx, "r"); !a.Found {
		t.Error("another token released the lease")
	}
	f.ok(e.Release(f.ctx, "r", "one"))
	f.ok(e.Release(f.ctx, "r", "one"))
	if a, _ := e.Inspect(f.ctx, "r"); a.Found || !a.Now.Equal(start) {
		t.Errorf("after the release: %+v", a)
	}
	second, err := e.TryAcquire(f.ctx, lease("two"))
	f.ok(err)
	if second.Lease.Fence <= first.Lease.Fence {
		t.Errorf("fence %d after %d in the same microsecond, want it greater", second.Lease.Fence, first.Lease.Fence)
	}
}

// D26: a row that stood still and expires further away than any renewal puts
// it counts as expired; one that moved, or is within TTL and margin, does not.
func TestLeaseAfterAStepBack(t *testing.T) {
	f := newFixture(t, Options{})
	e := f.Election()
	row, err := e.TryAcquire(f.ctx, lease("one"))
	f.ok(err)
	stood := lease("two")
	stood.Stood = &row.Lease
	f.clock = start.Add(-3 * time.Second)
	if _, err := e.TryAcquire(f.ctx, stood); !errors.Is(err, provider.ErrLeaseHeld) {
		t.Errorf("a step within the margin: %v, want ErrLeaseHeld", err)
	}
	f.clock = start.Add(-3*time.Second - time.Microsecond)
	if _, err := e.TryAcquire(f.ctx, lease("two")); !errors.Is(err, provider.ErrLeaseHeld) {
		t.Errorf("nobody watched the row: %v, want ErrLeaseHeld", err)
	}
	moved := row.Lease
	moved.Version--
	stood.Stood = &moved
	if _, err := e.TryAcquire(f.ctx, stood); !errors.Is(err, provider.ErrLeaseHeld) {
		t.Errorf("another row was watched: %v, want ErrLeaseHeld", err)
	}
	stood.Stood = &row.Lease
	if _, err := e.TryAcquire(f.ctx, stood); err != nil {
		t.Errorf("the row stood still: %v, want it taken", err)
	}
}

func TestLeaseValidation(t *testing.T) {
	f := newFixture(t, Options{})
	for name, spoil := range map[string]func(*provider.LeaseRequest){
		"resource": func(r *provider.LeaseRequest) { r.Resource = "Upper" },
		"holder":   func(r *provider.LeaseRequest) { r.Holder = "" },
		"no token": func(r *provider.LeaseRequest) { r.Token = "" },
		"token":    func(r *provider.LeaseRequest) { r.Token = string(make([]byte, 65)) },
		"TTL":      func(r *provider.LeaseRequest) { r.TTL = time.Microsecond },
	} {
		req := lease("one")
		spoil(&req)
		if _, err := f.Election().TryAcquire(f.ctx, req); !errors.Is(err, provider.ErrInvalidDefinition) {
			t.Errorf("%s: %v, want a validation error", name, err)
		}
	}
}
