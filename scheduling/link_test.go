package scheduling_test

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The calls that a link lets through while it is not cut.

func (l *link) Acquire(ctx context.Context, req provider.AcquireRequest) (provider.AcquireAnswer, error) {
	if err := l.down("Acquire"); err != nil {
		return provider.AcquireAnswer{}, err
	}
	l.noteAsked(req)
	answer, err := l.Store.Acquire(ctx, req)
	l.delayed("Acquire")
	return answer, err
}

func (l *link) Claim(ctx context.Context, req provider.ClaimRequest) (provider.ClaimAnswer, error) {
	if err := l.down("Claim"); err != nil {
		return provider.ClaimAnswer{}, err
	}
	l.noteAsked(req.AcquireRequest)
	answer, err := l.Store.Claim(ctx, req)
	l.delayed("Claim")
	return answer, err
}

func (l *link) Begin(ctx context.Context, req provider.BeginRequest) (provider.BeginAnswer, error) {
	if err := l.down("Begin"); err != nil {
		return provider.BeginAnswer{}, err
	}
	answer, err := l.Store.Begin(ctx, req)
	l.delayed("Begin")
	return answer, err
}

func (l *link) Start(ctx context.Context, req provider.StartRequest) (provider.BeginAnswer, error) {
	if err := l.down("Start"); err != nil {
		return provider.BeginAnswer{}, err
	}
	answer, err := l.Store.Start(ctx, req)
	l.delayed("Start")
	return answer, err
}

func (l *link) Record(ctx context.Context, runs []provider.RunRecord) error {
	if err := l.down("Record"); err != nil {
		return err
	}
	return l.Store.Record(ctx, runs)
}

func (l *link) Complete(ctx context.Context, req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	if err := l.down("Complete"); err != nil {
		return provider.CompleteAnswer{}, err
	}
	answer, err := l.Store.Complete(ctx, req)
	l.delayed("Complete")
	return answer, err
}

func (l *link) Release(ctx context.Context, req provider.ReleaseRequest) (int, error) {
	if err := l.down("Release"); err != nil {
		return 0, err
	}
	return l.Store.Release(ctx, req)
}

func (l *link) Inflight(ctx context.Context, node provider.NodeRef) (provider.InflightAnswer, error) {
	if err := l.down("Inflight"); err != nil {
		return provider.InflightAnswer{}, err
	}
	answer, err := l.Store.Inflight(ctx, node)
	l.delayed("Inflight")
	return answer, err
}

func (l *link) Due(ctx context.Context, req provider.DueRequest) (provider.DueAnswer, error) {
	if err := l.down("Due"); err != nil {
		return provider.DueAnswer{}, err
	}
	return l.Store.Due(ctx, req)
}

func (l *link) Register(ctx context.Context, req provider.RegisterRequest) (provider.RegisterAnswer, error) {
	if err := l.down("Register"); err != nil {
		return provider.RegisterAnswer{}, err
	}
	return l.Store.Register(ctx, req)
}

func (l *link) Heartbeat(ctx context.Context, node provider.NodeRef) (provider.HeartbeatAnswer, error) {
	if err := l.down("Heartbeat"); err != nil {
		return provider.HeartbeatAnswer{}, err
	}
	return l.Store.Heartbeat(ctx, node)
}

func (l *link) Convict(ctx context.Context, judged provider.NodeRecord) (bool, error) {
	if err := l.down("Convict"); err != nil {
		return false, err
	}
	return l.Store.Convict(ctx, judged)
}

func (l *link) Deregister(ctx context.Context, node provider.NodeRef) (bool, error) {
	if err := l.down("Deregister"); err != nil {
		return false, err
	}
	return l.Store.Deregister(ctx, node)
}

func (l *link) Sweep(ctx context.Context, req provider.SweepRequest) (provider.SweepAnswer, error) {
	if err := l.down("Sweep"); err != nil {
		return provider.SweepAnswer{}, err
	}
	return l.Store.Sweep(ctx, req)
}

func (l *link) Jobs(ctx context.Context, names []string) ([]provider.JobRecord, error) {
	if err := l.down("Jobs"); err != nil {
		return nil, err
	}
	return l.Store.Jobs(ctx, names)
}

func (l *link) SaveJobs(ctx context.Context, items []provider.SaveItem) ([]provider.SaveAnswer, error) {
	if err := l.down("SaveJobs"); err != nil {
		return nil, err
	}
	return l.Store.SaveJobs(ctx, items)
}

func (l *link) ListTriggers(ctx context.Context, query provider.TriggerQuery) ([]provider.TriggerRecord, error) {
	if err := l.down("ListTriggers"); err != nil {
		return nil, err
	}
	return l.Store.ListTriggers(ctx, query)
}

func (l *link) PurgeRuns(ctx context.Context, age time.Duration) (int64, error) {
	if err := l.down("PurgeRuns"); err != nil {
		return 0, err
	}
	return l.Store.PurgeRuns(ctx, age)
}

func (l *link) Now(ctx context.Context) (time.Time, error) {
	if err := l.down("Now"); err != nil {
		return time.Time{}, err
	}
	return l.Store.Now(ctx)
}

func (l *link) Election() provider.Election { return linkElection{l} }

type linkElection struct{ l *link }

func (e linkElection) TryAcquire(ctx context.Context, req provider.LeaseRequest) (provider.LeaseAnswer, error) {
	if e.l.down("Election.TryAcquire") != nil {
		return provider.LeaseAnswer{}, &provider.Error{Code: provider.CodeElectionUnavailable, Err: errAway}
	}
	return e.l.Store.Election().TryAcquire(ctx, req)
}

func (e linkElection) Renew(ctx context.Context, resource, token string) (provider.LeaseAnswer, error) {
	if e.l.down("Election.Renew") != nil {
		return provider.LeaseAnswer{}, &provider.Error{Code: provider.CodeElectionUnavailable, Err: errAway}
	}
	return e.l.Store.Election().Renew(ctx, resource, token)
}

func (e linkElection) Release(ctx context.Context, resource, token string) error {
	if e.l.down("Election.Release") != nil {
		return &provider.Error{Code: provider.CodeElectionUnavailable, Err: errAway}
	}
	return e.l.Store.Election().Release(ctx, resource, token)
}

func (e linkElection) Inspect(ctx context.Context, resource string) (provider.LeaseAnswer, error) {
	if e.l.down("Election.Inspect") != nil {
		return provider.LeaseAnswer{}, &provider.Error{Code: provider.CodeElectionUnavailable, Err: errAway}
	}
	return e.l.Store.Election().Inspect(ctx, resource)
}
