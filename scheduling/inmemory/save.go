package inmemory

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// SaveJobs implements [provider.Definitions]. Where several items have one
// name only the last is judged and written; the others answer what it does.
func (s *Store) SaveJobs(ctx context.Context, items []provider.SaveItem) ([]provider.SaveAnswer, error) {
	if len(items) == 0 {
		return nil, nil
	}
	last := make(map[string]int, len(items))
	for i, item := range items {
		if err := provider.CheckSave(item); err != nil {
			return nil, err
		}
		last[item.Job.Name] = i
	}
	return transact(ctx, s, "SaveJobs", func(t *tx) ([]provider.SaveAnswer, error) {
		answers := make([]provider.SaveAnswer, len(items))
		for i, item := range items {
			if last[item.Job.Name] == i {
				answers[i] = t.save(item)
			}
		}
		for i, item := range items {
			answers[i] = answers[last[item.Job.Name]]
		}
		return answers, nil
	})
}

// save writes one item, if its condition holds.
func (t *tx) save(item provider.SaveItem) provider.SaveAnswer {
	old, existed := t.jobs[item.Job.Name]
	answer := provider.SaveAnswer{Saved: true, Replaced: existed, Before: old}
	switch {
	case item.Condition == provider.IfAbsent && existed,
		item.Condition == provider.IfVersion && (!existed || old.Version != item.Version):
		answer.Saved = false
		return answer
	}
	job := item.Job
	job.ActiveRunID, job.Fence, job.Paused = old.ActiveRunID, old.Fence, old.Paused
	job.Timeout = cutDuration(job.Timeout)
	job.Retry.Delay, job.Retry.MaxDelay = cutDuration(job.Retry.Delay), cutDuration(job.Retry.MaxDelay)
	if exclusiveInCluster(job) && !exclusiveInCluster(old) {
		job.ActiveRunID = t.occupant(job.Name)
	}
	job = t.putJob(job)
	t.replaceTriggers(job, item)
	return answer
}

// exclusiveInCluster tells an exclusive job from a local one, whose runs
// occupy nothing (R206).
func exclusiveInCluster(job provider.JobRecord) bool { return exclusive(job) && !job.EveryInstance }

// occupant returns the newest Running run of a job that becomes exclusive, or
// "" if there is none; the others run on beside it (D12).
func (t *tx) occupant(job string) string {
	newest := ""
	for _, p := range t.running.head(t.running.len()) {
		run := t.runs[p.id]
		if run.Job != job {
			continue
		}
		if newest != "" {
			t.setAside(newest, true)
		}
		newest = run.ID // in order of start
	}
	if newest != "" {
		t.setAside(newest, false)
	}
	return newest
}

// setAside marks a run as one that occupies nothing, or the contrary. The
// record does not change.
func (t *tx) setAside(id string, aside bool) {
	row := t.runs[id]
	if old := row; old.aside != aside {
		t.undo = append(t.undo, func() { t.setRun(id, &old) })
		row.aside = aside
		t.setRun(id, &row)
	}
}

// replaceTriggers makes the job's triggers those of the item; one-shots stay
// (D10), with the job's exclusivity as their hint.
func (t *tx) replaceTriggers(job provider.JobRecord, item provider.SaveItem) {
	wanted := make(map[string]struct{}, len(item.Triggers))
	for _, trigger := range item.Triggers {
		wanted[trigger.Trigger] = struct{}{}
	}
	for _, row := range t.triggersOf(job.Name) {
		if _, stays := wanted[row.Trigger]; stays {
			continue
		}
		if !provider.IsOneShot(row.Trigger) {
			t.deleteTrigger(row.TriggerKey)
		} else if row.Exclusive != exclusive(job) {
			row.Exclusive = exclusive(job)
			t.putTrigger(row)
		}
	}
	for _, trigger := range item.Triggers {
		trigger.Job = job.Name
		row := born(trigger, job)
		if old, ok := t.triggers[row.TriggerKey]; ok {
			row = replaced(old, row, item.KeepProgress)
		}
		t.putTrigger(row)
	}
}

// born is a trigger as it starts: as the record says, without a claim, Paused
// in a paused job (D08).
func born(trigger provider.TriggerRecord, job provider.JobRecord) provider.TriggerRecord {
	row := unclaim(cutTrigger(trigger))
	row.Exclusive = exclusive(job)
	row.Paused = bornPaused(row.Trigger, job)
	if row.State == provider.TriggerWaiting || row.State == provider.TriggerPaused {
		row.State = waitingOrPaused(row.Paused)
		row.ErrorCode, row.ErrorText = "", ""
		if row.ScheduledAt.IsZero() {
			row.ScheduledAt = row.NextFireAt
		}
	}
	return row
}

// replaced is what becomes of a trigger whose name stays: with the same
// schedule text it keeps where it stands, with another at most its past and its flag (D12, R247,
// P01).
func replaced(old, row provider.TriggerRecord, keepProgress bool) provider.TriggerRecord {
	if old.Schedule == row.Schedule && old.Local == row.Local {
		row.State, row.Paused = old.State, old.Paused
		row.ClaimID, row.ClaimedBy, row.Incarnation, row.ClaimedAt = old.ClaimID, old.ClaimedBy, old.Incarnation, old.ClaimedAt
		row.ScheduledAt, row.NextFireAt = old.ScheduledAt, old.NextFireAt
		row.PrevFireAt, row.FireCount = old.PrevFireAt, old.FireCount
		row.ErrorCode, row.ErrorText, row.ZoneHash = old.ErrorCode, old.ErrorText, old.ZoneHash
	} else if keepProgress {
		row.PrevFireAt, row.FireCount, row.Paused = old.PrevFireAt, old.FireCount, old.Paused
		if row.State == provider.TriggerWaiting || row.State == provider.TriggerPaused {
			row.State = waitingOrPaused(row.Paused)
		}
	}
	return row
}
