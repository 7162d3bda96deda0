package inmemory

import "github.com/gormsched/gormsched/scheduling/provider"

// The writes of a transaction. Each draws a new version (D22), remembers how
// to undo itself, and notes where a job may have become free, or lost a trigger
// that carries on (D35).

func (t *tx) putJob(row provider.JobRecord) provider.JobRecord {
	old, existed := t.jobs[row.Name]
	row.Version = t.store.marks.versionAfter(old.Version)
	note(t, &t.journal.jobs, row.Name, old, existed)
	t.undo = append(t.undo, func() { t.setJob(row.Name, rowOrNil(old, existed)) })
	t.setJob(row.Name, &row)
	if existed && exclusive(old) && (!exclusive(row) || row.ActiveRunID != old.ActiveRunID) {
		mark(&t.freed, row.Name)
	}
	return row
}

func (t *tx) deleteJob(name string) {
	old, existed := t.jobs[name]
	note(t, &t.journal.jobs, name, old, existed)
	t.undo = append(t.undo, func() { t.setJob(name, rowOrNil(old, existed)) })
	t.setJob(name, nil)
}

func (t *tx) putTrigger(row provider.TriggerRecord) provider.TriggerRecord {
	old, existed := t.triggers[row.TriggerKey]
	row.Version = t.store.marks.versionAfter(old.Version)
	note(t, &t.journal.triggers, row.TriggerKey, old, existed)
	t.undo = append(t.undo, func() { t.setTrigger(row.TriggerKey, rowOrNil(old, existed)) })
	carried := existed && t.carriesOn(old)
	t.setTrigger(row.TriggerKey, &row)
	if carried && !t.carriesOn(row) {
		mark(&t.takenFrom, row.Job)
	}
	return row
}

func (t *tx) deleteTrigger(key provider.TriggerKey) {
	old, existed := t.triggers[key]
	note(t, &t.journal.triggers, key, old, existed)
	t.undo = append(t.undo, func() { t.setTrigger(key, rowOrNil(old, existed)) })
	if existed && t.carriesOn(old) {
		mark(&t.takenFrom, key.Job)
	}
	t.setTrigger(key, nil)
}

func (t *tx) putRun(row runRow) runRow {
	old, existed := t.runs[row.ID]
	row.Version = t.store.marks.versionAfter(old.Version)
	note(t, &t.journal.runs, row.ID, old.RunRecord, existed)
	t.undo = append(t.undo, func() { t.setRun(row.ID, rowOrNil(old, existed)) })
	t.setRun(row.ID, &row)
	return row
}

// deleteRun deletes a finished run.
func (t *tx) deleteRun(id string) {
	old, existed := t.runs[id]
	note(t, &t.journal.runs, id, old.RunRecord, existed)
	t.undo = append(t.undo, func() { t.setRun(id, rowOrNil(old, existed)) })
	t.setRun(id, nil)
}

func (t *tx) putNode(row provider.NodeRecord) provider.NodeRecord {
	old, existed := t.nodes[row.ID]
	row.Version = t.store.marks.versionAfter(old.Version)
	note(t, &t.journal.nodes, row.ID, old, existed)
	t.undo = append(t.undo, func() { t.setNode(row.ID, rowOrNil(old, existed)) })
	t.setNode(row.ID, &row)
	return row
}

func (t *tx) deleteNode(id string) {
	old, existed := t.nodes[id]
	note(t, &t.journal.nodes, id, old, existed)
	t.undo = append(t.undo, func() { t.setNode(id, rowOrNil(old, existed)) })
	t.setNode(id, nil)
}

func (t *tx) putLease(row provider.LeaseRecord) provider.LeaseRecord {
	old, existed := t.leases[row.Resource]
	row.Version = t.store.marks.versionAfter(old.Version)
	note(t, &t.journal.leases, row.Resource, old, existed)
	t.undo = append(t.undo, func() { t.setLease(row.Resource, rowOrNil(old, existed)) })
	t.setLease(row.Resource, &row)
	return row
}

func (t *tx) deleteLease(resource string) {
	old, existed := t.leases[resource]
	note(t, &t.journal.leases, resource, old, existed)
	t.undo = append(t.undo, func() { t.setLease(resource, rowOrNil(old, existed)) })
	t.setLease(resource, nil)
}

// mark adds to a set that is made with its first member.
func mark(set *map[string]struct{}, name string) {
	if *set == nil {
		*set = map[string]struct{}{}
	}
	(*set)[name] = struct{}{}
}

func rowOrNil[R any](row R, existed bool) *R {
	if !existed {
		return nil
	}
	return &row
}

// versionAfter is one more than the row's last version. A row that is new
// begins behind every version ever given out, so that one that was deleted and
// inserted again is never taken for the one before.
func (m *marks) versionAfter(last int64) int64 {
	if last == 0 {
		last = m.version
	}
	m.version = max(m.version, last+1)
	return last + 1
}

// nextSequence is ordered by the clock and strictly increasing within the store
// (D21).
func (t *tx) nextSequence() int64 {
	m := &t.store.marks
	m.sequence = max(m.sequence+1, t.now.UnixMicro())
	return m.sequence
}
