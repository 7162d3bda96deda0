package gormsched

import (
	"context"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Release gives back claims that were not begun (R269, D07, D29): the triggers
// are Waiting again, or Paused where their flag is set, with their due instant
// unchanged. Claims that are gone, begun, or held by another transaction are
// left alone; what is held the node's own poll finds again. An unknown commit is
// looked up by the first claim that it gave back, which is there no more; the
// node's poll finds what that misses.
//
// A trigger that turns Paused takes a due trigger away from its job, so the
// row of an exclusive job is locked for it, without waiting; where that, or the
// hand-back that follows, cannot be done the claim stays (D35).
func (s *JobStore) Release(ctx context.Context, req provider.ReleaseRequest) (int, error) {
	if len(req.Items) == 0 {
		return 0, nil
	}
	var released []provider.ReleaseItem
	err := s.core.inTx(ctx, "releasing claims", txDispatch, func(t *tx) error {
		var err error
		released, err = t.release(req)
		return err
	}, func(ctx context.Context) (bool, error) {
		for _, item := range released[:min(len(released), 1)] { // all or none
			there, err := s.core.anyClaim(ctx, []string{item.Key.String()}, item.ClaimID)
			return !there, err
		}
		return true, nil
	})
	if err != nil {
		return 0, err
	}
	return len(released), nil
}

func (t *tx) release(req provider.ReleaseRequest) ([]provider.ReleaseItem, error) {
	keys := make([]string, len(req.Items))
	for i, item := range req.Items {
		keys[i] = item.Key.String()
	}
	triggers, err := t.lockTriggers(sortedUnique(keys))
	if err != nil {
		return nil, err
	}
	var flagged []string
	for _, view := range triggers {
		if view.record.Paused {
			flagged = append(flagged, view.record.Job)
		}
	}
	p := &pass{t: t, node: req.Node, jobs: map[string]*jobView{}}
	if flagged = sortedUnique(flagged); len(flagged) > 0 {
		// Behind the triggers in the order of locks, and therefore skipping.
		locked, err := t.lockJobs(flagged, t.c.exclusiveJobs(), dialects.LockSkip)
		if err != nil {
			return nil, err
		}
		if p.jobs, err = t.readJobs(flagged, locked); err != nil {
			return nil, err
		}
	}
	var released []provider.ReleaseItem
	for _, item := range req.Items {
		view, ok := triggers[item.Key.String()]
		tr := view.record
		if !ok || view.unreadable || tr.State != provider.TriggerAcquired || tr.ClaimID != item.ClaimID || item.ClaimID == 0 || tr.NextFireAt.IsZero() {
			continue
		}
		if tr.Paused && p.jobs[tr.Job].held() {
			continue
		}
		delete(triggers, item.Key.String())
		released = append(released, item)
		if tr.Paused {
			p.pause(tr)
			continue
		}
		tr.State = provider.TriggerWaiting
		p.moveTo(tr, claim{})
	}
	if err = p.plan(nil); err != nil {
		return nil, err
	}
	released = slices.DeleteFunc(released, func(item provider.ReleaseItem) bool {
		return p.handBack.stuck(item.Key.Job)
	})
	_, err = p.apply()
	return released, err
}
