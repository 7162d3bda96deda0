package gormsched

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// This file is the only one that begins a transaction. Every operation of the
// store is one transaction of its own on the store's own handle (R018–R020),
// or a single statement; it never joins one of the application's (R019).

// txKind says what an operation does and how long it may wait.
type txKind uint8

const (
	// txRead sends statements that each stand for themselves and change
	// nothing. What must be seen together is read by one statement.
	txRead txKind = iota
	// txDispatch is a transaction of the dispatch: it does not wait for rows
	// that another transaction holds. Where it cannot avoid it (an insert of
	// the same key) it waits at most two seconds.
	txDispatch
	// txManage is a transaction of a management call: it waits for rows at
	// most five seconds, then answers with contention.
	txManage
	// txSchema changes the schema; it waits for other nodes that do the same.
	txSchema
)

// limits bound an operation: the time it may take in all, its retries
// included, the time that it waits for a lock, and the time for which lost
// races are repeated.
type limits struct{ operation, lock, contention time.Duration }

var kindLimits = map[txKind]limits{
	txRead:     {operation: 10 * time.Second, lock: 5 * time.Second, contention: 5 * time.Second},
	txDispatch: {operation: 10 * time.Second, lock: 2 * time.Second, contention: 5 * time.Second},
	txManage:   {operation: 10 * time.Second, lock: 5 * time.Second, contention: 5 * time.Second},
	txSchema:   {operation: 2 * time.Minute, lock: time.Minute, contention: time.Minute},
}

const (
	// idleLimit ends a session that stands still inside a transaction, so that
	// a stopped process holds its locks no longer than this (PostgreSQL).
	idleLimit = 10 * time.Second
	// lookUpLimit bounds the look-up of a lost commit; it has a context of its
	// own, because the caller's may be what ended the commit.
	lookUpLimit = 5 * time.Second
	// lostConnections and lostInserts are how often an operation is repeated
	// after a connection was lost before the commit, or an insert race.
	lostConnections = 2
	lostInserts     = 3
)

// tx is one running transaction, or the bare handle of a read. It belongs to
// the goroutine that runs the operation's function.
type tx struct {
	ctx  context.Context
	c    *core
	db   *gorm.DB
	kind txKind
	// joined says that the transaction is the application's.
	joined bool
	clock
}

// inTx runs fn as one operation. fn may run several times: deadlocks,
// serialization failures, busy databases and connections that are lost before
// the commit roll everything back and repeat the whole of it, with jitter,
// within ctx and ten seconds. fn must therefore set its results anew each time
// and have no other effect.
//
// If the commit was sent and its answer lost, lookup is asked whether it took
// effect: true ends the operation with the results of that run of fn, false
// runs fn again. A nil lookup says that repeating is safe, and one that answers
// errRepeat that fn will recognise what its earlier run wrote: then fn runs
// again, and only if that fails too is the outcome unknown. If the look-up
// itself fails the error matches [provider.ErrOutcomeUnknown], and nothing is
// repeated.
//
// Errors of the contract (*[provider.Error]) pass unchanged (R024). Others
// match [provider.ErrStoreUnavailable] and wrap the driver's error (R022,
// R023); a context that ended before anything was written gives its own error.
func (c *core) inTx(ctx context.Context, op string, kind txKind, fn func(*tx) error, lookup func(context.Context) (bool, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	bounds := kindLimits[kind]
	limited, cancel := context.WithTimeout(ctx, bounds.operation)
	defer cancel()
	patience, stop := context.WithTimeout(limited, bounds.contention)
	defer stop()
	var open error    // a commit of which nobody said what became of it
	var doubted error // a commit that its look-up did not find
	var tries retries
	for try := 0; ; try++ {
		err, sent := c.attempt(limited, kind, fn)
		if err == nil {
			return nil
		}
		if sent {
			committed, lost := c.lookUp(ctx, lookup)
			switch {
			case errors.Is(lost, errRepeat):
				open = err
			case lost != nil:
				return outcomeUnknown(op, err, lost)
			case committed:
				return nil
			default:
				open, doubted = nil, err
			}
		}
		fault := c.d.Classify(err)
		if c.unforce(err) {
			fault = dialects.FaultRetry
		}
		switch {
		case isContractError(err):
			return err
		case ctx.Err() == nil && tries.another(fault, sent) && pause(patience, try):
		case open != nil:
			return outcomeUnknown(op, open, nil)
		case doubted != nil && fault == dialects.FaultDuplicate: // it was under way while it was looked up
			return outcomeUnknown(op, doubted, err)
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			return failed(op, fault, err)
		}
	}
}

// retries counts what may be repeated a few times only.
type retries struct{ connections, inserts int }

// another reports whether what failed so may be repeated: a lost race as long
// as there is time, a lost connection and a lost insert race a few times.
func (r *retries) another(fault dialects.Fault, sent bool) bool {
	switch {
	case fault == dialects.FaultRetry:
		return true
	case fault == dialects.FaultDuplicate:
		r.inserts++
		return r.inserts <= lostInserts
	case fault == dialects.FaultConnection || sent:
		r.connections++
		return r.connections <= lostConnections
	}
	return false
}

// attempt runs fn once. sent says that a commit was sent and that the error
// does not tell what became of it.
func (c *core) attempt(ctx context.Context, kind txKind, fn func(*tx) error) (err error, sent bool) {
	session := c.session(ctx)
	t := &tx{ctx: ctx, c: c, db: session, kind: kind}
	t.fix(c.opts.Now)
	if kind == txRead {
		return fn(t), false
	}
	giveBack, err := c.turn.take(ctx)
	if err != nil {
		return err, false
	}
	defer giveBack()
	release, err := c.ownConnection(session)
	if err != nil {
		return err, false
	}
	defer release()
	t.db = session.Begin(&sql.TxOptions{Isolation: c.d.Isolation()})
	if t.db.Error != nil {
		c.rollBackLeft(session, t.db.Error)
		return t.db.Error, false
	}
	ended := false
	defer func() {
		if !ended { // also when fn panics
			t.db.Rollback()
		}
	}()
	if err := t.open(kind); err != nil {
		return err, false
	}
	if err := fn(t); err != nil {
		return err, false
	}
	if err := ctx.Err(); err != nil {
		return err, false
	}
	ended = true
	err = t.db.Commit().Error
	c.rollBackLeft(session, err)
	return err, err != nil && !c.refused(err)
}

// ownConnection gives a session a connection of its own until it is released,
// where one may have to be mended after a commit and the pool is that of
// database/sql itself, not one that stands before it; see rollBackLeft.
func (c *core) ownConnection(session *gorm.DB) (release func(), err error) {
	pool, can := c.db.ConnPool.(*sql.DB)
	if !can || !c.d.SingleWriter() {
		return func() {}, nil
	}
	conn, err := pool.Conn(session.Statement.Context)
	if err != nil {
		return nil, err
	}
	session.Statement.ConnPool = conn
	return func() { _ = conn.Close() }, nil // back to the pool
}

// rollBackLeft ends a transaction that SQLite has left open on a connection. A
// COMMIT that is answered "busy", because somebody reads in rollback-journal
// mode, does not end its transaction, but for database/sql it has ended: the
// pool's next user would find it, the write lock would be kept for ever and every
// BEGIN refused. Where the session has no connection of its own the one that came
// back last is used next; ROLLBACK does nothing where there is no transaction.
func (c *core) rollBackLeft(session *gorm.DB, err error) {
	if err == nil || !c.d.SingleWriter() || !dialects.Answered(err) {
		return
	}
	own, cancel := context.WithTimeout(context.WithoutCancel(session.Statement.Context), lookUpLimit)
	defer cancel()
	_, _ = session.Statement.ConnPool.ExecContext(own, "ROLLBACK") // most often: there is no transaction
}

// refused reports whether a commit's error says that it has not taken effect:
// the transaction had been rolled back before, or the server itself answered.
// Whatever else happens to a commit leaves its outcome open.
func (c *core) refused(err error) bool {
	if errors.Is(err, sql.ErrTxDone) {
		return true
	}
	switch c.d.Classify(err) {
	case dialects.FaultConnection:
		return false
	case dialects.FaultOther, dialects.FaultLockTimeout:
		return dialects.Answered(err)
	}
	return true
}

// errRepeat is a look-up's answer where the repeated function itself finds out,
// under its locks: they also wait for a commit that is still under way.
var errRepeat = errors.New("the repeated operation recognises what was written")

// lookUp asks what became of a lost commit.
func (c *core) lookUp(ctx context.Context, lookup func(context.Context) (bool, error)) (bool, error) {
	if lookup == nil {
		return false, errRepeat
	}
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpLimit)
	defer cancel()
	return lookup(own)
}

// session is a handle with a context of its own. The context is required: a
// session without one would share the root's statement.
func (c *core) session(ctx context.Context) *gorm.DB {
	return c.db.Session(&gorm.Session{NewDB: true, Context: ctx})
}

// open sends what a transaction must begin with, if anything: limits on its
// waiting, or the write that makes it the writer. Where the statement also
// answers the database's clock the transaction keeps it.
func (t *tx) open(kind txKind) error {
	opener, ok := t.c.d.(dialects.Opener)
	if !ok || kind == txSchema && t.c.d.SingleWriter() { // there may be no table yet
		return nil
	}
	opening := opener.Opening(t.c.t.leases, kindLimits[kind].lock, idleLimit)
	if !opening.Now {
		_, err := t.exec(opening.SQL)
		return err
	}
	var us int64
	err := t.query(instantColumn(&us), opening.SQL)
	if err == nil && !t.known {
		t.setNow(us)
	}
	return err
}

// exec sends one statement and returns the number of rows that it affected.
func (t *tx) exec(stmt string, args ...any) (int64, error) {
	if l, ok := t.c.d.(dialects.WaitLimiter); ok {
		return t.execLimited(l, stmt, args)
	}
	if f, ok := t.c.d.(dialects.Framer); ok {
		stmt = t.framed(f, stmt)
	}
	done := t.db.Exec(stmt, args...)
	return done.RowsAffected, done.Error
}

// query sends one statement and calls scan for each row of its answer.
func (t *tx) query(scan func(*sql.Rows) error, stmt string, args ...any) error {
	rows, err := t.db.Raw(t.limited(stmt), args...).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// execBuilt and queryBuilt take what a builder of the dialect returns.
func (t *tx) execBuilt(s dialects.Statement, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return t.exec(s.SQL, s.Args...)
}

func (t *tx) queryBuilt(scan func(*sql.Rows) error, s dialects.Statement, err error) error {
	if err != nil {
		return err
	}
	return t.query(scan, s.SQL, s.Args...)
}

// pause waits before the next try: at random up to 5 ms, doubled with each
// try, at most 250 ms, so that those who collided do not meet again. It
// reports whether there is time for another try.
func pause(ctx context.Context, try int) bool {
	most := min(5*time.Millisecond<<min(try, 10), 250*time.Millisecond)
	timer := time.NewTimer(rand.N(most) + time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func isContractError(err error) bool {
	var e *provider.Error
	return errors.As(err, &e)
}
