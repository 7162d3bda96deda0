package plan

import (
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// TestBirth: the first instants of a trigger that starts anew (R163, D15, D37).
func TestBirth(t *testing.T) {
	stored := at("10:00:00.5")
	r := rules(map[string]schedule.Calendar{"all": own(always), "am": own(func(at time.Time) bool { return at.Hour() < 12 })})
	tests := []struct {
		name, text string
		want       time.Time // zero: Complete
	}{
		{"cron", "cron 0 0 * * * *", at("11:00:00")},
		{"cron with a zone", "cron 0 0 6 * * MON-FRI tz=Asia/Shanghai", at("22:00:00")},
		{"interval: one interval after it was stored", "every 00:10:00", at("10:10:00.5")},
		{"interval with a start", "every 00:10:00 start=2026-03-02T11:00:00Z", at("11:10:00")},
		{"once ahead", "once 2026-03-02T12:00:00Z", at("12:00:00")},
		{"once behind: due at once", "once 2026-03-02T09:00:00Z", at("09:00:00")},
		{"application's calendar", "cron 0 0 * * * * calendar=am", at("12:00:00")},
		{"year far ahead (D15)", "cron 0 0 0 1 1 ? 2040", at("2040-01-01T00:00:00Z")},
		{"30 February: Complete (R182)", "cron 0 0 0 30 2 ?", time.Time{}},
		{"past year: Complete", "cron 0 0 0 1 1 ? 2020", time.Time{}},
		{"window over: Complete", "cron 0 0 * * * * end=2026-03-02T10:00:00Z", time.Time{}},
		{"everything excluded: Complete (R187)", "cron 0 0 * * * * calendar=all", time.Time{}},
		{"manual: Complete", "manual", time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def := provider.TriggerRecord{
				TriggerKey: provider.TriggerKey{Job: "j", Trigger: "t"}, Schedule: tt.text, Description: "d",
				Data: `{"a":1}`, Priority: 7, Misfire: skip, Local: true, Exclusive: true,
			}
			got, err := r.Birth(def, stored)
			if err != nil {
				t.Fatal(err)
			}
			want := def
			want.RunAs, want.Attempt, want.State = provider.KindSchedule, 1, provider.TriggerComplete
			if !tt.want.IsZero() {
				s, _ := parsed.parse(tt.text)
				want.State, want.ScheduledAt, want.NextFireAt = provider.TriggerWaiting, tt.want, tt.want
				want.ZoneHash = s.ZoneHash(tt.want)
			}
			if got != want {
				t.Errorf("got\n%+v, want\n%+v", got, want)
			}
		})
	}
	for _, text := range []string{"", "lunar", "cron 0 0 * * * * tz=Mars/Olympus", "cron 0 0 * * * * calendar=nobody"} {
		if _, err := r.Birth(provider.TriggerRecord{Schedule: text}, stored); !errors.Is(err, provider.ErrInvalidDefinition) {
			t.Errorf("%q: %v, want SCHEDULING_VALIDATION_001", text, err)
		}
	}
}

// TestWarning: only where a calendar is to blame (D18).
func TestWarning(t *testing.T) {
	r := rules(map[string]schedule.Calendar{"all": own(always), "none": own(never)})
	for text, want := range map[string]bool{
		"cron 0 0 * * * * calendar=all":     true,
		"every 00:10:00 calendar=all":       true,
		"cron 0 0 * * * * calendar=none":    false,
		"cron 0 0 0 30 2 ? calendar=none":   false,
		"cron 0 0 0 30 2 ?":                 false,
		"cron 0 0 * * * * calendar=unknown": false,
		"lunar":                             false,
	} {
		if w := r.Warning(text, at("10:00:00")); (w != "") != want {
			t.Errorf("%s: %q, want a warning: %v", text, w, want)
		}
	}
}

// TestCacheIsBounded: it forgets what is not used, and nothing that it says
// depends on it.
func TestCacheIsBounded(t *testing.T) {
	var c texts
	keep := "cron 0 0 9 * * MON-FRI tz=Asia/Shanghai"
	for i := range 3 * maxParsed {
		s := schedule.MustEvery(time.Duration(i+1) * time.Second)
		got, err := c.parse(s.String())
		if err != nil || !got.Equal(s) {
			t.Fatalf("%s: %v, %v", s, got, err)
		}
		if i%100 == 0 {
			if got, err := c.parse(keep); err != nil || got.String() != keep {
				t.Fatalf("%v, %v", got, err)
			}
		}
	}
	if n := c.size(); n > 2*maxParsed {
		t.Errorf("%d schedules remembered, want at most %d", n, 2*maxParsed)
	}
	if _, kept := c.young[keep]; !kept {
		if _, kept = c.old[keep]; !kept {
			t.Error("what is in use was forgotten")
		}
	}
	if _, err := c.parse("lunar"); err == nil {
		t.Error("nonsense parsed")
	}
	if n := c.size(); n > 2*maxParsed {
		t.Errorf("%d", n)
	}
}
