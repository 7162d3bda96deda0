package inmemory

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Complete implements [provider.Dispatcher].
func (s *Store) Complete(ctx context.Context, req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	if len(req.Items) == 0 {
		return provider.CompleteAnswer{}, nil
	}
	for _, item := range req.Items {
		if err := provider.CheckCompletion(item); err != nil {
			return provider.CompleteAnswer{}, err
		}
	}
	return transact(ctx, s, "Complete", func(t *tx) (provider.CompleteAnswer, error) {
		answer := provider.CompleteAnswer{Now: t.now, Items: make([]provider.Completed, 0, len(req.Items))}
		for _, item := range req.Items {
			answer.Items = append(answer.Items, t.complete(req.Node, item))
		}
		t.handBackAll()
		answer.HandedBack = t.handedBack
		return answer, nil
	})
}

// complete ends one run, once (D05).
func (t *tx) complete(node provider.NodeRef, item provider.Completion) provider.Completed {
	run, ok := t.runs[item.RunID]
	if !ok || run.State != provider.RunRunning || runBy(run.RunRecord) != node {
		return provider.Completed{Outcome: provider.OutcomeGone, Run: run.RunRecord}
	}
	if t.held("Complete", run.Job) {
		return provider.Completed{Outcome: provider.OutcomeHeld}
	}
	run.State = item.State
	run.CompletedAt = t.now
	run.ErrorCode, run.ErrorText, run.Result = item.ErrorCode, item.ErrorText, item.Result
	run = t.end(run)
	done := provider.Completed{Outcome: provider.OutcomeDone, Run: run.RunRecord}
	if item.Settle == nil {
		return done
	}
	follows := item.Settle(t.now)
	if follows.Trigger != nil {
		t.land(item.Trigger, item.ClaimID, *follows.Trigger)
	}
	if follows.Insert != nil {
		done.Inserted = t.insertOneShot(*follows.Insert)
	}
	return done
}

// end stores a run that has ended, and clears the occupancy that names it.
func (t *tx) end(run runRow) runRow {
	run.aside = false
	run = t.putRun(run)
	t.vacate(run.RunRecord)
	return run
}

// land moves an interval trigger in flight, if this claim still holds it: one
// that was replaced or removed stays as it is.
func (t *tx) land(key provider.TriggerKey, claimID int64, next provider.Next) {
	row, ok := t.triggers[key]
	if !ok || row.State != provider.TriggerAcquired || row.ClaimID != claimID {
		return
	}
	if next = cutNext(next); legalNext(next, false) {
		t.putTrigger(moved(row, next))
	}
}

// Record implements [provider.Dispatcher].
func (s *Store) Record(ctx context.Context, runs []provider.RunRecord) error {
	if len(runs) == 0 {
		return nil
	}
	for _, run := range runs {
		if err := provider.CheckRun(run); err != nil {
			return err
		}
		if !run.State.Valid() {
			return provider.Invalidf("run %s of job %s has state %v: give it a state", provider.Quote(run.ID), provider.Quote(run.Job), run.State)
		}
	}
	_, err := transact(ctx, s, "Record", func(t *tx) (struct{}, error) {
		// Records that are there already go first: those that end make room.
		var fresh []provider.RunRecord
		for _, run := range runs {
			if !t.replaceRecord(run) {
				fresh = append(fresh, run)
			}
		}
		for _, run := range fresh {
			if t.replaceRecord(run) { // twice in one batch
				continue
			}
			if !t.makeRoom() {
				return struct{}{}, storeFull(s.options.MaxRuns)
			}
			if run.Sequence == 0 {
				run.Sequence = t.nextSequence()
			}
			t.putRun(runRow{RunRecord: cutRun(run), aside: run.State == provider.RunRunning})
		}
		return struct{}{}, nil
	})
	return err
}

// replaceRecord replaces a record that is there, if it is Running. Only the
// sequence stays where the new one names none.
func (t *tx) replaceRecord(run provider.RunRecord) (existed bool) {
	old, ok := t.runs[run.ID]
	if !ok {
		return false
	}
	if old.State != provider.RunRunning {
		return true
	}
	if run.Sequence == 0 {
		run.Sequence = old.Sequence
	}
	row := runRow{RunRecord: cutRun(run), aside: old.aside}
	if run.State == provider.RunRunning {
		t.putRun(row)
	} else {
		t.end(row)
	}
	return true
}

func cutRun(run provider.RunRecord) provider.RunRecord {
	run.ScheduledAt, run.StartedAt = cut(run.ScheduledAt), cut(run.StartedAt)
	run.CompletedAt, run.CancelRequestedAt = cut(run.CompletedAt), cut(run.CancelRequestedAt)
	return run
}
