package gormsched

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// JobStore keeps a scheduler's state in the application's own database: jobs,
// triggers, runs, nodes and the leader lease. It implements [provider.Store].
// Any number of stores, in this process and in others, may share a database;
// all of them see the same state.
//
// It is safe for concurrent use, holds no connection between calls and has
// nothing to close. Make one with [NewJobStore].
type JobStore struct{ core *core }

var (
	_ provider.Store   = (*JobStore)(nil)
	_ provider.Claimer = (*JobStore)(nil)
)

// core is what all operations share.
type core struct {
	db       *gorm.DB // isolated; see isolate
	d        dialects.Dialect
	t        tableNames
	opts     Options
	log      *slog.Logger
	sequence sequence
	sweeps   sweepRound
	unforced atomic.Bool // see force
	turn     writerTurn
	place    atomic.Value // string: where the store's tables are; see onStoresDatabase
}

// NewJobStore makes a store over the application's handle, which is read and
// not changed: the store uses its connection pool, naming strategy and logger,
// and none of its callbacks, plugins, scopes, sessions or default timeouts.
// db must be what [gorm.Open] returned, not a transaction.
//
// The tables need not exist yet: call [JobStore.Provision] before the first
// use. An error names what is wrong with db or the options.
func NewJobStore(db *gorm.DB, o Options) (*JobStore, error) {
	c, err := newCore(db, o)
	if err != nil {
		return nil, fmt.Errorf("gormsched.NewJobStore: %w", err)
	}
	return &JobStore{core: c}, nil
}

func newCore(app *gorm.DB, o Options) (*core, error) {
	db, err := isolate(app, o)
	if err != nil {
		return nil, err
	}
	version, err := serverVersion(db)
	if err != nil {
		return nil, err
	}
	d, err := dialects.For(db.Name(), version)
	if err != nil {
		return nil, err
	}
	t, err := tablesOf(db, d.Quote)
	if err != nil {
		return nil, err
	}
	log := o.Logger
	if log == nil {
		log = slog.Default()
	}
	return &core{db: db, d: d, t: t, opts: o, log: log, turn: newWriterTurn(d.SingleWriter())}, nil
}

// Info describes the store: the database's name, shared by every process that
// reaches it (R017), and with a locking claim unless the options say otherwise.
func (s *JobStore) Info() provider.Info {
	info := provider.Info{Name: s.core.d.Name(), Shared: true, Claims: !s.core.opts.Optimistic, ClaimsAtOnce: claimsAtOnce}
	if s.core.d.SingleWriter() {
		info.ClaimsAtOnce = 1
	}
	return info
}

// Now reads the store's clock (D26).
func (s *JobStore) Now(ctx context.Context) (time.Time, error) {
	var us int64
	err := s.core.inTx(ctx, "reading the clock", txRead, func(t *tx) error {
		var err error
		us, err = t.nowUS()
		return err
	}, nil)
	if err != nil {
		return time.Time{}, err
	}
	return instant(us), nil
}
