package inmemory

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// CheckInvariants verifies what holds at every commit: the invariants that
// package provider lists, what the records say of their own fields, and that
// the indexes tell the truth. It returns nil, or an error that joins one line
// per breach, in a fixed order. It changes nothing and does not reach
// Options.Fault; it reads the clock once. The cost is linear in all records.
func (s *Store) CheckInvariants() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := check{tx: &tx{tables: &s.tables, store: s, now: cut(s.now())}}
	for _, name := range slices.Sorted(maps.Keys(s.jobs)) {
		c.job(s.jobs[name])
	}
	for p := range s.keys.all() {
		c.trigger(s.triggers[p.key])
	}
	for _, id := range slices.Sorted(maps.Keys(s.runs)) {
		c.run(s.runs[id])
	}
	c.room()
	c.indexes()
	return errors.Join(c.breaches...)
}

// check is one verification under way.
type check struct {
	*tx
	breaches []error
}

func (c *check) breach(format string, args ...any) {
	c.breaches = append(c.breaches, fmt.Errorf(format, args...))
}

func (c *check) job(job provider.JobRecord) {
	if job.ActiveRunID != "" {
		run, ok := c.runs[job.ActiveRunID]
		switch {
		case !ok || run.State != provider.RunRunning:
			c.breach("job %s: ActiveRunID %s names no Running run (R038)", job.Name, job.ActiveRunID)
		case run.Job != job.Name:
			c.breach("job %s: ActiveRunID %s is a run of job %s", job.Name, job.ActiveRunID, run.Job)
		case exclusive(job) && run.aside:
			c.breach("job %s: ActiveRunID %s is a run that occupies nothing", job.Name, job.ActiveRunID)
		}
	}
	if c.stranded(job.Name) {
		blocked, _ := c.byJob[job.Name].blocked.first()
		c.breach("job %s: is free, has Blocked %s, and no trigger that carries on (D35)", job.Name, blocked.text)
	}
}

func (c *check) trigger(row provider.TriggerRecord) {
	if _, ok := c.jobs[row.Job]; !ok {
		c.breach("trigger %v: its job is gone (R229)", row.TriggerKey)
	}
	acquired := row.State == provider.TriggerAcquired
	claim := row.ClaimID != 0 && row.ClaimedBy != "" && !row.ClaimedAt.IsZero()
	noClaim := row.ClaimID == 0 && row.ClaimedBy == "" && row.Incarnation == 0 && row.ClaimedAt.IsZero()
	switch {
	case !row.State.Valid():
		c.breach("trigger %v: %v is not a state", row.TriggerKey, row.State)
	case acquired && !claim:
		c.breach("trigger %v: is Acquired without a whole claim (D07)", row.TriggerKey)
	case !acquired && !noClaim:
		c.breach("trigger %v: is %v and carries a claim (D07)", row.TriggerKey, row.State)
	case row.Paused && row.State == provider.TriggerWaiting:
		c.breach("trigger %v: its Paused flag is set and it is Waiting (D08)", row.TriggerKey)
	case !row.Paused && row.State == provider.TriggerPaused:
		c.breach("trigger %v: is Paused without the flag (D08)", row.TriggerKey)
	}
	c.next(row)
}

// next checks that something leads on from where the trigger stands.
func (c *check) next(row provider.TriggerRecord) {
	none := row.NextFireAt.IsZero()
	switch row.State {
	case provider.TriggerWaiting, provider.TriggerPaused, provider.TriggerBlocked:
		if none && !row.Local {
			c.breach("trigger %v: is %v without a next instant; nothing leads on from there", row.TriggerKey, row.State)
		}
	case provider.TriggerAcquired:
		if none && !c.flies(row) {
			c.breach("trigger %v: is in flight and has no Running run; nothing leads on from there (R265)", row.TriggerKey)
		}
	}
}

// flies reports whether the run of a trigger in flight is Running.
func (t *tx) flies(row provider.TriggerRecord) bool {
	for p := range t.running.all() {
		run := t.runs[p.id]
		if run.Job == row.Job && run.TriggerName == row.Trigger && runBy(run.RunRecord) == claimedBy(row) {
			return true
		}
	}
	return false
}

func (c *check) run(run runRow) {
	running := run.State == provider.RunRunning
	job, known := c.jobs[run.Job]
	switch {
	case !run.State.Valid():
		c.breach("run %s: %v is not a state", run.ID, run.State)
	case running != run.CompletedAt.IsZero():
		c.breach("run %s: is %v and CompletedAt is %v (D05)", run.ID, run.State, run.CompletedAt)
	case running && known && exclusiveInCluster(job) && !run.aside && job.ActiveRunID != run.ID:
		c.breach("run %s: is Running and does not occupy its exclusive job %s, which %q does (R148)",
			run.ID, run.Job, job.ActiveRunID)
	}
}

func (c *check) room() {
	if len(c.runs) > c.store.options.MaxRuns {
		c.breach("%d run records are kept, more than %d (D37)", len(c.runs), c.store.options.MaxRuns)
	}
}
