package inmemory

import (
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// R107: of several items of one name only the last is judged and written.
func TestSaveLastOfAName(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"))
	version := f.job("a").Version
	item := func(text string) provider.SaveItem {
		job := concurrentJob("a")
		job.Description = text
		return provider.SaveItem{Job: job, Condition: provider.IfVersion, Version: version}
	}
	answers, err := f.SaveJobs(f.ctx, []provider.SaveItem{item("one"), {Job: concurrentJob("b")}, item("two")})
	f.ok(err)
	if got := f.job("a"); got.Description != "two" || got.Version != version+1 {
		t.Errorf("stored %+v, want the last item, written once", got)
	}
	if !answers[0].Saved || !answers[2].Saved || answers[0] != answers[2] || answers[1].Replaced {
		t.Errorf("answers %+v", answers)
	}
}

// A row that was deleted and inserted again is not the one before (D22).
func TestVersionsAreNotReused(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"), due("x", start.Add(time.Hour)))
	old := f.trigger(key("a", "x"))
	_, err := f.DeleteJobs(f.ctx, []string{"a"})
	f.ok(err)
	f.save(concurrentJob("a"), due("x", start.Add(time.Hour)))
	moved, err := f.Reschedule(f.ctx, []provider.RescheduleItem{{Key: old.TriggerKey, Version: old.Version, Next: waitingAt(start)}})
	f.ok(err)
	if moved[0] {
		t.Error("a trigger was moved by the version of the one that was deleted")
	}
}

// D14: a trigger that leaves Error leaves its reason behind; one that stays in
// it keeps the reason.
func TestRescheduleOutOfError(t *testing.T) {
	f := newFixture(t, Options{})
	broken := due("x", start)
	broken.State, broken.ErrorCode, broken.ErrorText = provider.TriggerError, "CODE", "why"
	f.save(concurrentJob("a"), broken)
	for _, step := range []struct {
		next provider.Next
		code string
	}{{provider.Next{State: provider.TriggerError}, "CODE"}, {waitingAt(start), ""}} {
		item := provider.RescheduleItem{Key: key("a", "x"), Version: f.trigger(key("a", "x")).Version, Next: step.next}
		moved, err := f.Reschedule(f.ctx, []provider.RescheduleItem{item})
		f.ok(err)
		if got := f.trigger(item.Key); !moved[0] || got.State != step.next.State || got.ErrorCode != step.code {
			t.Errorf("moved %v to %v with code %q, want %v with %q", moved[0], got.State, got.ErrorCode, step.next.State, step.code)
		}
	}
}

// What would strand a trigger is refused, and the whole save with it.
func TestSaveValidation(t *testing.T) {
	nowhere := due("x", time.Time{})
	acquired := due("x", start)
	acquired.State = provider.TriggerAcquired
	strange := due("x", start)
	strange.Job = "b"
	for name, item := range map[string]provider.SaveItem{
		"no name":       {},
		"twice":         {Job: concurrentJob("a"), Triggers: []provider.TriggerRecord{due("x", start), due("x", start)}},
		"another job's": {Job: concurrentJob("a"), Triggers: []provider.TriggerRecord{strange}},
		"one-shot":      {Job: concurrentJob("a"), Triggers: []provider.TriggerRecord{due("retry-x", start)}},
		"no instant":    {Job: concurrentJob("a"), Triggers: []provider.TriggerRecord{nowhere}},
		"Acquired":      {Job: concurrentJob("a"), Triggers: []provider.TriggerRecord{acquired}},
	} {
		f := newFixture(t, Options{})
		if _, err := f.SaveJobs(f.ctx, []provider.SaveItem{{Job: concurrentJob("ok")}, item}); !errors.Is(err, provider.ErrInvalidDefinition) {
			t.Errorf("%s: %v, want a validation error", name, err)
		}
		if len(f.jobs) != 0 {
			t.Errorf("%s: something was saved", name)
		}
	}
}

// An enqueued one-shot's occurrence is its due instant (R234).
func TestEnqueueScheduledFollowsDue(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"))
	shot := provider.TriggerRecord{TriggerKey: key("a", "manual-x"), ScheduledAt: start.Add(-time.Hour), NextFireAt: start.Add(time.Hour)}
	answers, err := f.Enqueue(f.ctx, []provider.TriggerRecord{shot, shot})
	f.ok(err)
	if x := f.trigger(shot.TriggerKey); !x.ScheduledAt.Equal(shot.NextFireAt) || !x.NextFireAt.Equal(shot.NextFireAt) {
		t.Errorf("scheduled %v, next %v; want %v", x.ScheduledAt, x.NextFireAt, shot.NextFireAt)
	}
	if answers[0].Existed || !answers[1].Existed || !answers[1].DueAt.Equal(shot.NextFireAt) {
		t.Errorf("answers %+v, want the second to find the first (D38)", answers)
	}
}

// D08: the flag rules the way out of Acquired and Blocked, and nothing else
// of a trigger that has no next instant.
func TestPauseByState(t *testing.T) {
	f := newFixture(t, Options{})
	done := due("done", start)
	done.State = provider.TriggerComplete
	f.save(exclusiveJob("a"), due("claimed", start), due("later", start.Add(time.Hour)), done)
	claimed := f.acquire(1)
	_, err := f.PauseJobs(f.ctx, []string{"a"})
	f.ok(err)
	for name, want := range map[string]provider.TriggerState{"claimed": provider.TriggerAcquired,
		"later": provider.TriggerPaused, "done": provider.TriggerComplete} {
		if got := f.trigger(key("a", name)); got.State != want || !got.Paused {
			t.Errorf("%s is %v, flag %v; want %v and the flag", name, got.State, got.Paused, want)
		}
	}
	asked := false
	f.wantOutcomes(f.begin(func(provider.Candidate) provider.Decision { asked = true; return provider.Decision{} }, claimed...), provider.OutcomePaused)
	if got := f.trigger(key("a", "claimed")); asked || got.State != provider.TriggerPaused || got.ClaimID != 0 || !got.NextFireAt.Equal(start) {
		t.Errorf("after begin: asked %v, %+v; want it Paused, due when it was", asked, got)
	}
	_, err = f.ResumeTriggers(f.ctx, []provider.TriggerKey{key("a", "claimed")})
	f.ok(err)
	if !f.job("a").Paused || f.trigger(key("a", "claimed")).State != provider.TriggerWaiting {
		t.Error("resuming one trigger leaves the job's flag, and the trigger Waiting")
	}
}

// D11: in a paused job all triggers are born Paused but those asked for by
// hand.
func TestBornIntoAPausedJob(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"))
	_, err := f.PauseJobs(f.ctx, []string{"a"})
	f.ok(err)
	f.enqueue("a", "x")
	added := due("added", start)
	added.Job = "a"
	byHand := added
	byHand.Trigger = "manual-y"
	errs, err := f.AddTriggers(f.ctx, []provider.TriggerRecord{added, byHand})
	f.ok(errors.Join(append(errs, err)...))
	for name, want := range map[string]provider.TriggerState{"manual-x": provider.TriggerWaiting,
		"added": provider.TriggerPaused, "manual-y": provider.TriggerWaiting} {
		if got := f.trigger(key("a", name)).State; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// A local job that is made a cluster job is born occupied by its local run,
// whose end, written by Record, leaves it free (D12, R205).
func TestLocalRunOccupiesWhatBecomesExclusive(t *testing.T) {
	f := newFixture(t, Options{})
	job := exclusiveJob("a")
	job.EveryInstance = true
	f.save(job)
	run := provider.RunRecord{ID: f.runIDs(1)[0], Job: "a", Node: "n", State: provider.RunRunning, ScheduledAt: start, StartedAt: start}
	f.ok(f.Record(f.ctx, []provider.RunRecord{run}))
	f.save(exclusiveJob("a"))
	f.check()
	f.enqueue("a", "x")
	f.wantOutcomes(f.claim(1, startOrBlock).Items, provider.OutcomeBlocked)
	run.State, run.CompletedAt = provider.RunSucceeded, start.Add(time.Second)
	f.ok(f.Record(f.ctx, []provider.RunRecord{run}))
	f.check()
	f.wantOutcomes(f.claim(1, startOrBlock).Items, provider.OutcomeStarted)
}

// A completion lands the flight of its own claim only (D07).
func TestCompletionLandsItsOwnFlight(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"), due("every", start))
	begun := f.claim(1, fly).Items[0]
	anew := due("every", start)
	anew.Schedule = "another text"
	f.save(concurrentJob("a"), anew)
	land := func(claimID int64) {
		next := waitingAt(start.Add(time.Hour))
		run := f.runIDs(1)[0]
		_, err := f.Start(f.ctx, provider.StartRequest{Node: f.node, Runs: []provider.RunRecord{{ID: run, Job: "a"}}})
		f.ok(err)
		_, err = f.Complete(f.ctx, provider.CompleteRequest{Node: f.node, Items: []provider.Completion{{RunID: run, State: provider.RunFailed,
			Settle:  func(time.Time) provider.Settlement { return provider.Settlement{Trigger: &next} },
			Trigger: key("a", "every"), ClaimID: claimID}}})
		f.ok(err)
	}
	before := f.trigger(begun.Trigger.TriggerKey)
	land(0)
	if got := f.trigger(before.TriggerKey); got != before {
		t.Errorf("a completion without a claim moved a Waiting trigger: %+v", got)
	}
	f.acquire(1)
	before = f.trigger(before.TriggerKey)
	land(before.ClaimID - 1)
	if got := f.trigger(before.TriggerKey); got != before {
		t.Errorf("a completion of another claim moved the trigger: %+v", got)
	}
}

// D27: a purge goes by chunks; what it deleted before a fault is counted.
func TestPurgeInChunks(t *testing.T) {
	chunks := 0
	f := newFixture(t, Options{Fault: func(op string, phase Phase) error {
		if op == "PurgeRuns" && phase == Before {
			if chunks++; chunks == 3 {
				return errCut
			}
		}
		return nil
	}})
	runs := []provider.RunRecord{}
	for i, id := range f.runIDs(1300) {
		run := provider.RunRecord{ID: id, Job: "a", State: provider.RunSucceeded, ScheduledAt: start, CompletedAt: start.Add(-time.Hour)}
		switch i {
		case 0:
			run.State, run.CompletedAt = provider.RunRunning, time.Time{}
		case 1:
			run.CompletedAt = start.Add(-time.Minute)
		}
		runs = append(runs, run)
	}
	f.ok(f.Record(f.ctx, runs))
	deleted, err := f.PurgeRuns(f.ctx, time.Minute)
	if deleted != 1000 || !errors.Is(err, errCut) {
		t.Errorf("deleted %d, %v; want 1000 and the fault", deleted, err)
	}
	if deleted, err = f.PurgeRuns(f.ctx, time.Minute); deleted != 298 || err != nil {
		t.Errorf("deleted %d, %v; want 298: not the Running one, not the one that is exactly as old", deleted, err)
	}
	if deleted, err = f.PurgeRuns(f.ctx, 0); deleted != 0 || err != nil {
		t.Errorf("age 0 deleted %d, %v", deleted, err)
	}
}
