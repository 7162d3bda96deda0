package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of clocks that step (D26).
var electionClockCases = []Case{
	{Name: "ClockSteppedBack", Rules: []string{"D26"},
		Explanation: "an expiry that a stepped clock put far away counts as expired for one who has watched the row stand still",
		Run:         clockSteppedBack},
	{Name: "ClockSteppedBackHolderLives", Rules: []string{"D26"},
		Explanation: "a row that has moved since it was watched is not taken, however far its expiry",
		Run:         clockSteppedBackHolderLives},
	{Name: "StoodIsNotEnough", Rules: []string{"D26"},
		Explanation: "an expiry within TTL and margin is believed, however long the row was watched",
		Run:         stoodIsNotEnough},
	{Name: "ClockSteppedForward", Rules: []string{"D26", "R065"},
		Explanation: "after a step forward the lease is expired for its holder and for others alike",
		Run:         clockSteppedForward},
	{Name: "FenceGrowsBackwards", Rules: []string{"D25", "D26"},
		Explanation: "the fence grows with a takeover even where the clock has stepped back",
		Run:         fenceGrowsBackwards},
}

const leaseMargin = 3 * time.Second

func watching(row provider.LeaseRecord) provider.LeaseRequest {
	r := lease("m", "token-2")
	r.Stood, r.Margin = &row, leaseMargin
	return r
}

func clockSteppedBack(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.advance(-time.Hour)
	e.refused(lease("m", "token-2"), "without having watched the row")
	other := held
	other.Token = "token-0"
	e.refused(watching(other), "having watched another token")
	got := e.take(watching(held))
	if got.Holder != "m" || got.Fence <= held.Fence || !got.ExpiresAt.Equal(e.now.Add(leaseTTL)) {
		e.Errorf("the lease taken is %+v, want m's, with a greater fence than %d, for one TTL from now", got, held.Fence)
	}
	e.cannotRenew("token-1", "the former token")
}

func clockSteppedBackHolderLives(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.must(renewed(e, "token-1"), "Renew")
	renewedRow := e.inspect().Lease
	e.advance(-time.Hour)
	e.refused(watching(held), "having watched the row before its renewal")
	equal(e, e.inspect().Lease, renewedRow, "the row")
	if err := renewed(e, "token-1"); err != nil {
		e.Errorf("the holder's renewal after the step: %v", err)
	}
	e.refused(watching(renewedRow), "having watched the row before its next renewal")
}

func stoodIsNotEnough(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.refused(watching(held), "an expiry of one TTL away")
	e.set(held.ExpiresAt.Add(-leaseTTL - leaseMargin))
	e.refused(watching(held), "an expiry of exactly TTL plus margin away")
	e.advance(-time.Microsecond)
	if got := e.take(watching(held)); got.Holder != "m" {
		e.Errorf("an expiry of more than TTL plus margin away: the lease is %+v, want m's", got)
	}
}

func clockSteppedForward(e *Env) {
	e.take(lease("n", "token-1"))
	e.advance(24 * time.Hour)
	e.cannotRenew("token-1", "a day later")
	if got := e.take(lease("m", "token-2")); got.Holder != "m" {
		e.Errorf("the lease is %+v, want m's", got)
	}
}

func fenceGrowsBackwards(e *Env) {
	last := e.take(lease("n", "token-1"))
	for i, token := range []string{"token-2", "token-3"} {
		e.advance(-24 * time.Hour)
		r := watching(last)
		r.Token = token
		got := e.take(r)
		if got.Fence <= last.Fence {
			e.Errorf("takeover %d: the fence went from %d to %d", i, last.Fence, got.Fence)
		}
		last = got
	}
}
