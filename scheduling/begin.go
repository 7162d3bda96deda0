package scheduling

import (
	"log/slog"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// maxHeld is how often a claim is asked for whose rows others hold; then it is
// given back.
const maxHeld = 100

// keep notes claims that are to be begun. They hold their slots.
func (s *Scheduler) keep(req provider.AcquireRequest, claimed []provider.Claimed, prepared *plan.Prepared) []*pendingClaim {
	if len(claimed) == 0 {
		return nil
	}
	kept := make([]*pendingClaim, 0, len(claimed))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range claimed {
		p := &pendingClaim{
			key: c.Trigger.TriggerKey, claimID: req.ClaimID, ref: req.Node, prepared: prepared,
		}
		kept = append(kept, p)
		if s.st.ref == req.Node { // else convicted meanwhile: forgotten (D06)
			s.st.pending[p.key] = p
		}
	}
	return kept
}

// longWay begins claims whose application calendars have to be asked outside
// of any transaction. They may take long, so the claim loop does not wait; a
// calendar that does not answer costs its job, and no other.
func (s *Scheduler) longWay(req provider.AcquireRequest, claimed []provider.Claimed, now time.Time) {
	byJob := make(map[string][]provider.Claimed)
	for _, c := range claimed {
		byJob[c.Trigger.Job] = append(byJob[c.Trigger.Job], c)
	}
	for job, claimed := range byJob {
		kept := s.keep(req, claimed, nil)
		s.tasks.Go(func() { s.prepare(job, claimed, kept, now) })
	}
}

// prepare asks the calendars of one job's claims, and begins them.
func (s *Scheduler) prepare(job string, claimed []provider.Claimed, kept []*pendingClaim, now time.Time) {
	rules := s.rules()
	answers, late := make(chan *plan.Prepared, 1), make(chan struct{})
	go func() { answers <- rules.Prepare(claimed, now) }()
	stop := s.clock.AfterFunc(calendarLimit, func() { close(late) })
	defer stop()
	select {
	case prepared := <-answers:
		for _, p := range kept {
			p.prepared = prepared
		}
		s.begin(kept)
		return
	case <-late:
		s.rest(job, answers)
	case <-s.leaving:
	}
	s.giveBack(kept)
}

// rest keeps a job out of the claims while its calendar has not answered, and
// for a minute after that.
func (s *Scheduler) rest(job string, answers <-chan *plan.Prepared) {
	s.log.Error("scheduling: an application calendar takes too long; its job waits until it has answered",
		slog.String("job", job), slog.Duration("limit", calendarLimit))
	exclude := func(d time.Duration) {
		until := s.clock.Now().Add(d)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.st.excluded[job] = exclusion{until: until}
	}
	exclude(365 * 24 * time.Hour)
	go func() {
		select {
		case <-answers:
			exclude(calendarRest)
		case <-s.ended:
		}
	}()
}

// begin asks the store to begin claims, together.
func (s *Scheduler) begin(claims []*pendingClaim) {
	if len(claims) == 0 {
		return
	}
	prepared := claims[0].prepared
	req := provider.BeginRequest{Node: claims[0].ref, Decide: s.rules().Decide(prepared)}
	s.mu.Lock()
	if req.Node != s.st.ref { // convicted meanwhile: nothing claimed before is begun (D06)
		s.mu.Unlock()
		return
	}
	for _, p := range claims {
		item := provider.BeginItem{Key: p.key, ClaimID: p.claimID, RunID: newRunID()}
		req.Items = append(req.Items, item)
		s.st.calling[item.RunID] = struct{}{}
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, item := range req.Items {
			delete(s.st.calling, item.RunID)
		}
		s.notify()
	}()
	call, cancel := s.call(callLimit)
	var answer provider.BeginAnswer
	err := s.guard(func() (err error) {
		answer, err = s.store.Begin(call, req)
		return err
	})
	cancel()
	if err == nil && len(answer.Items) != len(claims) {
		err = shortAnswer("Begin", len(answer.Items), len(claims))
	}
	s.outcome("begin", err)
	if err != nil {
		// Not kept: the poll finds what was begun and what still is claimed.
		s.doubt()
		s.settleClaims(claims, nil)
		return
	}
	s.mu.Lock()
	var back, held []*pendingClaim
	again := s.clock.Now().Add(heldWait)
	for i, p := range claims {
		switch answer.Items[i].Outcome {
		case provider.OutcomeHeld:
			if p.tries++; p.tries < maxHeld && s.st.phase == phaseServing {
				p.after = again
				held = append(held, p)
				continue
			}
			back = append(back, p)
		case provider.OutcomeLeft, provider.OutcomeConflict, provider.OutcomeUnreadable:
			back = append(back, p)
		}
	}
	s.mu.Unlock()
	for i := range answer.Items {
		if answer.Items[i].Outcome == provider.OutcomeUnreadable {
			answer.Items[i].Trigger.TriggerKey = claims[i].key
		}
	}
	s.began(req.Node, claims[0].claimID, answer.Items)
	s.settleClaims(claims, held)
	s.giveBack(back)
	if len(held) > 0 {
		s.wake.by(again)
	}
}

// settleClaims forgets claims, but for those that are still held.
func (s *Scheduler) settleClaims(claims, held []*pendingClaim) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range claims {
		if !slices.Contains(held, p) && s.st.pending[p.key] == p {
			delete(s.st.pending, p.key)
		}
	}
}

// beginHeld asks again for the claims whose rows were held, each alone, so that
// one that stays held holds up no other.
func (s *Scheduler) beginHeld() {
	now := s.clock.Now()
	var due []*pendingClaim
	s.mu.Lock()
	for _, p := range s.st.pending {
		if p.tries > 0 && !now.Before(p.after) && s.fresh(now) {
			due = append(due, p)
		}
	}
	s.mu.Unlock()
	slices.SortFunc(due, func(a, b *pendingClaim) int { return a.key.Compare(b.key) })
	for _, p := range due {
		s.begin([]*pendingClaim{p})
	}
}

// giveBack returns claims that are not begun (R269). What the store does not
// take the poll finds again (D07).
func (s *Scheduler) giveBack(claims []*pendingClaim) {
	if len(claims) == 0 {
		return
	}
	byNode := make(map[provider.NodeRef][]provider.ReleaseItem)
	for _, p := range claims {
		byNode[p.ref] = append(byNode[p.ref], provider.ReleaseItem{Key: p.key, ClaimID: p.claimID})
	}
	for ref, items := range byNode {
		call, cancel := s.call(callLimit)
		_, err := s.store.Release(call, provider.ReleaseRequest{Node: ref, Items: items})
		cancel()
		s.outcome("release", err)
		if err != nil {
			s.doubt()
		}
	}
	s.settleClaims(claims, nil)
}
