package scheduling

import (
	"log/slog"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// maxRecords is how many records of local runs wait for the store; the oldest
// are dropped and counted (D41).
const maxRecords = 10_000

// recorder writes the history of local runs (R205). It is no part of running
// them: while the store is away they go on.
type recorder struct {
	s *Scheduler

	mu      sync.Mutex
	queue   []string // ids in the order of their first record
	records map[string]provider.RunRecord
	sending bool
	fails   int
	dropped int64
	closed  bool
	timer   func() bool
}

func newRecorder(s *Scheduler) *recorder {
	return &recorder{s: s, records: make(map[string]provider.RunRecord)}
}

// add takes a record; one of the same run that still waits is replaced.
func (r *recorder) add(rec provider.RunRecord) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	if _, waits := r.records[rec.ID]; !waits {
		r.queue = append(r.queue, rec.ID)
	}
	r.records[rec.ID] = rec
	gone := ""
	if len(r.queue) > maxRecords {
		gone = r.queue[0]
		delete(r.records, gone)
		r.queue = r.queue[1:]
		r.dropped++
	}
	dropped := r.dropped
	r.mu.Unlock()
	if gone != "" {
		r.s.forget(gone)
		if dropped == 1 || dropped%1000 == 0 {
			r.s.log.Error("scheduling: the history of local runs is dropped, the store has been away for too long",
				slog.Int64("dropped", dropped))
		}
	}
	r.pump()
}

// pump sends what waits, unless a sending is under way.
func (r *recorder) pump() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sending || r.closed || len(r.queue) == 0 || r.fails > 0 && r.timer != nil {
		return
	}
	r.sending = true
	r.s.tasks.Go(r.send)
}

func (r *recorder) send() {
	for {
		batch := r.take()
		if batch == nil {
			return
		}
		call, cancel := r.s.call(callLimit)
		err := r.s.guard(func() error { return r.s.store.Record(call, batch) })
		cancel()
		r.s.outcome("record local runs", err)
		r.answered(batch, err)
	}
}

func (r *recorder) take() []provider.RunRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.queue), provider.MaxBatch)
	if n == 0 || r.closed || r.timer != nil {
		r.sending = false
		return nil
	}
	batch := make([]provider.RunRecord, n)
	for i, id := range r.queue[:n] {
		batch[i] = r.records[id]
		delete(r.records, id)
	}
	r.queue = append(r.queue[:0:0], r.queue[n:]...)
	return batch
}

// answered puts a batch back that the store did not take, but for records that
// newer ones have replaced.
func (r *recorder) answered(batch []provider.RunRecord, err error) {
	if err == nil {
		r.mu.Lock()
		r.fails = 0
		r.mu.Unlock()
		for _, rec := range batch {
			if rec.State.Final() {
				r.s.forget(rec.ID)
			}
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fails++
	back := make([]string, 0, len(batch)+len(r.queue))
	for _, rec := range batch {
		if _, newer := r.records[rec.ID]; !newer {
			r.records[rec.ID] = rec
			back = append(back, rec.ID)
		}
	}
	r.queue = append(back, r.queue...)
	r.timer = r.s.clock.AfterFunc(backoff(r.fails, retryFirst, r.s.opts.PollInterval), func() {
		r.mu.Lock()
		r.timer = nil
		r.mu.Unlock()
		r.pump()
	})
}

// close gives up what was not taken and answers the number of records.
func (r *recorder) close() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.timer != nil {
		r.timer()
		r.timer = nil
	}
	left := len(r.queue)
	r.queue, r.records = nil, make(map[string]provider.RunRecord)
	return left
}

// cut makes an instant of the node's clock fit for a record (D31).
func cut(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }
