package scheduling

import (
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// maxAgain is how often a pass that left candidates asks again at once.
const maxAgain = 3

// claimTurn makes one pass: it starts what is due. It sleeps to the next due
// instant that the store told, at most PollInterval, and is woken by what this
// node enqueues, by completions and by slots that free (design §5).
//
// A pass is a series of claims. One that started a whole batch is followed by
// the next at once, and by others beside it where the store says that this
// gains something: the floor between passes and the three further tries are for
// claims that find little or cannot have what they find (P17).
func (s *Scheduler) claimTurn(ctx context.Context) bool {
	if !s.wake.wait(ctx, s.clock, passFloor) {
		return false
	}
	s.wake.by(s.clock.Now().Add(s.opts.PollInterval))
	s.beginHeld()
	if s.standsBy() {
		s.passBy()
	}
	s.claims(s.clock.Now().Add(passFloor))
	return true
}

// claims makes the claims of a pass. Full ones go on until the floor is over,
// when the next pass, with what comes before it, may begin at once.
func (s *Scheduler) claims(until time.Time) {
	var beside sync.WaitGroup
	defer beside.Wait()
	atOnce := 1
	for left := maxAgain; ; {
		switch r := s.claim(); {
		case r == claimFull && s.clock.Now().Before(until):
			for ; atOnce < s.info.ClaimsAtOnce; atOnce++ {
				beside.Go(func() {
					for s.claim() == claimFull && s.clock.Now().Before(until) {
					}
				})
			}
		case r == claimLeft && left > 0:
			left--
		default:
			return
		}
	}
}

// claimed says what came of one claim.
type claimed uint8

const (
	claimEnough claimed = iota // asking again at once finds nothing
	claimLeft                  // it left due triggers
	claimFull                  // it started a whole batch, and left due triggers
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
	defer s.done.gather()()
	items = slices.Clone(items)
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

// lookResult is what a pass learned about what is due.
type lookResult struct {
	moved, more, full bool
	slots             int       // that the claim had reserved
	now, next         time.Time // by the store's clock
	asked             time.Time // by the node's
}

// look plans the next pass, and reports whether to ask again at once. Passes
// that find due triggers and can do nothing with them, because others hold
// them, come less and less often.
func (s *Scheduler) look(r lookResult) claimed {
	answered := s.clock.Now()
	s.mu.Lock()
	left := s.free(r.slots) > 0
	s.st.starved = !left
	if r.moved {
		s.st.fruitless = 0
	} else {
		s.st.fruitless++
	}
	fruitless := s.st.fruitless
	s.mu.Unlock()
	overdue := r.more || !r.next.IsZero() && !r.next.After(r.now)
	switch {
	case !left:
		return claimEnough // a slot that frees wakes the loop
	case overdue && !r.moved:
		s.wake.by(answered.Add(backoff(fruitless, 2*passFloor, s.opts.PollInterval)))
	case overdue && r.more && r.full:
		s.wake.now()
		return claimFull
	case overdue && r.more:
		s.wake.now()
		return claimLeft
	case overdue:
		s.wake.now()
	case !r.next.IsZero():
		s.wake.by(answered.Add(r.next.Sub(r.now) - answered.Sub(r.asked)/2))
	}
	return claimEnough
}

// dueAt brings the next pass forward for a trigger that is due at an instant of
// the store's clock; zero means now.
func (s *Scheduler) dueAt(at time.Time) {
	if at.IsZero() {
		s.nudge()
		return
	}
	now := s.clock.Now()
	s.mu.Lock()
	wait := at.Sub(now.Round(0).Add(s.st.offset))
	s.mu.Unlock()
	s.wake.by(now.Add(wait))
}

func newRunID() string { return uuid.Must(uuid.NewV7()).String() }

func newClaimID() int64 { return 1 + rand.Int64N(math.MaxInt64-1) }
