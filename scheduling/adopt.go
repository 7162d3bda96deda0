package scheduling

import (
	"github.com/gormsched/gormsched/scheduling/provider"
)

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
