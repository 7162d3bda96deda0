package gormsched_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

// faultPool is a connection pool that asks a tap before everything that is sent
// through it, and fails as the tap says, in the words of the database's driver.
type faultPool struct {
	db    *sql.DB
	words faultWords

	mu  sync.Mutex
	tap schedulingtest.Tap
}

// faultWords are what a driver answers.
type faultWords struct {
	// refused is a fault that no repeat cures.
	refused error
	// conflict is a deadlock or a lost race.
	conflict error
	// lost is a connection that broke.
	lost error
}

// A codedPostgres and a codedSQLite carry a database's code as drivers do.
type codedPostgres string

func (e codedPostgres) Error() string    { return "injected fault, SQLSTATE " + string(e) }
func (e codedPostgres) SQLState() string { return string(e) }

type codedSQLite int

func (e codedSQLite) Error() string { return fmt.Sprintf("injected fault, code %d", int(e)) }
func (e codedSQLite) Code() int     { return int(e) }

var (
	_ gorm.ConnPool         = (*faultPool)(nil)
	_ gorm.ConnPoolBeginner = (*faultPool)(nil)
	_ gorm.Tx               = (*faultTx)(nil)
)

func (p *faultPool) setTap(tap schedulingtest.Tap) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tap = tap
}

// ask asks the tap, if there is one.
func (p *faultPool) ask(ctx context.Context, event schedulingtest.Event) schedulingtest.Verdict {
	p.mu.Lock()
	tap := p.tap
	p.mu.Unlock()
	if tap == nil {
		return schedulingtest.Pass
	}
	return tap(ctx, event)
}

// sender is what a pool and a transaction have in common.
type sender interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// fault is what a verdict answers in place of a statement's own answer.
func (p *faultPool) fault(v schedulingtest.Verdict, inTx bool) error {
	switch {
	case v == schedulingtest.Conflict:
		return p.words.conflict
	case v == schedulingtest.Cut, v == schedulingtest.FailAfter && !inTx: // its commit was lost
		return p.words.lost
	}
	return p.words.refused
}

func (p *faultPool) exec(ctx context.Context, s sender, inTx bool, query string, args []any) (sql.Result, schedulingtest.Verdict, error) {
	v := p.ask(ctx, schedulingtest.Event{Kind: schedulingtest.Statement, Text: query, InTx: inTx})
	switch v {
	case schedulingtest.Pass:
		result, err := s.ExecContext(ctx, query, args...)
		return result, v, err
	case schedulingtest.FailAfter:
		if _, err := s.ExecContext(ctx, query, args...); err != nil {
			return nil, v, err
		}
	}
	return nil, v, p.fault(v, inTx)
}

func (p *faultPool) query(ctx context.Context, s sender, inTx bool, query string, args []any) (*sql.Rows, schedulingtest.Verdict, error) {
	v := p.ask(ctx, schedulingtest.Event{Kind: schedulingtest.Statement, Text: query, InTx: inTx})
	switch v {
	case schedulingtest.Pass:
		rows, err := s.QueryContext(ctx, query, args...)
		return rows, v, err
	case schedulingtest.FailAfter:
		rows, err := s.QueryContext(ctx, query, args...)
		if err != nil {
			return nil, v, err
		}
		for rows.Next() { // the database has done all of it
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, v, err
		}
	}
	return nil, v, p.fault(v, inTx)
}

func (p *faultPool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	result, _, err := p.exec(ctx, p.db, false, query, args)
	return result, err
}

func (p *faultPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, _, err := p.query(ctx, p.db, false, query, args)
	return rows, err
}

// QueryRowContext serves what dialectors ask while they open; a store reads
// through QueryContext. Where it fails the row carries the fault.
func (p *faultPool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	v := p.ask(ctx, schedulingtest.Event{Kind: schedulingtest.Statement, Text: query})
	if v == schedulingtest.Pass {
		return p.db.QueryRowContext(ctx, query, args...)
	}
	return failingRow(ctx, p.fault(v, false))
}

func (p *faultPool) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return p.db.PrepareContext(ctx, query)
}

// GetDBConn lets gorm.DB.DB find the pool.
func (p *faultPool) GetDBConn() (*sql.DB, error) { return p.db, nil }

// BeginTx implements [gorm.ConnPoolBeginner].
func (p *faultPool) BeginTx(ctx context.Context, options *sql.TxOptions) (gorm.ConnPool, error) {
	if v := p.ask(ctx, schedulingtest.Event{Kind: schedulingtest.Begin}); v != schedulingtest.Pass {
		return nil, p.fault(v, true)
	}
	tx, err := p.db.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return &faultTx{Tx: tx, pool: p, ctx: ctx}, nil
}

// faultTx is a transaction on a faultPool. It belongs to one goroutine.
type faultTx struct {
	*sql.Tx
	pool *faultPool
	ctx  context.Context // the commit has none of its own
	dead bool
}

// cut ends the transaction as a server does whose client is gone.
func (t *faultTx) cut() {
	t.dead = true
	_ = t.Tx.Rollback()
}

func (t *faultTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if t.dead {
		return nil, t.pool.words.lost
	}
	result, v, err := t.pool.exec(ctx, t.Tx, true, query, args)
	if v == schedulingtest.Cut {
		t.cut()
	}
	return result, err
}

func (t *faultTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if t.dead {
		return nil, t.pool.words.lost
	}
	rows, v, err := t.pool.query(ctx, t.Tx, true, query, args)
	if v == schedulingtest.Cut {
		t.cut()
	}
	return rows, err
}

func (t *faultTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if t.dead {
		return failingRow(ctx, t.pool.words.lost)
	}
	return t.Tx.QueryRowContext(ctx, query, args...)
}

// Commit commits, or breaks before the database has heard of it, or before it
// has answered, or is refused for a lost race.
func (t *faultTx) Commit() error {
	if t.dead {
		return t.pool.words.lost
	}
	switch v := t.pool.ask(t.ctx, schedulingtest.Event{Kind: schedulingtest.Commit, InTx: true}); v {
	case schedulingtest.Pass:
		return t.Tx.Commit()
	case schedulingtest.FailAfter:
		if err := t.Tx.Commit(); err != nil {
			return err
		}
		return t.pool.words.lost
	case schedulingtest.Conflict:
		t.cut()
		return t.pool.words.conflict
	default:
		t.cut()
		return t.pool.words.lost
	}
}

// Rollback ends the transaction; on a cut one there is nothing left to do.
func (t *faultTx) Rollback() error {
	if t.dead {
		return nil
	}
	return t.Tx.Rollback()
}

// failingRow is a row whose Scan answers the error.
func failingRow(ctx context.Context, err error) *sql.Row {
	db := sql.OpenDB(failingConnector{err})
	defer db.Close()
	return db.QueryRowContext(ctx, "")
}

type failingConnector struct{ err error }

func (c failingConnector) Connect(context.Context) (driver.Conn, error) { return nil, c.err }
func (c failingConnector) Driver() driver.Driver                        { return nil }
