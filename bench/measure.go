package main

import (
	"slices"
	"time"
)

// subject is one of the things that a row compares; batch does the work n times.
type subject struct {
	name  string
	batch func(n int)
}

// compare measures subjects in alternating rounds, so that what else the
// machine does falls on all of them, and gives the median of each in
// nanoseconds per operation, of processor time where the system tells it.
func compare(subjects []subject, rounds int, round time.Duration) []float64 {
	counts := make([]int, len(subjects))
	for i, s := range subjects {
		counts[i] = calibrate(s.batch, round)
	}
	samples := make([][]float64, len(subjects))
	for r := range rounds {
		for k := range subjects {
			i := (k + r) % len(subjects) // each goes first in turn
			start := used()
			subjects[i].batch(counts[i])
			samples[i] = append(samples[i], float64((used()-start).Nanoseconds())/float64(counts[i]))
		}
	}
	medians := make([]float64, len(subjects))
	for i := range samples {
		medians[i] = median(samples[i])
	}
	return medians
}

// calibrate finds how often to do the work to fill a round.
func calibrate(batch func(n int), round time.Duration) int {
	for n := 1; ; n *= 2 {
		start := used()
		batch(n)
		if took := used() - start; took >= round/4 {
			return max(1, int(float64(n)*float64(round)/float64(took)))
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}
