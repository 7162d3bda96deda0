package inmemory

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// PauseJobs implements [provider.Pauser].
func (s *Store) PauseJobs(ctx context.Context, names []string) ([]error, error) {
	return eachJob(ctx, s, "PauseJobs", names, func(t *tx, job provider.JobRecord) { t.flagJob(job, true) })
}

// ResumeJobs implements [provider.Pauser].
func (s *Store) ResumeJobs(ctx context.Context, names []string) ([]error, error) {
	return eachJob(ctx, s, "ResumeJobs", names, func(t *tx, job provider.JobRecord) { t.flagJob(job, false) })
}

// PauseTriggers implements [provider.Pauser].
func (s *Store) PauseTriggers(ctx context.Context, keys []provider.TriggerKey) ([]error, error) {
	return eachTrigger(ctx, s, "PauseTriggers", keys, func(t *tx, row provider.TriggerRecord) { t.flagTrigger(row, true) })
}

// ResumeTriggers implements [provider.Pauser].
func (s *Store) ResumeTriggers(ctx context.Context, keys []provider.TriggerKey) ([]error, error) {
	return eachTrigger(ctx, s, "ResumeTriggers", keys, func(t *tx, row provider.TriggerRecord) { t.flagTrigger(row, false) })
}

// flagJob sets or clears the flag of a job and of all its triggers (D08).
func (t *tx) flagJob(job provider.JobRecord, paused bool) {
	if job.Paused != paused {
		job.Paused = paused
		t.putJob(job)
	}
	for _, row := range t.triggersOf(job.Name) {
		t.flagTrigger(row, paused)
	}
}

// flagTrigger sets or clears a trigger's flag. Waiting and Paused follow it;
// the other states keep it for their way out (D08).
func (t *tx) flagTrigger(row provider.TriggerRecord, paused bool) {
	if row.Paused == paused {
		return
	}
	row.Paused = paused
	if row.State == provider.TriggerWaiting || row.State == provider.TriggerPaused {
		row.State = waitingOrPaused(paused)
	}
	t.putTrigger(row)
}

// eachJob does one thing to each job named, in the order given; a name that
// comes twice is met as the first left it. Missing ones answer ErrJobNotFound.
func eachJob(ctx context.Context, s *Store, op string, names []string, do func(*tx, provider.JobRecord)) ([]error, error) {
	if len(names) == 0 {
		return nil, nil
	}
	return transact(ctx, s, op, func(t *tx) ([]error, error) {
		answers := make([]error, len(names))
		for i, name := range names {
			if job, ok := t.jobs[name]; ok {
				do(t, job)
			} else {
				answers[i] = provider.NotFound(provider.CodeJobNotFound, name)
			}
		}
		return answers, nil
	})
}

// eachTrigger is eachJob for triggers; missing ones answer ErrTriggerNotFound.
func eachTrigger(ctx context.Context, s *Store, op string, keys []provider.TriggerKey, do func(*tx, provider.TriggerRecord)) ([]error, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return transact(ctx, s, op, func(t *tx) ([]error, error) {
		answers := make([]error, len(keys))
		for i, key := range keys {
			if row, ok := t.triggers[key]; ok {
				do(t, row)
			} else {
				answers[i] = provider.NotFound(provider.CodeTriggerNotFound, key.String())
			}
		}
		return answers, nil
	})
}
