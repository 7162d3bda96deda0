package inmemory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Runs implements [provider.History]. A page that is out of range is
// ErrInvalidPage.
func (s *Store) Runs(ctx context.Context, query provider.RunQuery) ([]provider.RunRecord, error) {
	if query.Skip < 0 || query.Limit < 1 || query.Limit > provider.MaxRunPage {
		return nil, &provider.Error{Code: provider.CodeInvalidPage, Reason: "Skip must be 0 or more, Limit 1 to 1000"}
	}
	return transact(ctx, s, "Runs", func(t *tx) ([]provider.RunRecord, error) {
		runs := []provider.RunRecord{}
		skip := query.Skip
		for p := range t.history.all() {
			run := t.runs[p.id].RunRecord
			switch {
			case !matches(query, run):
				continue
			case skip > 0:
				skip--
				continue
			}
			if runs = append(runs, run); len(runs) == query.Limit {
				break
			}
		}
		return runs, nil
	})
}

// CountRuns implements [provider.History].
func (s *Store) CountRuns(ctx context.Context, query provider.RunQuery) (int64, error) {
	return transact(ctx, s, "CountRuns", func(t *tx) (int64, error) {
		count := int64(0)
		for _, run := range t.runs {
			if matches(query, run.RunRecord) {
				count++
			}
		}
		return count, nil
	})
}

func matches(query provider.RunQuery, run provider.RunRecord) bool {
	return (query.Job == "" || run.Job == query.Job) &&
		(query.Trigger == "" || run.TriggerName == query.Trigger) &&
		(query.Node == "" || run.Node == query.Node) &&
		(len(query.States) == 0 || slices.Contains(query.States, run.State)) &&
		(query.From.IsZero() || !run.ScheduledAt.Before(query.From)) &&
		(query.To.IsZero() || run.ScheduledAt.Before(query.To)) &&
		(!query.WithError || run.ErrorCode != "") &&
		(!query.WithoutError || run.ErrorCode == "")
}

// RunsByID implements [provider.History].
func (s *Store) RunsByID(ctx context.Context, ids []string) ([]provider.RunRecord, error) {
	if len(ids) == 0 {
		return []provider.RunRecord{}, nil
	}
	return transact(ctx, s, "RunsByID", func(t *tx) ([]provider.RunRecord, error) {
		runs := []provider.RunRecord{}
		for _, id := range distinct(ids, strings.Compare) {
			if run, ok := t.runs[id]; ok {
				runs = append(runs, run.RunRecord)
			}
		}
		return runs, nil
	})
}

// RunningRuns implements [provider.History].
func (s *Store) RunningRuns(ctx context.Context, jobs []string) ([]provider.RunRecord, error) {
	return transact(ctx, s, "RunningRuns", func(t *tx) ([]provider.RunRecord, error) {
		runs := []provider.RunRecord{}
		for p := range t.running.all() {
			if run := t.runs[p.id]; len(jobs) == 0 || slices.Contains(jobs, run.Job) {
				runs = append(runs, run.RunRecord)
			}
		}
		return runs, nil
	})
}

// LatestRuns implements [provider.History].
func (s *Store) LatestRuns(ctx context.Context, jobs []string) ([]provider.RunRecord, error) {
	if len(jobs) == 0 {
		return []provider.RunRecord{}, nil
	}
	return transact(ctx, s, "LatestRuns", func(t *tx) ([]provider.RunRecord, error) {
		latest := make(map[string]string, len(jobs))
		for _, job := range jobs {
			latest[job] = ""
		}
		for p := range t.finished.all() { // the last one stays
			if job := t.runs[p.id].Job; has(latest, job) {
				latest[job] = p.id
			}
		}
		runs := []provider.RunRecord{}
		for _, job := range distinct(jobs, strings.Compare) {
			if run, ok := t.runs[latest[job]]; ok {
				runs = append(runs, run.RunRecord)
			}
		}
		return runs, nil
	})
}

func has[V any](rows map[string]V, key string) bool {
	_, ok := rows[key]
	return ok
}

// RequestCancel implements [provider.History].
func (s *Store) RequestCancel(ctx context.Context, ids []string) ([]error, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return transact(ctx, s, "RequestCancel", func(t *tx) ([]error, error) {
		answers := make([]error, len(ids))
		for i, id := range ids {
			run, ok := t.runs[id]
			switch {
			case !ok || run.State != provider.RunRunning:
				answers[i] = provider.NotFound(provider.CodeRunNotFound, id)
			case run.CancelRequestedAt.IsZero():
				run.CancelRequestedAt = t.now
				t.putRun(run)
			}
		}
		return answers, nil
	})
}

// PurgeRuns implements [provider.History].
func (s *Store) PurgeRuns(ctx context.Context, age time.Duration) (int64, error) {
	total := int64(0)
	if age <= 0 {
		return total, nil
	}
	for {
		deleted, err := transact(ctx, s, "PurgeRuns", func(t *tx) (int, error) { return t.purge(age), nil })
		total += int64(deleted)
		if err != nil || deleted < provider.MaxBatch {
			return total, err
		}
	}
}

// purge deletes one chunk of expired records (D27).
func (t *tx) purge(age time.Duration) (deleted int) {
	horizon := t.now.Add(-age)
	for _, p := range t.finished.head(provider.MaxBatch) {
		if !t.runs[p.id].CompletedAt.Before(horizon) {
			break
		}
		t.deleteRun(p.id)
		deleted++
	}
	return deleted
}
