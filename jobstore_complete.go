package gormsched

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Complete ends runs in one transaction: records, occupancies, interval
// triggers, retry and recovery one-shots, and the hand-back of Blocked triggers
// (R037–R039, R203, D05, D35).
//
// It locks, without waiting, the rows of the jobs that are exclusive or
// occupied, shares those of the others that are about to get a trigger, then
// locks the interval triggers, then the runs. An item of which one row is held
// changes nothing; the others are done.
//
// If the process stops before the commit its runs are still Running, and are
// swept when the node is convicted. After the commit nothing of them is left to
// do. A pause, a save or a cancel request that holds a row makes the item wait
// for the next call, never this transaction.
func (s *JobStore) Complete(ctx context.Context, req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	var answer provider.CompleteAnswer
	if len(req.Items) == 0 {
		return answer, nil
	}
	for _, item := range req.Items {
		if err := provider.CheckCompletion(item); err != nil {
			return answer, err
		}
	}
	err := s.core.inTx(ctx, "completing runs", txDispatch, func(t *tx) error {
		var err error
		answer, err = t.complete(req)
		return err
	}, func(ctx context.Context) (bool, error) {
		var ended []provider.RunRecord
		for _, item := range answer.Items {
			if item.Outcome == provider.OutcomeDone {
				ended = append(ended, item.Run)
			}
		}
		return s.core.anyEnded(ctx, ended)
	})
	if err != nil {
		return provider.CompleteAnswer{}, err
	}
	return answer, nil
}

func (t *tx) complete(req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	var answer provider.CompleteAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, err
	}
	answer.Now = instant(us)
	e := &ending{t: t, now: answer.Now}
	settled := make([]provider.Settlement, len(req.Items))
	names, ids := make([]string, len(req.Items)), make([]string, len(req.Items))
	var keys, inserting []string
	for i, item := range req.Items {
		if item.Settle != nil {
			settled[i] = item.Settle(answer.Now)
		}
		names[i], ids[i] = item.Job, item.RunID
		if settled[i].Trigger != nil && item.ClaimID != 0 {
			keys = append(keys, item.Trigger.String())
		}
		if settled[i].Insert != nil {
			inserting = append(inserting, item.Job)
		}
	}
	if err := e.lock(sortedUnique(names), sortedUnique(inserting), sortedUnique(keys), sortedUnique(ids)); err != nil {
		return answer, err
	}
	if err := e.planFor(req.Node); err != nil {
		return answer, err
	}
	answer.Items = make([]provider.Completed, len(req.Items))
	for i, item := range req.Items {
		answer.Items[i] = e.complete(req.Node, item, settled[i])
	}
	inserted, handedBack, err := e.apply()
	answer.HandedBack = handedBack
	for i, item := range answer.Items {
		if s := settled[i].Insert; item.Outcome == provider.OutcomeDone && s != nil && inserted[s.TriggerKey.String()] {
			answer.Items[i].Inserted = s.TriggerKey
		}
	}
	return answer, err
}

func (e *ending) complete(node provider.NodeRef, item provider.Completion, s provider.Settlement) provider.Completed {
	run, ok := e.runs[item.RunID]
	if !ok {
		if stored, held := e.heldRuns[item.RunID]; held {
			if ours(stored, node) {
				return provider.Completed{Outcome: provider.OutcomeHeld}
			}
			return provider.Completed{Outcome: provider.OutcomeGone, Run: stored}
		}
		return provider.Completed{Outcome: provider.OutcomeGone}
	}
	if !ours(run, node) {
		return provider.Completed{Outcome: provider.OutcomeGone, Run: run}
	}
	key := item.Trigger.String()
	moves := s.Trigger != nil && item.ClaimID != 0
	if e.jobHeld(run.Job, s.Insert != nil) || moves && e.heldKeys[key] == item.ClaimID || e.stuck(run) {
		return provider.Completed{Outcome: provider.OutcomeHeld}
	}
	run.State, run.ErrorCode, run.ErrorText, run.Result = item.State, item.ErrorCode, item.ErrorText, item.Result
	run = e.end(run)
	if view := e.triggers[key]; moves && !view.unreadable && inFlight(view.record, item.ClaimID) {
		tr := view.record
		setNext(&tr, *s.Trigger)
		e.giveUp(tr)
	}
	if s.Insert != nil {
		e.add(*s.Insert)
	}
	return provider.Completed{Outcome: provider.OutcomeDone, Run: run}
}
