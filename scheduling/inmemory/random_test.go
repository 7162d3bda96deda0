package inmemory

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Any sequence of operations, faults, panics, held rows and clock steps keeps
// the invariants; an error that says so has changed nothing; and whatever is
// left, nodes that die, a sweep and a drain bring to an end (D04, D35).
func TestRandomHistories(t *testing.T) {
	seeds := 15
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, uint64(seed))
			for range 150 {
				w.step()
			}
			w.windUp()
		})
	}
}

// world is a store under random use by two nodes.
type world struct {
	*fixture
	*rand.Rand
	nodes  []provider.NodeRef
	claims []provider.Claimed
	begun  []provider.Begun
	quiet  bool
	began  map[string]bool // ids of runs that began, to see none begin twice
}

var (
	worldJobs  = []string{"a", "b", "c"}
	worldShots = numbered(40)
)

func newWorld(t *testing.T, seed uint64) *world { return newWorldWith(t, seed, Options{}) }

func newWorldWith(t *testing.T, seed uint64, options Options) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 0)), began: map[string]bool{}}
	options.Shared, options.MaxRuns = true, 20+w.IntN(60)
	options.Fault = func(_ string, phase Phase) error {
		if !w.quiet && w.IntN(25) == 0 {
			return fmt.Errorf("fault %v", phase)
		}
		return nil
	}
	options.Held = func(_, job string) bool { return !w.quiet && job != "c" && w.IntN(12) == 0 }
	w.quiet = true
	w.fixture = newFixture(t, options)
	w.nodes = []provider.NodeRef{w.node, w.register("m")}
	w.save(exclusiveJob("a"), due("cron", start))
	w.save(exclusiveJob("b"), due("every", start))
	w.save(concurrentJob("c"), due("cron", start), due("every", start))
	w.quiet = false
	return w
}

// decide answers anything, legal or not.
func (w *world) decide(c provider.Candidate) provider.Decision {
	switch n := w.IntN(40); {
	case n < 4:
		return skip(c)
	case n < 5:
		return provider.Decision{Action: provider.Advance, After: provider.Progress{Next: provider.Next{State: provider.TriggerError}, ErrorCode: "E"}}
	case n < 9:
		return provider.Decision{Action: provider.Action(w.IntN(7)), After: provider.Progress{Next: waitingAt(c.Now.Add(time.Minute))}}
	case n < 10 && !w.quiet:
		panic("in a decision")
	case c.Trigger.Trigger == "every":
		return fly(c)
	}
	return startOrBlock(c)
}

// step does one thing and judges it.
func (w *world) step() {
	w.t.Helper()
	before := w.state()
	op, err := w.act()
	if err != nil && !errors.Is(err, provider.ErrOutcomeUnknown) && !reflect.DeepEqual(before, w.state()) {
		w.t.Errorf("%s changed the state and answered %v", op, err)
	}
	if err := w.CheckInvariants(); err != nil {
		w.t.Fatalf("after %s: %v", op, err)
	}
}

func (w *world) act() (op string, err error) {
	job := worldJobs[w.IntN(len(worldJobs))]
	names := []string{"cron", "every", provider.PrefixManual + worldShots[w.IntN(len(worldShots))]}
	k := key(job, names[w.IntN(len(names))])
	node := w.nodes[w.IntN(len(w.nodes))]
	switch w.IntN(17) {
	case 0:
		w.clock = w.clock.Add(time.Duration(w.IntN(120)-20) * time.Minute)
		return "a clock step", nil
	case 1, 2:
		shots := []provider.TriggerRecord{}
		for _, name := range worldShots[:1+w.IntN(len(worldShots))] {
			shots = append(shots, provider.TriggerRecord{TriggerKey: key(job, provider.PrefixManual+name)})
		}
		_, err = w.Enqueue(w.ctx, shots)
		return "Enqueue", err
	case 3, 4:
		req := w.claimRequest(1+w.IntN(6), w.decide)
		req.Node = node
		a, err := w.Claim(w.ctx, req)
		for _, item := range a.Items {
			if item.Outcome == provider.OutcomeAcquired {
				w.claims = append(w.claims, provider.Claimed{Trigger: w.triggers[item.Trigger.TriggerKey]})
			}
		}
		w.note(a.Items)
		return "Claim", err
	case 5:
		a, err := w.Acquire(w.ctx, provider.AcquireRequest{Node: node, ClaimID: w.claimID(), Limit: 1 + w.IntN(6)})
		w.claims = append(w.claims, a.Claimed...)
		return "Acquire", err
	case 6, 7:
		req := provider.BeginRequest{Node: node, Decide: w.decide}
		for range w.IntN(4) {
			if len(w.claims) > 0 {
				c := w.claims[w.IntN(len(w.claims))].Trigger
				req.Items = append(req.Items, provider.BeginItem{Key: c.TriggerKey, ClaimID: c.ClaimID, RunID: w.runIDs(1)[0]})
			}
		}
		a, err := w.Begin(w.ctx, req)
		w.note(a.Items)
		return "Begin", err
	case 8, 9:
		req := provider.CompleteRequest{Node: node}
		for range w.IntN(4) {
			if len(w.begun) > 0 {
				req.Items = append(req.Items, w.completion(w.begun[w.IntN(len(w.begun))]))
			}
		}
		_, err = w.Complete(w.ctx, req)
		return "Complete", err
	case 10:
		a, err := w.Start(w.ctx, provider.StartRequest{Node: node, Runs: []provider.RunRecord{{ID: w.runIDs(1)[0], Job: job}}})
		w.note(a.Items)
		return "Start", err
	case 11:
		if w.IntN(2) == 0 {
			_, err = w.PauseJobs(w.ctx, []string{job})
			return "PauseJobs", err
		}
		_, err = w.ResumeJobs(w.ctx, []string{job})
		return "ResumeJobs", err
	case 12:
		if w.IntN(2) == 0 {
			_, err = w.PauseTriggers(w.ctx, []provider.TriggerKey{k})
			return "PauseTriggers", err
		}
		_, err = w.ResumeTriggers(w.ctx, []provider.TriggerKey{k})
		return "ResumeTriggers", err
	case 13:
		return w.manage(job, k)
	case 14:
		req := provider.ReleaseRequest{Node: node}
		for _, c := range w.claims {
			req.Items = append(req.Items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: c.Trigger.ClaimID})
		}
		_, err = w.Release(w.ctx, req)
		return "Release", err
	case 15:
		_, err = w.Sweep(w.ctx, provider.SweepRequest{Limit: 1 + w.IntN(5), Recover: recovery})
		return "Sweep", err
	default:
		i := w.IntN(len(w.nodes))
		if _, err = w.Deregister(w.ctx, w.nodes[i]); err != nil {
			return "Deregister", err
		}
		if a, err := w.Register(w.ctx, provider.RegisterRequest{Node: provider.NodeRecord{
			NodeRef: provider.NodeRef{ID: w.nodes[i].ID}}}); err == nil && a.Registered {
			w.nodes[i] = a.Node.NodeRef
		}
		return "a node that dies", nil
	}
}

func (w *world) manage(job string, k provider.TriggerKey) (op string, err error) {
	switch w.IntN(4) {
	case 0:
		_, err = w.RemoveTriggers(w.ctx, []provider.TriggerKey{k})
		return "RemoveTriggers", err
	case 1:
		_, err = w.DeleteJobs(w.ctx, []string{job})
		return "DeleteJobs", err
	case 2:
		_, err = w.Reschedule(w.ctx, []provider.RescheduleItem{{Key: k, Version: w.triggers[k].Version,
			Next: waitingAt(w.clock.Add(time.Duration(w.IntN(100)-50) * time.Minute))}})
		return "Reschedule", err
	}
	item := provider.SaveItem{Job: exclusiveJob(job), KeepProgress: w.IntN(2) == 0}
	item.Job.AllowConcurrent = w.IntN(3) == 0
	item.Job.RequestsRecovery = w.IntN(2) == 0
	for _, name := range []string{"cron", "every"} {
		row := due(name, w.clock.Add(time.Duration(w.IntN(100)-50)*time.Minute))
		row.Schedule = fmt.Sprint("text ", w.IntN(2))
		if w.IntN(4) > 0 {
			item.Triggers = append(item.Triggers, row)
		}
	}
	_, err = w.SaveJobs(w.ctx, []provider.SaveItem{item})
	return "SaveJobs", err
}

func (w *world) note(items []provider.Begun) {
	for _, item := range items {
		if item.Outcome == provider.OutcomeStarted {
			if w.began[item.Run.ID] {
				w.t.Errorf("run %s began twice", item.Run.ID)
			}
			w.began[item.Run.ID] = true
			w.begun = append(w.begun, item)
		}
	}
}

func (w *world) completion(b provider.Begun) provider.Completion {
	c := provider.Completion{RunID: b.Run.ID, Job: b.Run.Job, State: provider.RunFailed}
	c.Trigger, c.ClaimID = b.Trigger.TriggerKey, w.triggers[b.Trigger.TriggerKey].ClaimID
	flies := b.After.State == provider.TriggerAcquired
	c.Settle = func(at time.Time) (s provider.Settlement) {
		if flies {
			next := waitingAt(at.Add(time.Minute))
			s.Trigger = &next
		}
		if w.IntN(3) == 0 {
			s.Insert = &provider.TriggerRecord{TriggerKey: key(b.Run.Job, provider.PrefixRetry+b.Run.ID), NextFireAt: at.Add(time.Minute)}
		}
		return s
	}
	return c
}

// windUp lets all nodes die, and sees that nothing is left that no operation
// leads out of.
func (w *world) windUp() {
	w.quiet = true
	for _, n := range w.nodes {
		_, err := w.Deregister(w.ctx, n)
		w.ok(err)
	}
	for more := true; more; {
		a, err := w.Sweep(w.ctx, provider.SweepRequest{Recover: recovery})
		w.ok(err)
		more = a.More
	}
	if n := w.running.len() + w.acquired.len(); n != 0 {
		w.t.Fatalf("%d runs and claims are left after the sweep", n)
	}
	for _, job := range worldJobs {
		_, err := w.ResumeJobs(w.ctx, []string{job})
		w.ok(err)
	}
	w.node = w.register("last")
	w.clock = w.clock.Add(24 * time.Hour)
	for pass := range 600 {
		a := w.claim(4, startOrBlock)
		for _, item := range a.Items {
			if item.Outcome == provider.OutcomeStarted {
				w.finish(item.Run)
			}
		}
		if len(a.Items) == 0 && a.Blocked == 0 {
			break
		}
		if pass == 599 {
			w.t.Fatal("the store does not come to rest")
		}
	}
	for k, row := range w.triggers {
		if row.State == provider.TriggerBlocked || row.State == provider.TriggerWaiting && !row.NextFireAt.After(w.clock) {
			w.t.Errorf("%v is still %v", k, row.State)
		}
	}
}
