package scheduling

import (
	"context"
	"log/slog"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// pollTurn compares once per PollInterval what the store believes of this node
// with what memory knows, while runs are in flight or an answer was lost
// (R256, D36).
func (s *Scheduler) pollTurn(ctx context.Context) bool {
	if s.needsPoll() {
		s.outcome("cancel poll", s.compare())
	}
	return pause(ctx, s.clock, s.opts.PollInterval, nil)
}

func (s *Scheduler) needsPoll() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.st.ref.Incarnation != 0 && (len(s.st.live) > 0 || !s.st.doubtUntil.IsZero())
}

// known is what memory knew at an instant: the runs, by id, and the claims.
type known struct {
	ref  provider.NodeRef
	runs map[string]*live // nil where no handler runs: calling or ending
	keys map[provider.TriggerKey]int64
	ids  map[int64]struct{} // claim calls under way
}

// know copies the sets. Caller holds mu.
func (s *Scheduler) know() known {
	k := known{
		ref: s.st.ref, runs: make(map[string]*live, len(s.st.live)),
		keys: make(map[provider.TriggerKey]int64, len(s.st.pending)), ids: make(map[int64]struct{}, len(s.st.claimIDs)),
	}
	for id := range s.st.calling {
		k.runs[id] = nil
	}
	for id, l := range s.st.live {
		k.runs[id] = l
	}
	for id := range s.st.ending {
		k.runs[id] = nil
	}
	for key, p := range s.st.pending {
		k.keys[key] = p.claimID
	}
	for id := range s.st.claimIDs {
		k.ids[id] = struct{}{}
	}
	return k
}

// compare makes one comparison. Memory is copied before and after the query:
// a run that it knew at either time is no lost answer, and only one that it
// knew before can be missed in the answer (D06).
func (s *Scheduler) compare() error {
	s.mu.Lock()
	before := s.know()
	s.mu.Unlock()
	asked := s.clock.Now()
	call, cancel := s.call(callLimit)
	answer, err := s.store.Inflight(call, before.ref)
	cancel()
	if err != nil {
		return err
	}
	s.mu.Lock()
	after := s.know()
	s.mu.Unlock()
	if after.ref != before.ref {
		return nil // convicted meanwhile: all of it is forgotten
	}
	running := make(map[string]struct{}, len(answer.Runs))
	strangers := make(map[string]time.Time)
	var lost []provider.RunRecord
	for _, rec := range answer.Runs {
		running[rec.ID] = struct{}{}
		l, knew := before.runs[rec.ID]
		now, knows := after.runs[rec.ID]
		switch {
		case !rec.CancelRequestedAt.IsZero() && (l != nil || now != nil):
			s.cancelHere(rec.ID, ErrCanceled)
		case !knew && !knows && s.old(strangers, rec.ID, answer.Now.Sub(rec.StartedAt), asked):
			lost = append(lost, rec)
		}
	}
	for id, l := range before.runs {
		if l == nil || l.local {
			continue
		}
		if _, still := running[id]; !still {
			s.vanished(l)
		}
	}
	var back []*pendingClaim
	for _, t := range answer.Claims {
		if before.claims(t) || after.claims(t) ||
			!s.old(strangers, t.TriggerKey.String(), answer.Now.Sub(t.ClaimedAt), asked) {
			continue
		}
		back = append(back, &pendingClaim{key: t.TriggerKey, claimID: t.ClaimID, ref: before.ref})
	}
	s.strangers = strangers
	s.mu.Lock()
	if asked.After(s.st.doubtUntil) && len(strangers) == 0 {
		s.st.doubtUntil = time.Time{}
	}
	s.mu.Unlock()
	s.adoptRuns(lost, before.ref)
	if len(back) > 0 {
		s.log.Warn("scheduling: giving back claims whose answers were lost", slog.Int("claims", len(back)))
		s.giveBack(back)
		s.nudge()
	}
	return nil
}

// claims reports whether memory knew a claim.
func (k known) claims(t provider.TriggerRecord) bool {
	_, pending := k.keys[t.TriggerKey]
	_, calling := k.ids[t.ClaimID]
	return pending || calling
}

// old reports whether what the store knows and memory does not is older than
// two polls (D07): by the store's clock, or because this node has watched it
// for so long, should that clock have stepped back. Until then it is kept in
// strangers, and the poll goes on. It must have been a stranger to an earlier
// poll too: a run can begin and end while one slow poll is under way, which finds
// it Running, and memory, before and after, does not know it.
func (s *Scheduler) old(strangers map[string]time.Time, id string, age time.Duration, asked time.Time) bool {
	first, seen := s.strangers[id]
	if !seen {
		first = asked
	}
	strangers[id] = first
	return seen && (age > 2*s.opts.PollInterval || asked.Sub(first) > 2*s.opts.PollInterval)
}

// vanished ends a run that the store no longer holds as running on this node:
// it was declared lost, or ended, elsewhere (B129).
func (s *Scheduler) vanished(l *live) {
	s.mu.Lock()
	mine := s.st.live[l.rec.ID] == l && !l.gone && !l.lost
	if mine {
		l.gone = true
		l.cancel(ErrLost)
	}
	s.mu.Unlock()
	if mine {
		l.run.logger.Warn("scheduling: the store no longer holds this run as running here; its context has ended")
	}
}

// cancelHere ends the context of a run of this process, and reports whether
// there is one.
func (s *Scheduler) cancelHere(id string, why error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, here := s.st.live[id]
	if here {
		l.cancel(why)
	}
	return here
}
