package inmemory

import (
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Each breach is found and named: a checker that finds nothing judges nobody.
func TestCheckInvariantsFindsEachBreach(t *testing.T) {
	trigger := func(change func(*provider.TriggerRecord)) func(*fixture) {
		return func(f *fixture) {
			row := f.triggers[key("c", "y")]
			change(&row)
			f.setTrigger(row.TriggerKey, &row)
		}
	}
	state := func(s provider.TriggerState) func(*fixture) {
		return trigger(func(row *provider.TriggerRecord) { row.State = s })
	}
	run := func(change func(*runRow)) func(*fixture) {
		return func(f *fixture) {
			row := f.runs[f.jobs["a"].ActiveRunID]
			change(&row)
			f.setRun(row.ID, &row)
		}
	}
	job := func(change func(*provider.JobRecord)) func(*fixture) {
		return func(f *fixture) {
			row := f.jobs["a"]
			change(&row)
			f.setJob("a", &row)
		}
	}
	for want, spoil := range map[string]func(*fixture){
		"names no Running run":  job(func(row *provider.JobRecord) { row.ActiveRunID = "none" }),
		"is a run of job b":     job(func(row *provider.JobRecord) { row.ActiveRunID = "other" }),
		"that occupies nothing": run(func(row *runRow) { row.aside = true }),
		"no trigger that carries on": func(f *fixture) {
			run(func(row *runRow) { row.State, row.CompletedAt = provider.RunLost, start })(f)
			f.setTrigger(key("a", "cron"), nil)
		},
		"does not occupy its":          job(func(row *provider.JobRecord) { row.ActiveRunID = "" }),
		"CompletedAt is":               run(func(row *runRow) { row.CompletedAt = start }),
		"run other: RunState(9) is":    func(f *fixture) { r := f.runs["other"]; r.State = 9; f.setRun("other", &r) },
		"its job is gone":              func(f *fixture) { f.setJob("c", nil) },
		"TriggerState(9) is not a":     state(9),
		"without a whole claim":        state(provider.TriggerAcquired),
		"carries a claim":              trigger(func(row *provider.TriggerRecord) { row.Incarnation = 1 }),
		"flag is set and it is":        trigger(func(row *provider.TriggerRecord) { row.Paused = true }),
		"is Paused without the flag":   state(provider.TriggerPaused),
		"Waiting without a next":       trigger(func(row *provider.TriggerRecord) { row.NextFireAt = time.Time{} }),
		"in flight and has no Running": func(f *fixture) { f.setRun("other", nil) },
		"more than 1":                  func(f *fixture) { f.options.MaxRuns = 1 },
		"index of triggers by key":     func(f *fixture) { f.keys.remove(keyPlace(key("c", "y"))) },
		"index of waiting triggers:":   func(f *fixture) { f.waiting.remove(duePlace(f.triggers[key("c", "y")])) },
		"waiting triggers of job c":    func(f *fixture) { f.byJob["c"].waiting.remove(duePlace(f.triggers[key("c", "y")])) },
		"index of running runs":        func(f *fixture) { f.running.remove(startedPlace(f.runs["other"].RunRecord)) },
	} {
		t.Run(want, func(t *testing.T) {
			f := busy(t, Options{})
			// The run of b's interval trigger, under a name to find it by.
			row := f.runs[f.jobs["b"].ActiveRunID]
			f.setRun(row.ID, nil)
			row.ID = "other"
			f.setRun(row.ID, &row)
			b := f.jobs["b"]
			b.ActiveRunID = row.ID
			f.setJob("b", &b)
			f.check()

			before := f.tables
			f.tables = copied(before)
			spoil(f)
			err := f.CheckInvariants()
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("found %v, want %q", err, want)
			}
			f.tables, f.options.MaxRuns = before, DefaultMaxRuns
		})
	}
}

// copied copies the rows into fresh tables.
func copied(from tables) tables {
	to := newTables()
	for k, v := range from.jobs {
		to.setJob(k, &v)
	}
	for k, v := range from.triggers {
		to.setTrigger(k, &v)
	}
	for k, v := range from.runs {
		to.setRun(k, &v)
	}
	for k, v := range from.nodes {
		to.setNode(k, &v)
	}
	return to
}

// A clock that steps back makes no Blocked trigger a stranded one (D26).
func TestInvariantsHoldWhenTheClockStepsBack(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	run := f.occupy("a", 40)
	f.finish(run)
	f.clock = start.Add(-time.Hour)
	f.check()
	if got := f.count("a", provider.TriggerBlocked); got != 24 {
		t.Errorf("%d are Blocked, want 24", got)
	}
}

// D12, R205: runs beside the occupant are legal where the contract says so.
func TestRunsBesideTheOccupant(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"))
	f.enqueue("a", "1", "2", "3")
	runs := f.claim(3, startOrBlock).Items
	f.save(exclusiveJob("a"))
	if got := f.job("a").ActiveRunID; got != runs[2].Run.ID {
		t.Errorf("occupied by %s, want the newest run %s", got, runs[2].Run.ID)
	}
	f.check()
	f.finish(runs[2].Run)
	f.enqueue("a", "4")
	f.wantOutcomes(f.claim(3, startOrBlock).Items, provider.OutcomeStarted)
	f.check()

	local := exclusiveJob("l")
	local.EveryInstance = true
	f.save(local)
	for _, id := range f.runIDs(2) {
		f.ok(f.Record(f.ctx, []provider.RunRecord{{ID: id, Job: "l", Node: "n", State: provider.RunRunning, StartedAt: start}}))
	}
	f.check()
	_, err := f.DeleteJobs(f.ctx, []string{"l"})
	f.ok(err)
	f.save(local) // created while runs of its name are Running
	f.check()
	if got := f.job("l").ActiveRunID; got != "" {
		t.Errorf("a local run occupies its job: %s", got)
	}
}
