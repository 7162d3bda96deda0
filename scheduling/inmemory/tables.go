package inmemory

import (
	"cmp"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// tables holds the rows and their indexes. The set functions are the only ones
// that change a row; each keeps the indexes in step. A nil row deletes.
type tables struct {
	jobs     map[string]provider.JobRecord
	jobNames *ordered[string]

	triggers map[provider.TriggerKey]provider.TriggerRecord
	keys     *ordered[place] // all, by key
	waiting  *ordered[place] // claimable once due, by due instant
	acquired *ordered[place] // Acquired, by key
	byJob    map[string]*jobTriggers

	runs     map[string]runRow
	history  *ordered[runPlace] // all, newest occurrence first
	running  *ordered[runPlace] // Running, by start
	finished *ordered[runPlace] // ended, by completion

	nodes  map[string]provider.NodeRecord
	leases map[string]provider.LeaseRecord
}

// jobTriggers indexes the triggers of one job.
type jobTriggers struct {
	keys    *ordered[place] // all, by key
	waiting *ordered[place] // claimable once due, by due instant
	blocked *ordered[place] // Blocked, by due instant
}

// runRow is a run with what only this store knows of it.
type runRow struct {
	provider.RunRecord
	// aside says that the run occupies nothing although its job may be
	// exclusive: a local run (R205), or one that was Running beside the newest
	// when its job became exclusive (D12).
	aside bool
}

func newTables() tables {
	return tables{
		jobs:     map[string]provider.JobRecord{},
		jobNames: newOrdered(cmp.Compare[string]),
		triggers: map[provider.TriggerKey]provider.TriggerRecord{},
		keys:     newOrdered(comparePlaces),
		waiting:  newOrdered(comparePlaces),
		acquired: newOrdered(comparePlaces),
		byJob:    map[string]*jobTriggers{},
		runs:     map[string]runRow{},
		history:  newOrdered(newestFirst),
		running:  newOrdered(compareRunPlaces),
		finished: newOrdered(compareRunPlaces),
		nodes:    map[string]provider.NodeRecord{},
		leases:   map[string]provider.LeaseRecord{},
	}
}

// claimable reports whether a trigger may be claimed once it is due (R028).
func claimable(t provider.TriggerRecord) bool {
	return t.State == provider.TriggerWaiting && !t.Local && !t.NextFireAt.IsZero()
}

func (t *tables) setJob(name string, row *provider.JobRecord) {
	if row == nil {
		delete(t.jobs, name)
		t.jobNames.remove(name)
		return
	}
	t.jobs[name] = *row
	t.jobNames.insert(name)
}

func (t *tables) setTrigger(key provider.TriggerKey, row *provider.TriggerRecord) {
	if old, ok := t.triggers[key]; ok {
		t.unindexTrigger(old)
		delete(t.triggers, key)
	}
	if row != nil {
		t.triggers[key] = *row
		t.indexTrigger(*row)
	}
}

func (t *tables) indexTrigger(row provider.TriggerRecord) {
	of := t.byJob[row.Job]
	if of == nil {
		of = &jobTriggers{newOrdered(comparePlaces), newOrdered(comparePlaces), newOrdered(comparePlaces)}
		t.byJob[row.Job] = of
	}
	t.keys.insert(keyPlace(row.TriggerKey))
	of.keys.insert(keyPlace(row.TriggerKey))
	switch {
	case claimable(row):
		t.waiting.insert(duePlace(row))
		of.waiting.insert(duePlace(row))
	case row.State == provider.TriggerAcquired:
		t.acquired.insert(keyPlace(row.TriggerKey))
	case row.State == provider.TriggerBlocked:
		of.blocked.insert(duePlace(row))
	}
}

func (t *tables) unindexTrigger(row provider.TriggerRecord) {
	of := t.byJob[row.Job]
	t.keys.remove(keyPlace(row.TriggerKey))
	of.keys.remove(keyPlace(row.TriggerKey))
	switch {
	case claimable(row):
		t.waiting.remove(duePlace(row))
		of.waiting.remove(duePlace(row))
	case row.State == provider.TriggerAcquired:
		t.acquired.remove(keyPlace(row.TriggerKey))
	case row.State == provider.TriggerBlocked:
		of.blocked.remove(duePlace(row))
	}
	if of.keys.len() == 0 {
		delete(t.byJob, row.Job)
	}
}

func (t *tables) setRun(id string, row *runRow) {
	if old, ok := t.runs[id]; ok {
		t.history.remove(scheduledPlace(old.RunRecord))
		if old.State == provider.RunRunning {
			t.running.remove(startedPlace(old.RunRecord))
		} else {
			t.finished.remove(completedPlace(old.RunRecord))
		}
		delete(t.runs, id)
	}
	if row == nil {
		return
	}
	t.runs[id] = *row
	t.history.insert(scheduledPlace(row.RunRecord))
	if row.State == provider.RunRunning {
		t.running.insert(startedPlace(row.RunRecord))
	} else {
		t.finished.insert(completedPlace(row.RunRecord))
	}
}

func (t *tables) setNode(id string, row *provider.NodeRecord) { setRow(t.nodes, id, row) }

func (t *tables) setLease(resource string, row *provider.LeaseRecord) {
	setRow(t.leases, resource, row)
}

func setRow[V any](rows map[string]V, key string, row *V) {
	if row == nil {
		delete(rows, key)
		return
	}
	rows[key] = *row
}

// triggersOf copies the triggers of a job, ordered by key.
func (t *tables) triggersOf(job string) []provider.TriggerRecord {
	of := t.byJob[job]
	if of == nil {
		return nil
	}
	rows := make([]provider.TriggerRecord, 0, of.keys.len())
	for p := range of.keys.all() {
		rows = append(rows, t.triggers[p.key])
	}
	return rows
}
