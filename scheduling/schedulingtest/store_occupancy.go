package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of a definition that changes what may run at once (D12).
var occupancyCases = []Case{
	{Name: "SaveKeepsOccupancy", Rules: []string{"D12", "R103", "D25"},
		Explanation: "replacing keeps the job's occupancy and fencing number",
		Run:         saveKeepsOccupancy},
	{Name: "SaveBecomesExclusive", Rules: []string{"D12", "R033"}, Allow: ManyRunning,
		Explanation: "a job that becomes exclusive is occupied by the newest of its Running runs until that one ends",
		Run:         saveBecomesExclusive},
	{Name: "SaveCreatedWhileRunning", Rules: []string{"D12", "B174"},
		Explanation: "an exclusive job created while a run of its name is Running is born occupied by it",
		Run:         saveCreatedWhileRunning},
	{Name: "SaveBecomesConcurrent", Rules: []string{"D12", "D35"},
		Explanation: "a job that becomes concurrent hands back all its Blocked triggers in the same transaction, however many",
		Run:         saveBecomesConcurrent},
	{Name: "SaveBecomesExclusiveHints", Rules: []string{"D12", "D35"},
		Explanation: "one-shots enqueued while a job was concurrent do not overlap once it is exclusive",
		Run:         saveBecomesExclusiveHints},
	{Name: "SaveBecomesExclusiveHintsClaim", Rules: []string{"D12", "D35"}, Needs: Claiming,
		Explanation: "the same through Claim: the job row decides, not the hint",
		Run:         saveBecomesExclusiveHintsClaim},
}

func saveKeepsOccupancy(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	b := e.startOne(n)
	before := e.job("a")
	e.save(job("a", exclusive, func(j *provider.JobRecord) { j.Description = "new" }), cron("t", e.now))
	got := e.job("a")
	if got.ActiveRunID != b.Run.ID || got.Fence != before.Fence {
		e.Errorf("after a replacement the job is occupied by %q, fence %d; want %q, %d", got.ActiveRunID, got.Fence, b.Run.ID, before.Fence)
	}
	e.enqueue(manual("a", "x", e.now))
	if got := e.pass(n, 5); len(got) != 1 || got[0].Outcome != provider.OutcomeBlocked {
		e.Errorf("a one-shot beside the run answers %v, want Blocked", outcomes(got))
	}
}

func saveBecomesExclusive(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	var runs []provider.Begun
	for i := range 3 {
		e.enqueue(manual("a", fmt.Sprint(i), e.now))
		runs = append(runs, e.startOne(n))
		e.advance(time.Second)
	}
	e.save(job("a", exclusive))
	if got := e.job("a").ActiveRunID; got != runs[2].Run.ID {
		e.Fatalf("the job is occupied by %q, want its newest run %q", got, runs[2].Run.ID)
	}
	e.enqueue(manual("a", "late", e.now))
	if got := e.pass(n, 5); len(got) != 1 || got[0].Outcome != provider.OutcomeBlocked {
		e.Fatalf("a one-shot beside the runs answers %v, want Blocked", outcomes(got))
	}
	e.finish(n, runs[0])
	if got := e.job("a").ActiveRunID; got != runs[2].Run.ID {
		e.Errorf("the end of an older run left the job occupied by %q, want %q", got, runs[2].Run.ID)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", "late"): provider.TriggerBlocked})
	e.finish(n, runs[2])
	if got := e.job("a").ActiveRunID; got != "" {
		e.Errorf("the end of the newest run left the job occupied by %q", got)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", "late"): provider.TriggerWaiting})
	e.finish(n, runs[1])
}

func saveCreatedWhileRunning(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	b := e.startOne(n)
	errs, err := e.Store.DeleteJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	e.save(job("a", exclusive), cron("t", e.now))
	if got := e.job("a").ActiveRunID; got != b.Run.ID {
		e.Fatalf("the job that came back is occupied by %q, want the run that still runs, %q", got, b.Run.ID)
	}
	if got := e.pass(n, 5); len(got) != 1 || got[0].Outcome != provider.OutcomeBlocked {
		e.Errorf("its trigger answers %v, want Blocked", outcomes(got))
	}
	e.finish(n, b)
	if got := len(e.drain(n, 5)); got != 1 {
		e.Errorf("%d runs after the old one ended, want 1", got)
	}
}

func saveBecomesConcurrent(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	const blocked = 20
	b := e.occupy(n, "a", blocked)
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{manualKey("a", blockedName(3))})
	e.each(errs, err, nil)
	e.save(job("a"))
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{States: []provider.TriggerState{provider.TriggerWaiting}})
	e.must(err, "ListTriggers")
	if len(list) != blocked-1 {
		e.Errorf("%d triggers are Waiting after the job became concurrent, want %d", len(list), blocked-1)
	}
	e.states(map[provider.TriggerKey]provider.TriggerState{manualKey("a", blockedName(3)): provider.TriggerPaused})
	if got := started(e.pass(n, 50)); len(got) != blocked-1 {
		e.Errorf("%d runs start beside the one that runs, want %d", len(got), blocked-1)
	} else {
		e.finish(n, got...)
	}
	e.finish(n, b)
}

// threeConcurrentThenExclusive leaves three due one-shots of an exclusive job,
// enqueued while it was concurrent.
func threeConcurrentThenExclusive(e *Env) {
	e.save(job("a"))
	for i := range 3 {
		e.enqueue(manual("a", fmt.Sprint(i), e.now))
	}
	e.save(job("a", exclusive))
}

func saveBecomesExclusiveHints(e *Env) {
	n := e.node("n")
	threeConcurrentThenExclusive(e)
	b := e.startOne(n)
	if got := started(e.pass(n, 5)); len(got) != 0 {
		e.Errorf("%d more runs of an exclusive job started", len(got))
	}
	e.finish(n, b)
	if got := len(e.drain(n, 10)); got != 2 {
		e.Errorf("%d runs followed, want 2", got)
	}
}

func saveBecomesExclusiveHintsClaim(e *Env) {
	n := e.node("n")
	threeConcurrentThenExclusive(e)
	ran := 0
	for range 10 {
		items := e.claim(n, 5)
		begun := started(items)
		if len(begun) > 1 {
			e.Fatalf("%d runs of an exclusive job started in one pass", len(begun))
		}
		for _, i := range items { // a wrong hint may send a trigger the long way
			if i.Outcome == provider.OutcomeAcquired {
				begun = append(begun, started(e.beginWith(n, decide, provider.Claimed{Trigger: e.trigger(i.Trigger.TriggerKey)}))...)
			}
		}
		if len(begun) > 0 {
			ran += len(begun)
			e.finish(n, begun...)
		}
	}
	if ran != 3 {
		e.Errorf("%d runs, want 3", ran)
	}
}

// blockedName is the name of the i-th one-shot that occupy blocks.
func blockedName(i int) string { return fmt.Sprintf("b%04d", i) }

// occupy starts a run of an exclusive job and blocks so many one-shots behind
// it, named by blockedName, in one order by due instant and by name.
func (e *Env) occupy(n provider.NodeRef, job string, blocked int) provider.Begun {
	e.Helper()
	e.enqueue(manual(job, "a-first", e.now, priority(100)))
	b := e.startOne(n)
	var shots []provider.TriggerRecord
	for i := range blocked {
		shots = append(shots, manual(job, blockedName(i), e.now))
	}
	e.enqueue(shots...)
	for range blocked + 1 {
		items := e.pass(n, 500)
		if len(items) == 0 {
			break
		}
		if len(started(items)) > 0 {
			e.Fatalf("a run of %s started beside another", job)
		}
	}
	want := map[provider.TriggerKey]provider.TriggerState{}
	for _, shot := range shots {
		want[shot.TriggerKey] = provider.TriggerBlocked
	}
	if e.states(want); e.Failed() {
		e.Fatalf("these one-shots are behind a run of their exclusive job")
	}
	return b
}
