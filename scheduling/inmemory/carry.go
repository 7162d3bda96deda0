package inmemory

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// subject is one trigger that a decision is carried out on.
type subject struct {
	// before is the trigger as stored. claimed is the same with the claim that
	// it keeps if it stays or becomes Acquired.
	before  provider.TriggerRecord
	claimed provider.TriggerRecord
	job     provider.JobRecord
	node    provider.NodeRef
	runID   string
}

// decide asks the decision function and makes an illegal decision a legal one:
// a start on an occupied job is a block; anything else that must not be
// carried out is left.
func (t *tx) decide(s subject, ask provider.DecideFunc) provider.Decision {
	occupied := t.occupied(s.job)
	d := ask(provider.Candidate{Trigger: s.before, Job: s.job, Now: t.now, Occupied: occupied})
	d.After = cutProgress(d.After)
	left := provider.Decision{Action: provider.Leave}
	switch d.Action {
	case provider.Start:
		switch {
		case s.job.Name == "" || !legalProgress(d.After, true):
			return left
		case occupied:
			return provider.Decision{Action: provider.Block}
		}
	case provider.Block:
		if !occupied {
			return left
		}
	case provider.Advance:
		if !legalProgress(d.After, false) {
			return left
		}
	}
	return d
}

// start begins the subject's run. Where there is no room for its record
// nothing is done, and full is true (R302).
func (t *tx) start(s subject, d provider.Decision) (begun provider.Begun, full bool) {
	begun = provider.Begun{Trigger: s.before, Job: s.job}
	if _, exists := t.runs[s.runID]; exists || s.runID == "" {
		begun.Outcome = provider.OutcomeConflict
		return begun, false
	}
	if !t.makeRoom() {
		return begun, true
	}
	run := d.Run
	run.ID, run.Job = s.runID, s.before.Job
	if run.TriggerName == "" {
		run.TriggerName = s.before.Trigger
	}
	begun.Outcome = provider.OutcomeStarted
	begun.Run = t.begin(run, s.job, s.node)
	begun.After = d.After
	t.progress(s.claimed, d.After)
	return begun, false
}

// begin inserts a Running record, and occupies an exclusive job (R034).
func (t *tx) begin(asked provider.RunRecord, job provider.JobRecord, node provider.NodeRef) provider.RunRecord {
	run := provider.RunRecord{
		ID: asked.ID, Job: asked.Job, TriggerName: asked.TriggerName, Kind: asked.Kind,
		State: provider.RunRunning, Node: node.ID, Incarnation: node.Incarnation,
		ScheduledAt: cut(asked.ScheduledAt), StartedAt: t.now,
		Attempt: max(asked.Attempt, 1), RetryOf: asked.RetryOf,
		Sequence: t.nextSequence(), Data: asked.Data,
	}
	if run.ScheduledAt.IsZero() {
		run.ScheduledAt = t.now
	}
	if exclusive(job) {
		run.Fence = t.occupy(job, run.ID)
	}
	return t.putRun(runRow{RunRecord: run}).RunRecord
}

// block stores the subject as Blocked, due instant unchanged (R200).
func (t *tx) block(s subject) provider.Begun {
	row := unclaim(s.before)
	row.State = provider.TriggerBlocked
	t.putTrigger(row)
	return provider.Begun{Outcome: provider.OutcomeBlocked, Trigger: s.before, Job: s.job}
}

// advance moves the subject on without a run.
func (t *tx) advance(s subject, d provider.Decision) provider.Begun {
	t.progress(s.claimed, d.After)
	return provider.Begun{Outcome: provider.OutcomeAdvanced, Trigger: s.before, Job: s.job, After: d.After}
}

// progress makes of a trigger what a decision says.
func (t *tx) progress(row provider.TriggerRecord, after provider.Progress) {
	if after.Delete {
		t.deleteTrigger(row.TriggerKey)
		return
	}
	row = moved(row, after.Next)
	row.PrevFireAt = after.PrevFireAt
	row.FireCount = after.FireCount
	if row.State == provider.TriggerError {
		row.ErrorCode, row.ErrorText = after.ErrorCode, after.ErrorText
	}
	t.putTrigger(row)
}

// moved gives a trigger its next occurrence. The claim goes, unless the
// trigger is in flight; a set flag makes Waiting Paused (D08).
func moved(row provider.TriggerRecord, next provider.Next) provider.TriggerRecord {
	if next.State != provider.TriggerAcquired {
		row = unclaim(row)
	}
	row.State = next.State
	row.ScheduledAt, row.NextFireAt = next.ScheduledAt, next.NextFireAt
	row.ZoneHash = next.ZoneHash
	if row.State == provider.TriggerWaiting {
		row.State = waitingOrPaused(row.Paused)
	}
	return row
}

// legalNext reports whether a trigger can be led on from there: only a Waiting
// one has a next instant, and it must have one.
func legalNext(next provider.Next, mayFly bool) bool {
	switch next.State {
	case provider.TriggerWaiting:
		return !next.NextFireAt.IsZero()
	case provider.TriggerAcquired:
		return mayFly
	}
	return next.State == provider.TriggerComplete || next.State == provider.TriggerError
}

func legalProgress(after provider.Progress, mayFly bool) bool {
	return after.Delete || legalNext(after.Next, mayFly)
}

// cutNext brings a next occurrence into the stored form: none unless Waiting,
// and the occurrence is the instant of firing where it names none.
func cutNext(next provider.Next) provider.Next {
	next.ScheduledAt, next.NextFireAt = cut(next.ScheduledAt), cut(next.NextFireAt)
	switch {
	case next.State != provider.TriggerWaiting:
		next.ScheduledAt, next.NextFireAt = time.Time{}, time.Time{}
	case next.ScheduledAt.IsZero():
		next.ScheduledAt = next.NextFireAt
	}
	return next
}

func cutProgress(after provider.Progress) provider.Progress {
	after.Next = cutNext(after.Next)
	after.PrevFireAt = cut(after.PrevFireAt)
	return after
}
