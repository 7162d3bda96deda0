package provider

import (
	"context"
	"time"
)

// Nodes keeps the node table and recovers what dead nodes left.
type Nodes interface {
	// Register writes the process's row before its first claim (D06). Where
	// no row of the id exists it is inserted; where one exists it is replaced
	// only if Replace names its incarnation and heartbeat, and the answer
	// otherwise holds the row found and Registered is false. The new
	// incarnation is the greater of the one found plus one and the store's
	// microseconds, and is never reused. An unknown commit is looked up by
	// the incarnation.
	Register(ctx context.Context, req RegisterRequest) (RegisterAnswer, error)

	// Heartbeat renews the row of this incarnation and reads the whole node
	// table, ordered by id (D26). Alive false means: convicted, the row is
	// gone or another incarnation's; then nothing was written.
	Heartbeat(ctx context.Context, node NodeRef) (HeartbeatAnswer, error)

	// ListNodes reads the node table, ordered by id, with the store's now.
	ListNodes(ctx context.Context) (HeartbeatAnswer, error)

	// Convict deletes a node's row if its incarnation and heartbeat are still
	// those judged, and the heartbeat is older than the row's own Timeout by
	// the store's clock (D04, D26). It reports whether the row was deleted.
	Convict(ctx context.Context, judged NodeRecord) (bool, error)

	// Deregister deletes the row of this incarnation; the last act of a stop
	// (D29). It reports whether the row was there. Idempotent.
	Deregister(ctx context.Context, node NodeRef) (bool, error)

	// Sweep recovers, in one transaction, at most Limit items whose (node,
	// incarnation) has no node row: Running records become Lost, completed
	// now, their occupancy is cleared, their interval trigger returned, their
	// recovery one-shot inserted if the function gives one; claims that were
	// not begun go back to Waiting, or Paused where the flag is set, one
	// without a next instant due now (R046–R053, D04). Each item is done
	// whole. Items whose rows are held are left for the next pass. Blocked
	// triggers of free jobs are handed back too (R053, D35).
	Sweep(ctx context.Context, req SweepRequest) (SweepAnswer, error)
}

// RegisterRequest registers a process. Of Node the store uses ID, Timeout,
// HeartbeatInterval and Process.
type RegisterRequest struct {
	Node NodeRecord
	// Replace is the row that the caller has judged to be a dead
	// predecessor's; nil = only if there is none.
	Replace *NodeRecord
}

// RegisterAnswer is the answer to [Nodes.Register].
type RegisterAnswer struct {
	Now        time.Time
	Registered bool
	// Node is the caller's row where Registered, else the row found.
	Node NodeRecord
}

// HeartbeatAnswer is the answer to [Nodes.Heartbeat].
type HeartbeatAnswer struct {
	Now   time.Time
	Alive bool
	Nodes []NodeRecord
}

// RecoverFunc builds the recovery one-shot of a lost run; ok false where none
// is wanted. It is pure. job is zero where the job is gone.
type RecoverFunc func(run RunRecord, job JobRecord, now time.Time) (trigger TriggerRecord, ok bool)

// SweepRequest asks for one pass.
type SweepRequest struct {
	// Limit is the most items of one transaction: 1 to 100 (D04); 0 = 100.
	Limit   int
	Recover RecoverFunc
}

// SweepAnswer is the answer to [Nodes.Sweep].
type SweepAnswer struct {
	Now time.Time
	// Lost are the runs declared Lost, as stored.
	Lost []RunRecord
	// Recovered are the one-shots inserted.
	Recovered []TriggerKey
	// Returned are the claims and interval triggers returned.
	Returned []TriggerKey
	// HandedBack counts the Blocked triggers that became Waiting.
	HandedBack int
	// More says that items were left, held or beyond the limit.
	More bool
}
