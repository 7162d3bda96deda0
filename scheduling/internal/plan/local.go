package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// DecideLocal decides over a due trigger of a job that runs on every instance,
// on the node's own clock (R205, R206). c.Now is the node's clock, and
// c.Occupied says that the job is exclusive and still runs here: the occurrence
// is then skipped and the next computed from now. The answer is Start, Advance,
// or Leave for a trigger that this version cannot read. It may ask application
// calendars; a panic of one gives state Error.
func (r *Rules) DecideLocal(c provider.Candidate) (d provider.Decision) {
	t, now := c.Trigger, c.Now
	in := r.read(t, c.Job)
	switch {
	case in.unreadable:
		return provider.Decision{Action: provider.Leave}
	case in.obstacle.stands():
		return fail(t, in.obstacle, dueAt(t, now))
	}
	from := direct{in.schedule, in.cal, t.FireCount}
	if o := guard(in.schedule, func() {
		if c.Occupied {
			next, _ := r.onward(in, from, now)
			d = advance(t, next)
			return
		}
		d, _ = r.occurrence(t, in, from, now)
	}); o.stands() {
		return fail(t, o, dueAt(t, now))
	}
	return d
}

// Settled returns what an interval trigger of a local job becomes when its run
// has ended (R159); runs is the number of runs begun, this one included. It may
// ask an application calendar, whose panic gives state Error, as does a text
// that cannot be read.
func (r *Rules) Settled(trigger provider.TriggerRecord, runs int64, completedAt time.Time) (next provider.Next) {
	s, err := parsed.parse(trigger.Schedule)
	if err != nil || s.Kind() != schedule.Interval {
		return provider.Next{State: provider.TriggerError}
	}
	cal, known, _ := r.calendarOf(s)
	if !known {
		return provider.Next{State: provider.TriggerError}
	}
	if guard(s, func() {
		at, f := direct{s, cal, runs}.after(completedAt)
		next = nextOf(s, at, f)
	}).stands() {
		return provider.Next{State: provider.TriggerError}
	}
	return next
}
