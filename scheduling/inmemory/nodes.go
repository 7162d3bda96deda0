package inmemory

import (
	"context"
	"slices"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Register implements [provider.Nodes].
func (s *Store) Register(ctx context.Context, req provider.RegisterRequest) (provider.RegisterAnswer, error) {
	if err := provider.CheckPrintable("Node.ID", req.Node.ID); err != nil {
		return provider.RegisterAnswer{}, err
	}
	return transact(ctx, s, "Register", func(t *tx) (provider.RegisterAnswer, error) {
		found, exists := t.nodes[req.Node.ID]
		if exists && (req.Replace == nil || !sameBeat(found, *req.Replace)) {
			return provider.RegisterAnswer{Now: t.now, Node: found}, nil
		}
		row := provider.NodeRecord{
			NodeRef:           provider.NodeRef{ID: req.Node.ID, Incarnation: t.incarnation(req.Node.ID)},
			HeartbeatAt:       t.now,
			StartedAt:         t.now,
			Timeout:           cutDuration(req.Node.Timeout),
			HeartbeatInterval: cutDuration(req.Node.HeartbeatInterval),
			Process:           req.Node.Process,
		}
		return provider.RegisterAnswer{Now: t.now, Registered: true, Node: t.putNode(row)}, nil
	})
}

// incarnation draws a number that no process of this id ever had (D06).
func (t *tx) incarnation(id string) int64 {
	last := t.store.marks.incarnations
	last[id] = max(last[id]+1, t.now.UnixMicro())
	return last[id]
}

// sameBeat reports whether a row is still the one that was judged (D04).
func sameBeat(row, judged provider.NodeRecord) bool {
	return row.NodeRef == judged.NodeRef && row.HeartbeatAt.Equal(judged.HeartbeatAt)
}

// Heartbeat implements [provider.Nodes].
func (s *Store) Heartbeat(ctx context.Context, node provider.NodeRef) (provider.HeartbeatAnswer, error) {
	return transact(ctx, s, "Heartbeat", func(t *tx) (provider.HeartbeatAnswer, error) {
		row, alive := t.nodes[node.ID]
		alive = alive && row.NodeRef == node
		if alive {
			row.HeartbeatAt = t.now
			t.putNode(row)
		}
		return provider.HeartbeatAnswer{Now: t.now, Alive: alive, Nodes: t.listNodes()}, nil
	})
}

// ListNodes implements [provider.Nodes]. Alive is false.
func (s *Store) ListNodes(ctx context.Context) (provider.HeartbeatAnswer, error) {
	return transact(ctx, s, "ListNodes", func(t *tx) (provider.HeartbeatAnswer, error) {
		return provider.HeartbeatAnswer{Now: t.now, Nodes: t.listNodes()}, nil
	})
}

func (t *tx) listNodes() []provider.NodeRecord {
	rows := make([]provider.NodeRecord, 0, len(t.nodes))
	for _, row := range t.nodes {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b provider.NodeRecord) int { return strings.Compare(a.ID, b.ID) })
	return rows
}

// Convict implements [provider.Nodes].
func (s *Store) Convict(ctx context.Context, judged provider.NodeRecord) (bool, error) {
	return transact(ctx, s, "Convict", func(t *tx) (bool, error) {
		row, ok := t.nodes[judged.ID]
		if !ok || !sameBeat(row, judged) || t.now.Sub(row.HeartbeatAt) <= row.Timeout {
			return false, nil
		}
		t.deleteNode(judged.ID)
		return true, nil
	})
}

// Deregister implements [provider.Nodes].
func (s *Store) Deregister(ctx context.Context, node provider.NodeRef) (bool, error) {
	return transact(ctx, s, "Deregister", func(t *tx) (bool, error) {
		if row, ok := t.nodes[node.ID]; !ok || row.NodeRef != node {
			return false, nil
		}
		t.deleteNode(node.ID)
		return true, nil
	})
}
