package scheduling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// lastWrites is the least time that a stop gives to recording what has ended.
const lastWrites = 5 * time.Second

// drain stops in the order of D29: claim nothing, give claims back, release the
// lease, wait for the runs, cancel them, record them, go. Heartbeat, cancel
// poll and completion go on until the end.
func (s *Scheduler) drain(idle, still context.CancelFunc, claimed <-chan struct{}) error {
	s.mu.Lock()
	s.st.phase = phaseStopping
	runs := len(s.st.live)
	s.mu.Unlock()
	close(s.leaving)
	idle()
	s.log.Info("scheduling: stopping", slog.String("node", s.opts.NodeID), slog.Int("runs", runs))

	patience, cancel := s.limited(s.opts.ShutdownTimeout, s.hurry.ch)
	defer cancel()
	select {
	case <-claimed:
	case <-patience.Done():
	}
	s.giveBackAll()
	s.lease.release()
	s.await(patience, func() bool { return len(s.st.live)+len(s.st.calling) == 0 })
	s.cancelRuns()
	grace, cancelGrace := s.limited(s.opts.CancelGrace, nil)
	defer cancelGrace()
	s.await(grace, func() bool { return len(s.st.live)+len(s.st.calling) == 0 })

	recorded := func() bool { return len(s.st.ending) == 0 }
	if !s.await(patience, recorded) {
		writes, cancelWrites := s.limited(max(lastWrites, s.opts.CancelGrace), nil)
		defer cancelWrites()
		s.await(writes, recorded)
	}
	published, cancelEvents := s.limited(lastWrites, nil)
	defer cancelEvents()
	s.events.flush(published)
	return s.leave(s.finalize(), still)
}

// limited is a context that ends after d of the node's clock, or when early is
// closed; at once if d is zero.
func (s *Scheduler) limited(d time.Duration, early <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.base)
	if d <= 0 {
		cancel()
		return ctx, cancel
	}
	stop := s.clock.AfterFunc(d, cancel)
	go func() {
		select {
		case <-early:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(); cancel() }
}

// giveBackAll returns every claim that was not begun.
func (s *Scheduler) giveBackAll() {
	s.mu.Lock()
	var claims []*pendingClaim
	for _, p := range s.st.pending {
		claims = append(claims, p)
	}
	s.mu.Unlock()
	s.giveBack(claims)
}

// cancelRuns ends the contexts of the runs that have not returned.
func (s *Scheduler) cancelRuns() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.st.phase = phaseCanceling
	for _, l := range s.st.live {
		l.cancel(ErrStopping)
	}
}

// finalize ends the taking of completions and returns the runs whose end was
// not recorded.
func (s *Scheduler) finalize() []string {
	s.mu.Lock()
	s.st.phase = phaseStopped
	s.mu.Unlock()
	left := s.done.close()
	if n := s.record.close(); n > 0 {
		s.log.Warn("scheduling: the history of local runs was not written", slog.Int("records", n))
	}
	return left
}

// leave ends the last loops, deletes the node's row if no handler is running
// any more, and says what was left behind.
func (s *Scheduler) leave(unsaved []string, still context.CancelFunc) error {
	still()
	s.waitForTasks()
	s.mu.Lock()
	ref, fault := s.st.ref, s.fault
	var running []string
	for id, l := range s.st.live {
		running = append(running, fmt.Sprintf("%s of job %s", id, l.rec.Job))
	}
	s.mu.Unlock()
	if s.info.Shared && ref.Incarnation != 0 && len(running) == 0 {
		call, cancel := s.call(callLimit)
		defer cancel()
		if _, err := s.store.Deregister(call, ref); err != nil {
			s.log.Warn("scheduling: the node's row could not be deleted; it ages", slog.String("node", ref.ID), slog.Any("error", err))
		}
	}
	faults := []error{fault}
	if len(running) > 0 {
		faults = append(faults, &provider.Error{Code: provider.CodeRunCanceled, Key: s.opts.NodeID, Reason: fmt.Sprintf(
			"%d handlers have not returned although their contexts have ended: run %s; they become Lost: let handlers heed their contexts",
			len(running), listed(running))})
	}
	if len(unsaved) > 0 {
		faults = append(faults, &provider.Error{Code: provider.CodeStoreUnavailable, Key: s.opts.NodeID, Reason: fmt.Sprintf(
			"the end of %d runs was not recorded: run %s; they become Lost", len(unsaved), listed(unsaved))})
	}
	s.log.Info("scheduling: stopped", slog.String("node", s.opts.NodeID))
	return errors.Join(faults...)
}

// waitForTasks waits for the engine's goroutines: all of them heed the stop,
// but one may be inside a store call that does not.
func (s *Scheduler) waitForTasks() {
	bound, cancel := s.limited(callLimit+time.Second, nil)
	defer cancel()
	go func() {
		s.tasks.Wait()
		cancel()
	}()
	<-bound.Done()
}

func listed(items []string) string {
	const most = 10
	slices.Sort(items)
	if len(items) <= most {
		return strings.Join(items, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items[:most], ", "), len(items)-most)
}
