package gormsched

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// DeleteJobs deletes jobs with all their triggers (R229). A claim of one of the
// triggers finds it gone; a one-shot that an application's transaction holds
// uncommitted becomes an orphan when that commits (D10).
func (s *JobStore) DeleteJobs(ctx context.Context, names []string) ([]error, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var found map[string]*jobView
	deleted := map[string]bool{} // by a commit that was not answered
	err := s.core.inTx(ctx, "deleting jobs", txManage, func(t *tx) (err error) {
		if found, err = t.holdJobsAlone(sortedUnique(names)); err != nil {
			return err
		}
		there := sortedKeys(found)
		keys, err := t.holdTriggersOf(there, func(triggerOf) bool { return true })
		if err != nil {
			return err
		}
		if err := t.deleteTriggers(sortedKeys(keys)); err != nil {
			return err
		}
		_, err = t.deleteRows(dialects.Delete{Table: t.c.t.jobs, Key: sourceColumns("job_name")[0], Keys: anys(there)})
		return err
	}, func(context.Context) (bool, error) {
		for name := range found {
			deleted[name] = true
		}
		return false, errRepeat
	})
	if err != nil {
		return nil, err
	}
	return perJob(names, func(name string) bool { return found[name] != nil || deleted[name] }), nil
}

// holdTriggersOf locks and reads those triggers of jobs that wanted picks.
func (t *tx) holdTriggersOf(jobs []string, wanted func(triggerOf) bool) (map[string]provider.TriggerRecord, error) {
	listed, err := t.triggersOf(jobs)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, row := range listed {
		if wanted(row) {
			keys = append(keys, row.key)
		}
	}
	return t.holdTriggers(keys)
}

// AddTriggers adds triggers to jobs that exist (D38). The job's row is locked:
// its flag says how they are born (D08).
func (s *JobStore) AddTriggers(ctx context.Context, triggers []provider.TriggerRecord) ([]error, error) {
	if len(triggers) == 0 {
		return nil, nil
	}
	keys := make([]provider.TriggerKey, len(triggers))
	for i, tr := range triggers {
		keys[i] = tr.TriggerKey
	}
	var answers []error
	var inserted map[string]int64
	mine := map[string]int64{} // versions that a commit that was not answered drew
	err := s.core.inTx(ctx, "adding triggers", txManage, func(t *tx) error {
		answers, inserted = make([]error, len(triggers)), map[string]int64{}
		jobs, err := t.holdJobs(jobsOf(keys))
		if err != nil {
			return err
		}
		there, err := t.holdTriggers(textKeys(keys))
		if err != nil {
			return err
		}
		var rows []provider.TriggerRecord
		for i, tr := range triggers {
			key := tr.TriggerKey.String()
			old, taken := there[key]
			_, twice := inserted[key]
			switch {
			case jobs[tr.Job] == nil:
				answers[i] = provider.NotFound(provider.CodeJobNotFound, tr.Job)
			case taken && mine[key] == old.Version:
				inserted[key] = old.Version // the lost commit took effect
			case taken, twice:
				answers[i] = provider.Invalidf("trigger %s exists: choose another name, or remove it first", provider.Quote(key))
			default:
				if answers[i] = provider.CheckNewTrigger(tr); answers[i] != nil {
					continue
				}
				row := bornDefinition(tr, jobs[tr.Job].record)
				if row.Version, err = t.newVersion(0); err != nil {
					return err
				}
				inserted[key] = row.Version
				rows = append(rows, row)
			}
		}
		return t.insertTriggers(rows)
	}, func(context.Context) (bool, error) {
		for key, version := range inserted {
			mine[key] = version
		}
		return false, errRepeat
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// RemoveTriggers deletes triggers, claimed ones and one-shots included (D38). A
// job that loses its due trigger so hands back what is Blocked (D35).
func (s *JobStore) RemoveTriggers(ctx context.Context, keys []provider.TriggerKey) ([]error, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var found map[string]provider.TriggerRecord
	removed := map[string]bool{} // by a commit that was not answered
	err := s.core.inTx(ctx, "removing triggers", txManage, func(t *tx) error {
		jobs, err := t.holdJobs(jobsOf(keys))
		if err != nil {
			return err
		}
		if found, err = t.holdTriggers(textKeys(keys)); err != nil {
			return err
		}
		if err := t.deleteTriggers(sortedKeys(found)); err != nil {
			return err
		}
		_, err = t.handBack(sortedKeys(jobs))
		return err
	}, func(context.Context) (bool, error) {
		for key := range found {
			removed[key] = true
		}
		return false, errRepeat
	})
	if err != nil {
		return nil, err
	}
	return perTrigger(keys, func(key string) bool {
		_, ok := found[key]
		return ok || removed[key]
	}), nil
}

// Reschedule moves triggers that nobody holds to another next instant, each
// only if its version is still the one given (D14, D43). A next that leads
// nowhere, such as Waiting without an instant, is not written.
func (s *JobStore) Reschedule(ctx context.Context, items []provider.RescheduleItem) ([]bool, error) {
	if len(items) == 0 {
		return nil, nil
	}
	keys := make([]provider.TriggerKey, len(items))
	for i, item := range items {
		keys[i] = item.Key
	}
	var written []bool
	var drawn map[string]int64
	mine := map[string]int64{} // versions that a commit that was not answered drew
	err := s.core.inTx(ctx, "rescheduling triggers", txManage, func(t *tx) error {
		written, drawn = make([]bool, len(items)), map[string]int64{}
		jobs, err := t.holdJobs(jobsOf(keys))
		if err != nil {
			return err
		}
		held, err := t.holdTriggers(textKeys(keys))
		if err != nil {
			return err
		}
		var rows []provider.TriggerRecord
		for i, item := range items {
			key := item.Key.String()
			old, ok := held[key]
			if ok && mine[key] != 0 && mine[key] == old.Version {
				written[i], drawn[key] = true, old.Version
				continue
			}
			if !ok || old.Version != item.Version || !movable(old.State) || !legalNext(item.Next) {
				continue
			}
			row := rescheduled(old, item.Next)
			if row.Version, err = t.newVersion(old.Version); err != nil {
				return err
			}
			rows = append(rows, row)
			written[i], drawn[key], held[key] = true, row.Version, row
		}
		if err := t.setTriggers(rows); err != nil {
			return err
		}
		_, err = t.handBack(sortedKeys(jobs))
		return err
	}, func(context.Context) (bool, error) {
		for key, version := range drawn {
			mine[key] = version
		}
		return false, errRepeat
	})
	if err != nil {
		return nil, err
	}
	return written, nil
}

// movable reports whether nobody holds a trigger in this state.
func movable(state provider.TriggerState) bool {
	return state == provider.TriggerWaiting || state == provider.TriggerPaused ||
		state == provider.TriggerComplete || state == provider.TriggerError
}

// legalNext reports whether a trigger can be led on from there.
func legalNext(next provider.Next) bool {
	return next.State == provider.TriggerWaiting && !next.NextFireAt.IsZero() ||
		next.State == provider.TriggerComplete || next.State == provider.TriggerError
}

// rescheduled is a trigger with its new next instant; an error stays with one
// that stays in Error.
func rescheduled(r provider.TriggerRecord, next provider.Next) provider.TriggerRecord {
	if r.State != provider.TriggerError || next.State != provider.TriggerError {
		r.ErrorCode, r.ErrorText = "", ""
	}
	r = unclaimed(r)
	r.State, r.ZoneHash = next.State, next.ZoneHash
	r.ScheduledAt, r.NextFireAt = time.Time{}, time.Time{}
	if next.State == provider.TriggerWaiting {
		r.State = waitingOrPaused(r)
		r.ScheduledAt, r.NextFireAt = cut(next.ScheduledAt), cut(next.NextFireAt)
		if r.ScheduledAt.IsZero() {
			r.ScheduledAt = r.NextFireAt
		}
	}
	return r
}
