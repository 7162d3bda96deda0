package inmemory

import "slices"

// indexes rebuilds every index from the rows and compares.
func (c *check) indexes() {
	fresh := newTables()
	for name, job := range c.jobs {
		fresh.setJob(name, &job)
	}
	for key, row := range c.triggers {
		fresh.setTrigger(key, &row)
	}
	for id, run := range c.runs {
		fresh.setRun(id, &run)
	}
	compareIndex(c, "jobs by name", c.jobNames, fresh.jobNames)
	compareIndex(c, "triggers by key", c.keys, fresh.keys)
	compareIndex(c, "waiting triggers", c.waiting, fresh.waiting)
	compareIndex(c, "acquired triggers", c.acquired, fresh.acquired)
	compareIndex(c, "runs by occurrence", c.history, fresh.history)
	compareIndex(c, "running runs", c.running, fresh.running)
	compareIndex(c, "finished runs", c.finished, fresh.finished)
	if len(c.byJob) != len(fresh.byJob) {
		c.breach("index of triggers by job: has %d jobs instead of %d", len(c.byJob), len(fresh.byJob))
	}
	for name, want := range fresh.byJob {
		if got := c.byJob[name]; got != nil {
			compareIndex(c, "triggers of job "+name, got.keys, want.keys)
			compareIndex(c, "waiting triggers of job "+name, got.waiting, want.waiting)
			compareIndex(c, "blocked triggers of job "+name, got.blocked, want.blocked)
		}
	}
}

func compareIndex[T comparable](c *check, what string, got, want *ordered[T]) {
	g, w := slices.Collect(got.all()), slices.Collect(want.all())
	if !slices.Equal(g, w) || got.len() != len(g) {
		c.breach("index of %s: holds %d items that are not the %d of the rows", what, len(g), len(w))
	}
}
