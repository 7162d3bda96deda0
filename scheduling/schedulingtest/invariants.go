package schedulingtest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// judge checks a store after a case: the invariants as the case left it, then,
// once every node is gone and swept, that nothing is left claimed or running,
// and once what is due has been drained, that nothing is left blocked or due.
func judge(e *Env, allow Allowance) {
	e.Helper()
	if e.Check != nil {
		e.Check(e.T)
	}
	if allow&Damaged != 0 {
		return
	}
	report := func(when string, faults []string) bool {
		e.Helper()
		for _, f := range faults {
			e.Errorf("invariant broken %s: %s", when, f)
		}
		return len(faults) == 0
	}
	if !report("after the case", faults(e.look(e.Store), allow)) {
		return
	}
	if e.Store.Info().Shared && allow&Undrained == 0 {
		closeDown(e, report, allow)
	}
}

// closeDown convicts all nodes, sweeps, and drains.
func closeDown(e *Env, report func(string, []string) bool, allow Allowance) {
	e.Helper()
	list, err := e.Store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	latest := e.now
	for _, n := range list.Nodes {
		if n.HeartbeatAt.After(latest) {
			latest = n.HeartbeatAt
		}
	}
	e.set(latest.Add(24 * time.Hour))
	for _, n := range list.Nodes {
		if gone, err := e.Store.Convict(e.ctx, n); err != nil || !gone {
			e.Errorf("Convict %s a day after its heartbeat: %v, %v; want true", n.ID, gone, err)
			return
		}
	}
	e.sweep(100, recovery)
	s := e.look(e.Store)
	if !report("after all nodes were swept", append(faults(s, allow), leftovers(s)...)) {
		return
	}
	n, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("the-last")})
	e.must(err, "Register")
	const passes = 40
	if ran := e.drain(n.Node.NodeRef, passes); len(ran) >= passes {
		return // it moves on, and would take long
	}
	s = e.look(e.Store)
	report("after what was due was drained", append(faults(s, allow), undone(s)...))
}

// faults returns what is wrong with a state at any commit.
func faults(s snapshot, allow Allowance) []string {
	var out []string
	running := map[string][]provider.RunRecord{}
	for _, id := range slices.Sorted(maps.Keys(s.runs)) {
		r := s.runs[id]
		if r.State == provider.RunRunning {
			running[r.Job] = append(running[r.Job], r)
		}
		out = append(out, runFaults(r)...)
	}
	occupied := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.jobs)) {
		j := s.jobs[name]
		holder, ok := s.runs[j.ActiveRunID]
		occupied[name] = j.ActiveRunID != "" && ok && holder.State == provider.RunRunning
		switch {
		case j.ActiveRunID != "" && !occupied[name]:
			out = append(out, fmt.Sprintf("job %s is occupied by run %s, which is not Running", name, j.ActiveRunID))
		case occupied[name] && holder.Job != name:
			out = append(out, fmt.Sprintf("job %s is occupied by run %s of job %s", name, holder.ID, holder.Job))
		case !j.AllowConcurrent && len(running[name]) > 1 && allow&ManyRunning == 0:
			out = append(out, fmt.Sprintf("exclusive job %s has %d Running runs", name, len(running[name])))
		}
	}
	for _, text := range slices.Sorted(maps.Keys(s.triggers)) {
		t := s.triggers[text]
		out = append(out, triggerFaults(t)...)
		if t.State == provider.TriggerBlocked && !occupied[t.Job] && !leadsOn(s, t) {
			out = append(out, fmt.Sprintf("trigger %s is Blocked although its job is free and none of its triggers is Waiting and due, or Acquired (D35)", text))
		}
	}
	return out
}

// leadsOn reports whether another trigger of the job is Waiting and due, or
// Acquired: its way out will hand the blocked one back.
func leadsOn(s snapshot, blocked provider.TriggerRecord) bool {
	for _, t := range s.triggers {
		if t.Job == blocked.Job && (t.State == provider.TriggerAcquired ||
			t.State == provider.TriggerWaiting && !t.Local && !t.NextFireAt.After(s.now)) {
			return true
		}
	}
	return false
}

func runFaults(r provider.RunRecord) []string {
	var out []string
	fault := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("run %s: ", r.ID)+fmt.Sprintf(format, args...))
	}
	if !r.State.Valid() || !r.Kind.Valid() {
		fault("state %v, kind %v", r.State, r.Kind)
	}
	if r.State == provider.RunRunning != r.CompletedAt.IsZero() {
		fault("is %v and completed at %v", r.State, r.CompletedAt)
	}
	if r.Node == "" || r.Incarnation == 0 {
		fault("names node %q, incarnation %d", r.Node, r.Incarnation)
	}
	if r.StartedAt.IsZero() || r.ScheduledAt.IsZero() || r.Sequence == 0 {
		fault("scheduled %v, started %v, sequence %d", r.ScheduledAt, r.StartedAt, r.Sequence)
	}
	return out
}

func triggerFaults(t provider.TriggerRecord) []string {
	var out []string
	fault := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("trigger %v: ", t.TriggerKey)+fmt.Sprintf(format, args...))
	}
	claims := 0
	for _, set := range []bool{t.ClaimID != 0, t.ClaimedBy != "", t.Incarnation != 0, !t.ClaimedAt.IsZero()} {
		if set {
			claims++
		}
	}
	switch {
	case !t.State.Valid():
		fault("state %v", t.State)
	case t.State == provider.TriggerAcquired && claims != 4:
		fault("is Acquired by claim %d of node %q, incarnation %d, at %v", t.ClaimID, t.ClaimedBy, t.Incarnation, t.ClaimedAt)
	case t.State != provider.TriggerAcquired && claims != 0:
		fault("is %v and carries claim %d of node %q, incarnation %d, at %v", t.State, t.ClaimID, t.ClaimedBy, t.Incarnation, t.ClaimedAt)
	case t.State == provider.TriggerWaiting && t.Paused:
		fault("is Waiting although its flag says paused (D08)")
	case t.State == provider.TriggerPaused && !t.Paused:
		fault("is Paused although its flag does not say so (D08)")
	}
	pending := t.State == provider.TriggerWaiting || t.State == provider.TriggerBlocked || t.State == provider.TriggerPaused
	if pending && t.NextFireAt.IsZero() {
		fault("is %v without a next instant: no operation leads out", t.State)
	}
	if t.ScheduledAt.IsZero() != t.NextFireAt.IsZero() {
		fault("scheduled %v, next %v: one without the other", t.ScheduledAt, t.NextFireAt)
	}
	if t.ErrorCode != "" && t.State != provider.TriggerError {
		fault("is %v with error code %s", t.State, t.ErrorCode)
	}
	if t.FireCount < 0 || t.FireCount > 0 && t.PrevFireAt.IsZero() {
		fault("count %d, previous %v", t.FireCount, t.PrevFireAt)
	}
	return out
}

// leftovers returns what must not be there once no node is and all was swept.
func leftovers(s snapshot) []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(s.runs)) {
		if s.runs[id].State == provider.RunRunning {
			out = append(out, fmt.Sprintf("run %s is Running on node %s, which has no row", id, s.runs[id].Node))
		}
	}
	for _, text := range slices.Sorted(maps.Keys(s.triggers)) {
		if s.triggers[text].State == provider.TriggerAcquired {
			out = append(out, fmt.Sprintf("trigger %s is Acquired by node %s, which has no row", text, s.triggers[text].ClaimedBy))
		}
	}
	return out
}

// undone returns what must not be there once everything due has run.
func undone(s snapshot) []string {
	var out []string
	for _, text := range slices.Sorted(maps.Keys(s.triggers)) {
		t := s.triggers[text]
		switch {
		case t.State == provider.TriggerBlocked:
			out = append(out, fmt.Sprintf("trigger %s is still Blocked", text))
		case t.State == provider.TriggerAcquired:
			out = append(out, fmt.Sprintf("trigger %s is still Acquired", text))
		case t.State == provider.TriggerWaiting && !t.Local && !t.NextFireAt.After(s.now):
			out = append(out, fmt.Sprintf("trigger %s is due since %v and nobody can claim it", text, t.NextFireAt))
		}
	}
	return out
}
