package gormsched

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Complete ends runs in one transaction: records, occupancies, interval
// triggers, retry and recovery one-shots, and the hand-back of Blocked triggers
// (R037–R039, R203, D05, D35).
//
// It locks, without waiting, the rows of the jobs that are exclusive, occupied
// or about to get a trigger, then the interval triggers, then the runs. An item
// of which one row is held changes nothing; the others are done.
//
// If the process stops before the commit its runs are still Running, and are
// swept when the node is convicted. After the commit nothing of them is left to
// do. A pause, a save or a cancel request that holds a row makes the item wait
// for the next call, never this transaction.
func (s *JobStore) Complete(ctx context.Context, req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	var answer provider.CompleteAnswer
	if len(req.Items) == 0 {
		return answer, nil
	}
	for _, item := range req.Items {
		if !item.State.Final() {
			return answer, provider.Invalidf("Completion.State %s of run %s is not final: give Succeeded, Failed, Canceled or Lost", item.State, provider.Quote(item.RunID))
		}
	}
	err := s.core.inTx(ctx, "completing runs", txDispatch, func(t *tx) error {
		var err error
		answer, err = t.complete(req)
		return err
	}, func(ctx context.Context) (bool, error) {
		var ids []string
		for _, item := range answer.Items {
			if item.Outcome == provider.OutcomeDone {
				ids = append(ids, item.Run.ID)
			}
		}
		return s.core.anyEnded(ctx, ids, micros(answer.Now))
	})
	if err != nil {
		return provider.CompleteAnswer{}, err
	}
	return answer, nil
}

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
	active                     string
	running                    bool // active is known to be Running
	unreadable                 bool
}

func (t *tx) complete(req provider.CompleteRequest) (provider.CompleteAnswer, error) {
	var answer provider.CompleteAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, err
	}
	answer.Now = instant(us)
	e := &ending{t: t, now: answer.Now}
	settled := make([]provider.Settlement, len(req.Items))
	names, ids := make([]string, len(req.Items)), make([]string, len(req.Items))
	var keys, inserting []string
	for i, item := range req.Items {
		if item.Settle != nil {
			settled[i] = item.Settle(answer.Now)
		}
		names[i], ids[i] = item.Job, item.RunID
		if settled[i].Trigger != nil && item.ClaimID != 0 {
			keys = append(keys, item.Trigger.String())
		}
		if settled[i].Insert != nil {
			inserting = append(inserting, item.Job)
		}
	}
	if err := e.lock(sortedUnique(names), sortedUnique(inserting), sortedUnique(keys), sortedUnique(ids)); err != nil {
		return answer, err
	}
	if err := e.planFor(req.Node); err != nil {
		return answer, err
	}
	answer.Items = make([]provider.Completed, len(req.Items))
	for i, item := range req.Items {
		answer.Items[i] = e.complete(req.Node, item, settled[i])
	}
	inserted, handedBack, err := e.apply()
	answer.HandedBack = handedBack
	for i, item := range answer.Items {
		if s := settled[i].Insert; item.Outcome == provider.OutcomeDone && s != nil && inserted[s.TriggerKey.String()] {
			answer.Items[i].Inserted = s.TriggerKey
		}
	}
	return answer, err
}

// lock takes the rows in D23's order. inserting are the jobs that may get a
// trigger, which is born as the job's flag says (D08).
func (e *ending) lock(names, inserting, keys, ids []string) error {
	t := e.t
	var err error
	if e.jobs, err = t.lockJobStates(names, inserting); err != nil {
		return err
	}
	if e.triggers, err = t.lockTriggers(keys); err != nil {
		return err
	}
	if e.heldKeys, err = t.heldTriggers(keys, e.triggers); err != nil {
		return err
	}
	e.runs, e.heldRuns, err = t.lockRuns(ids)
	return err
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
	return j != nil && !j.locked && (inserting || !j.concurrent || j.active != "")
}

func (e *ending) complete(node provider.NodeRef, item provider.Completion, s provider.Settlement) provider.Completed {
	run, ok := e.runs[item.RunID]
	if !ok {
		if stored, held := e.heldRuns[item.RunID]; held {
			if ours(stored, node) {
				return provider.Completed{Outcome: provider.OutcomeHeld}
			}
			return provider.Completed{Outcome: provider.OutcomeGone, Run: stored}
		}
		return provider.Completed{Outcome: provider.OutcomeGone}
	}
	if !ours(run, node) {
		return provider.Completed{Outcome: provider.OutcomeGone, Run: run}
	}
	key := item.Trigger.String()
	moves := s.Trigger != nil && item.ClaimID != 0
	if e.jobHeld(run.Job, s.Insert != nil) || moves && e.heldKeys[key] == item.ClaimID || e.stuck(run) {
		return provider.Completed{Outcome: provider.OutcomeHeld}
	}
	run.State, run.ErrorCode, run.ErrorText, run.Result = item.State, item.ErrorCode, item.ErrorText, item.Result
	run = e.end(run)
	if view := e.triggers[key]; moves && !view.unreadable && inFlight(view.record, item.ClaimID) {
		tr := view.record
		setNext(&tr, *s.Trigger)
		e.giveUp(tr)
	}
	if s.Insert != nil {
		e.add(*s.Insert)
	}
	return provider.Completed{Outcome: provider.OutcomeDone, Run: run}
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
	if _, err = t.updateRows(t.c.freeJobs(e.freed)); err != nil {
		return nil, 0, err
	}
	if _, err = t.updateRows(t.c.moveTriggers(e.move)); err != nil {
		return nil, 0, err
	}
	if inserted, err = t.insertOneShots(e.insert); err != nil {
		return nil, 0, err
	}
	if _, err = t.updateRows(t.c.endRuns(e.ended)); err != nil {
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
