package scheduling

import (
	"log/slog"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

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

// backoff is first, doubled with each failure after the first one, at most
// most.
func backoff(fails int, first, most time.Duration) time.Duration {
	for ; fails > 1 && first < most; fails-- {
		first *= 2
	}
	return min(first, most)
}
