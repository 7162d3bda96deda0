package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// finding is the answer to a question about a schedule and its calendar.
type finding uint8

const (
	found finding = iota
	none          // there is no such instant: the trigger is Complete
	stale         // what was prepared does not answer it: ask again outside
)

func findingOf(ok bool) finding {
	if ok {
		return found
	}
	return none
}

// source answers what follows an instant, for one trigger. It is a schedule
// with its calendar, or what [Rules.Prepare] found for it.
type source interface {
	// after returns the first occurrence of a cron schedule after an instant.
	after(at time.Time) (time.Time, finding)
	// open returns the first instant at or after at that is not excluded, for
	// an interval that is due at at (R185).
	open(at time.Time) (time.Time, finding)
	// restart returns the next instant of an interval that starts over at now.
	restart(now time.Time) (time.Time, finding)
}

// direct asks the schedule and the calendar themselves.
type direct struct {
	s    schedule.Schedule
	cal  schedule.Calendar
	runs int64
}

func (d direct) after(at time.Time) (time.Time, finding) {
	next, ok := d.s.Next(at, d.runs, d.cal)
	return next, findingOf(ok)
}

func (d direct) open(at time.Time) (time.Time, finding) {
	return d.after(at.Add(-d.s.Interval()))
}

func (d direct) restart(now time.Time) (time.Time, finding) { return d.after(now) }

// waiting is the progress of a trigger that waits for an occurrence.
func waiting(s schedule.Schedule, at time.Time) provider.Next {
	return provider.Next{State: provider.TriggerWaiting, ScheduledAt: at, NextFireAt: at, ZoneHash: s.ZoneHash(at)}
}

// complete is the progress of a trigger that has no next (R267).
func complete() provider.Next { return provider.Next{State: provider.TriggerComplete} }

// nextOf turns an answer into progress; stale is the caller's business.
func nextOf(s schedule.Schedule, at time.Time, f finding) provider.Next {
	if f == none {
		return complete()
	}
	return waiting(s, at)
}

// spaced delays an occurrence that a RunAll trigger has still to make up: it
// may be claimed one poll interval after now, or half the distance between
// occurrences where that is shorter, so that it does catch up (D13).
func (r *Rules) spaced(n provider.Next, made, now time.Time) provider.Next {
	if n.State != provider.TriggerWaiting || n.ScheduledAt.After(now) {
		return n
	}
	wait := n.ScheduledAt.Sub(made) / 2
	if r.PollInterval > 0 {
		wait = min(wait, r.PollInterval)
	}
	n.NextFireAt = now.Add(wait.Truncate(time.Microsecond))
	return n
}
