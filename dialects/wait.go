package dialects

import "time"

// The interfaces below are for databases that need them; see their methods.

// WaitLimiter is a dialect that bounds waiting statement by statement, because
// a setting for the transaction would stay with the session.
type WaitLimiter interface {
	// LimitWait gives a statement with a bound on how long it waits for rows
	// that another transaction holds. bounded is false where the server cannot
	// do that: the caller then ends the statement itself, and with it the
	// connection, on which the server goes on waiting until its own limit.
	LimitWait(statement string, most time.Duration) (limited string, bounded bool)
}

// KeyLocker is a dialect on which a locking read by a single key keeps the lock
// of a row that the rest of its condition refuses.
type KeyLocker interface {
	// LockIn is In for the primary key of a locking read that has a further
	// condition.
	LockIn(expr string, t Type, values []any) (Statement, error)
}

// IndexForcer is a dialect whose optimizer must be told by which index a table
// is read: with few rows, or with statistics that mislead it, it would scan
// instead, and a locking read would lock all that it passes.
type IndexForcer interface {
	// ForceIndex gives the hint, which follows the table's alias, for an index
	// by its unquoted name.
	ForceIndex(name string) string
	// NoSuchIndex reports whether an error says that there is no index of the
	// name that a hint gives.
	NoSuchIndex(err error) bool
}
