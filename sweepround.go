package gormsched

import (
	"maps"
	"slices"
	"sync"
)

// sweepRound lets sweeps get past what they cannot end: items of jobs whose rows
// are held, or that a newer version wrote (D14). A pass sees only so many items,
// and the database may return the same ones each time. So a pass names the jobs
// that it left, the following ones look for other jobs, and the one that finds
// no more than it can do ends the round: the next begins from the start.
//
// It is this process's memory and nothing more: without it the sweep is as
// right, and slower.
type sweepRound struct {
	mu   sync.Mutex
	left map[string]bool
}

// sweepRoundMost bounds how many jobs a round passes over.
const sweepRoundMost = 1000

// passOver gives the jobs that a pass is not to look for.
func (r *sweepRound) passOver() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.left))
}

// passed notes the jobs that a pass has left, and whether there was more than it
// could look at. It reports whether the round goes on or has passed over jobs:
// then another pass may find work.
func (r *sweepRound) passed(left []string, more bool) (again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	again = more || len(r.left) > 0
	if !more || len(r.left)+len(left) > sweepRoundMost {
		r.left = nil
		return again
	}
	if r.left == nil {
		r.left = map[string]bool{}
	}
	for _, job := range left {
		r.left[job] = true
	}
	return again
}
