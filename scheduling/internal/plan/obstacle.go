package plan

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// obstacle is why this node cannot run a trigger: what turns it to state Error
// (D14, R157).
type obstacle struct {
	code provider.Code
	text string
}

func (o obstacle) stands() bool { return o.code != "" }

// reading is a trigger as this node understands it.
type reading struct {
	// unreadable: this version cannot read the row; a newer node wrote it.
	unreadable bool
	obstacle   obstacle
	// The rest is for triggers of definitions only.
	schedule schedule.Schedule
	cal      schedule.Calendar // nil: none
	builtin  bool              // cal runs no application code; true without cal
	data     string            // the run's data
}

// read looks at a trigger and its job, and finds what stands in the way of
// running it. It runs no application code.
func (r *Rules) read(t provider.TriggerRecord, job provider.JobRecord) reading {
	if !t.Misfire.Valid() || !t.RunAs.Valid() {
		return reading{unreadable: true}
	}
	in := reading{builtin: true}
	if !provider.IsOneShot(t.Trigger) {
		s, err := parsed.parse(t.Schedule)
		if err != nil {
			zone, alone := zoneOf(t.Schedule)
			if !alone {
				return reading{unreadable: true}
			}
			in.obstacle = obstacle{provider.CodeInvalidDefinition, fmt.Sprintf(
				"this node has no data for time zone %s: install tzdata, or import time/tzdata into the program", provider.Quote(zone))}
			return in
		}
		in.schedule = s
		cal, known, builtin := r.calendarOf(s)
		if !known {
			in.obstacle = obstacle{provider.CodeInvalidDefinition, fmt.Sprintf(
				"calendar %s is not registered on this node: register it with AddCalendar", provider.Quote(s.Calendar()))}
			return in
		}
		in.cal, in.builtin = cal, builtin
	}
	if key := cmp.Or(job.Handler, job.Name); !r.knows(key) {
		in.obstacle = obstacle{provider.CodeHandlerNotFound, fmt.Sprintf(
			"handler %s is not registered on this node: register it with Handle", provider.Quote(key))}
		return in
	}
	var err error
	switch t.RunAs {
	case provider.KindRetry, provider.KindRecovery:
		in.data = t.Data // the failed or lost run's data as a whole (D10)
	default:
		if in.data, err = Merge(job.Data, t.Data); err != nil {
			in.obstacle = obstacle{provider.CodeInvalidDefinition, err.Error()}
		}
	}
	return in
}

// dueMark stands in an error text before the due instant that the trigger had
// when it turned to state Error: the record has no other place for it, and the
// occurrence must not be lost when a node that can run it takes it up (D14).
const dueMark = "; was due "

const dueLayout = "2006-01-02T15:04:05.000000Z"

// fail turns a trigger to state Error.
func fail(t provider.TriggerRecord, o obstacle, at time.Time) provider.Decision {
	return provider.Decision{Action: provider.Advance, After: provider.Progress{
		Next:       provider.Next{State: provider.TriggerError},
		PrevFireAt: t.PrevFireAt,
		FireCount:  t.FireCount,
		ErrorCode:  string(o.code),
		ErrorText:  o.text + dueMark + at.UTC().Format(dueLayout),
	}}
}

// dueOf reads the due instant back from an error text.
func dueOf(text string) (time.Time, bool) {
	i := strings.LastIndex(text, dueMark)
	if i < 0 {
		return time.Time{}, false
	}
	at, err := time.Parse(dueLayout, text[i+len(dueMark):])
	return at, err == nil
}
