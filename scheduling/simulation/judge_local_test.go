package simulation

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// localKey is a trigger of a local job in one process.
type localKey struct{ process, trigger string }

// localBegins judges the start of a local run, whose record comes later or
// never: on its node's clock, once per occurrence and process, alone within the
// process, and without the store's help (R205, R206).
func (j *judge) localBegins(e *event, before *runFile, s *handlerStep) *runFile {
	if before != nil && before.starts > 0 {
		j.fail(e, ruleStarted, "the handler of local run %s is started twice", s.run)
		return before
	}
	l := s.local
	f := &runFile{local: true, process: e.node, begins: e.at, run: provider.RunRecord{
		ID: s.run, Job: s.job, TriggerName: l.trigger, Kind: l.kind, Node: l.node, Attempt: l.attempt, RetryOf: l.retryOf, ScheduledAt: l.due,
	}}
	if before != nil { // its record was faster than its handler
		f.run, f.recorded = before.run, true
	}
	f.job = j.jobs[s.job]
	j.runs[s.run] = f
	j.counts["local runs"]++
	for id := range j.live[e.node] {
		j.fail(e, ruleLocal, "local run %s starts in %s beside %s (R206)", s.run, e.node, id)
	}
	if j.live[e.node] == nil {
		j.live[e.node] = map[string]*runFile{}
	}
	j.live[e.node][s.run] = f
	if l.kind != provider.KindManual {
		j.localPaused(e, s)
	}
	want := overlaid(f.job.Data, j.triggers[provider.TriggerKey{Job: s.job, Trigger: l.trigger}].Data)
	switch l.kind {
	case provider.KindManual:
		want = overlaid(f.job.Data, `{"by":1}`)
	case provider.KindRetry:
		first := j.runs[l.retryOf]
		if first == nil || !first.over || first.process != e.node || l.attempt != 2 || l.attempt > 1+f.job.Retry.MaxRetries ||
			first.said == "ok" || first.said == "noretry" {
			j.fail(e, ruleLocal, "local run %s is attempt %d of %s (R221)", s.run, l.attempt, l.retryOf)
			return f
		}
		want = first.run.Data // the whole of it (D10)
	case provider.KindSchedule:
		j.localDue(e, s)
	default:
		j.fail(e, ruleLocal, "local run %s is of kind %v", s.run, l.kind)
	}
	if f.run.Data = l.data; !sameData(l.data, want) {
		j.fail(e, ruleData, "local run %s has %s, want %s", s.run, l.data, want)
	}
	return f
}

// localDue judges the instant of a local run: one that the schedule names, or
// now where it was late (R195); none twice, none early.
func (j *judge) localDue(e *event, s *handlerStep) {
	l, key := s.local, localKey{e.node, s.local.trigger}
	last := j.localLast[key]
	if !l.due.After(last) {
		j.fail(e, ruleLocal, "%v runs %v after %v", key, l.due, last)
	}
	if l.trigger == "every" && l.due.Sub(last) < localEvery {
		j.fail(e, ruleLocal, "%v runs %v, %v after the run before (R159)", key, l.due, l.due.Sub(last))
	}
	if l.due.After(l.clock) {
		j.fail(e, ruleLocal, "%v runs %v early by its node's clock", key, l.due.Sub(l.clock))
	}
	named := l.trigger == "every" || l.due.Second()%20 == 0 && l.due.Nanosecond() == 0
	if now := l.clock.Sub(l.due) < time.Second; !named && !now {
		j.fail(e, ruleLocal, "%v runs %v, which its schedule does not name, at %v", key, l.due, l.clock)
	}
	if l.clock.Sub(l.due) > j.pace.threshold+2*time.Second {
		j.fail(e, ruleMisfire, "%v runs %v at %v", key, l.due, l.clock)
	}
	j.localLast[key] = l.due
	j.localCount[e.node]++
}

// recordBegun judges the first record of a local run (R205).
func (j *judge) recordBegun(e *event, run provider.RunRecord) {
	f := j.runs[run.ID]
	if f == nil { // its handler is about to be called
		f = &runFile{local: true, process: e.node, begins: e.at, job: j.jobs[run.Job]}
		j.runs[run.ID] = f
	}
	if f.process != e.node {
		j.fail(e, ruleLocal, "%s records run %s of %s", e.node, run.ID, f.process)
	}
	if f.purged { // cut off for longer than records are kept, its node was declared dead meanwhile
		f.purged = false
		j.counts["local records that come after the purge"]++
	}
	f.run, f.recorded = run, true
	j.counts["runs"]++
	j.counts["runs/local"]++
	j.localEnded(e, f)
}

// localEnded judges a local record that is final against its handler.
func (j *judge) localEnded(e *event, f *runFile) {
	if f.run.State.Final() {
		j.ending(e, f)
	}
}

// localEnd judges what is left: whoever lived through the calm has run its local
// jobs all the time, and has recorded what ended before the last of it.
func (j *judge) localEnd() {
	for process := range j.alive {
		if n := j.localCount[process] - j.alive[process]; n < 2 {
			j.fail(nil, ruleAccounted, "%s has begun %d local runs in the last half minute (R205)", process, n)
		}
	}
	for id, f := range j.runs {
		if _, there := j.alive[f.process]; f.local && there && f.over && f.overAt.Before(j.aliveAt) && !f.recorded {
			j.fail(nil, ruleLocal, "local run %s of %s ended and has no record (R205)", id, f.process)
		}
	}
}
