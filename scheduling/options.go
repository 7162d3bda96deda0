package scheduling

import (
	"log/slog"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The durations whose zero value means the default are set to zero, or to no
// limit, with these.
const (
	// Zero stands for a duration of zero: MisfireThreshold (everything late
	// is a misfire, D19), ShutdownTimeout and CancelGrace.
	Zero time.Duration = -1
	// Forever keeps the history without limit: HistoryRetention (R286).
	Forever time.Duration = -1
)

// OnIsolation says what becomes of a node's runs when it can no longer reach
// the store (D25).
type OnIsolation uint8

// The answers to isolation.
const (
	// CancelRuns ends the runs' contexts with [ErrIsolated] before another
	// node may recover them. The default.
	CancelRuns OnIsolation = iota
	// KeepRunning lets them go on: for handlers that are idempotent and long.
	// A run may then be running twice once it has been recovered elsewhere.
	KeepRunning
)

// Options configure a [Scheduler]. The zero value is ready for use. Durations
// are cut to whole milliseconds.
type Options struct {
	// NodeID names this process: 1–128 printable ASCII characters, unlike that
	// of every other process on the store. Default
	// "<machine>:<process id>:<8 random characters>" (R277, R278).
	NodeID string
	// PollInterval is the longest time between two looks for work. Default 1s.
	PollInterval time.Duration
	// MaxConcurrentRuns is the number of claimed runs at once on this node.
	// Default 32. Runs of [Scheduler.Trigger] and local jobs count, but wait
	// for no slot (D37).
	// A run whose begin was committed and whose answer was lost is started when
	// that is found out, beside them (D07).
	MaxConcurrentRuns int
	// AcquireBatchSize is the most triggers of one claim. Default 16.
	AcquireBatchSize int
	// MisfireThreshold is how late an occurrence may be before its misfire
	// policy applies. Default 60s; [Zero] for none (D19).
	MisfireThreshold time.Duration
	// LeaseResource names the leader's lease; a job name by its grammar.
	// Default "scheduling.jobs".
	LeaseResource string
	// LeaseTTL is how long the lease lasts without renewal. Default 30s.
	LeaseTTL time.Duration
	// RenewInterval is the time between renewals, and between attempts to get
	// the lease. Default LeaseTTL/3; LeaseTTL less max(1s, LeaseTTL/10) must
	// be at least twice as long (D36).
	RenewInterval time.Duration
	// NodeTimeout is how old this node's heartbeat must be before others may
	// declare it dead. Default 90s; at least four heartbeats (D36).
	NodeTimeout time.Duration
	// HeartbeatInterval is the time between heartbeats. Default NodeTimeout/9.
	HeartbeatInterval time.Duration
	// HousekeepingInterval is the leader's period of purging and, at the
	// latest, of recovery. Default 60s.
	HousekeepingInterval time.Duration
	// HistoryRetention is how long ended runs are kept. Default 7 days;
	// [Forever] keeps them all.
	HistoryRetention time.Duration
	// ShutdownTimeout is how long a stop waits for runs before it cancels
	// them. Default 20s; [Zero] cancels at once (D29).
	ShutdownTimeout time.Duration
	// CancelGrace is how long canceled runs may take to return. Default 5s.
	CancelGrace time.Duration
	// OnIsolation says what an isolated node does with its runs.
	OnIsolation OnIsolation
	// CodeVersion orders versions of the program: a node of a lower one never
	// overwrites the code jobs of a higher one (D40).
	CodeVersion int64
	// PruneCodeJobs deletes at the start the stored code jobs that this
	// program no longer declares (D40).
	PruneCodeJobs bool
	// StartPaused claims nothing, runs no local job and competes for no lease
	// until [Scheduler.Unpause] (D41).
	StartPaused bool
	// Election keeps the leader's lease; nil = the store's own.
	Election provider.Election
	// Publisher receives events; nil = none (R270).
	Publisher EventPublisher
	// Logger receives the engine's log; nil = [slog.Default].
	Logger *slog.Logger
	// Clock is the node's clock; nil = the system's.
	Clock Clock
}
