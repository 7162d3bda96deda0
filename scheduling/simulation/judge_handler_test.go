package simulation

import "github.com/gormsched/gormsched/scheduling/provider"

// handler judges a step of a handler.
func (j *judge) handler(e *event) {
	s := e.handler
	f := j.runs[s.run]
	if s.local != nil && s.step == "start" {
		f = j.localBegins(e, f, s)
	}
	if f == nil {
		j.fail(e, ruleStarted, "a handler of run %s, which no commit has begun", s.run)
		return
	}
	switch s.step {
	case "start":
		f.starts++
		f.ignores, f.keeps = s.ignores, s.keeps
		if f.starts > 1 {
			j.fail(e, ruleStarted, "the handler of run %s is started %d times", s.run, f.starts)
		}
		if f.local {
			return
		}
		if f.run.State != provider.RunRunning {
			j.fail(e, ruleStarted, "the handler of run %s starts when the run is %v", s.run, f.run.State)
		}
		j.alone(e, f)
		j.slots(e, f)
		if j.live[s.job] == nil {
			j.live[s.job] = map[string]*runFile{}
		}
		j.live[s.job][s.run] = f
	case "context":
		f.ctxEnded, f.cause = e.at, s.cause
	case "end":
		delete(j.held[e.node], s.run)
		f.over, f.overAt, f.said, f.wait = true, e.at, s.said, s.wait
		if s.cause != "" {
			f.cause = s.cause
		}
		if f.local {
			delete(j.live[e.node], s.run)
		}
		delete(j.live[s.job], s.run)
	}
}

// alone judges a start beside other handlers of an exclusive job: they must be
// of runs that were declared Lost, their contexts must have ended, and they must
// be of those that ignore that (D25, R148).
func (j *judge) alone(e *event, f *runFile) {
	if f.job.AllowConcurrent {
		return
	}
	for id, other := range j.live[f.run.Job] {
		if other.run.State == provider.RunLost && !other.ctxEnded.IsZero() && other.ignores {
			j.counts["overlaps by handlers that ignore their context"]++
			continue
		}
		if other.run.State == provider.RunLost && other.keeps { // KeepRunning: until it hears of its end
			j.counts["overlaps by runs that isolated nodes keep"]++
			continue
		}
		j.fail(e, ruleOverlap, "%s starts beside %s (%v, context ended: %v, ignores it: %v)",
			f.run.ID, id, other.run.State, !other.ctxEnded.IsZero(), other.ignores)
	}
}

// slots judges a start of a claimed run beside others of its process (R258).
// One whose begin's answer was lost is started when that is found out, beside
// the slots (D07).
func (j *judge) slots(e *event, f *runFile) {
	if f.run.TriggerName == "" { // started at a caller's request
		return
	}
	if j.held[e.node] == nil {
		j.held[e.node] = map[string]bool{}
	}
	j.held[e.node][f.run.ID] = f.unheard
	n := 0
	for _, beside := range j.held[e.node] {
		if !beside {
			n++
		}
	}
	switch {
	case n > e.handler.slots:
		j.fail(e, ruleSlots, "run %s is the %dth of %s, which has %d slots (R258)", f.run.ID, n, e.node, e.handler.slots)
	case n == e.handler.slots:
		j.counts["all slots taken"]++
	}
	if f.unheard && len(j.held[e.node]) > e.handler.slots {
		j.counts["lost begins started beside the slots"]++
	}
}
