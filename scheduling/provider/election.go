package provider

import (
	"context"
	"time"
)

// Election keeps leases: one row per resource, scoped to a random token (R056–
// R069). It judges expiry by the store's clock only; when the holder may still
// trust its lease is the caller's business (R070, D26). All errors but
// ErrLeaseHeld and validation are ErrElectionUnavailable; then nothing is known
// to have changed. Safe for concurrent use.
type Election interface {
	// TryAcquire takes the lease if it is free or expired, else ErrLeaseHeld,
	// also for the holder itself (R061). The fence grows with every takeover.
	// An acquisition whose outcome is unknown is looked up by its token and
	// adopted (D24); the loser of an insert race gets ErrLeaseHeld.
	TryAcquire(ctx context.Context, req LeaseRequest) (LeaseAnswer, error)

	// Renew pushes the expiry one TTL forward if the row still carries this
	// token and has not expired; otherwise the lease is lost: ErrLeaseHeld
	// (R063–R065).
	Renew(ctx context.Context, resource, token string) (LeaseAnswer, error)

	// Release deletes the row if it carries this token. Idempotent: a row
	// that is gone, or another's, is left alone and is no error (R066, R067).
	Release(ctx context.Context, resource, token string) error

	// Inspect reads the row; Found false where there is none.
	Inspect(ctx context.Context, resource string) (LeaseAnswer, error)
}

// LeaseRequest asks for a lease.
type LeaseRequest struct {
	Resource string
	// Holder is the node id (R062, R076).
	Holder string
	// Token is a random string of this acquisition, 1–64 printable ASCII.
	Token string
	TTL   time.Duration
	// Stood, where not nil, is a row that the caller has watched stand still
	// for the row's whole TTL of its own time. If the row is still that one
	// (token and version) and its expiry is more than TTL plus Margin away,
	// it counts as expired: the store's clock has stepped (D26).
	Stood  *LeaseRecord
	Margin time.Duration
}

// LeaseAnswer is a lease row with the clock that judged it.
type LeaseAnswer struct {
	Now   time.Time
	Found bool
	Lease LeaseRecord
}
