package scheduling_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// R234, R240, D38: what Enqueue stores and answers.
func TestEnqueueStores(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a"}, scheduling.JobDefinition{Name: "b", AllowConcurrent: true})
		d.quiet()
		due := monday.Add(time.Hour + 1999*time.Nanosecond)
		got, err := d.Enqueue(t.Context(),
			scheduling.EnqueueRequest{Job: "a"},
			scheduling.EnqueueRequest{Job: "b", Data: scheduling.MustData(map[string]int{"x": 1}), DueAt: due, Priority: -7,
				ExpiresAt: due.Add(time.Hour), Key: "order-17"})
		if err != nil || len(got) != 2 {
			t.Fatalf("%v, %v", got, err)
		}
		if !strings.HasPrefix(got[0].Trigger.Trigger, "manual-") || got[0].Trigger.Job != "a" || !got[0].DueAt.Equal(monday) || got[0].Existed {
			t.Errorf("first: %+v", got[0])
		}
		row := d.trigger("a", got[0].Trigger.Trigger)
		if !row.ScheduledAt.Equal(monday) || row.Priority != scheduling.DefaultPriority || !row.Exclusive || row.Attempt != 1 {
			t.Errorf("first row: %+v", row)
		}
		cut := monday.Add(time.Hour + time.Microsecond)
		equal(t, "second", got[1], scheduling.Enqueued{Trigger: scheduling.TriggerKey{Job: "b", Trigger: "manual-order-17"}, DueAt: cut})
		row = d.trigger("b", "manual-order-17")
		row.Version = 0
		equal(t, "second row", row, scheduling.TriggerRecord{
			TriggerKey: got[1].Trigger, Data: `{"x":1}`, Priority: -7, State: provider.TriggerWaiting, ScheduledAt: cut, NextFireAt: cut,
			RunAs: scheduling.KindManual, Attempt: 1, ExpiresAt: cut.Add(time.Hour),
		})
		d.wantEvents("") // R273 has no topic for it

		// The same key again, while it has not begun (D38).
		again, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "b", Key: "order-17"}, scheduling.EnqueueRequest{Job: "a", Key: "order-17"})
		if err != nil || !again[0].Existed || again[0].Trigger != got[1].Trigger || !again[0].DueAt.Equal(cut) || again[1].Existed {
			t.Errorf("again: %+v, %v", again, err)
		}
	})
}

// Two keys that are drawn are never the same, and order as they were drawn, so
// that requests of one instant run in their order (R029).
func TestEnqueueOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a"})
		requests := make([]scheduling.EnqueueRequest, 100)
		for i := range requests {
			requests[i].Job = "a"
		}
		got, err := d.Enqueue(t.Context(), requests...)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(got); i++ {
			if got[i-1].Trigger.Compare(got[i].Trigger) >= 0 {
				t.Fatalf("%v before %v", got[i-1].Trigger, got[i].Trigger)
			}
		}
	})
}

// R234, G8: bad requests answer per item, and write nothing.
func TestEnqueueRefuses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a"})
		long := strings.Repeat("k", scheduling.MaxKey+1)
		tests := []struct {
			name    string
			request scheduling.EnqueueRequest
			want    string // "": legal
		}{
			{"no job", scheduling.EnqueueRequest{}, `Job "" is empty`},
			{"job name", scheduling.EnqueueRequest{Job: "A"}, `Job "A" has the capital letter`},
			{"key", scheduling.EnqueueRequest{Job: "a", Key: "Order 17"}, `Key "Order 17": use only a-z, 0-9`},
			{"key with NUL", scheduling.EnqueueRequest{Job: "a", Key: "a\x00"}, `Key "a\x00"`},
			{"long key", scheduling.EnqueueRequest{Job: "a", Key: long}, "122 bytes long: use at most 121"},
			{"longest key", scheduling.EnqueueRequest{Job: "a", Key: long[1:]}, ""},
			{"key that begins with a dash", scheduling.EnqueueRequest{Job: "a", Key: "-1"}, ""},
			{"before 1970", scheduling.EnqueueRequest{Job: "a", DueAt: time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC)}, "DueAt 1969-12-31T23:00:00Z: use the years 1970 to 9999"},
			{"after 9999", scheduling.EnqueueRequest{Job: "a", ExpiresAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "ExpiresAt 10000-01-01"},
			{"expires before it is due", scheduling.EnqueueRequest{Job: "a", DueAt: monday, ExpiresAt: monday.Add(-time.Second)}, "ExpiresAt 2026-03-02T09:59:59Z is before DueAt"},
			{"in the past", scheduling.EnqueueRequest{Job: "a", DueAt: monday.Add(-time.Hour)}, ""},
			{"priority", scheduling.EnqueueRequest{Job: "a", Priority: 1 << 40}, "Priority 1099511627776"},
		}
		for _, tt := range tests {
			before := d.names("a")
			got, err := d.Enqueue(t.Context(), tt.request)
			if len(got) != 1 {
				t.Fatalf("%s: %d answers", tt.name, len(got))
			}
			if tt.want == "" {
				if err != nil || d.names("a") == before {
					t.Errorf("%s: %v, and %d triggers", tt.name, err, len(strings.Fields(before)))
				}
				continue
			}
			if !errors.Is(err, scheduling.ErrInvalidDefinition) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
			}
			equal(t, tt.name+": answer", got[0], scheduling.Enqueued{})
			equal(t, tt.name+": triggers", d.names("a"), before)
		}
		got, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "nobody"}, scheduling.EnqueueRequest{Job: "a"}, scheduling.EnqueueRequest{Job: "A", Key: "K", Priority: 1 << 40})
		wantItems(t, err, map[int]error{0: scheduling.ErrJobNotFound, 2: scheduling.ErrInvalidDefinition})
		if got[1].Trigger.Job != "a" || got[0] != (scheduling.Enqueued{}) {
			t.Errorf("answers %+v", got)
		}
		for _, want := range []string{"Job", "Key", "Priority"} {
			if !strings.Contains(scheduling.ItemErrors(err)[2].Error(), want) {
				t.Errorf("error lacks %s: %v", want, err)
			}
		}
		d.quiet()
		if got, err := d.Enqueue(t.Context()); err != nil || len(got) != 0 {
			t.Errorf("no items: %v, %v", got, err)
		}
		equal(t, "store calls for no items", d.called(), "")
		d.away("Enqueue")
		if _, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a"}); !errors.Is(err, scheduling.ErrStoreUnavailable) {
			t.Errorf("error %v", err)
		}
	})
}

// D34: through another enqueuer, which is given all that is legal, and whose
// error is the call's.
func TestEnqueueIn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		in := &fakeEnqueuer{}
		got, err := d.EnqueueIn(t.Context(), in, scheduling.EnqueueRequest{Job: "a", Key: "k",
			DueAt: monday.Add(1999 * time.Nanosecond)}, scheduling.EnqueueRequest{Job: "A"})
		wantItems(t, err, map[int]error{1: scheduling.ErrInvalidDefinition})
		if len(in.got) != 1 || in.got[0].Trigger != "manual-k" || got[0].Trigger.Trigger != "manual-k" {
			t.Errorf("sent %+v, answers %+v", in.got, got)
		}
		if due := monday.Add(time.Microsecond); !in.got[0].NextFireAt.Equal(due) || !in.got[0].ScheduledAt.Equal(due) { // D31
			t.Errorf("due %v, want %v", in.got[0].NextFireAt, due)
		}
		equal(t, "the store's own", d.called(), "")
		in.err = errAway
		if _, err := d.EnqueueIn(t.Context(), in, scheduling.EnqueueRequest{Job: "a"}); !errors.Is(err, errAway) || in.calls != 2 {
			t.Errorf("error %v after %d calls, want no repetition", err, in.calls)
		}
		in.err, in.short = nil, true
		if _, err := d.EnqueueIn(t.Context(), in, scheduling.EnqueueRequest{Job: "a"}); !errors.Is(err, scheduling.ErrStoreUnavailable) {
			t.Errorf("a short answer: %v", err)
		}
		if _, err := d.EnqueueIn(t.Context(), nil, scheduling.EnqueueRequest{Job: "a"}); !errors.Is(err, scheduling.ErrInvalidDefinition) {
			t.Errorf("no enqueuer: %v", err)
		}
		d.Wake() // not running: nothing to wake, and nothing breaks
	})
}

type fakeEnqueuer struct {
	got   []provider.TriggerRecord
	calls int
	err   error
	short bool
}

func (f *fakeEnqueuer) Enqueue(_ context.Context, triggers []provider.TriggerRecord) ([]provider.EnqueueAnswer, error) {
	f.calls++
	f.got = triggers
	if f.err != nil || f.short {
		return nil, f.err
	}
	answers := make([]provider.EnqueueAnswer, len(triggers))
	for i, t := range triggers {
		answers[i] = provider.EnqueueAnswer{Key: t.TriggerKey, DueAt: monday}
	}
	return answers, nil
}

// R230, R231, D08, D11: pausing answers per item.
func TestPauseAndResume(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.define(scheduling.JobDefinition{Name: "a", Triggers: []scheduling.TriggerDefinition{hourly("t"), hourly("u")}},
			scheduling.JobDefinition{Name: "empty"})
		d.quiet()
		wantItems(t, d.Pause(t.Context(), "a", "nobody", "empty", ""), map[int]error{1: scheduling.ErrJobNotFound, 3: scheduling.ErrJobNotFound})
		equal(t, "t", d.trigger("a", "t").State, provider.TriggerPaused)
		d.wantEvents("paused:a paused:empty")

		// B160: the pause of a job without triggers sticks.
		if err := d.AddTriggers(t.Context(), "empty", hourly("late")); err != nil {
			t.Fatal(err)
		}
		equal(t, "born paused", d.trigger("empty", "late").State, provider.TriggerPaused)

		// D11: an enqueued run is not paused.
		got, err := d.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "a"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "enqueued", d.trigger("a", got[0].Trigger.Trigger).State, provider.TriggerWaiting)

		d.quiet()
		keys := []scheduling.TriggerKey{{Job: "a", Trigger: "t"}, {Job: "a", Trigger: "x"}, {Job: "a"}}
		wantItems(t, d.ResumeTriggers(t.Context(), keys...), map[int]error{1: scheduling.ErrTriggerNotFound, 2: scheduling.ErrTriggerNotFound})
		equal(t, "t resumed", d.trigger("a", "t").State, provider.TriggerWaiting)
		equal(t, "u", d.trigger("a", "u").State, provider.TriggerPaused)
		equal(t, "the job's flag", d.job("a").Paused, true)
		wantItems(t, d.PauseTriggers(t.Context(), keys...), map[int]error{1: scheduling.ErrTriggerNotFound, 2: scheduling.ErrTriggerNotFound})
		equal(t, "t paused", d.trigger("a", "t").State, provider.TriggerPaused)
		d.wantEvents("") // single triggers have no topic

		wantItems(t, d.Resume(t.Context(), "nobody", "a"), map[int]error{0: scheduling.ErrJobNotFound})
		equal(t, "t", d.trigger("a", "t").State, provider.TriggerWaiting)
		equal(t, "the job's flag", d.job("a").Paused, false)
		d.wantEvents("resumed:a")

		d.quiet()
		d.fault = func(string) error { return errAway }
		for name, err := range map[string]error{
			"Pause": d.Pause(t.Context(), "a"), "Resume": d.Resume(t.Context(), "a"),
			"PauseTriggers": d.PauseTriggers(t.Context(), keys[0]), "ResumeTriggers": d.ResumeTriggers(t.Context(), keys[0]),
			"RemoveTriggers": d.RemoveTriggers(t.Context(), keys[0]), "AddTriggers": d.AddTriggers(t.Context(), "a", hourly("z")),
		} {
			if !errors.Is(err, scheduling.ErrStoreUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
		d.wantEvents("")
	})
}
