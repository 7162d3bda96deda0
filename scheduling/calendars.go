package scheduling

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling/schedule"
)

// An application's own calendar is foreign code: it may be slow, hang or panic.
// It is never asked inside a transaction, and never on a goroutine that others
// wait for; one that hangs keeps its own job from running and no other.

const (
	// calendarLimit is how long application calendars may take to answer for
	// one batch; the jobs concerned then rest for calendarRest.
	calendarLimit = 10 * time.Second
	calendarRest  = time.Minute
)

var errCalendar = errors.New("scheduling: an application calendar takes longer than 10s to answer: make its IsExcluded fast")

// foreign reports whether a schedule text names an application's own calendar.
func (r *registry) foreign(text string) bool {
	r.mu.RLock()
	none := len(r.calendars) == 0
	r.mu.RUnlock()
	if none {
		return false
	}
	s, err := schedule.Parse(text)
	if err != nil || s.Calendar() == "" {
		return false
	}
	cal, known := r.calendar(s.Calendar())
	return known && !schedule.BuiltIn(cal)
}

// anyForeign reports whether the application has calendars of its own at all.
func (r *registry) anyForeign() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, cal := range r.calendars {
		if !schedule.BuiltIn(cal) {
			return true
		}
	}
	return false
}

// aside runs f, which may ask application calendars, on a goroutine of its own,
// and waits for it for calendarLimit at most. While an earlier f of the same
// busy has not returned, the next is refused, so that a calendar that hangs
// holds one goroutine and not many.
func (s *Scheduler) aside(busy *atomic.Bool, f func() error) error {
	if !busy.CompareAndSwap(false, true) {
		return errCalendar
	}
	done, late := make(chan error, 1), make(chan struct{})
	stop := s.clock.AfterFunc(calendarLimit, func() { close(late) })
	defer stop()
	go func() {
		err := s.guard(f)
		busy.Store(false)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-late:
		return errCalendar
	case <-s.leaving:
		return nil
	}
}

// asideIfForeign is aside where the application has calendars of its own, and
// a plain call where it has none.
func (s *Scheduler) asideIfForeign(busy *atomic.Bool, f func() error) error {
	if !s.reg.anyForeign() {
		return f()
	}
	return s.aside(busy, f)
}
