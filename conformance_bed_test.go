package gormsched_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

// testServer is a database that stores are tested on, as its tests reach it.
type testServer struct {
	name string
	// dialector is the application's over a pool; nothing in it is shared.
	dialector func(gorm.ConnPool) gorm.Dialector
	words     faultWords
	oneWriter bool
	// sql is the test's own statements in the words of the database; the zero
	// value is PostgreSQL's and SQLite's.
	sql testSQL
	// truncate says that a deleted key leaves a mark until the server cleans up,
	// at which inserts of the same key lock more than their row.
	truncate bool
	// plot makes a new, empty place for tables, and returns what opens pools on
	// it that are closed when their test ends: those of the stores, whose DSN has
	// the given parameters, and those of the test's own statements.
	plot func(parameters string) (stores, tools opener)
	// drop removes the tables of a prefix; nil where the place goes anyway.
	drop func(t testing.TB, db *sql.DB, prefix string)
	// elsewhere is the same server with another database, which is made with
	// these words behind CREATE DATABASE … and dropped when the test ends; nil
	// where there is none.
	elsewhere func(t testing.TB, words string) *testServer
	// behind is the same server reached through a proxy at host:port; nil where
	// none is tested.
	behind func(address string) *testServer
	// dsn names the server; empty for files.
	dsn string
}

type opener func(t testing.TB) *sql.DB

// testBed makes the stores of a run on a server. Each store under test has tables
// of its own prefix; those of a test that has ended are emptied and used again.
type testBed struct {
	*testServer
	setting setting
	owner   testing.TB // of what outlives a case
	mu      sync.Mutex
	free    []*testPlot
}

// testSQL is what differs in the test's own statements.
type testSQL struct {
	// placeholders writes $1 and $2, and what else is not standard.
	placeholders *strings.Replacer
	// copyTable makes an empty table %[2]s of the columns of %[1]s, lockRow locks
	// the row of a table by a column.
	copyTable, lockRow string
}

// testPlot is one set of tables.
type testPlot struct {
	bed            *testBed
	open           opener  // a pool for a store
	tapped, others *sql.DB // the stores' pools: the one behind the tap, and that of everybody else
	tools          *sql.DB // the pool of the test's own statements
	replica        *sql.DB // a pool on a copy that lags, where the setting wants one
	neighbour      *neighbour
	prefix         string
	copies         bool // the tables that mark copies to are there
}

var prefixes atomic.Int64

func (b *testBed) take(t testing.TB) *testPlot {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.free); n > 0 {
		p := b.free[n-1]
		b.free = b.free[:n-1]
		return p
	}
	stores, tools := b.plot(b.setting.parameters(b.name))
	p := &testPlot{bed: b, prefix: fmt.Sprintf("c%d_%d_", os.Getpid(), prefixes.Add(1)), open: func(t testing.TB) *sql.DB {
		pool := stores(t)
		pool.SetMaxOpenConns(b.setting.connections)
		return pool
	}}
	p.tapped, p.others, p.tools = p.open(b.owner), p.open(b.owner), tools(b.owner)
	p.provision(t, p.tools, p.prefix)
	if b.setting.ready != nil {
		b.setting.ready(p, t)
	}
	return p
}

// provision makes the tables of a prefix, and drops them in the end.
func (p *testPlot) provision(t testing.TB, pool *sql.DB, prefix string) *gormsched.JobStore {
	t.Helper()
	db, err := gorm.Open(p.bed.dialector(pool), &gorm.Config{Logger: logger.Discard, NamingStrategy: schema.NamingStrategy{SingularTable: p.bed.setting.singular}})
	if err != nil {
		t.Fatalf("opening a handle on %s: %v", p.bed.name, err)
	}
	store, err := gormsched.NewJobStore(db, gormsched.Options{TablePrefix: prefix})
	if err != nil {
		t.Fatalf("NewJobStore: %v", err)
	}
	if err := store.Provision(context.Background(), gormsched.CreateIfMissing); err != nil {
		t.Fatalf("Provision: %v", err)
	}
	if p.bed.drop != nil {
		p.bed.owner.Cleanup(func() { p.bed.drop(p.bed.owner, pool, prefix) })
	}
	return store
}

func (b *testBed) give(p *testPlot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, p)
}

// handle opens a handle as the application does.
func (p *testPlot) handle(t testing.TB, pool gorm.ConnPool) *gorm.DB {
	t.Helper()
	config := &gorm.Config{Logger: logger.Discard}
	s := p.bed.setting
	if s.config != nil {
		s.config(p, config)
	}
	dialector := p.bed.dialector(pool)
	if s.dialector != nil {
		dialector = s.dialector(dialector)
	}
	db, err := gorm.Open(dialector, config)
	if err != nil {
		t.Fatalf("opening a handle on %s: %v", p.bed.name, err)
	}
	if s.dress != nil {
		db = s.dress(t, p, db)
	}
	return db
}

func (p *testPlot) store(t testing.TB, pool gorm.ConnPool, now func() time.Time) *gormsched.JobStore {
	t.Helper()
	options := gormsched.Options{TablePrefix: p.prefix, Now: now}
	if p.bed.setting.options != nil {
		p.bed.setting.options(&options)
	}
	if p.bed.setting.pool != nil {
		pool = p.bed.setting.pool(pool)
	}
	store, err := gormsched.NewJobStore(p.handle(t, pool), options)
	if err != nil {
		t.Fatalf("NewJobStore: %v", err)
	}
	return store
}

// models are the store's, with the column of each that is its primary key.
var models = map[schedulingtest.Table]struct{ model, key string }{
	schedulingtest.TableJob:     {"SchedulerJob", "job_name"},
	schedulingtest.TableTrigger: {"SchedulerTrigger", "trigger_key"},
	schedulingtest.TableRun:     {"SchedulerRun", "run_id"},
	schedulingtest.TableNode:    {"SchedulerNode", "node_id"},
	schedulingtest.TableLease:   {"SchedulerLease", "lease_name"},
}

// table is the quoted name of a table; all databases quote alike, MySQL by its ANSI_QUOTES.
func (p *testPlot) table(table schedulingtest.Table) string {
	names := schema.NamingStrategy{TablePrefix: p.prefix, SingularTable: p.bed.setting.singular, IdentifierMaxLength: 63}
	return `"` + names.TableName(models[table].model) + `"`
}

// subject is a fresh, empty store; see [schedulingtest.Harness].
func (b *testBed) subject(t testing.TB) schedulingtest.Subject {
	t.Helper()
	p := b.take(t)
	clock, pool := schedulingtest.NewClock(), &faultPool{db: p.tapped, words: b.words}
	p.wipe(t)
	t.Cleanup(func() { b.give(p) })
	store := p.store(t, pool, clock.Now)
	s := schedulingtest.Subject{
		Store:      store,
		SetNow:     clock.Set,
		Reset:      p.wipe,
		Mark:       p.mark,
		Open:       func(t testing.TB) provider.Store { return p.store(t, p.others, clock.Now) },
		InBubble:   func(t testing.TB) provider.Store { return p.store(t, p.open(t), time.Now) },
		OneWriter:  b.oneWriter,
		SetTap:     pool.setTap,
		Statements: true,
		Poke:       p.poke,
		InTx:       func(t testing.TB) schedulingtest.AppTx { return p.inTx(t, store) },
		Check:      p.check,
	}
	if !b.oneWriter {
		s.Hold = p.hold
		s.HoldJob = func(t testing.TB, job string) func() {
			return p.hold(t, schedulingtest.Row{Table: schedulingtest.TableJob, Key: job})
		}
	}
	return s
}
