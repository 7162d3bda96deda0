package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// D33: None > Error > Paused > Executing > Blocked > Complete > Normal.
func TestConditions(t *testing.T) {
	names := ""
	for c := scheduling.ConditionNone; c <= scheduling.ConditionNormal; c++ {
		names += c.String() + " "
	}
	equal(t, "precedence", names, "None Error Paused Executing Blocked Complete Normal ")
	equal(t, "unknown", scheduling.Condition(99).String(), "Condition(99)")
}

// R237: an unknown name has no status, which is no error.
func TestStatusOfNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		for _, name := range []string{"nobody", "", "No Body"} {
			s, found, err := d.Status(t.Context(), name)
			if found || err != nil || s.Condition != scheduling.ConditionNone {
				t.Errorf("%q: %+v %v %v", name, s, found, err)
			}
		}
		all, err := d.Statuses(t.Context())
		if err != nil || all == nil || len(all) != 0 {
			t.Errorf("all: %v, %v; want an empty list", all, err)
		}
	})
}

// R237: record, flag, triggers, running, latest, next.
func TestStatus(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		def := scheduling.JobDefinition{
			Name: "a", Handler: "work", Description: "d", AllowConcurrent: true, Data: scheduling.MustData(map[string]int{"x": 1}),
			Retry: scheduling.FixedRetry(1, time.Second), Timeout: time.Minute,
			Triggers: []scheduling.TriggerDefinition{
				{Name: "every", Schedule: scheduling.MustEvery(time.Minute), Priority: 5},
				{Name: "hourly", Schedule: scheduling.MustCron("0 0 * * * *", "Europe/Berlin"), Priority: 7, Misfire: scheduling.RunAll,
					Data: scheduling.MustData(map[string]int{"y": 1}), Description: "e"},
			},
		}
		d.define(def, scheduling.JobDefinition{Name: "b"})
		if _, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a", DueAt: monday.Add(time.Second), Key: "k"}); err != nil {
			t.Fatal(err)
		}
		s, found, err := d.Status(t.Context(), "a")
		if err != nil || !found {
			t.Fatal(found, err)
		}
		equal(t, "job", s.Job, d.job("a"))
		equal(t, "condition", s.Condition, scheduling.ConditionNormal)
		var rows []string
		for _, row := range s.Triggers {
			rows = append(rows, fmt.Sprint(row.Trigger.Trigger, " ", row.Condition))
		}
		equal(t, "triggers", strings.Join(rows, ", "), "every Normal, hourly Normal, manual-k Normal")
		if next, ok := s.NextRun(); !ok || !next.Equal(monday.Add(time.Second)) {
			t.Errorf("next run %v %v", next, ok)
		}
		if s.Latest != nil || len(s.Running) != 0 || s.Orphaned {
			t.Errorf("status %+v", s)
		}
		// Read, change, schedule again: what was not changed stays as it was.
		again, err := s.Definition()
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "definition", fmt.Sprint(again), fmt.Sprint(def))

		if err := d.Pause(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		s, _, _ = d.Status(t.Context(), "a")
		equal(t, "paused", s.Condition, scheduling.ConditionPaused)
		if next, ok := s.NextRun(); ok {
			t.Errorf("next run of a paused job: %v", next)
		}

		for _, op := range []string{"Jobs", "ListTriggers", "RunningRuns", "LatestRuns"} {
			d.away(op)
			if _, found, err := d.Status(t.Context(), "a"); found || !errors.Is(err, scheduling.ErrStoreUnavailable) {
				t.Errorf("%s away: %v %v", op, found, err)
			}
		}
		for _, op := range []string{"ListJobs", "ListTriggers", "RunningRuns", "LatestRuns"} {
			d.away(op)
			if _, err := d.Statuses(t.Context()); !errors.Is(err, scheduling.ErrStoreUnavailable) {
				t.Errorf("%s away: %v", op, err)
			}
		}
	})
}

// D33 for jobs and triggers, from what is stored.
func TestJobConditions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		two := []scheduling.TriggerDefinition{hourly("t"), hourly("u")}
		over := scheduling.TriggerDefinition{Name: "over", Schedule: scheduling.MustCron("0 0 0 30 2 ?", "")}
		d.define(
			scheduling.JobDefinition{Name: "normal", Triggers: two},
			scheduling.JobDefinition{Name: "no-triggers"},
			scheduling.JobDefinition{Name: "one-paused", Triggers: two},
			scheduling.JobDefinition{Name: "all-paused", Triggers: two},
			scheduling.JobDefinition{Name: "flag", Triggers: nil},
			scheduling.JobDefinition{Name: "complete", Triggers: []scheduling.TriggerDefinition{over}},
			scheduling.JobDefinition{Name: "half-complete", Triggers: []scheduling.TriggerDefinition{over, hourly("t")}},
			scheduling.JobDefinition{Name: "error", Triggers: two},
			scheduling.JobDefinition{Name: "executing", Triggers: two},
			scheduling.JobDefinition{Name: "waits", Triggers: two},
		)
		ctx := t.Context()
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		check(d.PauseTriggers(ctx, scheduling.TriggerKey{Job: "one-paused", Trigger: "t"}, scheduling.TriggerKey{Job: "all-paused", Trigger: "t"},
			scheduling.TriggerKey{Job: "all-paused", Trigger: "u"}))
		check(d.Pause(ctx, "flag"))
		d.set(monday.Add(time.Hour))
		claim(t, d.store, func(c provider.Candidate) provider.Decision {
			switch {
			case c.Trigger.Job == "error" && c.Trigger.Trigger == "t":
				return provider.Decision{Action: provider.Advance, After: provider.Progress{Next: provider.Next{State: provider.TriggerError}, ErrorCode: "X"}}
			case c.Trigger.Job == "executing", c.Trigger.Job == "waits":
				return provider.Decision{Action: provider.Start, Run: provider.RunRecord{TriggerName: c.Trigger.Trigger, Kind: scheduling.KindSchedule,
					ScheduledAt: c.Now, Attempt: 1}, After: provider.Progress{Next: provider.Next{State: provider.TriggerWaiting,
					ScheduledAt: c.Now.Add(time.Hour), NextFireAt: c.Now.Add(time.Hour)}, FireCount: 1}}
			}
			return provider.Decision{Action: provider.Leave}
		})
		all, err := d.Statuses(ctx)
		check(err)
		got := map[string]string{}
		for _, s := range all {
			text := s.Condition.String()
			for _, row := range s.Triggers {
				text += " " + row.Trigger.Trigger + "=" + row.Condition.String()
			}
			got[s.Job.Name] = text
		}
		for name, want := range map[string]string{
			"normal":        "Normal t=Normal u=Normal",
			"no-triggers":   "Normal",
			"one-paused":    "Normal t=Paused u=Normal",
			"all-paused":    "Paused t=Paused u=Paused",
			"flag":          "Paused",
			"complete":      "Complete over=Complete",
			"half-complete": "Normal over=Complete t=Normal",
			"error":         "Error t=Error u=Normal",
			"executing":     "Executing t=Executing u=Blocked",
			"waits":         "Executing t=Executing u=Blocked",
		} {
			if got[name] != want {
				t.Errorf("%s: %s, want %s", name, got[name], want)
			}
		}
		equal(t, "jobs", len(got), 10)
	})
}

// A schedule text of a newer version shows in the status, and cannot be made a
// definition (D14).
func TestStatusUnreadable(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a"})
		answers, err := d.store.AddTriggers(t.Context(), []provider.TriggerRecord{{
			TriggerKey: scheduling.TriggerKey{Job: "a", Trigger: "t"}, Schedule: "lunar 3", State: provider.TriggerWaiting,
			ScheduledAt: monday, NextFireAt: monday, RunAs: scheduling.KindSchedule}})
		if err != nil || answers[0] != nil {
			t.Fatal(err, answers)
		}
		s, found, err := d.Status(t.Context(), "a")
		if !found || err != nil || s.Triggers[0].Trigger.Schedule != "lunar 3" {
			t.Errorf("%+v %v %v", s, found, err)
		}
		if _, err := s.Definition(); !errors.Is(err, scheduling.ErrInvalidDefinition) || !strings.Contains(err.Error(), "a/t") {
			t.Errorf("definition: %v", err)
		}
	})
}

// R237: what runs, and what ended last.
func TestStatusRuns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a", AllowConcurrent: true})
		run := func(id string, state scheduling.RunState, began, ended time.Duration) provider.RunRecord {
			r := provider.RunRecord{ID: id, Job: "a", Kind: scheduling.KindManual, State: state, Node: "n", ScheduledAt: monday,
				StartedAt: monday.Add(began), Attempt: 1}
			if ended != 0 {
				r.CompletedAt = monday.Add(ended)
			}
			return r
		}
		if err := d.store.Record(t.Context(), []provider.RunRecord{
			run("r1", scheduling.RunFailed, 0, 9*time.Second), run("r2", scheduling.RunSucceeded, time.Second, 5*time.Second),
			run("r3", scheduling.RunRunning, 3*time.Second, 0), run("r4", scheduling.RunRunning, 2*time.Second, 0),
		}); err != nil {
			t.Fatal(err)
		}
		s, _, err := d.Status(t.Context(), "a")
		if err != nil || s.Latest == nil || len(s.Running) != 2 {
			t.Fatalf("%+v, %v", s, err)
		}
		equal(t, "latest by its end", s.Latest.ID, "r1")
		equal(t, "running", s.Running[0].ID+" "+s.Running[1].ID, "r4 r3")
		equal(t, "condition", s.Condition, scheduling.ConditionExecuting)
	})
}

// claim takes what is due as a node would.
func claim(t *testing.T, store *inmemory.Store, decide provider.DecideFunc) provider.ClaimAnswer {
	t.Helper()
	answer, err := store.Register(t.Context(), provider.RegisterRequest{Node: provider.NodeRecord{
		NodeRef: provider.NodeRef{ID: "worker"}, Timeout: time.Hour, HeartbeatInterval: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = fmt.Sprintf("run-%03d", i)
	}
	got, err := store.Claim(t.Context(), provider.ClaimRequest{
		AcquireRequest: provider.AcquireRequest{Node: answer.Node.NodeRef, ClaimID: 1, Limit: 100}, RunIDs: ids, Decide: decide,
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Statuses pages through everything, in order (R108).
func TestStatusesPages(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		const n = 1203
		defs := make([]scheduling.JobDefinition, n)
		for i := range defs {
			defs[i] = scheduling.JobDefinition{Name: fmt.Sprintf("j%04d", i), Triggers: []scheduling.TriggerDefinition{hourly("t"), hourly("u"), hourly("v")}}
		}
		d.define(defs...)
		all, err := d.Statuses(t.Context())
		if err != nil || len(all) != n {
			t.Fatalf("%d, %v; want %d", len(all), err, n)
		}
		for i, s := range all {
			if s.Job.Name != defs[i].Name || len(s.Triggers) != 3 {
				t.Fatalf("%d: %s with %d triggers", i, s.Job.Name, len(s.Triggers))
			}
		}
		page, err := d.ListJobs(t.Context(), "j0099", 2)
		if err != nil || len(page) != 2 || page[0].Name != "j0100" {
			t.Errorf("page %v, %v", page, err)
		}
		if _, err := d.ListJobs(t.Context(), "J", 2); !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("illegal after: %v", err)
		}
		rows, err := d.ListTriggers(t.Context(), scheduling.TriggerQuery{Jobs: []string{"j0001"}, After: scheduling.TriggerKey{Job: "j0001", Trigger: "t"}})
		if err != nil || len(rows) != 2 || rows[0].Trigger != "u" {
			t.Errorf("triggers %v, %v", rows, err)
		}
		_, err = d.ListTriggers(t.Context(), scheduling.TriggerQuery{Jobs: []string{"J"}, States: []provider.TriggerState{99}, After: scheduling.TriggerKey{Job: "a"}})
		for _, want := range []string{`Jobs "J"`, "States[0] 99", "After.Trigger"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error lacks %s: %v", want, err)
			}
		}
	})
}

// R110, R115–R117: bad pages and filters are refused before the store is asked;
// counting ignores paging.
func TestRunsArguments(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		tests := []struct {
			query scheduling.RunQuery
			runs  error
			count error
			want  string
		}{
			{scheduling.RunQuery{}, nil, nil, ""},
			{scheduling.RunQuery{Limit: 1000}, nil, nil, ""},
			{scheduling.RunQuery{Limit: 1001}, scheduling.ErrInvalidPage, nil, "Limit 1001: use 1 to 1000"},
			{scheduling.RunQuery{Limit: -1}, scheduling.ErrInvalidPage, nil, "Limit -1"},
			{scheduling.RunQuery{Skip: -1}, scheduling.ErrInvalidPage, nil, "Skip -1: use 0 or more"},
			{scheduling.RunQuery{Skip: -1, Limit: 5000}, scheduling.ErrInvalidPage, nil, "Limit 5000"},
			{scheduling.RunQuery{Job: "A"}, scheduling.ErrInvalidDefinition, scheduling.ErrInvalidDefinition, `Job "A"`},
			{scheduling.RunQuery{Trigger: "a\x00"}, scheduling.ErrInvalidDefinition, scheduling.ErrInvalidDefinition, "Trigger"},
			{scheduling.RunQuery{Node: "a b"}, scheduling.ErrInvalidDefinition, scheduling.ErrInvalidDefinition, "Node"},
			{scheduling.RunQuery{States: []scheduling.RunState{scheduling.RunLost, 9}}, scheduling.ErrInvalidDefinition, scheduling.ErrInvalidDefinition, "States[1] 9"},
		}
		for _, tt := range tests {
			d.quiet()
			_, err := d.Runs(t.Context(), tt.query)
			if !errors.Is(err, tt.runs) || tt.runs != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Runs(%+v): %v, want %v", tt.query, err, tt.runs)
			}
			if tt.runs != nil {
				equal(t, "store calls", d.called(), "")
			}
			if _, err := d.CountRuns(t.Context(), tt.query); !errors.Is(err, tt.count) {
				t.Errorf("CountRuns(%+v): %v, want %v", tt.query, err, tt.count)
			}
		}
	})
}

// R115, R238: the page is 100 where it is not said.
func TestRunsPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		var runs []provider.RunRecord
		for i := range 150 {
			runs = append(runs, provider.RunRecord{ID: fmt.Sprintf("r%03d", i), Job: "a", Kind: scheduling.KindSchedule, State: scheduling.RunSucceeded,
				Node: "n", ScheduledAt: monday.Add(time.Duration(i) * time.Second), StartedAt: monday, CompletedAt: monday, Attempt: 1})
		}
		if err := d.store.Record(t.Context(), runs); err != nil {
			t.Fatal(err)
		}
		page, err := d.Runs(t.Context(), scheduling.RunQuery{Job: "a"})
		if err != nil || len(page) != 100 || page[0].ID != "r149" {
			t.Errorf("%d runs, %v", len(page), err)
		}
		n, err := d.CountRuns(t.Context(), scheduling.RunQuery{Job: "a", Skip: 140, Limit: 5})
		if err != nil || n != 150 {
			t.Errorf("count %d, %v", n, err)
		}
	})
}

// R236: runs of this node end at once, also while the store is away; others are
// asked through the store; what has ended is not found.
func TestCancelRuns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a"})
		ended := &notes{}
		n.Handle("a", func(ctx context.Context, run *scheduling.Run) error {
			<-ctx.Done()
			if errors.Is(context.Cause(ctx), scheduling.ErrCanceled) {
				ended.add(run.ID)
			}
			return ctx.Err()
		})
		n.job(scheduling.JobDefinition{Name: "a", AllowConcurrent: true})
		n.run()
		sleep(2 * time.Second)
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a"}, scheduling.EnqueueRequest{Job: "a"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		running := history(t, store, "a")
		if len(running) != 2 {
			t.Fatalf("%d runs", len(running))
		}
		err := n.CancelRuns(t.Context(), running[0].ID, "gone", "", "has space")
		wantItems(t, err, map[int]error{1: scheduling.ErrRunNotFound, 2: scheduling.ErrRunNotFound, 3: scheduling.ErrRunNotFound})
		sleep(0)
		equal(t, "ended at once", ended.String(), running[0].ID)
		sleep(2 * time.Second)
		wantItems(t, n.CancelRuns(t.Context(), running[0].ID), map[int]error{0: scheduling.ErrRunNotFound})

		other := scheduling.Options{NodeID: "b"}
		b, err := scheduling.New(&brokenCancel{Store: store}, other)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.CancelRuns(t.Context(), running[1].ID); !errors.Is(err, errAway) {
			t.Errorf("store away, run elsewhere: %v", err)
		}
		runs, err := n.Runs(t.Context(), scheduling.RunQuery{Job: "a", States: []scheduling.RunState{scheduling.RunCanceled}})
		if err != nil || len(runs) != 1 || runs[0].ErrorCode != string(scheduling.ErrRunCanceled.Code) {
			t.Errorf("canceled: %v, %v", runs, err)
		}
		// Another node asks: this one sees it with its next poll.
		c, err := scheduling.New(store, other)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.CancelRuns(t.Context(), running[1].ID); err != nil {
			t.Fatal(err)
		}
		sleep(2 * time.Second)
		equal(t, "ended", len(ended.all()), 2)
		n.stopClean()
	})
}

// brokenCancel cannot ask for the end of runs.
type brokenCancel struct{ *inmemory.Store }

func (b *brokenCancel) RequestCancel(context.Context, []string) ([]error, error) {
	return nil, provider.Unavailable("cancel", errAway)
}

// R236: a run of this node ends although the store cannot be told.
func TestCancelHereWithoutStore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		s, err := scheduling.New(&brokenCancel{Store: store}, scheduling.Options{NodeID: "a", Logger: quietLogger})
		if err != nil {
			t.Fatal(err)
		}
		s.Handle("a", func(ctx context.Context, run *scheduling.Run) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if err := s.AddJob(scheduling.JobDefinition{Name: "a"}); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- s.Run(t.Context()) }()
		sleep(2 * time.Second)
		if _, err := s.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a"}); err != nil {
			t.Fatal(err)
		}
		sleep(time.Second)
		run := history(t, store, "a")[0]
		wantItems(t, s.CancelRuns(t.Context(), run.ID, "elsewhere"), map[int]error{1: scheduling.ErrStoreUnavailable})
		sleep(time.Second)
		equal(t, "state", history(t, store, "a")[0].State, scheduling.RunCanceled)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		<-done
	})
}

// Nodes lists who shares the store.
func TestNodes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		claim(t, d.store, func(provider.Candidate) provider.Decision { return provider.Decision{} })
		nodes, err := d.Nodes(t.Context())
		if err != nil || len(nodes) != 1 || nodes[0].ID != "worker" {
			t.Errorf("%v, %v", nodes, err)
		}
		d.away("ListNodes")
		if _, err := d.Nodes(t.Context()); !errors.Is(err, scheduling.ErrStoreUnavailable) {
			t.Errorf("error %v", err)
		}
	})
}
