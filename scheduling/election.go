package scheduling

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// LeaderLease is a lease on a resource of the application's own, kept by the
// same election as the scheduler's (R075). Work that takes longer than the TTL
// renews it in time and stops when that fails. All methods are safe for
// concurrent use.
type LeaderLease struct {
	election provider.Election
	clock    Clock
	holder   string
	resource string
	token    string
	ttl      time.Duration
	fence    int64

	mu    sync.Mutex
	since time.Time // from when it is trusted
	over  bool      // lost or released
}

// AcquireLease takes the lease of a resource for ttl, if it is free or expired;
// otherwise the error matches [ErrLeaseHeld], also where this node holds it
// itself (R060, R061). resource follows the grammar of names and is not the
// scheduler's own. ttl is cut to whole milliseconds and at least 2s: it is
// trusted for max(1s, ttl/10) less. It works whether or not the scheduler runs;
// nothing renews or releases it but the caller.
func (s *Scheduler) AcquireLease(ctx context.Context, resource string, ttl time.Duration) (*LeaderLease, error) {
	if err := provider.CheckName("resource", resource); err != nil {
		return nil, err
	}
	if resource == s.opts.LeaseResource {
		return nil, provider.Invalidf("resource %s: is the scheduler's own lease: choose another name", provider.Quote(resource))
	}
	ttl = ttl.Truncate(time.Millisecond)
	if ttl < 2*time.Second {
		return nil, provider.Invalidf("ttl %v: must be at least 2s", ttl)
	}
	l := &LeaderLease{
		election: s.election, clock: s.clock, holder: s.opts.NodeID, resource: resource, token: uuid.NewString(), ttl: ttl,
	}
	asked := s.clock.Now()
	answer, err := s.election.TryAcquire(ctx, provider.LeaseRequest{
		Resource: resource, Holder: l.holder, Token: l.token, TTL: ttl, Margin: leaseMargin(ttl),
	})
	if errors.Is(err, provider.ErrOutcomeUnknown) {
		// If the row carries our token, it was granted after all (D24).
		asked = s.clock.Now()
		if again, failed := s.election.Renew(ctx, resource, l.token); failed == nil {
			answer, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	l.since, l.fence = asked, answer.Lease.Fence
	return l, nil
}

// Holder returns the node id under which the lease is held.
func (l *LeaderLease) Holder() string { return l.holder }

// Resource returns the lease's name.
func (l *LeaderLease) Resource() string { return l.resource }

// Fence returns a number that grows with every takeover of the resource, so
// that what the holder writes to can refuse an older one (D25).
func (l *LeaderLease) Fence() int64 { return l.fence }

// ExpiresAt returns until when, by the node's clock, the lease may be trusted
// unless it is renewed; the zero time once it is lost or released (R071).
func (l *LeaderLease) ExpiresAt() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return time.Time{}
	}
	return l.since.Add(l.ttl - leaseMargin(l.ttl))
}

// IsHeld reports whether the lease may be trusted now, by the node's clock
// alone (R070).
func (l *LeaderLease) IsHeld() bool {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.over && elapsed(l.since, now) < l.ttl-leaseMargin(l.ttl)
}

// Renew pushes the expiry one TTL forward (R063). An error that matches
// [ErrLeaseHeld] says that the lease is lost for good (R064, R065); after any
// other what is held does not change (R069).
func (l *LeaderLease) Renew(ctx context.Context) error {
	l.mu.Lock()
	over := l.over
	l.mu.Unlock()
	if over {
		return &provider.Error{Code: provider.CodeLeaseHeld, Key: l.resource, Reason: "this lease was lost or released: acquire a new one"}
	}
	asked := l.clock.Now()
	_, err := l.election.Renew(ctx, l.resource, l.token)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil && !l.over:
		l.since = asked
	case errors.Is(err, provider.ErrLeaseHeld):
		l.over = true
	}
	return err
}

// Release gives the lease up at once; repeating it does no harm (R067). After
// an error the row expires by itself.
func (l *LeaderLease) Release(ctx context.Context) error {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	return l.election.Release(ctx, l.resource, l.token)
}
