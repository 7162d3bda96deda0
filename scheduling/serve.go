package scheduling

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// signal is a channel that is closed once.
type signal struct {
	once *sync.Once
	ch   chan struct{}
}

func newSignal() signal { return signal{once: new(sync.Once), ch: make(chan struct{})} }

func (g signal) set() { g.once.Do(func() { close(g.ch) }) }

// Run serves until ctx ends or [Scheduler.Shutdown] is called, then stops: it
// claims nothing more, gives back what it has not begun, releases the lease,
// waits for its runs for ShutdownTimeout, cancels them with [ErrStopping],
// waits CancelGrace, and records them (D29). Runs are given the values of ctx,
// not its end.
//
// Before serving it registers the node, and tries until the store answers. It
// returns at once, with every fault together, where handlers, jobs or calendars
// were not declared properly; it returns an error where another process uses
// the node id (D06), and where handlers have not returned or ended runs were
// not recorded when it stops: these runs become Lost. nil means a clean stop.
//
// A scheduler runs once; a second call is an error that matches
// [ErrNotServing].
func (s *Scheduler) Run(ctx context.Context) error {
	s.mu.Lock()
	if s.st.phase != phaseNew {
		s.mu.Unlock()
		return &provider.Error{Code: provider.CodeNotServing, Key: s.opts.NodeID,
			Reason: "Run or Shutdown was called before: make a new scheduler with New"}
	}
	s.st.phase = phaseStarting
	base, end := context.WithCancel(context.WithoutCancel(ctx))
	s.base = base
	s.mu.Unlock()
	defer func() {
		end()
		close(s.ended)
	}()
	if err := s.reg.freeze(); err != nil {
		s.result = fmt.Errorf("scheduling: nothing was started: %w", err)
	} else {
		s.result = s.serve(ctx)
	}
	s.mu.Lock()
	s.st.phase = phaseStopped
	s.mu.Unlock()
	return s.result
}

// serve is Run between its checks and its return.
func (s *Scheduler) serve(ctx context.Context) error {
	asked, halt := context.WithCancel(ctx) // ends when the stop is asked for
	defer halt()
	go func() {
		select {
		case <-s.stop.ch:
			halt()
		case <-asked.Done():
		}
	}()
	if err := s.register(asked); err != nil {
		return err
	}
	if asked.Err() != nil { // stopped before it served
		return s.leave(nil, func() {})
	}
	s.mu.Lock()
	s.st.phase = phaseServing
	s.st.servingSince = s.clock.Now()
	s.standBy(!s.info.Shared)
	s.mu.Unlock()

	working, idle := context.WithCancel(s.base)  // until the stop begins
	beating, still := context.WithCancel(s.base) // until it ends
	defer idle()
	defer still()
	claimed := make(chan struct{})
	if s.info.Shared {
		s.loop(beating, "heartbeat loop", s.heartbeatTurn)
		s.loop(beating, "isolation watch", s.watchTurn)
		s.loop(working, "recovery loop", s.recoveryTurn)
	}
	s.loop(beating, "poll loop", s.pollTurn)
	s.loop(working, "lease loop", s.leaseTurn)
	s.loop(working, "upkeep loop", s.upkeepTurn)
	s.loop(working, "code loop", s.codeTurn)
	s.loop(working, "local loop", s.localTurn)
	s.tasks.Go(func() {
		defer close(claimed)
		s.turns(working, "claim loop", s.claimTurn)
	})
	<-asked.Done()
	return s.drain(idle, still, claimed)
}

// fail stops the scheduler by itself; Run returns err.
func (s *Scheduler) fail(err error) {
	s.mu.Lock()
	if s.fault == nil {
		s.fault = err
	}
	s.mu.Unlock()
	s.stop.set()
}

// Shutdown stops the scheduler as Run's context does, and returns Run's error
// when it has stopped. When ctx ends first the runs are canceled at once, in
// place of after ShutdownTimeout, and Shutdown still waits for the rest of the
// stop. A scheduler that never ran returns nil, and never will run. It may be
// called more than once, and from several goroutines; a handler that calls it
// waits for its own end and is canceled in time.
func (s *Scheduler) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if s.st.phase == phaseNew {
		s.st.phase = phaseStopped
		s.mu.Unlock()
		close(s.ended)
		return nil
	}
	s.mu.Unlock()
	s.stop.set()
	select {
	case <-s.ended:
	case <-ctx.Done():
		s.hurry.set()
		<-s.ended
	}
	return s.result
}

// serving returns the node's reference while the scheduler takes new work of
// its own process (R233).
func (s *Scheduler) serving() (provider.NodeRef, error) {
	now := s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.st.phase < phaseServing:
		return provider.NodeRef{}, &provider.Error{Code: provider.CodeNotServing, Reason: "Run has not begun to serve yet"}
	case s.st.phase > phaseServing:
		return provider.NodeRef{}, &provider.Error{Code: provider.CodeNotServing, Reason: "the scheduler is stopping"}
	case !s.fresh(now): // D41: at once, not after a wait
		return provider.NodeRef{}, &provider.Error{Code: provider.CodeStoreUnavailable,
			Reason: "no heartbeat was acknowledged for too long", Err: errNoContact}
	}
	return s.st.ref, nil
}

var errNoContact = errors.New("the node has lost contact with the store")
