package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// TestB71FixedDelay: the next run waits one interval after the end of the one
// before, so no backlog ever arises (R159).
func TestB71FixedDelay(t *testing.T) {
	for _, tt := range []struct{ took, next time.Duration }{
		{300 * time.Millisecond, 5350 * time.Millisecond},
		{6 * time.Second, 11050 * time.Millisecond},
	} {
		l := newLine(t, rules(nil), "every 00:00:05", at("09:59:55"), runOnce)
		started := at("10:00:00.05")
		if !l.claim(started) {
			t.Fatal("not due")
		}
		l.wantState(provider.TriggerAcquired) // R203, R265: in flight
		if l.claim(started.Add(time.Hour)) {
			t.Fatal("claimed while in flight")
		}
		l.complete(started.Add(tt.took))
		l.wantNext(at("10:00:00").Add(tt.next))
		l.wantRuns(at("10:00:00"))
	}
}

// TestB73RestartKeepsTheTimer: the next instant is that of the stored
// completion; nothing at start recomputes it.
func TestB73RestartKeepsTheTimer(t *testing.T) {
	l := newLine(t, rules(nil), "every 01:00:00", at("13:00:00"), runOnce)
	l.claim(at("14:00:00"))
	l.complete(at("14:20:00"))
	l.wantNext(at("15:20:00"))
	if _, moved := rules(nil).Rezone(l.row, at("15:15:00")); moved {
		t.Error("a new leader moves an interval")
	}
	if l.claim(at("15:15:00")) {
		t.Error("it ran before its time")
	}
}

// TestB74StartIsNoMissedRun (R163).
func TestB74StartIsNoMissedRun(t *testing.T) {
	l := newLine(t, rules(nil), "cron 0 0 15 * * * start=2026-03-02T13:58:00Z", at("14:00:00"), runOnce)
	l.wantNext(at("15:00:00"))
	tests := []struct {
		name, start string
		stored      time.Time
		first       time.Time
	}{
		{"start ahead: start + interval", "2026-03-02T14:10:00Z", at("14:00:00"), at("14:40:00")},
		{"start behind: stored + interval", "2026-03-02T12:00:00Z", at("14:00:00"), at("14:30:00")},
		{"start a moment ago: start + interval", "2026-03-02T13:58:00Z", at("14:00:00"), at("14:28:00")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLine(t, rules(nil), "every 00:30:00 start="+tt.start, tt.stored, runOnce)
			l.wantNext(tt.first)
		})
	}
	l = newLine(t, rules(nil), "every 00:30:00", at("14:00:00"), runOnce) // D37
	l.wantNext(at("14:30:00"))
}

// TestB76ManualRunMovesNothing: a manual run is a trigger of its own.
func TestB76ManualRunMovesNothing(t *testing.T) {
	l := newLine(t, rules(nil), "every 00:10:00", at("10:00:00"), runOnce)
	before := l.row
	manual := oneShotAt("manual-a", provider.KindManual, at("10:03:00"))
	d := decide(rules(nil), manual, at("10:03:00"))
	if d.Action != provider.Start || !d.After.Delete {
		t.Fatalf("manual run: %+v", d)
	}
	s := rules(nil).Settle(Ended{Run: d.Run, Job: job(), Trigger: manual, After: d.After, State: provider.RunSucceeded})(at("10:04:00"))
	if s.Trigger != nil || s.Insert != nil {
		t.Errorf("its end moves something: %+v", s)
	}
	if l.row != before {
		t.Errorf("the interval moved: %+v", l.row)
	}
	l.wantNext(at("10:10:00"))
}

// TestRepeatCount: the total number of runs, Lost ones included (R160, D12).
func TestRepeatCount(t *testing.T) {
	l := newLine(t, rules(nil), "every 00:01:00 x3", at("10:00:00"), runOnce)
	now := at("10:01:00")
	for i := range 3 {
		if !l.claim(now) {
			t.Fatalf("run %d did not begin", i+1)
		}
		l.wantState(provider.TriggerAcquired)
		l.complete(now.Add(time.Second))
		now = now.Add(61 * time.Second)
	}
	l.wantState(provider.TriggerComplete)

	// The last run is lost with its node: the sweep makes the trigger due
	// (R052), and it must not run a fourth time.
	l = newLine(t, rules(nil), "every 00:01:00 x1", at("10:00:00"), runOnce)
	l.claim(at("10:01:00"))
	l.row.State, l.row.ScheduledAt, l.row.NextFireAt = provider.TriggerWaiting, at("10:05:00"), at("10:05:00")
	if l.claim(at("10:05:00")) {
		t.Error("it began a second time")
	}
	l.wantState(provider.TriggerComplete)
	l.wantRuns(at("10:01:00"))
}

// TestIntervalMisfire: late by more than the threshold (R197–R199); a RunAll
// interval has no backlog to make up.
func TestIntervalMisfire(t *testing.T) {
	back := at("12:00:00")
	l := newLine(t, rules(nil), "every 00:10:00", at("10:00:00"), runOnce)
	l.claim(back)
	l.wantRuns(back)
	l.wantState(provider.TriggerAcquired)

	l = newLine(t, rules(nil), "every 00:10:00", at("10:00:00"), skip)
	l.claim(back)
	l.wantRuns()
	l.wantNext(at("12:10:00"))

	l = newLine(t, rules(nil), "every 00:10:00", at("10:00:00"), runAll)
	l.claim(back)
	l.wantRuns(at("10:10:00"))
	l.complete(at("12:00:05"))
	l.wantNext(at("12:10:05"))
}

// TestIntervalAndCalendar: put off to the first instant that is not excluded
// (R185), where a run ends, where it is first due, and where a recovery has made
// it due in an excluded stretch (R052).
func TestIntervalAndCalendar(t *testing.T) {
	for _, tt := range []struct {
		name string
		cal  schedule.Calendar
	}{
		{"built in", nights(t, "01:00")},
		{"application's", own(func(at time.Time) bool { h := at.Hour(); return h >= 22 || h < 1 })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rules(map[string]schedule.Calendar{"nights": tt.cal})
			open := at("2026-03-03T01:00:00Z")
			const text = "every 00:30:00 calendar=nights"

			l := newLine(t, r, text, at("21:45:00"), runOnce)
			l.wantNext(open) // 22:15 is excluded

			l = newLine(t, r, text, at("21:15:00"), runOnce)
			l.claim(at("21:45:00"))
			l.complete(at("21:50:00"))
			if !schedule.BuiltIn(tt.cal) {
				// Stored as if there were no calendar; asked when it is due.
				l.wantNext(at("22:20:00"))
				if l.claim(at("22:20:00")) {
					t.Error("it ran in the excluded stretch")
				}
			}
			l.wantNext(open)
			l.wantRuns(at("21:45:00"))
			l.claim(open)
			l.wantRuns(at("21:45:00"), open)

			l = newLine(t, r, text, at("21:15:00"), runOnce)
			l.row.ScheduledAt, l.row.NextFireAt = at("23:00:00"), at("23:00:00")
			l.claim(at("23:00:00"))
			l.wantRuns()
			l.wantNext(open)
		})
	}
}

// TestIntervalPastItsExclusion: claimed long after, the occurrence counts from
// the end of the exclusion, and lateness with it.
func TestIntervalPastItsExclusion(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"nights": own(func(at time.Time) bool { h := at.Hour(); return h >= 22 || h < 1 })})
	l := newLine(t, r, "every 00:30:00 calendar=nights", at("21:00:00"), runOnce)
	l.row.ScheduledAt, l.row.NextFireAt = at("22:20:00"), at("22:20:00")
	l.claim(at("2026-03-03T01:00:30Z"))
	l.wantRuns(at("2026-03-03T01:00:00Z")) // 30 s late, no misfire
}

// TestCalendarThatExcludesEverything ends the trigger and stalls nothing (R187).
func TestCalendarThatExcludesEverything(t *testing.T) {
	cal := own(always)
	r := rules(map[string]schedule.Calendar{"all": cal})
	l := newLine(t, r, "every 00:30:00 calendar=all", at("10:00:00"), runOnce)
	l.wantState(provider.TriggerComplete)
	l = newLine(t, r, "cron 0 0 * * * * calendar=all", at("10:00:00"), runOnce)
	l.wantState(provider.TriggerComplete)
	if n := cal.asked.Load(); n > 3*schedule.MaxExcluded {
		t.Errorf("asked %d times", n)
	}
}
