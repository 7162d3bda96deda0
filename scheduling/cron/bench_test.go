package cron_test

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// Each Next benchmark walks on from its own answers, so that changes of month,
// year and offset are part of the figure.
func BenchmarkNext(b *testing.B) {
	for _, zoneName := range []string{"UTC", "America/New_York", "Europe/Berlin"} {
		loc := zone(b, zoneName)
		for _, text := range []string{
			"* * * * * *", "*/5 * * * *", "0 9 * * MON-FRI", "30 2 1 * *", "0 0 22 L * ?", "0 0 12 15W * ?",
			"0 0 9 ? * MON#1", "0 0 0 1 1 ?",
		} {
			e := cron.MustParse(text)
			b.Run(zoneName+"/"+text, func(b *testing.B) {
				b.ReportAllocs()
				start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
				end := start.AddDate(40, 0, 0)
				at := start
				for b.Loop() {
					next, ok := e.Next(at, loc)
					if !ok {
						b.Fatal("none")
					}
					if at = next; at.After(end) {
						at = start
					}
				}
			})
		}
	}
}

// The most expensive legal expressions that the search knows.
func BenchmarkNextWorst(b *testing.B) {
	for _, c := range []struct{ text, zone string }{
		{"0 0 0 30 2 ? 1970-2099", "UTC"},
		{"0 0 0 31 2,4,6,9,11 ? 1970-2099", "UTC"},
		{"0 0 0 31 2,4,6,9,11 ? 1970-2099", "America/New_York"},
		{"* * 2 ? 3 SUN#2 2008-2099", "America/New_York"},
		{"30 30 2 ? 3 SUN#2 2008-2099", "America/New_York"},
		{"0 0 29 2 *", "Europe/Berlin"},
	} {
		e, loc := cron.MustParse(c.text), zone(b, c.zone)
		b.Run(c.zone+"/"+c.text, func(b *testing.B) {
			b.ReportAllocs()
			at := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
			if c.text[0] == '*' || c.text[0] == '3' {
				at = time.Date(2008, 1, 1, 0, 0, 0, 0, time.UTC)
			}
			for b.Loop() {
				e.Next(at, loc)
			}
		})
	}
}

func BenchmarkNextMismatch(b *testing.B) {
	for _, text := range []string{"* * 0-7 * * *", "* * * * DEC *", "* * * * * * 1970-2099"} {
		e, loc := cron.MustParse(text), zone(b, "America/New_York")
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			at := time.Date(1970, 12, 1, 6, 0, 0, 0, time.UTC)
			for b.Loop() {
				e.NextMismatch(at, loc)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{
		"*/5 * * * *", "0 0 9 * * MON-FRI", "0 0 22 L * ?",
		"0 0,15,30,45 8-18 1,15,LW JAN,MAR-JUN MON#1,FRIL 2026-2030",
	} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cron.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
