package simulation

import (
	"fmt"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// runBegun judges a new record.
func (j *judge) runBegun(e *event, run provider.RunRecord) {
	f := &runFile{run: run, job: j.jobs[run.Job]}
	if j.runs[run.ID] != nil {
		j.fail(e, ruleFinal, "run %s begins a second time", run.ID)
	}
	j.counts["runs"]++
	j.counts["runs/"+run.Kind.String()]++
	if run.State != provider.RunRunning {
		j.fail(e, ruleFinal, "run %s is born %v", run.ID, run.State)
	}
	if !f.job.AllowConcurrent {
		for id := range j.running[run.Job] {
			j.fail(e, ruleExclusive, "job %s: %s begins while %s is Running (R148)", run.Job, run.ID, id)
		}
		if run.Fence <= j.fences[run.Job] {
			j.fail(e, ruleFence, "job %s: run %s has %d after %d (D25)", run.Job, run.ID, run.Fence, j.fences[run.Job])
		}
		j.fences[run.Job] = run.Fence
	}
	j.runs[run.ID] = f
	if j.running[run.Job] == nil {
		j.running[run.Job] = map[string]bool{}
	}
	j.running[run.Job][run.ID] = true
	if first, ok := strings.CutPrefix(run.TriggerName, "recovery-"); ok {
		j.recovers(e, f, first)
	}
	t, known := j.triggers[provider.TriggerKey{Job: run.Job, Trigger: run.TriggerName}]
	want := ""
	switch {
	case run.TriggerName == "":
		want = overlaid(f.job.Data, `{"by":1}`)
	case !known:
		j.fail(e, ruleOnce, "run %s begins by trigger %s, which is not there", run.ID, run.TriggerName)
		return
	case run.Kind == provider.KindRetry || run.Kind == provider.KindRecovery:
		want = t.Data // the whole of it (D10)
	default:
		want = overlaid(f.job.Data, t.Data)
	}
	if !sameData(run.Data, want) {
		j.fail(e, ruleData, "run %s has %s, want %s (R137)", run.ID, run.Data, want)
	}
	o := occurrence{t.TriggerKey, j.era[t.TriggerKey], run.ScheduledAt}
	if known {
		if provider.IsOneShot(t.Trigger) {
			o = occurrence{key: t.TriggerKey} // once, whenever
		}
		if before := j.begun[o]; before != "" {
			j.fail(e, ruleOnce, "%v of %v begins as %s and as %s", run.ScheduledAt, t.TriggerKey, before, run.ID)
		}
		j.begun[o] = run.ID
	}
}

// recovers judges a run that stands for a lost one.
func (j *judge) recovers(e *event, f *runFile, id string) {
	lost := j.runs[id]
	if lost == nil || lost.run.State != provider.RunLost {
		j.fail(e, ruleRecovery, "run %s recovers %s, which was not lost", f.run.ID, id)
		return
	}
	if lost.recovery != "" {
		j.fail(e, ruleRecovery, "run %s was recovered by %s and by %s", id, lost.recovery, f.run.ID)
	}
	lost.recovery = f.run.ID
	if !sameData(f.run.Data, lost.run.Data) {
		j.fail(e, ruleData, "run %s recovers %s with %s instead of %s (R208)", f.run.ID, id, f.run.Data, lost.run.Data)
	}
}

// runChanged judges a record that has changed.
func (j *judge) runChanged(e *event, c change[provider.RunRecord]) {
	id := c.before.ID
	f := j.runs[id]
	switch {
	case c.after == nil && f != nil:
		f.purged = true
		j.counts["records purged"]++
		if e.op != "PurgeRuns" || !c.before.State.Final() || e.now.Sub(c.before.CompletedAt) <= j.pace.retention {
			j.fail(e, rulePurge, "the %v record of run %s, completed at %v, is gone by %s (D27)", c.before.State, id, c.before.CompletedAt, e.op)
		}
		return
	case f == nil:
		j.fail(e, ruleFinal, "run %s was never begun", id)
		return
	case f.run.State != provider.RunRunning:
		j.fail(e, ruleFinal, "run %s was %v and becomes %v (D05)", id, f.run.State, c.after.State)
		return
	case c.after.State == provider.RunRunning:
		f.run = *c.after
		return
	}
	f.run = *c.after
	delete(j.running[f.run.Job], id)
	j.counts["ended/"+f.run.State.String()]++
	if f.local && e.op == "Record" { // by its node's clock (R149)
		j.localEnded(e, f)
		return
	}
	if f.run.CompletedAt != e.now {
		j.fail(e, ruleEnding, "run %s is completed at %v, and now is %v", id, f.run.CompletedAt, e.now)
	}
	j.ending(e, f)
	j.follows(e, f)
}

// ending judges the final state against what the handler was seen to do
// (R216, R226, D20, D25).
func (j *judge) ending(e *event, f *runFile) {
	id, state := f.run.ID, f.run.State
	stopped := f.cause == "canceled" || f.cause == "stopping"
	bad := ""
	switch state {
	case provider.RunSucceeded:
		if !f.over || f.said != "ok" || f.cause != "" {
			bad = "Succeeded"
		}
	case provider.RunFailed:
		timeout := f.run.ErrorCode == string(provider.CodeRunTimeout)
		if !f.over || timeout != (f.cause == "timeout") || !timeout && (f.said == "ok" || f.cause != "") {
			bad = "Failed"
		}
	case provider.RunCanceled:
		if f.starts > 0 && !stopped || f.starts == 0 && f.run.TriggerName != "" &&
			f.run.CancelRequestedAt.IsZero() && !j.stopping[e.node] { // D07: its begin's answer was lost, and the node stops
			bad = "Canceled"
		}
	case provider.RunLost:
		if n, there := j.nodes[f.run.Node]; e.op == "Sweep" && there && n.Incarnation == f.run.Incarnation {
			j.fail(e, ruleLostBy, "run %s is lost, and its node %s has a row (D04)", id, f.run.Node)
		}
		if e.op != "Sweep" && e.op != "Complete" {
			bad = "Lost"
		}
	}
	if bad != "" {
		j.fail(e, ruleEnding, "run %s ends %s/%s: handler started %d times, over %v, said %q, cause %q",
			id, bad, f.run.ErrorCode, f.starts, f.over, f.said, f.cause)
	}
}

// follows judges what is inserted with the end of a run: the retry of a failed
// one (R211–R219, D39), the recovery of a lost one (R208), else nothing.
func (j *judge) follows(e *event, f *runFile) {
	run := f.run
	first := run.RetryOf
	if first == "" {
		first = run.ID
	}
	retryName, recoveryName := fmt.Sprintf("retry-%s-%d", first, run.Attempt+1), "recovery-"+run.ID
	_, exists := j.jobs[run.Job] // else whatever follows has gone with it
	wantRetry := exists && run.State == provider.RunFailed && run.Attempt <= f.job.Retry.MaxRetries &&
		f.said != "noretry" // its word counts after the time limit too (D39)
	wantRecovery := exists && run.State == provider.RunLost && j.jobs[run.Job].RequestsRecovery
	f.excused = !exists
	for _, c := range e.triggers {
		if c.before != nil || c.after == nil || c.after.Job != run.Job {
			continue
		}
		t := *c.after
		switch t.Trigger {
		case retryName:
			if !wantRetry {
				j.fail(e, ruleRetry, "run %s (%v, attempt %d of 1+%d) gets a retry", run.ID, run.State, run.Attempt, f.job.Retry.MaxRetries)
			}
			wantRetry = false
			wait := waitBefore(f.job.Retry, run.Attempt)
			if f.said == "after" {
				wait = f.wait
			}
			if due := run.CompletedAt.Add(wait); !t.ScheduledAt.Equal(due) {
				j.fail(e, ruleRetryWait, "retry of %s is due %v after its end, want %v (R213)", run.ID, t.ScheduledAt.Sub(run.CompletedAt), wait)
			}
			if t.Attempt != run.Attempt+1 || t.RetryOf != first || t.RunAs != provider.KindRetry {
				j.fail(e, ruleRetry, "retry of %s is %v, attempt %d of %s (R218)", run.ID, t.RunAs, t.Attempt, t.RetryOf)
			}
		case recoveryName:
			if !wantRecovery {
				j.fail(e, ruleRecovery, "run %s (%v) gets a recovery", run.ID, run.State)
			}
			wantRecovery = false
			if t.Attempt != run.Attempt || t.RetryOf != run.RetryOf || t.RunAs != provider.KindRecovery || !t.ScheduledAt.Equal(e.now) {
				j.fail(e, ruleRecovery, "recovery of %s: %v, attempt %d of %s, due %v", run.ID, t.RunAs, t.Attempt, t.RetryOf, t.ScheduledAt)
			}
		default:
			continue
		}
		if !sameData(t.Data, run.Data) {
			j.fail(e, ruleData, "%s carries %s instead of %s (R208, R218)", t.Trigger, t.Data, run.Data)
		}
	}
	if wantRetry {
		j.fail(e, ruleRetry, "run %s failed, attempt %d of 1+%d, and gets no retry", run.ID, run.Attempt, f.job.Retry.MaxRetries)
	}
	if wantRecovery {
		j.fail(e, ruleRecovery, "run %s was lost and gets no recovery", run.ID)
	}
}

// stored is all that a store holds, but for the lease.
type stored struct {
	runs     []provider.RunRecord
	triggers []provider.TriggerRecord
	jobs     []provider.JobRecord
	nodes    []provider.NodeRecord
}

// records holds all stored rows against what their commits said.
func (j *judge) records(all stored) {
	begun := 0
	for _, f := range j.runs {
		if !f.purged && (!f.local || f.recorded) {
			begun++
		}
	}
	if len(all.runs) != begun {
		j.fail(nil, ruleFinal, "%d records are stored, %d were begun", len(all.runs), begun)
	}
	for _, run := range all.runs {
		if f := j.runs[run.ID]; f == nil || f.run != run || f.purged {
			j.fail(nil, ruleFinal, "run %s is stored as %+v (D05)", run.ID, run)
		}
	}
	same(j, all.triggers, j.triggers, func(r provider.TriggerRecord) provider.TriggerKey { return r.TriggerKey })
	same(j, all.jobs, j.jobs, func(r provider.JobRecord) string { return r.Name })
	same(j, all.nodes, j.nodes, func(r provider.NodeRecord) string { return r.ID })
}

// same compares the rows of a table with those that the events told of.
func same[K, R comparable](j *judge, rows []R, known map[K]R, key func(R) K) {
	if len(rows) != len(known) {
		j.fail(nil, ruleInvariants, "%d rows are stored, %d are known: %v", len(rows), len(known), rows)
	}
	for _, row := range rows {
		if of, ok := known[key(row)]; !ok || of != row {
			j.fail(nil, ruleInvariants, "a row is stored as %+v, known as %+v", row, of)
		}
	}
}
