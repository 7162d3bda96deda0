package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// chainLength is how many occurrences from the present on are prepared: begin
// needs the first after its own present, which is a little later.
const chainLength = 4

// Prepared holds what application calendars answered for claimed triggers. It
// is immutable. A nil *Prepared means a claim, in which they cannot be asked.
type Prepared struct {
	byKey map[provider.TriggerKey]*answers
}

// answers is what was found for one trigger; it is a source.
type answers struct {
	schedule string
	at, now  time.Time
	obstacle obstacle

	s     schedule.Schedule
	runs  int64
	next  time.Time // after at
	nextF finding
	chain []time.Time // after now, ascending
	ended bool        // there is none behind the chain
	opens time.Time   // the first instant from at on that is not excluded
	openF finding
}

// Prepare asks the application calendars that decisions over the claimed
// triggers need, outside of any transaction. now is the store's clock in the
// answer of the claim. It runs application code: it may take long, and catches
// panics; run it where waiting harms nobody. Without application calendars it
// only looks at the triggers. The result is never nil.
func (r *Rules) Prepare(claimed []provider.Claimed, now time.Time) *Prepared {
	p := &Prepared{byKey: make(map[provider.TriggerKey]*answers)}
	for _, c := range claimed {
		if provider.IsOneShot(c.Trigger.Trigger) || c.Job.Name == "" {
			continue
		}
		in := r.read(c.Trigger, c.Job)
		if in.unreadable || in.obstacle.stands() || in.builtin {
			continue
		}
		p.byKey[c.Trigger.TriggerKey] = ask(c.Trigger, in, now)
	}
	return p
}

// ask runs the application's calendar.
func ask(t provider.TriggerRecord, in reading, now time.Time) *answers {
	s := in.schedule
	a := &answers{schedule: t.Schedule, at: dueAt(t, now), now: now, s: s, runs: t.FireCount}
	from := direct{s, in.cal, t.FireCount}
	a.obstacle = guard(s, func() {
		switch s.Kind() {
		case schedule.Interval:
			a.opens, a.openF = from.open(a.at)
		case schedule.Cron:
			a.next, a.nextF = from.after(a.at)
			last := now
			for range chainLength {
				at, f := from.after(last)
				if f == none {
					a.ended = true
					break
				}
				a.chain = append(a.chain, at)
				last = at
			}
		}
	})
	return a
}

// of finds the answers for a trigger, if it still is the one that was prepared
// for.
func (p *Prepared) of(t provider.TriggerRecord) (*answers, bool) {
	a, ok := p.byKey[t.TriggerKey]
	if !ok || a.schedule != t.Schedule || a.runs != t.FireCount || !a.at.Equal(dueAt(t, a.now)) {
		return nil, false
	}
	return a, true
}

func (a *answers) after(at time.Time) (time.Time, finding) {
	if at.Equal(a.at) {
		return a.next, a.nextF
	}
	if at.Before(a.now) {
		return time.Time{}, stale
	}
	for _, next := range a.chain {
		if next.After(at) {
			return next, found
		}
	}
	if a.ended {
		return time.Time{}, none
	}
	return time.Time{}, stale
}

func (a *answers) open(at time.Time) (time.Time, finding) {
	if !at.Equal(a.at) {
		return time.Time{}, stale
	}
	return a.opens, a.openF
}

// restart stores the next of an interval as if there were no calendar; it is
// asked when that instant is due (R185).
func (a *answers) restart(now time.Time) (time.Time, finding) {
	return direct{a.s, nil, a.runs}.after(now)
}

// guard runs application code, and turns its panic into an obstacle.
func guard(s schedule.Schedule, f func()) (o obstacle) {
	done := false
	defer func() {
		if done {
			return
		}
		cause := recover()
		o = obstacle{provider.CodeRunPanicked, clip(fmt.Sprintf(
			"calendar %s panicked: %v: correct its IsExcluded", provider.Quote(s.Calendar()), cause))}
	}()
	f()
	done = true
	return o
}

// clip makes a text that came from the application fit to be stored: short, valid
// UTF-8, without NUL, which PostgreSQL does not take.
func clip(text string) string {
	const most = 512
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
