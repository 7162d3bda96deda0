package gormsched

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Begin decides over triggers that the caller has claimed and begins their
// runs, in one transaction (R033–R044, D07, D08, D10, D35).
//
// It locks the rows of the exclusive jobs and shares those of the others, then
// locks the triggers, without waiting, and reads the jobs after that: a job
// whose row it has not got, as that kind needs it, is held. A pause that has returned is seen, because it
// changed the trigger's row; one that comes later waits for this commit and
// finds the trigger begun.
//
// If the process stops before the commit the claims are as they were; after it
// the runs are Running and carry its node and incarnation.
func (s *JobStore) Begin(ctx context.Context, req provider.BeginRequest) (provider.BeginAnswer, error) {
	var answer provider.BeginAnswer
	if len(req.Items) == 0 {
		return answer, nil
	}
	err := s.core.inTx(ctx, "beginning runs", txDispatch, func(t *tx) error {
		var err error
		answer, err = t.begin(req)
		return err
	}, func(ctx context.Context) (bool, error) {
		return s.core.decided(ctx, answer.Items, 0)
	})
	if err != nil {
		return provider.BeginAnswer{}, err
	}
	return answer, nil
}

func (t *tx) begin(req provider.BeginRequest) (provider.BeginAnswer, error) {
	var answer provider.BeginAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, err
	}
	answer.Now = instant(us)
	keys := make([]string, len(req.Items))
	names := make([]string, len(req.Items))
	for i, item := range req.Items {
		keys[i], names[i] = item.Key.String(), item.Key.Job
	}
	keys, names = sortedUnique(keys), sortedUnique(names)
	locked, shared, err := t.lockForBegin(names)
	if err != nil {
		return answer, err
	}
	triggers, err := t.lockTriggers(keys)
	if err != nil {
		return answer, err
	}
	held, err := t.heldTriggers(keys, triggers)
	if err != nil {
		return answer, err
	}
	p := &pass{t: t, now: answer.Now, us: us, node: req.Node}
	if p.jobs, err = t.readSharedJobs(names, locked, shared); err != nil {
		return answer, err
	}
	for _, item := range req.Items {
		answer.Items = append(answer.Items, p.begin(item, triggers, held, req.Decide))
	}
	if err = p.plan(answer.Items); err != nil {
		return answer, err
	}
	_, err = p.apply()
	return answer, err
}

// begin handles one item. A trigger that was dealt with is taken out of the
// map, so that an item that names it again finds its claim gone.
func (p *pass) begin(item provider.BeginItem, triggers map[string]triggerView, held map[string]int64, decide provider.DecideFunc) provider.Begun {
	key := item.Key.String()
	view, ok := triggers[key]
	tr, j := view.record, p.jobs[item.Key.Job]
	switch {
	case !ok && item.ClaimID != 0 && held[key] == item.ClaimID:
		return provider.Begun{Outcome: provider.OutcomeHeld}
	case !ok, tr.ClaimID != item.ClaimID || item.ClaimID == 0:
		return provider.Begun{Outcome: provider.OutcomeGone}
	case view.unreadable, j != nil && j.unreadable:
		return provider.Begun{Outcome: provider.OutcomeUnreadable, Trigger: tr, Job: jobRecord(j)}
	case tr.State != provider.TriggerAcquired, tr.NextFireAt.IsZero(): // given back, or begun
		return provider.Begun{Outcome: provider.OutcomeGone}
	case j.heldForBegin():
		return provider.Begun{Outcome: provider.OutcomeHeld, Trigger: tr, Job: j.record}
	case tr.Paused:
		delete(triggers, key)
		p.pause(tr)
		return provider.Begun{Outcome: provider.OutcomePaused, Trigger: tr, Job: jobRecord(j)}
	}
	mine := claim{id: tr.ClaimID, node: provider.NodeRef{ID: tr.ClaimedBy, Incarnation: tr.Incarnation}, at: tr.ClaimedAt}
	b := p.consider(tr, item.RunID, mine, decide)
	if b.Outcome != provider.OutcomeLeft {
		delete(triggers, key)
	}
	return b
}
