package scheduling

import (
	"runtime"
	"time"
)

// pump opens a lane if there is something to send and a reason for a lane.
func (q *completions) pump() {
	now := q.s.clock.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.starting > 0 {
		return
	}
	if q.due(now) && q.lanes < maxLanes &&
		(q.lanes == 0 || len(q.ready) >= laneQueue || elapsed(q.opened, now) >= laneSlow) {
		q.lanes++
		q.s.tasks.Go(func() { q.lane() })
		return
	}
	q.schedule(now)
}

// due reports whether something may be sent now. Caller holds mu.
func (q *completions) due(now time.Time) bool {
	if now.Before(q.resume) {
		return false
	}
	if len(q.ready) > 0 && !q.gathers(now) {
		return true
	}
	for _, c := range q.later {
		if !now.Before(c.after) {
			return true
		}
	}
	return false
}

// gathers reports whether runs may end shortly that began with those that have
// ended. Caller holds mu.
func (q *completions) gathers(now time.Time) bool {
	if q.young > 0 && !now.Before(q.grace) {
		q.young = 0
	}
	return q.young > 0
}

// schedule sets the timer for whatever cannot go now. Caller holds mu.
func (q *completions) schedule(now time.Time) {
	var at time.Time
	switch {
	case len(q.ready) > 0 && now.Before(q.resume):
		at = q.resume
	case len(q.ready) > 0 && q.gathers(now):
		at = q.grace
	case len(q.ready) > 0:
		at = now.Add(laneSlow) // a lane is open; look whether it is stuck
	default:
		for _, c := range q.later {
			if at.IsZero() || c.after.Before(at) {
				at = c.after
			}
		}
		if at.IsZero() {
			return
		}
		if at.Before(q.resume) {
			at = q.resume
		}
	}
	if q.timer != nil {
		q.timer()
	}
	q.timer = q.s.clock.AfterFunc(max(at.Sub(now), time.Millisecond), q.pump)
}

// lane sends batches until nothing can go. Before each it lets go of the
// processor, for handlers that are about to return.
func (q *completions) lane() {
	for {
		runtime.Gosched()
		batch := q.take()
		if batch == nil {
			return
		}
		q.send(batch)
	}
}

// take removes the next batch; nil closes the lane.
func (q *completions) take() []*completion {
	now := q.s.clock.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || !q.due(now) {
		q.lanes--
		if !q.closed {
			q.schedule(now)
		}
		return nil
	}
	q.opened = now
	for i, c := range q.later {
		if !now.Before(c.after) {
			q.later = append(q.later[:i:i], q.later[i+1:]...)
			q.flying++
			return []*completion{c}
		}
	}
	n := 0
	for n < len(q.ready) && n < q.limit && q.ready[n].ref == q.ready[0].ref {
		n++
	}
	batch := append([]*completion(nil), q.ready[:n]...)
	q.ready = append(q.ready[:0:0], q.ready[n:]...)
	q.flying += n
	return batch
}
