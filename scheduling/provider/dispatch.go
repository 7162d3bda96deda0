package provider

import (
	"context"
	"time"
)

// Dispatcher takes due triggers and carries runs from begin to end. Every
// provider has the way acquire → begin → complete (R259). None of these calls
// waits for another transaction's lock.
type Dispatcher interface {
	// Acquire claims due triggers: State Waiting, not local, NextFireAt not
	// after the store's now, in the order NextFireAt ascending, Priority
	// descending, key ascending (R028–R032, D01), at most one per job whose
	// Exclusive hint is set (D35). Each becomes Acquired with the caller's
	// claim (D07). Nothing due is an empty answer and a nil error, and writes
	// nothing. An unknown commit is looked up by the claim id.
	Acquire(ctx context.Context, req AcquireRequest) (AcquireAnswer, error)

	// Begin decides over triggers that this claim holds and carries the
	// decisions out, all in one transaction (R033–R044, D07, D08, D10, D35).
	// An item whose claim is no longer there answers OutcomeGone, one whose
	// Paused flag is set is stored as Paused and answers OutcomePaused; the
	// decision function is not asked for either. An item whose job or trigger
	// row another transaction holds answers OutcomeHeld and keeps its claim.
	// An unknown commit is looked up by the run ids.
	Begin(ctx context.Context, req BeginRequest) (BeginAnswer, error)

	// Start begins runs that no trigger produces: synchronous trigger calls
	// (R232). An exclusive job that is occupied answers OutcomeBlocked, a
	// job that does not exist OutcomeGone. A run that fails [CheckRun] fails the
	// call, and nothing is started.
	Start(ctx context.Context, req StartRequest) (BeginAnswer, error)

	// Record writes records of local runs (R205), whole: inserted where the
	// id is new, otherwise replaced as long as the stored record is Running.
	// They occupy nothing. Sequence is assigned where it is 0. A run that fails
	// [CheckRun] fails the call, and nothing is written.
	Record(ctx context.Context, runs []RunRecord) error

	// Complete ends runs, releases occupancies, hands back Blocked triggers
	// (D35), settles interval triggers and inserts retry and recovery
	// one-shots, all in one transaction (R037–R039, R203). Each run only if
	// it is Running on this node and incarnation; otherwise the item changes
	// nothing and answers OutcomeGone (D05). Items whose rows another
	// transaction holds answer OutcomeHeld and changed nothing. An item that
	// fails [CheckCompletion] fails the call, and nothing is ended.
	Complete(ctx context.Context, req CompleteRequest) (CompleteAnswer, error)

	// Release gives claims back that were not begun: State Waiting, or
	// Paused where the flag is set, with due instant unchanged (R269). Claims
	// that are no longer there, or whose run has begun, are left alone.
	// Answers the number given back.
	Release(ctx context.Context, req ReleaseRequest) (int, error)

	// Inflight reads what the store believes of this node: its Running
	// records with their cancel requests (R256), and its claims that are not
	// begun (D07). Runs are ordered by StartedAt, claims by key.
	Inflight(ctx context.Context, node NodeRef) (InflightAnswer, error)

	// Due reads the store's clock and the earliest NextFireAt of a Waiting,
	// not local trigger (zero if there is none), due or not. It writes
	// nothing.
	Due(ctx context.Context, req DueRequest) (DueAnswer, error)
}

// Claimer is the optional, locking way: acquire and begin fused into one
// transaction (design: two transactions per batch). A store that has it says
// so in [Info].Claims. The fallback is Acquire, then Begin.
type Claimer interface {
	// Claim locks due candidates and the job rows of exclusive jobs among
	// them, without waiting, asks the decision function for each, and carries
	// the decisions out. Order and filter are those of Acquire. Candidates
	// whose job row is held are left as they are and named in Held. For an
	// exclusive job at most one trigger starts, and every other due Waiting
	// trigger of it that can be locked, at most 500, is stored as Blocked
	// (D35). A pass that finds nothing due writes nothing.
	Claim(ctx context.Context, req ClaimRequest) (ClaimAnswer, error)
}

// Candidate is what a decision is based on, as read in the transaction.
type Candidate struct {
	Trigger TriggerRecord
	// Job is zero (empty Name) where the job row is gone: an orphan (D10).
	Job JobRecord
	// Now is the store's clock in this transaction.
	Now time.Time
	// Occupied says that the job is exclusive and its ActiveRunID names a run
	// that is still Running (R033, R036).
	Occupied bool
}

// Action is what a decision does with a candidate.
type Action uint8

// The actions.
const (
	// Leave does nothing. In Begin the claim stays.
	Leave Action = iota
	// Start inserts Decision.Run as Running, occupies an exclusive job, and
	// moves the trigger as Decision.After says.
	Start
	// Block stores the trigger as Blocked, due instant unchanged (R200). It
	// is legal only where the candidate is Occupied.
	Block
	// Advance moves the trigger as Decision.After says, without a run (Skip,
	// calendar, end, expiry, error, orphan).
	Advance
	// Hold, in Claim only, marks the trigger Acquired for the long way.
	Hold
	// Return, in Begin only, gives the claim back.
	Return
)

// Decision is what becomes of one candidate.
type Decision struct {
	Action Action
	// Run holds, for Start, TriggerName, Kind, ScheduledAt, Attempt, RetryOf
	// and Data. The store fills the rest: id, job, node, state, StartedAt
	// (its now), fence, sequence.
	Run RunRecord
	// After says what the trigger becomes, for Start and Advance.
	After Progress
}

// DecideFunc decides over one candidate. It is pure and may be called several
// times for the same trigger.
type DecideFunc func(Candidate) Decision

// Progress is what a trigger becomes when it starts a run or moves on.
type Progress struct {
	// Delete removes the row: one-shots that begin, expire or are orphans
	// (D10). The other fields are then ignored.
	Delete bool
	Next
	PrevFireAt time.Time
	FireCount  int64
	// ErrorCode and ErrorText are for State TriggerError.
	ErrorCode string
	ErrorText string
}

// Next is a trigger's next occurrence.
type Next struct {
	// State is TriggerWaiting, TriggerComplete, TriggerError, or
	// TriggerAcquired: an interval trigger in flight, which keeps its claim.
	// Where the Paused flag is set the store writes TriggerPaused in place of
	// TriggerWaiting.
	State TriggerState
	// ScheduledAt and NextFireAt are zero where State is not Waiting.
	ScheduledAt time.Time
	NextFireAt  time.Time
	ZoneHash    string
}

// Outcome is what happened to one item.
type Outcome uint8

// The outcomes.
const (
	// OutcomeLeft: nothing was done; the trigger is as it was.
	OutcomeLeft Outcome = iota
	// OutcomeStarted: the run is Running; its handler must be started.
	OutcomeStarted
	// OutcomeBlocked: the job is occupied; the trigger, if any, is Blocked.
	OutcomeBlocked
	// OutcomePaused: the trigger's flag is set; it is Paused, the claim gone.
	OutcomePaused
	// OutcomeGone: the claim, trigger, job or Running record is not there.
	OutcomeGone
	// OutcomeAdvanced: the trigger moved on, or was deleted, without a run.
	OutcomeAdvanced
	// OutcomeAcquired: the trigger is Acquired by this claim and not begun.
	OutcomeAcquired
	// OutcomeReturned: the claim was given back.
	OutcomeReturned
	// OutcomeHeld: another transaction holds a row that the item needs; ask
	// again for this item alone, 50 ms later.
	OutcomeHeld
	// OutcomeUnreadable: the row holds a value that this version does not
	// know; a newer node wrote it, and it is left alone (D14).
	OutcomeUnreadable
	// OutcomeConflict: the item lost every race (D09).
	OutcomeConflict
	// OutcomeDone: the run has ended as the item says.
	OutcomeDone
)

// String returns the outcome's name, for logs and tests.
func (o Outcome) String() string {
	return name(int(o), "Outcome", "Left", "Started", "Blocked", "Paused", "Gone", "Advanced",
		"Acquired", "Returned", "Held", "Unreadable", "Conflict", "Done")
}

// AcquireRequest asks for due triggers.
type AcquireRequest struct {
	Node NodeRef
	// ClaimID is a random number of this call, not 0 (D07).
	ClaimID int64
	// Limit is the most triggers to claim, at least 1.
	Limit int
	// ExcludeJobs are passed over by the candidate query (D14). At most 500.
	ExcludeJobs []string
	// OneShotsOnly restricts to one-shots (D42).
	OneShotsOnly bool
}

// AcquireAnswer is the answer to [Dispatcher.Acquire].
type AcquireAnswer struct {
	Now time.Time
	// Claimed are the triggers won, in claim order, as stored after the
	// claim, each with its job as read in the same transaction.
	Claimed []Claimed
	// Unreadable names triggers that this version cannot read (D14).
	Unreadable []TriggerKey
	// More says that candidates were left: asking again may find work.
	More bool
}

// Claimed is one acquired trigger.
type Claimed struct {
	Trigger TriggerRecord
	Job     JobRecord // zero where the job is gone
}

// BeginRequest asks to decide over claimed triggers.
type BeginRequest struct {
	Node   NodeRef
	Items  []BeginItem
	Decide DecideFunc
}

// BeginItem names one claimed trigger and the id of the run that it may start.
type BeginItem struct {
	Key     TriggerKey
	ClaimID int64
	RunID   string
}

// BeginAnswer answers [Dispatcher.Begin] and [Dispatcher.Start], per item.
type BeginAnswer struct {
	Now   time.Time
	Items []Begun
}

// Begun is the answer for one item.
type Begun struct {
	Outcome Outcome
	// Trigger is the trigger as it was before the decision; zero for Start.
	Trigger TriggerRecord
	// Job is the job as read when the run began: its time limit and retry
	// policy are the run's (D10).
	Job JobRecord
	// Run is the Running record, for OutcomeStarted.
	Run RunRecord
	// After is what the decision made of the trigger.
	After Progress
}

// StartRequest asks to begin runs without triggers. Each run has ID, Job,
// Kind, ScheduledAt (zero = the store's now), Attempt and Data.
type StartRequest struct {
	Node NodeRef
	Runs []RunRecord
}

// ClaimRequest asks to claim and begin at once.
type ClaimRequest struct {
	AcquireRequest
	// RunIDs are drawn by the caller before the first try, at least Limit of
	// them (D07); a start takes the next one.
	RunIDs []string
	Decide DecideFunc
}

// ClaimAnswer is the answer to [Claimer.Claim].
type ClaimAnswer struct {
	Now time.Time
	// NextDue is the earliest NextFireAt of a Waiting trigger after this
	// pass, due ones included; zero if there is none. A claim that started as
	// many runs as it was asked for looks no further (P18): it answers zero,
	// and More.
	NextDue time.Time
	// Items are the candidates that something was done with, or that were
	// found unreadable, in candidate order.
	Items []Begun
	// HeldJobs are the jobs whose rows were held: exclude them for 50 ms.
	HeldJobs []string
	// Blocked counts the triggers stored as Blocked beside the candidates.
	Blocked int
	// More says that due candidates were left, or may have been.
	More bool
}

// CompleteRequest ends runs.
type CompleteRequest struct {
	Node  NodeRef
	Items []Completion
}

// Completion ends one run.
type Completion struct {
	RunID string
	Job   string
	// State is one of the final states.
	State     RunState
	ErrorCode string
	ErrorText string
	Result    string
	// Settle, where not nil, says what follows from the end of the run. It
	// is pure; it gets the instant that becomes CompletedAt.
	Settle SettleFunc
	// Trigger and ClaimID name the interval trigger in flight that Settle's
	// Trigger is for; zero where there is none.
	Trigger TriggerKey
	ClaimID int64
}

// SettleFunc computes what follows from a run that ended at completedAt.
type SettleFunc func(completedAt time.Time) Settlement

// Settlement is what follows from the end of a run.
type Settlement struct {
	// Trigger, where not nil, moves the interval trigger in flight, if it is
	// still Acquired by Completion.ClaimID; a replaced or removed trigger
	// stays as it is.
	Trigger *Next
	// Insert, where not nil, is a retry- or recovery- one-shot to insert if
	// no trigger of that name exists, born Paused in a paused job (D11). It
	// is dropped where the job is gone.
	Insert *TriggerRecord
}

// CompleteAnswer answers [Dispatcher.Complete], per item.
type CompleteAnswer struct {
	Now   time.Time
	Items []Completed
	// HandedBack counts the Blocked triggers that became Waiting.
	HandedBack int
}

// Completed is the answer for one completion.
type Completed struct {
	// Outcome is OutcomeDone, OutcomeGone or OutcomeHeld.
	Outcome Outcome
	// Run is the record as ended, for OutcomeDone; for OutcomeGone the record
	// as stored, zero if there is none.
	Run RunRecord
	// Inserted is the one-shot that was inserted; zero Job if none was.
	Inserted TriggerKey
}

// ReleaseRequest gives claims back.
type ReleaseRequest struct {
	Node  NodeRef
	Items []ReleaseItem
}

// ReleaseItem names one claim.
type ReleaseItem struct {
	Key     TriggerKey
	ClaimID int64
}

// InflightAnswer is what the store believes of a node.
type InflightAnswer struct {
	Now time.Time
	// Runs are the node's Running records of this incarnation.
	Runs []RunRecord
	// Claims are the node's Acquired triggers of this incarnation that have a
	// NextFireAt, which one in flight has not.
	Claims []TriggerRecord
}

// DueRequest filters [Dispatcher.Due] as in AcquireRequest.
type DueRequest struct {
	ExcludeJobs  []string
	OneShotsOnly bool
}

// DueAnswer is the answer to [Dispatcher.Due].
type DueAnswer struct {
	Now     time.Time
	NextDue time.Time
}
