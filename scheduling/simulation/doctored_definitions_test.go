package simulation

import (
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// doctoredDefinitions are the doctored histories of local jobs, of requests
// that expire, and of what is deleted and purged.
var doctoredDefinitions = []treated{
	{ruleLocal, "two local runs of a process overlap", again(func(e *event) bool {
		if e.handler == nil || e.handler.local == nil || e.handler.step != "start" {
			return false
		}
		e.handler.run = otherRun
		return true
	})},
	{ruleLocal, "an occurrence of a local job runs twice in a process", func(h []event) []event {
		for i := len(h) - 1; i >= 0; i-- {
			if s := h[i].handler; s != nil && s.step == "end" && s.job == "local" {
				k := slices.IndexFunc(h, func(e event) bool {
					return e.handler != nil && e.handler.run == s.run && e.handler.local != nil && e.handler.local.kind == provider.KindSchedule
				})
				if k < 0 {
					continue
				}
				second := cloned(h[k])
				second.handler.run = otherRun
				return slices.Insert(slices.Clone(h), i+1, second)
			}
		}
		return nil
	}},
	{ruleLocal, "a local run before its instant by its node's clock", edit(handles("start", func(e *event, s *handlerStep) bool {
		if s.local == nil {
			return false
		}
		l := *s.local
		l.clock = l.due.Add(-time.Millisecond)
		s.local = &l
		return l.kind == provider.KindSchedule
	}))},
	{ruleLocal, "a local run at an instant that its schedule does not name", edit(handles("start", func(e *event, s *handlerStep) bool {
		if s.local == nil || s.local.trigger != "cron" {
			return false
		}
		l := *s.local
		l.due, l.clock = l.due.Add(-3*time.Second), l.due
		s.local = &l
		return l.kind == provider.KindSchedule
	}))},
	{ruleLocal, "a local run is recorded by another process", edit(func(e *event) bool {
		ok := e.op == "Record"
		e.node = "nobody"
		return ok
	})},
	{ruleLocal, "a local retry that no failed run asks for", edit(handles("start", func(e *event, s *handlerStep) bool {
		if s.local == nil {
			return false
		}
		l := *s.local
		l.kind, l.attempt, l.retryOf = provider.KindRetry, 2, otherRun
		s.local = &l
		return true
	}))},
	{ruleEnding, "a local run that failed is recorded as Succeeded", edit(func(e *event) bool {
		for _, c := range e.runs {
			if c.after != nil && c.after.Job == "local" && c.after.State == provider.RunFailed {
				c.after.State = provider.RunSucceeded
				return true
			}
		}
		return false
	})},
	{ruleAccounted, "a process does not run its local jobs", func(h []event) []event {
		last := slices.IndexFunc(h, func(e event) bool { return e.op == "alive" })
		if last < 0 {
			return nil
		}
		node := h[last].node
		return without(h, func(e event) bool {
			return e.seq > h[last].seq && e.node == node && e.handler != nil && e.handler.job == "local"
		})
	}},
	{ruleExpired, "a request begins after it has expired", edit(func(e *event) bool {
		for k := range e.triggers {
			c := &e.triggers[k]
			if c.after == nil && len(e.runs) > 0 && provider.IsOneShot(c.before.Trigger) && e.op != "DeleteJobs" {
				c.before.ExpiresAt = e.now.Add(-time.Microsecond)
				return true
			}
		}
		return false
	})},
	{ruleExpired, "a request is dropped before it expires", edit(func(e *event) bool {
		for k := range e.triggers {
			c := &e.triggers[k]
			if c.after == nil && provider.IsOneShot(c.before.Trigger) && len(e.runs) == 1 {
				c.before.ExpiresAt = e.now
				e.runs = nil
				return true
			}
		}
		return false
	})},
	{rulePurge, "a young record is purged", again(ends(func(e *event, c *runChange) bool {
		e.op, c.before, c.after = "PurgeRuns", c.after, nil
		c.before.CompletedAt = e.now.Add(-retention)
		return true
	}))},
	{rulePurge, "a Running record is purged", edit(ends(func(e *event, c *runChange) bool {
		e.op, c.after = "PurgeRuns", nil
		c.before.CompletedAt = e.now.Add(-2 * retention)
		return true
	}))},
	{ruleDeleted, "a job goes that nobody deleted", edit(func(e *event) bool {
		for k := range e.jobs {
			if c := &e.jobs[k]; c.before != nil && c.after != nil {
				c.after = nil
				return true
			}
		}
		return false
	})},
	{ruleDeleted, "a trigger goes that nobody removed", edit(moves(func(e *event, t *triggerChange) bool {
		t.after = nil
		return !provider.IsOneShot(t.before.Trigger) && e.op == "Complete"
	}))},
	{ruleDeleted, "a job comes by itself", edit(func(e *event) bool {
		ok := len(e.jobs) > 0 && e.jobs[0].before == nil
		e.op = "Sweep"
		return ok
	})},
	{ruleNext, "a calendar is not asked", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		for at := run.ScheduledAt.Add(time.Second); ; at = at.Add(time.Second) {
			if at.Second()%12 == 0 {
				moved := !t.after.ScheduledAt.Equal(at)
				t.after.ScheduledAt, t.after.NextFireAt = at, at
				return moved && run.Job == "dated" && run.TriggerName == "odd"
			}
		}
	}))},
}
