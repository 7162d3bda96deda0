package provider

import (
	"context"
	"time"
)

// Store is what a provider implements. All methods are safe for concurrent use
// by many goroutines and many processes. Besides the errors that each method
// names, every method may return [ErrStoreUnavailable] with its cause, and the
// context's error unwrapped when ctx ended before anything was written.
type Store interface {
	Definitions
	Pauser
	Enqueuer
	Dispatcher
	Nodes
	History

	// Info describes the store. It does no I/O and never changes.
	Info() Info
	// Now reads the store's clock.
	Now(ctx context.Context) (time.Time, error)
	// Election is the leader election that lives in the same place. Never nil.
	Election() Election
}

// Info describes a store.
type Info struct {
	// Name is the database's name, for logs: "postgres", "sqlite", "memory".
	Name string
	// Shared says that other processes see the same state (R017, R259). An
	// unshared store has no heartbeats and no recovery.
	Shared bool
	// Claims says that the store also implements [Claimer] and wants it used.
	Claims bool
	// ClaimsAtOnce is how many claims of one node under way at once start more
	// than one after the other would, as they pass over each other's rows; 0
	// means 1. The engine makes so many only while each of them comes back
	// full.
	ClaimsAtOnce int
}

// MaxBatch is the largest number of items that one statement carries. Longer
// requests are legal; a provider splits them inside the same transaction.
const MaxBatch = 500

// Definitions keeps jobs and their triggers. These are management calls: they
// may wait for other transactions up to 5 s, then answer ErrStoreUnavailable
// with [ReasonContention].
type Definitions interface {
	// SaveJobs inserts jobs or replaces them whole, each with its triggers,
	// in one transaction (R103, R228). A later item overrides an earlier one
	// of the same name (R107).
	//
	// Replacing keeps the job's ActiveRunID, Fence and Paused flag. A trigger
	// whose name and schedule text are unchanged keeps its state, claim,
	// flag, next, previous instant, count and zone hash; any other starts as
	// the record says; triggers that the item does not name are deleted, one-
	// shots excepted (D10, D12). With KeepProgress a same-named trigger whose
	// text changed keeps its previous instant, count and Paused flag too (D12,
	// R247, P01). Triggers
	// are born Paused in a paused job (D08).
	//
	// A job that becomes exclusive, or is created, while runs of its name are
	// Running is born occupied by the newest of them; one that becomes
	// concurrent hands back its Blocked triggers (D12, D35).
	//
	// An item whose Condition does not hold writes nothing and answers Saved
	// false. Repeating a save is safe. An item that fails [CheckSave] fails the
	// call, and nothing is written.
	SaveJobs(ctx context.Context, items []SaveItem) ([]SaveAnswer, error)

	// DeleteJobs deletes jobs with all their triggers. Running runs go on,
	// history stays (R229). Per name: nil or ErrJobNotFound.
	DeleteJobs(ctx context.Context, names []string) ([]error, error)

	// Jobs reads jobs by name. Names that do not exist are left out; the
	// order is bytewise by name. No names give an empty slice.
	Jobs(ctx context.Context, names []string) ([]JobRecord, error)

	// ListJobs reads at most limit jobs whose name is greater than after, by
	// name (R108). "" starts at the beginning; limit ≤ 0 means 1,000.
	ListJobs(ctx context.Context, after string, limit int) ([]JobRecord, error)

	// Triggers reads triggers by key, ordered by key. Missing ones are left
	// out.
	Triggers(ctx context.Context, keys []TriggerKey) ([]TriggerRecord, error)

	// ListTriggers reads a page of triggers, ordered by key (R108).
	ListTriggers(ctx context.Context, query TriggerQuery) ([]TriggerRecord, error)

	// AddTriggers adds triggers to existing jobs without replacing them
	// (D38); born Paused in a paused job. Per trigger: nil, ErrJobNotFound, or
	// ErrInvalidDefinition where the name is taken or [CheckNewTrigger] fails.
	AddTriggers(ctx context.Context, triggers []TriggerRecord) ([]error, error)

	// RemoveTriggers deletes triggers, one-shots included, that are not
	// begun (D38). Per key: nil or ErrTriggerNotFound. An Acquired trigger is
	// deleted too: its claim then finds it gone.
	RemoveTriggers(ctx context.Context, keys []TriggerKey) ([]error, error)

	// Reschedule moves triggers that are Waiting, Paused, Complete or Error
	// to another next instant (D14, D43), each only if its version is still
	// the one given. Per item: true if it was written.
	Reschedule(ctx context.Context, items []RescheduleItem) ([]bool, error)
}

// Condition of a [SaveItem].
type Condition uint8

// The conditions.
const (
	// Always replaces whatever is there.
	Always Condition = iota
	// IfAbsent saves only where no job of this name exists.
	IfAbsent
	// IfVersion saves only where the job's Version is still SaveItem.Version.
	IfVersion
)

// SaveItem is one job to save.
type SaveItem struct {
	// Job holds the definition. ActiveRunID, Fence, Paused and Version are
	// ignored.
	Job JobRecord
	// Triggers holds the definition's triggers as they are when they start
	// anew; all of the job, names unique, no one-shots. Claim fields, Paused
	// and Version are ignored.
	Triggers     []TriggerRecord
	Condition    Condition
	Version      int64
	KeepProgress bool
}

// SaveAnswer is the answer for one [SaveItem].
type SaveAnswer struct {
	// Saved is false where the item's condition did not hold.
	Saved bool
	// Replaced says that a job of this name existed.
	Replaced bool
	// Before is the job as it was read; zero if it did not exist.
	Before JobRecord
}

// TriggerQuery selects triggers. The zero value selects all.
type TriggerQuery struct {
	// Jobs restricts to these jobs; empty = all.
	Jobs []string
	// States restricts to these states; empty = all.
	States []TriggerState
	// LocalOnly restricts to local triggers.
	LocalOnly bool
	// ScheduledOnly restricts to triggers whose RunAs is KindSchedule, which
	// leaves one-shots out.
	ScheduledOnly bool
	// After continues behind this key; zero = from the beginning.
	After TriggerKey
	// Limit ≤ 0 means 1,000.
	Limit int
}

// RescheduleItem moves one trigger.
type RescheduleItem struct {
	Key     TriggerKey
	Version int64
	Next    Next
}

// Pauser pauses and resumes (D08, R230, R231). These are management calls.
type Pauser interface {
	// PauseJobs sets the job's flag and that of all its triggers. A trigger
	// that is neither Acquired nor Blocked is stored as Paused; Complete and
	// Error ones keep their state. Per name: nil or ErrJobNotFound.
	PauseJobs(ctx context.Context, names []string) ([]error, error)
	// ResumeJobs clears the job's flag and those of all its triggers, those
	// set singly included.
	ResumeJobs(ctx context.Context, names []string) ([]error, error)
	// PauseTriggers sets single triggers' flags. Per key: nil or
	// ErrTriggerNotFound.
	PauseTriggers(ctx context.Context, keys []TriggerKey) ([]error, error)
	// ResumeTriggers clears single triggers' flags; the job's flag stays.
	ResumeTriggers(ctx context.Context, keys []TriggerKey) ([]error, error)
}

// Enqueuer inserts one-shot triggers (R234, D10, D38). A store's own Enqueuer
// commits before it returns; one bound to an application's transaction (D34)
// writes into that transaction, retries nothing, and its rows appear when the
// application commits, or never.
type Enqueuer interface {
	// Enqueue inserts one-shots, due at NextFireAt or, where that is zero, at
	// the store's now; ScheduledAt follows it. The job's existence is read
	// without a lock; Exclusive is copied from it. The Paused flag of the job
	// is not inherited (D11). A name that is taken by a one-shot that has not
	// begun inserts nothing and answers Existed. One that fails [CheckOneShot]
	// is refused alone.
	Enqueue(ctx context.Context, triggers []TriggerRecord) ([]EnqueueAnswer, error)
}

// EnqueueAnswer is the answer for one one-shot.
type EnqueueAnswer struct {
	Key TriggerKey
	// DueAt is the instant at which it became or becomes due.
	DueAt time.Time
	// Existed says that the same one-shot was there already (D38).
	Existed bool
	// Err is ErrJobNotFound, ErrInvalidDefinition ([CheckOneShot]), or nil.
	Err error
}
