package simulation

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// trigger judges a change of one trigger row.
func (j *judge) trigger(e *event, c change[provider.TriggerRecord]) {
	key := either(c).TriggerKey
	begun, ended := j.runsOf(e, key)
	oneShot := provider.IsOneShot(key.Trigger)
	if c.before != nil && c.after != nil {
		j.flag(e, *c.before, *c.after)
	}
	switch {
	case c.before == nil && oneShot:
		j.oneShotBorn(e, *c.after)
	case c.before == nil:
		j.era[key]++
		j.bornAsJob(e, *c.after)
		j.born(e, *c.after)
	case begun != nil:
		j.begin(e, *c.before, c.after, *begun)
	case c.after == nil && oneShot:
		j.oneShotGone(e, *c.before)
	case c.after == nil:
		if _, kept := j.jobs[key.Job]; e.op != "SaveJobs" && e.op != "RemoveTriggers" && (e.op != "DeleteJobs" || kept) {
			j.fail(e, ruleDeleted, "%v is gone by %s", key, e.op)
		}
	case e.op == "SaveJobs":
		j.saved(e, *c.before, *c.after)
	case c.before.ScheduledAt == c.after.ScheduledAt && c.before.NextFireAt == c.after.NextFireAt && (c.after.State != provider.TriggerComplete || c.before.State == provider.TriggerComplete):
		j.arrow(e, *c.before, *c.after)
	case ended != nil && flying(*c.before):
		j.landed(e, *c.before, *c.after, *ended)
	default:
		j.movedOn(e, *c.before, *c.after)
	}
}

// runsOf finds the run that the trigger began in this event, and the one of it
// that ended.
func (j *judge) runsOf(e *event, key provider.TriggerKey) (begun, ended *provider.RunRecord) {
	for _, c := range e.runs {
		if r := either(c); r.Job == key.Job && r.TriggerName == key.Trigger {
			if c.before == nil {
				begun = c.after
			} else if c.after != nil && c.after.State.Final() {
				ended = c.after
			}
		}
	}
	return begun, ended
}

// flying reports whether an interval trigger waits for the end of its run.
func flying(t provider.TriggerRecord) bool {
	return t.State == provider.TriggerAcquired && t.NextFireAt.IsZero()
}

func (j *judge) oneShotBorn(e *event, t provider.TriggerRecord) {
	paused := j.jobs[t.Job].Paused && !strings.HasPrefix(t.Trigger, "manual-")
	if t.Paused != paused || paused != (t.State == provider.TriggerPaused) {
		j.fail(e, rulePaused, "%v is born %v, paused %v, in a job with paused %v (D11)", t.TriggerKey, t.State, t.Paused, j.jobs[t.Job].Paused)
	}
	j.promises[t.TriggerKey] = true
	j.counts["one-shots"]++
}

// oneShotGone judges a one-shot that goes without a run: deleted, or dropped
// because it has expired (D38).
func (j *judge) oneShotGone(e *event, t provider.TriggerRecord) {
	_, kept := j.jobs[t.Job]
	switch {
	case e.op == "DeleteJobs" && !kept, e.op == "RemoveTriggers":
		if id, ok := strings.CutPrefix(t.Trigger, "recovery-"); ok && j.runs[id] != nil {
			j.runs[id].excused = true
		}
		j.counts["one-shots deleted"]++
	case (e.op == "Claim" || e.op == "Begin") && !t.ExpiresAt.IsZero():
		if !e.now.After(t.ExpiresAt) {
			j.fail(e, ruleExpired, "%v is dropped %v before it expires", t.TriggerKey, t.ExpiresAt.Sub(e.now))
		}
		j.counts["one-shots expired"]++
	default:
		j.fail(e, ruleOneShot, "%v is gone by %s without a run (D10)", t.TriggerKey, e.op)
	}
	delete(j.promises, t.TriggerKey)
	j.kept[t.TriggerKey] = true
}

// born judges the first instant of a trigger that starts anew at one of the
// presents that its process has read (R163, D37).
func (j *judge) born(e *event, t provider.TriggerRecord) {
	p, known := j.plans[t.Schedule]
	if e.op != "SaveJobs" && e.op != "AddTriggers" || !known {
		j.fail(e, ruleArrow, "%v is born by %s with schedule %q", t.TriggerKey, e.op, t.Schedule)
		return
	}
	for _, now := range j.clocks[e.node] {
		switch {
		case p.cron() && t.ScheduledAt.Equal(p.next(now)),
			p.interval() && t.ScheduledAt.Equal(now.Add(p.every)),
			!p.once.IsZero() && t.ScheduledAt.Equal(p.once),
			!p.once.IsZero() && t.State == provider.TriggerComplete && now.After(p.once):
			return
		}
	}
	j.fail(e, ruleNext, "%v is born %v with %v, which follows none of the presents that %s has read", t.TriggerKey, t.State, t.ScheduledAt, e.node)
}

// saved judges a replaced definition (D12, R247).
func (j *judge) saved(e *event, b, a provider.TriggerRecord) {
	if provider.IsOneShot(a.Trigger) {
		if a.State != b.State || a.ScheduledAt != b.ScheduledAt {
			j.fail(e, ruleReplaced, "%v is moved by a replacement (D10)", a.TriggerKey)
		}
		return
	}
	if a.Schedule != b.Schedule {
		j.era[a.TriggerKey]++
		j.counts["replaced triggers"]++
		j.born(e, a)
		return
	}
	if a.State != b.State || a.ScheduledAt != b.ScheduledAt || a.NextFireAt != b.NextFireAt || a.FireCount != b.FireCount ||
		a.Paused != b.Paused || a.ClaimID != b.ClaimID {
		j.fail(e, ruleReplaced, "%v: %v due %v becomes %v due %v (D12)", a.TriggerKey, b.State, b.ScheduledAt, a.State, a.ScheduledAt)
	}
}

// arrow judges a change of state that leaves the due instant as it is
// (R263–R269, D08).
func (j *judge) arrow(e *event, b, a provider.TriggerRecord) {
	const (
		waiting  = provider.TriggerWaiting
		acquired = provider.TriggerAcquired
		blocked  = provider.TriggerBlocked
		paused   = provider.TriggerPaused
	)
	home := waiting
	if a.Paused {
		home = paused
	}
	legal := false
	switch from, to := b.State, a.State; {
	case from == to:
		legal = true
	case from == waiting && to == acquired:
		legal = (e.op == "Acquire" || e.op == "Claim") && !b.Paused
		if b.NextFireAt.After(e.now) {
			j.fail(e, ruleEarly, "%v is claimed %v before it may be (R028)", a.TriggerKey, b.NextFireAt.Sub(e.now))
		}
	case (from == waiting || from == acquired) && to == blocked:
		legal = (e.op == "Claim" || e.op == "Begin" || e.op == "Start") && len(j.running[a.Job]) > 0
	case from == acquired && to == home:
		legal = true
	case from == blocked && to == home:
		legal = true
	case from == waiting && to == paused:
		legal = (e.op == "PauseJobs" || e.op == "PauseTriggers") && a.Paused
	case from == paused && to == waiting:
		legal = (e.op == "ResumeJobs" || e.op == "ResumeTriggers") && !a.Paused
	}
	if !legal {
		j.fail(e, ruleArrow, "%v: %v to %v by %s, paused %v (R269)", a.TriggerKey, b.State, a.State, e.op, a.Paused)
	}
	if a.FireCount != b.FireCount {
		j.fail(e, ruleArrow, "%v: count %d becomes %d without a run", a.TriggerKey, b.FireCount, a.FireCount)
	}
}

// begin judges the start of an occurrence: not early, not paused, by the
// misfire policy (R195–R199, D13, D19), and what the trigger becomes.
func (j *judge) begin(e *event, b provider.TriggerRecord, a *provider.TriggerRecord, run provider.RunRecord) {
	key := b.TriggerKey
	if b.Paused || j.triggers[key].Paused {
		j.fail(e, rulePaused, "%v begins run %s with its flag set (D08)", key, run.ID)
	}
	if b.NextFireAt.After(e.now) {
		j.fail(e, ruleEarly, "%v begins run %s %v early", key, run.ID, b.NextFireAt.Sub(e.now))
	}
	if b.State != provider.TriggerWaiting && b.State != provider.TriggerAcquired {
		j.fail(e, ruleArrow, "%v begins run %s in state %v", key, run.ID, b.State)
	}
	if provider.IsOneShot(key.Trigger) {
		if !b.ExpiresAt.IsZero() && e.now.After(b.ExpiresAt) {
			j.fail(e, ruleExpired, "%v begins run %s %v after it has expired (D38)", key, run.ID, e.now.Sub(b.ExpiresAt))
		}
		if a != nil {
			j.fail(e, ruleOneShot, "%v stays when run %s begins (D10)", key, run.ID)
		}
		if !run.ScheduledAt.Equal(b.ScheduledAt) || run.Kind != b.RunAs || run.Attempt != max(b.Attempt, 1) || run.RetryOf != b.RetryOf {
			j.fail(e, ruleOneShot, "%v begins run %s as %v at %v, attempt %d of %q", key, run.ID, run.Kind, run.ScheduledAt, run.Attempt, run.RetryOf)
		}
		return
	}
	if a == nil {
		j.fail(e, ruleOneShot, "%v is gone when its run begins", key)
		return
	}
	due, p := b.ScheduledAt, j.plans[b.Schedule]
	late := e.now.Sub(due) > j.pace.threshold
	scheduled := due
	j.resumed(b, e.now.Sub(due))
	switch {
	case late && b.Misfire == provider.MisfireSkip:
		j.fail(e, ruleMisfire, "%v begins an occurrence that is %v late (R198)", key, e.now.Sub(due))
	case late && b.Misfire == provider.MisfireRunOnce:
		scheduled = e.now
		j.counts["misfires run once"]++
		if p.cron() {
			j.counts["occurrences folded"] += p.missed(due, e.now)
		}
	case late:
		j.counts["misfires made up"]++
	}
	if !run.ScheduledAt.Equal(scheduled) {
		j.fail(e, ruleMisfire, "%v, due %v, begins as %v, want %v (R195–R199)", key, due, run.ScheduledAt, scheduled)
	}
	if a.FireCount != b.FireCount+1 || !a.PrevFireAt.Equal(run.ScheduledAt) {
		j.fail(e, ruleArrow, "%v: count %d after %d, previous %v after run %v", key, a.FireCount, b.FireCount, a.PrevFireAt, run.ScheduledAt)
	}
	j.afterBegin(e, p, *a, scheduled)
}

// afterBegin judges where a definition's trigger stands once its run has begun.
func (j *judge) afterBegin(e *event, p plan, a provider.TriggerRecord, scheduled time.Time) {
	switch {
	case p.interval():
		if !flying(a) {
			j.fail(e, ruleNext, "%v: an interval is %v due %v while its run is Running (R203)", a.TriggerKey, a.State, a.ScheduledAt)
		}
	case p.cron():
		next := p.next(scheduled)
		// One pass may begin an occurrence and block the next of the job, if
		// that is due already (R201).
		blocked := a.State == provider.TriggerBlocked && (e.op == "Claim" || e.op == "Begin") && !next.After(e.now) && !j.jobs[a.Job].AllowConcurrent
		if a.State != provider.TriggerWaiting && !blocked || !a.ScheduledAt.Equal(next) {
			j.fail(e, ruleNext, "%v: %v due %v after %v, want %v", a.TriggerKey, a.State, a.ScheduledAt, scheduled, next)
		}
		from := next
		if a.Misfire == provider.MisfireRunAll && !next.After(e.now) { // D13
			spacing := next.Sub(scheduled) / 2
			if spacing > j.pace.poll {
				spacing = j.pace.poll
			}
			from = e.now.Add(spacing)
		}
		if !a.NextFireAt.Equal(from) {
			j.fail(e, ruleNext, "%v may be claimed from %v, want %v (D13)", a.TriggerKey, a.NextFireAt, from)
		}
	default:
		if a.State != provider.TriggerComplete || !a.ScheduledAt.IsZero() {
			j.fail(e, ruleNext, "%v: %v due %v after its only run", a.TriggerKey, a.State, a.ScheduledAt)
		}
	}
}

// landed judges an interval trigger whose run has ended (R159, R203, R052).
func (j *judge) landed(e *event, b, a provider.TriggerRecord, run provider.RunRecord) {
	p := j.plans[b.Schedule]
	want := run.CompletedAt.Add(p.every)
	switch {
	case e.op == "Sweep":
		want = e.now
	case p.times > 0 && b.FireCount >= p.times:
		want = time.Time{}
	}
	state := provider.TriggerWaiting
	if want.IsZero() {
		state = provider.TriggerComplete
	} else if a.Paused {
		state = provider.TriggerPaused
	}
	if a.State != state || !a.ScheduledAt.Equal(want) || !a.NextFireAt.Equal(want) || a.FireCount != b.FireCount {
		j.fail(e, ruleNext, "%v: %v due %v after its run ended at %v, want %v due %v", a.TriggerKey, a.State, a.ScheduledAt, run.CompletedAt, state, want)
	}
}

// movedOn judges a trigger that lets its occurrence go: only a late one of the
// policy Skip may, or an interval whose runs are used up (R198, R160).
func (j *judge) movedOn(e *event, b, a provider.TriggerRecord) {
	p, late := j.plans[b.Schedule], e.now.Sub(b.ScheduledAt)
	if e.op != "Claim" && e.op != "Begin" || b.Paused || b.State != provider.TriggerWaiting && b.State != provider.TriggerAcquired {
		j.fail(e, ruleAccounted, "%v: %v due %v becomes %v due %v by %s", a.TriggerKey, b.State, b.ScheduledAt, a.State, a.ScheduledAt, e.op)
		return
	}
	if p.times > 0 && b.FireCount >= p.times && a.State == provider.TriggerComplete {
		return
	}
	if b.Misfire != provider.MisfireSkip || late <= j.pace.threshold {
		j.fail(e, ruleAccounted, "%v lets %v go, %v late, policy %v", a.TriggerKey, b.ScheduledAt, late, b.Misfire)
		return
	}
	j.counts["misfires skipped"]++
	want, state := time.Time{}, provider.TriggerWaiting
	switch {
	case p.cron():
		want = p.next(e.now)
		j.counts["occurrences folded"] += p.missed(b.ScheduledAt, e.now)
	case p.interval():
		want = e.now.Add(p.every)
	default:
		state = provider.TriggerComplete
	}
	if a.State != state || !a.ScheduledAt.Equal(want) || !a.NextFireAt.Equal(want) || a.FireCount != b.FireCount {
		j.fail(e, ruleNext, "%v: %v due %v after it was skipped at %v, want %v", a.TriggerKey, a.State, a.ScheduledAt, e.now, want)
	}
}

// end judges what is left when everything has had the time to be worked off.
func (j *judge) end(now time.Time) {
	for key, t := range j.triggers {
		switch {
		case t.Local: // its progress is each process's own
		case t.Paused:
			j.fail(nil, ruleAccounted, "%v is still paused after the resume", key)
		case t.State == provider.TriggerWaiting && !j.waits(key, now):
			j.fail(nil, ruleAccounted, "%v waits since %v, now is %v", key, t.NextFireAt, now)
		case t.State != provider.TriggerWaiting && t.State != provider.TriggerComplete:
			j.fail(nil, ruleAccounted, "%v is left %v", key, t.State)
		case t.State == provider.TriggerComplete && j.plans[t.Schedule].cron():
			j.fail(nil, ruleAccounted, "%v is Complete, and its schedule has no end", key)
		}
	}
	for id, f := range j.runs {
		switch {
		case f.local && !f.recorded:
		case f.run.State == provider.RunRunning:
			j.fail(nil, ruleAccounted, "run %s of %s is left Running", id, f.run.Job)
		case f.run.State == provider.RunLost && f.job.RequestsRecovery && f.recovery == "" && !f.excused:
			if !j.waits(provider.TriggerKey{Job: f.run.Job, Trigger: "recovery-" + id}, now) {
				j.fail(nil, ruleRecovery, "run %s of %s was lost and is not recovered", id, f.run.Job)
			}
		}
	}
	j.localEnd()
	for key := range j.promises {
		if j.begun[occurrence{key: key}] == "" && !j.waits(key, now) {
			j.fail(nil, ruleEnqueued, "%v was stored and never began", key)
		}
	}
}

// waits reports whether a trigger is there and not overdue: by then a due one
// would have been worked off.
func (j *judge) waits(key provider.TriggerKey, now time.Time) bool {
	t, there := j.triggers[key]
	return there && t.NextFireAt.After(now.Add(-15*j.pace.poll))
}
