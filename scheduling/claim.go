package scheduling

import (
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// claim claims once.
func (s *Scheduler) claim() claimed {
	req, ok := s.reserve()
	if !ok {
		return claimEnough
	}
	defer s.unreserve(req)
	asked := s.clock.Now()
	call, cancel := s.call(callLimit)
	defer cancel()
	if s.claimer == nil {
		return s.acquire(call, req, asked)
	}
	decide := s.rules().Decide(nil)
	unread := map[provider.TriggerKey]struct{}{} // what Decide leaves (D14); the same however often it is asked
	req.Decide = func(c provider.Candidate) provider.Decision {
		d := decide(c)
		if d.Action == provider.Leave {
			unread[c.Trigger.TriggerKey] = struct{}{}
		}
		return d
	}
	var answer provider.ClaimAnswer
	err := s.guard(func() (err error) {
		answer, err = s.claimer.Claim(call, req)
		return err
	})
	s.outcome("claim", err)
	if err != nil {
		s.doubt()
		return claimEnough
	}
	held := s.began(req.Node, req.ClaimID, answer.Items)
	s.longWay(req.AcquireRequest, held, answer.Now)
	s.excludeHeld(answer.HeldJobs)
	for key := range unread {
		s.unreadable(key)
	}
	return s.look(lookResult{
		moved: len(answer.Items)+len(unread) > 0, full: req.Limit == s.opts.AcquireBatchSize && fills(answer.Items, req.Limit), slots: req.Limit,
		more: answer.More, now: answer.Now, next: answer.NextDue, asked: asked,
	})
}

// fills reports whether every trigger that a claim could take began a run. Runs
// of exclusive jobs do not count: claims beside each other would find the rows
// of such jobs held.
func fills(items []provider.Begun, limit int) bool {
	for _, b := range items {
		if b.Outcome != provider.OutcomeStarted || b.Run.Fence != 0 {
			return false
		}
	}
	return len(items) == limit
}

// acquire is the way of stores that cannot skip locked rows (R259).
func (s *Scheduler) acquire(call context.Context, req provider.ClaimRequest, asked time.Time) claimed {
	var answer provider.AcquireAnswer
	err := s.guard(func() (err error) {
		answer, err = s.store.Acquire(call, req.AcquireRequest)
		return err
	})
	s.outcome("claim", err)
	if err != nil {
		s.doubt()
		return claimEnough
	}
	for _, key := range answer.Unreadable {
		s.unreadable(key)
	}
	var quick, long []provider.Claimed
	probe := s.rules().Decide(nil)
	for _, c := range answer.Claimed {
		switch probe(provider.Candidate{Trigger: c.Trigger, Job: c.Job, Now: answer.Now}).Action {
		case provider.Hold:
			long = append(long, c)
		case provider.Leave:
			s.unreadable(c.Trigger.TriggerKey)
			quick = append(quick, c) // begin returns it
		default:
			quick = append(quick, c)
		}
	}
	s.begin(s.keep(req.AcquireRequest, quick, s.rules().Prepare(nil, answer.Now)))
	s.longWay(req.AcquireRequest, long, answer.Now)
	result := lookResult{moved: len(answer.Claimed)+len(answer.Unreadable) > 0, more: answer.More, slots: req.Limit, now: answer.Now, asked: asked}
	if !answer.More {
		due, err := s.store.Due(call, provider.DueRequest{ExcludeJobs: req.ExcludeJobs, OneShotsOnly: req.OneShotsOnly})
		if err == nil {
			result.now, result.next = due.Now, due.NextDue
		}
	}
	return s.look(result)
}

// reserve takes the free slots for one pass and draws its names (D07). ok is
// false when there is nothing to claim with or for.
func (s *Scheduler) reserve() (provider.ClaimRequest, bool) {
	unsaved := s.done.unsaved()
	now := s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.st.starved = false
	if s.st.phase != phaseServing || s.st.paused || !s.st.synced || !s.fresh(now) || unsaved >= maxUnsaved {
		return provider.ClaimRequest{}, false
	}
	n := s.free(0)
	if n == 0 {
		s.passed()
		s.st.starved = true
		return provider.ClaimRequest{}, false
	}
	s.st.reserved += n
	req := provider.ClaimRequest{
		AcquireRequest: provider.AcquireRequest{
			Node: s.st.ref, ClaimID: newClaimID(), Limit: n,
			ExcludeJobs: s.excludedNow(now), OneShotsOnly: s.st.standby,
		},
		RunIDs: make([]string, n),
	}
	for i := range req.RunIDs {
		req.RunIDs[i] = newRunID()
		s.st.calling[req.RunIDs[i]] = struct{}{}
	}
	s.st.claimIDs[req.ClaimID] = struct{}{}
	return req, true
}

func (s *Scheduler) unreserve(req provider.ClaimRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.st.reserved -= req.Limit
	delete(s.st.claimIDs, req.ClaimID)
	for _, id := range req.RunIDs {
		delete(s.st.calling, id)
	}
	s.notify()
}

// began starts what a claim or begin has started, larger priorities first
// (D01, R154), and answers the triggers that are held for the long way.
func (s *Scheduler) began(ref provider.NodeRef, claimID int64, items []provider.Begun) (held []provider.Claimed) {
	items = slices.Clone(items)
	defer s.done.gather(starting(items))()
	slices.SortStableFunc(items, func(a, b provider.Begun) int { return b.Trigger.Priority - a.Trigger.Priority })
	for _, b := range items {
		switch b.Outcome {
		case provider.OutcomeStarted:
			s.start(begun{rec: b.Run, job: b.Job, ref: ref, trigger: b.Trigger, after: b.After, claimID: claimID})
		case provider.OutcomeAcquired:
			held = append(held, provider.Claimed{Trigger: b.Trigger, Job: b.Job})
		case provider.OutcomeAdvanced:
			s.advanced(b)
		case provider.OutcomeUnreadable:
			s.unreadable(b.Trigger.TriggerKey)
		}
	}
	return held
}

// starting counts the runs that are to be started.
func starting(items []provider.Begun) (n int) {
	for _, b := range items {
		if b.Outcome == provider.OutcomeStarted {
			n++
		}
	}
	return n
}

// advanced logs what moved on without a run, and remembers the jobs that this
// node cannot run (D14).
func (s *Scheduler) advanced(b provider.Begun) {
	log := s.log.With(slog.String("job", b.Trigger.Job), slog.String("trigger", b.Trigger.Trigger), slog.String("node", s.opts.NodeID))
	switch {
	case b.After.State == provider.TriggerError && !b.After.Delete:
		log.Error("scheduling: the trigger cannot run on this node and is in state Error",
			slog.String("code", b.After.ErrorCode), slog.String("error", b.After.ErrorText))
		s.poisoned(b)
	case b.After.Delete && b.Job.Name == "":
		log.Warn("scheduling: the job of a one-shot is gone; the one-shot is dropped") // D10
	case b.After.Delete:
		log.Warn("scheduling: a one-shot expired before it began and is dropped", // D38
			slog.Time("expired", b.Trigger.ExpiresAt))
	case b.After.State == provider.TriggerComplete:
		log.Info("scheduling: the trigger has no further occurrence and is complete")
	default:
		log.Info("scheduling: an occurrence was passed over",
			slog.Time("occurrence", b.Trigger.ScheduledAt), slog.Time("next", b.After.ScheduledAt))
	}
}

func newRunID() string { return uuid.Must(uuid.NewV7()).String() }

func newClaimID() int64 { return 1 + rand.Int64N(math.MaxInt64-1) }
