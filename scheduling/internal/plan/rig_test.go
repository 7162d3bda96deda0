package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// at reads an instant: RFC 3339, or a time of day on 2026-03-02, a Monday.
func at(text string) time.Time {
	if len(text) < 16 {
		text = "2026-03-02T" + text + "Z"
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

// rules knows every handler but "unknown", and the calendars of cals.
func rules(cals map[string]schedule.Calendar) *Rules {
	return &Rules{
		MisfireThreshold: time.Minute,
		PollInterval:     time.Second,
		KnowsHandler:     func(key string) bool { return key != "unknown" },
		Calendar: func(name string) (schedule.Calendar, bool, bool) {
			cal, known := cals[name]
			return cal, known, schedule.BuiltIn(cal)
		},
	}
}

func job() provider.JobRecord {
	return provider.JobRecord{Name: "j", Handler: "j", AllowConcurrent: true, Version: 1}
}

// waitingAt is a trigger that waits for an occurrence.
func waitingAt(text string, due time.Time) provider.TriggerRecord {
	return provider.TriggerRecord{
		TriggerKey: provider.TriggerKey{Job: "j", Trigger: "t"}, Schedule: text, Priority: DefaultPriority,
		State: provider.TriggerWaiting, ScheduledAt: due, NextFireAt: due, RunAs: provider.KindSchedule,
	}
}

func oneShotAt(name string, kind provider.RunKind, due time.Time) provider.TriggerRecord {
	t := waitingAt("", due)
	t.Trigger, t.RunAs = name, kind
	return t
}

// decide asks as a claim does.
func decide(r *Rules, t provider.TriggerRecord, now time.Time) provider.Decision {
	return r.Decide(nil)(provider.Candidate{Trigger: t, Job: job(), Now: now})
}

// line lives through the life of one trigger with what a store would do.
type line struct {
	t     *testing.T
	rules *Rules
	row   provider.TriggerRecord
	runs  []provider.RunRecord
}

func newLine(t *testing.T, r *Rules, text string, stored time.Time, misfire provider.MisfirePolicy) *line {
	t.Helper()
	row, err := r.Birth(provider.TriggerRecord{
		TriggerKey: provider.TriggerKey{Job: "j", Trigger: "t"}, Schedule: text, Misfire: misfire,
	}, stored)
	if err != nil {
		t.Fatalf("Birth: %v", err)
	}
	return &line{t: t, rules: r, row: row}
}

// claim looks for work at now, and reports whether a run began.
func (l *line) claim(now time.Time) bool {
	l.t.Helper()
	if l.row.State != provider.TriggerWaiting || l.row.NextFireAt.After(now) {
		return false
	}
	d := decide(l.rules, l.row, now)
	if d.Action == provider.Hold {
		claimed := []provider.Claimed{{Trigger: l.row, Job: job()}}
		d = l.rules.Decide(l.rules.Prepare(claimed, now))(provider.Candidate{Trigger: l.row, Job: job(), Now: now})
	}
	switch d.Action {
	case provider.Start, provider.Advance:
		l.row.State, l.row.ScheduledAt, l.row.NextFireAt = d.After.State, d.After.ScheduledAt, d.After.NextFireAt
		l.row.PrevFireAt, l.row.FireCount, l.row.ZoneHash = d.After.PrevFireAt, d.After.FireCount, d.After.ZoneHash
	default:
		l.t.Fatalf("decision %d at %v", d.Action, now)
	}
	if d.Action == provider.Start {
		l.runs = append(l.runs, d.Run)
	}
	return d.Action == provider.Start
}

// complete ends the run of an interval trigger in flight.
func (l *line) complete(now time.Time) {
	l.t.Helper()
	s := l.rules.Settle(Ended{
		Run: provider.RunRecord{ID: "r"}, Job: job(), Trigger: l.row,
		After: provider.Progress{Next: provider.Next{State: l.row.State}, FireCount: l.row.FireCount},
		State: provider.RunSucceeded,
	})(now)
	if s.Trigger == nil {
		l.t.Fatalf("the end of the run moves no trigger")
	}
	l.row.State, l.row.ScheduledAt, l.row.NextFireAt = s.Trigger.State, s.Trigger.ScheduledAt, s.Trigger.NextFireAt
}

func (l *line) wantNext(want time.Time) {
	l.t.Helper()
	if l.row.State != provider.TriggerWaiting || !l.row.ScheduledAt.Equal(want) {
		l.t.Errorf("next: %v %v, want Waiting %v", l.row.State, l.row.ScheduledAt, want)
	}
}

func (l *line) wantState(want provider.TriggerState) {
	l.t.Helper()
	if l.row.State != want {
		l.t.Errorf("state %v, want %v", l.row.State, want)
	}
}

func (l *line) wantRuns(want ...time.Time) {
	l.t.Helper()
	if len(l.runs) != len(want) {
		l.t.Fatalf("%d runs, want %d: %v", len(l.runs), len(want), l.runs)
	}
	for i, run := range l.runs {
		if !run.ScheduledAt.Equal(want[i]) {
			l.t.Errorf("run %d scheduled %v, want %v", i, run.ScheduledAt, want[i])
		}
	}
	if l.row.FireCount != int64(len(want)) {
		l.t.Errorf("count %d, want %d", l.row.FireCount, len(want))
	}
}
