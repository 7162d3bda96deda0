package simulation

import (
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// doctoredPauses are the doctored histories of pauses and resumes.
var doctoredPauses = []treated{
	{rulePaused, "a paused trigger begins that nobody resumed", func(h []event) []event {
		return flagged("Resume", func(e *event, k int) bool {
			if len(e.triggers) != 1 || e.triggers[0].before.State != provider.TriggerPaused || provider.IsOneShot(e.triggers[0].after.Trigger) {
				return false
			}
			e.op, e.asked, e.triggers, e.jobs = "note", nil, nil, nil
			return true
		})(h)
	}},
	{rulePaused, "a pause is answered and a trigger goes on", flagged("Pause", func(e *event, k int) bool {
		e.triggers = slices.Delete(e.triggers, k, k+1)
		return true
	})},
	{rulePaused, "a resume is answered and a trigger stays paused", flagged("Resume", func(e *event, k int) bool {
		e.triggers = slices.Delete(e.triggers, k, k+1)
		return true
	})},
	{rulePaused, "a pause of a claimed trigger is forgotten", flagged("Pause", func(e *event, k int) bool {
		t := e.triggers[k].after
		ok := t.State == provider.TriggerAcquired || t.State == provider.TriggerBlocked
		t.Paused = false
		return ok
	})},
	{rulePaused, "a pause takes a trigger that it does not name", flagged("PauseTriggers", func(e *event, k int) bool {
		key := e.triggers[k].after.TriggerKey
		e.asked.triggers = slices.DeleteFunc(e.asked.triggers, func(asked provider.TriggerKey) bool { return asked == key })
		return true
	})},
	{rulePaused, "a pause of a trigger pauses its job", edit(func(e *event) bool {
		ok := e.op == "PauseJobs" && len(e.jobs) > 0
		e.op = "PauseTriggers"
		return ok
	})},
	{rulePaused, "a resume takes a trigger that it does not name", flagged("ResumeTriggers", func(e *event, k int) bool {
		e.asked.triggers = nil
		return true
	})},
	{rulePaused, "a pause refuses a trigger that is there", edit(func(e *event) bool {
		for i := range e.asked.all() {
			if e.answered && e.asked.refused[i] == nil {
				e.asked.refused[i] = provider.ErrTriggerNotFound
				return true
			}
		}
		return false
	})},
	{rulePaused, "a pause is answered for a trigger that is not there", edit(func(e *event) bool {
		for i := range e.asked.all() {
			if e.answered && e.asked.refused[i] != nil {
				e.asked.refused[i] = nil
				return true
			}
		}
		return false
	})},
	{rulePaused, "the end of a run clears the flag", edit(func(e *event) bool {
		for k := range e.triggers {
			if t := &e.triggers[k]; e.op == "Complete" && t.before != nil && t.after != nil && t.before.Paused && t.after.State == provider.TriggerPaused {
				t.after.Paused, t.after.State = false, provider.TriggerWaiting
				return true
			}
		}
		return false
	})},
	{ruleNext, "an interval whose run ends in a pause waits", edit(ends(func(e *event, c *runChange) bool {
		for k := range e.triggers {
			if t := &e.triggers[k]; t.before != nil && t.after != nil && flying(*t.before) && t.after.State == provider.TriggerPaused {
				t.after.State = provider.TriggerWaiting
				return true
			}
		}
		return false
	}))},
	{rulePaused, "a replacement clears the flag of a job", edit(func(e *event) bool {
		for k := range e.jobs {
			if c := &e.jobs[k]; e.op == "SaveJobs" && c.before != nil && c.after != nil && c.before.Paused {
				c.after.Paused = false
				return true
			}
		}
		return false
	})},
	{rulePaused, "an older definition comes back and a paused trigger with another schedule runs", edit(func(e *event) bool {
		for k := range e.triggers {
			t := &e.triggers[k]
			if e.op == "SaveJobs" && t.before != nil && t.after != nil && t.before.Schedule != t.after.Schedule {
				t.after.Paused = !t.after.Paused
				return true
			}
		}
		return false
	})},
	{rulePaused, "a trigger is born Paused in a job that is not", edit(func(e *event) bool {
		for k := range e.triggers {
			if t := &e.triggers[k]; t.before == nil && !provider.IsOneShot(t.after.Trigger) && !t.after.Paused {
				t.after.Paused, t.after.State = true, provider.TriggerPaused
				return true
			}
		}
		return false
	})},
	{ruleAccounted, "a resume loses the occurrence that was missed", flagged("Resume", func(e *event, k int) bool {
		t := e.triggers[k].after
		ok := strings.Contains(t.Schedule, "cron") && t.State == provider.TriggerWaiting && t.ScheduledAt.Before(e.now)
		for t.ScheduledAt.Before(e.now) {
			t.ScheduledAt = t.ScheduledAt.Add(time.Minute)
		}
		t.NextFireAt = t.ScheduledAt
		return ok
	})},
	{ruleAccounted, "a pause leaves a trigger without an instant", flagged("Pause", func(e *event, k int) bool {
		t := e.triggers[k].after
		t.ScheduledAt, t.NextFireAt = time.Time{}, time.Time{}
		return t.State == provider.TriggerPaused && !t.Local
	})},
	{ruleArrow, "a resume hands a claimed trigger back", flagged("Resume", func(e *event, k int) bool {
		t := &e.triggers[k]
		ok := t.before.State == provider.TriggerPaused
		t.after.State = provider.TriggerAcquired
		return ok
	})},
	{ruleMisfire, "what was missed in a pause runs as if it were in time", lateAfterPause(provider.MisfireRunOnce, func(e *event, t *triggerChange, run *provider.RunRecord) {
		run.ScheduledAt, t.after.PrevFireAt = t.before.ScheduledAt, t.before.ScheduledAt
	})},
	{ruleMisfire, "what was missed in a pause runs in spite of the policy Skip", lateAfterPause(provider.MisfireRunOnce, func(e *event, t *triggerChange, run *provider.RunRecord) {
		t.before.Misfire, t.after.Misfire = provider.MisfireSkip, provider.MisfireSkip
	})},
	{ruleMisfire, "what was missed in a pause is folded in spite of the policy RunAll", lateAfterPause(provider.MisfireRunAll, func(e *event, t *triggerChange, run *provider.RunRecord) {
		run.ScheduledAt = e.now
	})},
	{rulePaused, "a local job runs that its process has read to be paused", func(h []event) []event {
		key, paused := provider.TriggerKey{Job: "local", Trigger: "every"}, false
		var last *event
		reads := 0
		for i := range h {
			for _, c := range h[i].triggers {
				if either(c).TriggerKey == key && c.after != nil {
					if c.after.Paused != paused {
						reads = 0
					}
					paused = c.after.Paused
				}
			}
			if s := h[i].handler; s != nil && s.step == "start" && s.local != nil && s.local.kind == provider.KindSchedule && s.local.trigger == key.Trigger {
				last = &h[i]
			}
			if last != nil && paused && h[i].op == "local read" && h[i].node == last.node {
				if reads++; reads == maxUnread+1 {
					e := cloned(*last)
					e.handler.run = otherRun
					return slices.Insert(slices.Clone(h), i+1, e)
				}
			}
		}
		return nil
	}},
}

// flagged edits the first pause or resume, by the beginning of its name, and a
// trigger of it that it fits.
func flagged(op string, f func(e *event, k int) bool) doctor {
	return edit(func(e *event) bool {
		for k := range e.triggers {
			if c := e.triggers[k]; strings.HasPrefix(e.op, op) && c.before != nil && c.after != nil && c.before.Paused != c.after.Paused {
				if copied := cloned(*e); f(&copied, k) {
					*e = copied
					return true
				}
			}
		}
		return false
	})
}

// lateAfterPause edits the first begin of a trigger of a policy that was paused
// when it fell due and is late.
func lateAfterPause(policy provider.MisfirePolicy, f func(e *event, t *triggerChange, run *provider.RunRecord)) doctor {
	return func(h []event) []event {
		missed := map[provider.TriggerKey]bool{}
		return edit(func(e *event) bool {
			if e.asked != nil && strings.HasPrefix(e.op, "Resume") {
				for _, c := range e.triggers {
					if c.before != nil && c.after != nil && e.now.Sub(c.after.ScheduledAt) > threshold {
						missed[c.after.TriggerKey] = true
					}
				}
			}
			return begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
				if !missed[t.before.TriggerKey] || t.before.Misfire != policy || e.now.Sub(t.before.ScheduledAt) <= threshold {
					return false
				}
				f(e, t, run)
				return true
			})(e)
		})(h)
	}
}

// all are the positions of what was asked for.
func (r *request) all() []error {
	if r == nil {
		return nil
	}
	return r.refused
}
