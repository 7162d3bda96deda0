package gormsched

import (
	"context"
	"fmt"

	"github.com/gormsched/gormsched/dialects"
)

// Where a limit on waiting would stay with the session, each statement carries
// its own (see [dialects.WaitLimiter]).

// limited gives a read of a transaction with its bound on waiting. In an
// application's transaction there is none: how long that may wait is the
// application's to say.
func (t *tx) limited(stmt string) string {
	if f, ok := t.c.d.(dialects.Framer); ok {
		return t.framed(f, stmt)
	}
	if l, ok := t.c.d.(dialects.WaitLimiter); ok && t.bounds() {
		stmt, _ = l.LimitWait(stmt, kindLimits[t.kind].lock)
	}
	return stmt
}

// framed gives a statement with the settings that it needs. A statement that
// changes the schema has none, and waits as the session does.
func (t *tx) framed(f dialects.Framer, stmt string) string {
	switch {
	case t.kind == txSchema:
		return stmt
	case t.joined:
		return f.Frame(stmt, 0, false)
	}
	return f.Frame(stmt, kindLimits[t.kind].lock, t.kind == txRead)
}

// bounds reports whether statements of this transaction wait for a bounded
// time.
func (t *tx) bounds() bool { return t.kind == txDispatch || t.kind == txManage }

// execLimited sends a write with its bound. Where the server cannot bound it, a
// management call gives up on it, and with it on the connection; a call of the
// dispatch, which writes to rows that it has locked, goes on until its
// operation's deadline.
func (t *tx) execLimited(l dialects.WaitLimiter, stmt string, args []any) (int64, error) {
	if !t.bounds() {
		done := t.db.Exec(stmt, args...)
		return done.RowsAffected, done.Error
	}
	wait := kindLimits[t.kind].lock
	limited, bounded := l.LimitWait(stmt, wait)
	if bounded || t.kind != txManage {
		done := t.db.Exec(limited, args...)
		return done.RowsAffected, done.Error
	}
	ctx, cancel := context.WithTimeout(t.ctx, wait)
	defer cancel()
	done := t.db.WithContext(ctx).Exec(limited, args...)
	if done.Error != nil && ctx.Err() != nil && t.ctx.Err() == nil {
		return 0, fmt.Errorf("%w: %w", dialects.ErrLockWait, done.Error)
	}
	return done.RowsAffected, done.Error
}
