package inmemory

import "github.com/gormsched/gormsched/scheduling/provider"

// Changes are the rows that one transaction has changed: per table in the order
// of the first write, each row once, as it was before the transaction and as it
// is after it. A row that was inserted and deleted again is left out. The
// records are copies.
type Changes struct {
	Jobs     []Change[provider.JobRecord]
	Triggers []Change[provider.TriggerRecord]
	Runs     []Change[provider.RunRecord]
	Nodes    []Change[provider.NodeRecord]
	Leases   []Change[provider.LeaseRecord]
}

// Change is one row before and after; nil where it was not there, never both.
type Change[R any] struct{ Before, After *R }

// journal notes each write of a transaction, for [Options.Committed].
type journal struct {
	jobs     []noted[string, provider.JobRecord]
	triggers []noted[provider.TriggerKey, provider.TriggerRecord]
	runs     []noted[string, provider.RunRecord]
	nodes    []noted[string, provider.NodeRecord]
	leases   []noted[string, provider.LeaseRecord]
}

// noted is a row as a write found it.
type noted[K comparable, R any] struct {
	key    K
	before *R
}

// note adds to a list of the journal where somebody wants to know. A row
// escapes to the heap only then.
func note[K comparable, R any](t *tx, list *[]noted[K, R], key K, old R, existed bool) {
	if t.store.options.Committed == nil {
		return
	}
	var before *R
	if existed {
		copied := old
		before = &copied
	}
	*list = append(*list, noted[K, R]{key, before})
}

// tell hands what the transaction changed to the hook, if it changed anything.
func (t *tx) tell(op string) {
	if t.store.options.Committed == nil || len(t.undo) == 0 {
		return
	}
	t.store.options.Committed(op, Changes{
		Jobs:     settled(t.journal.jobs, t.jobs),
		Triggers: settled(t.journal.triggers, t.triggers),
		Runs: settledBy(t.journal.runs, func(id string) (provider.RunRecord, bool) {
			row, ok := t.runs[id]
			return row.RunRecord, ok
		}),
		Nodes:  settled(t.journal.nodes, t.nodes),
		Leases: settled(t.journal.leases, t.leases),
	})
}

func settled[K comparable, R any](list []noted[K, R], rows map[K]R) []Change[R] {
	return settledBy(list, func(key K) (R, bool) {
		row, ok := rows[key]
		return row, ok
	})
}

// settledBy lists each row once, as it was first found and as it is now.
func settledBy[K comparable, R any](list []noted[K, R], now func(K) (R, bool)) []Change[R] {
	if len(list) == 0 {
		return nil
	}
	changes := make([]Change[R], 0, len(list))
	var seen map[K]struct{}
	if len(list) > 1 {
		seen = make(map[K]struct{}, len(list))
	}
	for _, n := range list {
		if seen != nil {
			if _, again := seen[n.key]; again {
				continue
			}
			seen[n.key] = struct{}{}
		}
		c := Change[R]{Before: n.before}
		if row, ok := now(n.key); ok {
			c.After = &row
		}
		if c.Before != nil || c.After != nil {
			changes = append(changes, c)
		}
	}
	return changes
}
