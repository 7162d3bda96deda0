package scheduling

import (
	"context"
	"fmt"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The pages of [Scheduler.Runs] (R115).
const (
	DefaultRunPage = 100
	MaxRunPage     = provider.MaxRunPage
)

// Runs returns a page of the history, running runs included: by scheduled
// instant, the latest first (R114). Limit 0 means [DefaultRunPage].
// [ErrInvalidPage] for Skip below 0 and Limit outside 1 to [MaxRunPage], before
// the store is asked (R116); [ErrInvalidDefinition] for a filter that no run can
// have.
func (s *Scheduler) Runs(ctx context.Context, query RunQuery) ([]RunRecord, error) {
	if query.Limit == 0 {
		query.Limit = DefaultRunPage
	}
	if err := checkPage(query); err != nil {
		return nil, err
	}
	if err := checkFilter(query); err != nil {
		return nil, err
	}
	return s.store.Runs(ctx, query)
}

// CountRuns counts the runs that [Scheduler.Runs] would page through; Skip and
// Limit do not matter (R117).
func (s *Scheduler) CountRuns(ctx context.Context, query RunQuery) (int64, error) {
	if err := checkFilter(query); err != nil {
		return 0, err
	}
	query.Skip, query.Limit = 0, 0
	return s.store.CountRuns(ctx, query)
}

func checkPage(query RunQuery) error {
	reason := ""
	if query.Skip < 0 {
		reason = fmt.Sprintf("Skip %d: use 0 or more", query.Skip)
	}
	if query.Limit < 1 || query.Limit > MaxRunPage {
		if reason != "" {
			reason += "; "
		}
		reason += fmt.Sprintf("Limit %d: use 1 to %d, or 0 for %d", query.Limit, MaxRunPage, DefaultRunPage)
	}
	if reason == "" {
		return nil
	}
	return &provider.Error{Code: provider.CodeInvalidPage, Reason: reason}
}

func checkFilter(query RunQuery) error {
	var f faults
	if query.Job != "" {
		f.add(provider.CheckName("Job", query.Job))
	}
	if query.Trigger != "" {
		f.add(provider.CheckName("Trigger", query.Trigger))
	}
	if query.Node != "" {
		f.add(provider.CheckPrintable("Node", query.Node))
	}
	for i, state := range query.States {
		if !state.Valid() {
			f.addf("States[%d] %d: use RunRunning, RunSucceeded, RunFailed, RunCanceled or RunLost", i, state)
		}
	}
	return f.err("")
}

// CancelRuns asks for the end of running runs: those of this node end at once,
// others in their node's next cycle (R236). Their handlers' contexts end with
// [ErrCanceled]; a handler that ignores it goes on until it returns. Per item:
// [ErrRunNotFound] where there is no such run, or it has ended.
func (s *Scheduler) CancelRuns(ctx context.Context, ids ...string) error {
	_, err := each(ids, nameKey, checkRunID, func(legal []string) ([]error, error) {
		here := make(map[string]bool)
		for _, id := range legal {
			if s.cancelHere(id, ErrCanceled) {
				here[id] = true
			}
		}
		// The store is told of all: it keeps who was asked, and a run that it
		// does not have yet is canceled all the same.
		answers, err := s.store.RequestCancel(ctx, legal)
		if err != nil && len(here) == 0 {
			return nil, err
		}
		if err == nil && len(answers) != len(legal) {
			return nil, shortAnswer("RequestCancel", len(answers), len(legal))
		}
		result := make([]error, len(legal))
		for i, id := range legal {
			switch {
			case here[id]:
			case err != nil:
				result[i] = err
			default:
				result[i] = answers[i]
			}
		}
		return result, nil
	})
	return err
}
