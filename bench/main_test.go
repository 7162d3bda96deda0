package main

import (
	"strings"
	"testing"
	"time"
)

// The cron workload names its subjects with versions and has a row for each
// expression and table.
func TestCronWorkload(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"cron", "-rounds", "1", "-round", "1us", "-steps", "3"}, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"robfig/cron/v3 v3", "gronx v1", "go-quartz v0", "this tree", "Next in UTC", "Next in America/New_York", "Parse"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, expression := range cronTexts {
		if n := strings.Count(text, " "+expression+" "); n != 3 {
			t.Errorf("%q in %d tables, want 3", expression, n)
		}
	}
}

func TestUnknownWorkload(t *testing.T) {
	for _, args := range [][]string{nil, {"nothing"}, {"cron", "-rounds", "0"}} {
		if err := run(args, &strings.Builder{}); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// Every subject is measured, and the median counts.
func TestCompare(t *testing.T) {
	done := make([]int, 2)
	subjects := []subject{
		{"a", func(n int) { done[0] += n }},
		{"b", func(n int) { done[1] += n }},
	}
	if got := compare(subjects, 5, time.Microsecond); len(got) != 2 || done[0] == 0 || done[1] == 0 {
		t.Errorf("medians %v, work %v", got, done)
	}
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}, {[]float64{7}, 7}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median %v, want %v", got, c.want)
		}
	}
}
