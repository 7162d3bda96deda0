package schedulingtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Start is the instant at which every case begins.
var Start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// Harness is what a provider author hands to the suites.
type Harness struct {
	// Name stands in messages and in the report.
	Name string
	// New returns a fresh, empty store and what can be done to it. Its clock is
	// set before anything is asked. New registers its own clean-up with t, and
	// is safe for concurrent use.
	New func(t testing.TB) Subject
	// Light asks for small batches and for one way to fail per statement instead
	// of all, for builds in which the database runs many times slower, such as
	// under the race detector. What needs large batches is left out.
	Light bool
	// Only restricts a run to the cases for which it returns true; nil runs all.
	// Cases that it excludes are not counted.
	Only func(Case) bool
	// RuleTable prints, after the counts, each rule with its cases.
	RuleTable bool
}

// Subject is one store under test. Only Store and SetNow are required; what is
// nil is a capability that the cases needing it are left out for.
type Subject struct {
	// Store is the handle that the cases use, and the one that SetTap taps.
	Store provider.Store
	// SetNow sets the clock of the store, of all handles on its state.
	SetNow func(time.Time)
	// Reset empties the store's state. Nil: the suite asks Harness.New again.
	Reset func(t testing.TB)
	// Mark remembers the store's state and returns a function that goes back to
	// it, any number of times. Nil: the suite sets the state up anew.
	Mark func(t testing.TB) (back func())
	// Open opens another handle on the same state, as another process has it.
	Open func(t testing.TB) provider.Store
	// InBubble opens, inside a bubble of package testing/synctest, a handle on
	// the same state whose clock is time.Now; it is closed at the test's end. A
	// bubble's cases use no other handle. Nil: the scheduler suite is left out.
	InBubble func(t testing.TB) provider.Store
	// OneWriter says that while one transaction writes, all others wait.
	OneWriter bool
	// SetTap puts a tap between Store and its database; nil takes it away.
	SetTap func(Tap)
	// Statements says that the tap sees every statement, so that they can be
	// counted; false where it only sees the commit.
	Statements bool
	// CanFail says which verdicts the tap can carry out; nil means all.
	CanFail func(Event, Verdict) bool
	// HoldJob makes the row of a job held by another transaction, until release
	// is called.
	HoldJob func(t testing.TB, job string) (release func())
	// Hold locks any row from a transaction of its own, until release is called.
	Hold func(t testing.TB, row Row) (release func())
	// Poke writes one column of one row behind the store's back. Columns have
	// the names of the schema's first version.
	Poke func(t testing.TB, row Row, column string, value any)
	// InTx begins a transaction of the application's (D34).
	InTx func(t testing.TB) AppTx
	// Check makes the provider's own checks of its state after a case.
	Check func(t testing.TB)
}

// AppTx is an application's transaction with an Enqueuer bound to it.
type AppTx interface {
	provider.Enqueuer
	Commit() error
	Rollback() error
}

// Row names one row.
type Row struct {
	Table Table
	// Key is the primary key: a name, "job/trigger", an id.
	Key string
}

// Table is one of the five tables.
type Table string

// The tables.
const (
	TableJob     Table = "job"
	TableTrigger Table = "trigger"
	TableRun     Table = "run"
	TableNode    Table = "node"
	TableLease   Table = "lease"
)

// Tap is asked before everything that a store sends to its database. It is
// called by the goroutine that sends.
type Tap func(context.Context, Event) Verdict

// Event is one thing that a store is about to send.
type Event struct {
	Kind EventKind
	// Text is the statement, where Kind is Statement.
	Text string
	// InTx says that a transaction is open; false for a statement of its own.
	InTx bool
}

// EventKind is what is about to be sent.
type EventKind uint8

// The kinds of event. A rollback is none: it cannot be disturbed.
const (
	Begin EventKind = iota + 1
	Statement
	Commit
)

// String returns the kind's name.
func (k EventKind) String() string {
	return map[EventKind]string{Begin: "begin", Statement: "statement", Commit: "commit"}[k]
}

// Verdict is what becomes of an event.
type Verdict uint8

// The verdicts.
const (
	// Pass sends it.
	Pass Verdict = iota
	// FailBefore does not send it and answers an error that no repeat cures.
	// Before a commit it is a connection that broke before the commit arrived.
	FailBefore
	// FailAfter sends it and answers an error all the same. After a commit it
	// is a connection that broke before the answer arrived.
	FailAfter
	// Cut breaks the connection instead of sending: an open transaction is
	// gone, and so is everything sent on it later.
	Cut
	// Conflict does not send it and answers the database's own error for a
	// deadlock or a lost race, which asks for a repeat of the transaction.
	Conflict
)

// String returns the verdict's name.
func (v Verdict) String() string {
	return [...]string{"pass", "fail before", "fail after", "cut", "conflict"}[v]
}

// Clock is a settable clock for harnesses. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at [Start].
func NewClock() *Clock { return &Clock{now: Start} }

// Now returns the instant that was set last.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the clock, forward or back.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}
