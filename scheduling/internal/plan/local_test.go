package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// TestDecideLocal: the same rules on the node's own clock; an occurrence that
// meets a run of this node is skipped, and the next computed from now (R205,
// R206).
func TestDecideLocal(t *testing.T) {
	due := at("10:00:00")
	r := rules(map[string]schedule.Calendar{"c": own(between(at("11:00:00"), at("12:00:00"))), "bad": own(panics)})
	tests := []struct {
		name     string
		text     string
		misfire  provider.MisfirePolicy
		handler  string
		occupied bool
		late     time.Duration
		want     provider.Action
		next     provider.Next
	}{
		{"due", "cron 0 0 * * * *", runOnce, "j", false, 0, provider.Start, waiting(schedule.Schedule{}, at("11:00:00"))},
		{"skipped by policy", "cron 0 0 * * * *", skip, "j", false, 2 * time.Hour, provider.Advance, waiting(schedule.Schedule{}, at("13:00:00"))},
		{"occupied: next from now", "cron 0 0 * * * *", runAll, "j", true, 90 * time.Minute, provider.Advance, waiting(schedule.Schedule{}, at("12:00:00"))},
		{"occupied interval", "every 00:10:00", runOnce, "j", true, time.Second, provider.Advance, waiting(schedule.Schedule{}, at("10:10:01"))},
		{"occupied once", "once 2026-03-02T10:00:00Z", runOnce, "j", true, 0, provider.Advance, complete()},
		{"interval in flight", "every 00:10:00", runOnce, "j", false, 0, provider.Start, provider.Next{State: provider.TriggerAcquired}},
		{"application's calendar is asked here", "cron 0 0 * * * * calendar=c", runOnce, "j", false, 0, provider.Start, waiting(schedule.Schedule{}, at("12:00:00"))},
		{"calendar that panics", "cron 0 0 * * * * calendar=bad", runOnce, "j", false, 0, provider.Advance, provider.Next{State: provider.TriggerError}},
		{"unknown handler", "cron 0 0 * * * *", runOnce, "unknown", false, 0, provider.Advance, provider.Next{State: provider.TriggerError}},
		{"unreadable", "lunar", runOnce, "j", false, 0, provider.Leave, provider.Next{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trigger := waitingAt(tt.text, due)
			trigger.Misfire, trigger.Local = tt.misfire, true
			j := job()
			j.Handler, j.EveryInstance = tt.handler, true
			d := r.DecideLocal(provider.Candidate{Trigger: trigger, Job: j, Now: due.Add(tt.late), Occupied: tt.occupied})
			if d.Action != tt.want || d.After.Next != tt.next {
				t.Errorf("action %d after %+v, want %d %+v", d.Action, d.After.Next, tt.want, tt.next)
			}
		})
	}
}

// TestSettled: a local interval after its run; here the application's calendar is
// asked at once (R159, R185).
func TestSettled(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"c": own(between(at("10:00:00"), at("12:00:00"))), "bad": own(panics)})
	tests := []struct {
		text string
		runs int64
		want provider.Next
	}{
		{"every 00:10:00", 1, waiting(schedule.Schedule{}, at("10:10:00"))},
		{"every 00:10:00 calendar=c", 1, waiting(schedule.Schedule{}, at("12:00:00"))},
		{"every 00:10:00 x2", 2, complete()},
		{"every 00:10:00 calendar=bad", 1, provider.Next{State: provider.TriggerError}},
		{"every 00:10:00 calendar=gone", 1, provider.Next{State: provider.TriggerError}},
		{"cron 0 0 * * * *", 1, provider.Next{State: provider.TriggerError}},
		{"lunar", 1, provider.Next{State: provider.TriggerError}},
	}
	for _, tt := range tests {
		if got := r.Settled(waitingAt(tt.text, at("09:50:00")), tt.runs, at("10:00:00")); got != tt.want {
			t.Errorf("%s after %d runs: %+v, want %+v", tt.text, tt.runs, got, tt.want)
		}
	}
}
