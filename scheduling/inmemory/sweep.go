package inmemory

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// maxSwept is the most items of one sweep (D04).
const maxSwept = 100

// Sweep implements [provider.Nodes]. In a store that is not shared nobody
// heartbeats, so nothing counts as lost (R209).
func (s *Store) Sweep(ctx context.Context, req provider.SweepRequest) (provider.SweepAnswer, error) {
	return transact(ctx, s, "Sweep", func(t *tx) (provider.SweepAnswer, error) {
		w := sweep{tx: t, req: req, answer: provider.SweepAnswer{Now: t.now}, left: maxSwept}
		if req.Limit > 0 && req.Limit < maxSwept {
			w.left = req.Limit
		}
		if s.options.Shared {
			w.loseRuns()
			w.returnClaims()
		}
		for job := range t.byJob { // the net of R053
			mark(&t.takenFrom, job)
		}
		t.handBackAll()
		w.answer.HandedBack = t.handedBack
		return w.answer, nil
	})
}

// sweep is one pass under way.
type sweep struct {
	*tx
	req    provider.SweepRequest
	answer provider.SweepAnswer
	left   int
}

// take reports whether an item may be done: it is not held, and the limit is
// not reached.
func (s *sweep) take(job string) bool {
	if s.left == 0 || s.held("Sweep", job) {
		s.answer.More = true
		return false
	}
	s.left--
	return true
}

// gone reports whether a process has no node row: whatever carries its name is
// lost (D04).
func (t *tx) gone(node provider.NodeRef) bool { return t.nodes[node.ID].NodeRef != node }

// loseRuns declares the Running records of gone processes Lost, in order of start,
// each with all that follows from it.
func (s *sweep) loseRuns() {
	for _, p := range s.running.head(s.running.len()) {
		if run := s.runs[p.id]; s.gone(runBy(run.RunRecord)) && s.take(run.Job) {
			s.lose(run)
		}
	}
}

func (s *sweep) lose(run runRow) {
	run.State = provider.RunLost
	run.CompletedAt = s.now
	run = s.end(run)
	s.answer.Lost = append(s.answer.Lost, run.RunRecord)

	row, ok := s.triggers[provider.TriggerKey{Job: run.Job, Trigger: run.TriggerName}]
	if ok && row.State == provider.TriggerAcquired && inFlight(row) && claimedBy(row) == runBy(run.RunRecord) {
		s.giveBackLost(row)
	}
	if s.req.Recover == nil {
		return
	}
	trigger, wanted := s.req.Recover(run.RunRecord, s.jobs[run.Job], s.now)
	if !wanted {
		return
	}
	if key := s.insertOneShot(trigger); key != (provider.TriggerKey{}) {
		s.answer.Recovered = append(s.answer.Recovered, key)
	}
}

// returnClaims returns the claims of gone processes, by key. A trigger in flight
// goes with its run: where that was left to the next pass, it is left too (D04).
func (s *sweep) returnClaims() {
	for _, p := range s.acquired.head(s.acquired.len()) {
		row := s.triggers[p.key]
		if !s.gone(claimedBy(row)) || inFlight(row) && s.flies(row) {
			continue
		}
		if s.take(row.Job) {
			s.giveBackLost(row)
		}
	}
}

// giveBackLost returns a trigger: an interval trigger whose run was lost has
// no next instant, and is due now (R052).
func (s *sweep) giveBackLost(row provider.TriggerRecord) {
	if row.NextFireAt.IsZero() {
		row.ScheduledAt, row.NextFireAt = s.now, s.now
	}
	s.giveBack(row)
	s.answer.Returned = append(s.answer.Returned, row.TriggerKey)
}
