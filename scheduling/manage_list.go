package scheduling

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// ListJobs returns at most limit jobs whose name is greater than after, ordered
// bytewise by name; "" starts at the beginning, limit below 1 means 1,000. The
// last name is the next call's after; an empty answer is the end.
func (s *Scheduler) ListJobs(ctx context.Context, after string, limit int) ([]JobRecord, error) {
	if after != "" {
		if err := provider.CheckName("after", after); err != nil {
			return nil, err
		}
	}
	return s.store.ListJobs(ctx, after, limit)
}

// ListTriggers returns a page of triggers, one-shots included, ordered by key;
// see [TriggerQuery] for filters and paging.
func (s *Scheduler) ListTriggers(ctx context.Context, query TriggerQuery) ([]TriggerRecord, error) {
	var f faults
	for _, job := range query.Jobs {
		f.add(provider.CheckName("Jobs", job))
	}
	for i, state := range query.States {
		if !state.Valid() {
			f.addf("States[%d] %d: use the states of a trigger", i, state)
		}
	}
	if query.After != (TriggerKey{}) {
		f.add(provider.CheckName("After.Job", query.After.Job))
		f.add(provider.CheckName("After.Trigger", query.After.Trigger))
	}
	if err := f.err(""); err != nil {
		return nil, err
	}
	return s.store.ListTriggers(ctx, query)
}

// Nodes returns the nodes that share the store, ordered by id; none where the
// store is not shared.
func (s *Scheduler) Nodes(ctx context.Context) ([]NodeRecord, error) {
	answer, err := s.store.ListNodes(ctx)
	if err != nil {
		return nil, err
	}
	return answer.Nodes, nil
}
