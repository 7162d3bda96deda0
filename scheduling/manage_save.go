package scheduling

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// checkDefinition reports everything that is wrong with a definition, what this
// node lacks for it included.
func checkDefinition(d JobDefinition, rules *plan.Rules) error {
	var all joined
	if err := d.Validate(); err != nil {
		all = append(all, err)
	}
	all = append(all, d.known(rules)...)
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// saving is one job on its way to the store.
type saving struct {
	born born
	// build makes the item from the job as it is stored, zero where there is
	// none. Its condition is the caller's business.
	build func(stored provider.JobRecord) (provider.SaveItem, error)
}

// saveRounds is how often a save is tied to the job that was read. An exclusive
// job that runs all the time changes with each run; after that many rounds the
// last writer wins, as R106 has it.
const saveRounds = 3

// saveAll saves jobs, reports what failed, and publishes what was done. What
// belongs to code jobs is computed from the stored job, so each save is tied to
// the one that was read (R105, D28).
func (s *Scheduler) saveAll(ctx context.Context, b *batch, items []item[*saving]) error {
	for round := 0; len(items) > 0; round++ {
		left, err := s.saveRound(ctx, b, items, round >= saveRounds)
		if err != nil {
			return failAll(b, left, err)
		}
		items = left
	}
	return b.err()
}

// saveRound returns the items that lost a race, or those that could not be
// saved and why.
func (s *Scheduler) saveRound(ctx context.Context, b *batch, items []item[*saving], always bool) ([]item[*saving], error) {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.key
	}
	read, err := s.store.Jobs(ctx, names)
	if err != nil {
		return items, err
	}
	stored := make(map[string]provider.JobRecord, len(read))
	for _, job := range read {
		stored[job.Name] = job
	}
	var sent []item[*saving]
	var send []provider.SaveItem
	for _, it := range items {
		before := stored[it.key]
		save, err := it.value.build(before)
		if err != nil {
			b.fail(it.index, it.key, err)
			continue
		}
		switch {
		case always:
			save.Condition = provider.Always
		case before.Name == "":
			save.Condition = provider.IfAbsent
		default:
			save.Condition, save.Version = provider.IfVersion, before.Version
		}
		sent, send = append(sent, it), append(send, save)
	}
	if len(send) == 0 {
		return nil, nil
	}
	answers, err := s.store.SaveJobs(ctx, send)
	if err == nil && len(answers) != len(send) {
		err = shortAnswer("SaveJobs", len(answers), len(send))
	}
	if err != nil {
		return sent, err
	}
	var again []item[*saving]
	var done []string
	for i, it := range sent {
		if !answers[i].Saved {
			again = append(again, it)
			continue
		}
		done = append(done, it.key)
		s.warn(it.value.born.warnings)
	}
	s.jobsChanged(TopicJobScheduled, done)
	return again, nil
}

// jobsChanged makes what this node has just done to jobs effective here, and
// publishes it.
func (s *Scheduler) jobsChanged(topic string, names []string) {
	if len(names) == 0 {
		return
	}
	s.definitionsChanged(names...)
	s.nudge()
	for _, name := range names {
		s.events.job(topic, name)
	}
}

// triggersChanged makes what this node has just done to triggers effective here.
func (s *Scheduler) triggersChanged(keys []TriggerKey) {
	if len(keys) == 0 {
		return
	}
	names := make([]string, 0, len(keys))
	for _, k := range keys {
		names = append(names, k.Job)
	}
	s.definitionsChanged(names...)
	s.nudge()
}

func (s *Scheduler) warn(warnings []string) {
	for _, w := range warnings {
		s.log.Warn("scheduling: " + w)
	}
}
