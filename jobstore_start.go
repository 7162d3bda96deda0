package gormsched

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Start begins runs that no trigger produces (R232), in one transaction. The
// row of an exclusive job is locked without waiting; that of any other job is
// shared, so that a job cannot become exclusive between being read and the
// run's appearance (D12).
//
// If the process stops before the commit nothing has happened; after it the
// runs are Running and carry its node and incarnation, and are recovered, or
// ended as Canceled by the node's own poll (D07).
func (s *JobStore) Start(ctx context.Context, req provider.StartRequest) (provider.BeginAnswer, error) {
	var answer provider.BeginAnswer
	if len(req.Runs) == 0 {
		return answer, nil
	}
	for _, run := range req.Runs {
		if err := provider.CheckRun(run); err != nil {
			return answer, err
		}
	}
	err := s.core.inTx(ctx, "starting runs", txDispatch, func(t *tx) error {
		var err error
		answer, err = t.startRuns(req)
		return err
	}, func(ctx context.Context) (bool, error) {
		return s.core.decided(ctx, answer.Items, 0)
	})
	if err != nil {
		return provider.BeginAnswer{}, err
	}
	return answer, nil
}

func (t *tx) startRuns(req provider.StartRequest) (provider.BeginAnswer, error) {
	var answer provider.BeginAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, err
	}
	answer.Now = instant(us)
	names := make([]string, len(req.Runs))
	for i, run := range req.Runs {
		names[i] = run.Job
	}
	names = sortedUnique(names)
	locked, shared, err := t.lockForBegin(names)
	if err != nil {
		return answer, err
	}
	p := &pass{t: t, now: answer.Now, us: us, node: req.Node}
	if p.jobs, err = t.readSharedJobs(names, locked, shared); err != nil {
		return answer, err
	}
	for _, run := range req.Runs {
		answer.Items = append(answer.Items, p.startRun(run))
	}
	_, err = p.apply()
	return answer, err
}

func (p *pass) startRun(run provider.RunRecord) provider.Begun {
	j := p.jobs[run.Job]
	switch {
	case j == nil:
		return provider.Begun{Outcome: provider.OutcomeGone}
	case j.unreadable:
		return provider.Begun{Outcome: provider.OutcomeUnreadable, Job: j.record}
	case j.heldForBegin():
		return provider.Begun{Outcome: provider.OutcomeHeld, Job: j.record}
	case j.occupied():
		return provider.Begun{Outcome: provider.OutcomeBlocked, Job: j.record}
	}
	b := provider.Begun{Outcome: provider.OutcomeStarted, Job: j.record}
	b.Run = p.start(run, run.ID, run.Job)
	return b
}
