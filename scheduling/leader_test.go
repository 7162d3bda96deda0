package scheduling_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// R056–R070, R254, B146: leadership moves when the holder stops, at once, and
// when it is cut off, after the TTL; the one that is cut off stops leading, by
// its own clock, before another may begin.
func TestLeadershipMoves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		a := newNode(t, store, scheduling.Options{NodeID: "a"}).run()
		b := newNode(t, store, scheduling.Options{NodeID: "b"}).run()
		c := newNode(t, store, scheduling.Options{NodeID: "c"}).run()
		leader := func() string {
			var led string
			for _, n := range []*node{a, b, c} {
				if n.IsLeader() {
					led += n.NodeID()
				}
			}
			return led
		}
		equal(t, "first", leader(), "a")
		sleep(time.Minute)
		equal(t, "renewed", leader(), "a")
		a.stopClean()
		sleep(11 * time.Second)
		second := leader()
		if second != "b" && second != "c" {
			t.Fatalf("after the stop: %q", second)
		}
		old := b
		if second == "c" {
			old = c
		}
		old.link.setCut(true)
		var gap bool
		for range 120 {
			sleep(500 * time.Millisecond)
			switch now := leader(); {
			case len(now) > 1:
				t.Fatalf("two leaders: %s", now)
			case now == "":
				gap = true
			}
		}
		third := leader()
		if third == second || third == "" || !gap {
			t.Errorf("after the cut: %q, gap %v", third, gap)
		}
		old.link.setCut(false)
		sleep(10 * time.Second)
		equal(t, "the old one does not take it back", leader(), third)
		b.stopClean()
		c.stopClean()
	})
}

// R069, D36: one failed renewal changes nothing and is repeated; R064: a lease
// that another holds is given up.
func TestRenewalFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"}).run()
		fail := true
		n.link.setStrike(func(op string) error {
			if op == "Election.Renew" && fail {
				fail = false
				return provider.Unavailable(op, errAway)
			}
			return nil
		})
		for range 40 {
			sleep(time.Second)
			if !n.IsLeader() {
				t.Fatalf("lost at %v", time.Since(start2000))
			}
		}
		// B146: while the election is away it leads for TTL less the margin,
		// counted from before the last renewal, and no longer.
		n.link.setCut(true)
		sleep(16 * time.Second)
		equal(t, "leads", n.IsLeader(), true)
		sleep(12 * time.Second)
		equal(t, "leads", n.IsLeader(), false)
		n.link.setCut(false)
		sleep(11 * time.Second)
		equal(t, "leads", n.IsLeader(), true)
		// B147, B145: someone takes the row away.
		row, err := store.Election().Inspect(t.Context(), "scheduling.jobs")
		if err != nil || !row.Found || row.Lease.Holder != "a" {
			t.Fatalf("row: %+v %v", row, err)
		}
		if err := store.Election().Release(t.Context(), "scheduling.jobs", row.Lease.Token); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Election().TryAcquire(t.Context(), provider.LeaseRequest{
			Resource: "scheduling.jobs", Holder: "thief", Token: "t", TTL: 30 * time.Second}); err != nil {
			t.Fatal(err)
		}
		sleep(11 * time.Second)
		equal(t, "leads", n.IsLeader(), false)
		sleep(31 * time.Second)
		equal(t, "leads again after the TTL", n.IsLeader(), true)
		n.stopClean()
	})
}

// D26: a row whose expiry is out of reach, because the store's clock has
// stepped back, counts as expired once it has stood still for its TTL; one that
// is renewed does not.
func TestLeaseUnderSteppedClock(t *testing.T) {
	bubble(t, func(t *testing.T) {
		step := 1000 * time.Hour
		store := newStore(t, inmemory.Options{Now: func() time.Time { return time.Now().Add(step) }})
		if _, err := store.Election().TryAcquire(t.Context(), provider.LeaseRequest{
			Resource: "scheduling.jobs", Holder: "dead", Token: "t", TTL: 30 * time.Second}); err != nil {
			t.Fatal(err)
		}
		step = 0
		n := newNode(t, store, scheduling.Options{NodeID: "a"}).run()
		sleep(25 * time.Second)
		equal(t, "not yet", n.IsLeader(), false)
		sleep(30 * time.Second)
		equal(t, "taken", n.IsLeader(), true)
		n.stopClean()
	})
}

// D26, B166: a database clock that steps forward convicts nobody who goes on
// beating, because the row has not been watched standing still; one that steps
// back delays, and recovers.
func TestSteppedClockConvictsNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var step atomic.Int64
		store := newStore(t, inmemory.Options{Now: func() time.Time { return time.Now().Add(time.Duration(step.Load())) }})
		make := func(id string) *node {
			n := newNode(t, store, scheduling.Options{NodeID: id})
			n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error {
				select {
				case <-time.After(5 * time.Minute):
				case <-ctx.Done():
				}
				return ctx.Err()
			})
			n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true})
			return n.run()
		}
		a, b := make("a"), make("b")
		for range 6 {
			if _, err := a.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(7 * time.Second)
		for _, d := range []time.Duration{time.Hour, 0, 2 * time.Hour, -time.Hour} {
			step.Store(int64(d))
			sleep(25 * time.Second)
		}
		step.Store(0)
		sleep(6 * time.Minute)
		for _, n := range []*node{a, b} {
			if c := n.log.count("declared dead"); c != 0 {
				t.Errorf("%s: %d convictions:\n%s", n.NodeID(), c, n.log.text())
			}
			n.stopClean()
		}
		equal(t, "states", states(t, store, "x"),
			"Manual/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1 Manual/Succeeded/1")
	})
}

// R255, R120, R286: the leader purges; history older than the retention goes.
func TestPurge(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", HistoryRetention: 10 * time.Minute})
		n.Handle("x", nop)
		n.job(scheduling.NewJob("x", scheduling.MustEvery(time.Minute)))
		n.run()
		sleep(30*time.Minute + 30*time.Second)
		if runs := len(history(t, store, "x")); runs < 10 || runs > 12 {
			t.Errorf("%d runs kept", runs)
		}
		n.stopClean()
		keep := newNode(t, store, scheduling.Options{NodeID: "b", HistoryRetention: scheduling.Forever})
		keep.Handle("x", nop)
		keep.run()
		before := len(history(t, store, "x"))
		sleep(30 * time.Minute)
		if runs := len(history(t, store, "x")); runs < before+29 {
			t.Errorf("%d runs of at least %d", runs, before+29)
		}
		keep.stopClean()
	})
}

// R071, R075: leases of the application's own.
func TestAcquireLease(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		a, b := newNode(t, store, scheduling.Options{NodeID: "a"}), newNode(t, store, scheduling.Options{NodeID: "b"})
		for _, bad := range []struct {
			resource string
			ttl      time.Duration
		}{{"Bad Name", time.Minute}, {"scheduling.jobs", time.Minute}, {"mine", time.Second}} {
			if _, err := a.AcquireLease(t.Context(), bad.resource, bad.ttl); !errors.Is(err, scheduling.ErrInvalidDefinition) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		lease, err := a.AcquireLease(t.Context(), "mine", 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "holder", lease.Holder(), "a")
		equal(t, "held", lease.IsHeld(), true)
		equal(t, "until", lease.ExpiresAt().Sub(start2000), 18*time.Second)
		for _, n := range []*node{a, b} {
			if _, err := n.AcquireLease(t.Context(), "mine", 20*time.Second); !errors.Is(err, scheduling.ErrLeaseHeld) {
				t.Errorf("%s: %v (R060, R061)", n.NodeID(), err)
			}
		}
		sleep(15 * time.Second)
		if err := lease.Renew(t.Context()); err != nil {
			t.Error(err)
		}
		sleep(17 * time.Second)
		equal(t, "held after renewal", lease.IsHeld(), true)
		sleep(time.Second)
		equal(t, "not trusted for the margin", lease.IsHeld(), false)
		sleep(3 * time.Second)
		next, err := b.AcquireLease(t.Context(), "mine", 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if next.Fence() <= lease.Fence() {
			t.Errorf("fences %d, then %d", lease.Fence(), next.Fence())
		}
		if err := lease.Renew(t.Context()); !errors.Is(err, scheduling.ErrLeaseHeld) {
			t.Errorf("late renewal: %v (R065)", err)
		}
		if err := lease.Release(t.Context()); err != nil {
			t.Errorf("late release: %v", err)
		}
		equal(t, "B147", next.IsHeld(), true)
		if err := next.Renew(t.Context()); err != nil {
			t.Errorf("the late release must not free it: %v", err)
		}
		for range 2 {
			if err := next.Release(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if _, err := a.AcquireLease(t.Context(), "mine", 20*time.Second); err != nil {
			t.Errorf("after the release: %v", err)
		}
	})
}

// D25, D26: where the store's clock steps ahead every row looks old at once. A
// node whose heartbeat is only slow is not convicted before it has given its
// runs up itself.
func TestSteppedClockAndSlowHeartbeat(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var step atomic.Int64
		store := newStore(t, inmemory.Options{Now: func() time.Time { return time.Now().Add(time.Duration(step.Load())) }})
		leader := newNode(t, store, scheduling.Options{NodeID: "leader"}).run()
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var cause error
		n.Handle("x", func(ctx context.Context, _ *scheduling.Run) error {
			<-ctx.Done()
			cause = context.Cause(ctx)
			return nil
		})
		n.job(scheduling.JobDefinition{Name: "x"})
		n.run()
		sleep(5 * time.Second)
		go func() {
			_, _ = n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
		}()
		sleep(6 * time.Second)
		strike := func(op string) error {
			if op == "Heartbeat" {
				return provider.Unavailable(op, errAway)
			}
			return nil
		}
		n.link.setStrike(strike)
		step.Store(int64(time.Hour))
		sleep(50 * time.Second)
		n.link.setStrike(nil)
		sleep(10 * time.Second)
		equal(t, "slow for 50 s", states(t, store, "x"), "Manual/Running/1")
		n.link.setStrike(strike)
		sleep(100 * time.Second)
		equal(t, "silent for 100 s", states(t, store, "x"), "Manual/Lost/1")
		if !errors.Is(cause, scheduling.ErrIsolated) {
			t.Errorf("it must have given the run up itself: %v", cause)
		}
		n.link.setStrike(nil)
		n.stopClean()
		leader.stopClean()
	})
}
