package scheduling

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// maxAgain is how often a pass that left candidates asks again at once.
const maxAgain = 3

// claimTurn makes one pass: it starts what is due. It sleeps to the next due
// instant that the store told, at most PollInterval, and is woken by what this
// node enqueues, by completions and by slots that free (design §5).
//
// A pass is a series of claims. One that started a whole batch is followed by
// the next at once, and by others beside it where the store says that this
// gains something: the floor between passes and the three further tries are for
// claims that find little or cannot have what they find (P17).
func (s *Scheduler) claimTurn(ctx context.Context) bool {
	if !s.wake.wait(ctx, s.clock, dueFloor) {
		return false
	}
	s.wake.by(s.clock.Now().Add(s.opts.PollInterval))
	s.beforeClaims()
	s.claims()
	return true
}

// beforeClaims does what a pass begins with.
func (s *Scheduler) beforeClaims() {
	s.beginHeld()
	if s.standsBy() {
		s.passBy()
	}
}

// claims makes the claims of a pass. Full ones go on however long it takes, and
// those beside the first as long as it does, which repeats once a floor what a
// pass begins with.
func (s *Scheduler) claims() {
	var beside sync.WaitGroup
	var over atomic.Bool
	defer beside.Wait()
	defer over.Store(true)
	atOnce := 1
	began := s.clock.Now()
	for left := maxAgain; ; {
		switch r := s.claim(); {
		case r == claimFull:
			for ; atOnce < s.info.ClaimsAtOnce; atOnce++ {
				beside.Go(func() {
					for s.claim() == claimFull && !over.Load() {
					}
				})
			}
		case r == claimLeft && left > 0:
			left--
		default:
			return
		}
		if now := s.clock.Now(); elapsed(began, now) >= passFloor {
			began = now
			s.beforeClaims()
		}
	}
}

// claimed says what came of one claim.
type claimed uint8

const (
	claimEnough claimed = iota // asking again at once finds nothing
	claimLeft                  // it left due triggers
	claimFull                  // it started a whole batch, and left due triggers
)

// lookResult is what a pass learned about what is due.
type lookResult struct {
	moved, more, full bool
	slots             int       // that the claim had reserved
	now, next         time.Time // by the store's clock
	asked             time.Time // by the node's
}

// look plans the next pass, and reports whether to ask again at once. Passes
// that find due triggers and can do nothing with them, because others hold
// them, come less and less often.
func (s *Scheduler) look(r lookResult) claimed {
	answered := s.clock.Now()
	overdue := r.more || !r.next.IsZero() && !r.next.After(r.now)
	s.mu.Lock()
	s.passed()
	left := s.free(r.slots) > 0
	s.st.starved = overdue && !left
	if r.moved {
		s.st.fruitless = 0
	} else {
		s.st.fruitless++
	}
	fruitless := s.st.fruitless
	s.mu.Unlock()
	switch {
	case overdue && !left:
		return claimEnough // a slot that frees wakes the loop
	case overdue && !r.moved:
		s.wake.by(answered.Add(backoff(fruitless, 2*passFloor, s.opts.PollInterval)))
	case overdue && r.more && r.full:
		s.wake.now()
		return claimFull
	case overdue && r.more:
		s.wake.now()
		return claimLeft
	case overdue: // others are at it
		s.wake.by(answered)
	case !r.next.IsZero():
		s.wake.by(answered.Add(r.next.Sub(r.now) - answered.Sub(r.asked)/2))
	}
	return claimEnough
}

// dueAt brings the next pass forward for a trigger that is due at an instant of
// the store's clock; zero means now.
func (s *Scheduler) dueAt(at time.Time) {
	if at.IsZero() {
		s.nudge()
		return
	}
	now := s.clock.Now()
	s.mu.Lock()
	wait := at.Sub(now.Round(0).Add(s.st.offset))
	s.mu.Unlock()
	s.wake.by(now.Add(wait))
}
