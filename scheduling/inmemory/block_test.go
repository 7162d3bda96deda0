package inmemory

import (
	"slices"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// D35 (a), (b): one starts, the others leave the acquisition range.
func TestClaimStartsOneAndBlocksTheRest(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	f.enqueue("a", numbered(40)...)
	a := f.claim(8, startOrBlock)
	f.wantOutcomes(a.Items, provider.OutcomeStarted)
	if a.Blocked != 39 || a.More || !a.NextDue.IsZero() {
		t.Errorf("blocked %d, more %v, next %v; want 39, false, none", a.Blocked, a.More, a.NextDue)
	}
	if got := f.job("a"); got.ActiveRunID != a.Items[0].Run.ID || got.Fence != a.Items[0].Run.Fence || got.Fence == 0 {
		t.Errorf("the job is %+v, want it occupied by %+v", got, a.Items[0].Run)
	}
}

// D35 (b): at most 500 per transaction, over all its jobs; later claims take
// the rest.
func TestBlocksAtMost500PerTransaction(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	f.save(exclusiveJob("b"))
	f.enqueue("a", numbered(400)...)
	f.enqueue("b", numbered(400)...)
	a := f.claim(8, startOrBlock)
	if a.Blocked != 500 || !a.More {
		t.Fatalf("blocked %d, more %v; want 500, true", a.Blocked, a.More)
	}
	a = f.claim(8, startOrBlock)
	f.wantOutcomes(a.Items, provider.OutcomeBlocked)
	if a.Blocked != 297 || a.More {
		t.Errorf("blocked %d, more %v; want 297, false", a.Blocked, a.More)
	}
}

// The long way blocks like claim does, also where it finds the job occupied.
func TestBeginBlocksTheRest(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	f.enqueue("a", numbered(5)...)
	first, second := f.acquire(4), f.acquire(4)
	if len(first) != 1 || len(second) != 1 {
		t.Fatalf("claimed %d and %d of one exclusive job, want 1 and 1 (D35)", len(first), len(second))
	}
	f.wantOutcomes(f.begin(startOrBlock, first[0], second[0]), provider.OutcomeStarted, provider.OutcomeBlocked)
	if got := f.count("a", provider.TriggerBlocked); got != 4 {
		t.Errorf("%d are Blocked, want 4", got)
	}
}

// D35 (c): the first 16 in R029's order come back, the rest with the next
// completions.
func TestCompletionHandsBack16InOrder(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	run := f.occupy("a", 40)
	if got := f.finish(run).HandedBack; got != 16 {
		t.Fatalf("handed back %d, want 16", got)
	}
	want := []string{}
	for _, name := range numbered(16) {
		want = append(want, provider.PrefixManual+name)
	}
	if got := f.names("a", provider.TriggerWaiting); !slices.Equal(got, want) {
		t.Errorf("Waiting are %v, want the first 16", got)
	}
	ran := 0
	for ; ran < 100; ran++ {
		items := f.claim(4, startOrBlock).Items
		if len(items) == 0 {
			break
		}
		f.wantOutcomes(items, provider.OutcomeStarted)
		f.finish(items[0].Run)
		f.check()
	}
	if ran != 40 {
		t.Errorf("%d runs followed, want 40", ran)
	}
}

// D35 (c), D08: those whose flag is set become Paused, and do not use up the 16.
func TestHandBackPassesThePaused(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	run := f.occupy("a", 40)
	for _, name := range numbered(20) {
		_, err := f.PauseTriggers(f.ctx, []provider.TriggerKey{key("a", provider.PrefixManual+name)})
		f.ok(err)
	}
	if got := f.count("a", provider.TriggerBlocked); got != 40 {
		t.Fatalf("%d are Blocked after the pause, want 40: only the flag is set (D08)", got)
	}
	if got := f.finish(run).HandedBack; got != 16 {
		t.Errorf("handed back %d, want 16", got)
	}
	if paused, blocked := f.count("a", provider.TriggerPaused), f.count("a", provider.TriggerBlocked); paused != 20 || blocked != 4 {
		t.Errorf("%d Paused, %d Blocked; want 20, 4", paused, blocked)
	}
}

// D35 (d): whoever takes the due trigger of a free job away hands back.
func TestTakingAwayHandsBack(t *testing.T) {
	for name, takeAway := range map[string]func(f *fixture, first provider.TriggerRecord){
		"pause": func(f *fixture, first provider.TriggerRecord) {
			_, err := f.PauseTriggers(f.ctx, []provider.TriggerKey{first.TriggerKey})
			f.ok(err)
		},
		"remove": func(f *fixture, first provider.TriggerRecord) {
			_, err := f.RemoveTriggers(f.ctx, []provider.TriggerKey{first.TriggerKey})
			f.ok(err)
		},
		"reschedule": func(f *fixture, first provider.TriggerRecord) {
			moved, err := f.Reschedule(f.ctx, []provider.RescheduleItem{
				{Key: first.TriggerKey, Version: first.Version, Next: waitingAt(f.clock.Add(time.Hour))}})
			f.ok(err)
			if !moved[0] {
				f.t.Error("the trigger was not moved")
			}
		},
		"replace": func(f *fixture, first provider.TriggerRecord) { f.save(exclusiveJob("a")) },
		"skip in claim": func(f *fixture, first provider.TriggerRecord) {
			f.wantOutcomes(f.claim(1, skip).Items, provider.OutcomeAdvanced)
		},
		"error in claim": func(f *fixture, first provider.TriggerRecord) {
			f.claim(1, func(provider.Candidate) provider.Decision {
				return provider.Decision{Action: provider.Advance, After: provider.Progress{
					Next: provider.Next{State: provider.TriggerError}, ErrorCode: "X"}}
			})
		},
		"skip in begin": func(f *fixture, first provider.TriggerRecord) {
			f.wantOutcomes(f.begin(skip, f.acquire(1)...), provider.OutcomeAdvanced)
		},
		"paused claim in begin": func(f *fixture, first provider.TriggerRecord) {
			claimed := f.acquire(1)
			_, err := f.PauseTriggers(f.ctx, []provider.TriggerKey{first.TriggerKey})
			f.ok(err)
			f.wantOutcomes(f.begin(startOrBlock, claimed...), provider.OutcomePaused)
		},
		"paused claim released": func(f *fixture, first provider.TriggerRecord) {
			claimed := f.acquire(1)
			_, err := f.PauseTriggers(f.ctx, []provider.TriggerKey{first.TriggerKey})
			f.ok(err)
			_, err = f.Release(f.ctx, provider.ReleaseRequest{Node: f.node, Items: []provider.ReleaseItem{
				{Key: first.TriggerKey, ClaimID: claimed[0].Trigger.ClaimID}}})
			f.ok(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{})
			f.save(exclusiveJob("a"), due("only", start.Add(-time.Minute)))
			first := f.trigger(key("a", "only"))
			strandBehind(f, 20)
			if got := f.count("a", provider.TriggerWaiting); got != 1 {
				t.Fatalf("%d are Waiting before, want the one", got)
			}
			takeAway(f, first)
			back := 0
			for _, name := range f.names("a", provider.TriggerWaiting) {
				if provider.IsOneShot(name) {
					back++
				}
			}
			if back != maxHandedBack {
				t.Errorf("%d came back, want %d", back, maxHandedBack)
			}
			f.check()
		})
	}
}

// What a claim hands back is due for the next one: its answer says so.
func TestClaimSeesWhatItHandsBack(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"), due("only", start.Add(-time.Minute)))
	strandBehind(f, 1)
	if a := f.claim(4, skip); !a.More || !a.NextDue.Equal(start) {
		t.Errorf("more %v, next %v; want the trigger handed back", a.More, a.NextDue)
	}
}

// Whoever occupies a job blocks its due triggers, and no others (D35 (b)).
func TestStartBlocksWhatIsDue(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"), due("now", start), due("later", start.Add(time.Microsecond)))
	a, err := f.Start(f.ctx, provider.StartRequest{Node: f.node, Runs: []provider.RunRecord{
		{ID: f.runIDs(1)[0], Job: "a"}, {ID: f.runIDs(1)[0], Job: "a"}, {ID: f.runIDs(1)[0], Job: "none"}}})
	f.ok(err)
	f.wantOutcomes(a.Items, provider.OutcomeStarted, provider.OutcomeBlocked, provider.OutcomeGone)
	if got := f.names("a", provider.TriggerBlocked); !slices.Equal(got, []string{"now"}) {
		t.Errorf("Blocked are %v, want now", got)
	}
}

// strandBehind leaves job a free, with n Blocked triggers behind the Waiting
// one that is there, as a completion leaves it that handed others back.
func strandBehind(f *fixture, n int) {
	f.enqueue("a", numbered(n)...)
	for _, row := range f.triggersOf("a") {
		if provider.IsOneShot(row.Trigger) {
			row.State = provider.TriggerBlocked
			f.setTrigger(row.TriggerKey, &row)
		}
	}
}

// A claim that skips one and starts the next of the same exclusive job hands
// nothing back: candidates are decided in order until one starts.
func TestClaimDecidesOneExclusiveJobInOrder(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"), due("one", start), due("three", start.Add(2)), due("two", start.Add(time.Microsecond)))
	f.clock = start.Add(time.Second)
	asked := []string{}
	a := f.claim(8, func(c provider.Candidate) provider.Decision {
		asked = append(asked, c.Trigger.Trigger)
		if c.Trigger.Trigger == "two" {
			return startOrBlock(c)
		}
		return skip(c)
	})
	if !slices.Equal(asked, []string{"one", "three", "two"}) {
		t.Errorf("asked about %v, want one, three, two: 2 ns are cut (D31), then by key", asked)
	}
	f.wantOutcomes(a.Items, provider.OutcomeAdvanced, provider.OutcomeAdvanced, provider.OutcomeStarted)
}

// D12: a job that becomes concurrent hands back all, however many.
func TestBecomingConcurrentHandsBackAll(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	run := f.occupy("a", 40)
	f.save(concurrentJob("a"))
	if got := f.count("a", provider.TriggerWaiting); got != 40 {
		t.Errorf("%d are Waiting, want 40", got)
	}
	f.finish(run)
	if got := f.job("a").ActiveRunID; got != "" {
		t.Errorf("ActiveRunID is %q after the run ended, want none", got)
	}
}
