package gormsched

import (
	"context"
	"maps"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// sweepMost is the most items of one transaction (D04).
const sweepMost = 100

// Sweep recovers what processes left that have no row in the node table any
// more (R046–R053, D04): their Running records become Lost, their claims go
// back, recovery one-shots are inserted, and Blocked triggers of free jobs
// return.
//
// It finds the items with plain reads and locks them, without waiting, in the
// usual order; what is held, or no longer as it was found, is left for the next
// pass. Each item is done whole. If the process stops before the commit nothing
// has happened, and whoever leads next finds the same items. A process that was
// convicted but is alive may complete its run at the same time: whoever locks
// the record first decides, and the other finds it ended (D05).
func (s *JobStore) Sweep(ctx context.Context, req provider.SweepRequest) (provider.SweepAnswer, error) {
	var answer provider.SweepAnswer
	most := req.Limit
	if most < 1 || most > sweepMost {
		most = sweepMost
	}
	var l leftovers
	passOver := s.core.sweeps.passOver()
	err := s.core.inTx(ctx, "recovering lost runs", txDispatch, func(t *tx) error {
		var err error
		answer, l, err = t.sweep(req.Recover, most, passOver)
		return err
	}, func(ctx context.Context) (bool, error) { return s.core.swept(ctx, answer, l, most) })
	if err != nil {
		return provider.SweepAnswer{}, err
	}
	again := s.core.sweeps.passed(l.leftBy(answer), l.more)
	answer.More = answer.More || again
	return answer, nil
}

// swept looks a lost commit up: by the runs that it would have ended, or else
// by whether anything of what it found is still there.
func (c *core) swept(ctx context.Context, answer provider.SweepAnswer, before leftovers, most int) (bool, error) {
	if len(answer.Lost) > 0 {
		return c.anyEnded(ctx, answer.Lost)
	}
	if len(answer.Returned)+answer.HandedBack == 0 {
		return false, nil
	}
	done := true
	err := c.inTx(ctx, "looking up a sweep", txRead, func(t *tx) error {
		now, err := t.leftovers(micros(answer.Now), most, nil)
		for _, left := range now.claims {
			done = done && !slices.Contains(before.claims, left)
		}
		for _, job := range now.jobs {
			done = done && !slices.Contains(before.jobs, job)
		}
		return err
	}, nil)
	return done, err
}

func (t *tx) sweep(recover provider.RecoverFunc, most int, passOver []string) (provider.SweepAnswer, leftovers, error) {
	var answer provider.SweepAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, leftovers{}, err
	}
	answer.Now = instant(us)
	l, err := t.leftovers(us, most, passOver)
	if err != nil || l.empty() {
		return answer, l, err
	}
	answer.More = l.more
	e := &ending{t: t, now: answer.Now}
	views, err := e.lockLeftovers(l)
	if err != nil {
		return answer, l, err
	}
	for _, left := range l.runs {
		e.lose(left, views[left.job], recover, &answer)
	}
	for _, left := range l.claims {
		e.reclaim(left, views[left.job], &answer)
	}
	e.strays(l.jobs, &answer)
	inserted, handedBack, err := e.apply()
	if err != nil {
		return answer, l, err
	}
	for _, tr := range e.insert {
		if inserted[tr.TriggerKey.String()] {
			answer.Recovered = append(answer.Recovered, tr.TriggerKey)
		}
	}
	answer.HandedBack = handedBack
	return answer, l, nil
}

// lockLeftovers locks jobs, triggers and runs of the items, without waiting,
// and reads the jobs after that. Of the jobs it locks those that a run may
// occupy and those that may have to hand back, and shares those that may get a
// recovery trigger.
func (e *ending) lockLeftovers(l leftovers) (map[string]*jobView, error) {
	t := e.t
	names, ids := append([]string(nil), l.jobs...), []string{}
	var keys []string
	for _, r := range l.runs {
		names, ids = append(names, r.job), append(ids, r.id)
		if r.trigger != "" {
			keys = append(keys, provider.TriggerKey{Job: r.job, Trigger: r.trigger}.String())
		}
	}
	for _, c := range l.claims {
		names, keys = append(names, c.job), append(keys, c.key)
	}
	names, keys, ids = sortedUnique(names), sortedUnique(keys), sortedUnique(ids)
	locked, err := t.lockJobs(names, t.c.occupiable(), dialects.LockSkip)
	if err != nil {
		return nil, err
	}
	shared, err := t.lockJobs(names, t.c.concurrentJobs(), dialects.LockShareSkip)
	if err != nil {
		return nil, err
	}
	strays, err := t.lockJobs(sortedUnique(l.jobs), dialects.Statement{}, dialects.LockSkip)
	if err != nil {
		return nil, err
	}
	if e.triggers, err = t.lockTriggers(keys); err != nil {
		return nil, err
	}
	if e.heldKeys, err = t.heldTriggers(keys, e.triggers); err != nil {
		return nil, err
	}
	if e.runs, e.heldRuns, err = t.lockRuns(ids); err != nil {
		return nil, err
	}
	views, err := t.readJobs(names, locked.and(strays))
	if err != nil {
		return nil, err
	}
	e.jobs = make(map[string]*jobState, len(views))
	for name, j := range views {
		e.jobs[name] = &jobState{
			concurrent: j.record.AllowConcurrent, paused: j.record.Paused, locked: j.locked,
			active: j.record.ActiveRunID, running: j.running, unreadable: j.unreadable,
		}
	}
	e.share(shared)
	return views, e.planForAll()
}

// lose declares one run Lost.
func (e *ending) lose(left leftRun, j *jobView, recover provider.RecoverFunc, answer *provider.SweepAnswer) {
	run, ok := e.runs[left.id]
	if !ok {
		_, held := e.heldRuns[left.id]
		answer.More = answer.More || held
		return
	}
	if run.State != provider.RunRunning { // completed after all
		return
	}
	key := provider.TriggerKey{Job: run.Job, Trigger: run.TriggerName}
	_, held := e.heldKeys[key.String()]
	if held || e.jobHeld(run.Job, recover != nil) || e.stuck(run) {
		answer.More = true
		return
	}
	if j != nil && j.unreadable { // for a newer version (D14)
		return
	}
	run.State = provider.RunLost
	run = e.end(run)
	answer.Lost = append(answer.Lost, run)
	view := e.triggers[key.String()]
	tr := view.record
	if !view.unreadable && tr.State == provider.TriggerAcquired && tr.NextFireAt.IsZero() && tr.ClaimedBy == run.Node && tr.Incarnation == run.Incarnation {
		e.giveBack(tr, answer)
	}
	if recover == nil {
		return
	}
	if one, ok := recover(run, jobRecord(j), e.now); ok {
		e.add(one)
	}
}

// reclaim returns one claim that was not begun.
func (e *ending) reclaim(left leftClaim, j *jobView, answer *provider.SweepAnswer) {
	view, ok := e.triggers[left.key]
	tr := view.record
	switch {
	case !ok:
		_, held := e.heldKeys[left.key]
		answer.More = answer.More || held
	case view.unreadable, tr.State != provider.TriggerAcquired, tr.ClaimID != left.claimID:
	case tr.Paused && (j.held() || !j.occupied() && e.plan.stuck(left.job)):
		answer.More = true
	default:
		e.giveBack(tr, answer)
	}
}

// giveBack returns a trigger: due as it was, or now where it has no next
// instant (R052); Paused where its flag is set, which takes it from its job.
func (e *ending) giveBack(tr provider.TriggerRecord, answer *provider.SweepAnswer) {
	tr.State = waitingOrPaused(tr)
	if tr.NextFireAt.IsZero() {
		tr.ScheduledAt, tr.NextFireAt = e.now, e.now
	}
	e.giveUp(tr)
	answer.Returned = append(answer.Returned, tr.TriggerKey)
	if tr.State == provider.TriggerPaused {
		e.left = append(e.left, tr.Job)
	}
}

// strays notes the free jobs whose Blocked triggers nothing else returns.
func (e *ending) strays(jobs []string, answer *provider.SweepAnswer) {
	for _, job := range jobs {
		switch j := e.jobs[job]; {
		case j == nil || j.unreadable:
		case !j.locked || e.plan.stuck(job):
			answer.More = true
		default:
			e.left = append(e.left, job)
		}
	}
}

// planForAll locks what the jobs of a sweep hand back if they are left free:
// the first Blocked triggers of exclusive ones, all of the others.
func (e *ending) planForAll() (err error) {
	var free, concurrent []string
	for _, name := range slices.Sorted(maps.Keys(e.jobs)) {
		switch j := e.jobs[name]; {
		case !j.locked:
		case j.concurrent:
			concurrent = append(concurrent, name)
		default:
			free = append(free, name)
		}
	}
	e.plan, err = e.t.planHandBack(free, concurrent, dialects.LockSkip)
	return err
}
