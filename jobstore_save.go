package gormsched

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// saveRounds is how often a save looks again for a job that another node
// inserts at the same moment (R105, D09).
const saveRounds = 3

// SaveJobs inserts or replaces jobs with their triggers, all in one transaction
// (R103, D12). Of several items of one name only the last is judged and
// written; the others answer what it does (R107).
//
// Whoever saves the same job waits for this transaction, and then finds what it
// wrote. A begin of the same job passes it over meanwhile. If this process
// stops before the commit the old definition stands whole.
func (s *JobStore) SaveJobs(ctx context.Context, items []provider.SaveItem) ([]provider.SaveAnswer, error) {
	if len(items) == 0 {
		return nil, nil
	}
	for _, item := range items {
		if err := provider.CheckSave(item); err != nil {
			return nil, err
		}
	}
	var run *saving
	mine := map[string]savedJob{} // what a commit that was not answered wrote
	err := s.core.inTx(ctx, "saving jobs", txManage, func(t *tx) error {
		run = newSaving(t, items, mine)
		return run.save()
	}, func(context.Context) (bool, error) {
		for name, job := range run.written {
			mine[name] = job
		}
		return false, errRepeat
	})
	if err != nil {
		return nil, err
	}
	answers := make([]provider.SaveAnswer, len(items))
	for i, item := range items {
		answers[i] = run.answers[item.Job.Name]
	}
	return answers, nil
}

// saving is one run of a save.
type saving struct {
	t     *tx
	items map[string]provider.SaveItem
	names []string // of the items, by name
	mine  map[string]savedJob

	answers map[string]provider.SaveAnswer
	written map[string]savedJob
	jobs    map[string]*jobView           // as they were found
	after   map[string]provider.JobRecord // as they are written
	// exclusive are the jobs that become exclusive, or are made so.
	exclusive []string
}

// savedJob is the version that a save drew for a job, and its answer.
type savedJob struct {
	version int64
	answer  provider.SaveAnswer
}

func newSaving(t *tx, items []provider.SaveItem, mine map[string]savedJob) *saving {
	s := &saving{
		t: t, items: make(map[string]provider.SaveItem, len(items)), mine: mine,
		answers: map[string]provider.SaveAnswer{}, written: map[string]savedJob{},
		jobs: map[string]*jobView{}, after: map[string]provider.JobRecord{},
	}
	for _, item := range items {
		s.items[item.Job.Name] = item
		s.names = append(s.names, item.Job.Name)
	}
	s.names = sortedUnique(s.names)
	return s
}

func (s *saving) save() error {
	open := s.names
	for round := 0; len(open) > 0; round++ {
		if round == saveRounds {
			return contended("saving jobs", errors.New("another node inserted the same jobs each time"))
		}
		var err error
		if open, err = s.saveRows(open); err != nil {
			return err
		}
	}
	var replacedJobs []string
	for _, name := range s.names {
		if _, saved := s.after[name]; saved && s.jobs[name] != nil {
			replacedJobs = append(replacedJobs, name)
		}
	}
	if err := s.saveTriggers(); err != nil {
		return err
	}
	if err := s.occupy(); err != nil {
		return err
	}
	_, err := s.t.handBack(replacedJobs)
	return err
}

// occupy writes into the jobs that become exclusive which run occupies them
// (D12). Whoever begins a run of a concurrent job shares its row until the
// commit: those that did so before this save had the row alone have committed,
// and their runs are seen here; the others pass the job over until this commit,
// and then find it exclusive.
func (s *saving) occupy() error {
	occupants, err := s.t.newestRunning(s.exclusive)
	if err != nil {
		return err
	}
	up := dialects.Update{
		Table: s.t.c.t.jobs, Columns: sourceColumns("job_name", "active_run_id"),
		Set: []dialects.Set{{Column: "active_run_id"}},
	}
	for _, name := range sortedUnique(s.exclusive) {
		if _, saved := s.after[name]; !saved {
			continue // another node inserted it, and it stays as it is
		}
		if id := occupants[name]; id != "" {
			up.Rows = append(up.Rows, []any{name, id})
		}
	}
	_, err = s.t.updateRows(up)
	return err
}

// saveRows locks, judges and writes the job rows of these names. It answers
// those that another node inserted after they were found missing.
func (s *saving) saveRows(names []string) (raced []string, err error) {
	found, err := s.t.holdJobsAlone(names)
	if err != nil {
		return nil, err
	}
	var insert, update []string
	for _, name := range names {
		old := found[name]
		if !s.judge(name, old) {
			continue
		}
		job := s.items[name].Job
		job.ActiveRunID, job.Fence, job.Paused = "", 0, false
		wasExclusive := false
		if old != nil {
			job.ActiveRunID, job.Fence, job.Paused = old.record.ActiveRunID, old.record.Fence, old.record.Paused
			wasExclusive = exclusiveInCluster(old.record)
			update = append(update, name)
		} else {
			insert = append(insert, name)
		}
		if exclusiveInCluster(job) && !wasExclusive {
			s.exclusive = append(s.exclusive, name)
		}
		if job.Version, err = s.t.newVersion(versionOf(old)); err != nil {
			return nil, err
		}
		s.jobs[name], s.after[name] = old, job
	}
	if err := s.updateJobs(update); err != nil {
		return nil, err
	}
	if raced, err = s.insertJobs(insert); err != nil {
		return nil, err
	}
	for _, name := range raced {
		delete(s.after, name)
	}
	for name, job := range s.after {
		old := s.jobs[name]
		answer := provider.SaveAnswer{Saved: true, Replaced: old != nil}
		if old != nil {
			answer.Before = old.record
		}
		s.answers[name] = answer
		s.written[name] = savedJob{version: job.Version, answer: answer}
	}
	return raced, nil
}

// judge reports whether an item is to be written, and answers it if not.
func (s *saving) judge(name string, old *jobView) bool {
	item := s.items[name]
	if old != nil {
		if mine, ok := s.mine[name]; ok && mine.version == old.record.Version {
			s.answers[name] = mine.answer // the lost commit took effect
			s.written[name] = mine
			return false
		}
	}
	answer := provider.SaveAnswer{Replaced: old != nil}
	if old != nil {
		answer.Before = old.record
	}
	s.answers[name] = answer
	switch item.Condition {
	case provider.IfAbsent:
		return old == nil
	case provider.IfVersion:
		return old != nil && old.record.Version == item.Version
	}
	return true
}

// exclusiveInCluster tells an exclusive job from a local one, whose runs
// occupy nothing (R206).
func exclusiveInCluster(job provider.JobRecord) bool {
	return !job.AllowConcurrent && !job.EveryInstance
}

func versionOf(old *jobView) int64 {
	if old == nil {
		return 0
	}
	return old.record.Version
}

// insertJobs inserts jobs in the order of their names, and answers those that
// are there already. It waits for a row that another node is inserting.
func (s *saving) insertJobs(names []string) (raced []string, err error) {
	inserted := map[string]bool{}
	for part := range slices.Chunk(names, provider.MaxBatch) {
		in := dialects.Insert{Table: s.t.c.t.jobs, Columns: sourceColumns(jobColumns...), Absent: true, Returning: []string{"job_name"}}
		for _, name := range part {
			in.Rows = append(in.Rows, jobRow(s.after[name]))
		}
		if err := s.t.insertAbsent(in, inserted); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		if !inserted[name] {
			raced = append(raced, name)
		}
	}
	return raced, nil
}

// updateJobs writes job rows that are locked. Paused and fence are not the
// definition's and stay as they are.
func (s *saving) updateJobs(names []string) error {
	up := dialects.Update{Table: s.t.c.t.jobs, Columns: sourceColumns(jobColumns...)}
	for _, name := range jobColumns {
		if name != "job_name" && name != "paused" && name != "fence" {
			up.Set = append(up.Set, dialects.Set{Column: name})
		}
	}
	for _, name := range names {
		up.Rows = append(up.Rows, jobRow(s.after[name]))
	}
	_, err := s.t.updateRows(up)
	return err
}

// sqlRunning locks and reads the Running runs of jobs: those without a
// completion, which is what the index over job and completion finds. It waits
// for one that is being ended, which is then not there any more.
func (c *core) sqlRunning(jobs []string) (dialects.Statement, error) {
	q := c.d.Quote
	in, err := c.d.In("r."+q("job_name"), dialects.Key(128), anys(jobs))
	hint, suffix := c.d.Lock(dialects.LockWaitFound, "r")
	text := "SELECT " + c.columns("r", []string{"job_name", "run_id", "started_us", "sequence_no"}) + " FROM " + c.t.runs + " AS r" + c.force("runs", "job_done") + hint +
		" WHERE " + in.SQL + " AND r." + q("completed_us") + " IS NULL ORDER BY r." + q("run_id") + suffix
	return dialects.Statement{SQL: text, Args: in.Args}, err
}

// newestRunning finds, for each job, the Running run that began last (D12).
func (t *tx) newestRunning(jobs []string) (map[string]string, error) {
	type began struct {
		id            string
		started, next int64
	}
	newest := map[string]began{}
	err := t.queryKeys(sortedUnique(jobs), t.c.sqlRunning, func(rows *sql.Rows) error {
		var job string
		var run began
		err := rows.Scan(&job, &run.id, &run.started, &run.next)
		last := newest[job]
		if cmp.Or(cmp.Compare(run.started, last.started), cmp.Compare(run.next, last.next), cmp.Compare(run.id, last.id)) > 0 {
			newest[job] = run
		}
		return err
	})
	ids := make(map[string]string, len(newest))
	for job, run := range newest {
		ids[job] = run.id
	}
	return ids, err
}

// saveTriggers makes the triggers of the saved jobs those of the items.
// One-shots stay (D10), with the job's exclusivity as their hint.
func (s *saving) saveTriggers() error {
	var saved []string
	for _, name := range s.names {
		if _, ok := s.after[name]; ok {
			saved = append(saved, name)
		}
	}
	listed, err := s.t.triggersOf(saved)
	if err != nil {
		return err
	}
	var keys []string
	for _, row := range listed {
		if !provider.IsOneShot(row.name) || row.exclusive == s.after[row.job].AllowConcurrent {
			keys = append(keys, row.key)
		}
	}
	held, err := s.t.holdTriggers(keys)
	if err != nil {
		return err
	}
	var remove []string
	var change, insert []provider.TriggerRecord
	for _, name := range saved {
		for _, trigger := range s.items[name].Triggers {
			fresh := bornDefinition(trigger, s.after[name])
			key := fresh.TriggerKey.String()
			old, exists := held[key]
			delete(held, key)
			switch row := replaced(old, fresh, s.items[name].KeepProgress); {
			case !exists:
				insert = append(insert, fresh)
			case row != old:
				change = append(change, row)
			}
		}
	}
	for key, old := range held { // what no item names
		if provider.IsOneShot(old.Trigger) {
			old.Exclusive = !s.after[old.Job].AllowConcurrent
			change = append(change, old)
		} else {
			remove = append(remove, key)
		}
	}
	return s.writeTriggers(remove, change, insert)
}

func (s *saving) writeTriggers(remove []string, change, insert []provider.TriggerRecord) (err error) {
	for _, rows := range [][]provider.TriggerRecord{change, insert} {
		for i := range rows {
			if rows[i].Version, err = s.t.newVersion(rows[i].Version); err != nil {
				return err
			}
		}
	}
	if err := s.t.deleteTriggers(remove); err != nil {
		return err
	}
	if err := s.t.setTriggers(change); err != nil {
		return err
	}
	return s.t.insertTriggers(insert)
}
