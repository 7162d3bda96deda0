package scheduling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// begun is a run that the store holds as Running and whose handler is to be
// started.
type begun struct {
	rec   provider.RunRecord
	job   provider.JobRecord
	ref   provider.NodeRef
	local bool
	told  chan provider.RunRecord
	// trigger is the trigger as it was before the begin, after what the
	// decision made of it, claimID the claim of one that stays in flight;
	// zero without trigger.
	trigger provider.TriggerRecord
	after   provider.Progress
	claimID int64
}

// start starts a run's handler, or ends the run where that must not be: after
// the isolation limit it is Lost (D25), after the stop has canceled it is
// Canceled, without handler it is Failed; the runs of an incarnation that was
// convicted are left to the sweep (D06).
func (s *Scheduler) start(b begun) {
	l := &live{
		begun: b,
		run: &Run{
			ID: b.rec.ID, Job: b.rec.Job, Trigger: b.rec.TriggerName, Kind: b.rec.Kind, Node: b.ref.ID,
			ScheduledAt: b.rec.ScheduledAt, StartedAt: b.rec.StartedAt,
			Attempt: max(b.rec.Attempt, 1), RetryOf: b.rec.RetryOf, Fence: b.rec.Fence,
			Data: Data{text: b.rec.Data},
		},
	}
	l.run.logger = s.runLogger(b.rec)
	l.context(s.base)
	h := s.handler(b.job)
	now := s.clock.Now()

	s.mu.Lock()
	var end *verdict
	_, again := s.st.live[b.rec.ID]
	switch {
	case again || s.st.phase == phaseStopped:
		l.gone = true
	case !b.local && b.ref != s.st.ref:
		l.gone = true
	case !b.local && !s.fresh(now):
		v := judge(ErrIsolated, nil)
		end = &v
	case s.st.phase == phaseCanceling:
		v := judge(ErrStopping, nil)
		end = &v
	case h == nil:
		end = &verdict{state: provider.RunFailed, code: provider.CodeHandlerNotFound,
			text: fmt.Sprintf("handler %s: not registered on node %s", provider.Quote(handlerKey(b.job)), b.ref.ID), never: true}
	default:
		l.since = now
		s.st.live[b.rec.ID] = l
	}
	if end != nil {
		s.st.ending[b.rec.ID] = struct{}{}
	}
	s.mu.Unlock()

	switch {
	case end != nil && l.local:
		l.release()
		s.localReturned(l, *end, false)
	case end != nil:
		l.release()
		s.finish(l, *end)
	case l.gone:
		l.release()
		if l.told != nil {
			close(l.told)
		}
	default:
		s.events.run(TopicRunStarted, b.rec)
		go s.execute(l, h)
	}
}

// context builds the run's context: it carries the run, ends at the job's
// time limit, and otherwise when the engine says so with a cause (G2, D20).
func (l *live) context(base context.Context) {
	ctx, cancel := context.WithCancelCause(context.WithValue(base, runKey{}, l.run))
	l.ctx, l.cancel, l.release = ctx, cancel, func() { cancel(nil) }
	if l.job.Timeout > 0 {
		limited, stop := context.WithTimeoutCause(ctx, l.job.Timeout, ErrTimeout)
		l.ctx, l.release = limited, func() { stop(); cancel(nil) }
	}
}

// execute calls the handler. Its deferred function also runs when the handler
// panics or calls Goexit, so that no way out leaves the run behind (D39, B164).
func (s *Scheduler) execute(l *live, h Handler) {
	var err error
	returned := false
	defer func() {
		if !returned {
			if r := recover(); r != nil {
				err = &crash{what: fmt.Sprintf("panic: %v", r), stack: debug.Stack()}
			} else {
				err = &crash{what: "the handler ended its goroutine (runtime.Goexit)", stack: debug.Stack()}
			}
		}
		s.returned(l, err)
	}()
	err = h(l.ctx, l.run)
	returned = true
}

// returned moves a run from live to ending.
func (s *Scheduler) returned(l *live, err error) {
	cause := causeOf(l.ctx)
	l.release()
	v := safeJudge(cause, err)
	s.mu.Lock()
	delete(s.st.live, l.rec.ID)
	skip := l.gone || l.lost || errors.Is(cause, ErrLost) || s.st.phase == phaseStopped
	if !skip {
		s.st.ending[l.rec.ID] = struct{}{}
	}
	s.notify()
	s.mu.Unlock()
	switch {
	case l.local:
		s.localReturned(l, v, skip)
	case !skip:
		s.finish(l, v)
	case l.told != nil && !l.lost:
		close(l.told)
	}
	if s.unblocked() {
		s.nudge()
	}
}

// safeJudge survives an error whose methods panic.
func safeJudge(cause, err error) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = verdict{state: provider.RunFailed, code: provider.CodeRunPanicked,
				text: clip(fmt.Sprintf("error of type %T, whose methods panicked: %v", err, r))}
		}
	}()
	return judge(cause, err)
}

// finish sends a run that has ended, and is in ending, to the store.
func (s *Scheduler) finish(l *live, v verdict) {
	item := provider.Completion{
		RunID: l.rec.ID, Job: l.rec.Job, State: v.state, ErrorCode: string(v.code), ErrorText: v.text,
		Result: l.run.takeResult(), Settle: s.rules().Settle(l.ended(v)),
	}
	if l.after.State == provider.TriggerAcquired {
		item.Trigger, item.ClaimID = l.trigger.TriggerKey, l.claimID // R203
	}
	s.done.add(&completion{item: item, ref: l.ref, log: l.run.logger, told: l.told})
}

// ended says to the rules what is known of a run that has ended.
func (l *live) ended(v verdict) plan.Ended {
	return plan.Ended{
		Run: l.rec, Job: l.job, Trigger: l.trigger, After: l.after,
		State: v.state, NoRetry: v.never, WaitChosen: v.chosen, Wait: v.wait,
	}
}

// runEnded publishes and logs the end of a run that the store has taken.
func (s *Scheduler) runEnded(rec provider.RunRecord, log *slog.Logger) {
	level, topic := slog.LevelInfo, ""
	switch rec.State {
	case provider.RunSucceeded:
		level, topic = slog.LevelDebug, TopicRunSucceeded
	case provider.RunFailed:
		level, topic = slog.LevelError, TopicRunFailed
	case provider.RunCanceled:
		topic = TopicRunCanceled
	case provider.RunLost:
		level, topic = slog.LevelWarn, TopicRunLost
	}
	log.Log(context.Background(), level, "scheduling: the run has ended",
		slog.String("state", rec.State.String()), slog.String("code", rec.ErrorCode), slog.String("error", rec.ErrorText),
		slog.Duration("took", rec.CompletedAt.Sub(rec.StartedAt).Round(time.Millisecond)))
	s.events.run(topic, rec)
}

// runLogger names job, trigger, run and node on every line.
func (s *Scheduler) runLogger(rec provider.RunRecord) *slog.Logger {
	return s.log.With(slog.String("job", rec.Job), slog.String("trigger", rec.TriggerName),
		slog.String("run", rec.ID), slog.String("node", s.opts.NodeID))
}

// unblocked reports whether a pass waits for what has just become free.
func (s *Scheduler) unblocked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.st.starved
}
