package gormsched

import (
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// ending is one transaction that ends runs: a completion or a sweep.
type ending struct {
	t   *tx
	now time.Time

	jobs     map[string]*jobState
	triggers map[string]triggerView
	heldKeys map[string]int64
	runs     map[string]provider.RunRecord
	heldRuns map[string]provider.RunRecord

	// plan is what the jobs hand back that may be left free.
	plan handBackPlan

	ended  []provider.RunRecord
	freed  []provider.RunRecord // the runs whose occupancy ends
	move   []provider.TriggerRecord
	insert []provider.TriggerRecord
	left   []string // exclusive jobs, locked, that may be free for another reason
}

// jobState is what ending a run needs to know of its job.
type jobState struct {
	concurrent, paused, locked bool
	shared                     bool // the flags stay as they are
	active                     string
	running                    bool // active is known to be Running
	unreadable                 bool
}

// lock takes the rows in D23's order, and reads at the end the jobs that need no
// lock. inserting are the jobs that may get a trigger, which is born as the
// job's flag says (D08).
func (e *ending) lock(names, inserting, keys, ids []string) error {
	t := e.t
	var err error
	if e.jobs, err = t.lockJobStates(names); err != nil {
		return err
	}
	shared, err := t.lockJobs(inserting, t.c.concurrentJobs(), dialects.LockShareSkip)
	if err != nil {
		return err
	}
	if e.triggers, err = t.lockTriggers(keys); err != nil {
		return err
	}
	if e.heldKeys, err = t.heldTriggers(keys, e.triggers); err != nil {
		return err
	}
	if e.runs, e.heldRuns, err = t.lockRuns(ids); err != nil {
		return err
	}
	err = t.readJobStates(names, e.jobs)
	e.share(shared)
	return err
}

// share notes which jobs keep their flags until the end.
func (e *ending) share(shared lockSet) {
	for name, j := range e.jobs {
		j.shared = shared.has(name)
	}
}

// planFor locks what the jobs hand back whose runs may end.
func (e *ending) planFor(node provider.NodeRef) (err error) {
	var free []string
	for _, run := range e.runs {
		if j := e.jobs[run.Job]; j != nil && j.locked && !j.concurrent && j.active == run.ID && ours(run, node) {
			free = append(free, run.Job)
		}
	}
	e.plan, err = e.t.planHandBack(sortedUnique(free), nil, dialects.LockSkip)
	return err
}

// jobHeld says that ending a run of this job needs a lock that another
// transaction has.
func (e *ending) jobHeld(job string, inserting bool) bool {
	j := e.jobs[job]
	return j != nil && !j.locked && (inserting && !j.shared || !j.concurrent || j.active != "")
}

// stuck says that the end of a run would leave its job free with Blocked
// triggers that cannot be handed back now.
func (e *ending) stuck(run provider.RunRecord) bool {
	j := e.jobs[run.Job]
	return j != nil && j.active == run.ID && e.plan.stuck(run.Job)
}

// ours says that a run is Running on this very process (D05, D06).
func ours(run provider.RunRecord, node provider.NodeRef) bool {
	return run.State == provider.RunRunning && run.Node == node.ID && run.Incarnation == node.Incarnation
}

// inFlight says that a trigger waits, Acquired by this claim, for its run to
// end (R265).
func inFlight(tr provider.TriggerRecord, claimID int64) bool {
	return tr.State == provider.TriggerAcquired && tr.ClaimID == claimID && claimID != 0
}

// end notes that a run ends now, and that it leaves its job if it occupies it.
func (e *ending) end(run provider.RunRecord) provider.RunRecord {
	run.CompletedAt = e.now
	run.Version++
	e.ended = append(e.ended, run)
	e.runs[run.ID] = run
	if j := e.jobs[run.Job]; j != nil && j.active == run.ID {
		j.active = ""
		e.freed = append(e.freed, run)
	}
	return run
}

// giveUp notes a trigger's new row without a claim.
func (e *ending) giveUp(tr provider.TriggerRecord) {
	tr.ClaimID, tr.ClaimedBy, tr.Incarnation, tr.ClaimedAt = 0, "", 0, time.Time{}
	if j := e.jobs[tr.Job]; j != nil {
		tr.Exclusive = !j.concurrent
	}
	e.triggers[tr.TriggerKey.String()] = triggerView{record: tr}
	e.move = append(e.move, tr)
}

// add notes a one-shot to insert: born as the job's row says (D08, D11), and
// dropped where the job is gone.
func (e *ending) add(tr provider.TriggerRecord) {
	j := e.jobs[tr.Job]
	if j == nil {
		return
	}
	e.insert = append(e.insert, born(tr, j.paused, !j.concurrent, e.now))
}

// born is a one-shot as it is inserted.
func born(tr provider.TriggerRecord, paused, exclusive bool, now time.Time) provider.TriggerRecord {
	if tr.NextFireAt.IsZero() {
		tr.NextFireAt = now
	}
	if tr.ScheduledAt.IsZero() {
		tr.ScheduledAt = tr.NextFireAt
	}
	tr.Paused, tr.Exclusive, tr.Version = paused, exclusive, 1
	tr.State = waitingOrPaused(tr)
	tr.ClaimID, tr.ClaimedBy, tr.Incarnation, tr.ClaimedAt = 0, "", 0, time.Time{}
	return tr
}

// apply sends what was noted. It answers which one-shots were inserted, and how
// many Blocked triggers are Waiting now.
func (e *ending) apply() (inserted map[string]bool, handedBack int, err error) {
	t := e.t
	w := writes{t: t}
	w.update(t.c.freeJobs(e.freed))
	w.update(t.c.moveTriggers(e.move))
	w.update(t.c.endRuns(e.ended))
	if err = w.send(); err != nil {
		return nil, 0, err
	}
	if inserted, err = t.insertOneShots(e.insert); err != nil {
		return nil, 0, err
	}
	var free []string
	for _, run := range e.freed {
		e.left = append(e.left, run.Job)
	}
	for _, job := range e.left {
		if j := e.jobs[job]; j != nil && j.locked && (j.concurrent || j.active == "" || !j.running) {
			free = append(free, job)
		}
	}
	handedBack, err = t.carryOut(e.plan, free)
	return inserted, handedBack, err
}

// freeJobs clears the occupancy of jobs that this transaction has locked and
// that were occupied by the runs.
func (c *core) freeJobs(runs []provider.RunRecord) dialects.Update {
	rows := make([][]any, len(runs))
	for i, run := range runs {
		rows[i] = []any{run.Job}
	}
	return dialects.Update{
		Table: c.t.jobs, Columns: sourceColumns("job_name"), Rows: rows,
		Set: []dialects.Set{{Column: "active_run_id", Expr: "NULL"}, c.nextVersion()},
	}
}

// endRuns writes how runs ended that this transaction has locked.
func (c *core) endRuns(runs []provider.RunRecord) dialects.Update {
	rows := make([][]any, len(runs))
	for i, r := range runs {
		rows[i] = []any{r.ID, int64(r.State), micros(r.CompletedAt), textOrNull(r.Result), textOrNull(r.ErrorCode), textOrNull(r.ErrorText)}
	}
	return dialects.Update{
		Table: c.t.runs, Columns: sourceColumns("run_id", "run_state", "completed_us", "run_result", "error_code", "error_text"), Rows: rows,
		Set: []dialects.Set{
			{Column: "run_state"}, {Column: "completed_us"}, {Column: "run_result"}, {Column: "error_code"}, {Column: "error_text"},
			{Column: "running_on", Expr: "NULL"}, c.nextVersion(),
		},
	}
}
