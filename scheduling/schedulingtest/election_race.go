package schedulingtest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var electionRaceCases = []Case{
	{Name: "RaceForFreeLease", Rules: []string{"D24", "R058", "B171"},
		Explanation: "of many that take a free lease at once one gets it, the others are told that it is held, nobody fails",
		Run:         raceForFreeLease},
	{Name: "RaceForExpiredLease", Rules: []string{"R059", "D24"},
		Explanation: "of many that take over an expired lease at once one gets it",
		Run:         raceForExpiredLease},
	{Name: "RaceOfReleaseAndAcquire", Rules: []string{"R066", "R067"},
		Explanation: "a release beside an acquisition frees its own lease, never the other's",
		Run:         raceOfReleaseAndAcquire},
	duel{name: "AcquireAndAcquire", rules: []string{"D24", "R058"}, set: acquireLeases(false),
		explanation: "of two that insert the row one wins and the other is told that it is held"}.asCase(),
	duel{name: "TakeoverAndTakeover", rules: []string{"R059", "D24"}, set: acquireLeases(true),
		explanation: "of two that take over the row one wins and the other is told that it is held"}.asCase(),
	duel{name: "RenewAndRelease", rules: []string{"R064", "R066"}, set: renewAndRelease,
		explanation: "a renewal beside a release does not bring the row back"}.asCase(),
	duel{name: "ReleaseAndTakeover", rules: []string{"R066", "B147"}, set: releaseAndTakeover,
		explanation: "a late release beside a takeover leaves the successor's row"}.asCase(),
}

// contest lets six handles ask for the lease at once; exactly one gets it.
func (e *Env) contest() {
	e.Helper()
	var won atomic.Int32
	var token atomic.Value
	e.together(e.handles(6), func(i int, s provider.Store) error {
		r := lease(fmt.Sprint("node-", i), fmt.Sprint("token-", i))
		a, err := s.Election().TryAcquire(e.ctx, r)
		switch {
		case err == nil:
			won.Add(1)
			token.Store(a.Lease.Token)
			return nil
		case errors.Is(err, provider.ErrLeaseHeld):
			return nil
		}
		return err
	})
	row := e.inspect().Lease
	if won.Load() != 1 || row.Token != token.Load() {
		e.Errorf("%d got the lease; the row carries %q", won.Load(), row.Token)
	}
}

func raceForFreeLease(e *Env) {
	for range 4 {
		e.contest()
		e.fresh()
	}
}

func raceForExpiredLease(e *Env) {
	e.take(lease("n", "token-x"))
	for range 4 {
		e.advance(leaseTTL + time.Second)
		e.contest()
	}
}

func raceOfReleaseAndAcquire(e *Env) {
	for i := range 6 {
		mine := fmt.Sprint("token-", i)
		e.take(lease("n", mine))
		var won atomic.Bool
		e.together(e.handles(2), func(who int, s provider.Store) error {
			if who == 0 {
				return s.Election().Release(e.ctx, leaseName, mine)
			}
			_, err := s.Election().TryAcquire(e.ctx, lease("m", mine+"-other"))
			won.Store(err == nil)
			return ignoring(err, provider.ErrLeaseHeld)
		})
		a := e.inspect()
		if a.Found != won.Load() || a.Found && a.Lease.Holder != "m" {
			e.Errorf("the other got the lease: %v; the row is there: %v, of %q", won.Load(), a.Found, a.Lease.Holder)
		}
		e.give(mine + "-other")
	}
}

func acquireLeases(expired bool) func(e *Env) bout {
	return func(e *Env) bout {
		if expired {
			e.take(lease("old", "token-0"))
			e.advance(leaseTTL + time.Second)
		}
		var a, b error
		return bout{
			first: func() error {
				_, a = e.Store.Election().TryAcquire(e.ctx, lease("n", "token-1"))
				return ignoring(a, provider.ErrLeaseHeld)
			},
			second: func(s provider.Store) error {
				_, b = s.Election().TryAcquire(e.ctx, lease("m", "token-2"))
				return ignoring(b, provider.ErrLeaseHeld)
			},
			judge: func(bool) {
				want := "n"
				if a != nil {
					want = "m"
				}
				if row := e.inspect().Lease; (a == nil) == (b == nil) || row.Holder != want {
					e.Errorf("the answers are %v and %v, the row is %s's", a, b, row.Holder)
				}
			},
		}
	}
}

func renewAndRelease(e *Env) bout {
	e.take(lease("n", "token-1"))
	e.advance(time.Second)
	return bout{
		first:  func() error { return ignoring(renewed(e, "token-1"), provider.ErrLeaseHeld) },
		second: func(s provider.Store) error { return s.Election().Release(e.ctx, leaseName, "token-1") },
		judge: func(bool) {
			if a := e.inspect(); a.Found {
				e.Errorf("the released row is there: %+v", a.Lease)
			}
		},
	}
}

func releaseAndTakeover(e *Env) bout {
	e.take(lease("n", "token-1"))
	e.advance(leaseTTL + time.Second)
	return bout{
		first: func() error { return e.Store.Election().Release(e.ctx, leaseName, "token-1") },
		second: func(s provider.Store) error {
			_, err := s.Election().TryAcquire(e.ctx, lease("m", "token-2"))
			return err
		},
		judge: func(bool) {
			if row := e.inspect().Lease; row.Holder != "m" || row.Token != "token-2" {
				e.Errorf("the row is %+v, want m's", row)
			}
		},
	}
}

var electionVictims = []victim{
	{name: "AcquireFree", rules: []string{"R057", "R069", "D24"}, set: killLease(false, func(e *Env) error {
		_, err := e.Store.Election().TryAcquire(e.ctx, lease("n", "token-1"))
		return err
	})},
	{name: "Takeover", rules: []string{"R057", "R069", "D24"}, set: killLease(true, func(e *Env) error {
		_, err := e.Store.Election().TryAcquire(e.ctx, lease("m", "token-2"))
		return err
	})},
	{name: "Renew", rules: []string{"R057", "R069"}, set: killRenew},
	{name: "Release", rules: []string{"R067", "R069"}, set: killRelinquish},
	{name: "Inspect", rules: []string{"R069", "R300"}, set: killLease(true, func(e *Env) error {
		_, err := e.Store.Election().Inspect(e.ctx, leaseName)
		return err
	})},
}

func electionKillCases() []Case {
	var out []Case
	for _, v := range electionVictims {
		out = append(out, v.asCase())
	}
	return out
}

func killLease(expired bool, call func(e *Env) error) func(e *Env) attempt {
	return func(e *Env) attempt {
		if expired {
			e.take(lease("n", "token-1"))
			e.advance(leaseTTL + time.Second)
		}
		return attempt{run: func() (string, error) { return "", call(e) },
			again: func() error { return ignoring(call(e), provider.ErrLeaseHeld) }}
	}
}

func killRenew(e *Env) attempt {
	e.take(lease("n", "token-1"))
	e.advance(time.Second)
	return attempt{run: func() (string, error) { return "", renewed(e, "token-1") }}
}

func killRelinquish(e *Env) attempt {
	e.take(lease("n", "token-1"))
	return attempt{run: func() (string, error) { return "", e.Store.Election().Release(e.ctx, leaseName, "token-1") }}
}
