package simulation

import (
	"slices"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// doctor changes a true history so that one rule is broken. It returns nil
// where the history holds nothing that it could change.
type doctor func(h []event) []event

type (
	triggerChange = change[provider.TriggerRecord]
	runChange     = change[provider.RunRecord]
)

// cloned copies an event with all its rows.
func cloned(e event) event {
	e.triggers, e.jobs, e.runs, e.nodes = rows(e.triggers), rows(e.jobs), rows(e.runs), rows(e.nodes)
	if e.lease != nil {
		e.lease = &rows([]change[provider.LeaseRecord]{*e.lease})[0]
	}
	if e.asked != nil {
		asked := *e.asked
		asked.jobs, asked.triggers, asked.refused = slices.Clone(asked.jobs), slices.Clone(asked.triggers), slices.Clone(asked.refused)
		e.asked = &asked
	}
	if e.handler != nil {
		step := *e.handler
		e.handler = &step
	}
	return e
}

func rows[R any](list []change[R]) []change[R] {
	list = slices.Clone(list)
	for i := range list {
		list[i].before, list[i].after = row(list[i].before), row(list[i].after)
	}
	return list
}

func row[R any](r *R) *R {
	if r == nil {
		return nil
	}
	copied := *r
	return &copied
}

// edit changes the first event that f changes and says so of.
func edit(f func(e *event) bool) doctor {
	return func(h []event) []event {
		for i := range h {
			if e := cloned(h[i]); f(&e) {
				h = slices.Clone(h)
				h[i] = e
				return h
			}
		}
		return nil
	}
}

// again repeats the first event that f fits, behind it, as f has changed it.
func again(f func(e *event) bool) doctor {
	return func(h []event) []event {
		for i := range h {
			if e := cloned(h[i]); f(&e) {
				return slices.Insert(slices.Clone(h), i+1, e)
			}
		}
		return nil
	}
}

// begins calls f for a run of a definition's trigger that the event begins.
func begins(f func(e *event, t *triggerChange, run *provider.RunRecord) bool) func(*event) bool {
	return func(e *event) bool {
		for i := range e.runs {
			run := e.runs[i].after
			if e.runs[i].before != nil || run == nil || provider.IsOneShot(run.TriggerName) {
				continue
			}
			for k := range e.triggers {
				if t := &e.triggers[k]; t.before != nil && t.after != nil && t.before.Job == run.Job && t.before.Trigger == run.TriggerName && f(e, t, run) {
					return true
				}
			}
		}
		return false
	}
}

// ends calls f for a run that the event ends.
func ends(f func(e *event, c *runChange) bool) func(*event) bool {
	return func(e *event) bool {
		for i := range e.runs {
			if c := &e.runs[i]; c.before != nil && c.after != nil && c.after.State.Final() && f(e, c) {
				return true
			}
		}
		return false
	}
}

// inserts calls f for a one-shot of a prefix that the event inserts.
func inserts(prefix string, f func(e *event, k int) bool) func(*event) bool {
	return func(e *event) bool {
		for k, c := range e.triggers {
			if c.before == nil && strings.HasPrefix(c.after.Trigger, prefix) && f(e, k) {
				return true
			}
		}
		return false
	}
}

// moves calls f for a trigger row that the event changes without a run of it.
func moves(f func(e *event, t *triggerChange) bool) func(*event) bool {
	return func(e *event) bool {
		for k := range e.triggers {
			t := &e.triggers[k]
			alone := !slices.ContainsFunc(e.runs, func(c runChange) bool {
				return either(c).Job == either(*t).Job && either(c).TriggerName == either(*t).Trigger
			})
			if t.before != nil && t.after != nil && alone && f(e, t) {
				return true
			}
		}
		return false
	}
}

// handles calls f for a step of a handler.
func handles(step string, f func(e *event, s *handlerStep) bool) func(*event) bool {
	return func(e *event) bool { return e.handler != nil && e.handler.step == step && f(e, e.handler) }
}
