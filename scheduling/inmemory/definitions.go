package inmemory

import (
	"context"
	"slices"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// defaultPage is the length of a page whose query names none.
const defaultPage = 1000

// DeleteJobs implements [provider.Definitions].
func (s *Store) DeleteJobs(ctx context.Context, names []string) ([]error, error) {
	return eachJob(ctx, s, "DeleteJobs", names, func(t *tx, job provider.JobRecord) {
		for _, row := range t.triggersOf(job.Name) {
			t.deleteTrigger(row.TriggerKey)
		}
		t.deleteJob(job.Name)
	})
}

// Jobs implements [provider.Definitions].
func (s *Store) Jobs(ctx context.Context, names []string) ([]provider.JobRecord, error) {
	if len(names) == 0 {
		return []provider.JobRecord{}, nil
	}
	return transact(ctx, s, "Jobs", func(t *tx) ([]provider.JobRecord, error) {
		jobs := []provider.JobRecord{}
		for _, name := range distinct(names, strings.Compare) {
			if job, ok := t.jobs[name]; ok {
				jobs = append(jobs, job)
			}
		}
		return jobs, nil
	})
}

// ListJobs implements [provider.Definitions].
func (s *Store) ListJobs(ctx context.Context, after string, limit int) ([]provider.JobRecord, error) {
	return transact(ctx, s, "ListJobs", func(t *tx) ([]provider.JobRecord, error) {
		jobs := []provider.JobRecord{}
		for name := range t.jobNames.after(after) {
			if len(jobs) == page(limit) {
				break
			}
			jobs = append(jobs, t.jobs[name])
		}
		return jobs, nil
	})
}

// Triggers implements [provider.Definitions].
func (s *Store) Triggers(ctx context.Context, keys []provider.TriggerKey) ([]provider.TriggerRecord, error) {
	if len(keys) == 0 {
		return []provider.TriggerRecord{}, nil
	}
	return transact(ctx, s, "Triggers", func(t *tx) ([]provider.TriggerRecord, error) {
		rows := []provider.TriggerRecord{}
		for _, key := range distinct(keys, provider.TriggerKey.Compare) {
			if row, ok := t.triggers[key]; ok {
				rows = append(rows, row)
			}
		}
		return rows, nil
	})
}

// ListTriggers implements [provider.Definitions].
func (s *Store) ListTriggers(ctx context.Context, query provider.TriggerQuery) ([]provider.TriggerRecord, error) {
	return transact(ctx, s, "ListTriggers", func(t *tx) ([]provider.TriggerRecord, error) {
		from := t.keys
		if len(query.Jobs) > 0 {
			from = newOrdered(comparePlaces)
			for _, job := range query.Jobs {
				for _, row := range t.triggersOf(job) {
					from.insert(keyPlace(row.TriggerKey))
				}
			}
		}
		after := keyPlace(query.After)
		if query.After == (provider.TriggerKey{}) {
			after = place{}
		}
		rows := []provider.TriggerRecord{}
		for p := range from.after(after) {
			if len(rows) == page(query.Limit) {
				break
			}
			row := t.triggers[p.key]
			if (len(query.States) == 0 || slices.Contains(query.States, row.State)) && (row.Local || !query.LocalOnly) &&
				(row.RunAs == provider.KindSchedule || !query.ScheduledOnly) {
				rows = append(rows, row)
			}
		}
		return rows, nil
	})
}

// AddTriggers implements [provider.Definitions].
func (s *Store) AddTriggers(ctx context.Context, triggers []provider.TriggerRecord) ([]error, error) {
	if len(triggers) == 0 {
		return nil, nil
	}
	return transact(ctx, s, "AddTriggers", func(t *tx) ([]error, error) {
		answers := make([]error, len(triggers))
		for i, trigger := range triggers {
			answers[i] = t.addTrigger(trigger)
		}
		return answers, nil
	})
}

func (t *tx) addTrigger(trigger provider.TriggerRecord) error {
	job, ok := t.jobs[trigger.Job]
	if !ok {
		return provider.NotFound(provider.CodeJobNotFound, trigger.Job)
	}
	if _, taken := t.triggers[trigger.TriggerKey]; taken {
		return provider.Invalidf("trigger %s exists: use another name, or remove it first",
			provider.Quote(trigger.TriggerKey.String()))
	}
	if err := provider.CheckNewTrigger(trigger); err != nil {
		return err
	}
	t.putTrigger(born(trigger, job))
	return nil
}

// RemoveTriggers implements [provider.Definitions].
func (s *Store) RemoveTriggers(ctx context.Context, keys []provider.TriggerKey) ([]error, error) {
	return eachTrigger(ctx, s, "RemoveTriggers", keys, func(t *tx, row provider.TriggerRecord) {
		t.deleteTrigger(row.TriggerKey)
	})
}

// Reschedule implements [provider.Definitions]. A next instant that leads
// nowhere, such as Waiting without NextFireAt, is not written.
func (s *Store) Reschedule(ctx context.Context, items []provider.RescheduleItem) ([]bool, error) {
	if len(items) == 0 {
		return nil, nil
	}
	return transact(ctx, s, "Reschedule", func(t *tx) ([]bool, error) {
		written := make([]bool, len(items))
		for i, item := range items {
			written[i] = t.reschedule(item)
		}
		return written, nil
	})
}

func (t *tx) reschedule(item provider.RescheduleItem) bool {
	row, ok := t.triggers[item.Key]
	if !ok || row.Version != item.Version {
		return false
	}
	switch row.State {
	case provider.TriggerWaiting, provider.TriggerPaused, provider.TriggerComplete, provider.TriggerError:
	default:
		return false
	}
	next := cutNext(item.Next)
	if !legalNext(next, false) {
		return false
	}
	stayed := row.State == provider.TriggerError && next.State == provider.TriggerError
	if row = moved(row, next); !stayed {
		row.ErrorCode, row.ErrorText = "", ""
	}
	t.putTrigger(row)
	return true
}

func page(limit int) int {
	if limit <= 0 {
		return defaultPage
	}
	return limit
}

// distinct returns the items sorted, each once.
func distinct[T comparable](items []T, compare func(a, b T) int) []T {
	return slices.Compact(slices.SortedFunc(slices.Values(items), compare))
}
