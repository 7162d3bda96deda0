package scheduling

import (
	"cmp"
	"log/slog"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

func sortDue(due []provider.TriggerRecord) {
	slices.SortFunc(due, func(a, b provider.TriggerRecord) int {
		return cmp.Or(a.NextFireAt.Compare(b.NextFireAt), cmp.Compare(b.Priority, a.Priority), a.TriggerKey.Compare(b.TriggerKey))
	})
}

// fire decides over one due local trigger. A decision that asks an application
// calendar is taken on a goroutine of its own.
func (j *localJobs) fire(key provider.TriggerKey) {
	now := cut(j.s.clock.Now())
	j.mu.Lock()
	t, known := j.triggers[key]
	if !known || !t.waits() {
		j.mu.Unlock()
		return
	}
	c := provider.Candidate{Trigger: t.rec, Job: t.job, Now: now, Occupied: !j.mayRun(t.job)}
	foreign := t.foreign
	t.asking = true
	j.mu.Unlock()
	if !foreign {
		j.decide(c)
		return
	}
	go func() {
		j.decide(c)
		j.wake.now()
	}()
}

// decide takes the decision over a candidate, without the lock, and carries it
// out if the trigger is still as it was; else the next turn decides anew.
func (j *localJobs) decide(c provider.Candidate) {
	s, key := j.s, c.Trigger.TriggerKey
	d := s.rules().DecideLocal(c)
	j.mu.Lock()
	t, known := j.triggers[key]
	if !known {
		j.mu.Unlock()
		return
	}
	t.asking = false
	if t.rec != c.Trigger || d.Action == provider.Start && !j.mayRun(t.job) {
		j.mu.Unlock()
		return
	}
	switch d.Action {
	case provider.Start, provider.Advance:
		t.rec.State, t.rec.ScheduledAt, t.rec.NextFireAt = d.After.State, d.After.ScheduledAt, d.After.NextFireAt
		t.rec.PrevFireAt, t.rec.FireCount = d.After.PrevFireAt, d.After.FireCount
	default: // unreadable: a newer version wrote it (D14)
		t.rec.State = provider.TriggerError
		d.After.State, d.After.ErrorText = provider.TriggerError, "this version cannot read the trigger"
	}
	moved, job := t.rec, t.job
	if d.Action == provider.Start {
		j.running[job.Name]++
	}
	j.mu.Unlock()
	if d.Action == provider.Start {
		run := d.Run
		run.Job, run.TriggerName = job.Name, key.Trigger
		j.launch(run, job, moved, d.After, nil)
		return
	}
	if d.After.State == provider.TriggerError {
		s.log.Error("scheduling: the local trigger cannot run on this node", slog.String("job", key.Job),
			slog.String("trigger", key.Trigger), slog.String("node", s.opts.NodeID), slog.String("error", d.After.ErrorText))
	}
}

// reserve counts a run of a job in, if its exclusivity within this process
// allows that.
func (j *localJobs) reserve(job provider.JobRecord) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.mayRun(job) {
		return false
	}
	j.running[job.Name]++
	return true
}

// launch starts a local run that is already counted in running.
func (j *localJobs) launch(run provider.RunRecord, job provider.JobRecord, t provider.TriggerRecord, after provider.Progress, told chan provider.RunRecord) provider.RunRecord {
	s := j.s
	ref := s.node()
	run.ID, run.State, run.Node, run.Incarnation = newRunID(), provider.RunRunning, ref.ID, ref.Incarnation
	run.StartedAt = cut(s.clock.Now())
	run.Attempt = max(run.Attempt, 1)
	if run.ScheduledAt.IsZero() {
		run.ScheduledAt = run.StartedAt
	}
	s.record.add(run)
	s.start(begun{rec: run, job: job, ref: ref, local: true, told: told, trigger: t, after: after})
	return run
}

// localReturned notes the end of a local run. forgotten: its record is no
// longer ours to end.
func (s *Scheduler) localReturned(l *live, v verdict, forgotten bool) {
	j, now := s.locals, cut(s.clock.Now())
	j.mu.Lock()
	if j.running[l.rec.Job]--; j.running[l.rec.Job] <= 0 {
		delete(j.running, l.rec.Job)
	}
	j.mu.Unlock()
	if l.after.State == provider.TriggerAcquired && l.rec.Kind == provider.KindSchedule {
		if s.reg.foreign(l.trigger.Schedule) {
			go j.land(l, now)
		} else {
			j.land(l, now)
		}
	}
	rec := l.rec
	rec.State, rec.CompletedAt = v.state, now
	rec.ErrorCode, rec.ErrorText, rec.Result = string(v.code), v.text, l.run.takeResult()
	if !forgotten {
		s.record.add(rec)
		s.runEnded(rec, l.run.logger)
		j.retry(l, v, now)
	}
	if l.told != nil {
		l.told <- rec
		close(l.told)
	}
	j.wake.now()
}

// land gives an interval trigger whose run has ended its next instant (R159).
func (j *localJobs) land(l *live, ended time.Time) {
	next := j.s.rules().Settled(l.trigger, l.after.FireCount, ended)
	j.mu.Lock()
	t, known := j.triggers[l.trigger.TriggerKey]
	if known && t.rec.State == provider.TriggerAcquired && t.rec.Schedule == l.trigger.Schedule {
		t.rec.State, t.rec.ScheduledAt, t.rec.NextFireAt = next.State, next.ScheduledAt, next.NextFireAt
	}
	j.mu.Unlock()
	j.wake.now()
}

// retry has a failed run repeated by this process; the wait is lost with it
// (R221).
func (j *localJobs) retry(l *live, v verdict, now time.Time) {
	wait, again := plan.RetryWait(l.ended(v))
	if !again {
		return
	}
	run := provider.RunRecord{
		Job: l.rec.Job, TriggerName: l.rec.TriggerName, Kind: provider.KindRetry,
		ScheduledAt: now.Add(wait), Attempt: l.rec.Attempt + 1,
		RetryOf: cmp.Or(l.rec.RetryOf, l.rec.ID), Data: l.rec.Data,
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.retries = append(j.retries, localRetry{at: now.Add(wait), job: l.job, run: run})
}

// retryDue starts the retries that are due and that exclusivity allows (R220).
// Those of triggers that are gone are dropped.
func (j *localJobs) retryDue() {
	now := j.s.clock.Now()
	var start []localRetry
	j.mu.Lock()
	rest := j.retries[:0:0]
	for _, r := range j.retries {
		t, known := j.triggers[provider.TriggerKey{Job: r.run.Job, Trigger: r.run.TriggerName}]
		switch {
		case !known && r.run.TriggerName != "":
		case r.at.After(now) || !j.mayRun(r.job) || known && t.rec.Paused:
			rest = append(rest, r)
		default:
			j.running[r.job.Name]++
			start = append(start, r)
		}
	}
	j.retries = rest
	j.mu.Unlock()
	for _, r := range start {
		j.launch(r.run, r.job, provider.TriggerRecord{}, provider.Progress{}, nil)
	}
}
