package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of rows that somebody else wrote: a newer version, or a crash.
var damageCases = []Case{
	{Name: "UnreadableInAcquire", Rules: []string{"D14", "B111"}, Needs: Poking, Allow: Damaged,
		Explanation: "a due trigger with a value of a newer version is named, left alone, and keeps nothing else from being claimed",
		Run:         unreadableInAcquire},
	{Name: "UnreadableInClaim", Rules: []string{"D14", "B111"}, Needs: Poking | Claiming, Allow: Damaged,
		Explanation: "the same through Claim",
		Run:         unreadableInClaim},
	{Name: "UnreadableInBegin", Rules: []string{"D14"}, Needs: Poking, Allow: Damaged,
		Explanation: "a claimed trigger that became unreadable is answered Unreadable and left alone",
		Run:         unreadableInBegin},
	{Name: "OccupiedByEndedRun", Rules: []string{"R036", "D05"}, Needs: Poking,
		Explanation: "an occupancy that names a run that has ended, or none, counts as free",
		Run:         occupiedByEndedRun},
	{Name: "OccupiedByEndedRunInClaim", Rules: []string{"R036", "D05"}, Needs: Poking | Claiming,
		Explanation: "the same through Claim",
		Run:         occupiedByEndedRunInClaim},
	{Name: "OccupiedByEndedRunInStart", Rules: []string{"R036", "D05"}, Needs: Poking,
		Explanation: "the same through Start",
		Run:         occupiedByEndedRunInStart},
}

// Cases of numbers that must outgrow what the row says, which another process
// may have written by a clock ahead.
var outgrowCases = []Case{
	{Name: "FenceOutgrowsTheJob", Rules: []string{"D25"}, Needs: Poking,
		Explanation: "a run's fencing number is greater than the one on the job's row, whatever the clock says",
		Run:         fenceOutgrowsTheJob},
	{Name: "FenceOutgrowsTheLease", Rules: []string{"D25"}, Needs: Poking,
		Explanation: "a takeover's fencing number is greater than the one on the lease's row, whatever the clock says",
		Run:         fenceOutgrowsTheLease},
	{Name: "IncarnationOutgrowsTheNode", Rules: []string{"D06"}, Needs: Poking,
		Explanation: "an incarnation is greater than the one on the row that it replaces, whatever the clock says",
		Run:         incarnationOutgrowsTheNode},
}

// ahead is greater than the microseconds of any clock of these cases.
const ahead = int64(1) << 60

func fenceOutgrowsTheJob(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive), cron("t", e.now))
	e.Poke(e.T, Row{TableJob, "a"}, "fence", ahead)
	b := e.startOne(n)
	if b.Run.Fence <= ahead {
		e.Errorf("the run's fence is %d, want it greater than %d", b.Run.Fence, ahead)
	}
	e.finish(n, b)
	if got := e.startRuns(n, e.call("a")); got[0].Run.Fence <= b.Run.Fence {
		e.Errorf("the next run's fence is %d, want it greater than %d", got[0].Run.Fence, b.Run.Fence)
	}
}

func fenceOutgrowsTheLease(e *Env) {
	e.take(lease("n", "token-1"))
	e.Poke(e.T, Row{TableLease, leaseName}, "fence", ahead)
	e.advance(leaseTTL + time.Second)
	if got := e.take(lease("m", "token-2")); got.Fence <= ahead {
		e.Errorf("the lease's fence is %d, want it greater than %d", got.Fence, ahead)
	}
}

func incarnationOutgrowsTheNode(e *Env) {
	e.node("n")
	e.Poke(e.T, Row{TableNode, "n"}, "incarnation", ahead)
	judged := e.row("n")
	a, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n"), Replace: &judged})
	e.must(err, "Register")
	if !a.Registered || a.Node.Incarnation <= ahead {
		e.Errorf("the answer is %+v, want registered with an incarnation greater than %d", a, ahead)
	}
}

// newer is an enumeration value that this version does not know.
const newer = int64(99)

func unreadable(e *Env) {
	e.save(job("a"), cron("1", e.now, priority(9)), cron("2", e.now))
	e.save(job("x", exclusive), cron("1", e.now, priority(9)), cron("2", e.now))
	e.Poke(e.T, Row{TableTrigger, "a/1"}, "misfire_policy", newer)
	e.Poke(e.T, Row{TableTrigger, "x/1"}, "run_as", newer)
}

func unreadableInAcquire(e *Env) {
	n := e.node("n")
	unreadable(e)
	var claimed, named []string
	for range 3 {
		a, err := e.Store.Acquire(e.ctx, provider.AcquireRequest{Node: n, ClaimID: e.claimID(), Limit: 5})
		e.must(err, "Acquire")
		claimed = append(claimed, claimedKeys(a.Claimed)...)
		for _, k := range a.Unreadable {
			named = append(named, k.String())
		}
	}
	found := map[string]bool{}
	for _, k := range named {
		found[k] = true
	}
	if !found["a/1"] || !found["x/1"] || len(found) != 2 {
		e.Errorf("unreadable are %v, want a/1 and x/1", named)
	}
	if len(claimed) == 0 || claimed[0] != "a/2" && claimed[len(claimed)-1] != "a/2" {
		e.Errorf("claimed %v, want a/2 among them", claimed)
	}
	for _, k := range claimed {
		if found[k] {
			e.Errorf("the unreadable trigger %s was claimed", k)
		}
	}
}

func unreadableInClaim(e *Env) {
	n := e.node("n")
	unreadable(e)
	a := e.claimWith(e.claimRequest(n, 5, decide))
	found := map[string]provider.Outcome{}
	for _, i := range a.Items {
		found[i.Trigger.TriggerKey.String()] = i.Outcome
	}
	if found["a/1"] != provider.OutcomeUnreadable || found["a/2"] != provider.OutcomeStarted {
		e.Errorf("the outcomes are %v, want a/1 Unreadable and a/2 Started", found)
	}
	if o := found["x/1"]; o == provider.OutcomeStarted || o == provider.OutcomeAcquired {
		e.Errorf("the unreadable x/1 is %v", o)
	}
}

func unreadableInBegin(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("1", e.now), cron("2", e.now))
	claimed := e.acquire(n, 5)
	e.Poke(e.T, Row{TableTrigger, "a/1"}, "misfire_policy", newer)
	got := e.beginWith(n, decide, claimed...)
	equal(e, outcomes(got), []provider.Outcome{provider.OutcomeUnreadable, provider.OutcomeStarted}, "the outcomes")
}

// occupiedByGhosts saves exclusive jobs whose occupancies name a run that has
// ended and one that is not there.
func occupiedByGhosts(e *Env, n provider.NodeRef) {
	e.save(job("ended", exclusive))
	e.enqueue(manual("ended", "x", e.now))
	b := e.startOne(n)
	e.finish(n, b)
	e.save(job("ended", exclusive), cron("t", e.now))
	e.save(job("missing", exclusive), cron("t", e.now))
	e.Poke(e.T, Row{TableJob, "ended"}, "active_run_id", b.Run.ID)
	e.Poke(e.T, Row{TableJob, "missing"}, "active_run_id", e.runID())
}

func (e *Env) startsBoth(n provider.NodeRef, items []provider.Begun) {
	e.Helper()
	begun := started(items)
	if len(begun) != 2 {
		e.Fatalf("the outcomes are %v, want two Started", outcomes(items))
	}
	for _, b := range begun {
		if j := e.job(b.Run.Job); j.ActiveRunID != b.Run.ID {
			e.Errorf("job %s is occupied by %q, want %q", j.Name, j.ActiveRunID, b.Run.ID)
		}
	}
	e.finish(n, begun...)
}

func occupiedByEndedRun(e *Env) {
	n := e.node("n")
	occupiedByGhosts(e, n)
	e.startsBoth(n, e.pass(n, 5))
}

func occupiedByEndedRunInClaim(e *Env) {
	n := e.node("n")
	occupiedByGhosts(e, n)
	e.startsBoth(n, e.claim(n, 5))
}

func occupiedByEndedRunInStart(e *Env) {
	n := e.node("n")
	occupiedByGhosts(e, n)
	e.startsBoth(n, e.startRuns(n, e.call("ended"), e.call("missing")))
}
