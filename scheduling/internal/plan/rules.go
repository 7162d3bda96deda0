package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/schedule"
)

// Rules are the node's settings and knowledge that decisions need. A value is
// immutable once built; a node that learns something builds a new one.
type Rules struct {
	// MisfireThreshold is how late an occurrence may be before its policy
	// applies: strictly more is a misfire; 0 is legal (D19).
	MisfireThreshold time.Duration
	// PollInterval bounds how fast a backlog is made up (D13).
	PollInterval time.Duration
	// KnowsHandler reports whether a handler is registered under a key. nil
	// knows every key.
	KnowsHandler func(key string) bool
	// Calendar finds an exclusion calendar by name; builtin says that it runs
	// no application code ([schedule.BuiltIn]). nil knows none.
	Calendar func(name string) (cal schedule.Calendar, known, builtin bool)
}

func (r *Rules) knows(handler string) bool {
	return r.KnowsHandler == nil || r.KnowsHandler(handler)
}

// calendarOf finds the calendar that a schedule names. known is true, and cal
// nil, where it names none.
func (r *Rules) calendarOf(s schedule.Schedule) (cal schedule.Calendar, known, builtin bool) {
	name := s.Calendar()
	if name == "" {
		return nil, true, true
	}
	if r.Calendar == nil {
		return nil, false, false
	}
	return r.Calendar(name)
}
