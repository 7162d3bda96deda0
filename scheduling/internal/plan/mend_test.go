package plan

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// poisoned is a trigger as a node leaves it that cannot run it.
func poisoned(t *testing.T, trigger provider.TriggerRecord, handler string, now time.Time) provider.TriggerRecord {
	t.Helper()
	j := job()
	j.Handler = handler
	d := rules(nil).Decide(nil)(provider.Candidate{Trigger: trigger, Job: j, Now: now})
	if d.After.State != provider.TriggerError {
		t.Fatalf("decision %+v, want Error", d)
	}
	trigger.State, trigger.ScheduledAt, trigger.NextFireAt = d.After.State, time.Time{}, time.Time{}
	trigger.ErrorCode, trigger.ErrorText = d.After.ErrorCode, d.After.ErrorText
	trigger.PrevFireAt, trigger.FireCount = d.After.PrevFireAt, d.After.FireCount
	return trigger
}

// TestRevive: a node that knows what another did not takes the trigger up at the
// occurrence at which it was poisoned (D14, B111).
func TestRevive(t *testing.T) {
	due := at("02:00:00")
	now := at("02:00:30")
	r := rules(map[string]schedule.Calendar{"c": own(never), "bad": own(panics)})
	interval := waitingAt("every 00:10:00", due)
	ran := waitingAt(nightly, due)
	ran.PrevFireAt, ran.FireCount = due.Add(-24*time.Hour), 1
	tests := []struct {
		name    string
		trigger provider.TriggerRecord
		change  func(*provider.TriggerRecord, *provider.JobRecord)
		want    time.Time // zero: stays
	}{
		{"cron", waitingAt(nightly, due), nil, due},
		{"interval", interval, nil, due},
		{"once", waitingAt("once 2026-03-02T02:00:00Z", due), nil, due},
		{"one-shot", oneShotAt("manual-a", provider.KindManual, due), nil, due},
		{"zone known now", waitingAt("cron 0 0 2 * * * tz=Europe/Berlin", due), nil, due},
		{"calendar known now", waitingAt(nightly+" calendar=c", due), nil, due},
		{"handler still unknown", waitingAt(nightly, due), func(_ *provider.TriggerRecord, j *provider.JobRecord) { j.Handler = "unknown" }, time.Time{}},
		{"calendar still unknown", waitingAt(nightly+" calendar=x", due), nil, time.Time{}},
		{"zone still unknown", waitingAt(nightly+" tz=Mars/Olympus", due), nil, time.Time{}},
		{"calendar that panics", waitingAt(nightly+" calendar=bad", due), nil, time.Time{}},
		{"the job is gone", waitingAt(nightly, due), func(_ *provider.TriggerRecord, j *provider.JobRecord) { *j = provider.JobRecord{} }, time.Time{}},
		{"data still no object", waitingAt(nightly, due), func(_ *provider.TriggerRecord, j *provider.JobRecord) { j.Data = "1" }, time.Time{}},
		{"not in state Error", waitingAt(nightly, due), func(t *provider.TriggerRecord, _ *provider.JobRecord) { t.State = provider.TriggerComplete }, time.Time{}},
		{"another error", waitingAt(nightly, due), func(t *provider.TriggerRecord, _ *provider.JobRecord) { t.ErrorCode = "SOMETHING_ELSE" }, time.Time{}},
		{"text without the instant: behind the last run", ran, func(t *provider.TriggerRecord, _ *provider.JobRecord) { t.ErrorText = "x" }, due},
		{"text without the instant: never ran", waitingAt(nightly, due), func(t *provider.TriggerRecord, _ *provider.JobRecord) { t.ErrorText = "" }, due.Add(24 * time.Hour)},
		{"text without the instant: one-shot", oneShotAt("manual-a", provider.KindManual, due), func(t *provider.TriggerRecord, _ *provider.JobRecord) { t.ErrorText = "" }, now},
		{"text without the instant: interval", interval, func(t *provider.TriggerRecord, _ *provider.JobRecord) { t.ErrorText, t.FireCount = "", 3 }, now.Add(10 * time.Minute)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := poisoned(t, tt.trigger, "unknown", now)
			j := job()
			if tt.change != nil {
				tt.change(&row, &j)
			}
			next, ok := r.Revive(row, j, now)
			if ok != !tt.want.IsZero() {
				t.Fatalf("%+v %v, want %v", next, ok, tt.want)
			}
			if ok && (next.State != provider.TriggerWaiting || !next.ScheduledAt.Equal(tt.want) || !next.NextFireAt.Equal(tt.want)) {
				t.Errorf("next %+v, want %v", next, tt.want)
			}
		})
	}
	// A once schedule that has run is over.
	row := poisoned(t, waitingAt("once 2026-03-02T02:00:00Z", due), "unknown", now)
	row.ErrorText, row.FireCount = "", 1
	if next, ok := r.Revive(row, job(), now); !ok || next.State != provider.TriggerComplete {
		t.Errorf("once that ran: %+v %v, want Complete", next, ok)
	}
}

// TestPassBy: on an unshared store what no leader has run moves on (D42).
func TestPassBy(t *testing.T) {
	due := at("10:00:00")
	patience := 90 * time.Second
	r := rules(map[string]schedule.Calendar{"bad": own(panics)})
	paused := waitingAt("cron 0 * * * * *", due)
	paused.State = provider.TriggerPaused
	tests := []struct {
		name    string
		trigger provider.TriggerRecord
		late    time.Duration
		ok      bool
		want    provider.Next
	}{
		{"not late enough", waitingAt("cron 0 * * * * *", due), patience, false, provider.Next{}},
		{"cron", waitingAt("cron 0 * * * * *", due), patience + time.Second, true, waiting(schedule.Schedule{}, at("10:02:00"))},
		{"interval", waitingAt("every 00:10:00", due), patience + time.Second, true, waiting(schedule.Schedule{}, at("10:11:31"))},
		{"once", waitingAt("once 2026-03-02T10:00:00Z", due), patience + time.Second, true, complete()},
		{"one-shots are not limited by leadership", oneShotAt("manual-a", provider.KindManual, due), time.Hour, false, provider.Next{}},
		{"paused", paused, time.Hour, false, provider.Next{}},
		{"unreadable", waitingAt("lunar", due), time.Hour, false, provider.Next{}},
		{"calendar that panics", waitingAt("cron 0 * * * * * calendar=bad", due), time.Hour, false, provider.Next{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := r.PassBy(tt.trigger, due.Add(tt.late), patience)
			if ok != tt.ok || got != tt.want {
				t.Errorf("%+v %v, want %+v %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

// TestB69ZoneTablesChange: Tehran gave up summer time; with the old tables
// midnight of 22 March 2023 was skipped (D43).
func TestB69ZoneTablesChange(t *testing.T) {
	r := rules(nil)
	const text = "cron 0 0 0 * * * tz=Asia/Tehran"
	stored := at("2023-03-22T19:30:00Z") // by the old tables
	ran := at("2023-03-20T20:30:00Z")
	row := waitingAt(text, stored)
	row.ZoneHash = "00000000000000aa"
	row.PrevFireAt, row.FireCount = ran, 5
	next, ok := r.Rezone(row, at("2023-03-21T10:00:00Z"))
	if want := at("2023-03-21T20:30:00Z"); !ok || !next.ScheduledAt.Equal(want) || !next.NextFireAt.Equal(want) {
		t.Fatalf("%+v %v, want %v", next, ok, want)
	}
	s, _ := parsed.parse(text)
	if next.ZoneHash != s.ZoneHash(next.ScheduledAt) {
		t.Errorf("hash %q", next.ZoneHash)
	}
	row.ScheduledAt, row.NextFireAt, row.ZoneHash = next.ScheduledAt, next.NextFireAt, next.ZoneHash
	if next, ok := r.Rezone(row, at("2023-03-21T10:00:00Z")); ok {
		t.Errorf("moved again, to %+v", next)
	}
}

// TestRezone: from the last run, or now; never to an instant already run (D43).
func TestRezone(t *testing.T) {
	const text = "cron 0 0 2 * * * tz=Europe/Berlin" // 01:00 UTC
	day := func(d int, clock string) time.Time { return at("2026-03-0" + string(rune('0'+d)) + "T" + clock + "Z") }
	base := func() provider.TriggerRecord {
		row := waitingAt(text, day(3, "00:30:00")) // by other tables
		row.ZoneHash = "00000000000000aa"
		return row
	}
	r := rules(map[string]schedule.Calendar{"bad": own(panics)})
	tests := []struct {
		name   string
		change func(*provider.TriggerRecord)
		now    time.Time
		want   time.Time // zero: stays
	}{
		{"never ran: from now", func(*provider.TriggerRecord) {}, day(2, "10:00:00"), day(3, "01:00:00")},
		{"ran yesterday: after that run", func(t *provider.TriggerRecord) { t.PrevFireAt = day(2, "00:30:00") }, day(2, "10:00:00"), day(2, "01:00:00")},
		{"ran at the very instant: not again", func(t *provider.TriggerRecord) { t.PrevFireAt = day(2, "01:00:00") }, day(2, "10:00:00"), day(3, "01:00:00")},
		{"passed by for days: from now", func(t *provider.TriggerRecord) { t.PrevFireAt = at("2026-02-01T01:00:00Z") }, day(2, "10:00:00"), day(3, "01:00:00")},
		{"overdue, after its last run", func(t *provider.TriggerRecord) { t.PrevFireAt = day(2, "01:00:00") }, day(3, "10:00:00"), day(3, "01:00:00")},
		{"overdue, never ran: keeps its instant", func(*provider.TriggerRecord) {}, day(3, "10:00:00"), time.Time{}},
		{"paused too", func(t *provider.TriggerRecord) { t.State, t.Paused = provider.TriggerPaused, true }, day(2, "10:00:00"), day(3, "01:00:00")},
		{"claimed: left alone", func(t *provider.TriggerRecord) { t.State = provider.TriggerAcquired }, day(2, "10:00:00"), time.Time{}},
		{"complete", func(t *provider.TriggerRecord) { t.State, t.ScheduledAt = provider.TriggerComplete, time.Time{} }, day(2, "10:00:00"), time.Time{}},
		{"same tables", func(t *provider.TriggerRecord) {
			s, _ := parsed.parse(text)
			t.ZoneHash = s.ZoneHash(t.ScheduledAt)
		}, day(2, "10:00:00"), time.Time{}},
		{"UTC has no tables", func(t *provider.TriggerRecord) { t.Schedule, t.ZoneHash = nightly, "" }, day(2, "10:00:00"), time.Time{}},
		{"interval", func(t *provider.TriggerRecord) { t.Schedule = "every 00:10:00" }, day(2, "10:00:00"), time.Time{}},
		{"unreadable", func(t *provider.TriggerRecord) { t.Schedule = "lunar" }, day(2, "10:00:00"), time.Time{}},
		{"calendar that panics", func(t *provider.TriggerRecord) { t.Schedule = text + " calendar=bad" }, day(2, "10:00:00"), time.Time{}},
		{"one-shot", func(t *provider.TriggerRecord) { t.Trigger = "manual-a" }, day(2, "10:00:00"), time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := base()
			tt.change(&row)
			next, ok := r.Rezone(row, tt.now)
			if ok != !tt.want.IsZero() || ok && !next.ScheduledAt.Equal(tt.want) {
				t.Errorf("%+v %v, want %v", next, ok, tt.want)
			}
			if ok && !next.ScheduledAt.After(row.PrevFireAt) {
				t.Errorf("an instant already run: %v after %v", next.ScheduledAt, row.PrevFireAt)
			}
		})
	}
}
