package scheduling_test

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// R158: the constructors of this package are those of package schedule, with
// errors and, for literals, with Must.
func TestScheduleConstructors(t *testing.T) {
	for want, build := range map[string]func() (scheduling.Schedule, error){
		"cron 0 0 9 * * * tz=Asia/Shanghai":      func() (scheduling.Schedule, error) { return scheduling.NewCron("0 0 9 * * *", "Asia/Shanghai") },
		"every 00:10:00":                         func() (scheduling.Schedule, error) { return scheduling.NewEvery(10 * time.Minute) },
		"every 00:10:00 x5":                      func() (scheduling.Schedule, error) { return scheduling.NewEveryTimes(10*time.Minute, 5) },
		"once 2026-03-02T10:00:00.0000000+00:00": func() (scheduling.Schedule, error) { return scheduling.NewOnce(monday) },
		"every 00:00:01":                         func() (scheduling.Schedule, error) { return scheduling.ParseSchedule("EVERY 0:0:1") },
	} {
		got, err := build()
		if err != nil || got.String() != want {
			t.Errorf("%v, %v; want %s", got, err, want)
		}
		if must := scheduling.MustParseSchedule(want); !must.Equal(got) {
			t.Errorf("%v, want %v", must, got)
		}
	}
	for name, build := range map[string]func() (scheduling.Schedule, error){
		"cron":  func() (scheduling.Schedule, error) { return scheduling.NewCron("61 * * * * *", "") },
		"zone":  func() (scheduling.Schedule, error) { return scheduling.NewCron("0 0 9 * * *", "Mars/Olympus") },
		"every": func() (scheduling.Schedule, error) { return scheduling.NewEvery(0) },
		"times": func() (scheduling.Schedule, error) { return scheduling.NewEveryTimes(time.Second, 0) },
		"once":  func() (scheduling.Schedule, error) { return scheduling.NewOnce(time.Time{}) },
		"text":  func() (scheduling.Schedule, error) { return scheduling.ParseSchedule("sometimes") },
	} {
		if _, err := build(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if !scheduling.MustEveryTimes(time.Minute, 2).Equal(scheduling.MustParseSchedule("every 00:01:00 x2")) {
		t.Error("MustEveryTimes")
	}
}
