package gormsched

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// wire is a connection pool that shows what is sent through it and can break.
type wire struct {
	*sql.DB
	mu   sync.Mutex
	sent []event
	// fault is asked before each event, with its number from 0, and says what
	// becomes of it.
	fault func(n int, e event) fault
	cut   bool
	// before, where set, is called before each statement, with what it will be
	// sent through: the pool or a transaction.
	before func(x executor, query string, args []any)
	// errs are the database's own errors.
	errs []error
}

// event is something that was sent: a statement, "BEGIN", "COMMIT" or
// "ROLLBACK".
type event struct {
	text string
	args []any
	rows int64 // affected, where known
}

type fault uint8

const (
	send       fault = iota
	failBefore       // the connection breaks and nothing arrives
	failAfter        // it arrives, and the answer does not
	cutHere          // the process is gone: nothing is ever sent again
)

// errWire is what a driver says of a broken connection.
var errWire = driver.ErrBadConn

// begin notes an event and asks what becomes of it.
func (w *wire) begin(text string, args []any) (int, fault) {
	w.mu.Lock()
	if w.cut {
		w.mu.Unlock()
		return 0, cutHere
	}
	e := event{text: unbounded(text), args: args}
	w.sent = append(w.sent, e)
	n, ask := len(w.sent)-1, w.fault
	w.mu.Unlock()
	if ask == nil {
		return n, send
	}
	f := ask(n, e) // without the lock: it may use the pool itself
	if f == cutHere {
		w.mu.Lock()
		w.cut = true
		w.mu.Unlock()
	}
	return n, f
}

func (w *wire) note(err error) {
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.errs = append(w.errs, err)
	}
}

// record runs f with no faults and returns what was sent.
func (w *wire) record(f func()) []event {
	w.reset(nil)
	f()
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sent)
}

func (w *wire) reset(fault func(int, event) fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent, w.fault, w.cut, w.errs = nil, fault, false, nil
}

// executor is what a pool and a transaction have in common.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

func (w *wire) exec(ctx context.Context, x executor, query string, args []any) (sql.Result, error) {
	n, f := w.begin(query, args)
	if f == failBefore || f == cutHere {
		return nil, errWire
	}
	if w.before != nil {
		w.before(x, query, args)
	}
	result, err := x.ExecContext(ctx, query, args...)
	w.note(err)
	if err == nil {
		w.mu.Lock()
		w.sent[n].rows, _ = result.RowsAffected()
		w.mu.Unlock()
	}
	if f == failAfter {
		return nil, errWire
	}
	return result, err
}

func (w *wire) query(ctx context.Context, x executor, query string, args []any) (*sql.Rows, error) {
	_, f := w.begin(query, args)
	if f == failBefore || f == cutHere {
		return nil, errWire
	}
	if w.before != nil {
		w.before(x, query, args)
	}
	rows, err := x.QueryContext(ctx, query, args...)
	w.note(err)
	if f == failAfter {
		if err == nil {
			for rows.Next() { // the server has done it
			}
			rows.Close()
		}
		return nil, errWire
	}
	return rows, err
}

func (w *wire) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return w.exec(ctx, w.DB, query, args)
}

func (w *wire) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return w.query(ctx, w.DB, query, args)
}

// BeginTx makes *wire a [gorm.ConnPoolBeginner].
func (w *wire) BeginTx(ctx context.Context, opts *sql.TxOptions) (gorm.ConnPool, error) {
	_, f := w.begin("BEGIN", nil)
	if f == failBefore || f == cutHere {
		return nil, errWire
	}
	tx, err := w.DB.BeginTx(ctx, opts)
	if f == failAfter && err == nil {
		_ = tx.Rollback()
		return nil, errWire
	}
	if err != nil {
		return nil, err
	}
	return &wireTx{Tx: tx, wire: w}, nil
}

type wireTx struct {
	*sql.Tx
	wire *wire
}

func (t *wireTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.wire.exec(ctx, t.Tx, query, args)
}

func (t *wireTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.wire.query(ctx, t.Tx, query, args)
}

// Commit breaks before the server has it, or before its answer is there.
func (t *wireTx) Commit() error {
	_, f := t.wire.begin("COMMIT", nil)
	switch f {
	case failBefore, cutHere:
		_ = t.Tx.Rollback() // what the server does when the connection ends
		return errWire
	case failAfter:
		_ = t.Tx.Commit()
		return errWire
	}
	return t.Tx.Commit()
}

func (t *wireTx) Rollback() error {
	t.wire.mu.Lock()
	t.wire.sent = append(t.wire.sent, event{text: "ROLLBACK"})
	t.wire.mu.Unlock()
	return t.Tx.Rollback()
}

// wired makes a provisioned store behind a wire, on a pool of its own.
func (d testDatabase) wired(t testing.TB, o Options) (*JobStore, *wire) {
	t.Helper()
	d.store(t, Options{}) // provisions
	pool, err := d.open(t, nil).DB()
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{DB: pool}
	var dialector gorm.Dialector = postgres.New(postgres.Config{Conn: w})
	switch d.name {
	case "sqlite":
		dialector = &sqlite.Dialector{Conn: w}
	case "mysql", "mariadb":
		dialector = mysql.New(mysql.Config{Conn: w})
	}
	app, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatalf("opening behind the wire: %v", err)
	}
	o.TablePrefix = d.prefix
	s, err := NewJobStore(app, o)
	if err != nil {
		t.Fatal(err)
	}
	w.reset(nil)
	return s, w
}

// statements counts what was sent inside and around one transaction, the
// transaction's own words included.
func statements(events []event) (n int, texts []string) {
	for _, e := range events {
		texts = append(texts, strings.Join(strings.Fields(e.text), " "))
	}
	return len(events), texts
}
