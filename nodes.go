package gormsched

import (
	"context"
	"database/sql"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Register writes the process's row (D06). The row of the same id is locked
// first, or, where there is none, inserted: of two processes that register at
// once one finds the other's row. If the process stops before the commit there
// is no row; after it the row ages until another process convicts it.
func (s *JobStore) Register(ctx context.Context, req provider.RegisterRequest) (provider.RegisterAnswer, error) {
	if err := provider.CheckPrintable("Node.ID", req.Node.ID); err != nil {
		return provider.RegisterAnswer{}, err
	}
	var answer provider.RegisterAnswer
	var drawn int64 // by the last run of the function
	var lost int64  // by a run whose commit was not answered
	err := s.core.inTx(ctx, "registering a node", txDispatch, func(t *tx) error {
		answer, drawn = provider.RegisterAnswer{}, 0
		now, err := t.nowUS()
		if err != nil {
			return err
		}
		answer.Now = instant(now)
		found, exists, err := t.lockNode(req.Node.ID)
		switch {
		case err != nil:
			return err
		case exists && lost != 0 && found.Incarnation == lost:
			answer.Registered, answer.Node = true, found // the lost commit took effect
			return nil
		case exists && (req.Replace == nil || !sameBeat(found, *req.Replace)):
			answer.Node = found
			return nil
		}
		row := provider.NodeRecord{
			HeartbeatAt: instant(now), StartedAt: instant(now),
			Timeout:           req.Node.Timeout.Truncate(millis(1)),
			HeartbeatInterval: req.Node.HeartbeatInterval.Truncate(millis(1)),
			Process:           req.Node.Process,
			Version:           found.Version + 1,
		}
		row.ID = req.Node.ID
		if exists {
			row.Incarnation = issued.next(t.c.t.nodes+row.ID, max(found.Incarnation+1, now))
			err = t.replaceNode(row)
		} else {
			var left int64
			if left, err = t.leftIncarnation(req.Node.ID); err == nil {
				row.Incarnation = issued.next(t.c.t.nodes+row.ID, max(left+1, now))
				// A duplicate is a process that registers at this moment: the
				// operation is repeated and finds its row.
				err = t.insertRows(t.c.t.nodes, sourceColumns(nodeColumns...), [][]any{nodeRow(row)})
			}
		}
		drawn, answer.Registered, answer.Node = row.Incarnation, true, row
		return err
	}, func(context.Context) (bool, error) {
		lost = drawn
		return false, errRepeat
	})
	if err != nil {
		return provider.RegisterAnswer{}, err
	}
	return answer, nil
}

// sameBeat reports whether a row is still the one that was judged.
func sameBeat(row, judged provider.NodeRecord) bool {
	return row.NodeRef == judged.NodeRef && micros(row.HeartbeatAt) == micros(judged.HeartbeatAt)
}

// lockNode locks and reads a node's row.
func (t *tx) lockNode(id string) (row provider.NodeRecord, found bool, err error) {
	q := t.c.d.Quote
	hint, suffix := t.c.d.Lock(dialects.LockWait, "n")
	err = t.query(func(rows *sql.Rows) error {
		var err error
		row, err = scanNode(rows)
		found = true
		return err
	}, "SELECT "+t.c.columns("n", nodeColumns)+" FROM "+t.c.t.nodes+" AS n"+hint+" WHERE n."+q("node_id")+" = ?"+suffix, id)
	return row, found, err
}

// leftIncarnation is the greatest incarnation that runs and claims still carry
// of a node without a row; 0 where there is none. A new process must not take
// it: they would become its own (D06).
func (t *tx) leftIncarnation(id string) (int64, error) {
	q := t.c.d.Quote
	var left sql.NullInt64
	err := t.query(func(rows *sql.Rows) error { return rows.Scan(&left) },
		"SELECT MAX(v."+q("incarnation")+") FROM (SELECT "+q("incarnation")+" FROM "+t.c.t.runs+" WHERE "+q("running_on")+" = ? UNION ALL SELECT "+
			q("incarnation")+" FROM "+t.c.t.triggers+" WHERE "+q("trigger_state")+" = 2 AND "+q("claimed_by")+" = ?) AS v", id, id)
	return left.Int64, err
}

// replaceNode writes every column of a row that is locked.
func (t *tx) replaceNode(row provider.NodeRecord) error {
	up := dialects.Update{Table: t.c.t.nodes, Columns: sourceColumns(nodeColumns...), Rows: [][]any{nodeRow(row)}}
	for _, name := range nodeColumns[1:] {
		up.Set = append(up.Set, dialects.Set{Column: name})
	}
	_, err := t.updateRows(up)
	return err
}

// Heartbeat renews the row of this incarnation and reads all rows (D26). It
// touches no row of another node. Repeating it is safe.
func (s *JobStore) Heartbeat(ctx context.Context, node provider.NodeRef) (provider.HeartbeatAnswer, error) {
	c := s.core
	q := c.d.Quote
	var answer provider.HeartbeatAnswer
	err := c.inTx(ctx, "writing a heartbeat", txDispatch, func(t *tx) error {
		now, err := t.nowUS()
		if err != nil {
			return err
		}
		written, err := t.exec("UPDATE "+c.t.nodes+" SET "+q("heartbeat_us")+" = ?, "+q("version")+" = "+q("version")+" + 1 WHERE "+
			q("node_id")+" = ? AND "+q("incarnation")+" = ?", now, node.ID, node.Incarnation)
		if err != nil {
			return err
		}
		answer = provider.HeartbeatAnswer{Now: instant(now), Alive: written == 1}
		answer.Nodes, err = t.listNodes()
		return err
	}, nil)
	if err != nil {
		return provider.HeartbeatAnswer{}, err
	}
	return answer, nil
}

// ListNodes reads the node table and the clock. Alive is false.
func (s *JobStore) ListNodes(ctx context.Context) (provider.HeartbeatAnswer, error) {
	var answer provider.HeartbeatAnswer
	err := s.core.inTx(ctx, "reading the nodes", txRead, func(t *tx) error {
		// The clock is read first: a heartbeat that comes between the two
		// statements looks younger than it is, never older.
		now, err := t.nowUS()
		if err != nil {
			return err
		}
		answer = provider.HeartbeatAnswer{Now: instant(now)}
		answer.Nodes, err = t.listNodes()
		return err
	}, nil)
	if err != nil {
		return provider.HeartbeatAnswer{}, err
	}
	return answer, nil
}

// listNodes reads all nodes, ordered by id.
func (t *tx) listNodes() ([]provider.NodeRecord, error) {
	nodes := []provider.NodeRecord{}
	err := t.query(func(rows *sql.Rows) error {
		row, err := scanNode(rows)
		nodes = append(nodes, row)
		return err
	}, "SELECT "+t.c.columns("", nodeColumns)+" FROM "+t.c.t.nodes+" ORDER BY "+t.c.d.Quote("node_id"))
	return nodes, err
}

// Convict deletes the row of a node that is still as it was judged and whose
// heartbeat is older than its own timeout (D04, D26). One statement judges and
// deletes: a heartbeat that comes first keeps the row, one that comes later
// finds it gone.
func (s *JobStore) Convict(ctx context.Context, judged provider.NodeRecord) (bool, error) {
	q := s.core.d.Quote
	return s.deleteNode(ctx, "convicting a node", judged.NodeRef, func(t *tx) (int64, error) {
		now, err := t.nowUS()
		if err != nil {
			return 0, err
		}
		return t.exec("DELETE FROM "+t.c.t.nodes+" WHERE "+q("node_id")+" = ? AND "+q("incarnation")+" = ? AND "+
			q("heartbeat_us")+" = ? AND "+q("heartbeat_us")+" + "+q("timeout_ms")+" * 1000 < ?",
			judged.ID, judged.Incarnation, micros(judged.HeartbeatAt), now)
	})
}

// Deregister deletes the row of this incarnation (D29).
func (s *JobStore) Deregister(ctx context.Context, node provider.NodeRef) (bool, error) {
	q := s.core.d.Quote
	return s.deleteNode(ctx, "deregistering a node", node, func(t *tx) (int64, error) {
		return t.exec("DELETE FROM "+t.c.t.nodes+" WHERE "+q("node_id")+" = ? AND "+q("incarnation")+" = ?", node.ID, node.Incarnation)
	})
}

// deleteNode reports whether the row was deleted. An incarnation comes once: if
// a commit that was not answered was to delete the row, and the repeat finds no
// row of it, the commit took effect; if it finds one, it did not.
func (s *JobStore) deleteNode(ctx context.Context, op string, node provider.NodeRef, remove func(*tx) (int64, error)) (bool, error) {
	var deleted, lost bool
	err := s.core.inTx(ctx, op, txDispatch, func(t *tx) error {
		n, err := remove(t)
		deleted = n == 1
		if err != nil || deleted || !lost {
			return err
		}
		row, found, err := t.lockNode(node.ID)
		deleted = !found || row.Incarnation != node.Incarnation
		return err
	}, func(context.Context) (bool, error) {
		lost = lost || deleted
		return false, errRepeat
	})
	return err == nil && deleted, err
}
