package simulation

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The calls that the engine makes in the simulation, each through the link. Calls
// that several goroutines make at one instant are told apart by what they are
// about, so that each has its own fate whichever comes first.

func (l *link) Acquire(ctx context.Context, req provider.AcquireRequest) (provider.AcquireAnswer, error) {
	answer, err := through(ctx, l, "Acquire", func(ctx context.Context) (provider.AcquireAnswer, error) { return l.Store.Acquire(ctx, req) })
	var keys []provider.TriggerKey
	for _, c := range answer.Claimed {
		keys = append(keys, c.Trigger.TriggerKey)
	}
	l.claimed(keys)
	return answer, err
}

func (l *link) Claim(ctx context.Context, req provider.ClaimRequest) (provider.ClaimAnswer, error) {
	defer l.besides()()
	about := fmt.Sprintf("Claim %d %v", req.Limit, req.ExcludeJobs)
	return through(ctx, l, about, func(ctx context.Context) (provider.ClaimAnswer, error) { return l.Store.Claim(ctx, req) })
}

func (l *link) Begin(ctx context.Context, req provider.BeginRequest) (provider.BeginAnswer, error) {
	about := ""
	if len(req.Items) > 0 {
		about = l.ledger.out.plain(req.Items[0].Key)
	}
	return through(ctx, l, "Begin "+about, func(ctx context.Context) (provider.BeginAnswer, error) { return l.Store.Begin(ctx, req) })
}

func (l *link) Start(ctx context.Context, req provider.StartRequest) (provider.BeginAnswer, error) {
	return through(ctx, l, "Start", func(ctx context.Context) (provider.BeginAnswer, error) { return l.Store.Start(ctx, req) })
}

func (l *link) Complete(ctx context.Context, req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	about := ""
	if len(req.Items) > 0 {
		about = l.ledger.out.name(req.Items[0].RunID)
	}
	return through(ctx, l, "Complete "+about, func(ctx context.Context) (provider.CompleteAnswer, error) { return l.Store.Complete(ctx, req) })
}

func (l *link) Release(ctx context.Context, req provider.ReleaseRequest) (int, error) {
	return through(ctx, l, "Release", func(ctx context.Context) (int, error) { return l.Store.Release(ctx, req) })
}

func (l *link) Inflight(ctx context.Context, req provider.NodeRef) (provider.InflightAnswer, error) {
	return through(ctx, l, "Inflight", func(ctx context.Context) (provider.InflightAnswer, error) { return l.Store.Inflight(ctx, req) })
}

func (l *link) Due(ctx context.Context, req provider.DueRequest) (provider.DueAnswer, error) {
	return through(ctx, l, "Due", func(ctx context.Context) (provider.DueAnswer, error) { return l.Store.Due(ctx, req) })
}

func (l *link) Register(ctx context.Context, req provider.RegisterRequest) (provider.RegisterAnswer, error) {
	return through(ctx, l, "Register", func(ctx context.Context) (provider.RegisterAnswer, error) { return l.Store.Register(ctx, req) })
}

func (l *link) Heartbeat(ctx context.Context, req provider.NodeRef) (provider.HeartbeatAnswer, error) {
	return through(ctx, l, "Heartbeat", func(ctx context.Context) (provider.HeartbeatAnswer, error) { return l.Store.Heartbeat(ctx, req) })
}

func (l *link) ListNodes(ctx context.Context) (provider.HeartbeatAnswer, error) {
	return through(ctx, l, "ListNodes", func(ctx context.Context) (provider.HeartbeatAnswer, error) { return l.Store.ListNodes(ctx) })
}

func (l *link) Convict(ctx context.Context, req provider.NodeRecord) (bool, error) {
	return through(ctx, l, "Convict", func(ctx context.Context) (bool, error) { return l.Store.Convict(ctx, req) })
}

func (l *link) Deregister(ctx context.Context, req provider.NodeRef) (bool, error) {
	return through(ctx, l, "Deregister", func(ctx context.Context) (bool, error) { return l.Store.Deregister(ctx, req) })
}

func (l *link) Sweep(ctx context.Context, req provider.SweepRequest) (provider.SweepAnswer, error) {
	return through(ctx, l, "Sweep", func(ctx context.Context) (provider.SweepAnswer, error) { return l.Store.Sweep(ctx, req) })
}

func (l *link) Jobs(ctx context.Context, req []string) ([]provider.JobRecord, error) {
	return through(ctx, l, "Jobs "+strings.Join(req, " "), func(ctx context.Context) ([]provider.JobRecord, error) { return l.Store.Jobs(ctx, req) })
}

func (l *link) Triggers(ctx context.Context, req []provider.TriggerKey) ([]provider.TriggerRecord, error) {
	return through(ctx, l, "Triggers", func(ctx context.Context) ([]provider.TriggerRecord, error) { return l.Store.Triggers(ctx, req) })
}

func (l *link) SaveJobs(ctx context.Context, req []provider.SaveItem) ([]provider.SaveAnswer, error) {
	return through(ctx, l, "SaveJobs", func(ctx context.Context) ([]provider.SaveAnswer, error) {
		asked := &request{}
		for _, item := range req {
			if item.KeepProgress {
				asked.jobs = append(asked.jobs, item.Job.Name)
			}
		}
		l.ledger.asked = asked
		return l.Store.SaveJobs(ctx, req)
	})
}

func (l *link) ListTriggers(ctx context.Context, req provider.TriggerQuery) ([]provider.TriggerRecord, error) {
	rows, err := through(ctx, l, fmt.Sprint("ListTriggers ", req.LocalOnly, req.Jobs, req.States), func(ctx context.Context) ([]provider.TriggerRecord, error) { return l.Store.ListTriggers(ctx, req) })
	if err == nil && req.LocalOnly && len(rows) > 0 {
		l.ledger.out.add(event{at: time.Now(), node: l.node, op: "local read"})
	}
	return rows, err
}

func (l *link) Reschedule(ctx context.Context, req []provider.RescheduleItem) ([]bool, error) {
	return through(ctx, l, "Reschedule", func(ctx context.Context) ([]bool, error) { return l.Store.Reschedule(ctx, req) })
}

func (l *link) Enqueue(ctx context.Context, req []provider.TriggerRecord) ([]provider.EnqueueAnswer, error) {
	return through(ctx, l, "Enqueue", func(ctx context.Context) ([]provider.EnqueueAnswer, error) { return l.Store.Enqueue(ctx, req) })
}

func (l *link) RequestCancel(ctx context.Context, req []string) ([]error, error) {
	return through(ctx, l, "RequestCancel", func(ctx context.Context) ([]error, error) { return l.Store.RequestCancel(ctx, req) })
}

func (l *link) RunningRuns(ctx context.Context, req []string) ([]provider.RunRecord, error) {
	return through(ctx, l, "RunningRuns", func(ctx context.Context) ([]provider.RunRecord, error) { return l.Store.RunningRuns(ctx, req) })
}

func (l *link) PurgeRuns(ctx context.Context, req time.Duration) (int64, error) {
	return through(ctx, l, "PurgeRuns", func(ctx context.Context) (int64, error) { return l.Store.PurgeRuns(ctx, req) })
}

func (l *link) Now(ctx context.Context) (time.Time, error) {
	return through(ctx, l, "Now", func(ctx context.Context) (time.Time, error) { return l.Store.Now(ctx) })
}

func (l *link) Runs(ctx context.Context, req provider.RunQuery) ([]provider.RunRecord, error) {
	return through(ctx, l, "Runs", func(ctx context.Context) ([]provider.RunRecord, error) { return l.Store.Runs(ctx, req) })
}

func (l *link) RunsByID(ctx context.Context, req []string) ([]provider.RunRecord, error) {
	return through(ctx, l, "RunsByID", func(ctx context.Context) ([]provider.RunRecord, error) { return l.Store.RunsByID(ctx, req) })
}

func (l *link) LatestRuns(ctx context.Context, req []string) ([]provider.RunRecord, error) {
	return through(ctx, l, "LatestRuns", func(ctx context.Context) ([]provider.RunRecord, error) { return l.Store.LatestRuns(ctx, req) })
}

func (l *link) Record(ctx context.Context, runs []provider.RunRecord) error {
	return through0(ctx, l, "Record", func(ctx context.Context) error { return l.Store.Record(ctx, runs) })
}

func (l *link) AddTriggers(ctx context.Context, req []provider.TriggerRecord) ([]error, error) {
	return through(ctx, l, "AddTriggers", func(ctx context.Context) ([]error, error) { return l.Store.AddTriggers(ctx, req) })
}

func (l *link) RemoveTriggers(ctx context.Context, req []provider.TriggerKey) ([]error, error) {
	return through(ctx, l, "RemoveTriggers", func(ctx context.Context) ([]error, error) { return l.Store.RemoveTriggers(ctx, req) })
}

func (l *link) DeleteJobs(ctx context.Context, req []string) ([]error, error) {
	return through(ctx, l, "DeleteJobs", func(ctx context.Context) ([]error, error) { return l.Store.DeleteJobs(ctx, req) })
}

func (l *link) ListJobs(ctx context.Context, after string, limit int) ([]provider.JobRecord, error) {
	return through(ctx, l, "ListJobs", func(ctx context.Context) ([]provider.JobRecord, error) { return l.Store.ListJobs(ctx, after, limit) })
}

func (l *link) CountRuns(ctx context.Context, req provider.RunQuery) (int64, error) {
	return through(ctx, l, "CountRuns", func(ctx context.Context) (int64, error) { return l.Store.CountRuns(ctx, req) })
}

func (l *link) Election() provider.Election { return linkElection{l, l.Store.Election()} }

type linkElection struct {
	l  *link
	to provider.Election
}

func (e linkElection) TryAcquire(ctx context.Context, req provider.LeaseRequest) (provider.LeaseAnswer, error) {
	return through(ctx, e.l, "Election.TryAcquire", func(ctx context.Context) (provider.LeaseAnswer, error) { return e.to.TryAcquire(ctx, req) })
}

func (e linkElection) Renew(ctx context.Context, resource, token string) (provider.LeaseAnswer, error) {
	return through(ctx, e.l, "Election.Renew", func(ctx context.Context) (provider.LeaseAnswer, error) { return e.to.Renew(ctx, resource, token) })
}

func (e linkElection) Release(ctx context.Context, resource, token string) error {
	return through0(ctx, e.l, "Election.Release", func(ctx context.Context) error { return e.to.Release(ctx, resource, token) })
}

func (e linkElection) Inspect(ctx context.Context, resource string) (provider.LeaseAnswer, error) {
	return through(ctx, e.l, "Election.Inspect", func(ctx context.Context) (provider.LeaseAnswer, error) { return e.to.Inspect(ctx, resource) })
}
