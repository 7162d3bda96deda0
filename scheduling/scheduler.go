package scheduling

import (
	"log/slog"
	"sync"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// Scheduler runs jobs. Make one with [New], register handlers, jobs and
// calendars, then call [Scheduler.Run] once. All methods are safe for
// concurrent use; management calls work before, during and after Run, and on
// schedulers that never run.
type Scheduler struct {
	store    provider.Store
	claimer  provider.Claimer // nil: acquire, then begin
	election provider.Election
	info     provider.Info
	opts     Options // complete: every default filled in
	clock    Clock
	log      *slog.Logger
	events   *emitter

	reg registry
}

// registry is what the program declared. It is written before Run only;
// afterwards it does not change.
type registry struct {
	mu        sync.RWMutex
	frozen    bool
	handlers  map[string]Handler
	wrap      []Middleware
	calendars map[string]schedule.Calendar
	jobs      map[string]JobDefinition
	faults    []error
}

// What management (manage.go) uses of the engine, beside store, opts and log:
//
//	s.rules() *plan.Rules                 the node's present knowledge
//	s.knowsHandler(key string) bool
//	s.calendar(name string) (schedule.Calendar, bool)
//	s.codeJob(name string) (JobDefinition, bool)
//	s.nudge()                             look for work now (Wake)
//	s.cancelHere(id string, cause error) bool   cancel a run of this process; false if it is not here
//	s.definitionsChanged(names ...string) refresh local triggers now, forget what was excluded (R207, D14)
//	s.events.job(topic, name), s.events.run(topic, record)
