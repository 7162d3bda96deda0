package scheduling

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// heldLimit is how long a synchronous trigger waits for a row that another
// transaction holds.
const heldLimit = 5 * time.Second

// TriggerRequest asks for one run, now, of this process (R240).
type TriggerRequest struct {
	// Job is the job's name.
	Job string
	// Data overrides the job's data, key by key (R137).
	Data Data
}

// Trigger runs jobs on this node and waits for each to end, one after another
// in the order of the requests (R232). Neither a pause nor leadership nor the
// number of free slots holds a run back. Records come in the same order; the
// record of a failed run is Failed and says why, which is no error of the call.
//
// Errors are per item ([BatchError]; the record is then zero, or as far as it
// is known): [ErrNotServing] before the scheduler serves and once it stops,
// [ErrJobNotFound], [ErrHandlerNotFound], [ErrJobRunning] where an exclusive
// job is running, [ErrStoreUnavailable], at once where the store is known to be
// away, [ErrRunNotFound] where the run was declared lost meanwhile. When ctx
// ends while a run is waited for, the run goes on and is recorded as usual, and
// this item and those after it fail with ctx's error.
//
// A run that fails is retried as the job's policy says; the call answers for
// the first run (R222). A handler may call Trigger, but not for its own
// exclusive job.
func (s *Scheduler) Trigger(ctx context.Context, requests ...TriggerRequest) ([]RunRecord, error) {
	b := &batch{total: len(requests)}
	records := make([]RunRecord, len(requests))
	for i, r := range requests {
		rec, err := s.triggerOne(ctx, r)
		records[i] = rec
		if err != nil {
			b.fail(i, r.Job, err)
		}
	}
	return records, b.err()
}

func (s *Scheduler) triggerOne(ctx context.Context, r TriggerRequest) (RunRecord, error) {
	if err := ctx.Err(); err != nil {
		return RunRecord{}, err
	}
	if err := checkJobName(r.Job); err != nil {
		return RunRecord{}, err
	}
	ref, err := s.serving()
	if err != nil {
		return RunRecord{}, err
	}
	call, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	found, err := s.store.Jobs(call, []string{r.Job})
	switch {
	case err != nil:
		return RunRecord{}, err
	case len(found) == 0:
		return RunRecord{}, provider.NotFound(provider.CodeJobNotFound, r.Job)
	}
	job := found[0]
	if s.handler(job) == nil {
		return RunRecord{}, &provider.Error{Code: provider.CodeHandlerNotFound, Key: r.Job,
			Reason: "handler " + provider.Quote(handlerKey(job)) + ": register it with Handle before Run"}
	}
	data, err := plan.Merge(job.Data, r.Data.text)
	if err != nil {
		return RunRecord{}, err
	}
	run := provider.RunRecord{Job: r.Job, Kind: provider.KindManual, Attempt: 1, Data: data}
	told := make(chan provider.RunRecord, 1)
	if job.EveryInstance {
		if !s.locals.reserve(job) {
			return RunRecord{}, &provider.Error{Code: provider.CodeJobRunning, Key: r.Job, Reason: "on this node"}
		}
		rec := s.locals.launch(run, job, provider.TriggerRecord{}, provider.Progress{}, told)
		return s.outcomeOf(ctx, rec, told)
	}
	run.ID = newRunID()
	rec, err := s.startNow(call, run, ref, told)
	if err != nil {
		return RunRecord{}, err
	}
	return s.outcomeOf(ctx, rec, told)
}

// startNow begins a run that no trigger produces, and starts its handler.
func (s *Scheduler) startNow(ctx context.Context, run provider.RunRecord, ref provider.NodeRef, told chan provider.RunRecord) (RunRecord, error) {
	s.mu.Lock()
	if s.st.phase != phaseServing {
		s.mu.Unlock()
		_, err := s.serving()
		return RunRecord{}, err
	}
	s.st.calling[run.ID] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.st.calling, run.ID)
		s.notify()
	}()
	for asked := s.clock.Now(); ; {
		answer, err := s.store.Start(ctx, provider.StartRequest{Node: ref, Runs: []provider.RunRecord{run}})
		if err == nil && len(answer.Items) != 1 {
			err = shortAnswer("Start", len(answer.Items), 1)
		}
		if err != nil {
			s.doubt() // if it was begun all the same, the poll cancels it
			return RunRecord{}, err
		}
		switch item := answer.Items[0]; item.Outcome {
		case provider.OutcomeStarted:
			s.start(begun{rec: item.Run, job: item.Job, ref: ref, told: told})
			return item.Run, nil
		case provider.OutcomeGone:
			return RunRecord{}, provider.NotFound(provider.CodeJobNotFound, run.Job)
		case provider.OutcomeBlocked:
			return RunRecord{}, &provider.Error{Code: provider.CodeJobRunning, Key: run.Job}
		case provider.OutcomeConflict:
			return RunRecord{}, &provider.Error{Code: provider.CodeJobRunning, Key: run.Job, Reason: provider.ReasonContention}
		case provider.OutcomeHeld:
			if elapsed(asked, s.clock.Now()) >= heldLimit || !pause(ctx, s.clock, heldWait, nil) {
				return RunRecord{}, provider.Contended("trigger " + run.Job)
			}
		default: // left: the store has no room (R302)
			return RunRecord{}, &provider.Error{Code: provider.CodeStoreFull, Key: run.Job}
		}
	}
}

// outcomeOf waits for the end of a run.
func (s *Scheduler) outcomeOf(ctx context.Context, rec provider.RunRecord, told <-chan provider.RunRecord) (RunRecord, error) {
	select {
	case ended, ok := <-told:
		if ok {
			return ended, nil
		}
		return rec, &provider.Error{Code: provider.CodeRunNotFound, Key: rec.ID,
			Reason: "the run was declared lost, or the scheduler stopped before its end was recorded"}
	case <-ctx.Done():
		return rec, ctx.Err()
	case <-s.ended:
		return rec, &provider.Error{Code: provider.CodeNotServing, Key: rec.ID,
			Reason: "the scheduler stopped before the run's end was recorded"}
	}
}
