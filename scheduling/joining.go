package scheduling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// register makes this process known to the store under a new incarnation
// (D06), and tries until it has succeeded, ctx ends, or another process turns
// out to use the node id; that is its only error. On an unshared store there
// is nobody to be known to, and only the incarnation is drawn.
func (s *Scheduler) register(ctx context.Context) error {
	if !s.info.Shared {
		return s.incarnate(ctx)
	}
	own := identity()
	req := provider.RegisterRequest{Node: provider.NodeRecord{
		NodeRef: provider.NodeRef{ID: s.opts.NodeID}, Timeout: s.opts.NodeTimeout,
		HeartbeatInterval: s.opts.HeartbeatInterval, Process: own,
	}}
	var watch predecessor
	for ctx.Err() == nil {
		asked := s.clock.Now()
		call, cancel := s.call(callLimit)
		answer, err := s.store.Register(call, req)
		cancel()
		s.outcome("register", err)
		now := s.clock.Now()
		switch {
		case err != nil:
			watch.unsure = watch.unsure || errors.Is(err, provider.ErrOutcomeUnknown)
			pause(ctx, s.clock, s.opts.PollInterval, nil)
		case answer.Registered:
			s.joined(answer, asked, now, req.Replace != nil)
			return nil
		default:
			dead, err := watch.look(answer.Node, own, s.opts, asked, now)
			if err != nil {
				return err
			}
			req.Replace = nil
			if dead {
				s.log.Warn("scheduling: taking over the node id from a dead predecessor",
					slog.String("node", s.opts.NodeID), slog.Time("heartbeat", answer.Node.HeartbeatAt))
				req.Replace = &answer.Node
				continue
			}
			if watch.news() {
				s.log.Warn("scheduling: a process registered under this node id before; watching whether it is alive",
					slog.String("node", s.opts.NodeID), slog.Time("heartbeat", answer.Node.HeartbeatAt),
					slog.Duration("at_most", watch.limit))
			}
			pause(ctx, s.clock, watch.step(s.opts), nil)
		}
	}
	return nil
}

// predecessor is the row found under this node's id.
type predecessor struct {
	row     provider.NodeRecord
	limit   time.Duration
	watched time.Duration
	last    time.Time
	looks   int
	// unsure: an answer to our own registration was lost.
	unsure bool
}

// look judges one sight of the row: dead when it has stood still for the
// isolation limit of the process that wrote it, because by then that process
// has given its runs up itself; an error when it moves.
func (p *predecessor) look(row provider.NodeRecord, own provider.ProcessIdentity, o Options, asked, now time.Time) (dead bool, err error) {
	p.looks++
	if p.unsure && row.Process == own && row.HeartbeatAt.Equal(row.StartedAt) {
		return true, nil // this process wrote it, and has not got the answer
	}
	if p.looks == 1 {
		p.row, p.last = row, now
		timeout, beat := row.Timeout, row.HeartbeatInterval
		if timeout <= 0 || beat <= 0 {
			timeout, beat = o.NodeTimeout, o.HeartbeatInterval
		}
		p.limit = isolationLimit(timeout, beat)
		return surelyDead(own, row.Process), nil
	}
	if row.Incarnation != p.row.Incarnation || !row.HeartbeatAt.Equal(p.row.HeartbeatAt) {
		return false, &provider.Error{Code: provider.CodeNotServing, Key: row.ID, Reason: fmt.Sprintf(
			"another process uses this node id since %s (host %s, process %d, last heartbeat %s): give each process its own Options.NodeID, or leave it empty",
			row.StartedAt.Format(time.RFC3339), provider.Quote(row.Process.Host), row.Process.PID, row.HeartbeatAt.Format(time.RFC3339Nano))}
	}
	p.watched += stood(p.last, asked, 2*p.step(o))
	p.last = asked
	return p.watched >= p.limit, nil
}

func (p *predecessor) news() bool { return p.looks == 1 }

func (p *predecessor) step(o Options) time.Duration {
	return max(min(o.PollInterval, p.limit/8), time.Millisecond)
}

// joined takes over the incarnation that the store gave.
func (s *Scheduler) joined(answer provider.RegisterAnswer, asked, now time.Time, replaced bool) {
	s.mu.Lock()
	s.st.ref = answer.Node.NodeRef
	s.st.acked = asked
	s.st.isolated = false
	s.st.offset = offset(answer.Now, asked, now)
	s.mu.Unlock()
	if replaced {
		s.peers.sweepSoon() // the predecessor's work (D06)
	}
	s.nudge()
}

// incarnate draws the incarnation on an unshared store.
func (s *Scheduler) incarnate(ctx context.Context) error {
	for ctx.Err() == nil {
		asked := s.clock.Now()
		call, cancel := s.call(callLimit)
		now, err := s.store.Now(call)
		cancel()
		s.outcome("register", err)
		if err == nil {
			s.joined(provider.RegisterAnswer{Now: now, Node: provider.NodeRecord{
				NodeRef: provider.NodeRef{ID: s.opts.NodeID, Incarnation: now.UnixMicro()}}}, asked, s.clock.Now(), false)
			return nil
		}
		pause(ctx, s.clock, s.opts.PollInterval, nil)
	}
	return nil
}

// offset is the store's clock less the node's, with the round trip halved.
func offset(store, asked, answered time.Time) time.Duration {
	return store.Sub(asked.Add(answered.Sub(asked) / 2).Round(0))
}
