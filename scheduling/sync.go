package scheduling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// syncRounds is how often a code job that others write at the same time is
// read again within one attempt (D28).
const syncRounds = 3

// codeTurn writes the code jobs to the store, again with each poll until that
// has succeeded (R252), and looks every ten polls after triggers in state
// Error and excluded jobs that this node can run by now (D14).
func (s *Scheduler) codeTurn(ctx context.Context) bool {
	if !s.codeDone {
		reached, err := s.syncCode(ctx)
		s.outcome("write code jobs", err)
		s.codeDone = err == nil
		if reached {
			s.mu.Lock()
			s.st.synced = true
			s.mu.Unlock()
			s.nudge()
			s.locals.wake.now()
		}
	}
	if s.mendIn--; s.mendIn < 0 {
		s.mendIn = refreshPolls - 1
		s.outcome("return triggers in error", s.asideIfForeign(&s.mending, s.mend))
		s.outcome("look at excluded jobs", s.reviewExcluded())
	}
	polls := 1
	if s.codeDone { // nothing to do until the next look
		polls, s.mendIn = 1+s.mendIn, 0
	}
	return pause(ctx, s.clock, time.Duration(polls)*s.opts.PollInterval, nil)
}

// codeJob is one declared job on its way to the store.
type codeJob struct {
	def    JobDefinition
	record provider.JobRecord
	born   born
}

// syncCode writes the code jobs (R145, R245–R247, D28, D40). A job that cannot
// be born, for example because a calendar panics, keeps no other from being
// written. reached reports whether the store answered.
func (s *Scheduler) syncCode(ctx context.Context) (reached bool, err error) {
	call, cancel := s.call(callLimit)
	now, err := s.store.Now(call)
	cancel()
	if err != nil {
		return false, err
	}
	var faults []error
	var open []codeJob
	rules := s.rules()
	for _, def := range s.reg.codeJobs() {
		job := codeJob{def: def, record: codeRecord(def, s.opts.CodeVersion)}
		if job.born, err = s.bear(rules, job.record, def, now); err != nil {
			faults = append(faults, err)
			continue
		}
		open = append(open, job)
	}
	for range syncRounds {
		if len(open) == 0 || ctx.Err() != nil {
			break
		}
		if open, err = s.syncRound(open); err != nil {
			return true, errors.Join(append(faults, err)...)
		}
	}
	if len(open) > 0 {
		faults = append(faults, fmt.Errorf("%d code jobs, %s first, were written by others each time: %w",
			len(open), open[0].def.Name, provider.Contended("write code jobs")))
	}
	if s.opts.PruneCodeJobs {
		faults = append(faults, s.prune())
	}
	return true, errors.Join(faults...)
}

// bear computes the first instants of a code job.
func (s *Scheduler) bear(rules *plan.Rules, record provider.JobRecord, def JobDefinition, now time.Time) (born, error) {
	foreign := false
	for _, t := range def.Triggers {
		foreign = foreign || s.reg.foreign(t.Schedule.String())
	}
	if !foreign {
		return birth(rules, record, def.Triggers, now)
	}
	var result atomic.Pointer[born]
	err := s.aside(&s.bearing, func() error {
		b, err := birth(rules, record, def.Triggers, now)
		result.Store(&b)
		return err
	})
	b := result.Load()
	if err == nil && b == nil {
		err = errCalendar // the scheduler stops
	}
	if err != nil {
		return born{}, fmt.Errorf("job %s: %w", def.Name, err)
	}
	return *b, nil
}

// syncRound judges and writes once, and returns the jobs that lost a race.
func (s *Scheduler) syncRound(open []codeJob) ([]codeJob, error) {
	names := make([]string, len(open))
	for i, job := range open {
		names[i] = job.def.Name
	}
	call, cancel := s.call(callLimit)
	defer cancel()
	read, err := s.store.Jobs(call, names)
	if err != nil {
		return nil, err
	}
	stored := make(map[string]provider.JobRecord, len(read))
	for _, job := range read {
		stored[job.Name] = job
	}
	var items []provider.SaveItem
	var sent []codeJob
	var verdicts []syncVerdict
	for _, job := range open {
		v := judgeSync(stored[job.def.Name], job.record)
		if v.outdated {
			s.log.Info("scheduling: a newer version of the program has written this code job; it stays",
				slog.String("job", job.def.Name), slog.Int64("code_version", s.opts.CodeVersion))
		}
		if v.action == syncKeep {
			continue
		}
		items = append(items, syncItem(v, stored[job.def.Name], job.record, job.born.triggers))
		sent, verdicts = append(sent, job), append(verdicts, v)
	}
	if len(items) == 0 {
		return nil, nil
	}
	answers, err := s.save(call, items)
	if err != nil && len(items) > 1 && !errors.Is(err, provider.ErrStoreUnavailable) {
		return s.syncSingly(sent) // one that cannot be saved keeps no other from it
	}
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", items[0].Job.Name, err)
	}
	var again []codeJob
	var done []string
	for i, job := range sent {
		if !answers[i].Saved {
			again = append(again, job)
			continue
		}
		done = append(done, job.def.Name)
		s.warn(job.born.warnings)
		if verdicts[i].overrides {
			s.log.Warn("scheduling: the code job has changed, so a change made to it at run time is gone", // R246
				slog.String("job", job.def.Name))
		}
	}
	s.jobsChanged(TopicJobScheduled, done)
	return again, nil
}

func (s *Scheduler) save(ctx context.Context, items []provider.SaveItem) ([]provider.SaveAnswer, error) {
	answers, err := s.store.SaveJobs(ctx, items)
	if err == nil && len(answers) != len(items) {
		err = shortAnswer("SaveJobs", len(answers), len(items))
	}
	return answers, err
}

// syncSingly does a round job by job.
func (s *Scheduler) syncSingly(open []codeJob) (again []codeJob, err error) {
	var faults []error
	for _, job := range open {
		lost, err := s.syncRound([]codeJob{job})
		again = append(again, lost...)
		faults = append(faults, err)
	}
	return again, errors.Join(faults...)
}

// prune deletes the stored code jobs that the program no longer declares (D40).
func (s *Scheduler) prune() error {
	var names []string
	for after := ""; ; {
		call, cancel := s.call(callLimit)
		page, err := s.store.ListJobs(call, after, 0)
		cancel()
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, job := range page {
			if _, declared := s.reg.codeJob(job.Name); orphaned(job, declared, s.opts.CodeVersion) {
				names = append(names, job.Name)
			}
		}
		after = page[len(page)-1].Name
	}
	if len(names) == 0 {
		return nil
	}
	call, cancel := s.call(callLimit)
	defer cancel()
	answers, err := s.store.DeleteJobs(call, names)
	if err != nil {
		return err
	}
	var gone []string
	for i, name := range names {
		if i < len(answers) && answers[i] == nil {
			gone = append(gone, name)
			s.log.Info("scheduling: deleted a code job that the program no longer declares", slog.String("job", name))
		}
	}
	s.jobsChanged(TopicJobUnscheduled, gone)
	return nil
}
