package inmemory

import (
	"context"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Store is a job store in the memory of this process. It implements
// [provider.Store] and [provider.Claimer]. Make one with [New]; the zero value
// is not usable. All methods are safe for concurrent use.
type Store struct {
	options Options
	now     func() time.Time

	mu sync.Mutex
	tables
	marks marks
}

// marks are numbers that only grow. A transaction that is undone leaves gaps.
type marks struct {
	version  int64 // the greatest given to any row
	sequence int64
	// incarnations and leaseFences are the last ones given out, per node id
	// and resource: they outlive the rows, so that none is given out twice.
	incarnations map[string]int64
	leaseFences  map[string]int64
}

var (
	_ provider.Store    = (*Store)(nil)
	_ provider.Claimer  = (*Store)(nil)
	_ provider.Election = election{}
)

// New returns an empty store.
func New(options Options) *Store {
	if options.MaxRuns <= 0 {
		options.MaxRuns = DefaultMaxRuns
	}
	return &Store{
		options: options,
		now:     clock(options.Now),
		tables:  newTables(),
		marks:   marks{incarnations: map[string]int64{}, leaseFences: map[string]int64{}},
	}
}

// Info implements [provider.Store].
func (s *Store) Info() provider.Info {
	return provider.Info{Name: "memory", Shared: s.options.Shared, Claims: !s.options.LongWay}
}

// Now implements [provider.Store].
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	return transact(ctx, s, "Now", func(t *tx) (time.Time, error) { return t.now, nil })
}

// Election implements [provider.Store]. It excludes within this store only
// (R073): two stores elect two leaders (R135).
func (s *Store) Election() provider.Election { return election{s} }
