package gormsched

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// EnqueuerIn binds an enqueuer to a transaction of the application (D34). What
// it inserts appears when the application commits, and never otherwise. It
// locks nothing but the rows that it inserts, retries nothing, sets no limits
// and wakes no node: the one-shots are seen within one poll interval of the
// commit, or at once when the application wakes the scheduler after it.
//
// tx must be the *gorm.DB of a running transaction on the store's database,
// for example the one that [gorm.DB.Transaction] hands to its function; the
// enqueuer is as usable as that transaction, and no longer. After an error from
// the database the application must roll back, as after any failed statement.
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
	return &joined{core: s.core, pool: pool}, nil
}

// joined enqueues in an application's transaction.
type joined struct {
	core *core
	pool gorm.ConnPool
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
	answers, err := t.enqueue(triggers)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, failed("enqueueing one-shots in the application's transaction", j.core.d.Classify(err), err)
	}
	return answers, nil
}
