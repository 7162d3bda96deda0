package main

import (
	"context"
	"database/sql"
	"strings"
	"sync"

	"gorm.io/gorm"
)

// traffic is what went through a countingPool.
type traffic struct {
	// Statements counts everything sent but BEGIN and COMMIT; Transactions
	// counts BEGINs, Commits the COMMITs among their ends.
	Statements, Transactions, Commits int
	// Writing counts the committed transactions in which a statement changed
	// a row, and the statements outside of one that did.
	Writing int
	// TriggerWrites and RunWrites count rows inserted, updated and deleted.
	TriggerWrites, RunWrites int
}

func (t traffic) minus(o traffic) traffic {
	return traffic{
		Statements: t.Statements - o.Statements, Transactions: t.Transactions - o.Transactions, Commits: t.Commits - o.Commits,
		Writing: t.Writing - o.Writing, TriggerWrites: t.TriggerWrites - o.TriggerWrites, RunWrites: t.RunWrites - o.RunWrites,
	}
}

// countingPool is a connection pool that counts what is sent through it.
type countingPool struct {
	db *sql.DB

	mu    sync.Mutex
	total traffic
	// trace, where not nil, is told every statement.
	trace func(query string)
}

var (
	_ gorm.ConnPool         = (*countingPool)(nil)
	_ gorm.ConnPoolBeginner = (*countingPool)(nil)
	_ gorm.Tx               = (*countingTx)(nil)
)

// counted is what was sent until now.
func (p *countingPool) counted() traffic {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total
}

func (p *countingPool) sent(query string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.Statements++
	if p.trace != nil {
		p.trace(query)
	}
}

// changed notes the rows of a write, and reports whether there were any.
func (p *countingPool) changed(query string, args []any, result sql.Result, err error) bool {
	if err != nil {
		return false
	}
	n, err := result.RowsAffected()
	if err != nil || n == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list, ok := combined(query, args)
	if !ok {
		list = []part{{target: writeTarget(query), rows: int(n)}}
	}
	for _, w := range list {
		switch {
		case strings.HasSuffix(w.target, "scheduler_triggers"):
			p.total.TriggerWrites += w.rows
		case strings.HasSuffix(w.target, "scheduler_runs"):
			p.total.RunWrites += w.rows
		}
	}
	return true
}

// writeTarget is the first table that a statement of the store names, without
// quotes: its writes name their target first, but for joins of a row source
// with the target on MySQL, where it is the only table.
func writeTarget(query string) string {
	for word := range strings.FieldsSeq(query) {
		word = strings.Trim(word, "\"`,()")
		if strings.Contains(word, "scheduler_") {
			return word
		}
	}
	return ""
}

func (p *countingPool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	p.sent(query)
	result, err := p.db.ExecContext(ctx, query, args...)
	if p.changed(query, args, result, err) {
		p.wrote()
	}
	return result, err
}

func (p *countingPool) wrote() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.Writing++
}

func (p *countingPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	p.sent(query)
	return p.db.QueryContext(ctx, query, args...)
}

func (p *countingPool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	p.sent(query)
	return p.db.QueryRowContext(ctx, query, args...)
}

func (p *countingPool) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return p.db.PrepareContext(ctx, query)
}

// GetDBConn lets gorm.DB.DB find the pool.
func (p *countingPool) GetDBConn() (*sql.DB, error) { return p.db, nil }

// BeginTx implements [gorm.ConnPoolBeginner].
func (p *countingPool) BeginTx(ctx context.Context, options *sql.TxOptions) (gorm.ConnPool, error) {
	tx, err := p.db.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.Transactions++
	if p.trace != nil {
		p.trace("BEGIN")
	}
	return &countingTx{Tx: tx, pool: p}, nil
}

// countingTx is a transaction on a countingPool.
type countingTx struct {
	*sql.Tx
	pool  *countingPool
	wrote bool
}

func (t *countingTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	t.pool.sent(query)
	result, err := t.Tx.ExecContext(ctx, query, args...)
	if t.pool.changed(query, args, result, err) {
		t.wrote = true
	}
	return result, err
}

func (t *countingTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	t.pool.sent(query)
	return t.Tx.QueryContext(ctx, query, args...)
}

func (t *countingTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	t.pool.sent(query)
	return t.Tx.QueryRowContext(ctx, query, args...)
}

// Commit counts the commit, and whether there was anything to commit.
func (t *countingTx) Commit() error {
	err := t.Tx.Commit()
	if err == nil {
		t.pool.mu.Lock()
		t.pool.total.Commits++
		if t.wrote {
			t.pool.total.Writing++
		}
		t.pool.mu.Unlock()
	}
	return err
}
