package inmemory

import (
	"context"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// candidatesPerSlot bounds the candidates that one claim does something with:
// three times the quota (R030).
const candidatesPerSlot = 3

// Claim implements [provider.Claimer]. A candidate that the store has no room
// for is left; where nothing else was done either, the answer is ErrStoreFull
// (R302).
func (s *Store) Claim(ctx context.Context, req provider.ClaimRequest) (provider.ClaimAnswer, error) {
	if req.Limit < 1 {
		return provider.ClaimAnswer{}, nil
	}
	if err := checkClaim(req.AcquireRequest); err != nil {
		return provider.ClaimAnswer{}, err
	}
	if len(req.RunIDs) < req.Limit {
		return provider.ClaimAnswer{}, provider.Invalidf("RunIDs has %d ids for Limit %d: draw at least Limit of them",
			len(req.RunIDs), req.Limit)
	}
	return transact(ctx, s, "Claim", func(t *tx) (provider.ClaimAnswer, error) {
		p := pass{
			tx: t, req: req,
			settled: map[string]bool{}, heldJobs: map[string]bool{},
			answer: provider.ClaimAnswer{Now: t.now},
		}
		only := newFilter(req.ExcludeJobs, req.OneShotsOnly)
		candidates := t.walkDue(only)
		for p.taken < req.Limit && p.done < candidatesPerSlot*req.Limit {
			row, ok := candidates.next()
			if !ok {
				break
			}
			p.candidate(row)
		}
		if p.full && !t.wrote() {
			return provider.ClaimAnswer{}, storeFull(s.options.MaxRuns)
		}
		t.handBackAll()
		if p.began == req.Limit { // P18
			p.answer.More = true
		} else {
			p.answer.NextDue = t.nextDue(only)
			p.answer.More = t.anyDue(only)
		}
		p.answer.Blocked = t.blocked
		return p.answer, nil
	})
}

// pass is one claim under way.
type pass struct {
	*tx
	req    provider.ClaimRequest
	answer provider.ClaimAnswer
	// settled are the exclusive jobs of which one trigger has started, blocked
	// or been held: no other is asked about.
	settled map[string]bool
	// heldJobs are the jobs whose rows another transaction holds.
	heldJobs map[string]bool
	// taken counts the triggers that fill a slot, done those that something
	// was done with, started the run ids that are used up, began the runs. full
	// says that a run found no room.
	taken, done, started, began int
	full                        bool
}

// candidate decides over one due trigger and carries the decision out.
func (p *pass) candidate(row provider.TriggerRecord) {
	if p.settled[row.Job] || p.heldJobs[row.Job] {
		return
	}
	if p.held("Claim", row.Job) {
		p.heldJobs[row.Job] = true
		p.answer.HeldJobs = append(p.answer.HeldJobs, row.Job)
		return
	}
	job := p.jobs[row.Job]
	begun := provider.Begun{Trigger: row, Job: job}
	if !readable(row, job) {
		begun.Outcome = provider.OutcomeUnreadable
		p.answer.Items = append(p.answer.Items, begun)
		return
	}
	s := subject{before: row, job: job, node: p.req.Node}
	if p.started < len(p.req.RunIDs) {
		s.runID = p.req.RunIDs[p.started]
	}
	s.claimed = p.claim(row, p.req.AcquireRequest)
	switch d := p.decide(s, p.req.Decide); d.Action {
	case provider.Start:
		var full bool
		begun, full = p.start(s, d)
		p.full = p.full || full
	case provider.Block:
		begun = p.block(s)
	case provider.Advance:
		begun = p.advance(s, d)
	case provider.Hold:
		begun.Trigger = row
		p.putTrigger(s.claimed)
		begun.Outcome = provider.OutcomeAcquired
	}
	p.settle(begun)
}

// settle counts what was done, and blocks the rest of an occupied job.
func (p *pass) settle(begun provider.Begun) {
	name := begun.Trigger.Job
	switch begun.Outcome {
	case provider.OutcomeLeft:
		return
	case provider.OutcomeStarted:
		p.started++
		p.began++
		p.taken++
	case provider.OutcomeConflict:
		p.started++ // a run of this id exists
	case provider.OutcomeAcquired:
		p.taken++
	}
	p.done++
	p.answer.Items = append(p.answer.Items, begun)
	if exclusive(begun.Job) && begun.Outcome != provider.OutcomeAdvanced {
		p.settled[name] = true
		if p.occupied(p.jobs[name]) {
			p.blockOthers(name)
		}
	}
}
