package scheduling

import (
	"log/slog"
	"maps"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// exclusion keeps a job out of this node's claims.
type exclusion struct {
	until time.Time // zero: until the job's definition changes
	job   provider.JobRecord
}

const (
	// maxExcluded is the most jobs that a claim passes over.
	maxExcluded = provider.MaxBatch
	// maxPoisoned is the most triggers that are remembered.
	maxPoisoned = 10_000
	// lookAgain is when a job is looked at again whose triggers this node
	// could not read or place: their change does not show in the job's row.
	lookAgain = 10 * time.Minute
)

// definition is a job without what running it changes.
func definition(job provider.JobRecord) provider.JobRecord {
	job.ActiveRunID, job.Fence, job.Paused, job.Version = "", 0, false, 0
	return job
}

// excludedNow returns the jobs to pass over. Caller holds mu.
func (s *Scheduler) excludedNow(now time.Time) []string {
	var jobs []string
	for job, e := range s.st.excluded {
		switch {
		case !e.until.IsZero() && !now.Before(e.until):
			delete(s.st.excluded, job)
		case len(jobs) < maxExcluded:
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// excludeHeld passes over jobs whose rows another transaction holds, for 50 ms.
func (s *Scheduler) excludeHeld(jobs []string) {
	if len(jobs) == 0 {
		return
	}
	until := s.clock.Now().Add(heldWait)
	s.mu.Lock()
	for _, job := range jobs {
		if _, already := s.st.excluded[job]; !already {
			s.st.excluded[job] = exclusion{until: until}
		}
	}
	s.mu.Unlock()
	s.wake.by(until)
}

// poisoned remembers the job of a trigger that this node has put into state
// Error: at once when the handler is unknown, which concerns all its triggers;
// when something else about the trigger is unknown, only once another node,
// which therefore knows better, has taken it out of that state (D14).
func (s *Scheduler) poisoned(b provider.Begun) {
	code := provider.Code(b.After.ErrorCode)
	until := s.clock.Now().Add(lookAgain)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, before := s.st.poisoned[b.Trigger.TriggerKey]
	switch {
	case code == provider.CodeHandlerNotFound:
		s.st.excluded[b.Trigger.Job] = exclusion{job: definition(b.Job)}
	case before && code == provider.CodeInvalidDefinition:
		s.st.excluded[b.Trigger.Job] = exclusion{until: until}
	}
	if len(s.st.poisoned) >= maxPoisoned {
		clear(s.st.poisoned)
	}
	s.st.poisoned[b.Trigger.TriggerKey] = struct{}{}
}

// unreadable leaves the job of a row alone that a newer version wrote (D14).
func (s *Scheduler) unreadable(key provider.TriggerKey) {
	until := s.clock.Now().Add(lookAgain)
	s.mu.Lock()
	_, already := s.st.excluded[key.Job]
	s.st.excluded[key.Job] = exclusion{until: until}
	s.mu.Unlock()
	if !already {
		s.log.Error("scheduling: a newer version wrote this trigger; this node leaves the job alone",
			slog.String("job", key.Job), slog.String("trigger", key.Trigger), slog.String("node", s.opts.NodeID))
	}
}

// include forgets exclusions of jobs that this node has changed.
func (s *Scheduler) include(jobs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, job := range jobs {
		delete(s.st.excluded, job)
		maps.DeleteFunc(s.st.poisoned, func(key provider.TriggerKey, _ struct{}) bool { return key.Job == job })
	}
}

// reviewExcluded ends exclusions of jobs that others have changed or deleted.
func (s *Scheduler) reviewExcluded() error {
	s.mu.Lock()
	names := make([]string, 0, len(s.st.excluded))
	for job, e := range s.st.excluded {
		if e.until.IsZero() {
			names = append(names, job)
		}
	}
	s.mu.Unlock()
	if len(names) == 0 {
		return nil
	}
	call, cancel := s.call(callLimit)
	defer cancel()
	jobs, err := s.store.Jobs(call, names)
	if err != nil {
		return err
	}
	found := make(map[string]provider.JobRecord, len(jobs))
	for _, job := range jobs {
		found[job.Name] = definition(job)
	}
	var changed []string
	s.mu.Lock()
	for _, name := range names {
		if e, still := s.st.excluded[name]; still && e.until.IsZero() && found[name] != e.job {
			changed = append(changed, name)
		}
	}
	s.mu.Unlock()
	s.include(changed)
	return nil
}
