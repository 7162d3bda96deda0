package gormsched

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// EnqueuerIn binds an enqueuer to a transaction of the application (D34). What
// it inserts appears when the application commits, and never otherwise. It
// locks nothing but the rows that it inserts, retries nothing, sets no limits
// and wakes no node: the one-shots are seen within one poll interval of the
// commit, or at once when the application wakes the scheduler after it. Only at
// SERIALIZABLE, where MySQL, MariaDB and SQL Server lock what is read, is the
// job held until the transaction ends.
//
// tx must be the *gorm.DB of a running transaction on the store's database,
// for example the one that [gorm.DB.Transaction] hands to its function; the
// enqueuer is as usable as that transaction, and no longer. After an error from
// the database the application must roll back, as after any failed statement.
//
// A transaction of another kind of database is refused here. One of the same
// kind is known by its pool; where that is not the store's own, Enqueue first
// asks the database where it is, and refuses another database, schema or file
// with nothing written. Two servers that answer alike are not told apart.
func (s *JobStore) EnqueuerIn(tx *gorm.DB) (provider.Enqueuer, error) {
	switch {
	case tx == nil || tx.Statement == nil:
		return nil, errors.New("gormsched.EnqueuerIn: tx is nil: pass the *gorm.DB of a running transaction")
	case tx.Error != nil:
		return nil, provider.Unavailable("gormsched.EnqueuerIn: tx carries an earlier error: roll it back and begin anew", tx.Error)
	case tx.Name() != s.core.db.Name():
		return nil, errors.New("gormsched.EnqueuerIn: tx is a transaction on " + tx.Name() + ", the store is on " + s.core.db.Name() + ": use the store's database")
	}
	pool := tx.Statement.ConnPool
	if _, ok := pool.(gorm.TxCommitter); !ok {
		return nil, errors.New("gormsched.EnqueuerIn: tx is not a transaction: pass the *gorm.DB that Transaction or Begin gives, or call the store's own Enqueue")
	}
	if p, ok := pool.(*gorm.PreparedStmtTX); ok {
		pool = p.Tx
	}
	j := &joined{core: s.core, pool: pool}
	j.known.Store(s.core.begunOnPool(tx))
	return j, nil
}

// begunOnPool reports whether a transaction has begun on the store's own pool:
// Begin leaves the pool in the configuration of its handle. A resolver chooses
// another one statement by statement.
func (c *core) begunOnPool(tx *gorm.DB) bool {
	if _, resolves := tx.Plugins["gorm:db_resolver"]; resolves {
		return false
	}
	pool := tx.Config.ConnPool
	for {
		p, ok := pool.(*gorm.PreparedStmtDB)
		if !ok {
			break
		}
		pool = p.ConnPool
	}
	own, ok := c.db.ConnPool.(*sql.DB)
	db, same := pool.(*sql.DB)
	return ok && same && db == own
}

// joined enqueues in an application's transaction.
type joined struct {
	core *core
	pool gorm.ConnPool
	// known says that the transaction is on the store's database.
	known atomic.Bool
}

// Enqueue inserts one-shots in the transaction.
func (j *joined) Enqueue(ctx context.Context, triggers []provider.TriggerRecord) ([]provider.EnqueueAnswer, error) {
	if len(triggers) == 0 {
		return []provider.EnqueueAnswer{}, nil
	}
	session := j.core.session(ctx)
	session.Statement.ConnPool = j.pool
	t := &tx{ctx: ctx, c: j.core, db: session, joined: true}
	t.fix(j.core.opts.Now)
	answers, err := []provider.EnqueueAnswer(nil), error(nil)
	if !j.known.Load() {
		err = t.onStoresDatabase()
	}
	if err == nil {
		j.known.Store(true)
		answers, err = t.enqueue(triggers)
	}
	switch {
	case err == nil:
		return answers, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case isContractError(err):
		return nil, err
	}
	return nil, failed("enqueueing one-shots in the application's transaction", j.core.d.Classify(err), err)
}

// placeLimit bounds how long the store looks for where it is itself: a pool whose
// only connection has begun the transaction would wait for ever.
const placeLimit = time.Second

// onStoresDatabase refuses a transaction that finds the store's tables elsewhere
// than the store does. Where the store cannot say where that is, it refuses none.
func (t *tx) onStoresDatabase() error {
	d, ok := t.c.d.(dialects.Placer)
	if !ok {
		return nil
	}
	var here string
	query := d.Place(t.c.t.jobs)
	if err := t.query(textColumn(&here), query); err != nil {
		return err
	}
	if there, known := t.c.place.Load().(string); known && here == there {
		return nil
	}
	limited, cancel := context.WithTimeout(t.ctx, placeLimit)
	defer cancel()
	var there string // not as it was: tables can be made anew
	own := &tx{ctx: limited, c: t.c, db: t.c.session(limited), kind: txRead}
	if own.query(textColumn(&there), query) != nil {
		return nil
	}
	t.c.place.Store(there)
	if here != there {
		return &provider.Error{Code: provider.CodeStoreUnavailable, Reason: "enqueueing one-shots in the application's transaction: it is on another database, " +
			provider.Quote(here) + ", the store is on " + provider.Quote(there) + ": begin it on the store's database"}
	}
	return nil
}

func textColumn(text *string) func(*sql.Rows) error {
	return func(rows *sql.Rows) error { return rows.Scan(text) }
}
