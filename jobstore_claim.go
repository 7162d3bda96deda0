package gormsched

import (
	"context"
	"maps"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// claimsAtOnce is how many claims one node has under way while they come back
// full (docs/performance.md).
const claimsAtOnce = 3

// Claim takes due triggers and begins their runs in one transaction (D07, D35).
//
// It reads, in this order: due triggers, locked, leaving out those that others
// hold; the rows of the concurrent jobs among them, shared, and those of the
// exclusive ones, locked likewise; then, plainly, the exclusive jobs with the
// runs that occupy them; and at the end, unless it has begun all runs that it may,
// the next due instant. Nothing waits. Another claim passes over the rows that
// this one holds; pause, delete and save wait for them until the commit and then find
// the triggers as this claim left them.
//
// If the process stops before the commit the database lets go of the rows and
// nothing has happened. If it stops after it, the runs are Running and carry
// its node and incarnation: they are recovered when the node is convicted
// (D04), or started by the node's own cancel poll if it was only the answer
// that was lost (D07).
func (s *JobStore) Claim(ctx context.Context, req provider.ClaimRequest) (provider.ClaimAnswer, error) {
	var answer provider.ClaimAnswer
	most := min(req.Limit, len(req.RunIDs), provider.MaxBatch)
	filter := dueFilter{exclude: req.ExcludeJobs, oneShots: req.OneShotsOnly}
	if most < 1 {
		return answer, nil
	}
	due, idle, err := s.nothingDue(ctx, filter)
	if err != nil {
		return answer, err
	}
	if idle {
		return provider.ClaimAnswer{Now: due.Now, NextDue: due.NextDue}, nil
	}
	err = s.core.inTx(ctx, "claiming due triggers", txDispatch, func(t *tx) error {
		var err error
		answer, err = t.claim(req, filter, most)
		return err
	}, func(ctx context.Context) (bool, error) {
		return s.core.decided(ctx, answer.Items, req.ClaimID)
	})
	if err != nil {
		return provider.ClaimAnswer{}, err
	}
	return answer, nil
}

func (t *tx) claim(req provider.ClaimRequest, filter dueFilter, most int) (provider.ClaimAnswer, error) {
	var answer provider.ClaimAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, err
	}
	answer.Now = instant(us)
	list, err := t.due(candidates{filter: filter, now: us, most: most, lock: true})
	if err != nil {
		return answer, err
	}
	left := len(list) == most
	if len(list) > 0 {
		p := &pass{t: t, now: answer.Now, us: us, node: req.Node}
		if p.jobs, err = t.jobsOf(list); err != nil {
			return answer, err
		}
		some := p.claim(list, req, &answer)
		if err = p.plan(answer.Items); err != nil {
			return answer, err
		}
		left = leaveHeld(&answer) || left || some
		if answer.Blocked, err = p.apply(); err != nil {
			return answer, err
		}
	}
	if startsAll(answer.Items, most) { // looking for the next is for those who wait for it (P18)
		answer.More = true
		return answer, nil
	}
	next, err := t.nextDue(filter)
	if err != nil {
		return answer, err
	}
	answer.NextDue = nullInstant(next)
	answer.More = left && next.Valid && next.Int64 <= us
	return answer, nil
}

// startsAll reports whether a claim began as many runs as it may.
func startsAll(items []provider.Begun, most int) bool {
	started := 0
	for _, b := range items {
		if b.Outcome == provider.OutcomeStarted {
			started++
		}
	}
	return started == most
}

// jobsOf reads the jobs of candidates, shares those that are concurrent and
// locks those that are exclusive, going by the triggers' hints.
func (t *tx) jobsOf(list []candidate) (map[string]*jobView, error) {
	var names, hinted []string
	for _, c := range list {
		names = append(names, c.record.Job)
		if c.record.Exclusive {
			hinted = append(hinted, c.record.Job)
		}
	}
	names, hinted = sortedUnique(names), sortedUnique(hinted)
	concurrent := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, exclusive := slices.BinarySearch(hinted, name)
		return exclusive
	})
	jobs, err := t.shareJobs(concurrent)
	if err != nil {
		return nil, err
	}
	locked, err := t.lockJobs(hinted, t.c.exclusiveJobs(), dialects.LockSkip)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(names, func(name string) bool { return jobs[name] != nil })
	others, err := t.readJobs(rest, locked)
	maps.Copy(jobs, others)
	return jobs, err
}

// claim goes through candidates in order and notes the decisions. It reports
// whether some were left that may be claimed by asking again.
func (p *pass) claim(list []candidate, req provider.ClaimRequest, answer *provider.ClaimAnswer) (left bool) {
	ids := req.RunIDs
	mine := claim{id: req.ClaimID, node: req.Node, at: p.now}
	taken := map[string]bool{} // exclusive jobs that have their one trigger
	held := map[string]bool{}
	for _, c := range list {
		tr, j := c.record, p.jobs[c.record.Job]
		switch {
		case c.unreadable, j != nil && j.unreadable:
			answer.Items = append(answer.Items, provider.Begun{Outcome: provider.OutcomeUnreadable, Trigger: tr})
			continue
		case j.heldForBegin() && tr.Exclusive == j.exclusive():
			if !held[tr.Job] {
				held[tr.Job] = true
				answer.HeldJobs = append(answer.HeldJobs, tr.Job)
			}
			left = true
			continue
		case j.heldForBegin(): // the hint is wrong: the next pass locks the job as it needs to be
			p.changes.move = append(p.changes.move, mended(tr, j.exclusive()))
			left = true
			continue
		case taken[tr.Job]: // blockOthers takes it
			left = true
			continue
		case tr.Paused: // never so by this store
			p.pause(tr)
			answer.Items = append(answer.Items, provider.Begun{Outcome: provider.OutcomePaused, Trigger: tr, Job: jobRecord(j)})
			continue
		}
		b := p.consider(tr, ids[0], mine, req.Decide)
		if b.Outcome == provider.OutcomeLeft {
			left = true
			continue
		}
		if b.Outcome == provider.OutcomeStarted {
			ids = ids[1:] // there is one for each candidate
		}
		answer.Items = append(answer.Items, b)
		taken[tr.Job] = j.exclusive() && b.Outcome != provider.OutcomeAdvanced
	}
	return left
}

// leaveHeld takes items out of the answer that could not be done, and names
// their jobs as held.
func leaveHeld(answer *provider.ClaimAnswer) bool {
	before := len(answer.Items)
	answer.Items = slices.DeleteFunc(answer.Items, func(b provider.Begun) bool {
		held := b.Outcome == provider.OutcomeHeld
		if held && !slices.Contains(answer.HeldJobs, b.Trigger.Job) {
			answer.HeldJobs = append(answer.HeldJobs, b.Trigger.Job)
		}
		return held
	})
	return len(answer.Items) < before
}

func jobRecord(j *jobView) provider.JobRecord {
	if j == nil {
		return provider.JobRecord{}
	}
	return j.record
}

// mended is a trigger with its hint corrected and nothing else changed.
func mended(tr provider.TriggerRecord, exclusive bool) provider.TriggerRecord {
	tr.Exclusive = exclusive
	return tr
}
