package inmemory

import (
	"slices"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

func recovery(run provider.RunRecord, job provider.JobRecord, now time.Time) (provider.TriggerRecord, bool) {
	return provider.TriggerRecord{TriggerKey: key(run.Job, provider.PrefixRecovery+run.ID), RunAs: provider.KindRecovery}, job.RequestsRecovery
}

// D04: each item whole, at most Limit per transaction, until nothing is left.
func TestSweepIsWholePerItem(t *testing.T) {
	f := newFixture(t, Options{Shared: true})
	job := exclusiveJob("a")
	job.RequestsRecovery = true
	f.save(job, due("every", start))
	f.enqueue("a", numbered(20)...)
	f.save(concurrentJob("c"), due("x", start), due("y", start))
	run := f.claim(1, fly).Items[0].Run
	f.claim(1, startOrBlock) // blocks nothing more
	f.acquire(2)
	if _, err := f.Convict(f.ctx, f.state()["node n"].(provider.NodeRecord)); err != nil {
		t.Fatal(err)
	}
	if len(f.nodes) != 1 {
		t.Fatal("a node was convicted that is not silent for longer than its Timeout (D26)")
	}
	f.clock = start.Add(91 * time.Second)
	if gone, err := f.Convict(f.ctx, f.state()["node n"].(provider.NodeRecord)); !gone || err != nil {
		t.Fatalf("convicted %v, %v", gone, err)
	}
	var lost, returned []string
	for pass := 1; ; pass++ {
		a, err := f.Sweep(f.ctx, provider.SweepRequest{Limit: 1, Recover: recovery})
		f.ok(err)
		f.check()
		if n := len(a.Lost); n > 1 || n+len(a.Returned) > 2 {
			t.Errorf("pass %d did %+v, more than one item", pass, a)
		}
		for _, r := range a.Lost {
			lost = append(lost, r.ID)
			if r.State != provider.RunLost || !r.CompletedAt.Equal(f.clock) {
				t.Errorf("lost run %+v", r)
			}
		}
		for _, k := range a.Returned {
			returned = append(returned, k.String())
		}
		if pass == 1 && a.HandedBack != 16 {
			t.Errorf("handed back %d with the run, want 16 (D35)", a.HandedBack)
		}
		if !a.More {
			break
		}
	}
	if !slices.Contains(lost, run.ID) || !slices.Contains(returned, "a/every") {
		t.Errorf("lost %v, returned %v; want the run and its interval trigger among them", lost, returned)
	}
	every := f.trigger(key("a", "every"))
	if every.State != provider.TriggerWaiting || !every.NextFireAt.Equal(f.clock) || !every.ScheduledAt.Equal(f.clock) || every.ClaimID != 0 {
		t.Errorf("the interval trigger is %+v, want it due now (R052)", every)
	}
	shot := f.trigger(key("a", provider.PrefixRecovery+run.ID))
	if shot.State != provider.TriggerWaiting || !shot.NextFireAt.Equal(f.clock) || !shot.Exclusive {
		t.Errorf("the recovery one-shot is %+v", shot)
	}
	if f.job("a").ActiveRunID != "" || f.acquired.len() != 0 || f.running.len() != 0 {
		t.Error("something is left occupied, claimed or running")
	}
}

// A claim for the next occurrence is an item of its own beside the run of the
// one before (D04).
func TestSweepCountsTheNextClaimApart(t *testing.T) {
	f := newFixture(t, Options{Shared: true})
	f.save(concurrentJob("a"), due("cron", start))
	f.claim(1, startOrBlock)
	f.clock = start.Add(time.Hour)
	f.acquire(1)
	_, err := f.Deregister(f.ctx, f.node)
	f.ok(err)
	for pass, want := range []struct{ lost, returned int }{{1, 0}, {0, 1}} {
		a, err := f.Sweep(f.ctx, provider.SweepRequest{Limit: 1})
		f.ok(err)
		if len(a.Lost) != want.lost || len(a.Returned) != want.returned || a.More != (pass == 0) {
			t.Errorf("pass %d: %+v, want %+v", pass, a, want)
		}
	}
}

// D08, D11: what comes back flagged is Paused; recovery is born Paused in a
// paused job, though not where a trigger of its name exists.
func TestSweepOfAPausedJob(t *testing.T) {
	f := newFixture(t, Options{Shared: true})
	job := concurrentJob("a")
	job.RequestsRecovery = true
	f.save(job, due("every", start), due("x", start.Add(time.Microsecond)))
	run := f.claim(1, fly).Items[0].Run
	f.clock = start.Add(time.Second)
	f.acquire(1)
	_, err := f.PauseJobs(f.ctx, []string{"a"})
	f.ok(err)
	_, err = f.Deregister(f.ctx, f.node)
	f.ok(err)
	_, err = f.Sweep(f.ctx, provider.SweepRequest{Recover: recovery})
	f.ok(err)
	if got, want := f.names("a", provider.TriggerPaused), []string{"every", provider.PrefixRecovery + run.ID, "x"}; !slices.Equal(got, want) {
		t.Errorf("Paused are %v, want %v", got, want)
	}
	if x := f.trigger(key("a", "x")); !x.NextFireAt.Equal(start.Add(time.Microsecond)) {
		t.Errorf("the claim that was not begun came back due at %v, want its own instant", x.NextFireAt)
	}
}

// R209: an unshared store loses nothing, because nobody registers or beats.
func TestUnsharedSweepsNothing(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(concurrentJob("a"), due("x", start))
	f.claim(1, startOrBlock)
	_, err := f.Deregister(f.ctx, f.node)
	f.ok(err)
	a, err := f.Sweep(f.ctx, provider.SweepRequest{Recover: recovery})
	f.ok(err)
	if len(a.Lost) != 0 || a.More {
		t.Errorf("swept %+v", a)
	}
}

// R053: the net hands back what no transaction did.
func TestSweepNet(t *testing.T) {
	f := newFixture(t, Options{})
	f.save(exclusiveJob("a"))
	strandBehind(f, 20)
	if err := f.CheckInvariants(); err == nil {
		t.Fatal("stranded triggers go unnoticed")
	}
	a, err := f.Sweep(f.ctx, provider.SweepRequest{})
	f.ok(err)
	if a.HandedBack != 16 {
		t.Errorf("handed back %d, want 16", a.HandedBack)
	}
}

// D06: a new incarnation is greater than any before, also where the row is
// gone and the clock stands still or steps back.
func TestIncarnationsAreNeverReused(t *testing.T) {
	f := newFixture(t, Options{Shared: true})
	last := f.node.Incarnation
	if last != start.UnixMicro() {
		t.Errorf("the first incarnation is %d, want the store's microseconds", last)
	}
	for _, step := range []time.Duration{0, -time.Hour, time.Minute} {
		f.clock = f.clock.Add(step)
		_, err := f.Deregister(f.ctx, provider.NodeRef{ID: "n", Incarnation: last})
		f.ok(err)
		next := f.register("n").Incarnation
		if next <= last {
			t.Errorf("incarnation %d follows %d", next, last)
		}
		last = next
	}
}

// D06: a row of the id is replaced only if it is still the one judged.
func TestRegisterReplacesTheJudged(t *testing.T) {
	f := newFixture(t, Options{Shared: true})
	judged := f.state()["node n"].(provider.NodeRecord)
	req := provider.RegisterRequest{Node: provider.NodeRecord{NodeRef: provider.NodeRef{ID: "n"}}}
	a, err := f.Register(f.ctx, req)
	f.ok(err)
	if a.Registered || a.Node != judged {
		t.Errorf("without Replace: %+v, want the row found", a)
	}
	f.clock = start.Add(time.Second)
	_, err = f.Heartbeat(f.ctx, f.node)
	f.ok(err)
	req.Replace = &judged
	if a, _ = f.Register(f.ctx, req); a.Registered {
		t.Error("a row that has moved was replaced")
	}
	now := a.Node
	req.Replace = &now
	if a, _ = f.Register(f.ctx, req); !a.Registered || a.Node.Incarnation <= judged.Incarnation {
		t.Errorf("with the row as it is: %+v, want it replaced", a)
	}
	beat, err := f.Heartbeat(f.ctx, judged.NodeRef)
	f.ok(err)
	if beat.Alive || len(beat.Nodes) != 1 || beat.Nodes[0] != a.Node {
		t.Errorf("the predecessor's heartbeat: %+v, want not alive and nothing written", beat)
	}
}

// An interval trigger in flight goes with its run, also where the job's row is
// held when the pass comes to the run and free when it comes to the claims
// (D04).
func TestSweepLeavesATriggerInFlightWithItsRun(t *testing.T) {
	asked := 0
	f := newFixture(t, Options{Shared: true, Held: func(op, _ string) bool {
		if op == "Sweep" {
			asked++
		}
		return op == "Sweep" && asked == 1
	}})
	f.save(concurrentJob("a"), due("every", start))
	run := f.claim(1, fly).Items[0].Run
	_, err := f.Deregister(f.ctx, f.node)
	f.ok(err)
	for pass, want := range []int{0, 1} {
		a, err := f.Sweep(f.ctx, provider.SweepRequest{})
		f.ok(err)
		f.check()
		if len(a.Lost) != want || len(a.Returned) != want || a.More != (pass == 0) {
			t.Errorf("pass %d: %+v, want %d lost with its trigger", pass, a, want)
		}
		if flies := f.trigger(key("a", "every")).State == provider.TriggerAcquired; flies != (pass == 0) {
			t.Errorf("pass %d: run %s is %v, and its trigger is in flight: %v", pass, run.ID, f.runs[run.ID].State, flies)
		}
	}
}
