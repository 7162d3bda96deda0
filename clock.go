package gormsched

import (
	"database/sql"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gormsched/gormsched/dialects"
)

// clock is the instant of one transaction, in microseconds since the epoch.
// All statements of a transaction judge by the same instant (D26): the first
// one that needs it reads the database's clock, the later ones bind the value.
type clock struct {
	us    int64
	known bool
}

// fix sets the instant from the options' clock, if there is one.
func (k *clock) fix(now func() time.Time) {
	if now != nil {
		k.setNow(now().UnixMicro())
	}
}

// setNow keeps the instant that a statement has read.
func (k *clock) setNow(us int64) { k.us, k.known = us, true }

// nowExpr is an expression for the transaction's instant, with its argument:
// the bound value where it is known, the database's clock otherwise. A
// statement that uses the latter should answer its value, for setNow.
func (t *tx) nowExpr() (string, []any) {
	if t.known {
		return t.c.d.Bound(dialects.Big), []any{t.us}
	}
	return t.c.d.NowMicros(), nil
}

// nowUS is the transaction's instant. It asks the database if no statement has
// read it yet.
func (t *tx) nowUS() (int64, error) {
	if t.known {
		return t.us, nil
	}
	var us int64
	err := t.query(instantColumn(&us), "SELECT "+t.c.d.NowMicros())
	if err == nil {
		t.setNow(us)
	}
	return us, err
}

// instantColumn scans one instant.
func instantColumn(us *int64) func(*sql.Rows) error {
	return func(rows *sql.Rows) error { return rows.Scan(us) }
}

// sequence gives numbers that grow with every call and, as long as the clock
// does, are the clock's microseconds.
type sequence struct{ last atomic.Int64 }

// next is the greater of at least and the last number plus one.
func (s *sequence) next(atLeast int64) int64 {
	for {
		last := s.last.Load()
		n := max(last+1, atLeast)
		if s.last.CompareAndSwap(last, n) {
			return n
		}
	}
}

// issued remembers the incarnations and fences that this process has given
// out. They must never repeat (D06, D25), also where the row that held the last
// one is gone and the clock that they are read from stands still or steps
// back, and also between two stores of one process.
var issued numberBook

// numberBook remembers the last number of each key. Beyond its bound it keeps
// one floor for all that it forgets.
type numberBook struct {
	mu    sync.Mutex
	last  map[string]int64
	floor int64
}

const numberBookMost = 10_000

// next is the greater of at least and the key's last number plus one.
func (b *numberBook) next(key string, atLeast int64) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	last, known := b.last[key]
	if !known {
		last = b.floor
	}
	n := max(last+1, atLeast)
	if b.last == nil || len(b.last) >= numberBookMost {
		for _, old := range b.last {
			b.floor = max(b.floor, old)
		}
		b.last = map[string]int64{}
	}
	b.last[key] = n
	return n
}

// nextSequence gives a run's sequence number: strictly increasing within this
// store, of which a process has one per database, and ordered by that database's
// clock across nodes (R090, D21). Stores do not share numbers, because their
// databases' clocks may differ; where a process has two on one database, numbers
// may be equal, and then the run's id decides.
func (c *core) nextSequence(nowUS int64) int64 { return c.sequence.next(nowUS) }

// stopwatch measures how long something takes.
func stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
