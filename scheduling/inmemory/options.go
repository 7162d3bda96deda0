package inmemory

import "time"

// DefaultMaxRuns is the number of run records kept where [Options.MaxRuns] is
// not set (D37).
const DefaultMaxRuns = 10_000

// Options configures a [Store]. The zero value is ready to use.
type Options struct {
	// Now is the store's clock, and thereby the cluster's (D26). nil is the
	// machine's clock. It is read once per transaction, under the mutex; it
	// may step in either direction.
	Now func() time.Time

	// MaxRuns is the most run records that are kept. A new record evicts the
	// oldest finished one; where all are Running it is refused with
	// ErrStoreFull (R302). 0 or less means DefaultMaxRuns.
	MaxRuns int

	// Shared says that several schedulers share the store: it then reports
	// itself as shared, and Sweep recovers what dead nodes left. Where it is
	// false nothing is ever recovered (R209), because nobody heartbeats.
	Shared bool

	// LongWay makes Info report that Claim is not wanted, so that the engine
	// goes acquire, begin, complete. Claim works all the same.
	LongWay bool

	// Fault, where not nil, is called around every transaction with the name
	// of the method ("Claim", "Complete", "Election.Renew", …) and outside
	// the mutex, so it may block and may call the store. An error that it
	// returns makes the method fail; see [Phase]. Empty batches have no
	// transaction and do not reach it; a purge has one per 500 records.
	Fault func(op string, phase Phase) error

	// Held, where not nil, says that the row of a job is held by another
	// transaction, as happens on databases. It is called under the mutex and
	// must not call the store. op is as for Fault: "Claim", "Begin", "Start",
	// "Complete" or "Sweep"; no other method asks.
	Held func(op, job string) bool

	// Committed, where not nil, is told of every transaction that has changed
	// a row, with the name of the method as for Fault: an audit of all
	// changes, in their order. It is called under the mutex when the change
	// can no longer be undone, and must not call the store.
	Committed func(op string, changes Changes)
}

// Phase is when a fault strikes.
type Phase uint8

// The phases.
const (
	// Before strikes before the transaction begins: nothing has changed, and
	// the method fails with the error, as an ErrStoreUnavailable (elections:
	// ErrElectionUnavailable) unless it is one of the contract's errors.
	Before Phase = iota
	// AfterCommit strikes when the transaction has been committed: its answer
	// is lost. The error then matches ErrOutcomeUnknown too, unless the
	// transaction wrote nothing. Transactions that fail by themselves do not
	// reach this phase.
	AfterCommit
)

// String returns the phase's name.
func (p Phase) String() string {
	if p == Before {
		return "Before"
	}
	return "AfterCommit"
}
