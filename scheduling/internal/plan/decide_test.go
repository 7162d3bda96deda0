package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

const nightly = "cron 0 0 2 * * *"

// TestObstacles: what keeps a trigger from running, and in which order it is
// looked at.
func TestObstacles(t *testing.T) {
	due := at("02:00:00")
	now := due.Add(time.Second)
	base := func() provider.Candidate {
		return provider.Candidate{Trigger: waitingAt(nightly, due), Job: job(), Now: now}
	}
	tests := []struct {
		name   string
		change func(*provider.Candidate)
		want   provider.Action
		delete bool
		code   provider.Code
	}{
		{"due (R007)", func(c *provider.Candidate) {}, provider.Start, false, ""},
		{"orphan (D10)", func(c *provider.Candidate) { c.Job = provider.JobRecord{} }, provider.Advance, true, ""},
		{"orphaned one-shot (D10)", func(c *provider.Candidate) {
			c.Trigger, c.Job = oneShotAt("manual-a", provider.KindManual, due), provider.JobRecord{}
		}, provider.Advance, true, ""},
		{"orphan before unreadable text (D10)", func(c *provider.Candidate) {
			c.Job, c.Trigger.Schedule = provider.JobRecord{}, "lunar 3"
		}, provider.Advance, true, ""},
		{"unknown handler (R157, D14)", func(c *provider.Candidate) { c.Job.Handler = "unknown" }, provider.Advance, false, provider.CodeHandlerNotFound},
		{"unknown handler of a one-shot (D14)", func(c *provider.Candidate) {
			c.Trigger, c.Job.Handler = oneShotAt("manual-a", provider.KindManual, due), "unknown"
		}, provider.Advance, false, provider.CodeHandlerNotFound},
		{"handler defaults to the name (G1)", func(c *provider.Candidate) { c.Job.Handler, c.Job.Name = "", "unknown" }, provider.Advance, false, provider.CodeHandlerNotFound},
		{"unknown calendar (D14)", func(c *provider.Candidate) { c.Trigger.Schedule += " calendar=nobody" }, provider.Advance, false, provider.CodeInvalidDefinition},
		{"unknown zone (D14)", func(c *provider.Candidate) { c.Trigger.Schedule += " tz=Mars/Olympus" }, provider.Advance, false, provider.CodeInvalidDefinition},
		{"data that is no object", func(c *provider.Candidate) { c.Job.Data = "[1]" }, provider.Advance, false, provider.CodeInvalidDefinition},
		{"newer schedule text (D14)", func(c *provider.Candidate) { c.Trigger.Schedule = "lunar 3 tz=UTC" }, provider.Leave, false, ""},
		{"empty schedule text (D14)", func(c *provider.Candidate) { c.Trigger.Schedule = "" }, provider.Leave, false, ""},
		{"newer misfire policy (D14)", func(c *provider.Candidate) { c.Trigger.Misfire = 99 }, provider.Leave, false, ""},
		{"newer kind of run (D14)", func(c *provider.Candidate) { c.Trigger.RunAs = 99 }, provider.Leave, false, ""},
		{"unreadable before occupied (D14)", func(c *provider.Candidate) { c.Trigger.Misfire, c.Occupied = 99, true }, provider.Leave, false, ""},
		{"occupied (R200)", func(c *provider.Candidate) { c.Occupied = true }, provider.Block, false, ""},
		{"occupied one-shot (R220, B120)", func(c *provider.Candidate) {
			c.Trigger, c.Occupied = oneShotAt("retry-a-2", provider.KindRetry, due), true
		}, provider.Block, false, ""},
		{"occupied and late: blocked, the policy comes later (R201)", func(c *provider.Candidate) {
			c.Occupied, c.Trigger.Misfire, c.Now = true, provider.MisfireSkip, due.Add(time.Hour)
		}, provider.Block, false, ""},
		{"expired one-shot (D38)", func(c *provider.Candidate) {
			c.Trigger = oneShotAt("manual-a", provider.KindManual, due)
			c.Trigger.ExpiresAt = now.Add(-time.Microsecond)
		}, provider.Advance, true, ""},
		{"expired before occupied (D38)", func(c *provider.Candidate) {
			c.Trigger = oneShotAt("manual-a", provider.KindManual, due)
			c.Trigger.ExpiresAt, c.Occupied = now.Add(-time.Microsecond), true
		}, provider.Advance, true, ""},
		{"one-shot at its expiry (D38)", func(c *provider.Candidate) {
			c.Trigger = oneShotAt("manual-a", provider.KindManual, due)
			c.Trigger.ExpiresAt = now
		}, provider.Start, true, ""},
		{"expiry is for one-shots only", func(c *provider.Candidate) { c.Trigger.ExpiresAt = due }, provider.Start, false, ""},
		{"manual schedule has no next (R156)", func(c *provider.Candidate) { c.Trigger.Schedule = "manual" }, provider.Advance, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := base()
			tt.change(&c)
			d := rules(nil).Decide(nil)(c)
			if d.Action != tt.want || d.After.Delete != tt.delete {
				t.Fatalf("action %d delete %v, want %d %v", d.Action, d.After.Delete, tt.want, tt.delete)
			}
			if provider.Code(d.After.ErrorCode) != tt.code {
				t.Fatalf("code %q, want %q", d.After.ErrorCode, tt.code)
			}
			if failed := d.After.State == provider.TriggerError; failed != (tt.code != "") {
				t.Errorf("state %v with code %q", d.After.State, tt.code)
			}
			if d.After.State == provider.TriggerError && (!d.After.NextFireAt.IsZero() || !d.After.ScheduledAt.IsZero()) {
				t.Errorf("a trigger in state Error has a next instant: %+v", d.After)
			}
			if d2 := rules(nil).Decide(nil)(c); d2 != d {
				t.Errorf("asked again it decides %+v, before %+v", d2, d)
			}
		})
	}
}

// TestErrorTextNamesTheRemedy: field, value, remedy, no payload.
func TestErrorTextNamesTheRemedy(t *testing.T) {
	due := at("02:00:00")
	tests := []struct {
		name, schedule, handler string
		want                    []string
	}{
		{"handler", nightly, "unknown", []string{`handler "unknown"`, "Handle"}},
		{"calendar", nightly + " calendar=fair", "j", []string{`calendar "fair"`, "AddCalendar"}},
		{"zone with spaces", "cron 0 0 2 * * * tz=Mare Tranquillitatis Time calendar=x", "j", []string{`"Mare Tranquillitatis Time"`, "time/tzdata"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := job()
			j.Handler = tt.handler
			d := rules(nil).Decide(nil)(provider.Candidate{Trigger: waitingAt(tt.schedule, due), Job: j, Now: due})
			for _, want := range tt.want {
				if !strings.Contains(d.After.ErrorText, want) {
					t.Errorf("text %q lacks %q", d.After.ErrorText, want)
				}
			}
		})
	}
}

// TestZoneOf: only a text that parses without its zone has an unknown zone;
// anything else is a newer version's (D14).
func TestZoneOf(t *testing.T) {
	tests := []struct {
		text, zone string
		alone      bool
	}{
		{"cron 0 0 2 * * * tz=Mars/Olympus", "Mars/Olympus", true},
		{"cron 0 0 2 * * * TZ=Mars/Olympus start=2026-01-01T00:00:00Z", "Mars/Olympus", true},
		{"cron 0 0 2 * * * calendar=x tz=a b c", "a b c", true},
		{"cron 0 0 2 * * * phase=full tz=Mars/Olympus", "", false},
		{"lunar 3 tz=Mars/Olympus", "", false},
		{"lunar 3", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		zone, alone := zoneOf(tt.text)
		if alone != tt.alone || alone && zone != tt.zone {
			t.Errorf("zoneOf(%q) = %q %v, want %q %v", tt.text, zone, alone, tt.zone, tt.alone)
		}
	}
}

// TestRunOfADefinition: what a run record carries (R136, R137, R088, D12, D37).
func TestRunOfADefinition(t *testing.T) {
	due := at("02:00:00")
	trigger := waitingAt(nightly, due)
	trigger.Data, trigger.FireCount, trigger.PrevFireAt = `{"b":2,"c":3}`, 4, due.Add(-24*time.Hour)
	j := job()
	j.Data = `{"a":1,"b":1}`
	d := rules(nil).Decide(nil)(provider.Candidate{Trigger: trigger, Job: j, Now: due.Add(30 * time.Second)})
	want := provider.RunRecord{
		TriggerName: "t", Kind: provider.KindSchedule, ScheduledAt: due, Attempt: 1, Data: `{"a":1,"b":2,"c":3}`,
	}
	if d.Action != provider.Start || d.Run != want {
		t.Errorf("run %+v, want %+v", d.Run, want)
	}
	next := due.Add(24 * time.Hour)
	after := provider.Progress{Next: provider.Next{
		State: provider.TriggerWaiting, ScheduledAt: next, NextFireAt: next,
	}, PrevFireAt: due, FireCount: 5}
	if d.After != after {
		t.Errorf("after %+v, want %+v", d.After, after)
	}
}

// TestOneShots: their runs carry kind, attempt, first run and data; the row goes
// when the run begins, however late (D10, R218, R208).
func TestOneShots(t *testing.T) {
	due := at("02:00:00")
	tests := []struct {
		name    string
		trigger provider.TriggerRecord
		data    string
		late    time.Duration
		want    provider.RunRecord
	}{
		{"enqueued: merged (R137, R240)", oneShotAt("manual-a", provider.KindManual, due), `{"b":9}`, 0,
			provider.RunRecord{TriggerName: "manual-a", Kind: provider.KindManual, ScheduledAt: due, Attempt: 1, Data: `{"a":1,"b":9}`}},
		{"enqueued without data", oneShotAt("manual-a", provider.KindManual, due), "", 0,
			provider.RunRecord{TriggerName: "manual-a", Kind: provider.KindManual, ScheduledAt: due, Attempt: 1, Data: `{"a":1,"b":1}`}},
		{"late by a week: never skipped", func() provider.TriggerRecord {
			t := oneShotAt("manual-a", provider.KindManual, due)
			t.Misfire = provider.MisfireSkip
			return t
		}(), `{}`, 7 * 24 * time.Hour,
			provider.RunRecord{TriggerName: "manual-a", Kind: provider.KindManual, ScheduledAt: due, Attempt: 1, Data: `{"a":1,"b":1}`}},
		{"retry: whole data, not merged", func() provider.TriggerRecord {
			t := oneShotAt("retry-f-3", provider.KindRetry, due)
			t.Attempt, t.RetryOf = 3, "f"
			return t
		}(), `{"x":1}`, 0,
			provider.RunRecord{TriggerName: "retry-f-3", Kind: provider.KindRetry, ScheduledAt: due, Attempt: 3, RetryOf: "f", Data: `{"x":1}`}},
		{"recovery of a run without data", oneShotAt("recovery-r", provider.KindRecovery, due), "", 0,
			provider.RunRecord{TriggerName: "recovery-r", Kind: provider.KindRecovery, ScheduledAt: due, Attempt: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := job()
			j.Data = `{"a":1,"b":1}`
			tt.trigger.Data = tt.data
			d := rules(nil).Decide(nil)(provider.Candidate{Trigger: tt.trigger, Job: j, Now: due.Add(tt.late)})
			if d.Action != provider.Start || d.Run != tt.want {
				t.Errorf("action %d run %+v, want %+v", d.Action, d.Run, tt.want)
			}
			if d.After != (provider.Progress{Delete: true}) {
				t.Errorf("after %+v, want the row deleted", d.After)
			}
		})
	}
}

// TestBeginReturns: a claim that does not fit any more is given back (D07, D26).
func TestBeginReturns(t *testing.T) {
	due := at("02:00:00")
	r := rules(nil)
	empty := r.Prepare(nil, due)
	tests := []struct {
		name   string
		change func(*provider.Candidate)
		want   provider.Action
	}{
		{"as claimed", func(c *provider.Candidate) {}, provider.Start},
		{"the store's clock stepped back (D26)", func(c *provider.Candidate) { c.Now = due.Add(-time.Second) }, provider.Return},
		{"it has become local (R028)", func(c *provider.Candidate) { c.Trigger.Local = true }, provider.Return},
		{"unreadable (D14)", func(c *provider.Candidate) { c.Trigger.Schedule = "lunar" }, provider.Return},
		{"occupied (R202)", func(c *provider.Candidate) { c.Occupied = true }, provider.Block},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := provider.Candidate{Trigger: waitingAt(nightly, due), Job: job(), Now: due}
			tt.change(&c)
			if d := r.Decide(empty)(c); d.Action != tt.want {
				t.Errorf("action %d, want %d", d.Action, tt.want)
			}
		})
	}
}

// TestNilLookups: rules without functions know every handler and no calendar.
func TestNilLookups(t *testing.T) {
	due := at("02:00:00")
	r := &Rules{}
	if d := decide(r, waitingAt(nightly, due), due); d.Action != provider.Start {
		t.Errorf("action %d, want Start", d.Action)
	}
	if d := decide(r, waitingAt(nightly+" calendar=x", due), due); d.After.ErrorCode != string(provider.CodeInvalidDefinition) {
		t.Errorf("code %q, want the calendar to be unknown", d.After.ErrorCode)
	}
}

// TestZoneHashIsStored (D43): for the instant that is stored.
func TestZoneHashIsStored(t *testing.T) {
	due := at("2026-03-07T07:00:00Z")
	trigger := waitingAt("cron 0 0 2 * * * tz=America/New_York", due)
	d := decide(rules(nil), trigger, due)
	s, _ := parsed.parse(trigger.Schedule)
	// 8 March has no 02:00 in New York: the next is 9 March, 06:00 UTC.
	if want := at("2026-03-09T06:00:00Z"); !d.After.ScheduledAt.Equal(want) {
		t.Fatalf("next %v, want %v", d.After.ScheduledAt, want)
	}
	if d.After.ZoneHash == "" || d.After.ZoneHash != s.ZoneHash(d.After.ScheduledAt) {
		t.Errorf("hash %q, want that of %v", d.After.ZoneHash, d.After.ScheduledAt)
	}
}
