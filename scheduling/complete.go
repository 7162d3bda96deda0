package scheduling

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The completion queue's measures.
const (
	// together is how long runs that have ended wait for those that began with
	// them (P19): a handler that returns at once should not make two completions
	// of one claim.
	together   = time.Millisecond
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
	// starting counts the claims whose runs are being started. young counts the
	// runs that have begun and not ended, until grace at most.
	starting int
	young    int
	grace    time.Time
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
	q.young = max(q.young-1, 0)
	q.mu.Unlock()
	q.pump()
}

// unsaved is the number of ended runs that the store has not taken.
func (q *completions) unsaved() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ready) + len(q.later) + q.flying
}

// gather holds lanes back while n runs of a claim are being started, and a
// little longer, so that those that end at once make one batch. The function
// that it returns says that all have been started.
func (q *completions) gather(n int) func() {
	q.mu.Lock()
	q.starting++
	q.young += n
	q.mu.Unlock()
	return func() {
		now := q.s.clock.Now()
		q.mu.Lock()
		q.starting--
		q.grace = now.Add(together)
		last := q.starting == 0
		q.mu.Unlock()
		if last {
			q.pump()
		}
	}
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
