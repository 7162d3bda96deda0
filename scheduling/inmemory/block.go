package inmemory

import (
	"maps"
	"slices"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The rule of Blocked (D35), whole.
//
// While an exclusive job is occupied, its due triggers are stored as Blocked,
// at most 500 per transaction: a backlog leaves the range that claims look at.
// Every transaction that ends the occupancy returns the first 16 of them to
// Waiting. So does one that takes a due trigger of a free job away without
// starting it, where no other one carries on. A free job therefore has no
// Blocked trigger unless another of its triggers carries on, which then comes
// through such a transaction itself.

const (
	// maxBlocked is the most triggers that one transaction blocks beside its
	// candidates.
	maxBlocked = 500
	// maxHandedBack is the most Blocked triggers of a job that one transaction
	// returns to Waiting.
	maxHandedBack = 16
)

// exclusive reports whether at most one run of the job may be Running (R148).
func exclusive(job provider.JobRecord) bool { return job.Name != "" && !job.AllowConcurrent }

// occupied reports whether an exclusive job is occupied: by a run that is
// still Running. A run that has ended or is missing occupies nothing (R036).
func (t *tx) occupied(job provider.JobRecord) bool {
	return exclusive(job) && job.ActiveRunID != "" && t.runs[job.ActiveRunID].State == provider.RunRunning
}

// occupy makes a run the one that occupies its job, and blocks the job's due
// triggers. It returns the run's fencing number (D25).
func (t *tx) occupy(job provider.JobRecord, runID string) (fence int64) {
	job.ActiveRunID = runID
	job.Fence = max(job.Fence+1, t.now.UnixMicro())
	t.putJob(job)
	return job.Fence
}

// vacate clears the occupancy that names this run, and only that one (D05).
func (t *tx) vacate(run provider.RunRecord) {
	if job, ok := t.jobs[run.Job]; ok && job.ActiveRunID == run.ID {
		job.ActiveRunID = ""
		t.putJob(job)
	}
}

// blockOthers stores every due Waiting trigger of an occupied job as Blocked,
// due instant unchanged (R200), as long as this transaction has not blocked
// maxBlocked.
func (t *tx) blockOthers(job string) {
	of := t.byJob[job]
	if of == nil {
		return
	}
	for _, p := range of.waiting.head(maxBlocked - t.blocked) {
		if !p.isDue(t.now) {
			break
		}
		row := t.triggers[p.key]
		row.State = provider.TriggerBlocked
		t.putTrigger(row)
		t.blocked++
	}
}

// carriesOn reports whether a trigger will come through a transaction that
// looks at its job's Blocked triggers: it is Acquired, or Waiting and due. One
// that comes due no later than the first Blocked one carries on too: then the
// store's clock has stepped back since (D26).
func (t *tx) carriesOn(row provider.TriggerRecord) bool {
	if row.State == provider.TriggerAcquired {
		return true
	}
	return claimable(row) && t.waitingCarriesOn(duePlace(row))
}

func (t *tx) waitingCarriesOn(p place) bool {
	if p.isDue(t.now) {
		return true
	}
	blocked, ok := t.byJob[p.key.Job].blocked.first()
	return ok && p.due <= blocked.due
}

// handBackAll hands back what this transaction must. It runs last in every
// transaction.
func (t *tx) handBackAll() {
	for _, job := range slices.Sorted(maps.Keys(t.freed)) {
		t.handBack(job)
	}
	for _, job := range slices.Sorted(maps.Keys(t.takenFrom)) {
		if t.stranded(job) {
			t.handBack(job)
		}
	}
	clear(t.freed)
	clear(t.takenFrom)
}

// handBack returns the first Blocked triggers of a free job, in R029's order,
// to Waiting: 16 of an exclusive one, all where nothing is exclusive any more
// (D12). Those whose flag is set become Paused (D08) and do not count, because
// nothing would ever lead from them to the rest.
func (t *tx) handBack(name string) {
	of, job := t.byJob[name], t.jobs[name]
	if of == nil || t.occupied(job) {
		return
	}
	for back := 0; of.blocked.len() > 0 && (back < maxHandedBack || !exclusive(job)); {
		p, _ := of.blocked.first()
		row := t.triggers[p.key]
		row.State = waitingOrPaused(row.Paused)
		t.putTrigger(row)
		if row.State == provider.TriggerWaiting {
			back++
			t.handedBack++
		}
	}
}

// stranded reports whether a job breaks D35's invariant: it is free and has a
// Blocked trigger, and none that carries on.
func (t *tx) stranded(name string) bool {
	of := t.byJob[name]
	if of == nil || of.blocked.len() == 0 || t.occupied(t.jobs[name]) {
		return false
	}
	if first, ok := of.waiting.first(); ok && t.waitingCarriesOn(first) {
		return false
	}
	for p := range of.keys.all() {
		if t.triggers[p.key].State == provider.TriggerAcquired {
			return false
		}
	}
	return true
}

// waitingOrPaused is the state that leads out of Acquired and Blocked (D08).
func waitingOrPaused(paused bool) provider.TriggerState {
	if paused {
		return provider.TriggerPaused
	}
	return provider.TriggerWaiting
}
