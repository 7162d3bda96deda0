package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// Decide returns the decision over a due trigger. In a claim prepared is nil,
// and a trigger whose application calendar would have to be asked is held
// (provider.Hold); in begin it is what [Rules.Prepare] made.
//
// A trigger that this version cannot read (newer schedule text, unknown enum
// value) is left as it is: Leave in a claim, Return in begin (D14). Begin also
// returns a claim that is not due (the store's clock has stepped back), that has
// become local, or whose trigger or present is not the one that was prepared
// for; claiming again mends that. A claim leaves nothing but the unreadable;
// stores do not report what was left, so a caller that must know wraps the
// function and notes it.
func (r *Rules) Decide(prepared *Prepared) provider.DecideFunc {
	return func(c provider.Candidate) provider.Decision { return r.decide(c, prepared) }
}

func (r *Rules) decide(c provider.Candidate, prepared *Prepared) provider.Decision {
	t, now := c.Trigger, c.Now
	if prepared != nil && (t.Local || t.NextFireAt.After(now)) {
		return provider.Decision{Action: provider.Return}
	}
	if c.Job.Name == "" || expired(t, now) {
		return provider.Decision{Action: provider.Advance, After: provider.Progress{Delete: true}}
	}
	in := r.read(t, c.Job)
	switch {
	case in.unreadable && prepared == nil:
		return provider.Decision{Action: provider.Leave}
	case in.unreadable:
		return provider.Decision{Action: provider.Return}
	case in.obstacle.stands():
		return fail(t, in.obstacle, dueAt(t, now))
	case c.Occupied:
		return provider.Decision{Action: provider.Block} // R200
	case provider.IsOneShot(t.Trigger):
		// No policy skips a one-shot, however late it is (D10).
		return start(t, in, dueAt(t, now), provider.Progress{Delete: true})
	}
	var from source = direct{in.schedule, in.cal, t.FireCount}
	if !in.builtin && in.schedule.Kind() != schedule.Once {
		if prepared == nil {
			return provider.Decision{Action: provider.Hold}
		}
		answers, ok := prepared.of(t)
		if !ok {
			return provider.Decision{Action: provider.Return}
		}
		if answers.obstacle.stands() {
			return fail(t, answers.obstacle, dueAt(t, now))
		}
		from = answers
	}
	d, f := r.occurrence(t, in, from, now)
	if f == stale {
		return provider.Decision{Action: provider.Return}
	}
	return d
}

// expired reports whether a one-shot had to begin before now (D38). The instant
// itself is still allowed.
func expired(t provider.TriggerRecord, now time.Time) bool {
	return provider.IsOneShot(t.Trigger) && !t.ExpiresAt.IsZero() && now.After(t.ExpiresAt)
}

// dueAt is the occurrence that a due trigger stands for.
func dueAt(t provider.TriggerRecord, now time.Time) time.Time {
	switch {
	case !t.ScheduledAt.IsZero():
		return t.ScheduledAt
	case !t.NextFireAt.IsZero():
		return t.NextFireAt
	}
	return now
}

// occurrence decides over the due occurrence of a definition's trigger: run it,
// or move on, by schedule, window and misfire policy.
func (r *Rules) occurrence(t provider.TriggerRecord, in reading, from source, now time.Time) (provider.Decision, finding) {
	s, at := in.schedule, dueAt(t, now)
	switch s.Kind() {
	case schedule.Manual:
		return advance(t, complete()), found
	case schedule.Interval:
		// The occurrence may be excluded all the same: a calendar was not
		// asked when the last run ended, or a recovery made it due (R052).
		// There is none where the runs are used up, a Lost one included (R160).
		opens, f := from.open(at)
		if f == stale {
			return provider.Decision{}, stale
		}
		if f == none || opens.After(now) {
			return advance(t, nextOf(s, opens, f)), found
		}
		at = opens
	}
	if past(s, at) {
		return advance(t, complete()), found
	}
	if now.Sub(at) <= r.MisfireThreshold || t.Misfire == provider.MisfireRunAll {
		return r.run(t, in, from, at, at, now)
	}
	if t.Misfire == provider.MisfireSkip {
		next, f := r.onward(in, from, now)
		return advance(t, next), f
	}
	if past(s, now) {
		// Nothing is scheduled after the end, a make-up run neither (R164).
		return advance(t, complete()), found
	}
	return r.run(t, in, from, now, now, now)
}

// past reports whether an instant lies after the schedule's last (R164, B78).
func past(s schedule.Schedule, at time.Time) bool {
	return !s.End().IsZero() && at.After(s.End())
}

// run starts the occurrence scheduled, and computes the next from base.
func (r *Rules) run(t provider.TriggerRecord, in reading, from source, scheduled, base, now time.Time) (provider.Decision, finding) {
	var next provider.Next
	switch in.schedule.Kind() {
	case schedule.Interval:
		next = provider.Next{State: provider.TriggerAcquired} // until its run ends (R203)
	case schedule.Once:
		next = complete()
	default:
		at, f := from.after(base)
		if f == stale {
			return provider.Decision{}, stale
		}
		next = nextOf(in.schedule, at, f)
		if t.Misfire == provider.MisfireRunAll {
			next = r.spaced(next, scheduled, now)
		}
	}
	return start(t, in, scheduled, provider.Progress{
		Next:       next,
		PrevFireAt: scheduled,
		FireCount:  t.FireCount + 1, // a Lost run counts too (D12)
	}), found
}

// onward is where a trigger continues that lets its occurrence go: the next is
// computed from now (R198).
func (r *Rules) onward(in reading, from source, now time.Time) (provider.Next, finding) {
	switch in.schedule.Kind() {
	case schedule.Interval:
		at, f := from.restart(now)
		return nextOf(in.schedule, at, f), f
	case schedule.Cron:
		at, f := from.after(now)
		return nextOf(in.schedule, at, f), f
	}
	return complete(), found
}

func start(t provider.TriggerRecord, in reading, scheduled time.Time, after provider.Progress) provider.Decision {
	return provider.Decision{
		Action: provider.Start,
		Run: provider.RunRecord{
			TriggerName: t.Trigger,
			Kind:        t.RunAs,
			ScheduledAt: scheduled,
			Attempt:     max(t.Attempt, 1), // R088
			RetryOf:     t.RetryOf,
			Data:        in.data,
		},
		After: after,
	}
}

// advance moves a trigger on without a run.
func advance(t provider.TriggerRecord, next provider.Next) provider.Decision {
	return provider.Decision{Action: provider.Advance, After: provider.Progress{
		Next: next, PrevFireAt: t.PrevFireAt, FireCount: t.FireCount,
	}}
}
