package inmemory

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Begin implements [provider.Dispatcher]. An item that the store has no room
// for is left, its claim stays; where nothing else was done either, the answer
// is ErrStoreFull (R302).
func (s *Store) Begin(ctx context.Context, req provider.BeginRequest) (provider.BeginAnswer, error) {
	if len(req.Items) == 0 {
		return provider.BeginAnswer{}, nil
	}
	return transact(ctx, s, "Begin", func(t *tx) (provider.BeginAnswer, error) {
		answer := provider.BeginAnswer{Now: t.now, Items: make([]provider.Begun, 0, len(req.Items))}
		anyFull := false
		for _, item := range req.Items {
			begun, full := t.beginItem(req, item)
			answer.Items = append(answer.Items, begun)
			anyFull = anyFull || full
		}
		if anyFull && !t.wrote() {
			return provider.BeginAnswer{}, storeFull(s.options.MaxRuns)
		}
		return answer, nil
	})
}

func (t *tx) beginItem(req provider.BeginRequest, item provider.BeginItem) (begun provider.Begun, full bool) {
	row, ok := t.claimed(item.Key, item.ClaimID)
	if !ok || claimedBy(row) != req.Node {
		// A process that was convicted and has registered anew starts nothing
		// that it claimed before (D06).
		return provider.Begun{Outcome: provider.OutcomeGone}, false
	}
	job := t.jobs[row.Job]
	begun = provider.Begun{Trigger: row, Job: job}
	switch {
	case t.held("Begin", row.Job):
		begun.Outcome = provider.OutcomeHeld
		return begun, false
	case row.Paused:
		t.giveBack(row)
		begun.Outcome = provider.OutcomePaused
		return begun, false
	case !readable(row, job):
		begun.Outcome = provider.OutcomeUnreadable
		return begun, false
	}
	s := subject{before: row, claimed: row, job: job, node: req.Node, runID: item.RunID}
	switch d := t.decide(s, req.Decide); d.Action {
	case provider.Start:
		begun, full = t.start(s, d)
	case provider.Block:
		begun = t.block(s)
	case provider.Advance:
		begun = t.advance(s, d)
	case provider.Return:
		t.giveBack(row)
		begun.Outcome = provider.OutcomeReturned
	}
	if t.occupied(t.jobs[row.Job]) {
		t.blockOthers(row.Job)
	}
	return begun, full
}

// Start implements [provider.Dispatcher]. Where the store has no room an item
// is left; where none could be started, the answer is ErrStoreFull (R302).
func (s *Store) Start(ctx context.Context, req provider.StartRequest) (provider.BeginAnswer, error) {
	if len(req.Runs) == 0 {
		return provider.BeginAnswer{}, nil
	}
	for _, run := range req.Runs {
		if err := provider.CheckRun(run); err != nil {
			return provider.BeginAnswer{}, err
		}
	}
	return transact(ctx, s, "Start", func(t *tx) (provider.BeginAnswer, error) {
		answer := provider.BeginAnswer{Now: t.now, Items: make([]provider.Begun, 0, len(req.Runs))}
		anyFull := false
		for _, run := range req.Runs {
			begun, full := t.startRun(req.Node, run)
			answer.Items = append(answer.Items, begun)
			anyFull = anyFull || full
		}
		if anyFull && !t.wrote() {
			return provider.BeginAnswer{}, storeFull(s.options.MaxRuns)
		}
		return answer, nil
	})
}

func (t *tx) startRun(node provider.NodeRef, run provider.RunRecord) (begun provider.Begun, full bool) {
	job, ok := t.jobs[run.Job]
	begun.Job = job
	_, exists := t.runs[run.ID]
	switch {
	case !ok:
		begun.Outcome = provider.OutcomeGone
	case t.held("Start", run.Job):
		begun.Outcome = provider.OutcomeHeld
	case exists:
		begun.Outcome = provider.OutcomeConflict
	case t.occupied(job):
		begun.Outcome = provider.OutcomeBlocked
	case !t.makeRoom():
		full = true
	default:
		begun.Run = t.begin(run, job, node)
		begun.Outcome = provider.OutcomeStarted
		if exclusive(job) {
			t.blockOthers(run.Job)
		}
	}
	return begun, full
}

// wrote reports whether the transaction has changed anything.
func (t *tx) wrote() bool { return len(t.undo) > 0 }
