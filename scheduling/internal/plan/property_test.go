package plan

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// TestCronLife looks for work at random instants and judges the runs of a
// schedule "every step seconds of the minute" by arithmetic alone: what each
// policy may run, and that nothing is lost or doubled (R168, R195–R199, D13).
func TestCronLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := time.Duration(rapid.SampledFrom([]int{1, 2, 5, 15, 30}).Draw(t, "step")) * time.Second
		threshold := time.Duration(rapid.IntRange(0, 90).Draw(t, "threshold")) * time.Second
		poll := time.Duration(rapid.IntRange(1, 4000).Draw(t, "poll")) * time.Millisecond
		policy := rapid.SampledFrom([]provider.MisfirePolicy{runOnce, skip, runAll}).Draw(t, "policy")
		r := rules(nil)
		r.MisfireThreshold, r.PollInterval = threshold, poll
		row, err := r.Birth(provider.TriggerRecord{
			TriggerKey: provider.TriggerKey{Job: "j", Trigger: "t"}, Misfire: policy,
			Schedule: fmt.Sprintf("cron 0/%d * * * * *", step/time.Second),
		}, at("10:00:00.5"))
		if err != nil {
			t.Fatal(err)
		}
		// after is the first occurrence behind an instant.
		after := func(from time.Time) time.Time { return from.Truncate(step).Add(step) }
		if want := after(at("10:00:00.5")); !row.ScheduledAt.Equal(want) {
			t.Fatalf("first %v, want %v", row.ScheduledAt, want)
		}
		handled := at("10:00:00.5") // everything up to here is done with
		now, runs := handled, int64(0)
		gaps := rapid.SliceOfN(rapid.IntRange(0, 200_000), 1, 40).Draw(t, "gaps")
		for _, gap := range gaps {
			now = now.Add(time.Duration(gap) * time.Millisecond)
			if row.NextFireAt.After(now) {
				continue
			}
			due, late := after(handled), now.Sub(after(handled))
			d := decide(r, row, now)
			want, scheduled := provider.Start, due
			switch {
			case late > threshold && policy == runOnce:
				scheduled, handled = now, now
			case late > threshold && policy == skip:
				want, handled = provider.Advance, now
			default:
				handled = due
			}
			if d.Action != want {
				t.Fatalf("at %v, %v late: action %d, want %d", now, late, d.Action, want)
			}
			if want == provider.Start {
				runs++
				if !d.Run.ScheduledAt.Equal(scheduled) || !d.After.PrevFireAt.Equal(scheduled) {
					t.Fatalf("at %v: scheduled %v prev %v, want %v", now, d.Run.ScheduledAt, d.After.PrevFireAt, scheduled)
				}
			}
			next, from := after(handled), after(handled)
			if policy == runAll && !next.After(now) {
				from = now.Add(min(poll, step/2))
			}
			if d.After.FireCount != runs || d.After.State != provider.TriggerWaiting ||
				!d.After.ScheduledAt.Equal(next) || !d.After.NextFireAt.Equal(from) {
				t.Fatalf("at %v: after %+v, want %d runs, next %v from %v", now, d.After, runs, next, from)
			}
			row.ScheduledAt, row.NextFireAt = d.After.ScheduledAt, d.After.NextFireAt
			row.PrevFireAt, row.FireCount = d.After.PrevFireAt, d.After.FireCount
		}
	})
}

// TestIntervalLife: whatever happens, at most repeat runs begin, the next is one
// interval after the end of the one before, and never earlier (R159, R160).
func TestIntervalLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := time.Duration(rapid.IntRange(1, 10_000).Draw(t, "every")) * time.Millisecond
		total := int64(rapid.IntRange(1, 5).Draw(t, "total"))
		policy := rapid.SampledFrom([]provider.MisfirePolicy{runOnce, skip, runAll}).Draw(t, "policy")
		r := rules(nil)
		stored := at("10:00:00")
		row, err := r.Birth(provider.TriggerRecord{
			TriggerKey: provider.TriggerKey{Job: "j", Trigger: "t"}, Misfire: policy,
			Schedule: schedule.MustEveryTimes(every, total).String(),
		}, stored)
		if err != nil {
			t.Fatal(err)
		}
		ended, now, runs := stored, stored, int64(0)
		for range 20 {
			now = now.Add(time.Duration(rapid.IntRange(0, 200_000).Draw(t, "gap")) * time.Millisecond)
			if row.State != provider.TriggerWaiting || row.NextFireAt.After(now) {
				continue
			}
			d := decide(r, row, now)
			if now.Before(ended.Add(every)) && d.Action == provider.Start {
				t.Fatalf("a run begins at %v, %v after the last ended", now, now.Sub(ended))
			}
			row.FireCount = d.After.FireCount
			switch d.Action {
			case provider.Start:
				runs++
				took := time.Duration(rapid.IntRange(0, 20_000).Draw(t, "took")) * time.Millisecond
				now = now.Add(took)
				ended = now
				s := r.Settle(Ended{Job: job(), Trigger: row, After: d.After, State: provider.RunSucceeded})(now)
				want := provider.Next{State: provider.TriggerComplete}
				if runs < total {
					want = provider.Next{State: provider.TriggerWaiting, ScheduledAt: now.Add(every), NextFireAt: now.Add(every)}
				}
				if s.Trigger == nil || *s.Trigger != want {
					t.Fatalf("after run %d of %d: %+v, want %+v", runs, total, s.Trigger, want)
				}
				row.State, row.ScheduledAt, row.NextFireAt = s.Trigger.State, s.Trigger.ScheduledAt, s.Trigger.NextFireAt
			case provider.Advance:
				if policy != skip || now.Sub(row.ScheduledAt) <= r.MisfireThreshold {
					t.Fatalf("%v passed over at %v under %v", row.ScheduledAt, now, policy)
				}
				row.State, row.ScheduledAt, row.NextFireAt = d.After.State, d.After.ScheduledAt, d.After.NextFireAt
			default:
				t.Fatalf("action %d", d.Action)
			}
		}
		if runs > total {
			t.Fatalf("%d runs, want at most %d", runs, total)
		}
	})
}

// TestRetryDelayProperties: never shorter than the one before, never above the
// caps, and doubling until there (R213, R214).
func TestRetryDelayProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := provider.RetryPolicy{
			MaxRetries: 100, Backoff: provider.BackoffExponential,
			Delay:    time.Duration(rapid.Int64Range(1, MaxDelay.Milliseconds()).Draw(t, "delay")) * time.Millisecond,
			MaxDelay: time.Duration(rapid.Int64Range(0, MaxDelay.Milliseconds()).Draw(t, "cap")) * time.Millisecond,
		}
		most := MaxDelay
		if p.MaxDelay > 0 {
			most = p.MaxDelay
		}
		for n := 1; n < MaxRetries; n++ {
			this, next := RetryDelay(p, n), RetryDelay(p, n+1)
			if this <= 0 || this > most || next != min(2*this, most) && this < most || this == most && next != most {
				t.Fatalf("%+v: before retry %d %v, before the next %v", p, n, this, next)
			}
		}
	})
}

// TestDecideNeverPanics, whatever a row holds: each decision is one that a store
// can carry out.
func TestDecideNeverPanics(t *testing.T) {
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "none") {
			return time.Time{}
		}
		return at("2026-01-01T00:00:00Z").Add(time.Duration(rapid.Int64Range(-1<<50, 1<<55).Draw(t, "µs")) * time.Microsecond)
	})
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "manual", nightly, "every 00:00:01 x3", "once 2026-03-02T10:00:00Z", nightly + " tz=Asia/Tehran",
		nightly + " calendar=own", nightly + " calendar=bad", "every 00:10:00 calendar=own end=2026-06-01T00:00:00Z",
		nightly + " tz=Mars/Olympus", nightly + " calendar=unknown", "cron * * * * * * end=2026-03-01T00:00:00Z",
	}))
	r := rules(map[string]schedule.Calendar{"own": own(never), "bad": own(panics)})
	rapid.Check(t, func(t *rapid.T) {
		c := provider.Candidate{
			Trigger: provider.TriggerRecord{
				TriggerKey: provider.TriggerKey{Job: "j", Trigger: rapid.SampledFrom([]string{"t", "manual-a", "retry-b-2", "recovery-c"}).Draw(t, "name")},
				Schedule:   texts.Draw(t, "text"), Data: rapid.SampledFrom([]string{"", "{}", `{"a":1}`, "[", "null"}).Draw(t, "data"),
				Misfire: provider.MisfirePolicy(rapid.Int16Range(-1, 4).Draw(t, "misfire")), RunAs: provider.RunKind(rapid.Int16Range(-1, 6).Draw(t, "kind")),
				State: provider.TriggerWaiting, ScheduledAt: instant.Draw(t, "scheduled"), NextFireAt: instant.Draw(t, "next"),
				PrevFireAt: instant.Draw(t, "prev"), ExpiresAt: instant.Draw(t, "expires"), FireCount: rapid.Int64Range(-1, 5).Draw(t, "count"),
				Attempt: rapid.IntRange(-1, 3).Draw(t, "attempt"), Local: rapid.Bool().Draw(t, "local"),
			},
			Now: at("2026-03-02T10:00:00Z"), Occupied: rapid.Bool().Draw(t, "occupied"),
		}
		if rapid.Bool().Draw(t, "job") {
			c.Job = job()
			c.Job.Data = rapid.SampledFrom([]string{"", "{}", "x"}).Draw(t, "job data")
		}
		claimed := []provider.Claimed{{Trigger: c.Trigger, Job: c.Job}}
		begin := r.Decide(r.Prepare(claimed, c.Now))(c)
		claim := r.Decide(nil)(c)
		for _, d := range []provider.Decision{claim, begin} {
			switch d.Action {
			case provider.Start:
				if d.Run.TriggerName == "" || !d.Run.Kind.Valid() || d.Run.ScheduledAt.IsZero() || d.Run.Attempt < 1 {
					t.Fatalf("run %+v", d.Run)
				}
			case provider.Block:
				if !c.Occupied {
					t.Fatal("blocked by a job that is free")
				}
			}
			if d.After.Delete || d.Action != provider.Start && d.Action != provider.Advance {
				continue
			}
			timed := d.After.State == provider.TriggerWaiting
			if timed == d.After.NextFireAt.IsZero() || timed == d.After.ScheduledAt.IsZero() || !d.After.State.Valid() {
				t.Fatalf("action %d: after %+v", d.Action, d.After)
			}
		}
		if claim.Action == provider.Return || begin.Action == provider.Hold || begin.Action == provider.Leave {
			t.Fatalf("claim %d, begin %d", claim.Action, begin.Action)
		}
		s := r.Settle(Ended{Run: begin.Run, Job: c.Job, Trigger: c.Trigger, After: begin.After, State: provider.RunFailed})
		s(c.Now)
		r.Revive(c.Trigger, c.Job, c.Now)
		r.Rezone(c.Trigger, c.Now)
		r.PassBy(c.Trigger, c.Now, 0)
		r.DecideLocal(c)
	})
}
