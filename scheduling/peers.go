package scheduling

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// peerTable is the node table as this node has watched it (D26). Every node
// watches, so that a new leader can judge at once (D36).
type peerTable struct {
	s    *Scheduler
	wake *waker // of the recovery loop

	mu    sync.Mutex
	rows  map[string]peer
	now   time.Time // the store's, of the last sight
	last  time.Time // the node's
	dirty bool      // something is, or may be, to sweep
	own   bool      // even without leadership: our predecessor's work
}

// peer is one row with the time for which it was seen to stand still.
type peer struct {
	row   provider.NodeRecord
	stood time.Duration
}

func newPeerTable(s *Scheduler) *peerTable {
	return &peerTable{s: s, wake: newWaker(s.opts.HousekeepingInterval), rows: make(map[string]peer)}
}

// observe takes one sight of the node table, asked for and answered at
// instants of the node's clock. Between two sights at most two heartbeat
// intervals count as watched, however long the watcher itself stood still.
func (t *peerTable) observe(nodes []provider.NodeRecord, store, asked, answered time.Time) {
	gap := 2 * t.s.opts.HeartbeatInterval
	t.mu.Lock()
	rows := make(map[string]peer, len(nodes))
	for _, n := range nodes {
		old, known := t.rows[n.ID]
		p := peer{row: n}
		if known && old.row.Incarnation == n.Incarnation && old.row.HeartbeatAt.Equal(n.HeartbeatAt) {
			p.stood = old.stood + stood(t.last, asked, gap)
		}
		rows[n.ID] = p
	}
	for id, old := range t.rows {
		if now, there := rows[id]; !there || now.row.Incarnation != old.row.Incarnation {
			t.dirty = true // convicted, deregistered or taken over
		}
	}
	t.rows, t.now, t.last = rows, store, answered
	t.mu.Unlock()
	t.wake.now()
}

// suspects are the rows to convict: older than their own timeout by the
// store's clock, and watched standing still for long enough by ours (D26). The
// node itself never is one (R055). They stand in the order of their ids.
//
// Long enough is never less than the judged process's isolation limit (D25):
// where the store's clock steps ahead the row looks old at once, and a process
// whose heartbeat is merely slow must have given its runs up by itself before
// they are recovered.
func (t *peerTable) suspects() []provider.NodeRecord {
	t.mu.Lock()
	defer t.mu.Unlock()
	var found []provider.NodeRecord
	for id, p := range t.rows {
		if id == t.s.opts.NodeID || p.row.Timeout <= 0 {
			continue
		}
		enough := max(3*p.row.HeartbeatInterval, p.row.Timeout/3, isolationLimit(p.row.Timeout, p.row.HeartbeatInterval))
		if t.now.Sub(p.row.HeartbeatAt) > p.row.Timeout && p.stood >= enough {
			found = append(found, p.row)
		}
	}
	slices.SortFunc(found, func(a, b provider.NodeRecord) int { return strings.Compare(a.ID, b.ID) })
	return found
}

// sweepSoon has the recovery loop sweep, leader or not.
func (t *peerTable) sweepSoon() {
	t.mu.Lock()
	t.own = true
	t.mu.Unlock()
	t.wake.now()
}

// office has a new leader judge and sweep at once.
func (t *peerTable) office() {
	t.mu.Lock()
	t.dirty = true
	t.mu.Unlock()
	t.wake.now()
}

// recoveryTurn convicts and sweeps: after each heartbeat, and at the latest
// every HousekeepingInterval (R255, D36).
func (s *Scheduler) recoveryTurn(ctx context.Context) bool {
	t := s.peers
	if !t.wake.wait(ctx, s.clock, passFloor) {
		return false
	}
	t.wake.by(s.clock.Now().Add(s.opts.HousekeepingInterval))
	leads := s.IsLeader()
	if leads {
		for _, row := range t.suspects() {
			s.convict(row)
		}
	}
	late := s.lease.sweepLate(s.clock.Now())
	t.mu.Lock()
	due := t.own || leads && (t.dirty || late)
	t.mu.Unlock()
	if due {
		s.sweep(ctx)
	}
	return true
}

func (s *Scheduler) convict(row provider.NodeRecord) {
	call, cancel := s.call(callLimit)
	gone, err := s.store.Convict(call, row)
	cancel()
	s.outcome("convict", err)
	if err != nil || !gone {
		return
	}
	s.log.Warn("scheduling: a node is declared dead",
		slog.String("dead", row.ID), slog.Int64("incarnation", row.Incarnation),
		slog.Time("heartbeat", row.HeartbeatAt), slog.Duration("timeout", row.Timeout))
	s.peers.mu.Lock()
	delete(s.peers.rows, row.ID)
	s.peers.dirty = true
	s.peers.mu.Unlock()
}

// sweep recovers whatever has no node row, pass after pass until nothing is
// left or a pass does nothing, because what is left is held by others; the
// next heartbeat then tries again (D04).
func (s *Scheduler) sweep(ctx context.Context) {
	t := s.peers
	t.mu.Lock()
	own := t.own
	t.dirty, t.own = false, false
	t.mu.Unlock()
	again := func() {
		t.mu.Lock()
		t.dirty, t.own = true, t.own || own
		t.mu.Unlock()
	}
	for ctx.Err() == nil {
		call, cancel := s.call(callLimit)
		answer, err := s.store.Sweep(call, provider.SweepRequest{Recover: plan.Recover})
		cancel()
		s.outcome("sweep", err)
		if err != nil {
			again()
			t.wake.by(s.clock.Now().Add(s.opts.PollInterval))
			return
		}
		for _, run := range answer.Lost {
			s.runEnded(run, s.runLogger(run))
		}
		moved := len(answer.Lost) + len(answer.Returned) + len(answer.Recovered) + answer.HandedBack
		if moved > 0 {
			s.log.Info("scheduling: recovered what dead nodes left", slog.Int("lost", len(answer.Lost)),
				slog.Int("returned", len(answer.Returned)), slog.Int("recovery_runs", len(answer.Recovered)))
			s.nudge()
		}
		switch {
		case !answer.More:
			s.lease.noteSweep(s.clock.Now())
			return
		case moved == 0:
			again()
			t.wake.by(s.clock.Now().Add(s.opts.PollInterval))
			return
		}
	}
}
