package scheduling

import (
	"context"
	"fmt"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Schedule adds jobs, or replaces jobs of the same name whole, with their
// triggers (R228). It takes effect at once; other nodes see it in their next
// cycle. A trigger whose name and schedule are unchanged keeps its state and
// progress, any other starts anew; running runs go on (D12). What is paused
// stays paused (R247). A code job that is replaced becomes Overridden, and the
// next start keeps the replacement until the code changes (R243). A later
// definition of a name replaces an earlier one of the same call (R107).
//
// Per item: [ErrInvalidDefinition] with all faults, and [ErrHandlerNotFound] for
// a handler that is not registered on this node (R241).
func (s *Scheduler) Schedule(ctx context.Context, definitions ...JobDefinition) error {
	b := &batch{total: len(definitions), replaced: make(map[int]int)}
	rules := s.rules()
	latest := make(map[string]int, len(definitions))
	for i := len(definitions) - 1; i >= 0; i-- {
		d := definitions[i]
		if err := checkDefinition(d, rules); err != nil {
			b.fail(i, d.Name, err)
		} else if later, taken := latest[d.Name]; taken {
			b.replaced[i] = later
		} else {
			latest[d.Name] = i
		}
	}
	if len(latest) == 0 {
		return b.err()
	}
	var legal []item[JobDefinition]
	for i, d := range definitions {
		if at, ok := latest[d.Name]; ok && at == i {
			legal = append(legal, item[JobDefinition]{i, d.Name, d})
		}
	}
	now, err := s.store.Now(ctx)
	if err != nil {
		return failAll(b, legal, err)
	}
	var items []item[*saving]
	for _, it := range legal {
		d := it.value
		born, err := birth(rules, d.record(), d.Triggers, now)
		if err != nil {
			b.fail(it.index, it.key, err)
			continue
		}
		items = append(items, item[*saving]{it.index, it.key, &saving{born: born, build: func(stored provider.JobRecord) (provider.SaveItem, error) {
			return provider.SaveItem{Job: runtimeRecord(d, stored, s.declared(d.Name)), Triggers: born.triggers}, nil
		}}})
	}
	return s.saveAll(ctx, b, items)
}

// declared is this program's own declaration of a code job as it is stored at
// the start; zero where it has none.
func (s *Scheduler) declared(name string) provider.JobRecord {
	if d, ok := s.reg.codeJob(name); ok {
		return codeRecord(d, s.opts.CodeVersion)
	}
	return provider.JobRecord{}
}

// AddTriggers adds triggers to a job without replacing it (D38). On a code job
// they survive restarts until its code changes.
//
// Per item: [ErrInvalidDefinition] with all faults, for a name that is taken
// too; [ErrJobNotFound].
func (s *Scheduler) AddTriggers(ctx context.Context, job string, triggers ...TriggerDefinition) error {
	rules := s.rules()
	seen := make(map[string]bool, len(triggers))
	key := func(t TriggerDefinition) string { return job + "/" + t.Name }
	check := func(t TriggerDefinition) error {
		if err := checkJobName(job); err != nil {
			return err
		}
		var f faults
		t.check("", &f)
		f.add(t.known("", rules))
		if seen[t.Name] {
			f.addf("Name %s stands twice in this call: give each trigger its own name", provider.Quote(t.Name))
		}
		seen[t.Name] = true
		return f.err(shownKey(key(t)))
	}
	var warnings []string
	done, err := each(triggers, key, check, func(legal []TriggerDefinition) (answers []error, err error) {
		answers, warnings, err = s.addTriggers(ctx, rules, job, legal)
		return answers, err
	})
	if len(done) > 0 {
		s.warn(warnings)
		s.definitionsChanged(job)
		s.nudge()
	}
	return err
}

// addTriggers stores legal triggers, as the job that is stored now asks.
func (s *Scheduler) addTriggers(ctx context.Context, rules *plan.Rules, name string, defs []TriggerDefinition) ([]error, []string, error) {
	stored, err := s.store.Jobs(ctx, []string{name})
	if err != nil {
		return nil, nil, err
	}
	answers := make([]error, len(defs))
	if len(stored) == 0 {
		for i := range answers {
			answers[i] = provider.NotFound(provider.CodeJobNotFound, name)
		}
		return answers, nil, nil
	}
	now, err := s.store.Now(ctx)
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	var send []provider.TriggerRecord
	var places []int
	for i, t := range defs {
		b, err := birth(rules, stored[0], []TriggerDefinition{t}, now)
		if err != nil {
			answers[i] = err
			continue
		}
		warnings = append(warnings, b.warnings...)
		send, places = append(send, b.triggers[0]), append(places, i)
	}
	if len(send) == 0 {
		return answers, nil, nil
	}
	added, err := s.store.AddTriggers(ctx, send)
	if err == nil && len(added) != len(send) {
		err = shortAnswer("AddTriggers", len(added), len(send))
	}
	if err != nil {
		return nil, nil, err
	}
	for i, place := range places {
		answers[place] = added[i]
	}
	return answers, warnings, nil
}

// RemoveTriggers deletes triggers that have not begun, one-shots included
// (D38); a run that has begun goes on. On a code job they stay removed until its
// code changes. Per item: [ErrTriggerNotFound].
func (s *Scheduler) RemoveTriggers(ctx context.Context, keys ...TriggerKey) error {
	done, err := each(keys, triggerKey, checkTriggerKey, func(legal []TriggerKey) ([]error, error) {
		return s.store.RemoveTriggers(ctx, legal)
	})
	s.triggersChanged(done)
	return err
}

// Unschedule deletes jobs with all their triggers, one-shots included. Running
// runs go on, history stays; a code job is back at the next start (R229, R249).
// Per item: [ErrJobNotFound].
func (s *Scheduler) Unschedule(ctx context.Context, names ...string) error {
	done, err := each(names, nameKey, checkJobName, func(legal []string) ([]error, error) {
		return s.store.DeleteJobs(ctx, legal)
	})
	s.jobsChanged(TopicJobUnscheduled, done)
	return err
}

// Restore brings code jobs that were changed or deleted at run time back to this
// program's code. What is paused stays paused, and triggers of the same name
// keep their progress (R239, R248).
//
// Per item: [ErrNoCodeDefinition] where this program declares no such job, or a
// higher version of it has written the stored one (D40).
func (s *Scheduler) Restore(ctx context.Context, names ...string) error {
	b := &batch{total: len(names)}
	rules := s.rules()
	var found []item[JobDefinition]
	for i, name := range names {
		def, ok := s.reg.codeJob(name)
		if !ok {
			b.fail(i, name, provider.NotFound(provider.CodeNoCodeDefinition, shownKey(name)))
			continue
		}
		if err := checkDefinition(def, rules); err != nil {
			b.fail(i, name, err)
			continue
		}
		found = append(found, item[JobDefinition]{i, name, def})
	}
	if len(found) == 0 {
		return b.err()
	}
	now, err := s.store.Now(ctx)
	if err != nil {
		return failAll(b, found, err)
	}
	var items []item[*saving]
	for _, it := range found {
		code := codeRecord(it.value, s.opts.CodeVersion)
		born, err := birth(rules, code, it.value.Triggers, now)
		if err != nil {
			b.fail(it.index, it.key, err)
			continue
		}
		items = append(items, item[*saving]{it.index, it.key, &saving{born: born, build: func(stored provider.JobRecord) (provider.SaveItem, error) {
			if stored.CodeVersion > code.CodeVersion {
				return provider.SaveItem{}, &provider.Error{Code: provider.CodeNoCodeDefinition, Key: it.key, Reason: fmt.Sprintf(
					"the stored job is of CodeVersion %d, this program is %d: restore it from a node of that version", stored.CodeVersion, code.CodeVersion)}
			}
			return provider.SaveItem{Job: code, Triggers: born.triggers, KeepProgress: true}, nil
		}}})
	}
	return s.saveAll(ctx, b, items)
}
