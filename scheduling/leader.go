package scheduling

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// leadership is this node's side of the leader's lease. Whether it leads is
// judged by its own clock alone: the lease is trusted from before the round
// trip that granted it, for its TTL less a margin (R070, D26). Nothing that a
// leader does is unsafe when there are two.
type leadership struct {
	s    *Scheduler
	wake *waker

	mu      sync.Mutex
	token   string    // of the acquisition that may be in the store; "" = none
	since   time.Time // from when it is trusted; zero = outcome not known yet
	leads   bool      // as last reported
	gone    bool      // released for good (D29)
	seen    provider.LeaseRecord
	stood   time.Duration // how long seen was watched standing still
	last    time.Time
	swept   time.Time
	purged  time.Time
	rezoned bool
}

func newLeadership(s *Scheduler) *leadership {
	return &leadership{s: s, wake: newWaker(s.opts.RenewInterval)}
}

func (l *leadership) held() bool {
	now := l.s.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.trusted(now)
}

// trusted is held for callers that hold mu.
func (l *leadership) trusted(now time.Time) bool {
	ttl := l.s.opts.LeaseTTL
	return l.token != "" && !l.since.IsZero() && !l.gone && elapsed(l.since, now) < ttl-leaseMargin(ttl)
}

// noteSweep remembers that nothing was left to sweep.
func (l *leadership) noteSweep(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.swept = at
}

// sweepLate reports whether the last sweep is a housekeeping interval ago.
func (l *leadership) sweepLate(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.swept.IsZero() || elapsed(l.swept, now) >= l.s.opts.HousekeepingInterval
}

// upkeepDue reports which of the leader's unhurried tasks are due.
func (l *leadership) upkeepDue(now time.Time) (purge, rezone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.purged.IsZero() || elapsed(l.purged, now) >= l.s.opts.HousekeepingInterval, !l.rezoned
}

func (l *leadership) noteUpkeep(now time.Time, purged, rezoned bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if purged {
		l.purged = now
	}
	l.rezoned = l.rezoned || rezoned
}

// leaseTurn renews the lease or tries to get it, once per RenewInterval, and
// again with the next poll when the election could not be reached (D36).
func (s *Scheduler) leaseTurn(ctx context.Context) bool {
	l := s.lease
	if !l.wake.wait(ctx, s.clock, passFloor) {
		return false
	}
	s.mu.Lock()
	competes := !s.st.paused && s.st.ref.Incarnation != 0 && s.st.phase == phaseServing
	s.mu.Unlock()
	wait := s.opts.RenewInterval
	if competes {
		err := l.turn()
		s.outcome("election", err)
		if err != nil {
			wait = min(s.opts.PollInterval, s.opts.RenewInterval)
		}
	} else {
		wait = min(s.opts.PollInterval, s.opts.RenewInterval)
	}
	l.report()
	l.wake.by(s.clock.Now().Add(wait))
	return true
}

// turn makes one attempt.
func (l *leadership) turn() error {
	l.mu.Lock()
	token := l.token
	l.mu.Unlock()
	if token != "" {
		lost, err := l.renew(token)
		if !lost {
			return err
		}
	}
	return l.acquire()
}

// renew pushes the lease forward. It also decides what an acquisition with an
// unknown outcome has come to: if the row carries the token, it was granted
// (D24).
func (l *leadership) renew(token string) (lost bool, err error) {
	asked := l.s.clock.Now()
	call, cancel := l.s.call(l.s.opts.RenewInterval)
	_, err = l.s.election.Renew(call, l.s.opts.LeaseResource, token)
	cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.since = asked
		return false, nil
	case errors.Is(err, provider.ErrLeaseHeld):
		l.token, l.since = "", time.Time{}
		return true, nil
	}
	return false, err // R069: what is held does not change
}

// acquire takes the lease if the row looks free. A row whose expiry is out of
// reach of any clock is taken once it has stood still for its TTL (D26).
func (l *leadership) acquire() error {
	s := l.s
	call, cancel := s.call(s.opts.RenewInterval)
	defer cancel()
	asked := s.clock.Now()
	row, err := s.election.Inspect(call, s.opts.LeaseResource)
	if err != nil {
		return err
	}
	margin := leaseMargin(s.opts.LeaseTTL)
	req := provider.LeaseRequest{
		Resource: s.opts.LeaseResource, Holder: s.opts.NodeID, Token: uuid.NewString(),
		TTL: s.opts.LeaseTTL, Margin: margin,
	}
	if row.Found {
		stoodFor := l.watch(row.Lease, asked)
		left := row.Lease.ExpiresAt.Sub(row.Now)
		odd := left > row.Lease.TTL+margin && stoodFor >= row.Lease.TTL
		if left > 0 && !odd {
			return nil // another leads
		}
		if odd {
			req.Stood = &row.Lease
		}
	}
	l.mu.Lock()
	if l.gone {
		l.mu.Unlock()
		return nil
	}
	l.token, l.since = req.Token, time.Time{}
	l.mu.Unlock()
	asked = s.clock.Now()
	_, err = s.election.TryAcquire(call, req)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.gone: // released meanwhile, and without effect if that came first
		s.tasks.Go(func() { _ = l.giveBack(req.Token) })
		return nil
	case err == nil:
		l.since = asked
		return nil
	case errors.Is(err, provider.ErrOutcomeUnknown):
		return err // the next turn looks the token up
	}
	l.token = ""
	if errors.Is(err, provider.ErrLeaseHeld) {
		return nil
	}
	return err
}

// watch returns for how long the lease row was seen to stand still.
func (l *leadership) watch(row provider.LeaseRecord, asked time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if row.Token == l.seen.Token && row.Version == l.seen.Version {
		l.stood += stood(l.last, asked, 2*l.s.opts.RenewInterval)
	} else {
		l.seen, l.stood = row, 0
	}
	l.last = asked
	return l.stood
}

// report notes a change of leadership. Taking office has no step that can
// fail: it only makes the leader's tasks due (B149).
func (l *leadership) report() {
	s := l.s
	now := s.clock.Now()
	l.mu.Lock()
	before := l.leads
	l.leads = l.trusted(now)
	leads := l.leads
	if leads && !before {
		l.swept, l.purged, l.rezoned = time.Time{}, time.Time{}, false
	}
	l.mu.Unlock()
	if leads == before {
		return
	}
	s.mu.Lock()
	s.standBy(!s.info.Shared && !leads)
	s.mu.Unlock()
	if leads {
		s.log.Info("scheduling: this node leads", slog.String("node", s.opts.NodeID))
		s.peers.office()
		s.upkeep.now()
	} else {
		s.log.Info("scheduling: this node no longer leads", slog.String("node", s.opts.NodeID))
	}
	s.nudge()
}

// release gives the lease up for good. An acquisition whose outcome is not
// known is released too: the row goes only if it carries the token.
func (l *leadership) release() {
	l.mu.Lock()
	token := l.token
	l.gone, l.token, l.since = true, "", time.Time{}
	l.mu.Unlock()
	if token == "" {
		return
	}
	if err := l.giveBack(token); err != nil {
		l.s.log.Warn("scheduling: the lease could not be released; it expires by itself",
			slog.String("resource", l.s.opts.LeaseResource), slog.Any("error", err))
	}
	l.report()
}

func (l *leadership) giveBack(token string) error {
	call, cancel := l.s.call(callLimit)
	defer cancel()
	return l.s.election.Release(call, l.s.opts.LeaseResource, token)
}
