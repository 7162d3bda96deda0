package schedule

import (
	"testing"
	"time"
)

func BenchmarkNext(b *testing.B) {
	after := time.Date(2026, time.June, 5, 16, 0, 0, 0, time.UTC)
	weekend := MustWeeklyCalendar(nil, "Europe/Berlin")
	night := MustDailyCalendar("18:00", "08:00", "Europe/Berlin")
	for _, c := range []struct {
		name string
		s    Schedule
		cal  Calendar
	}{
		{"interval", MustEvery(time.Minute), nil},
		{"interval/composite", MustEvery(time.Minute), MustCompositeCalendar(weekend, night)},
		{"interval/yes-no", MustEvery(time.Minute), plain(night)},
		{"cron", MustCron("0 9 * * *", "Europe/Berlin"), nil},
		{"cron/weekly", MustCron("0 9 * * *", "Europe/Berlin"), weekend},
		{"cron/always", MustCron("0 9 * * *", "Europe/Berlin"), MustDailyCalendar("08:30", "09:30", "Europe/Berlin")},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.s.Next(after, 1, c.cal)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"every 00:10:00 x5", "cron 0 0 9 * * MON-FRI tz=Asia/Shanghai calendar=holidays"} {
		b.Run(text[:5], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkString(b *testing.B) {
	s := MustCron("0 9 * * MON-FRI", "Asia/Shanghai").WithCalendar("holidays")
	b.ReportAllocs()
	for b.Loop() {
		_ = s.String()
	}
}
