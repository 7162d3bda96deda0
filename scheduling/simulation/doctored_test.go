package simulation

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

const otherRun = "ffffffff-0000-7000-8000-000000000000"

// exclusive are the jobs that allow one run at a time.
func exclusive(job string) bool { return job == "alone" || job == "hand" || job == "patient" }

func handlesEnd(e event) bool { return e.handler != nil && e.handler.step == "end" }

// treated is one doctored history.
type treated struct {
	rule, name string
	doctor     doctor
}

// doctored are histories that the judge must reject, each by the named rule.
var doctored = []treated{
	{ruleOverlap, "a handler of an exclusive job never returns", func(h []event) []event {
		i := slices.IndexFunc(h, func(e event) bool { return handlesEnd(e) && exclusive(e.handler.job) })
		return slices.Delete(slices.Clone(h), i, i+1)
	}},
	{ruleOverlap, "the handler of a lost run heeds its context and goes on", func(h []event) []event {
		return lostBeside(h, false)
	}},
	{ruleExclusive, "a run of an exclusive job is begun beside another", again(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		run.ID = otherRun
		run.Fence++
		return exclusive(run.Job)
	}))},
	{ruleStarted, "a handler is started twice", again(handles("start", func(*event, *handlerStep) bool { return true }))},
	{ruleStarted, "a handler of a run that nobody began", edit(handles("start", func(_ *event, s *handlerStep) bool { s.run = otherRun; return s.local == nil }))},
	{ruleStarted, "a handler starts when its run has ended", again(handles("end", func(_ *event, s *handlerStep) bool { s.step = "start"; return true }))},
	{ruleOnce, "an occurrence is begun twice", again(begins(func(_ *event, t *triggerChange, run *provider.RunRecord) bool {
		run.ID = otherRun
		return !exclusive(run.Job)
	}))},
	{ruleOnce, "a run of a trigger that is not there", edit(begins(func(_ *event, t *triggerChange, run *provider.RunRecord) bool {
		run.TriggerName = "nobody"
		return true
	}))},
	{ruleRecovery, "a lost run is not recovered", edit(inserts("recovery-", func(e *event, k int) bool {
		e.triggers = slices.Delete(e.triggers, k, k+1)
		return true
	}))},
	{ruleRecovery, "a lost run is recovered twice", again(func(e *event) bool {
		for i := range e.runs {
			if c := &e.runs[i]; c.before == nil && c.after.Kind == provider.KindRecovery {
				c.after.ID = otherRun
				return true
			}
		}
		return false
	})},
	{ruleRecovery, "a run is recovered that was not lost", edit(ends(func(e *event, c *runChange) bool {
		was := c.after.State
		c.after.State = provider.RunCanceled
		return was == provider.RunLost && inserts("recovery-"+c.after.ID, func(*event, int) bool { return true })(e)
	}))},
	{ruleRecovery, "a recovery that never runs", func(h []event) []event {
		return without(h, func(e event) bool {
			return slices.ContainsFunc(e.runs, func(c runChange) bool { return c.before == nil && c.after.Kind == provider.KindRecovery })
		})
	}},
	{ruleRetry, "a failed run is not retried", edit(inserts("retry-", func(e *event, k int) bool {
		e.triggers = slices.Delete(e.triggers, k, k+1)
		return true
	}))},
	{ruleRetry, "a canceled run is retried", edit(ends(func(e *event, c *runChange) bool {
		was := c.after.State
		c.after.State = provider.RunCanceled
		return was == provider.RunFailed && len(e.triggers) > 0 && inserts("retry-", func(*event, int) bool { return true })(e)
	}))},
	{ruleRetry, "a retry counts as the first attempt", edit(inserts("retry-", func(e *event, k int) bool { e.triggers[k].after.Attempt = 1; return true }))},
	{ruleRetryWait, "a retry comes a second late", edit(inserts("retry-", func(e *event, k int) bool {
		e.triggers[k].after.ScheduledAt = e.triggers[k].after.ScheduledAt.Add(time.Second)
		return true
	}))},
	{ruleData, "a run without its trigger's data", edit(begins(func(_ *event, t *triggerChange, run *provider.RunRecord) bool {
		run.Data = `{"a":1,"b":1}`
		return run.Job == "alone" && run.TriggerName == "cron"
	}))},
	{ruleData, "a retry with other data", edit(inserts("retry-", func(e *event, k int) bool { e.triggers[k].after.Data = `{"x":1}`; return true }))},
	{ruleNext, "a cron trigger leaves an occurrence out", edit(begins(func(_ *event, t *triggerChange, run *provider.RunRecord) bool {
		t.after.ScheduledAt = t.after.ScheduledAt.Add(5 * time.Second)
		t.after.NextFireAt = t.after.ScheduledAt
		return run.TriggerName == "cron" && run.Job == "alone"
	}))},
	{ruleNext, "an interval is counted from the start of its run", edit(ends(func(e *event, c *runChange) bool {
		for k := range e.triggers {
			if t := e.triggers[k].after; t != nil && t.Job == c.after.Job && t.Trigger == c.after.TriggerName && t.State == provider.TriggerWaiting && e.op == "Complete" {
				t.ScheduledAt = c.after.StartedAt.Add(3 * time.Second)
				return t.Trigger == "every"
			}
		}
		return false
	}))},
	{ruleNext, "an interval is due while its run is Running", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		t.after.State, t.after.ScheduledAt, t.after.NextFireAt = provider.TriggerWaiting, e.now, e.now
		return run.TriggerName == "every"
	}))},
	{ruleNext, "a trigger is born with an instant that its schedule does not name", edit(func(e *event) bool {
		for k := range e.triggers {
			if c := &e.triggers[k]; c.before == nil && c.after.Trigger == "cron" {
				c.after.ScheduledAt = c.after.ScheduledAt.Add(time.Second)
				return true
			}
		}
		return false
	})},
	{ruleMisfire, "a late occurrence of RunOnce keeps its instant", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		run.ScheduledAt = t.before.ScheduledAt
		return t.before.Misfire == provider.MisfireRunOnce && e.now.Sub(run.ScheduledAt) > threshold
	}))},
	{ruleMisfire, "a late occurrence of Skip runs", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		t.before.Misfire = provider.MisfireSkip
		return e.now.Sub(t.before.ScheduledAt) > threshold
	}))},
	{ruleSlots, "a run begins on a node whose slots are taken", edit(handles("start", func(_ *event, s *handlerStep) bool {
		s.slots = 0
		return s.local == nil
	}))},
	{ruleEarly, "an occurrence begins before it is due", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		t.before.NextFireAt = e.now.Add(time.Microsecond)
		return true
	}))},
	{rulePaused, "a paused trigger begins", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool { t.before.Paused = true; return true }))},
	{rulePaused, "a retry is born Paused in a job that is not", edit(inserts("retry-", func(e *event, k int) bool {
		t := e.triggers[k].after
		ok := !t.Paused
		t.Paused, t.State = true, provider.TriggerPaused
		return ok
	}))},
	{ruleArrow, "a Blocked trigger is claimed", edit(moves(func(e *event, t *triggerChange) bool {
		ok := t.before.State == provider.TriggerBlocked
		t.after.State = provider.TriggerAcquired
		return ok
	}))},
	{ruleArrow, "a trigger counts a run that it did not begin", edit(moves(func(e *event, t *triggerChange) bool {
		t.after.FireCount++
		return e.op == "Complete" || e.op == "Claim"
	}))},
	{ruleOneShot, "a one-shot is gone without a run", edit(func(e *event) bool {
		for i, c := range e.runs {
			if c.before == nil && provider.IsOneShot(c.after.TriggerName) {
				e.runs = slices.Delete(e.runs, i, i+1)
				return true
			}
		}
		return false
	})},
	{ruleOneShot, "a one-shot stays when its run begins", edit(func(e *event) bool {
		for k := range e.triggers {
			if c := &e.triggers[k]; c.after == nil && provider.IsOneShot(c.before.Trigger) {
				c.after = c.before
				return true
			}
		}
		return false
	})},
	{ruleFinal, "a run that succeeded fails afterwards", again(ends(func(e *event, c *runChange) bool {
		ok := c.after.State == provider.RunSucceeded
		c.after.State = provider.RunFailed
		return ok
	}))},
	{rulePurge, "the record of a run is gone by a completion", again(ends(func(e *event, c *runChange) bool { c.before, c.after = c.after, nil; return true }))},
	{ruleEnding, "a handler that failed is recorded as Succeeded", edit(ends(func(e *event, c *runChange) bool {
		ok := c.after.State == provider.RunFailed
		c.after.State = provider.RunSucceeded
		return ok
	}))},
	{ruleEnding, "a run ends before its handler", func(h []event) []event {
		i := slices.IndexFunc(h, handlesEnd)
		e := h[i]
		return append(slices.Delete(slices.Clone(h), i, i+1), e)
	}},
	{ruleEnding, "a run is Canceled that nobody canceled", edit(ends(func(e *event, c *runChange) bool {
		ok := c.after.State == provider.RunSucceeded
		c.after.State = provider.RunCanceled
		return ok
	}))},
	{ruleLostBy, "a run of a node with a row is swept", edit(ends(func(e *event, c *runChange) bool {
		ok := c.after.State == provider.RunSucceeded
		c.after.State, e.op = provider.RunLost, "Sweep"
		return ok
	}))},
	{ruleFence, "a run with an old fencing number", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		run.Fence = 1
		return exclusive(run.Job) && t.before.FireCount > 2
	}))},
	{ruleFence, "a lease with an old fencing number", edit(func(e *event) bool {
		if e.lease == nil || e.lease.before == nil || e.lease.after == nil || e.lease.before.Token == e.lease.after.Token {
			return false
		}
		e.lease.after.Fence = 1
		return true
	})},
	{ruleLease, "a lease is taken while it lasts", edit(func(e *event) bool {
		if e.lease == nil || e.lease.before == nil || e.lease.after == nil || e.lease.before.Token == e.lease.after.Token {
			return false
		}
		e.lease.before.ExpiresAt = e.now.Add(time.Microsecond)
		return true
	})},
	{ruleLease, "a lease is renewed that has run out", edit(func(e *event) bool {
		if e.lease == nil || e.lease.before == nil || e.lease.after == nil || e.lease.before.Token != e.lease.after.Token {
			return false
		}
		e.lease.before.ExpiresAt = e.now
		return true
	})},
	{ruleConvict, "a node is convicted whose heartbeat is young by the store's clock", edit(func(e *event) bool {
		if e.op != "Convict" || len(e.nodes) == 0 {
			return false
		}
		e.nodes[0].before.HeartbeatAt = e.now.Add(-nodeTimeout)
		return true
	})},
	{ruleConvict, "a node is convicted that has just beaten", edit(func(e *event) bool {
		if e.op != "Heartbeat" || len(e.nodes) != 1 || e.nodes[0].after == nil {
			return false
		}
		c := &e.nodes[0]
		e.op, c.before, c.after = "Convict", c.after, nil
		c.before.HeartbeatAt = e.now.Add(-time.Minute)
		return c.before.Incarnation > 0 && e.seq > 200
	})},
	{ruleVersion, "an old program overwrites a code job", edit(func(e *event) bool {
		if len(e.jobs) == 0 || e.jobs[0].before == nil {
			return false
		}
		e.jobs[0].before.CodeVersion = 9
		return true
	})},
	{ruleReplaced, "replacing a job moves a trigger whose schedule stayed", edit(moves(func(e *event, t *triggerChange) bool {
		t.after.ScheduledAt = t.after.ScheduledAt.Add(time.Second)
		return e.op == "SaveJobs" && t.before.Schedule == t.after.Schedule && !provider.IsOneShot(t.after.Trigger)
	}))},
	{ruleEnqueued, "an answer for what was never stored", func(h []event) []event {
		return append(slices.Clone(h), event{op: "promise", note: "hand/manual-never"})
	}},
	{ruleEnqueued, "what was enqueued never begins", func(h []event) []event {
		return without(h, func(e event) bool {
			return slices.ContainsFunc(e.triggers, func(c triggerChange) bool {
				return c.after == nil && strings.HasPrefix(c.before.Trigger, "manual-")
			})
		})
	}},
	{ruleAccounted, "an occurrence in time is let go", edit(begins(func(e *event, t *triggerChange, run *provider.RunRecord) bool {
		ok := run.TriggerName == "cron"
		if ok {
			i := slices.IndexFunc(e.runs, func(c runChange) bool { return c.after == run })
			e.runs = slices.Delete(e.runs, i, i+1)
		}
		return ok
	}))},
	{ruleAccounted, "a trigger is left claimed", func(h []event) []event {
		return leave(h, func(t *provider.TriggerRecord) { t.State = provider.TriggerAcquired })
	}},
	{ruleAccounted, "a trigger is left overdue", func(h []event) []event {
		return leave(h, func(t *provider.TriggerRecord) { t.NextFireAt = t.NextFireAt.Add(-5 * time.Minute) })
	}},
	{ruleAccounted, "a run is left Running", func(h []event) []event {
		return edit(ends(func(e *event, c *runChange) bool { *c = runChange{c.before, c.before}; return !exclusive(c.after.Job) }))(h)
	}},
}

// without leaves events out; nil where there are none.
func without(h []event, drop func(e event) bool) []event {
	if !slices.ContainsFunc(h, drop) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h), drop)
}

// leave changes where a cron trigger stands at the last.
func leave(h []event, to func(t *provider.TriggerRecord)) []event {
	h = slices.Clone(h)
	for i := len(h) - 1; i >= 0; i-- {
		e := cloned(h[i])
		for k := range e.triggers {
			if t := e.triggers[k].after; t != nil && t.Trigger == "cron" && t.State == provider.TriggerWaiting {
				to(t)
				h[i] = e
				return h
			}
		}
	}
	return nil
}

// lostBeside makes a story of its own: a run of an exclusive job whose node is
// gone is declared Lost, its recovery begins elsewhere, and the first handler,
// whose context has ended, still runs.
func lostBeside(h []event, ignores bool) []event {
	for i, e := range h {
		if e.handler == nil || e.handler.step != "start" || e.handler.job != "alone" || i == 0 {
			continue
		}
		next := slices.IndexFunc(h[i+1:], func(e event) bool {
			return e.handler != nil && e.handler.step == "end" && e.handler.job == "alone"
		})
		if next < 0 || h[i+1+next].handler.run != e.handler.run {
			continue
		}
		// Its end is moved behind the next start, and its record is Lost.
		story, id := slices.Clone(h), e.handler.run
		start := cloned(e)
		start.handler.ignores = ignores
		story[i] = start
		gone := cloned(h[i+1+next])
		gone.handler.step, gone.handler.cause, gone.handler.ignores = "context", "lost", ignores
		story[i+1+next] = gone
		for k := range story {
			story[k] = cloned(story[k])
			for c := range story[k].runs {
				if r := story[k].runs[c].after; r != nil && r.ID == id && r.State.Final() {
					r.State = provider.RunLost
				}
			}
		}
		return story
	}
	return nil
}

// Each doctored history is rejected by its rule, and the true one by none: a
// judge that finds nothing judges nobody.
func TestJudgeRejectsDoctoredHistories(t *testing.T) {
	var truths []*world
	// further simulates one more seed, for what no history before holds: most in
	// two minutes, the rest in ten.
	further := func() bool {
		seed, minutes := uint64(len(truths)+1), 2
		if seed > 8 {
			minutes = 10
		}
		if seed > 40 {
			return false
		}
		before := len(truths)
		simulate(t, seed, minutes, false, func(w *world) { truths = append(truths, w) })
		if len(truths) == before {
			t.Fatalf("seed %d gave no history", seed)
		}
		w := truths[before]
		if j := judged(w, w.out.all); len(j.violations) > 0 {
			t.Fatalf("the true history of seed %d is rejected: %v", seed, j.violations[0])
		}
		return true
	}
	seen := map[string]bool{}
	for _, d := range slices.Concat(doctored, doctoredDefinitions, doctoredPauses) {
		t.Run(d.rule+"/"+d.name, func(t *testing.T) {
			for i := 0; i < len(truths) || further(); i++ {
				w := truths[i]
				h := d.doctor(w.out.all)
				if h == nil {
					continue
				}
				j := judged(w, h)
				if !slices.ContainsFunc(j.violations, func(v violation) bool { return v.rule == d.rule }) {
					t.Fatalf("not rejected; the judge found %v", j.violations)
				}
				seen[d.rule] = true
				return
			}
			t.Fatal("no history of 40 seeds holds what this one is made of")
		})
	}
	for _, rule := range rules {
		if !seen[rule] {
			t.Errorf("no doctored history for the rule %q", rule)
		}
	}
	// The other side of the overlap rule: whoever ignores his context may.
	if j := judged(truths[0], lostBeside(truths[0].out.all, true)); slices.ContainsFunc(j.violations, func(v violation) bool { return v.rule == ruleOverlap }) {
		t.Errorf("an overlap by a lost handler that ignores its context is rejected: %v", j.violations)
	}
}

// Records that differ from what was committed are found (D05).
func TestJudgeComparesRecords(t *testing.T) {
	var w *world
	simulate(t, 1, 1, false, func(of *world) { w = of })
	if w == nil {
		t.Fatal("no history")
	}
	j := judged(w, w.out.all)
	var all stored
	for _, f := range j.runs {
		if !f.purged && (!f.local || f.recorded) {
			all.runs = append(all.runs, f.run)
		}
	}
	all.triggers, all.jobs = slices.Collect(maps.Values(j.triggers)), slices.Collect(maps.Values(j.jobs))
	all.nodes = slices.Collect(maps.Values(j.nodes))
	if j.records(all); len(j.violations) > 0 {
		t.Fatalf("true records are rejected: %v", j.violations)
	}
	spoil := map[string]func(all *stored){
		"a changed run":     func(all *stored) { all.runs = slices.Clone(all.runs); all.runs[0].State = provider.RunLost },
		"a missing run":     func(all *stored) { all.runs = all.runs[1:] },
		"a changed trigger": func(all *stored) { all.triggers = slices.Clone(all.triggers); all.triggers[0].FireCount++ },
		"a missing trigger": func(all *stored) { all.triggers = all.triggers[1:] },
		"a changed job":     func(all *stored) { all.jobs = slices.Clone(all.jobs); all.jobs[0].Paused = true },
		"a node too many":   func(all *stored) { all.nodes = append(slices.Clone(all.nodes), provider.NodeRecord{}) },
	}
	for what, spoils := range spoil {
		j.violations = nil
		spoiled := all
		spoils(&spoiled)
		if j.records(spoiled); len(j.violations) == 0 {
			t.Errorf("%s is not found", what)
		}
	}
}

// judged judges a history anew.
func judged(w *world, h []event) *judge {
	j := newJudge(w.began, w.pace, plans(w.began))
	for i := range h {
		j.see(&h[i])
	}
	j.end(w.finished)
	return j
}
