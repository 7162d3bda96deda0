package inmemory

import (
	"context"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Enqueue implements [provider.Enqueuer].
func (s *Store) Enqueue(ctx context.Context, triggers []provider.TriggerRecord) ([]provider.EnqueueAnswer, error) {
	if len(triggers) == 0 {
		return nil, nil
	}
	return transact(ctx, s, "Enqueue", func(t *tx) ([]provider.EnqueueAnswer, error) {
		answers := make([]provider.EnqueueAnswer, 0, len(triggers))
		for _, trigger := range triggers {
			answers = append(answers, t.enqueue(trigger))
		}
		return answers, nil
	})
}

func (t *tx) enqueue(trigger provider.TriggerRecord) provider.EnqueueAnswer {
	answer := provider.EnqueueAnswer{Key: trigger.TriggerKey}
	if answer.Err = provider.CheckOneShot(trigger); answer.Err != nil {
		return answer
	}
	job, ok := t.jobs[trigger.Job]
	if !ok {
		answer.Err = provider.NotFound(provider.CodeJobNotFound, trigger.Job)
		return answer
	}
	if old, exists := t.triggers[trigger.TriggerKey]; exists {
		answer.DueAt, answer.Existed = old.NextFireAt, true
		return answer
	}
	trigger.ScheduledAt = trigger.NextFireAt
	answer.DueAt = t.putTrigger(t.oneShot(trigger, job, false)).NextFireAt
	return answer
}

// insertOneShot inserts a retry- or recovery- one-shot, unless a trigger of
// its name exists or its job is gone; born Paused in a paused job (D11). It
// returns the key, zero where nothing was inserted.
func (t *tx) insertOneShot(trigger provider.TriggerRecord) (inserted provider.TriggerKey) {
	job, ok := t.jobs[trigger.Job]
	if !ok {
		return inserted
	}
	if _, exists := t.triggers[trigger.TriggerKey]; exists {
		return inserted
	}
	return t.putTrigger(t.oneShot(trigger, job, bornPaused(trigger.Trigger, job))).TriggerKey
}

// bornPaused reports whether a trigger of this name is born Paused: in a
// paused job all are, but those that were asked for by hand (D11).
func bornPaused(trigger string, job provider.JobRecord) bool {
	return job.Paused && !strings.HasPrefix(trigger, provider.PrefixManual)
}

// oneShot is a one-shot as it is born: due now where it names no instant.
func (t *tx) oneShot(trigger provider.TriggerRecord, job provider.JobRecord, paused bool) provider.TriggerRecord {
	row := unclaim(cutTrigger(trigger))
	if row.NextFireAt.IsZero() {
		row.NextFireAt = t.now
	}
	if row.ScheduledAt.IsZero() {
		row.ScheduledAt = row.NextFireAt
	}
	row.ErrorCode, row.ErrorText = "", ""
	row.Exclusive = exclusive(job)
	row.Paused = paused
	row.State = waitingOrPaused(paused)
	return row
}

func cutTrigger(row provider.TriggerRecord) provider.TriggerRecord {
	row.ScheduledAt, row.NextFireAt, row.PrevFireAt = cut(row.ScheduledAt), cut(row.NextFireAt), cut(row.PrevFireAt)
	row.ClaimedAt, row.ExpiresAt = cut(row.ClaimedAt), cut(row.ExpiresAt)
	return row
}
