// Package provider is the contract between the scheduling engine and the
// place where it keeps its state. A provider author implements [Store], and
// [Claimer] where rows can be locked without waiting; users of the scheduler
// never call this package themselves.
//
// # Who decides what
//
// The engine holds every scheduling rule: next instants, misfire, retry,
// recovery, data merging. The store holds the state machine: who may change
// which row, in which order, and what is written together. Where a decision
// must be taken while rows are locked the engine hands the store a pure
// function ([DecideFunc], [SettleFunc], [RecoverFunc]): it reads no clock,
// does no I/O, runs no application code, and may be called again for the same
// row when a transaction is repeated.
//
// # Transactions
//
// Every method is one transaction of the store's own (R018–R020); returning a
// nil error means committed. A method that returns an error has either changed
// nothing, or its error matches [ErrOutcomeUnknown]: the commit was sent, its
// answer was lost, and looking the outcome up failed too. Methods look up
// before they say so, by the names that the caller drew (claim id, run id,
// one-shot name, lease token, incarnation), and never repeat blindly.
//
// Batches answer per item, in the order of the request. One item never decides
// over the others: an item that cannot be done says so in its own answer.
// An empty batch is a no-op: no statement is sent, the answer is empty.
//
// # Time
//
// The cluster's clock is the store's (D26). What is due, expired or stale is
// judged by it inside the transaction, and every answer carries the instant
// that was used. Instants are UTC, cut to microseconds (D31); the zero
// [time.Time] means none. Durations are whole milliseconds where they are
// stored.
//
// # Invariants
//
// At every commit:
//
//   - a job's ActiveRunID names at most one run, and of an exclusive job at
//     most one run is Running unless the job became exclusive while more than
//     one ran, or while one was being begun (D12);
//   - a run leaves Running once (D05);
//   - a trigger that is Acquired carries a claim (id, node, incarnation,
//     instant), and no other trigger does;
//   - a job that is not occupied has no Blocked trigger unless another of its
//     triggers is Waiting and due, or Acquired (D35);
//   - a trigger whose Paused flag is set is never stored as Waiting (D08);
//   - a due trigger is in a state that some operation leads out of.
//
// # Lock order
//
// Job rows by name, then trigger rows by key, then run rows by id, then node
// rows, then lease rows (D23). Out of this order a lock may be taken only where
// it cannot wait. Acquire, Claim, Begin, Complete and Sweep never wait for a
// row that another transaction holds: the item is answered as held
// ([OutcomeHeld]) and the caller asks again for it alone. Only management
// calls (save, delete, pause, resume, insert, remove) wait, at most 5 s, then
// answer [ErrStoreUnavailable] with reason [ReasonContention].
//
// # When another party stops for ever
//
// A node that stops inside a transaction holds the rows it locked until the
// database ends its session: others find those rows held, and nothing else. A
// node that stops after a commit leaves claims and Running records whose
// (node, incarnation) stands in the node table: once the node is convicted
// ([Nodes.Convict]) the row is gone, and [Nodes.Sweep], called by any leader,
// returns the claims and declares the runs Lost, each item whole in one
// transaction. A sweep that stops between two transactions leaves work that
// the next one finds, because it looks for what has no node row and not for
// what a particular conviction left behind (D04).
package provider
