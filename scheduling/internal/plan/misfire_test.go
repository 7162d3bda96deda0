package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

const (
	runOnce = provider.MisfireRunOnce
	skip    = provider.MisfireSkip
	runAll  = provider.MisfireRunAll
)

// TestMisfireThreshold: strictly more than the threshold is a misfire (R195,
// D19, B95).
func TestMisfireThreshold(t *testing.T) {
	due := at("10:00:00")
	tests := []struct {
		name      string
		threshold time.Duration
		late      time.Duration
		misfired  bool
	}{
		{"on time", time.Minute, 0, false},
		{"exactly the threshold", time.Minute, time.Minute, false},
		{"a microsecond more", time.Minute, time.Minute + time.Microsecond, true},
		{"threshold 0, on time", 0, 0, false},
		{"threshold 0, a microsecond late", 0, time.Microsecond, true},
		{"threshold 15 min, 14 min late (B95)", 15 * time.Minute, 14 * time.Minute, false},
		{"early: the clock stepped back", time.Minute, -time.Second, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rules(nil)
			r.MisfireThreshold = tt.threshold
			now := due.Add(tt.late)
			trigger := waitingAt("cron 0 0 * * * *", due)
			trigger.Misfire = skip
			want := provider.Start
			if tt.misfired {
				want = provider.Advance
			}
			if d := decide(r, trigger, now); d.Action != want {
				t.Errorf("Skip: action %d, want %d", d.Action, want)
			}
			trigger.Misfire = runOnce
			scheduled := due
			if tt.misfired {
				scheduled = now
			}
			if d := decide(r, trigger, now); d.Action != provider.Start || !d.Run.ScheduledAt.Equal(scheduled) {
				t.Errorf("RunOnce: action %d scheduled %v, want Start %v", d.Action, d.Run.ScheduledAt, scheduled)
			}
			trigger.Misfire = runAll
			if d := decide(r, trigger, now); d.Action != provider.Start || !d.Run.ScheduledAt.Equal(due) {
				t.Errorf("RunAll: action %d scheduled %v, want Start %v", d.Action, d.Run.ScheduledAt, due)
			}
		})
	}
}

// TestB90SkipFiresAnyway: the next of a skipped occurrence is computed from now,
// not from now less the threshold.
func TestB90SkipFiresAnyway(t *testing.T) {
	r := rules(nil)
	const text = "cron 0 0/2 * * * *"
	trigger := waitingAt(text, at("10:00:00"))
	trigger.Misfire = skip
	d := decide(r, trigger, at("10:02:30"))
	if d.Action != provider.Advance || !d.After.NextFireAt.Equal(at("10:04:00")) || d.After.FireCount != 0 || !d.After.PrevFireAt.IsZero() {
		t.Errorf("150 s late: %+v, want no run and next 10:04", d)
	}
	trigger = waitingAt(text, at("10:02:00"))
	trigger.Misfire = skip
	d = decide(r, trigger, at("10:02:30"))
	if d.Action != provider.Start || !d.Run.ScheduledAt.Equal(at("10:02:00")) || !d.After.NextFireAt.Equal(at("10:04:00")) {
		t.Errorf("30 s late: %+v, want an ordinary run of 10:02", d)
	}
}

// TestSkippedKeepsItsHistory: what moves on without a run keeps previous instant
// and count.
func TestSkippedKeepsItsHistory(t *testing.T) {
	trigger := waitingAt("cron 0 0 * * * *", at("10:00:00"))
	trigger.Misfire, trigger.PrevFireAt, trigger.FireCount = skip, at("09:00:00"), 7
	d := decide(rules(nil), trigger, at("10:30:00"))
	if d.Action != provider.Advance || !d.After.PrevFireAt.Equal(at("09:00:00")) || d.After.FireCount != 7 {
		t.Errorf("%+v, want 09:00 and 7 runs kept", d)
	}
}

// TestB91BurstInsideTheThreshold: what is late by less than the threshold is
// run, each occurrence, one after the other.
func TestB91BurstInsideTheThreshold(t *testing.T) {
	l := newLine(t, rules(nil), "cron 0/15 * * * * *", at("16:43:59"), skip)
	for now := at("16:44:42"); now.Before(at("16:44:46")); now = now.Add(time.Second) {
		for l.claim(now) {
		}
	}
	l.wantRuns(at("16:44:00"), at("16:44:15"), at("16:44:30"), at("16:44:45"))
	l.wantNext(at("16:45:00"))
}

// TestB92DayLongOutage: each policy after a day.
func TestB92DayLongOutage(t *testing.T) {
	const text = "cron 0 0/10 * * * *"
	back := at("2026-03-03T10:17:30Z")
	stored := at("2026-03-02T10:10:00Z")

	l := newLine(t, rules(nil), text, stored, runOnce)
	l.claim(back)
	l.wantRuns(back)
	l.wantNext(at("2026-03-03T10:20:00Z"))

	l = newLine(t, rules(nil), text, stored, skip)
	l.claim(back)
	l.wantRuns()
	l.wantNext(at("2026-03-03T10:20:00Z"))

	l = newLine(t, rules(nil), text, stored, runAll)
	var want []time.Time
	for due := at("2026-03-02T10:20:00Z"); !due.After(at("2026-03-03T10:10:00Z")); due = due.Add(10 * time.Minute) {
		want = append(want, due)
	}
	if len(want) != 144 {
		t.Fatalf("%d occurrences, want 144", len(want))
	}
	passes := 0
	for now := back; l.row.ScheduledAt.Before(back); now = now.Add(time.Second) {
		if began := l.claim(now); !began {
			t.Fatalf("nothing to make up at %v although %v is due", now, l.row.ScheduledAt)
		}
		if l.claim(now) {
			t.Fatalf("two occurrences made up in one cycle at %v", now) // R199
		}
		passes++
	}
	if passes != 144 {
		t.Errorf("%d cycles, want 144", passes)
	}
	l.wantRuns(want...)
	l.wantNext(at("2026-03-03T10:20:00Z"))
	if !l.row.NextFireAt.Equal(l.row.ScheduledAt) {
		t.Errorf("caught up, but NextFireAt is %v", l.row.NextFireAt) // D13: equal again
	}
}

// TestBacklogSpacing: one poll interval, or half the distance between
// occurrences where that is shorter; RunAll only (D13).
func TestBacklogSpacing(t *testing.T) {
	tests := []struct {
		name, text string
		poll       time.Duration
		due        time.Time
		policy     provider.MisfirePolicy
		next       time.Time // occurrence
		wait       time.Duration
	}{
		{"poll interval", "cron 0 * * * * *", time.Second, at("10:00:00"), runAll, at("10:01:00"), time.Second},
		{"half a second for every second", "cron * * * * * *", time.Second, at("10:00:00"), runAll, at("10:00:01"), 500 * time.Millisecond},
		{"half a minute under a slow poll", "cron 0 * * * * *", time.Minute, at("10:00:00"), runAll, at("10:01:00"), 30 * time.Second},
		{"unequal distances: this one's", "cron 0 0,1,59 * * * *", time.Hour, at("10:00:00"), runAll, at("10:01:00"), 30 * time.Second},
		{"no poll interval known", "cron 0 * * * * *", 0, at("10:00:00"), runAll, at("10:01:00"), 30 * time.Second},
		{"not late enough for a misfire, but due", "cron 0/15 * * * * *", time.Second, at("10:59:30"), runAll, at("10:59:45"), time.Second},
	}
	now := at("11:00:00")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rules(nil)
			r.PollInterval = tt.poll
			trigger := waitingAt(tt.text, tt.due)
			trigger.Misfire = tt.policy
			d := decide(r, trigger, now)
			if !d.After.ScheduledAt.Equal(tt.next) || !d.After.NextFireAt.Equal(now.Add(tt.wait)) {
				t.Errorf("occurrence %v from %v, want %v from %v", d.After.ScheduledAt, d.After.NextFireAt, tt.next, now.Add(tt.wait))
			}
		})
	}
	// An occurrence that is not due yet is not put off, and at this very
	// instant it is due.
	for _, tt := range []struct{ now, next, from time.Time }{
		{at("10:00:59"), at("10:01:00"), at("10:01:00")},
		{at("10:01:00"), at("10:01:00"), at("10:01:01")},
	} {
		trigger := waitingAt("cron 0 * * * * *", at("10:00:00"))
		trigger.Misfire = runAll
		if d := decide(rules(nil), trigger, tt.now); !d.After.ScheduledAt.Equal(tt.next) || !d.After.NextFireAt.Equal(tt.from) {
			t.Errorf("now %v: %v from %v, want %v from %v", tt.now, d.After.ScheduledAt, d.After.NextFireAt, tt.next, tt.from)
		}
	}
	// Other policies are not spaced.
	for _, policy := range []provider.MisfirePolicy{runOnce, skip} {
		trigger := waitingAt("cron 0/15 * * * * *", at("10:59:30"))
		trigger.Misfire = policy
		if d := decide(rules(nil), trigger, now); !d.After.NextFireAt.Equal(at("10:59:45")) {
			t.Errorf("%v: from %v, want 10:59:45", policy, d.After.NextFireAt)
		}
	}
}

// TestMisfireIsJudgedByTheOccurrence, not by the instant to which a make-up was
// put off (D13).
func TestMisfireIsJudgedByTheOccurrence(t *testing.T) {
	trigger := waitingAt("cron 0 * * * * *", at("10:00:00"))
	trigger.NextFireAt, trigger.Misfire = at("11:00:00"), skip
	if d := decide(rules(nil), trigger, at("11:00:00")); d.Action != provider.Advance {
		t.Errorf("action %d, want the occurrence of an hour ago skipped", d.Action)
	}
}

// TestB94AddingAJob: deciding over one trigger leaves the others' rows alone, and
// asking again gives the same answer; registering another job asks nothing.
func TestB94AddingAJob(t *testing.T) {
	r := rules(nil)
	a := newLine(t, r, "cron 0 1 11 * * *", at("10:00:00"), runOnce)
	before := a.row
	newLine(t, r, "cron 0 3 11 * * *", at("11:02:30"), runOnce)
	if a.row != before {
		t.Errorf("A changed: %+v", a.row)
	}
	if d, again := decide(r, a.row, at("11:02:30")), decide(r, a.row, at("11:02:30")); d != again {
		t.Errorf("two answers: %+v, %+v", d, again)
	}
}

// TestB99DeployOverTheDueMinute: three minutes late, the policy applies.
func TestB99DeployOverTheDueMinute(t *testing.T) {
	const text = "cron 0 0 15 * * *"
	for policy, want := range map[provider.MisfirePolicy][]time.Time{
		runOnce: {at("15:03:00")}, skip: {}, runAll: {at("15:00:00")},
	} {
		l := newLine(t, rules(nil), text, at("14:57:00"), policy)
		l.claim(at("15:03:00"))
		l.wantRuns(want...)
		l.wantNext(at("2026-03-03T15:00:00Z"))
	}
}

// TestB100StartUpHandlesAMissOnce: 6 s late is no misfire; one run, then the next
// minute, not earlier.
func TestB100StartUpHandlesAMissOnce(t *testing.T) {
	l := newLine(t, rules(nil), "cron 0 * * * * *", at("07:58:30"), runOnce)
	l.claim(at("07:59:06"))
	l.claim(at("07:59:06"))
	l.claim(at("07:59:59.999999"))
	l.wantRuns(at("07:59:00"))
	l.wantNext(at("08:00:00"))
}

// TestMisfireAfterAPause: a resumed trigger follows its policy (R196, R230).
func TestMisfireAfterAPause(t *testing.T) {
	l := newLine(t, rules(nil), "cron 0 0 * * * *", at("09:30:00"), runOnce)
	l.row.State = provider.TriggerWaiting // as after Resume at 12:30
	l.claim(at("12:30:00"))
	l.wantRuns(at("12:30:00"))
	l.wantNext(at("13:00:00"))
}

// TestRunOnceCountsFromNow: after a make-up run the next never is the instant of
// the make-up itself (R197).
func TestRunOnceCountsFromNow(t *testing.T) {
	l := newLine(t, rules(nil), "cron 0 0 * * * *", at("08:30:00"), runOnce)
	l.claim(at("12:00:00")) // exactly on an occurrence
	l.wantRuns(at("12:00:00"))
	l.wantNext(at("13:00:00"))
}
