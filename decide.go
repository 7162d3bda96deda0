package gormsched

import (
	"slices"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Claim, Begin and Start share what follows once the rows are locked: asking
// the decision function for one trigger after another, and carrying out all
// that it decided with one statement for each kind of change. If the process
// stops before the commit nothing has happened; after it, run, occupancy and
// trigger have changed together, and what is left of it belongs to a
// (node, incarnation) that the sweep can find (D04).

// pass is one transaction's decisions.
type pass struct {
	t    *tx
	now  time.Time
	us   int64
	node provider.NodeRef
	jobs map[string]*jobView

	changes  changes
	handBack handBackPlan
}

// changes are what the decisions come to.
type changes struct {
	runs   []provider.RunRecord
	occupy []provider.RunRecord // the runs that occupy their jobs
	remove []provider.TriggerKey
	move   []provider.TriggerRecord
	block  []string // jobs that are occupied: their other due triggers wait
	free   []string // jobs that lost a due trigger without a run
}

// claim is what a trigger carries while it is Acquired.
type claim struct {
	id   int64
	node provider.NodeRef
	at   time.Time
}

// consider asks for a decision over one trigger whose row, and whose job's row
// where it is exclusive, are locked, and notes what follows. runID is the id of
// the run that it may start; mine is the claim that the trigger gets or has.
// A decision that would break an invariant is carried out as Leave, or as
// Block where it would start a second run of an exclusive job.
func (p *pass) consider(tr provider.TriggerRecord, runID string, mine claim, decide provider.DecideFunc) provider.Begun {
	claimed := tr.State == provider.TriggerAcquired
	j := p.jobs[tr.Job]
	b := provider.Begun{Trigger: tr}
	if j != nil {
		b.Job = j.record
	}
	occupied := j.occupied()
	d := decide(provider.Candidate{Trigger: tr, Job: b.Job, Now: p.now, Occupied: occupied})
	switch action := d.Action; {
	case action == provider.Start && j != nil && !occupied && runID != "" && legal(d.After, true):
		b.Outcome, b.After = provider.OutcomeStarted, d.After
		b.Run = p.start(d.Run, runID, tr.Job)
		p.progress(tr, d.After, mine)
	case action == provider.Block && occupied, action == provider.Start && occupied:
		b.Outcome = provider.OutcomeBlocked
		tr.State = provider.TriggerBlocked
		p.moveTo(tr, claim{})
		p.changes.block = append(p.changes.block, tr.Job)
	case action == provider.Advance && legal(d.After, false):
		b.Outcome, b.After = provider.OutcomeAdvanced, d.After
		p.progress(tr, d.After, claim{})
		p.freed(j)
	case action == provider.Hold && !claimed:
		b.Outcome = provider.OutcomeAcquired
		tr.State = provider.TriggerAcquired
		p.moveTo(tr, mine)
	case action == provider.Return && claimed:
		b.Outcome = provider.OutcomeReturned
		tr.State = waitingOrPaused(tr)
		p.moveTo(tr, claim{})
	}
	return b
}

// legal says that a trigger may become what a decision says: in flight only
// with a run.
func legal(after provider.Progress, run bool) bool {
	if after.Delete {
		return true
	}
	switch after.State {
	case provider.TriggerWaiting, provider.TriggerComplete, provider.TriggerError:
		return true
	}
	return run && after.State == provider.TriggerAcquired
}

// pause stores a trigger whose flag is set as Paused and clears its claim
// (D08).
func (p *pass) pause(tr provider.TriggerRecord) {
	tr.State = provider.TriggerPaused
	p.moveTo(tr, claim{})
	p.freed(p.jobs[tr.Job])
}

// start makes the record of a run that begins now, and occupies its job if it
// is exclusive (R034), with a fencing number that is greater than any before
// (D25).
func (p *pass) start(run provider.RunRecord, id, job string) provider.RunRecord {
	run.ID, run.Job, run.State = id, job, provider.RunRunning
	run.Node, run.Incarnation = p.node.ID, p.node.Incarnation
	run.StartedAt, run.CompletedAt, run.CancelRequestedAt = p.now, time.Time{}, time.Time{}
	if run.ScheduledAt.IsZero() {
		run.ScheduledAt = p.now
	}
	run.Fence, run.Version = 0, 1
	run.Sequence = p.t.c.nextSequence(p.us)
	if j := p.jobs[job]; j.exclusive() {
		run.Fence = max(j.record.Fence+1, p.us)
		j.record.ActiveRunID, j.record.Fence = id, run.Fence
		j.record.Version++
		j.running = true
		p.changes.occupy = append(p.changes.occupy, run)
		p.changes.block = append(p.changes.block, job)
	}
	p.changes.runs = append(p.changes.runs, run)
	return run
}

// progress notes what a decision makes of a trigger.
func (p *pass) progress(tr provider.TriggerRecord, after provider.Progress, mine claim) {
	if after.Delete {
		p.changes.remove = append(p.changes.remove, tr.TriggerKey)
		return
	}
	tr.PrevFireAt, tr.FireCount = after.PrevFireAt, after.FireCount
	tr.ErrorCode, tr.ErrorText = "", ""
	if after.State == provider.TriggerError {
		tr.ErrorCode, tr.ErrorText = after.ErrorCode, after.ErrorText
	}
	setNext(&tr, after.Next)
	if tr.State != provider.TriggerAcquired {
		mine = claim{}
	}
	p.moveTo(tr, mine)
}

// setNext gives a trigger its next occurrence.
func setNext(tr *provider.TriggerRecord, next provider.Next) {
	tr.State, tr.ZoneHash = next.State, next.ZoneHash
	tr.ScheduledAt, tr.NextFireAt = time.Time{}, time.Time{}
	if next.State == provider.TriggerWaiting || next.State == provider.TriggerPaused {
		tr.ScheduledAt, tr.NextFireAt = next.ScheduledAt, next.NextFireAt
		tr.State = waitingOrPaused(*tr)
	}
}

// waitingOrPaused is where a trigger goes that waits for its next instant.
func waitingOrPaused(tr provider.TriggerRecord) provider.TriggerState {
	if tr.Paused {
		return provider.TriggerPaused
	}
	return provider.TriggerWaiting
}

// moveTo notes a trigger's new row: its claim, its state, and the hint as the
// job row has it.
func (p *pass) moveTo(tr provider.TriggerRecord, mine claim) {
	tr.ClaimID, tr.ClaimedBy, tr.Incarnation, tr.ClaimedAt = mine.id, mine.node.ID, mine.node.Incarnation, mine.at
	if j := p.jobs[tr.Job]; j != nil {
		tr.Exclusive = j.exclusive()
	}
	p.changes.move = append(p.changes.move, tr)
}

// freed notes that a due trigger of an exclusive job was taken away.
func (p *pass) freed(j *jobView) {
	if j.exclusive() {
		p.changes.free = append(p.changes.free, j.record.Name)
	}
}

// plan locks what the jobs that are left free hand back. Where that cannot be
// had nothing is done to the job's triggers, and the answers of those that were
// to be taken from it become Held.
func (p *pass) plan(items []provider.Begun) (err error) {
	c := &p.changes
	c.free = slices.DeleteFunc(sortedUnique(c.free), func(job string) bool { return p.jobs[job].occupied() })
	if p.handBack, err = p.t.planHandBack(c.free, nil, dialects.LockSkip); err != nil {
		return err
	}
	stuck := map[string]bool{}
	for _, job := range c.free {
		stuck[job] = p.handBack.stuck(job)
	}
	c.free = slices.DeleteFunc(c.free, func(job string) bool { return stuck[job] })
	c.move = slices.DeleteFunc(c.move, func(tr provider.TriggerRecord) bool { return stuck[tr.Job] })
	c.remove = slices.DeleteFunc(c.remove, func(key provider.TriggerKey) bool { return stuck[key.Job] })
	for i, b := range items {
		switch b.Outcome {
		case provider.OutcomeAdvanced, provider.OutcomePaused, provider.OutcomeReturned, provider.OutcomeAcquired:
			if stuck[b.Trigger.Job] {
				items[i] = provider.Begun{Outcome: provider.OutcomeHeld, Trigger: b.Trigger, Job: b.Job}
			}
		}
	}
	return nil
}

// apply sends the changes. All rows that it changes are locked, so that no
// statement waits. It answers how many triggers were stored as Blocked beside
// those considered.
func (p *pass) apply() (blocked int, err error) {
	t, c := p.t, &p.changes
	w := writes{t: t}
	w.update(t.c.occupyJobs(c.occupy))
	w.delete(t.c.removeTriggers(c.remove))
	w.update(t.c.moveTriggers(c.move))
	w.insert(t.c.newRuns(c.runs))
	if err = w.send(); err != nil {
		return 0, err
	}
	if blocked, err = t.blockOthers(c.block); err != nil {
		return 0, err
	}
	_, err = t.carryOut(p.handBack, c.free)
	return blocked, err
}

// occupyJobs writes the runs that now occupy their jobs.
func (c *core) occupyJobs(runs []provider.RunRecord) dialects.Update {
	rows := make([][]any, len(runs))
	for i, r := range runs {
		rows[i] = []any{r.Job, r.ID, r.Fence}
	}
	return dialects.Update{
		Table: c.t.jobs, Columns: sourceColumns("job_name", "active_run_id", "fence"), Rows: rows,
		Set: []dialects.Set{{Column: "active_run_id"}, {Column: "fence"}, c.nextVersion()},
	}
}

func (c *core) removeTriggers(keys []provider.TriggerKey) dialects.Delete {
	return dialects.Delete{Table: c.t.triggers, Key: sourceColumns("trigger_key")[0], Keys: anys(textKeys(keys))}
}

// movedColumns are what a decision can change of a trigger.
var movedColumns = []string{
	"trigger_key", "trigger_state", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count",
	"claim_id", "claimed_by", "incarnation", "claimed_us", "error_code", "error_text", "zone_hash",
}

// moveTriggers writes triggers that this transaction has locked and read.
func (c *core) moveTriggers(list []provider.TriggerRecord) dialects.Update {
	rows := make([][]any, len(list))
	for i, r := range list {
		rows[i] = []any{
			r.TriggerKey.String(), int64(r.State), flag(r.Exclusive),
			usOrNull(r.ScheduledAt), usOrNull(r.NextFireAt), usOrNull(r.PrevFireAt), r.FireCount,
			intOrNull(r.ClaimID), textOrNull(r.ClaimedBy), intOrNull(r.Incarnation), usOrNull(r.ClaimedAt),
			textOrNull(r.ErrorCode), textOrNull(r.ErrorText), textOrNull(r.ZoneHash),
		}
	}
	sets := make([]dialects.Set, 0, len(movedColumns))
	for _, name := range movedColumns[1:] {
		sets = append(sets, dialects.Set{Column: name})
	}
	return dialects.Update{
		Table: c.t.triggers, Columns: sourceColumns(movedColumns...), Rows: rows,
		Set: append(sets, c.nextVersion()),
	}
}

// newRuns inserts runs.
func (c *core) newRuns(runs []provider.RunRecord) dialects.Insert {
	rows := make([][]any, len(runs))
	for i, r := range runs {
		rows[i] = runRow(r)
	}
	return dialects.Insert{Table: c.t.runs, Columns: sourceColumns(runColumns...), Rows: rows}
}

func (t *tx) insertRuns(runs []provider.RunRecord) error {
	in := t.c.newRuns(runs)
	return t.insertRows(in.Table, in.Columns, in.Rows)
}
