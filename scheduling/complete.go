package scheduling

import (
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The completion queue's measures.
const (
	maxLanes   = 4                      // completions under way at once
	laneQueue  = 250                    // a further lane opens behind so many
	laneSlow   = 100 * time.Millisecond // or when the open ones take this long
	heldWait   = 50 * time.Millisecond  // held rows are asked for again after it
	retryFirst = 50 * time.Millisecond  // doubles with each failure, to PollInterval
	// maxUnsaved stops claiming while the store does not take what has ended.
	maxUnsaved = 4 * provider.MaxBatch
)

// completions brings ended runs to the store, in natural batches: what has
// ended while a batch was under way goes with the next (design §5). Nothing
// waits for a timer, and what the store does not take is kept (D29).
//
// A batch that fails is halved until one run is alone; the one that fails
// alone waits longer each time and is then sent alone, so that it holds up no
// other.
type completions struct {
	s *Scheduler

	mu    sync.Mutex
	ready []*completion
	later []*completion // each waits for its own instant, and goes alone
	lanes int
	// starting counts the claims whose runs are being started: a run that ends
	// at once waits for those that begin with it.
	starting int
	flying   int
	limit    int
	fails    int
	resume   time.Time // after a failure
	opened   time.Time // when the last lane's call began
	timer    func() bool
	closed   bool
}

// completion is one run that has ended.
type completion struct {
	item  provider.Completion
	ref   provider.NodeRef
	log   *slog.Logger
	told  chan provider.RunRecord
	after time.Time
	tries int
	held  bool // others held its rows
}

func newCompletions(s *Scheduler) *completions {
	return &completions{s: s, limit: provider.MaxBatch}
}

// add takes an ended run.
func (q *completions) add(c *completion) {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		q.drop(c)
		return
	}
	q.ready = append(q.ready, c)
	q.mu.Unlock()
	q.pump()
}

// unsaved is the number of ended runs that the store has not taken.
func (q *completions) unsaved() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ready) + len(q.later) + q.flying
}

// gather holds lanes back while the runs of a claim are being started, so that
// those that end at once make one batch. The function that it returns ends it.
func (q *completions) gather() func() {
	q.mu.Lock()
	q.starting++
	q.mu.Unlock()
	return func() {
		q.mu.Lock()
		q.starting--
		last := q.starting == 0
		q.mu.Unlock()
		if last {
			q.pump()
		}
	}
}

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
	if len(q.ready) > 0 {
		return true
	}
	for _, c := range q.later {
		if !now.Before(c.after) {
			return true
		}
	}
	return false
}

// schedule sets the timer for whatever cannot go now. Caller holds mu.
func (q *completions) schedule(now time.Time) {
	var at time.Time
	switch {
	case len(q.ready) > 0 && now.Before(q.resume):
		at = q.resume
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

func (q *completions) send(batch []*completion) {
	req := provider.CompleteRequest{Node: batch[0].ref, Items: make([]provider.Completion, len(batch))}
	for i, c := range batch {
		req.Items[i] = c.item
	}
	ctx, cancel := q.s.call(callLimit)
	var answer provider.CompleteAnswer
	err := q.s.guard(func() (err error) {
		answer, err = q.s.store.Complete(ctx, req)
		return err
	})
	cancel()
	if err == nil && len(answer.Items) != len(batch) {
		err = shortAnswer("Complete", len(answer.Items), len(batch))
	}
	if err != nil {
		q.failed(batch, err)
		return
	}
	var again, done []*completion
	var records []provider.RunRecord
	for i, c := range batch {
		if answer.Items[i].Outcome == provider.OutcomeHeld {
			again = append(again, c)
			continue
		}
		done = append(done, c)
		records = append(records, q.settled(c, answer.Items[i]))
	}
	if answer.HandedBack > 0 {
		q.s.nudge()
	}
	q.taken(again, done, records)
}

// failed puts a batch back that the store did not take.
func (q *completions) failed(batch []*completion, err error) {
	now := q.s.clock.Now()
	q.mu.Lock()
	q.flying -= len(batch)
	q.fails++
	q.resume = now.Add(backoff(q.fails, retryFirst, q.s.opts.PollInterval))
	if len(batch) == 1 {
		c := batch[0]
		c.tries++
		c.held = false
		c.after = now.Add(backoff(c.tries, retryFirst, 30*time.Second))
		q.later = append(q.later, c)
	} else {
		q.limit = len(batch) / 2
		q.ready = append(batch, q.ready...)
	}
	closed, waiting := q.closed, len(q.ready)+len(q.later)
	q.mu.Unlock()
	if closed {
		q.close()
		return
	}
	q.s.complain("complete", err, slog.Int("waiting", waiting))
}

// taken removes a batch that the store has answered.
func (q *completions) taken(again, done []*completion, records []provider.RunRecord) {
	now := q.s.clock.Now()
	s := q.s
	for i, c := range done {
		if c.told != nil {
			c.told <- records[i]
			close(c.told)
		}
		s.forget(c.item.RunID)
	}
	q.mu.Lock()
	q.flying -= len(again) + len(done)
	if len(done) > 0 {
		if q.fails > 1 {
			q.recall() // the store was away, and no run is to blame
		}
		q.fails, q.resume = 0, time.Time{}
		q.limit = min(q.limit*2, provider.MaxBatch)
	}
	for _, c := range again {
		c.held, c.after = true, now.Add(heldWait)
		q.later = append(q.later, c)
	}
	q.mu.Unlock()
	if s.unblocked() {
		s.nudge()
	}
}

// recall makes ready again what failed alone. Caller holds mu.
func (q *completions) recall() {
	rest := q.later[:0:0]
	for _, c := range q.later {
		if c.held {
			rest = append(rest, c)
		} else {
			q.ready = append(q.ready, c)
		}
	}
	q.later = rest
}

// settled reports what became of one run, and returns its record.
func (q *completions) settled(c *completion, got provider.Completed) provider.RunRecord {
	s, rec := q.s, got.Run
	ours := got.Outcome == provider.OutcomeDone ||
		// A retry after a lost answer finds the run ended by itself.
		rec.State == c.item.State && rec.State != provider.RunLost && rec.Node == c.ref.ID && rec.Incarnation == c.ref.Incarnation
	if !ours {
		c.log.Warn("scheduling: the run had ended in the store before its handler returned",
			slog.String("state", rec.State.String()), slog.String("handler_state", c.item.State.String()))
		if rec.ID == "" { // the record is gone
			rec.ID, rec.Job, rec.State = c.item.RunID, c.item.Job, provider.RunLost
		}
		return rec
	}
	if c.item.Settle != nil {
		// Pure: what it says of the recorded instant is what was stored.
		follows := c.item.Settle(rec.CompletedAt)
		if follows.Trigger != nil && follows.Trigger.State == provider.TriggerWaiting {
			s.dueAt(follows.Trigger.NextFireAt)
		}
		if follows.Insert != nil {
			s.dueAt(follows.Insert.NextFireAt)
		}
	}
	s.runEnded(rec, c.log)
	return rec
}

// drop gives a run up that cannot be recorded any more.
func (q *completions) drop(c *completion) {
	q.s.forget(c.item.RunID)
	if c.told != nil {
		close(c.told)
	}
}

// close gives up what was not taken and returns the runs' ids.
func (q *completions) close() []string {
	q.mu.Lock()
	q.closed = true
	if q.timer != nil {
		q.timer()
		q.timer = nil
	}
	left := slices.Concat(q.ready, q.later)
	q.ready, q.later = nil, nil
	q.mu.Unlock()
	var ids []string
	for _, c := range left {
		ids = append(ids, c.item.RunID)
		q.drop(c)
	}
	return ids
}

// backoff is first, doubled with each failure after the first one, at most
// most.
func backoff(fails int, first, most time.Duration) time.Duration {
	for ; fails > 1 && first < most; fails-- {
		first *= 2
	}
	return min(first, most)
}
