package scheduling_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

func stored(t *testing.T, n *node, name string) scheduling.JobRecord {
	t.Helper()
	jobs, err := n.link.Store.Jobs(t.Context(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) == 0 {
		return scheduling.JobRecord{}
	}
	return jobs[0]
}

// R243–R247, B154, B155: a change at run time outlives restarts until the code
// changes, which then wins with one warning; the pause outlives both.
func TestCodeJobEdits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		start := func(id, expr string, version int64) *node {
			n := newNode(t, store, scheduling.Options{NodeID: id, CodeVersion: version})
			n.Handle("x", nop)
			n.job(scheduling.NewJob("x", scheduling.MustCron(expr, "")))
			n.run()
			sleep(2 * time.Second)
			return n
		}
		schedule := func() string { return trigger(t, store, "x", "default").Schedule }
		n := start("a", "*/10 * * * * *", 0)
		code := schedule()
		if err := n.Schedule(t.Context(), scheduling.NewJob("x", scheduling.MustCron("*/2 * * * * *", ""))); err != nil {
			t.Fatal(err)
		}
		edited := schedule()
		if err := n.Pause(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		equal(t, "source", stored(t, n, "x").Source, scheduling.SourceOverridden)
		n.stopClean()

		n = start("b", "*/10 * * * * *", 0)
		equal(t, "kept", schedule(), edited)
		equal(t, "paused", stored(t, n, "x").Paused, true)
		n.stopClean()

		n = start("c", "*/5 * * * * *", 0)
		if s := schedule(); s == edited || s == code {
			t.Errorf("the changed code must win: %s", s)
		}
		equal(t, "source", stored(t, n, "x").Source, scheduling.SourceCode)
		equal(t, "paused", stored(t, n, "x").Paused, true)
		equal(t, "warnings", n.log.count("change made to it at run time is gone"), 1)
		n.stopClean()

		// D40: a lower version never overwrites a higher one.
		n = start("d", "*/7 * * * * *", 2)
		seven := schedule()
		n.stopClean()
		n = start("e", "*/5 * * * * *", 1)
		equal(t, "kept", schedule(), seven)
		equal(t, "logged", n.log.count("newer version of the program"), 1)
		n.stopClean()
	})
}

// B158, D28: many processes write the same code job at once; none fails.
func TestSimultaneousStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		var nodes []*node
		for i := range 20 {
			n := newNode(t, store, scheduling.Options{NodeID: string(rune('a' + i))})
			n.Handle("x", nop)
			n.job(scheduling.NewJob("x", scheduling.MustEvery(time.Second)))
			nodes = append(nodes, n)
		}
		for _, n := range nodes {
			n.run()
		}
		sleep(10 * time.Second)
		if runs := len(history(t, store, "x")); runs < 8 || runs > 10 {
			t.Errorf("%d runs in 10 s", runs)
		}
		for _, n := range nodes {
			equal(t, "failures", n.log.count("write code jobs failed"), 0)
			n.stopClean()
		}
	})
}

// D40: stored code jobs that no code declares stay, unless PruneCodeJobs.
func TestPrune(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("x", nop)
		n.job(scheduling.JobDefinition{Name: "old", Handler: "x"})
		n.run()
		sleep(time.Second)
		if err := n.Schedule(t.Context(), scheduling.JobDefinition{Name: "own", Handler: "x"}); err != nil {
			t.Fatal(err)
		}
		n.stopClean()
		for _, prune := range []bool{false, true} {
			n = newNode(t, store, scheduling.Options{NodeID: "b", PruneCodeJobs: prune})
			n.Handle("x", nop)
			n.job(scheduling.JobDefinition{Name: "new", Handler: "x"})
			n.run()
			sleep(time.Second)
			equal(t, "old is there", stored(t, n, "old").Name == "old", !prune)
			equal(t, "own is there", stored(t, n, "own").Name, "own")
			n.stopClean()
		}
	})
}

// R144, R241, R194, issue 2: every fault of the registration is reported at
// once, and nothing is written.
func TestRegistrationFaults(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		n.Handle("twice", nop)
		n.Handle("twice", nop)
		n.Handle("", nop)
		n.Handle("nil", nil)
		n.Use(nil)
		n.job(scheduling.JobDefinition{Name: "x", Handler: "twice"})
		if err := n.AddJob(scheduling.JobDefinition{Name: "x"}); !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("two jobs of one name: %v", err)
		}
		if err := n.AddJob(scheduling.JobDefinition{Name: "Bad"}); !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("bad name: %v", err)
		}
		n.job(scheduling.JobDefinition{Name: "y", Handler: "unknown", Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustCron("0 0 6 * * *", "").WithCalendar("holidays")}}})
		if err := n.AddCalendar("c", nil); !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("nil calendar: %v", err)
		}
		err := n.Run(t.Context())
		for _, part := range []string{`"twice"`, "handler key", "is nil", "middleware", "declared twice", `"Bad"`, `"unknown"`, `"holidays"`} {
			if err == nil || !contains(err.Error(), part) {
				t.Errorf("Run's error lacks %s: %v", part, err)
			}
		}
		if !errors.Is(err, scheduling.ErrHandlerNotFound) || !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("codes: %v", err)
		}
		jobs, _ := store.ListJobs(t.Context(), "", 0)
		nodes, _ := store.ListNodes(t.Context())
		equal(t, "written", len(jobs)+len(nodes.Nodes), 0)

		late := newNode(t, store, scheduling.Options{NodeID: "b"})
		late.run()
		late.Handle("late", nop)
		if err := late.AddJob(scheduling.JobDefinition{Name: "z"}); !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("AddJob after Run: %v", err)
		}
		equal(t, "late handler logged", late.log.count("registered too late"), 1)
		late.stopClean()
	})
}
