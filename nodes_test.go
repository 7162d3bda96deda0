package gormsched

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// handClock is a clock that tests move by hand.
type handClock struct {
	mu  sync.Mutex
	now time.Time
}

func newHandClock() *handClock {
	return &handClock{now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
}

func (k *handClock) Now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}

func (k *handClock) add(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = k.now.Add(d)
}

func nodeNamed(id string) provider.NodeRecord {
	return provider.NodeRecord{
		NodeRef: provider.NodeRef{ID: id}, Timeout: 90 * time.Second, HeartbeatInterval: 10 * time.Second,
		Process: provider.ProcessIdentity{Host: "h", Boot: "b", Namespace: "n", PID: 7},
	}
}

func register(t *testing.T, s *JobStore, id string, replace *provider.NodeRecord) provider.RegisterAnswer {
	t.Helper()
	a, err := s.Register(context.Background(), provider.RegisterRequest{Node: nodeNamed(id), Replace: replace})
	if err != nil {
		t.Fatalf("Register: %v", err)
	}
	return a
}

// Of many processes that register one id at once exactly one gets the row, and
// all others find it (D06).
func TestRegisterAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		d.store(t, Options{})
		const processes = 6
		answers := make([]provider.RegisterAnswer, processes)
		var stores []*JobStore
		for range processes {
			stores = append(stores, d.bare(t, Options{}))
		}
		atOnce(processes, func(i int) {
			a, err := stores[i].Register(context.Background(), provider.RegisterRequest{Node: nodeNamed("same")})
			if err != nil {
				t.Errorf("process %d: %v", i, err)
			}
			answers[i] = a
		})
		won := 0
		for _, a := range answers {
			if a.Registered {
				won++
			}
			if a.Node.Incarnation != answers[0].Node.Incarnation || a.Node.Process.PID != 7 {
				t.Errorf("an answer has the row %+v, another %+v", a.Node, answers[0].Node)
			}
		}
		if won != 1 {
			t.Errorf("%d processes registered, want 1", won)
		}
	})
}

// A row is replaced only where it is still the one that was judged, and of two
// successors one loses.
func TestRegisterReplaces(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		first := register(t, s, "n", nil)
		if !first.Registered || first.Node.Version != 1 || !first.Node.HeartbeatAt.Equal(clock.Now()) || !first.Node.StartedAt.Equal(clock.Now()) {
			t.Fatalf("the first registration: %+v", first)
		}
		clock.add(time.Minute)
		if _, err := s.Heartbeat(context.Background(), first.Node.NodeRef); err != nil {
			t.Fatal(err)
		}
		if a := register(t, s, "n", &first.Node); a.Registered {
			t.Error("a row whose heartbeat has moved was replaced")
		}
		found := register(t, s, "n", nil).Node
		const successors = 4
		won := make([]bool, successors)
		atOnce(successors, func(i int) {
			a, err := d.bare(t, Options{Now: clock.Now}).Register(context.Background(), provider.RegisterRequest{Node: nodeNamed("n"), Replace: &found})
			if err != nil {
				t.Errorf("successor %d: %v", i, err)
			}
			won[i] = a.Registered
			if a.Registered && (a.Node.Incarnation <= found.Incarnation || a.Node.Version <= found.Version) {
				t.Errorf("the successor has incarnation %d after %d, version %d after %d", a.Node.Incarnation, found.Incarnation, a.Node.Version, found.Version)
			}
		})
		if n := count(won); n != 1 {
			t.Errorf("%d successors took the row over, want 1", n)
		}
	})
}

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// An incarnation is never used twice: not after the row is gone, with a clock
// that stands still, in another store, or while a run or a claim of the old one
// is left (D06).
func TestIncarnationsAreNeverReused(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		seen := map[int64]bool{}
		for i := range 5 {
			other := d.bare(t, Options{Now: clock.Now})
			a := register(t, other, "n", nil)
			if !a.Registered || seen[a.Node.Incarnation] {
				t.Fatalf("registration %d: %+v, incarnations before: %v", i, a, seen)
			}
			seen[a.Node.Incarnation] = true
			if gone, err := s.Deregister(ctx, a.Node.NodeRef); err != nil || !gone {
				t.Fatalf("Deregister: %v, %v", gone, err)
			}
			clock.add(-time.Duration(i) * time.Second)
		}
		// What another process has left, far in this clock's future.
		future := micros(clock.Now().Add(48 * time.Hour))
		run := frozenRuns[1]
		run.Node, run.Incarnation = "m", future
		if err := s.Record(ctx, []provider.RunRecord{run}); err != nil {
			t.Fatal(err)
		}
		if a := register(t, s, "m", nil); a.Node.Incarnation <= future {
			t.Errorf("the incarnation %d is not greater than %d, which a Running record carries", a.Node.Incarnation, future)
		}
		saveJobs(t, s, jobItem("a", waitingTrigger("t", us(1))))
		sqlExec(t, s, "UPDATE {{triggers}} SET trigger_state = 2, claim_id = 1, claimed_by = 'k', incarnation = ?", future)
		if a := register(t, s, "k", nil); a.Node.Incarnation <= future {
			t.Errorf("the incarnation %d is not greater than %d, which a claim carries", a.Node.Incarnation, future)
		}
	})
}

// A heartbeat belongs to one incarnation: after a conviction, or a successor's
// registration, it changes nothing and says so (D06, B137).
func TestHeartbeatIsConditional(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		old := register(t, s, "n", nil).Node
		register(t, s, "m", nil)
		clock.add(time.Second)
		b, err := s.Heartbeat(ctx, old.NodeRef)
		if err != nil || !b.Alive || len(b.Nodes) != 2 || b.Nodes[0].ID != "m" || !b.Nodes[1].HeartbeatAt.Equal(clock.Now()) || !b.Now.Equal(clock.Now()) {
			t.Fatalf("Heartbeat: %+v, %v", b, err)
		}
		successor := register(t, s, "n", &b.Nodes[1]).Node
		clock.add(time.Second)
		b, err = s.Heartbeat(ctx, old.NodeRef)
		if err != nil || b.Alive {
			t.Errorf("the predecessor's heartbeat: %+v, %v; want not alive", b, err)
		}
		if got := b.Nodes[1]; got != successor {
			t.Errorf("the predecessor's heartbeat changed the successor's row: %+v, was %+v", got, successor)
		}
	})
}

// Convicting needs the judged heartbeat and an age beyond the row's own
// timeout by the database's clock (D04, D26); of many judges one deletes.
func TestConvict(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		row := register(t, s, "n", nil).Node
		convict := func(judged provider.NodeRecord) bool {
			gone, err := s.Convict(ctx, judged)
			if err != nil {
				t.Fatal(err)
			}
			return gone
		}
		clock.add(90 * time.Second)
		if convict(row) {
			t.Error("convicted at the timeout, not after it")
		}
		clock.add(time.Microsecond)
		other := row
		other.Incarnation++
		moved := row
		moved.HeartbeatAt = moved.HeartbeatAt.Add(time.Microsecond)
		if convict(other) || convict(moved) {
			t.Error("convicted on a judgement of another incarnation or heartbeat")
		}
		const judges = 4
		won := make([]bool, judges)
		atOnce(judges, func(i int) {
			gone, err := d.bare(t, Options{Now: clock.Now}).Convict(ctx, row)
			if err != nil {
				t.Errorf("judge %d: %v", i, err)
			}
			won[i] = gone
		})
		if n := count(won); n != 1 {
			t.Errorf("%d judges deleted the row, want 1", n)
		}
	})
}

// A lost commit is found out: Register by the incarnation, Convict and
// Deregister by the row that only they can have deleted.
func TestNodesFindLostCommits(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s, w := d.wired(t, Options{Now: clock.Now})
		for name, f := range map[string]fault{"arrived": failAfter, "did not arrive": failBefore} {
			t.Run(name, func(t *testing.T) {
				w.reset(commits(f, 1))
				a := register(t, s, "n", nil)
				if !a.Registered {
					t.Fatalf("Register: %+v, want registered", a)
				}
				b, err := s.Heartbeat(ctx, a.Node.NodeRef)
				if err != nil || !b.Alive || len(b.Nodes) != 1 {
					t.Errorf("the incarnation answered is not the one stored: %+v, %v", b, err)
				}
				w.reset(commits(f, 1))
				again := register(t, s, "n", &b.Nodes[0])
				if !again.Registered || again.Node.Incarnation <= a.Node.Incarnation {
					t.Errorf("Register with Replace: %+v", again)
				}
				w.reset(commits(f, 1))
				clock.add(time.Hour)
				if gone, err := s.Convict(ctx, again.Node); err != nil || !gone {
					t.Errorf("Convict: %v, %v, want true", gone, err)
				}
				a = register(t, s, "n", nil)
				w.reset(commits(f, 1))
				if gone, err := s.Deregister(ctx, a.Node.NodeRef); err != nil || !gone {
					t.Errorf("Deregister: %v, %v, want true", gone, err)
				}
				w.reset(nil)
				if gone, err := s.Deregister(ctx, a.Node.NodeRef); err != nil || gone {
					t.Errorf("Deregister again: %v, %v, want false", gone, err)
				}
			})
		}
	})
}
