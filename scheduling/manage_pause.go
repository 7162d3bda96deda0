package scheduling

import (
	"context"
)

// Pause pauses jobs: none of their triggers starts a run until they are resumed,
// triggers that are added meanwhile included (R230, D08). Runs that have begun
// go on; Trigger and Enqueue still work (D11). A pause survives restarts and
// replacements. Per item: [ErrJobNotFound].
func (s *Scheduler) Pause(ctx context.Context, names ...string) error {
	done, err := each(names, nameKey, checkJobName, func(legal []string) ([]error, error) {
		return s.store.PauseJobs(ctx, legal)
	})
	s.jobsChanged(TopicJobPaused, done)
	return err
}

// Resume ends the pause of jobs and of all their triggers, those that were
// paused singly included. What was missed follows the misfire policy (R230).
// Per item: [ErrJobNotFound].
func (s *Scheduler) Resume(ctx context.Context, names ...string) error {
	done, err := each(names, nameKey, checkJobName, func(legal []string) ([]error, error) {
		return s.store.ResumeJobs(ctx, legal)
	})
	s.jobsChanged(TopicJobResumed, done)
	return err
}

// PauseTriggers pauses single triggers (R231). Per item: [ErrTriggerNotFound].
func (s *Scheduler) PauseTriggers(ctx context.Context, keys ...TriggerKey) error {
	done, err := each(keys, triggerKey, checkTriggerKey, func(legal []TriggerKey) ([]error, error) {
		return s.store.PauseTriggers(ctx, legal)
	})
	s.triggersChanged(done)
	return err
}

// ResumeTriggers ends the pause of single triggers; a pause of their job goes on
// for its other triggers and for those added later (R231, D08). Per item:
// [ErrTriggerNotFound].
func (s *Scheduler) ResumeTriggers(ctx context.Context, keys ...TriggerKey) error {
	done, err := each(keys, triggerKey, checkTriggerKey, func(legal []TriggerKey) ([]error, error) {
		return s.store.ResumeTriggers(ctx, legal)
	})
	s.triggersChanged(done)
	return err
}
