package scheduling

import (
	"context"
	"sync"
	"time"
)

// passFloor is the least time between the beginnings of two passes for which
// someone asked. dueFloor is that of two claiming passes of which the latter was
// called for by an instant alone: triggers that fall due within it share a claim
// and a completion (P19).
const (
	passFloor = 10 * time.Millisecond
	dueFloor  = 12 * time.Millisecond
)

// waker decides when a loop runs next: at a planned instant, which anyone may
// bring forward, or at once when someone asks.
type waker struct {
	most time.Duration // the longest wait, whatever the clock does

	mu    sync.Mutex
	next  time.Time // by the node's clock
	asked bool
	began time.Time
	ring  chan struct{} // capacity 1
}

func newWaker(most time.Duration) *waker {
	return &waker{most: most, ring: make(chan struct{}, 1)}
}

// now asks for a pass at once.
func (w *waker) now() {
	w.mu.Lock()
	w.asked = true
	w.mu.Unlock()
	w.signal()
}

// by asks for a pass at the instant at, if none is planned earlier.
func (w *waker) by(at time.Time) {
	w.mu.Lock()
	earlier := at.Before(w.next)
	if earlier {
		w.next = at
	}
	w.mu.Unlock()
	if earlier {
		w.signal()
	}
}

func (w *waker) signal() {
	select {
	case w.ring <- struct{}{}:
	default:
	}
}

// wait returns when a pass is to begin, at the earliest floor after the one
// before, or [passFloor] if someone asked for it, and reports false when ctx has ended. The pass that follows says by
// [waker.by] when the next one is due; what others ask for during the pass
// counts as well.
func (w *waker) wait(ctx context.Context, c Clock, floor time.Duration) bool {
	for {
		now := c.Now()
		w.mu.Lock()
		d := min(w.next.Sub(now), w.most)
		floor := floor
		if w.asked {
			d, floor = 0, min(floor, passFloor)
		}
		if !w.began.IsZero() {
			d = max(d, min(floor-now.Sub(w.began), floor))
		}
		if d <= 0 {
			w.asked, w.began = false, now
			w.next = now.Add(24 * time.Hour)
			w.mu.Unlock()
			return ctx.Err() == nil
		}
		w.mu.Unlock()
		if !pause(ctx, c, d, w.ring) {
			return false
		}
	}
}
