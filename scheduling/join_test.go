package scheduling_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D06: a second process under a living node's id is refused, with since when
// and what to do, and the first one is not disturbed.
func TestSecondProcessIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		first := newNode(t, store, scheduling.Options{NodeID: "a"})
		first.Handle("tick", nop)
		first.job(scheduling.NewJob("tick", scheduling.MustEvery(time.Second)))
		first.run()
		sleep(5 * time.Second)
		nodes, _ := first.Nodes(t.Context())
		second := newNode(t, store, scheduling.Options{NodeID: "a"})
		began := time.Now()
		second.run()
		err := <-second.done
		if !errors.Is(err, scheduling.ErrNotServing) || !strings.Contains(err.Error(), "another process uses this node id since 2000-01-01T00:00:00Z") ||
			!strings.Contains(err.Error(), "Options.NodeID") {
			t.Errorf("err: %v", err)
		}
		if d := time.Since(began); d > 12*time.Second {
			t.Errorf("noticed after %v: the row moves every 10 s", d)
		}
		sleep(10 * time.Second)
		after, _ := first.Nodes(t.Context())
		equal(t, "incarnation", after[0].NodeRef, nodes[0].NodeRef)
		if len(history(t, store, "tick")) < 20 {
			t.Errorf("the first was disturbed")
		}
		first.stopClean()
	})
}

// D06: a dead predecessor of the same id is watched for its isolation limit,
// not for NodeTimeout, then taken over; its runs are swept at once, and its
// exclusive job runs again.
func TestTakeOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		dead := newNode(t, store, scheduling.Options{NodeID: "a"})
		dead.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		dead.job(scheduling.JobDefinition{Name: "x", RequestsRecovery: true})
		dead.run()
		if _, err := dead.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		dead.link.setCut(true)
		began := time.Now()
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", nop)
		n.run()
		sleep(65 * time.Second)
		equal(t, "watched for 70 s first", states(t, store, "x"), "Manual/Running/1")
		sleep(10 * time.Second)
		equal(t, "states", states(t, store, "x"), "Manual/Lost/1 Recovery/Succeeded/1")
		runs := history(t, store, "x")
		if d := runs[0].CompletedAt.Sub(began); d < 70*time.Second || d > 73*time.Second {
			t.Errorf("swept after %v", d)
		}
		// The predecessor, should it live after all, sees another use its id.
		dead.link.setCut(false)
		if err := <-dead.done; !errors.Is(err, scheduling.ErrNotServing) {
			t.Errorf("predecessor: %v", err)
		}
		n.stopClean()
	})
}

// D06: the predecessor's work is swept at once by whoever takes over, also
// where another node leads and would notice only with its next heartbeat.
func TestTakeOverSweepsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		leader := newNode(t, store, scheduling.Options{NodeID: "leader", HeartbeatInterval: 22 * time.Second})
		leader.run()
		sleep(11 * time.Second)
		dead := newNode(t, store, scheduling.Options{NodeID: "a", NodeTimeout: 12 * time.Second})
		dead.Handle("x", func(ctx context.Context, _ *scheduling.Run) error { <-ctx.Done(); return nil })
		dead.job(scheduling.JobDefinition{Name: "x"})
		dead.run()
		sleep(time.Second)
		told := make(chan error, 1)
		go func() { // on this node, whichever else could run it
			_, err := dead.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
			told <- err
		}()
		sleep(time.Second)
		dead.link.setCut(true)
		began := time.Now()
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", nop)
		n.run()
		sleep(12 * time.Second)
		equal(t, "leads", leader.IsLeader(), true)
		run := history(t, store, "x")[0]
		if d := run.CompletedAt.Sub(began); run.State != scheduling.RunLost || d > 10*time.Second+100*time.Millisecond {
			t.Errorf("%s after %v", run.State, d)
		}
		dead.link.setCut(false)
		<-dead.done
		if err := <-told; !errors.Is(err, scheduling.ErrRunNotFound) && err != nil {
			t.Errorf("Trigger on the dead node: %v", err)
		}
		leader.stopClean()
		n.stopClean()
	})
}

// D26: a store that was away for everybody convicts nobody: time in which a
// node saw nothing is not time for which it watched the others stand still.
func TestOutageConvictsNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		var nodes []*node
		for _, id := range []string{"a", "b", "c"} {
			// The first one back saw the others' last heartbeats.
			nodes = append([]*node{newNode(t, store, scheduling.Options{NodeID: id}).run()}, nodes...)
			sleep(2 * time.Second)
		}
		sleep(19 * time.Second)
		for _, n := range nodes {
			n.link.setCut(true)
		}
		sleep(3 * time.Minute)
		for _, n := range nodes { // one after another
			n.link.setCut(false)
			sleep(4 * time.Second)
		}
		sleep(time.Minute)
		for _, n := range nodes {
			equal(t, n.NodeID()+": convictions", n.log.count("declared dead"), 0)
			n.stopClean()
		}
	})
}

// D06: where the row names this boot, namespace and host and a process that
// does not exist, it is taken over at once.
func TestTakeOverAtOnce(t *testing.T) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, err2 := os.Readlink("/proc/self/ns/pid")
	host, err3 := os.Hostname()
	if err != nil || err2 != nil || err3 != nil {
		t.Logf("this system does not name its processes (%v, %v, %v): nothing is concluded from them", err, err2, err3)
		return
	}
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatalf("a process that ends: %v", err)
	}
	self := provider.ProcessIdentity{Host: host, Boot: strings.TrimSpace(string(boot)), Namespace: namespace, PID: int64(cmd.Process.Pid)}
	other := self
	other.Boot = "another boot"
	alive := self
	alive.PID = 1
	for _, c := range []struct {
		name    string
		process provider.ProcessIdentity
		waits   bool
	}{{"dead here", self, false}, {"another boot", other, true}, {"alive", alive, true}} {
		bubble(t, func(t *testing.T) {
			store := newStore(t, inmemory.Options{})
			_, err := store.Register(t.Context(), provider.RegisterRequest{Node: provider.NodeRecord{
				NodeRef: provider.NodeRef{ID: "a"}, Timeout: 90 * time.Second, HeartbeatInterval: 10 * time.Second, Process: c.process}})
			if err != nil {
				t.Fatal(err)
			}
			n := newNode(t, store, scheduling.Options{NodeID: "a"})
			n.Handle("x", nop)
			n.job(scheduling.JobDefinition{Name: "x"})
			n.run()
			sleep(time.Second)
			_, err = n.Trigger(t.Context(), scheduling.TriggerRequest{Job: "x"})
			equal(t, c.name+": waits", errors.Is(err, scheduling.ErrNotServing), c.waits)
			n.stopClean()
		})
	}
}

// B133, D36: a single failed heartbeat is repeated with the next poll and costs
// nothing; B159: a store that is away at the start is waited for, and due work
// runs within two polls of its return.
func TestStoreAwayAtStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		var beats notes
		fail := false
		n.link.setStrike(func(op string) error {
			if op == "Heartbeat" {
				beats.add(time.Since(start2000).String())
				if fail = !fail; fail {
					return provider.Unavailable(op, errAway)
				}
			}
			return nil
		})
		n.Handle("x", nop)
		n.job(scheduling.NewJob("x", scheduling.MustCron("*/2 * * * * *", "")))
		n.link.setCut(true)
		n.run()
		sleep(60 * time.Second)
		n.link.setCut(false)
		sleep(4 * time.Second)
		if runs := history(t, store, "x"); len(runs) == 0 || runs[0].StartedAt.Sub(at(60*time.Second)) > 3*time.Second {
			t.Errorf("runs: %v", runs)
		}
		sleep(40 * time.Second)
		times := beats.all()
		if len(times) < 8 {
			t.Errorf("heartbeats: %v: each failure is repeated after PollInterval", times)
		}
		n.stopClean()
	})
}

// The machine's state of many nodes: each claims, none twice (R007, R081).
func TestManyNodes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		var nodes []*node
		for i := range 8 {
			n := newNode(t, store, scheduling.Options{NodeID: string(rune('a' + i))})
			n.Handle("x", func(context.Context, *scheduling.Run) error { <-time.After(20 * time.Millisecond); return nil })
			n.job(scheduling.JobDefinition{Name: "x", AllowConcurrent: true, Triggers: []scheduling.TriggerDefinition{
				{Name: "t", Schedule: scheduling.MustCron("* * * * * *", "")}}})
			nodes = append(nodes, n.run())
		}
		sleep(500 * time.Millisecond)
		for range 200 {
			if _, err := nodes[0].Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		sleep(20 * time.Second)
		leaders := 0
		for _, n := range nodes {
			if n.IsLeader() {
				leaders++
			}
		}
		equal(t, "leaders", leaders, 1)
		for _, n := range nodes {
			n.stopClean()
		}
		seen := map[string]int{}
		for _, r := range history(t, store, "x") {
			if r.Kind == scheduling.KindManual {
				seen[r.TriggerName]++
			} else {
				seen[r.ScheduledAt.String()]++
			}
		}
		for key, times := range seen {
			if times != 1 {
				t.Errorf("%s ran %d times", key, times)
			}
		}
		if len(seen) < 219 {
			t.Errorf("%d runs", len(seen))
		}
	})
}
