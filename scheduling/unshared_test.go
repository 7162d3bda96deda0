package scheduling_test

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D42, R260: on an unshared store without lease a node claims one-shots only;
// scheduled triggers wait for TTL + MisfireThreshold and then move on.
func TestUnsharedWithoutLease(t *testing.T) {
	bubble(t, func(t *testing.T) {
		outside := inmemory.New(inmemory.Options{})
		if _, err := outside.Election().TryAcquire(t.Context(), provider.LeaseRequest{
			Resource: "scheduling.jobs", Holder: "other", Token: "t", TTL: 10 * time.Minute}); err != nil {
			t.Fatal(err)
		}
		for _, long := range []bool{false, true} {
			store := inmemory.New(inmemory.Options{LongWay: long})
			begin := time.Now()
			n := newNode(t, store, scheduling.Options{NodeID: "a", Election: outside.Election()})
			n.Handle("x", nop)
			n.job(scheduling.NewJob("x", scheduling.MustCron("0 * * * * *", "")))
			n.run()
			sleep(time.Second)
			if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
			sleep(time.Second)
			equal(t, "one-shot", states(t, store, "x"), "Manual/Succeeded/1")
			first := trigger(t, store, "x", "default").ScheduledAt
			sleep(first.Add(85 * time.Second).Sub(time.Now()))
			equal(t, "still due", trigger(t, store, "x", "default").ScheduledAt, first)
			sleep(10 * time.Second)
			moved := trigger(t, store, "x", "default").ScheduledAt
			if !moved.After(first.Add(time.Minute)) {
				t.Errorf("moved from %v to %v", first, moved)
			}
			equal(t, "no run", len(history(t, store, "x")), 1)
			if time.Since(begin) > 5*time.Minute {
				t.Fatal("the other's lease expires")
			}
			n.stopClean()
			if err := store.CheckInvariants(); err != nil {
				t.Error(err)
			}
		}
	})
}

// D42: a node that comes back after an hour without any makes up what is due,
// although the lease of the one before it has not expired yet: it stands by for
// as long as that takes before it passes anything by.
func TestUnsharedComesBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, long := range []bool{false, true} {
			store := inmemory.New(inmemory.Options{LongWay: long})
			outside := inmemory.New(inmemory.Options{})
			options := scheduling.Options{NodeID: "a", Election: outside.Election()}
			n := newNode(t, store, options)
			n.Handle("x", nop)
			if err := n.Schedule(t.Context(), scheduling.NewJob("x", scheduling.MustCron("0 0 * * * *", ""))); err != nil {
				t.Fatal(err)
			}
			sleep(time.Hour + 3*time.Minute)
			if _, err := outside.Election().TryAcquire(t.Context(), provider.LeaseRequest{
				Resource: "scheduling.jobs", Holder: "dead", Token: "t", TTL: 25 * time.Second}); err != nil {
				t.Fatal(err)
			}
			n.run()
			sleep(time.Minute)
			equal(t, "made up", states(t, store, "x"), "Schedule/Succeeded/1")
			n.stopClean()
		}
	})
}

// R135: on an unshared store of its own a node leads, and runs everything.
func TestUnshared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := inmemory.New(inmemory.Options{})
		n := newNode(t, store, scheduling.Options{})
		n.Handle("x", nop)
		n.job(scheduling.NewJob("x", scheduling.MustEvery(time.Second)))
		n.run()
		sleep(10500 * time.Millisecond)
		equal(t, "runs", len(history(t, store, "x")), 10)
		nodes, _ := store.ListNodes(t.Context())
		equal(t, "node rows (R079)", len(nodes.Nodes), 0)
		n.stopClean()
	})
}
