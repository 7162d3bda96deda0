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
	if after.ref == before.ref && asked.After(s.st.doubtUntil) {
		s.st.doubtUntil = time.Time{}
	}
	s.mu.Unlock()
	if after.ref != before.ref {
		return nil // convicted meanwhile: all of it is forgotten
	}

	running := make(map[string]struct{}, len(answer.Runs))
	var lost []provider.RunRecord
	for _, rec := range answer.Runs {
		running[rec.ID] = struct{}{}
		l, knew := before.runs[rec.ID]
		now, knows := after.runs[rec.ID]
		switch {
		case !rec.CancelRequestedAt.IsZero() && (l != nil || now != nil):
			s.cancelHere(rec.ID, ErrCanceled)
		case !knew && !knows && answer.Now.Sub(rec.StartedAt) > 2*s.opts.PollInterval:
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
	s.adoptRuns(lost, before.ref)

	var back []*pendingClaim
	for _, t := range answer.Claims {
		_, pendingBefore := before.keys[t.TriggerKey]
		_, pendingNow := after.keys[t.TriggerKey]
		_, callingBefore := before.ids[t.ClaimID]
		_, callingNow := after.ids[t.ClaimID]
		if pendingBefore || pendingNow || callingBefore || callingNow ||
			answer.Now.Sub(t.ClaimedAt) <= 2*s.opts.PollInterval {
			continue
		}
		back = append(back, &pendingClaim{key: t.TriggerKey, claimID: t.ClaimID, ref: before.ref})
	}
	if len(back) > 0 {
		s.log.Warn("scheduling: giving back claims whose answers were lost", slog.Int("claims", len(back)))
		s.giveBack(back)
		s.nudge()
	}
	return nil
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

// adoptRuns takes up runs that were begun and whose answers were lost: their
// handlers are started, once, now. That of a Trigger call ends as Canceled,
// because its caller was told that the store could not be reached (D07).
func (s *Scheduler) adoptRuns(lost []provider.RunRecord, ref provider.NodeRef) {
	if len(lost) == 0 {
		return
	}
	jobs := make(map[string]provider.JobRecord)
	triggers := make(map[provider.TriggerKey]provider.TriggerRecord)
	if err := s.readFor(lost, jobs, triggers); err != nil {
		s.complain("lost answers", err)
		s.doubt() // the next poll finds them again
		return
	}
	s.works("lost answers")
	for _, rec := range lost {
		b := begun{rec: rec, job: jobs[rec.Job], ref: ref}
		if b.job.Name == "" { // unscheduled meanwhile: the run goes on (R229)
			b.job = provider.JobRecord{Name: rec.Job}
		}
		key := provider.TriggerKey{Job: rec.Job, Trigger: rec.TriggerName}
		if t, ok := triggers[key]; ok && inFlight(t, ref) {
			b.trigger, b.claimID = t, t.ClaimID
			b.after = provider.Progress{Next: provider.Next{State: provider.TriggerAcquired}, PrevFireAt: t.PrevFireAt, FireCount: t.FireCount}
		}
		s.adopt(b)
	}
}

// adopt starts one run whose answer was lost, or ends it.
func (s *Scheduler) adopt(b begun) {
	log := s.runLogger(b.rec)
	v := verdict{state: provider.RunCanceled, code: provider.CodeRunCanceled,
		text: "the answer to the call that began the run was lost"}
	switch {
	case b.rec.TriggerName == "":
		log.Warn("scheduling: a triggered run whose answer was lost is canceled")
	case b.job.EveryInstance && !provider.IsOneShot(b.rec.TriggerName):
		// A local run ended, and the record of its end was dropped (D41).
		log.Warn("scheduling: the end of a local run was not recorded")
		v = verdict{state: provider.RunLost, text: "the record of the run's end was dropped while the store could not be reached"}
	default:
		log.Warn("scheduling: starting a run whose answer was lost")
		s.start(b)
		return
	}
	s.mu.Lock()
	s.st.ending[b.rec.ID] = struct{}{}
	s.mu.Unlock()
	s.finish(&live{begun: b, run: &Run{ID: b.rec.ID, logger: log}}, v)
}

// inFlight reports whether a trigger is an interval in flight of this process.
func inFlight(t provider.TriggerRecord, ref provider.NodeRef) bool {
	return t.State == provider.TriggerAcquired && t.NextFireAt.IsZero() &&
		t.ClaimedBy == ref.ID && t.Incarnation == ref.Incarnation
}

func (s *Scheduler) readFor(runs []provider.RunRecord, jobs map[string]provider.JobRecord, triggers map[provider.TriggerKey]provider.TriggerRecord) error {
	var names []string
	var keys []provider.TriggerKey
	for _, rec := range runs {
		names = append(names, rec.Job)
		if rec.TriggerName != "" {
			keys = append(keys, provider.TriggerKey{Job: rec.Job, Trigger: rec.TriggerName})
		}
	}
	call, cancel := s.call(callLimit)
	defer cancel()
	found, err := s.store.Jobs(call, names)
	if err != nil {
		return err
	}
	for _, job := range found {
		jobs[job.Name] = job
	}
	rows, err := s.store.Triggers(call, keys)
	for _, t := range rows {
		triggers[t.TriggerKey] = t
	}
	return err
}
