package scheduling

import (
	"context"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Condition sums up how a trigger or a job stands, by the first that applies
// in the order of the constants (D33).
type Condition uint8

// The conditions.
const (
	// ConditionNone: there is no such job.
	ConditionNone Condition = iota
	// ConditionError: it cannot run. A job: one of its triggers cannot.
	ConditionError
	// ConditionPaused: it is paused. A job: it, or every trigger of its
	// definition, is.
	ConditionPaused
	// ConditionExecuting: a run is running.
	ConditionExecuting
	// ConditionBlocked: it is due, and waits for the job's previous run.
	ConditionBlocked
	// ConditionComplete: it has no next instant. A job: none of its triggers
	// has, and it has at least one.
	ConditionComplete
	// ConditionNormal: it waits for its time, or to be triggered.
	ConditionNormal
)

// String returns the condition's name, such as "Paused".
func (c Condition) String() string {
	names := [...]string{"None", "Error", "Paused", "Executing", "Blocked", "Complete", "Normal"}
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("Condition(%d)", uint8(c))
}

// JobStatus is how a job stands (R237).
type JobStatus struct {
	// Job is the job as it is stored; its Paused flag included.
	Job JobRecord
	// Condition sums the job up.
	Condition Condition
	// Triggers are ordered by name; one-shots that have not begun included.
	Triggers []TriggerStatus
	// Running are the runs that are running, in the order of their start.
	Running []RunRecord
	// Latest is the finished run that ended last; nil if there is none.
	Latest *RunRecord
	// Orphaned says that the job was written by the code of a program, and
	// that this program does not declare it (D40).
	Orphaned bool
}

// TriggerStatus is how a trigger stands: the record holds state, previous and
// next instant and count.
type TriggerStatus struct {
	Trigger   TriggerRecord
	Condition Condition
}

// NextRun is the earliest next instant of the triggers that are not paused; ok
// is false where there is none.
func (j JobStatus) NextRun() (at time.Time, ok bool) {
	for _, t := range j.Triggers {
		next := t.Trigger.NextFireAt
		if t.Trigger.Paused || next.IsZero() || ok && !next.Before(at) {
			continue
		}
		at, ok = next, true
	}
	return at, ok
}

// Definition returns the job's definition as it is stored, to be changed and
// given to [Scheduler.Schedule] again; one-shots are no part of it. A schedule
// that this version cannot read is an error.
func (j JobStatus) Definition() (JobDefinition, error) {
	triggers := make([]provider.TriggerRecord, len(j.Triggers))
	for i, t := range j.Triggers {
		triggers[i] = t.Trigger
	}
	return definitionOf(j.Job, triggers)
}

// Status returns how a job stands; found is false where there is none, which is
// no error (R237). Its parts are read one after the other, not at one instant.
func (s *Scheduler) Status(ctx context.Context, name string) (status JobStatus, found bool, err error) {
	if !ValidName(name) {
		return JobStatus{}, false, nil
	}
	jobs, err := s.store.Jobs(ctx, []string{name})
	if err != nil || len(jobs) == 0 {
		return JobStatus{}, false, err
	}
	all, err := s.statuses(ctx, jobs)
	if err != nil {
		return JobStatus{}, false, err
	}
	return all[0], true, nil
}

// Statuses returns how all jobs stand, ordered by name. It reads every trigger:
// use [Scheduler.ListJobs] where there are very many.
func (s *Scheduler) Statuses(ctx context.Context) ([]JobStatus, error) {
	all := []JobStatus{}
	after := ""
	for {
		jobs, err := s.store.ListJobs(ctx, after, provider.MaxBatch)
		if err != nil {
			return nil, err
		}
		if len(jobs) == 0 {
			return all, nil
		}
		part, err := s.statuses(ctx, jobs)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		after = jobs[len(jobs)-1].Name
	}
}

// statuses reads the triggers and runs of at most provider.MaxBatch jobs.
func (s *Scheduler) statuses(ctx context.Context, jobs []provider.JobRecord) ([]JobStatus, error) {
	names := make([]string, len(jobs))
	at := make(map[string]int, len(jobs))
	all := make([]JobStatus, len(jobs))
	for i, job := range jobs {
		names[i], at[job.Name] = job.Name, i
		_, declared := s.reg.codeJob(job.Name)
		all[i] = JobStatus{Job: job, Orphaned: orphaned(job, declared, s.opts.CodeVersion)}
	}
	query := provider.TriggerQuery{Jobs: names}
	for {
		page, err := s.store.ListTriggers(ctx, query)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		for _, t := range page {
			if i, ok := at[t.Job]; ok {
				all[i].Triggers = append(all[i].Triggers, TriggerStatus{Trigger: t})
			}
		}
		query.After = page[len(page)-1].TriggerKey
	}
	running, err := s.store.RunningRuns(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, run := range running {
		if i, ok := at[run.Job]; ok {
			all[i].Running = append(all[i].Running, run)
		}
	}
	latest, err := s.store.LatestRuns(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, run := range latest {
		if i, ok := at[run.Job]; ok {
			all[i].Latest = &run
		}
	}
	for i := range all {
		all[i].sumUp()
	}
	return all, nil
}

// sumUp fills in the conditions.
func (j *JobStatus) sumUp() {
	executing := make(map[string]bool, len(j.Running))
	for _, run := range j.Running {
		executing[run.TriggerName] = true
	}
	var failed, blocked, defined, paused, complete int
	for i := range j.Triggers {
		t := &j.Triggers[i]
		t.Condition = conditionOf(t.Trigger, executing[t.Trigger.Trigger])
		switch t.Trigger.State {
		case provider.TriggerError:
			failed++
		case provider.TriggerBlocked:
			blocked++
		case provider.TriggerComplete:
			complete++
		}
		if !provider.IsOneShot(t.Trigger.Trigger) {
			defined++
			if t.Trigger.Paused {
				paused++
			}
		}
	}
	switch {
	case failed > 0:
		j.Condition = ConditionError
	case j.Job.Paused, defined > 0 && paused == defined:
		j.Condition = ConditionPaused
	case len(j.Running) > 0:
		j.Condition = ConditionExecuting
	case blocked > 0:
		j.Condition = ConditionBlocked
	case complete > 0 && complete == len(j.Triggers):
		j.Condition = ConditionComplete
	default:
		j.Condition = ConditionNormal
	}
}

func conditionOf(t provider.TriggerRecord, executing bool) Condition {
	switch {
	case t.State == provider.TriggerError:
		return ConditionError
	case t.Paused, t.State == provider.TriggerPaused:
		return ConditionPaused
	case executing:
		return ConditionExecuting
	case t.State == provider.TriggerBlocked:
		return ConditionBlocked
	case t.State == provider.TriggerComplete:
		return ConditionComplete
	}
	return ConditionNormal
}
