package scheduling

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// refreshPolls is after how many poll intervals the local triggers are read
// again (R207), and triggers in state Error looked at (D14).
const refreshPolls = 10

// localJobs are the jobs that every instance runs on its own clock (R149,
// R205). Their definitions come from the store; their progress is this
// process's own and begins when it first sees a trigger. Nothing is claimed,
// and nothing waits for the store.
type localJobs struct {
	s    *Scheduler
	wake *waker

	mu       sync.Mutex
	loaded   time.Time // when the definitions were last read; zero = never
	stale    bool      // this node has changed definitions
	triggers map[provider.TriggerKey]*localTrigger
	running  map[string]int // runs of this process, by job
	retries  []localRetry
}

// localTrigger is a local trigger with this process's progress.
type localTrigger struct {
	rec provider.TriggerRecord
	job provider.JobRecord
	// foreign: its schedule asks an application's calendar, which is done on
	// a goroutine of its own; asking says that one is at it.
	foreign bool
	asking  bool
	// unborn: its first instant is being computed.
	unborn bool
}

// localRetry is a retry that waits in this process (R221).
type localRetry struct {
	at  time.Time
	job provider.JobRecord
	run provider.RunRecord // ID empty
}

func newLocalJobs(s *Scheduler) *localJobs {
	return &localJobs{
		s: s, wake: newWaker(s.opts.PollInterval), stale: true,
		triggers: make(map[provider.TriggerKey]*localTrigger), running: make(map[string]int),
	}
}

// localTurn runs what is due of the local triggers and retries (R257).
func (s *Scheduler) localTurn(ctx context.Context) bool {
	j := s.locals
	if !j.wake.wait(ctx, s.clock, passFloor) {
		return false
	}
	j.wake.by(s.clock.Now().Add(s.opts.PollInterval))
	s.mu.Lock()
	runs := s.st.phase == phaseServing && !s.st.paused && s.st.synced && s.st.ref.Incarnation != 0
	s.mu.Unlock()
	if !runs {
		return true
	}
	if j.due() {
		err := j.refresh()
		s.outcome("read local jobs", err)
	}
	j.retryDue()
	for _, key := range j.dueKeys() {
		j.fire(key)
	}
	j.plan()
	return true
}

// due reports whether the definitions are to be read again.
func (j *localJobs) due() bool {
	now := j.s.clock.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stale || elapsed(j.loaded, now) >= refreshPolls*j.s.opts.PollInterval
}

// changed has the definitions read again at once (R207).
func (j *localJobs) changed() {
	j.mu.Lock()
	j.stale = true
	j.mu.Unlock()
	j.wake.now()
}

// refresh reads the definitions. Triggers whose schedule text is unchanged keep
// their progress; new ones begin now.
func (j *localJobs) refresh() error {
	s := j.s
	j.mu.Lock()
	j.stale = false
	j.mu.Unlock()
	rows, jobs, err := s.readLocal()
	if err != nil {
		j.mu.Lock()
		j.stale = true
		j.mu.Unlock()
		return err
	}
	now := s.clock.Now()
	found := make(map[provider.TriggerKey]*localTrigger, len(rows))
	var fresh []*localTrigger
	j.mu.Lock()
	for _, row := range rows {
		job, exists := jobs[row.Job]
		if !exists {
			continue
		}
		t := &localTrigger{rec: row, job: job}
		found[row.TriggerKey] = t
		if before, known := j.triggers[row.TriggerKey]; known && before.rec.Schedule == row.Schedule {
			t.rec, t.foreign, t.asking = progressOf(row, before.rec), before.foreign, before.asking
			t.unborn = before.unborn
			continue
		}
		t.rec.State, t.unborn = provider.TriggerComplete, true
		fresh = append(fresh, t)
	}
	j.triggers, j.loaded = found, now
	j.mu.Unlock()
	for _, t := range fresh {
		j.bear(t.rec, now)
	}
	return nil
}

// bear gives a new local trigger its first instant.
func (j *localJobs) bear(row provider.TriggerRecord, now time.Time) {
	foreign := j.s.reg.foreign(row.Schedule)
	do := func() {
		born := j.s.localBirth(row, now)
		j.mu.Lock()
		if t, there := j.triggers[row.TriggerKey]; there && t.rec.Schedule == row.Schedule && t.unborn {
			t.rec, t.foreign, t.unborn = progressOf(t.rec, born), foreign, false
		}
		j.mu.Unlock()
	}
	if !foreign {
		do()
		return
	}
	go func() {
		do()
		j.wake.now()
	}()
}

// progressOf gives a definition the progress of the trigger before it.
func progressOf(def, before provider.TriggerRecord) provider.TriggerRecord {
	def.State, def.ScheduledAt, def.NextFireAt = before.State, before.ScheduledAt, before.NextFireAt
	def.PrevFireAt, def.FireCount = before.PrevFireAt, before.FireCount
	return def
}

// localBirth starts a local trigger anew, on the node's clock. A once schedule
// whose instant has passed before this process saw it does not run: no one
// could say whether it has run here before.
func (s *Scheduler) localBirth(row provider.TriggerRecord, now time.Time) provider.TriggerRecord {
	row.PrevFireAt, row.FireCount = time.Time{}, 0
	born, err := s.rules().Birth(row, cut(now))
	if err != nil {
		s.log.Error("scheduling: the local trigger cannot run on this node", slog.String("job", row.Job),
			slog.String("trigger", row.Trigger), slog.String("node", s.opts.NodeID), slog.Any("error", err))
		row.State = provider.TriggerError
		return row
	}
	if born.State == provider.TriggerWaiting && born.NextFireAt.Before(cut(now)) {
		born.State = provider.TriggerComplete
	}
	return born
}

// readLocal reads all local triggers and their jobs.
func (s *Scheduler) readLocal() ([]provider.TriggerRecord, map[string]provider.JobRecord, error) {
	var rows []provider.TriggerRecord
	query := provider.TriggerQuery{LocalOnly: true}
	for {
		call, cancel := s.call(callLimit)
		page, err := s.store.ListTriggers(call, query)
		cancel()
		if err != nil {
			return nil, nil, err
		}
		if len(page) == 0 {
			break
		}
		rows = append(rows, page...)
		query.After = page[len(page)-1].TriggerKey
	}
	var names []string
	for _, row := range rows {
		if len(names) == 0 || names[len(names)-1] != row.Job { // ordered by key
			names = append(names, row.Job)
		}
	}
	jobs := make(map[string]provider.JobRecord, len(names))
	if len(names) == 0 {
		return nil, jobs, nil
	}
	call, cancel := s.call(callLimit)
	defer cancel()
	found, err := s.store.Jobs(call, names)
	for _, job := range found {
		jobs[job.Name] = job
	}
	return rows, jobs, err
}

// dueKeys are the triggers that are due now, by their instants.
func (j *localJobs) dueKeys() []provider.TriggerKey {
	now := j.s.clock.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	var due []provider.TriggerRecord
	for _, t := range j.triggers {
		if t.waits() && !t.rec.NextFireAt.After(now) {
			due = append(due, t.rec)
		}
	}
	sortDue(due)
	keys := make([]provider.TriggerKey, len(due))
	for i, t := range due {
		keys[i] = t.TriggerKey
	}
	return keys
}

func (t *localTrigger) waits() bool {
	return t.rec.State == provider.TriggerWaiting && !t.asking && !t.rec.Paused && !t.rec.NextFireAt.IsZero()
}

// plan wakes the loop for the next due instant.
func (j *localJobs) plan() {
	var next time.Time
	j.mu.Lock()
	earlier := func(at time.Time) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	for _, t := range j.triggers {
		if t.waits() {
			earlier(t.rec.NextFireAt)
		}
	}
	for _, r := range j.retries {
		if j.mayRun(r.job) {
			earlier(r.at)
		}
	}
	j.mu.Unlock()
	if !next.IsZero() {
		now := j.s.clock.Now()
		j.wake.by(now.Add(next.Sub(now.Round(0))))
	}
}

// mayRun reports whether a job's exclusivity, judged within this process
// alone, allows a run (R206). Caller holds mu.
func (j *localJobs) mayRun(job provider.JobRecord) bool {
	return job.AllowConcurrent || j.running[job.Name] == 0
}

// definitionsChanged is called when this node has changed jobs: local triggers
// are read again, and what was excluded may be claimed again (R207, D14).
func (s *Scheduler) definitionsChanged(jobs ...string) {
	s.include(jobs)
	s.locals.changed()
	s.nudge()
}
