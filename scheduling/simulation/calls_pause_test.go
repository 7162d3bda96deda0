package simulation

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The calls that pause and resume. The judge is told what they ask for, and
// what they answer when it is committed.

func (l *link) PauseJobs(ctx context.Context, req []string) ([]error, error) {
	return asks(ctx, l, "PauseJobs", request{jobs: req}, func(ctx context.Context) ([]error, error) { return l.Store.PauseJobs(ctx, req) })
}

func (l *link) ResumeJobs(ctx context.Context, req []string) ([]error, error) {
	return asks(ctx, l, "ResumeJobs", request{jobs: req}, func(ctx context.Context) ([]error, error) { return l.Store.ResumeJobs(ctx, req) })
}

func (l *link) PauseTriggers(ctx context.Context, req []provider.TriggerKey) ([]error, error) {
	return asks(ctx, l, "PauseTriggers", request{triggers: req}, func(ctx context.Context) ([]error, error) { return l.Store.PauseTriggers(ctx, req) })
}

func (l *link) ResumeTriggers(ctx context.Context, req []provider.TriggerKey) ([]error, error) {
	return asks(ctx, l, "ResumeTriggers", request{triggers: req}, func(ctx context.Context) ([]error, error) { return l.Store.ResumeTriggers(ctx, req) })
}

// asks makes one call of those.
func asks(ctx context.Context, l *link, op string, asked request, do func(context.Context) ([]error, error)) ([]error, error) {
	return through(ctx, l, op, func(ctx context.Context) ([]error, error) {
		l.ledger.asked = &asked
		refused, err := do(ctx)
		if err == nil {
			asked.refused = refused
		}
		return refused, err
	})
}
