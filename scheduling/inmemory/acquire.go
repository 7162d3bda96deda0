package inmemory

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Acquire implements [provider.Dispatcher].
func (s *Store) Acquire(ctx context.Context, req provider.AcquireRequest) (provider.AcquireAnswer, error) {
	if req.Limit < 1 {
		return provider.AcquireAnswer{}, nil
	}
	if err := checkClaim(req); err != nil {
		return provider.AcquireAnswer{}, err
	}
	return transact(ctx, s, "Acquire", func(t *tx) (provider.AcquireAnswer, error) {
		answer := provider.AcquireAnswer{Now: t.now}
		only := newFilter(req.ExcludeJobs, req.OneShotsOnly)
		taken := map[string]bool{} // exclusive jobs of which one was taken (D35)
		candidates := t.walkDue(only)
		for len(answer.Claimed) < req.Limit {
			row, ok := candidates.next()
			if !ok {
				break
			}
			job := t.jobs[row.Job]
			if !readable(row, job) {
				answer.Unreadable = append(answer.Unreadable, row.TriggerKey)
				continue
			}
			if exclusive(job) {
				if taken[row.Job] {
					continue
				}
				taken[row.Job] = true
			}
			row = t.putTrigger(t.claim(row, req))
			answer.Claimed = append(answer.Claimed, provider.Claimed{Trigger: row, Job: job})
		}
		answer.More = t.anyDue(only)
		return answer, nil
	})
}

// Due implements [provider.Dispatcher].
func (s *Store) Due(ctx context.Context, req provider.DueRequest) (provider.DueAnswer, error) {
	return transact(ctx, s, "Due", func(t *tx) (provider.DueAnswer, error) {
		return provider.DueAnswer{Now: t.now, NextDue: t.nextDue(newFilter(req.ExcludeJobs, req.OneShotsOnly))}, nil
	})
}

// Release implements [provider.Dispatcher].
func (s *Store) Release(ctx context.Context, req provider.ReleaseRequest) (int, error) {
	if len(req.Items) == 0 {
		return 0, nil
	}
	return transact(ctx, s, "Release", func(t *tx) (int, error) {
		released := 0
		for _, item := range req.Items {
			if row, ok := t.claimed(item.Key, item.ClaimID); ok {
				t.giveBack(row)
				released++
			}
		}
		return released, nil
	})
}

// Inflight implements [provider.Dispatcher].
func (s *Store) Inflight(ctx context.Context, node provider.NodeRef) (provider.InflightAnswer, error) {
	return transact(ctx, s, "Inflight", func(t *tx) (provider.InflightAnswer, error) {
		answer := provider.InflightAnswer{Now: t.now}
		for p := range t.running.all() {
			if run := t.runs[p.id]; runBy(run.RunRecord) == node {
				answer.Runs = append(answer.Runs, run.RunRecord)
			}
		}
		for p := range t.acquired.all() {
			if row := t.triggers[p.key]; claimedBy(row) == node && !inFlight(row) {
				answer.Claims = append(answer.Claims, row)
			}
		}
		return answer, nil
	})
}

// claim makes a trigger Acquired by this request (D07).
func (t *tx) claim(row provider.TriggerRecord, req provider.AcquireRequest) provider.TriggerRecord {
	row.State = provider.TriggerAcquired
	row.ClaimID = req.ClaimID
	row.ClaimedBy = req.Node.ID
	row.Incarnation = req.Node.Incarnation
	row.ClaimedAt = t.now
	return row
}

// unclaim takes the claim off a trigger.
func unclaim(row provider.TriggerRecord) provider.TriggerRecord {
	row.ClaimID, row.ClaimedBy, row.Incarnation, row.ClaimedAt = 0, "", 0, time.Time{}
	return row
}

// claimed returns a trigger that this claim holds and has not begun. The claim
// id decides, never a version (D07).
func (t *tx) claimed(key provider.TriggerKey, claimID int64) (provider.TriggerRecord, bool) {
	row, ok := t.triggers[key]
	ok = ok && row.State == provider.TriggerAcquired && row.ClaimID == claimID && !inFlight(row)
	return row, ok
}

// inFlight reports whether an Acquired trigger's run has begun: only an
// interval trigger stays Acquired then, without a next instant (R265).
func inFlight(row provider.TriggerRecord) bool { return row.NextFireAt.IsZero() }

// giveBack takes the claim off a trigger that was not begun, due instant
// unchanged (R269).
func (t *tx) giveBack(row provider.TriggerRecord) {
	row = unclaim(row)
	row.State = waitingOrPaused(row.Paused)
	t.putTrigger(row)
}

func claimedBy(row provider.TriggerRecord) provider.NodeRef {
	return provider.NodeRef{ID: row.ClaimedBy, Incarnation: row.Incarnation}
}

func runBy(run provider.RunRecord) provider.NodeRef {
	return provider.NodeRef{ID: run.Node, Incarnation: run.Incarnation}
}

func checkClaim(req provider.AcquireRequest) error {
	if req.ClaimID == 0 {
		return provider.Invalidf("ClaimID is 0, which means no claim: draw a random number for each call")
	}
	if req.Node.ID == "" {
		return provider.Invalidf("Node.ID is empty: claims are made by a registered node")
	}
	return nil
}
