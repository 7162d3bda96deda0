package provider

import "time"

// Records are plain values: comparable, without pointers into the store, and
// safe to keep. Instants are UTC, cut to microseconds; zero means none. Data,
// Result are JSON text that survives a round trip byte for byte; "" means
// absent, which is not the same as "{}".

// JobRecord is one row of the job table.
type JobRecord struct {
	// Name is the primary key (R083, R152).
	Name string
	// Handler is the key under which nodes register the handler (G1).
	Handler     string
	Description string
	Data        string
	// AllowConcurrent false makes the job exclusive: at most one run at any
	// moment in the whole cluster (R148).
	AllowConcurrent bool
	// EveryInstance makes every node run the job on its own clock, without
	// claims (R149). Its triggers are Local.
	EveryInstance bool
	// RequestsRecovery re-enqueues a Lost run once (R150).
	RequestsRecovery bool
	// Retry is the retry policy; the zero value means no retries.
	Retry RetryPolicy
	// Timeout is the time limit of a run, in whole milliseconds; 0 = none.
	Timeout time.Duration

	// ActiveRunID names the run that occupies an exclusive job (R034). It
	// occupies only while that run's record is Running (R036).
	ActiveRunID string
	// Paused says how triggers are born (D08).
	Paused bool
	// Fence is the fencing number of the latest exclusive run (D25).
	Fence int64
	// Source, Fingerprint and CodeVersion belong to code jobs (R243–R246, D40).
	Source      Source
	Fingerprint string
	CodeVersion int64
	// Version grows with every change of the row (D22).
	Version int64
}

// RetryPolicy is the stored form of a job's retry policy (R084, R211–R214).
type RetryPolicy struct {
	// MaxRetries is the number of runs after the first; 0 = no policy.
	MaxRetries int
	// Delay is the wait before the first retry, in whole milliseconds.
	Delay time.Duration
	// MaxDelay caps exponential waits; 0 = no cap of its own.
	MaxDelay time.Duration
	Backoff  Backoff
}

// TriggerRecord is one row of the trigger table.
type TriggerRecord struct {
	TriggerKey
	// Schedule is the schedule's text (R086). Empty for one-shots.
	Schedule    string
	Description string
	Data        string
	// Priority orders triggers that are due at the same instant, larger
	// first (R029, R154).
	Priority int
	Misfire  MisfirePolicy
	State    TriggerState
	// Paused is the flag of D08; State is TriggerPaused only where the
	// trigger is neither claimed nor blocked.
	Paused bool
	// Local triggers are never claimed (R028).
	Local bool
	// Exclusive is a copy of the job's !AllowConcurrent, as a hint; the job
	// row decides (D35).
	Exclusive bool

	// ScheduledAt is the occurrence, NextFireAt the instant from which it may
	// be claimed; they differ only while a backlog is made up (D13). Both are
	// zero when there is no next, and while an interval trigger is in flight.
	ScheduledAt time.Time
	NextFireAt  time.Time
	PrevFireAt  time.Time
	// FireCount counts the runs begun, Lost ones included (D12).
	FireCount int64

	// The claim (D07): set while Acquired, zero otherwise.
	ClaimID     int64
	ClaimedBy   string
	Incarnation int64
	ClaimedAt   time.Time

	// RunAs is the kind of run that the trigger produces (D37).
	RunAs RunKind
	// Attempt counts from 1; 0 is read as 1 (R088). RetryOf is the first
	// run's id of a retry.
	Attempt int
	RetryOf string
	// ExpiresAt drops a one-shot that has not begun by then (D38); zero =
	// never.
	ExpiresAt time.Time

	ErrorCode string
	ErrorText string
	// ZoneHash is the hash of the zone's offset changes (D43).
	ZoneHash string
	Version  int64
}

// RunRecord is one row of the run table.
type RunRecord struct {
	// ID is a UUIDv7 in its 36-character form, drawn by the engine.
	ID  string
	Job string
	// TriggerName is empty only for a synchronous trigger call (D37).
	TriggerName string
	Kind        RunKind
	State       RunState
	// Node and Incarnation name the process that runs it (D06).
	Node        string
	Incarnation int64

	ScheduledAt time.Time
	StartedAt   time.Time
	CompletedAt time.Time // zero while Running

	// Attempt counts from 1; RetryOf is the first run's id of a retry.
	Attempt int
	RetryOf string
	// CancelRequestedAt is zero until a cancel request arrives (R236).
	CancelRequestedAt time.Time
	// Fence is the fencing number of an exclusive run, 0 for others (D25).
	Fence int64
	// Sequence orders runs of equal instants (R090, D21).
	Sequence int64
	// Data is the merged data that the handler saw (R137).
	Data string
	// Result is what the handler stored, small JSON (D39); "" = nothing.
	Result    string
	ErrorCode string
	ErrorText string
	Version   int64
}

// NodeRef names one process: a node id and its incarnation (D06).
type NodeRef struct {
	ID          string
	Incarnation int64
}

// NodeRecord is one row of the node table.
type NodeRecord struct {
	NodeRef
	// HeartbeatAt is the last heartbeat by the store's clock.
	HeartbeatAt time.Time
	StartedAt   time.Time
	// Timeout and HeartbeatInterval are the process's own settings, by which
	// others judge it (D26). Whole milliseconds.
	Timeout           time.Duration
	HeartbeatInterval time.Duration
	Process           ProcessIdentity
	Version           int64
}

// ProcessIdentity tells whether a process of the same node id still exists on
// this machine (D06). Empty fields mean unknown, and then nothing is concluded.
type ProcessIdentity struct {
	Host string
	// Boot is the machine's boot id, Namespace its process namespace.
	Boot      string
	Namespace string
	PID       int64
}

// LeaseRecord is the lease row (R056, D25, D26).
type LeaseRecord struct {
	Resource string
	Holder   string
	// Token names this acquisition (R062).
	Token string
	TTL   time.Duration // whole milliseconds
	// ExpiresAt is by the store's clock.
	ExpiresAt time.Time
	// Fence grows with every takeover.
	Fence   int64
	Version int64
}
