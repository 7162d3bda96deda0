package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases in which the other party does not stop: it changes the ground before
// every single thing that the first one sends. An operation may then lose every
// race (D09), but only as a whole.
var racedCases = []Case{
	{Name: "RacedSave", Rules: []string{"R105", "D09"}, Needs: Sharing | Counting,
		Explanation: "a save whose job is saved by others all the time is done whole, or answers contention and wrote nothing",
		Run:         racedSave},
	{Name: "RacedBegin", Rules: []string{"D07", "D09", "R035"}, Needs: Sharing | Counting,
		Explanation: "a begin whose trigger and job are described anew all the time starts all the same: the claim decides, not the version",
		Run:         racedBegin},
	{Name: "RacedAcquire", Rules: []string{"R032", "D09"}, Needs: Sharing | Counting,
		Explanation: "an acquire whose candidates are taken and given back all the time claims only what it answers",
		Run:         racedAcquire},
	{Name: "RacedComplete", Rules: []string{"D22", "D05"}, Needs: Sharing | Counting,
		Explanation: "a completion whose run and trigger are written by others all the time ends the run",
		Run:         racedComplete},
	{Name: "RacedHeartbeat", Rules: []string{"D26", "D22"}, Needs: Sharing | Counting,
		Explanation: "a heartbeat beside another of the same node stays alive",
		Run:         racedHeartbeat},
}

func racedSave(e *Env) {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("t", at))
	err := e.raced(
		func() error { _, err := e.Store.SaveJobs(e.ctx, described("mine", cron("mine", at))); return err },
		func(s provider.Store, round int) error {
			_, err := s.SaveJobs(e.ctx, described("other", cron(fmt.Sprint("other-", round), at)))
			return err
		})
	if err != nil && !lost(err) {
		e.Fatalf("the save: %v, want none or contention", err)
	}
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	if len(list) != 1 || (e.job("a").Description == "mine") != (list[0].Trigger == "mine") {
		e.Errorf("the job is %q with triggers %v: half of one save, half of another", e.job("a").Description, keysOf(list))
	}
}

func racedBegin(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	items := e.items(e.acquire(n, 1)...)
	var got []provider.Begun
	err := e.raced(
		func() (err error) { got, err = e.beginAll(e.Store, n, items); return err },
		func(s provider.Store, round int) error {
			i := item(job("a", exclusive, func(j *provider.JobRecord) { j.Description = fmt.Sprint(round) }),
				cron("t", e.now, func(t *provider.TriggerRecord) { t.Description = fmt.Sprint(round) }))
			_, err := s.SaveJobs(e.ctx, []provider.SaveItem{i})
			return err
		})
	e.must(err, "Begin")
	if got[0].Outcome != provider.OutcomeStarted || e.job("a").ActiveRunID != got[0].Run.ID {
		e.Errorf("the begin answers %v, the job is occupied by %q", got[0].Outcome, e.job("a").ActiveRunID)
	}
	e.finish(n, got...)
}

func racedAcquire(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.save(job("a"), cron("1", e.now), cron("2", e.now), cron("3", e.now), cron("4", e.now))
	r := provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 3}
	var a provider.AcquireAnswer
	err := e.raced(
		func() (err error) { a, err = e.Store.Acquire(e.ctx, r); return err },
		func(s provider.Store, _ int) error {
			b, err := s.Acquire(e.ctx, provider.AcquireRequest{Node: m, ClaimID: e.claimID(), Limit: 2})
			if err != nil {
				return err
			}
			var items []provider.ReleaseItem
			for _, c := range b.Claimed {
				items = append(items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID})
			}
			_, err = s.Release(e.ctx, provider.ReleaseRequest{Node: m, Items: items})
			return err
		})
	e.must(err, "Acquire")
	answered := map[string]bool{}
	for _, c := range a.Claimed {
		answered[c.Trigger.TriggerKey.String()] = true
	}
	for k, t := range e.look(e.Store).triggers {
		if mine := t.State == provider.TriggerAcquired && t.ClaimID == r.ClaimID; mine != answered[k] {
			e.Errorf("%s is claimed by this call: %v, answered: %v", k, mine, answered[k])
		}
	}
}

func racedComplete(e *Env) {
	n, b := flying(e)
	var done provider.Completed
	err := e.raced(ending(e, n, b, &done), func(s provider.Store, _ int) error {
		for _, f := range []func() error{
			func() error {
				return ignoring(errsOf(s.RequestCancel(e.ctx, []string{b.Run.ID})), provider.ErrRunNotFound)
			},
			func() error { return errsOf(s.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", "t")})) },
			func() error { return errsOf(s.ResumeTriggers(e.ctx, []provider.TriggerKey{key("a", "t")})) },
		} {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
	e.must(err, "Complete")
	e.ended(done, b)
	if t := e.trigger(key("a", "t")); t.State != provider.TriggerWaiting || !t.NextFireAt.Equal(e.now.Add(everyPeriod)) {
		e.Errorf("the interval trigger is %v for %v, want Waiting for its next", t.State, t.NextFireAt)
	}
}

func racedHeartbeat(e *Env) {
	n := e.node("n")
	e.advance(time.Second)
	var a provider.HeartbeatAnswer
	err := e.raced(
		func() (err error) { a, err = e.Store.Heartbeat(e.ctx, n); return err },
		func(s provider.Store, _ int) error { _, err := s.Heartbeat(e.ctx, n); return err })
	e.must(err, "Heartbeat")
	if !a.Alive {
		e.Errorf("the heartbeat is not alive")
	}
}
