package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// TestB78TheEndIsInside: an occurrence at the very end runs, one a microsecond
// behind it does not (R164).
func TestB78TheEndIsInside(t *testing.T) {
	noon := at("12:00:00")
	tests := []struct {
		name, text string
		stored     time.Time
	}{
		{"cron", "cron 0 0 * * * *", at("11:30:00")},
		{"once", "once 2026-03-02T12:00:00Z", at("11:30:00")},
		{"interval", "every 00:30:00", at("11:30:00")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLine(t, rules(nil), tt.text+" end=2026-03-02T12:00:00Z", tt.stored, runOnce)
			l.wantNext(noon)
			l.claim(noon.Add(time.Second))
			l.wantRuns(noon)
			if l.row.State == provider.TriggerAcquired {
				l.complete(noon.Add(2 * time.Second))
			}
			l.wantState(provider.TriggerComplete)

			l = newLine(t, rules(nil), tt.text+" end=2026-03-02T11:59:59.999999Z", tt.stored, runOnce)
			l.wantState(provider.TriggerComplete)
			l.wantRuns()
		})
	}
}

// TestB79PastWindow: a window that has passed is read without a fault; what was
// due in it follows the policy, what was not is Complete.
func TestB79PastWindow(t *testing.T) {
	r := rules(nil)
	const window = " start=2020-01-01T00:00:00Z end=2020-01-01T00:00:00Z"
	for _, text := range []string{"cron 0 0 0 * * *" + window, "every 01:00:00" + window} {
		l := newLine(t, r, text, at("10:00:00"), runOnce)
		l.wantState(provider.TriggerComplete)
	}
	due := at("2020-01-01T00:00:00Z")
	for policy, want := range map[provider.MisfirePolicy]int{runOnce: 0, skip: 0, runAll: 1} {
		l := newLine(t, r, "cron 0 0 0 * * *"+window, at("2019-12-31T12:00:00Z"), policy)
		l.wantNext(due)
		l.claim(at("10:00:00"))
		if len(l.runs) != want {
			t.Errorf("%v: %d runs, want %d", policy, len(l.runs), want)
		}
		l.wantState(provider.TriggerComplete)
	}
}

// TestMakeUpAfterTheEnd: nothing is scheduled after the end, a make-up run of now
// neither; one of its own instant is (R164, R197, R199).
func TestMakeUpAfterTheEnd(t *testing.T) {
	const end = " end=2026-03-02T11:00:00Z"
	back := at("11:30:00")
	for _, text := range []string{"cron 0 0 10,11 * * *" + end, "once 2026-03-02T10:00:00Z" + end, "every 00:30:00" + end} {
		l := newLine(t, rules(nil), text, at("09:30:00"), runOnce)
		l.wantNext(at("10:00:00"))
		l.claim(back)
		l.wantRuns()
		l.wantState(provider.TriggerComplete)

		l = newLine(t, rules(nil), text, at("09:30:00"), runOnce)
		l.claim(at("11:00:00")) // now is the end itself
		l.wantRuns(at("11:00:00"))
	}
	l := newLine(t, rules(nil), "cron 0 0 10,11 * * *"+end, at("09:30:00"), runAll)
	for now := back; l.row.State == provider.TriggerWaiting; now = now.Add(time.Second) {
		l.claim(now)
	}
	l.wantRuns(at("10:00:00"), at("11:00:00"))
	l.wantState(provider.TriggerComplete)
}

// TestOccurrenceOutsideItsWindow, as an edit by hand may leave it, does not run.
func TestOccurrenceOutsideItsWindow(t *testing.T) {
	for _, policy := range []provider.MisfirePolicy{runOnce, skip, runAll} {
		trigger := waitingAt("cron 0 0 * * * * end=2026-03-02T11:00:00Z", at("12:00:00"))
		trigger.Misfire = policy
		if d := decide(rules(nil), trigger, at("12:00:00")); d.Action != provider.Advance || d.After.State != provider.TriggerComplete {
			t.Errorf("%v: %+v, want Complete", policy, d)
		}
	}
}

// TestB81OnceWhileDown: each policy (R162, R197–R199).
func TestB81OnceWhileDown(t *testing.T) {
	for policy, want := range map[provider.MisfirePolicy][]time.Time{
		runOnce: {at("12:00:00")}, skip: {}, runAll: {at("10:00:00")},
	} {
		l := newLine(t, rules(nil), "once 2026-03-02T10:00:00Z", at("08:00:00"), policy)
		l.claim(at("12:00:00"))
		l.wantRuns(want...)
		l.wantState(provider.TriggerComplete) // D10: in the transaction that begins it
		if !l.row.NextFireAt.IsZero() || !l.row.ScheduledAt.IsZero() {
			t.Errorf("%v: Complete with a next instant", policy)
		}
	}
}

// TestOnceInThePast is due at once when it is stored, and follows its policy.
func TestOnceInThePast(t *testing.T) {
	l := newLine(t, rules(nil), "once 2026-03-02T10:00:00Z", at("12:00:00"), runOnce)
	l.claim(at("12:00:00"))
	l.wantRuns(at("12:00:00"))
}

// TestB83OneLimit: an interval of a week whose day is excluded ends in bounded
// time, with or without a calendar that knows its stretches.
func TestB83OneLimit(t *testing.T) {
	mondays := weekly(t, time.Monday)
	r := rules(map[string]schedule.Calendar{"mondays": mondays,
		"own": own(func(at time.Time) bool { return at.Weekday() == time.Monday })})
	l := newLine(t, r, "every 7.00:00:00 calendar=mondays", at("10:00:00"), runOnce)
	l.wantNext(at("2026-03-10T00:00:00Z")) // put off to Tuesday, not passed over
	l = newLine(t, r, "cron 0 0 10 * * MON calendar=mondays", at("10:00:00"), runOnce)
	l.wantState(provider.TriggerComplete)
	l = newLine(t, r, "cron 0 0 10 * * MON calendar=own", at("10:00:00"), runOnce)
	l.wantState(provider.TriggerComplete)
}

// TestB84LongExclusion: a stretch of a built-in calendar counts once (D18); an
// application's yes-or-no calendar ends a secondly schedule after 10,000
// candidates (R187), and the warning says so.
func TestB84LongExclusion(t *testing.T) {
	three, short := nights(t, "01:00"), nights(t, "00:45")
	yesNo := func(cal schedule.Calendar) schedule.Calendar { return own(cal.IsExcluded) }
	r := rules(map[string]schedule.Calendar{
		"three": three, "short": short, "own-three": yesNo(three), "own-short": yesNo(short),
	})
	last := at("21:59:59")
	tests := []struct {
		calendar string
		next     time.Time // zero: Complete
		warns    bool
	}{
		{"three", at("2026-03-03T01:00:00Z"), false},
		{"short", at("2026-03-03T00:45:00Z"), false},
		{"own-three", time.Time{}, true},
		{"own-short", at("2026-03-03T00:45:00Z"), false},
	}
	for _, tt := range tests {
		t.Run(tt.calendar, func(t *testing.T) {
			text := "cron * * * * * * calendar=" + tt.calendar
			l := newLine(t, r, text, last.Add(-time.Second), runOnce)
			l.claim(last)
			l.wantRuns(last)
			if tt.next.IsZero() {
				l.wantState(provider.TriggerComplete)
			} else {
				l.wantNext(tt.next)
			}
			if w := r.Warning(text, last); (w != "") != tt.warns {
				t.Errorf("warning %q, want one: %v", w, tt.warns)
			}
		})
	}
}

// TestB88CalendarTakesAllThatIsLeft: no next is Complete, and is never compared
// with now, so nothing fires.
func TestB88CalendarTakesAllThatIsLeft(t *testing.T) {
	const text = "cron 0 0 * * * * end=2026-03-02T18:00:00Z calendar=c"
	l := newLine(t, rules(map[string]schedule.Calendar{"c": own(never)}), text, at("09:30:00"), runOnce)
	l.rules = rules(map[string]schedule.Calendar{"c": own(always)})
	l.claim(at("10:00:00"))
	l.wantRuns(at("10:00:00"))
	l.wantState(provider.TriggerComplete)
	if !l.row.NextFireAt.IsZero() {
		t.Errorf("NextFireAt %v, want none", l.row.NextFireAt)
	}
	if l.claim(at("20:00:00")) {
		t.Error("it fired without a next instant")
	}
}

// TestOnceExcluded never runs (R186), and is Complete from the start (D15).
func TestOnceExcluded(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"c": own(always)})
	l := newLine(t, r, "once 2026-03-02T12:00:00Z calendar=c", at("10:00:00"), runOnce)
	l.wantState(provider.TriggerComplete)
	if r.Warning("once 2026-03-02T12:00:00Z calendar=c", at("10:00:00")) == "" {
		t.Error("no warning")
	}
}
