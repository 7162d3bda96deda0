package simulation

import (
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// flag judges a trigger's Paused flag: pauses and resumes that name it or its
// job change it, and nothing else does, but a definition whose schedule is
// replaced: one that starts anew is born as its job says (D08, D12, P01).
func (j *judge) flag(e *event, b, a provider.TriggerRecord) {
	named := func(jobs, triggers string) bool {
		return e.asked != nil && (e.op == jobs && slices.Contains(e.asked.jobs, a.Job) || e.op == triggers && slices.Contains(e.asked.triggers, a.TriggerKey))
	}
	switch {
	case e.op == "SaveJobs" && a.Schedule != b.Schedule:
		want := j.jobs[a.Job].Paused
		if e.asked != nil && slices.Contains(e.asked.jobs, a.Job) {
			want = b.Paused
		}
		if a.Paused != want {
			j.fail(e, rulePaused, "%v is replaced, paused %v, and was paused %v, in a job with paused %v (P01)", a.TriggerKey, a.Paused, b.Paused, j.jobs[a.Job].Paused)
		}
	case a.Paused == b.Paused:
	case a.Paused && named("PauseJobs", "PauseTriggers"):
		j.pausedAt[a.TriggerKey] = e.seq
		j.counts["triggers paused by "+e.op]++
	case !a.Paused && named("ResumeJobs", "ResumeTriggers"):
		j.counts["triggers resumed by "+e.op]++
		if b.NextFireAt.Before(e.now.Add(-j.pace.threshold)) && b.State == provider.TriggerPaused {
			j.counts["triggers resumed late"]++
		}
	default:
		j.fail(e, rulePaused, "%v: the flag %v becomes %v by %s (D08)", a.TriggerKey, b.Paused, a.Paused, e.op)
	}
}

// jobFlag is flag for a job's.
func (j *judge) jobFlag(e *event, b, a provider.JobRecord) {
	asked := e.asked != nil && slices.Contains(e.asked.jobs, a.Name)
	if a.Paused != b.Paused && !(asked && (a.Paused && e.op == "PauseJobs" || !a.Paused && e.op == "ResumeJobs")) {
		j.fail(e, rulePaused, "job %s: the flag %v becomes %v by %s (D08)", a.Name, b.Paused, a.Paused, e.op)
	}
}

// answered holds the rows against a pause or a resume that was committed: all
// that it names and does not refuse is as it says, each job with all of its
// triggers, those included that are claimed, blocked or one-shots (D08, R230,
// R231).
func (j *judge) answered(e *event) {
	want := e.op == "PauseJobs" || e.op == "PauseTriggers"
	for i, name := range e.asked.jobs {
		job, there := j.jobs[name]
		if there != (e.asked.refused[i] == nil) {
			j.fail(e, rulePaused, "%s answers %v for job %s, which is there: %v", e.op, e.asked.refused[i], name, there)
			continue
		}
		if there && job.Paused != want {
			j.fail(e, rulePaused, "job %s has paused %v after %s", name, job.Paused, e.op)
		}
		for key, t := range j.triggers {
			if there && key.Job == name && t.Paused != want {
				j.fail(e, rulePaused, "%v has paused %v after %s of its job", key, t.Paused, e.op)
			}
		}
	}
	for i, key := range e.asked.triggers {
		t, there := j.triggers[key]
		if there != (e.asked.refused[i] == nil) {
			j.fail(e, rulePaused, "%s answers %v for %v, which is there: %v", e.op, e.asked.refused[i], key, there)
		} else if there && t.Paused != want {
			j.fail(e, rulePaused, "%v has paused %v after %s", key, t.Paused, e.op)
		}
	}
}

// bornAsJob judges the flag of a trigger that a definition adds: its job's, and
// the state that goes with it (D08).
func (j *judge) bornAsJob(e *event, t provider.TriggerRecord) {
	if t.Paused != j.jobs[t.Job].Paused {
		j.fail(e, rulePaused, "%v is born with paused %v in a job with paused %v (D08)", t.TriggerKey, t.Paused, j.jobs[t.Job].Paused)
	}
	if t.Paused {
		j.pausedAt[t.TriggerKey] = e.seq
	}
}

// maxUnread is how many reads of the local triggers may come to nothing: their
// jobs are read after them, which may fail each time.
const maxUnread = 6

// localRead notes that a process has read the local triggers.
func (j *judge) localRead(e *event) {
	j.localReads[e.node] = append(j.localReads[e.node], e.seq)
	if n := len(j.localReads[e.node]); n > maxUnread {
		j.localReads[e.node] = j.localReads[e.node][n-maxUnread:]
	}
}

// localPaused judges a local run that its schedule or a retry begins: not when
// its process has read for long that the trigger is paused (R207, D08).
func (j *judge) localPaused(e *event, s *handlerStep) {
	key := provider.TriggerKey{Job: s.job, Trigger: s.local.trigger}
	reads := j.localReads[e.node]
	if j.triggers[key].Paused && len(reads) == maxUnread && reads[0] > j.pausedAt[key] {
		j.fail(e, rulePaused, "%s begins run %s of %v, which it has read to be paused (R207)", e.node, s.run, key)
	}
}

// resumed counts what begins late after a pause: the policy decides over it as
// over whatever else is late (R230).
func (j *judge) resumed(b provider.TriggerRecord, late time.Duration) {
	if j.pausedAt[b.TriggerKey] > 0 && late > j.pace.threshold {
		j.counts["late begins of triggers that were paused"]++
	}
}
