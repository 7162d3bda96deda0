package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// The functions of this file move triggers outside of claims. They may ask an
// application's calendar, so they never run inside a transaction; a panic of
// one leaves the trigger as it is.

// Revive returns where a trigger in state Error continues, if this node can run
// it now: handler, calendar and zone are known (D14). It is due at the instant
// at which it was when it turned to Error, and the misfire policy then applies.
func (r *Rules) Revive(trigger provider.TriggerRecord, job provider.JobRecord, now time.Time) (provider.Next, bool) {
	switch provider.Code(trigger.ErrorCode) {
	case provider.CodeHandlerNotFound, provider.CodeInvalidDefinition, provider.CodeRunPanicked:
	default:
		return provider.Next{}, false
	}
	if trigger.State != provider.TriggerError || job.Name == "" {
		return provider.Next{}, false
	}
	in := r.read(trigger, job)
	if in.unreadable || in.obstacle.stands() {
		return provider.Next{}, false
	}
	due, known := dueOf(trigger.ErrorText)
	if provider.IsOneShot(trigger.Trigger) {
		if !known {
			due = now
		}
		return waiting(schedule.Schedule{}, due), true
	}
	s := in.schedule
	next := provider.Next{}
	from := direct{s, in.cal, trigger.FireCount}
	if guard(s, func() {
		if !known {
			due, known = again(s, in.cal, trigger, now)
		}
		next = nextOf(s, due, findingOf(known))
		from.after(now) // a calendar that panics would bring it straight back
	}).stands() {
		return provider.Next{}, false
	}
	return next, true
}

// again finds the instant at which a trigger continues whose due instant is not
// known: behind its last run, or else from now on.
func again(s schedule.Schedule, cal schedule.Calendar, t provider.TriggerRecord, now time.Time) (time.Time, bool) {
	switch {
	case s.Kind() == schedule.Once && t.FireCount > 0:
		return time.Time{}, false
	case s.Kind() == schedule.Cron && !t.PrevFireAt.IsZero():
		return s.Next(t.PrevFireAt, t.FireCount, cal)
	case s.Kind() == schedule.Interval && t.FireCount > 0:
		return s.Next(now, t.FireCount, cal)
	}
	return s.First(now, cal)
}

// PassBy returns where a due trigger of a definition continues that is to move
// on without a run: on an unshared store, when its occurrence is late by more
// than patience (lease TTL and misfire threshold) and no leader has run it
// (D42). ok is false where it is not that late, is not Waiting, or cannot be
// read.
func (r *Rules) PassBy(trigger provider.TriggerRecord, now time.Time, patience time.Duration) (next provider.Next, ok bool) {
	if trigger.State != provider.TriggerWaiting || provider.IsOneShot(trigger.Trigger) ||
		trigger.NextFireAt.IsZero() || now.Sub(dueAt(trigger, now)) <= patience {
		return provider.Next{}, false
	}
	s, cal, err := r.usable(trigger.Schedule)
	if err != nil {
		return provider.Next{}, false
	}
	if guard(s, func() {
		next, _ = r.onward(reading{schedule: s}, direct{s, cal, trigger.FireCount}, now)
	}).stands() {
		return provider.Next{}, false
	}
	return next, true
}

// maxZoneShift bounds how far new zone data can move an occurrence: a zone may
// cross the date line.
const maxZoneShift = 26 * time.Hour

// Rezone returns where a Waiting or Paused cron trigger continues if this
// node's zone data differ from those with which its next was computed (D43): at
// the first occurrence after the last run, so never at an instant that has run.
// Where occurrences have been passed by since then, or nothing has run yet, the
// search begins at now; what is already due then keeps its instant. ok is false
// where nothing changes, the data agree, or the trigger cannot be read.
func (r *Rules) Rezone(trigger provider.TriggerRecord, now time.Time) (next provider.Next, ok bool) {
	stands := trigger.State == provider.TriggerWaiting || trigger.State == provider.TriggerPaused
	if !stands || provider.IsOneShot(trigger.Trigger) || trigger.ScheduledAt.IsZero() {
		return provider.Next{}, false
	}
	s, cal, err := r.usable(trigger.Schedule)
	if err != nil || s.Kind() != schedule.Cron || s.ZoneHash(trigger.ScheduledAt) == trigger.ZoneHash {
		return provider.Next{}, false
	}
	if guard(s, func() {
		if !trigger.PrevFireAt.IsZero() {
			at, found := s.Next(trigger.PrevFireAt, trigger.FireCount, cal)
			if found && at.After(trigger.ScheduledAt.Add(-maxZoneShift)) {
				next, ok = waiting(s, at), true
				return
			}
		}
		if trigger.ScheduledAt.After(now) {
			at, found := s.First(now, cal)
			next, ok = nextOf(s, at, findingOf(found)), true
		}
	}).stands() {
		return provider.Next{}, false
	}
	return next, ok
}
