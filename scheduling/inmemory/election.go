package inmemory

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// election keeps the store's leases (R073). What is random per acquisition is
// the token, which the caller draws (D24).
type election struct{ store *Store }

// longestToken is the length of the longest token.
const longestToken = 64

// TryAcquire implements [provider.Election]. With ErrLeaseHeld comes the row
// that holds it.
func (e election) TryAcquire(ctx context.Context, req provider.LeaseRequest) (provider.LeaseAnswer, error) {
	if err := checkLease(req); err != nil {
		return provider.LeaseAnswer{}, err
	}
	return transact(ctx, e.store, "Election.TryAcquire", func(t *tx) (provider.LeaseAnswer, error) {
		row, found := t.leases[req.Resource]
		if found && row.ExpiresAt.After(t.now) && !stepped(row, t.now, req) {
			return provider.LeaseAnswer{Now: t.now, Found: true, Lease: row}, heldBy(row)
		}
		fences := t.store.marks.leaseFences
		fences[req.Resource] = max(fences[req.Resource]+1, t.now.UnixMicro())
		ttl := cutDuration(req.TTL)
		row = t.putLease(provider.LeaseRecord{
			Resource: req.Resource, Holder: req.Holder, Token: req.Token,
			TTL: ttl, ExpiresAt: t.now.Add(ttl), Fence: fences[req.Resource],
		})
		return provider.LeaseAnswer{Now: t.now, Found: true, Lease: row}, nil
	})
}

// stepped reports whether the store's clock has stepped back under a row that
// the caller has watched stand still: its expiry is further away than any
// renewal could have put it (D26).
func stepped(row provider.LeaseRecord, now time.Time, req provider.LeaseRequest) bool {
	return req.Stood != nil && row.Token == req.Stood.Token && row.Version == req.Stood.Version &&
		row.ExpiresAt.Sub(now) > row.TTL+req.Margin
}

// Renew implements [provider.Election].
func (e election) Renew(ctx context.Context, resource, token string) (provider.LeaseAnswer, error) {
	return transact(ctx, e.store, "Election.Renew", func(t *tx) (provider.LeaseAnswer, error) {
		row, found := t.leases[resource]
		answer := provider.LeaseAnswer{Now: t.now, Found: found, Lease: row}
		if !found || row.Token != token || !row.ExpiresAt.After(t.now) {
			return answer, heldBy(row)
		}
		row.ExpiresAt = t.now.Add(row.TTL)
		answer.Lease = t.putLease(row)
		return answer, nil
	})
}

// Release implements [provider.Election].
func (e election) Release(ctx context.Context, resource, token string) error {
	_, err := transact(ctx, e.store, "Election.Release", func(t *tx) (struct{}, error) {
		if row, found := t.leases[resource]; found && row.Token == token {
			t.deleteLease(resource)
		}
		return struct{}{}, nil
	})
	return err
}

// Inspect implements [provider.Election].
func (e election) Inspect(ctx context.Context, resource string) (provider.LeaseAnswer, error) {
	return transact(ctx, e.store, "Election.Inspect", func(t *tx) (provider.LeaseAnswer, error) {
		row, found := t.leases[resource]
		return provider.LeaseAnswer{Now: t.now, Found: found, Lease: row}, nil
	})
}

// heldBy is the answer of a lease that is another's, or lost.
func heldBy(row provider.LeaseRecord) error {
	reason := "the lease is free or was lost: acquire it anew"
	if row.Resource != "" {
		reason = "held by " + row.Holder + " until " + row.ExpiresAt.Format(time.RFC3339Nano)
	}
	return &provider.Error{Code: provider.CodeLeaseHeld, Key: row.Resource, Reason: reason}
}

func checkLease(req provider.LeaseRequest) error {
	if err := provider.CheckName("Resource", req.Resource); err != nil {
		return err
	}
	if err := provider.CheckPrintable("Holder", req.Holder); err != nil {
		return err
	}
	if err := provider.CheckPrintable("Token", req.Token); err != nil {
		return err
	}
	if len(req.Token) > longestToken {
		return provider.Invalidf("Token is %d bytes long: use at most %d", len(req.Token), longestToken)
	}
	if req.TTL < time.Millisecond {
		return provider.Invalidf("TTL is %v: use at least 1ms", req.TTL)
	}
	return nil
}
