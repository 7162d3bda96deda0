package scheduling

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// registry is what the program declared. It changes before Run only.
type registry struct {
	mu        sync.RWMutex
	opts      Options
	frozen    bool
	handlers  map[string]Handler // wrapped by the middleware once frozen
	wrap      []Middleware
	calendars map[string]Calendar
	jobs      map[string]JobDefinition
	order     []string // of jobs
	faults    []error
	built     *plan.Rules
}

func newRegistry(opts Options) *registry {
	return &registry{
		opts: opts, handlers: make(map[string]Handler),
		calendars: make(map[string]Calendar), jobs: make(map[string]JobDefinition),
	}
}

// Handle registers the handler of all jobs that name key; a job that names
// none is run by the handler of its own name (G1). A bad key, a nil handler, a
// key that is taken and a call after Run has begun are faults that
// [Scheduler.Run] reports, all together, before anything is written; after Run
// has begun they are logged.
func (s *Scheduler) Handle(key string, h Handler) {
	s.late(s.reg.change(func(r *registry) error {
		if err := provider.CheckPrintable("handler key", key); err != nil {
			return err
		}
		if h == nil {
			return provider.Invalidf("handler %s: is nil: pass a function", provider.Quote(key))
		}
		if _, taken := r.handlers[key]; taken {
			return provider.Invalidf("handler %s: is registered twice: give each handler its own key", provider.Quote(key))
		}
		r.handlers[key] = h
		return nil
	}))
}

// Use adds middleware around every handler; the first one given is the
// outermost. Faults are reported as those of [Scheduler.Handle].
func (s *Scheduler) Use(wrap ...Middleware) {
	s.late(s.reg.change(func(r *registry) error {
		if slices.ContainsFunc(wrap, func(m Middleware) bool { return m == nil }) {
			return provider.Invalidf("middleware: is nil: pass a function")
		}
		r.wrap = append(r.wrap, wrap...)
		return nil
	}))
}

// late logs a fault of a registration that Run can no longer report.
func (s *Scheduler) late(err error, frozen bool) {
	if err != nil && frozen {
		s.log.Error("scheduling: registered too late", "error", err)
	}
}

// AddCalendar registers an exclusion calendar, which schedules refer to by
// name (R143). Calendars that implement [schedule.StretchCalendar] answer for
// whole stretches at once. It is an error after Run has begun, for a bad name,
// a nil calendar and a name that is taken.
func (s *Scheduler) AddCalendar(name string, c Calendar) error {
	err, _ := s.reg.change(func(r *registry) error {
		if err := provider.CheckName("calendar", name); err != nil {
			return err
		}
		if c == nil {
			return provider.Invalidf("calendar %s: is nil", provider.Quote(name))
		}
		if _, taken := r.calendars[name]; taken {
			return provider.Invalidf("calendar %s: is registered twice: give each calendar its own name", provider.Quote(name))
		}
		r.calendars[name] = c
		return nil
	})
	return err
}

// AddJob declares a job in code: every start writes it to the store, unless it
// was changed at run time since (R140–R145, R245, R246). All faults of the
// definition are reported together; handlers and calendars that it names are
// looked for by [Scheduler.Run], so that the order of registration does not
// matter. It is an error after Run has begun; [Scheduler.Schedule] then does
// the same for the run time. Two jobs of one name are a fault (R144).
func (s *Scheduler) AddJob(def JobDefinition) error {
	err, _ := s.reg.change(func(r *registry) error {
		if err := def.Validate(); err != nil {
			return err
		}
		if _, taken := r.jobs[def.Name]; taken {
			return provider.Invalidf("job %s: is declared twice: give each job its own name", provider.Quote(def.Name))
		}
		def.Triggers = slices.Clone(def.Triggers)
		r.jobs[def.Name] = def
		r.order = append(r.order, def.Name)
		return nil
	})
	return err
}

// change applies one registration; its error is kept for Run.
func (r *registry) change(f func(*registry) error) (err error, frozen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frozen {
		return provider.Invalidf("registration: Run has begun: register handlers, middleware, calendars and code jobs before it"), true
	}
	if err := f(r); err != nil {
		r.faults = append(r.faults, err)
		return err, false
	}
	r.built = nil
	return nil, false
}

// freeze ends registration and reports every fault of it (R144, R194).
func (r *registry) freeze() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	faults := slices.Clone(r.faults)
	for _, name := range r.order {
		def := r.jobs[name]
		key := def.Handler
		if key == "" {
			key = name
		}
		if _, known := r.handlers[key]; !known {
			faults = append(faults, &provider.Error{Code: provider.CodeHandlerNotFound, Key: name,
				Reason: "handler " + provider.Quote(key) + ": register it with Handle before Run"})
		}
		for _, t := range def.Triggers {
			if cal := t.Schedule.Calendar(); cal != "" && r.calendars[cal] == nil {
				faults = append(faults, provider.Invalidf("trigger %s/%s: calendar %s: register it with AddCalendar before Run",
					name, t.Name, provider.Quote(cal)))
			}
		}
	}
	wrapped := make(map[string]Handler, len(r.handlers))
	for key, h := range r.handlers {
		w, err := chain(h, r.wrap)
		if err != nil {
			faults = append(faults, provider.Invalidf("handler %s: %v", provider.Quote(key), err))
		}
		wrapped[key] = w
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	r.frozen, r.handlers, r.built = true, wrapped, nil
	return nil
}

// rules builds the knowledge that decisions need; the answer is immutable.
func (r *registry) rules() *plan.Rules {
	r.mu.RLock()
	built := r.built
	r.mu.RUnlock()
	if built != nil {
		return built
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	handlers, calendars := maps.Clone(r.handlers), maps.Clone(r.calendars)
	r.built = &plan.Rules{
		MisfireThreshold: r.opts.MisfireThreshold,
		PollInterval:     r.opts.PollInterval,
		KnowsHandler: func(key string) bool {
			_, known := handlers[key]
			return known
		},
		Calendar: func(name string) (schedule.Calendar, bool, bool) {
			cal, known := calendars[name]
			return cal, known, known && schedule.BuiltIn(cal)
		},
	}
	return r.built
}

func (r *registry) handler(key string) Handler {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.handlers[key]
}

func (r *registry) calendar(name string) (Calendar, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	cal, known := r.calendars[name]
	return cal, known
}

func (r *registry) codeJob(name string) (JobDefinition, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	def, known := r.jobs[name]
	return def, known
}

// codeJobs returns the declared jobs in the order of declaration.
func (r *registry) codeJobs() []JobDefinition {
	r.mu.RLock()
	defer r.mu.RUnlock()
	defs := make([]JobDefinition, len(r.order))
	for i, name := range r.order {
		defs[i] = r.jobs[name]
	}
	return defs
}

// handlerKey is the key under which a stored job's handler is registered.
func handlerKey(job provider.JobRecord) string {
	if job.Handler == "" {
		return job.Name
	}
	return job.Handler
}

// handler returns the handler that runs a job; nil if this node has none.
func (s *Scheduler) handler(job provider.JobRecord) Handler { return s.reg.handler(handlerKey(job)) }
