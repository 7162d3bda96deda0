package scheduling

import (
	"context"
	"log/slog"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// mend returns triggers in state Error to Waiting that this node can run by
// now: in a rolling deploy a node of the old program puts them there after the
// new one has started (D14).
func (s *Scheduler) mend() error {
	rules := s.rules()
	call, cancel := s.call(callLimit)
	now, err := s.store.Now(call)
	cancel()
	if err != nil {
		return err
	}
	query := provider.TriggerQuery{States: []provider.TriggerState{provider.TriggerError}}
	return s.eachPage(query, func(page []provider.TriggerRecord) ([]provider.RescheduleItem, error) {
		names := make([]string, len(page))
		for i, t := range page {
			names[i] = t.Job
		}
		call, cancel := s.call(callLimit)
		defer cancel()
		found, err := s.store.Jobs(call, names)
		if err != nil {
			return nil, err
		}
		jobs := make(map[string]provider.JobRecord, len(found))
		for _, job := range found {
			jobs[job.Name] = job
		}
		return moved(page, func(t provider.TriggerRecord) (provider.Next, bool) {
			next, ok := rules.Revive(t, jobs[t.Job], now)
			if ok {
				s.log.Info("scheduling: the trigger can run again", slog.String("job", t.Job),
					slog.String("trigger", t.Trigger), slog.String("was", t.ErrorCode))
			}
			return next, ok
		}), nil
	})
}

// upkeepTurn does the leader's work that nobody waits for, each task by itself,
// and again in the next period where it failed (B149): purging the history
// (R255) and, once per term of office, computing anew what other zone data than
// this node's had been used for (D43).
func (s *Scheduler) upkeepTurn(ctx context.Context) bool {
	if !s.upkeep.wait(ctx, s.clock, passFloor) {
		return false
	}
	s.upkeep.by(s.clock.Now().Add(min(s.opts.HousekeepingInterval, s.opts.RenewInterval)))
	if !s.IsLeader() {
		return true
	}
	purge, rezone := s.lease.upkeepDue(s.clock.Now())
	if purge {
		err := s.purge(ctx)
		s.outcome("purge", err)
		s.lease.noteUpkeep(s.clock.Now(), err == nil, false)
	}
	if rezone {
		err := s.asideIfForeign(&s.rezoning, s.rezone)
		s.outcome("recompute by zone data", err)
		s.lease.noteUpkeep(s.clock.Now(), false, err == nil)
	}
	return true
}

func (s *Scheduler) purge(ctx context.Context) error {
	if s.opts.HistoryRetention <= 0 { // R286: kept for ever
		return nil
	}
	call, cancel := context.WithTimeout(ctx, max(s.opts.HousekeepingInterval, callLimit))
	defer cancel()
	n, err := s.store.PurgeRuns(call, s.opts.HistoryRetention)
	if n > 0 {
		s.log.Info("scheduling: purged the history", slog.Int64("runs", n))
	}
	if ctx.Err() != nil {
		return nil // the scheduler stops
	}
	return err
}

// rezone computes anew the next of triggers whose zone this machine knows other
// changes of.
func (s *Scheduler) rezone() error {
	rules := s.rules()
	call, cancel := s.call(callLimit)
	now, err := s.store.Now(call)
	cancel()
	if err != nil {
		return err
	}
	query := provider.TriggerQuery{ScheduledOnly: true, States: []provider.TriggerState{provider.TriggerWaiting, provider.TriggerPaused}}
	return s.eachPage(query, func(page []provider.TriggerRecord) ([]provider.RescheduleItem, error) {
		return moved(page, func(t provider.TriggerRecord) (provider.Next, bool) {
			if t.Local {
				return provider.Next{}, false
			}
			next, ok := rules.Rezone(t, now)
			if ok {
				s.log.Info("scheduling: computed the next anew, the zone's data differ", slog.String("job", t.Job),
					slog.String("trigger", t.Trigger), slog.Time("was", t.ScheduledAt), slog.Time("next", next.ScheduledAt))
			}
			return next, ok
		}), nil
	})
}

// passBy moves scheduled triggers of an unshared store on that no leader has
// run for longer than a change of leadership takes (D42).
func (s *Scheduler) passBy() {
	patience := s.opts.LeaseTTL + s.opts.MisfireThreshold
	call, cancel := s.call(callLimit)
	due, err := s.store.Due(call, provider.DueRequest{})
	cancel()
	if err != nil || due.NextDue.IsZero() || due.Now.Sub(due.NextDue) <= patience {
		return
	}
	rules := s.rules()
	query := provider.TriggerQuery{ScheduledOnly: true, States: []provider.TriggerState{provider.TriggerWaiting}}
	s.outcome("pass by", s.asideIfForeign(&s.passing, func() error {
		return s.eachPage(query, func(page []provider.TriggerRecord) ([]provider.RescheduleItem, error) {
			return moved(page, func(t provider.TriggerRecord) (provider.Next, bool) {
				if t.Local {
					return provider.Next{}, false
				}
				return rules.PassBy(t, due.Now, patience)
			}), nil
		})
	}))
}

// moved are the triggers of a page for which next gives another occurrence.
func moved(page []provider.TriggerRecord, next func(provider.TriggerRecord) (provider.Next, bool)) []provider.RescheduleItem {
	var items []provider.RescheduleItem
	for _, t := range page {
		if n, ok := next(t); ok {
			items = append(items, provider.RescheduleItem{Key: t.TriggerKey, Version: t.Version, Next: n})
		}
	}
	return items
}

// eachPage moves triggers page by page; one that has changed since it was read
// is left to the next time.
func (s *Scheduler) eachPage(query provider.TriggerQuery, move func([]provider.TriggerRecord) ([]provider.RescheduleItem, error)) error {
	for {
		call, cancel := s.call(callLimit)
		page, err := s.store.ListTriggers(call, query)
		cancel()
		if err != nil || len(page) == 0 {
			return err
		}
		query.After = page[len(page)-1].TriggerKey
		items, err := move(page)
		if err != nil {
			return err
		}
		if len(items) == 0 {
			continue
		}
		call, cancel = s.call(callLimit)
		done, err := s.store.Reschedule(call, items)
		cancel()
		if err != nil {
			return err
		}
		for i, ok := range done {
			if ok && items[i].Next.State == provider.TriggerWaiting {
				s.dueAt(items[i].Next.NextFireAt)
			}
		}
	}
}
