package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// Birth completes a trigger of a definition that starts anew at now: state,
// first instants, kind of run and zone hash (R163, D15, D37). trigger carries
// its definition fields, Schedule included; it is Complete where there is no
// instant. It may ask an application calendar; its panic, a calendar that is not
// known and a text that cannot be read are errors of code
// SCHEDULING_VALIDATION_001.
func (r *Rules) Birth(trigger provider.TriggerRecord, now time.Time) (provider.TriggerRecord, error) {
	s, cal, err := r.usable(trigger.Schedule)
	if err != nil {
		return trigger, err
	}
	trigger.RunAs = provider.KindSchedule
	trigger.Attempt = 1
	next := provider.Next{}
	if o := guard(s, func() {
		at, ok := s.First(now, cal)
		next = nextOf(s, at, findingOf(ok))
	}); o.stands() {
		return trigger, provider.Invalidf("%s", o.text)
	}
	trigger.State = next.State
	trigger.ScheduledAt, trigger.NextFireAt, trigger.ZoneHash = next.ScheduledAt, next.NextFireAt, next.ZoneHash
	return trigger, nil
}

// Warning returns a sentence for the log when the calendar leaves a trigger of
// this schedule, stored at now, without any instant (D18); "" otherwise.
func (r *Rules) Warning(text string, now time.Time) (warning string) {
	s, cal, err := r.usable(text)
	if err != nil || cal == nil {
		return ""
	}
	guard(s, func() { warning = schedule.Warn(s, now, cal) })
	return warning
}

// usable reads a schedule and finds its calendar.
func (r *Rules) usable(text string) (schedule.Schedule, schedule.Calendar, error) {
	s, err := parsed.parse(text)
	if err != nil {
		return s, nil, provider.Invalidf("%v", err)
	}
	cal, known, _ := r.calendarOf(s)
	if !known {
		return s, nil, provider.Invalidf("calendar %s is not registered: register it with AddCalendar, or remove calendar= from the schedule",
			provider.Quote(s.Calendar()))
	}
	return s, cal, nil
}
