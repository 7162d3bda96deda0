package plan

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// long asks as begin does, after preparing at prepared.
func long(r *Rules, t provider.TriggerRecord, prepared, now time.Time) provider.Decision {
	p := r.Prepare([]provider.Claimed{{Trigger: t, Job: job()}}, prepared)
	return r.Decide(p)(provider.Candidate{Trigger: t, Job: job(), Now: now})
}

// TestOwnCalendarIsHeld: in a claim an application's calendar is never asked; in
// begin neither, because it was asked before.
func TestOwnCalendarIsHeld(t *testing.T) {
	cal := own(never)
	r := rules(map[string]schedule.Calendar{"c": cal, "days": weekly(t, time.Sunday)})
	due := at("10:00:00")
	for _, text := range []string{"cron 0 0 * * * * calendar=c", "every 00:10:00 calendar=c"} {
		trigger := waitingAt(text, due)
		if d := decide(r, trigger, due); d.Action != provider.Hold {
			t.Errorf("%s: claim decides %d, want Hold", text, d.Action)
		}
		p := r.Prepare([]provider.Claimed{{Trigger: trigger, Job: job()}}, due)
		asked := cal.asked.Load()
		if asked == 0 {
			t.Errorf("%s: Prepare did not ask", text)
		}
		d := r.Decide(p)(provider.Candidate{Trigger: trigger, Job: job(), Now: due.Add(time.Millisecond)})
		if d.Action != provider.Start {
			t.Errorf("%s: begin decides %d, want Start", text, d.Action)
		}
		if cal.asked.Load() != asked {
			t.Errorf("%s: the calendar ran inside begin", text)
		}
	}
	asked := cal.asked.Load()
	for name, change := range map[string]func(*provider.Candidate){
		"once, whose instant was judged when it was stored": func(c *provider.Candidate) {
			c.Trigger.Schedule = "once 2026-03-02T10:00:00Z calendar=c"
		},
		"built-in calendar": func(c *provider.Candidate) { c.Trigger.Schedule = "cron 0 0 * * * * calendar=days" },
		"occupied":          func(c *provider.Candidate) { c.Occupied = true },
		"orphan":            func(c *provider.Candidate) { c.Job = provider.JobRecord{} },
		"unknown handler":   func(c *provider.Candidate) { c.Job.Handler = "unknown" },
	} {
		c := provider.Candidate{Trigger: waitingAt("cron 0 0 * * * * calendar=c", due), Job: job(), Now: due}
		change(&c)
		if d := r.Decide(nil)(c); d.Action == provider.Hold || d.Action == provider.Leave {
			t.Errorf("%s: %d, want it decided in the claim", name, d.Action)
		}
	}
	if cal.asked.Load() != asked {
		t.Error("the calendar ran inside a claim")
	}
}

// TestPreparedDecisions are those that the calendar itself would give, at every
// present between the claim and begin.
func TestPreparedDecisions(t *testing.T) {
	excluded := between(at("10:00:00"), at("10:05:00"))
	r := rules(map[string]schedule.Calendar{"c": own(excluded)})
	built, err := schedule.NewCronCalendar("* 0-4 10 * * *", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	same := rules(map[string]schedule.Calendar{"c": built})
	for _, text := range []string{"cron 0 * * * * * calendar=c", "cron 0/10 * * * * * calendar=c"} {
		for _, policy := range []provider.MisfirePolicy{runOnce, skip, runAll} {
			for _, due := range []time.Time{at("09:59:00"), at("09:30:00")} {
				for _, delay := range []time.Duration{0, 90 * time.Millisecond, 3 * time.Second, 10 * time.Second} {
					claimed := at("09:59:20")
					trigger := waitingAt(text, due)
					trigger.Misfire = policy
					got := long(r, trigger, claimed, claimed.Add(delay))
					want := decide(same, trigger, claimed.Add(delay))
					if got != want {
						t.Errorf("%s %v due %v delay %v:\n%+v, want\n%+v", text, policy, due, delay, got, want)
					}
				}
			}
		}
	}
}

// TestStalePreparation: what does not fit any more is given back, not guessed.
func TestStalePreparation(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"c": own(never)})
	due := at("10:00:00")
	now := at("10:30:00")
	base := waitingAt("cron * * * * * * calendar=c", due)
	base.Misfire = skip
	tests := []struct {
		name   string
		change func(*provider.Candidate)
		want   provider.Action
	}{
		{"as prepared", func(c *provider.Candidate) {}, provider.Advance},
		{"a little later", func(c *provider.Candidate) { c.Now = now.Add(2 * time.Second) }, provider.Advance},
		{"far later: behind the chain", func(c *provider.Candidate) { c.Now = now.Add(time.Minute) }, provider.Return},
		{"earlier: the clock stepped back", func(c *provider.Candidate) { c.Now = now.Add(-time.Second) }, provider.Return},
		{"another schedule", func(c *provider.Candidate) { c.Trigger.Schedule = "cron 0 * * * * * calendar=c" }, provider.Return},
		{"another occurrence", func(c *provider.Candidate) { c.Trigger.ScheduledAt = due.Add(time.Second) }, provider.Return},
		{"another count", func(c *provider.Candidate) { c.Trigger.FireCount++ }, provider.Return},
		{"another trigger", func(c *provider.Candidate) { c.Trigger.Trigger = "u" }, provider.Return},
		{"occupied meanwhile", func(c *provider.Candidate) { c.Occupied = true }, provider.Block},
		{"another data: no matter", func(c *provider.Candidate) { c.Trigger.Data = `{"a":1}` }, provider.Advance},
	}
	p := r.Prepare([]provider.Claimed{{Trigger: base, Job: job()}}, now)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := provider.Candidate{Trigger: base, Job: job(), Now: now}
			tt.change(&c)
			if d := r.Decide(p)(c); d.Action != tt.want {
				t.Errorf("action %d, want %d", d.Action, tt.want)
			}
		})
	}
	// With a chain that ends, being behind it is no reason to ask again.
	ending := base
	ending.Schedule = "cron * * * * * * end=2026-03-02T10:30:02Z calendar=c"
	if d := long(r, ending, now, now.Add(time.Minute)); d.Action != provider.Advance || d.After.State != provider.TriggerComplete {
		t.Errorf("behind the end: %+v, want Complete", d)
	}
}

// TestPanickingCalendar: the trigger turns to Error with a reason, and nothing
// else is touched.
func TestPanickingCalendar(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"c": own(panics), "good": own(never)})
	due := at("10:00:00")
	bad := waitingAt("cron 0 0 * * * * calendar=c", due)
	good := waitingAt("cron 0 0 * * * * calendar=good", due)
	good.Trigger = "u"
	p := r.Prepare([]provider.Claimed{{Trigger: bad, Job: job()}, {Trigger: good, Job: job()}}, due)
	d := r.Decide(p)(provider.Candidate{Trigger: bad, Job: job(), Now: due})
	if d.Action != provider.Advance || d.After.State != provider.TriggerError || d.After.ErrorCode != string(provider.CodeRunPanicked) {
		t.Errorf("bad: %+v, want Error", d)
	}
	for _, want := range []string{`calendar "c"`, "the calendar's table is missing", "IsExcluded"} {
		if !strings.Contains(d.After.ErrorText, want) {
			t.Errorf("text %q lacks %q", d.After.ErrorText, want)
		}
	}
	if d := r.Decide(p)(provider.Candidate{Trigger: good, Job: job(), Now: due}); d.Action != provider.Start {
		t.Errorf("good: %+v, want Start", d)
	}
	if _, err := r.Birth(bad, due); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("Birth: %v, want the panic as an error", err)
	}
	if w := r.Warning(bad.Schedule, due); w != "" {
		t.Errorf("Warning: %q", w)
	}
}

// TestPanicTextIsStorable: it comes from the application (D39).
func TestPanicTextIsStorable(t *testing.T) {
	for name, text := range map[string]string{
		"long": strings.Repeat("x", 1<<20), "long, cut inside a character": strings.Repeat("é", 1<<10),
		"not UTF-8": "a\xffb", "NUL": "a\x00b",
	} {
		r := rules(map[string]schedule.Calendar{"c": own(func(time.Time) bool { panic(text) })})
		due := at("10:00:00")
		got := long(r, waitingAt("cron 0 0 * * * * calendar=c", due), due, due).After
		if got.State != provider.TriggerError || len(got.ErrorText) > 1024 || !utf8.ValidString(got.ErrorText) || strings.Contains(got.ErrorText, "\x00") {
			t.Errorf("%s: state %v, %d bytes: %.40q", name, got.State, len(got.ErrorText), got.ErrorText)
		}
		if when, ok := dueOf(got.ErrorText); !ok || !when.Equal(due) {
			t.Errorf("%s: due %v %v, want %v", name, when, ok, due)
		}
	}
}

// TestPrepareLooksOnly: without application calendars nothing is kept.
func TestPrepareLooksOnly(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"c": own(panics)})
	due := at("10:00:00")
	manual := oneShotAt("manual-a", provider.KindManual, due)
	manual.Schedule = "cron 0 0 * * * * calendar=c" // never looked at
	p := r.Prepare([]provider.Claimed{
		{Trigger: waitingAt(nightly, due), Job: job()},
		{Trigger: manual, Job: job()},
		{Trigger: waitingAt("cron 0 0 * * * * calendar=c", due)}, // orphan
		{Trigger: waitingAt("lunar", due), Job: job()},
	}, due)
	if len(p.byKey) != 0 {
		t.Errorf("%d answers, want none", len(p.byKey))
	}
}
