package scheduling

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// skewReport is the difference of clocks from which a node reports it.
const skewReport = 5 * time.Second

// heartbeatTurn renews the node's row, once per interval, and again with the
// next poll when that failed (D36). A row that is gone means: convicted.
func (s *Scheduler) heartbeatTurn(ctx context.Context) bool {
	ref := s.node()
	if ref.Incarnation == 0 {
		if err := s.register(ctx); err != nil {
			s.fail(err)
			return false
		}
		return true
	}
	asked := s.clock.Now()
	call, cancel := s.call(s.opts.HeartbeatInterval)
	answer, err := s.store.Heartbeat(call, ref)
	cancel()
	now := s.clock.Now()
	s.outcome("heartbeat", err)
	switch {
	case err != nil:
		return pause(ctx, s.clock, min(s.opts.PollInterval, s.opts.HeartbeatInterval), nil)
	case !answer.Alive:
		s.convicted(ref)
		return true
	}
	s.acknowledged(ref, answer.Now, asked, now)
	s.peers.observe(answer.Nodes, answer.Now, asked, now)
	return pause(ctx, s.clock, s.opts.HeartbeatInterval-elapsed(asked, now), nil)
}

// acknowledged notes a heartbeat that the store has taken. The node trusts it
// from before the round trip (D26).
func (s *Scheduler) acknowledged(ref provider.NodeRef, store, asked, now time.Time) {
	s.mu.Lock()
	if s.st.ref != ref {
		s.mu.Unlock()
		return
	}
	before := s.st.offset
	s.st.acked, s.st.offset = asked, offset(store, asked, now)
	skew := s.st.offset
	back := s.st.isolated && s.fresh(now)
	if back {
		s.st.isolated = false
	}
	s.mu.Unlock()
	if back {
		s.log.Info("scheduling: the store answers again", slog.String("node", ref.ID))
		s.nudge()
	}
	if skew.Abs() >= skewReport && (skew-before).Abs() >= skewReport/2 {
		s.log.Warn("scheduling: this node's clock differs from the store's; the store's decides, but local jobs run on the node's",
			slog.String("node", ref.ID), slog.Duration("store_ahead", skew))
	}
}

// watchTurn gives the node's runs up when no heartbeat was acknowledged for
// the isolation limit (D25). It looks at least once per heartbeat interval,
// because a machine that slept shows only in the wall clock.
func (s *Scheduler) watchTurn(ctx context.Context) bool {
	now := s.clock.Now()
	s.mu.Lock()
	ref, acked, isolated := s.st.ref, s.st.acked, s.st.isolated
	s.mu.Unlock()
	wait := s.opts.HeartbeatInterval
	if ref.Incarnation != 0 && !isolated {
		left := s.isolation() - elapsed(acked, now)
		if left <= 0 {
			s.isolate(ref)
			return ctx.Err() == nil
		}
		wait = min(wait, left)
	}
	return pause(ctx, s.clock, wait, nil)
}

// isolate cancels the claimed runs, before another node may recover them, and
// has those whose handlers do not return recorded Lost after CancelGrace. The
// others are recorded as they return. Local runs go on: nobody recovers them
// (D41).
func (s *Scheduler) isolate(ref provider.NodeRef) {
	var given []*live
	now := s.clock.Now()
	s.mu.Lock()
	if s.st.ref != ref || s.st.isolated || s.fresh(now) {
		s.mu.Unlock()
		return
	}
	s.st.isolated = true
	if s.opts.OnIsolation == CancelRuns {
		for _, l := range s.st.live {
			if !l.local && l.ref == ref {
				given = append(given, l)
				l.cancel(ErrIsolated)
			}
		}
	}
	s.mu.Unlock()
	slices.SortFunc(given, func(a, b *live) int { return strings.Compare(a.rec.ID, b.rec.ID) })
	s.log.Error("scheduling: no heartbeat was acknowledged for too long; this node claims nothing until the store answers",
		slog.String("node", ref.ID), slog.Int("runs_given_up", len(given)))
	if len(given) > 0 {
		s.clock.AfterFunc(s.opts.CancelGrace, func() { s.lose(given) })
	}
}

// lose records runs as Lost whose handlers ignore their contexts. They keep
// their slots until they return.
func (s *Scheduler) lose(given []*live) {
	for _, l := range given {
		cause := causeOf(l.ctx)
		s.mu.Lock()
		stuck := s.st.live[l.rec.ID] == l && !l.gone && !l.lost && errors.Is(cause, ErrIsolated) && s.st.phase < phaseStopped
		if stuck {
			l.lost = true
			s.st.ending[l.rec.ID] = struct{}{}
		}
		s.mu.Unlock()
		if stuck {
			s.finish(l, judge(ErrIsolated, nil))
		}
	}
}

// convicted forgets an incarnation whose row another node has deleted: its
// runs are Lost in the store, or will be, its claims are returned by the sweep
// (D06). The heartbeat loop then registers anew.
func (s *Scheduler) convicted(ref provider.NodeRef) {
	s.mu.Lock()
	if s.st.ref != ref {
		s.mu.Unlock()
		return
	}
	s.st.ref.Incarnation = 0
	s.st.isolated = false
	clear(s.st.pending)
	runs := 0
	for _, l := range s.st.live {
		if l.ref == ref {
			runs++
			l.gone = true
			l.cancel(ErrLost)
		}
	}
	s.mu.Unlock()
	s.log.Error("scheduling: this node was declared dead while it could not be heard; its runs are lost and it starts anew",
		slog.String("node", ref.ID), slog.Int64("incarnation", ref.Incarnation), slog.Int("runs", runs))
}
