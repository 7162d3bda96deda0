package gormsched

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/plugin/dbresolver"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// enqueueIn enqueues one one-shot in an application's transaction.
func (w *world) enqueueIn(tx *gorm.DB, name string) {
	w.Helper()
	in, err := w.s.EnqueuerIn(tx)
	w.must(err)
	answers, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-" + name}, RunAs: provider.KindManual}})
	w.must(err)
	if len(answers) != 1 || answers[0].Err != nil || answers[0].Existed {
		w.Errorf("%s: the answers are %+v", name, answers)
	}
}

func (w *world) enqueued(want ...string) {
	w.Helper()
	got, err := w.s.ListTriggers(w.ctx, provider.TriggerQuery{Limit: 100})
	w.must(err)
	var names []string
	for _, tr := range got {
		names = append(names, tr.Trigger)
	}
	for i := range want {
		want[i] = "manual-" + want[i]
	}
	if len(names) != len(want) {
		w.Fatalf("enqueued are %v, want %v", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			w.Errorf("enqueued are %v, want %v", names, want)
		}
	}
}

// Whatever kind of transaction an application has, what it enqueues there comes
// and goes with it: with prepared statements, nested in a savepoint, of
// database/sql, and of Transaction with its own return (D34).
func TestEnqueueInTransactionsOfAllKinds(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		no := errors.New("the application thinks better of it")
		app := d.open(t, nil)
		w.must(app.Transaction(func(tx *gorm.DB) error {
			w.enqueueIn(tx, "a")
			inner := tx.Transaction(func(tx *gorm.DB) error { // a savepoint
				w.enqueueIn(tx, "lost")
				return no
			})
			if !errors.Is(inner, no) {
				t.Errorf("the inner transaction answers %v", inner)
			}
			return tx.Transaction(func(tx *gorm.DB) error {
				w.enqueueIn(tx, "b")
				return nil
			})
		}))
		w.enqueued("a", "b")
		if err := app.Transaction(func(tx *gorm.DB) error { w.enqueueIn(tx, "gone"); return no }); !errors.Is(err, no) {
			t.Errorf("the transaction answers %v", err)
		}
		w.enqueued("a", "b")

		prepared := d.open(t, &gorm.Config{PrepareStmt: true})
		for _, name := range []string{"c", "d"} { // the second time the statements are prepared
			w.must(prepared.Transaction(func(tx *gorm.DB) error { w.enqueueIn(tx, name); return nil }))
		}
		w.must(prepared.Transaction(func(tx *gorm.DB) error {
			return tx.Transaction(func(tx *gorm.DB) error { w.enqueueIn(tx, "e"); return nil })
		}))
		w.enqueued("a", "b", "c", "d", "e")

		pool, err := app.DB()
		w.must(err)
		for _, end := range []func(*sql.Tx) error{(*sql.Tx).Rollback, (*sql.Tx).Commit} {
			plain, err := pool.BeginTx(w.ctx, nil)
			w.must(err)
			dialector, err := cloneDialector(app.Dialector, plain)
			w.must(err)
			wrapped, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard, DisableAutomaticPing: true, SkipDefaultTransaction: true})
			w.must(err)
			w.enqueueIn(wrapped, "f")
			w.must(end(plain))
		}
		w.enqueued("a", "b", "c", "d", "e", "f")
	})
}

// What is no running transaction on the store's database is refused, or fails
// without having written anything (D34).
func TestEnqueueInWhatIsNoTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		app := d.open(t, nil)
		failed := d.open(t, nil).Begin()
		defer failed.Rollback()
		_ = failed.AddError(errors.New("an earlier statement failed"))
		elsewhere := openDatabase(t, bareDialector{app.Dialector}, nil)
		for name, tx := range map[string]*gorm.DB{"nil": nil, "zero": {}, "no transaction": app, "prepared, no transaction": d.open(t, &gorm.Config{PrepareStmt: true}), "failed": failed, "session": elsewhere} {
			if _, err := w.s.EnqueuerIn(tx); err == nil {
				t.Errorf("%s: EnqueuerIn accepts it", name)
			}
		}
		ended := app.Begin()
		in, err := w.s.EnqueuerIn(ended)
		w.must(err)
		w.must(ended.Rollback().Error)
		if _, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}}}); !errors.Is(err, provider.ErrStoreUnavailable) {
			t.Errorf("a transaction that has ended: got %v", err)
		}
		w.enqueued()
	})
}

// elsewhere is another database of the same kind, on the same server, which has
// the same tables; on PostgreSQL also another schema of the same database.
func (d testDatabase) elsewhere(t *testing.T) map[string]testDatabase {
	t.Helper()
	if d.name == "sqlite" {
		other := sqliteDatabase(t)
		other.prefix = d.prefix
		return map[string]testDatabase{"file": other}
	}
	admin, name := d.open(t, nil), d.prefix+"elsewhere"
	at := func(dialector gorm.Dialector) testDatabase {
		return testDatabase{name: d.name, prefix: d.prefix, open: func(t testing.TB, config *gorm.Config) *gorm.DB {
			t.Helper()
			return openDatabase(t, dialector, config)
		}}
	}
	run := func(statement string) {
		if err := admin.Exec(statement).Error; err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	run("CREATE DATABASE " + name)
	if d.name != "postgres" {
		t.Cleanup(func() { run("DROP DATABASE " + name) })
		address, _, _ := strings.Cut(mysqlDSN(d.name), "/")
		return map[string]testDatabase{"database": at(mysql.Open(address + "/" + name))}
	}
	t.Cleanup(func() { run("DROP DATABASE " + name + " WITH (FORCE)") })
	run("CREATE SCHEMA " + name)
	t.Cleanup(func() { run("DROP SCHEMA " + name + " CASCADE") })
	u, err := url.Parse(postgresDSN())
	if err != nil || u.Scheme == "" {
		t.Skipf("the DSN is not a URL, so that it cannot be given another database: %v", err)
	}
	schema, query := *u, u.Query()
	query.Set("search_path", name)
	schema.RawQuery = query.Encode()
	u.Path = "/" + name
	return map[string]testDatabase{"database": at(postgres.Open(u.String())), "schema": at(postgres.Open(schema.String()))}
}

// A transaction on another database of the same kind is recognised though it has
// the same tables and the same job: nothing is written there, and the application
// goes on with it. Without any tables there the answer is the same (D34).
func TestEnqueueInAnotherDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		shot := []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}, RunAs: provider.KindManual}}
		for where, other := range d.elsewhere(t) {
			for _, tables := range []bool{false, true} {
				if tables {
					saveJobs(t, other.store(t, Options{}), jobItem("a"))
				}
				app := other.open(t, nil).Begin()
				t.Cleanup(func() { app.Rollback() })
				in, err := w.s.EnqueuerIn(app)
				w.must(err)
				for range 2 {
					_, err := in.Enqueue(w.ctx, shot)
					if e := asContract(t, err); e.Code != provider.CodeStoreUnavailable || !strings.Contains(err.Error(), "on another database") {
						t.Errorf("another %s, tables %v: got %v, want it recognised", where, tables, err)
					}
				}
				w.must(app.Exec("SELECT 1").Error)
				w.must(app.Commit().Error)
				if tables {
					if n := newWorldAround(w, other.bare(t, Options{})).count("SELECT COUNT(*) FROM {{triggers}}"); n != 0 {
						t.Errorf("another %s: %d one-shots were written there", where, n)
					}
				}
			}
		}
		w.enqueued()
	})
}

// newWorldAround is a world of another store that is left as it is.
func newWorldAround(w *world, s *JobStore) *world {
	other := *w
	other.s = s
	return &other
}

// Of the store's own pool nothing is asked; of another pool once per enqueuer, and
// tables that were made anew meanwhile are still the store's.
func TestEnqueueAsksWhereItIs(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		app := d.open(t, nil)
		s, err := NewJobStore(app, Options{TablePrefix: d.prefix})
		if err != nil {
			t.Fatal(err)
		}
		for round := range 2 {
			if err := s.Provision(t.Context(), CreateIfMissing); err != nil {
				t.Fatal(err)
			}
			w := newWorld(t, s)
			w.jobs(false, "a")
			for name, c := range map[string]struct {
				begin *gorm.DB
				asks  bool
			}{
				"own": {app, false}, "own prepared": {app.Session(&gorm.Session{PrepareStmt: true}), false}, "another": {d.open(t, nil), true},
				"own with a resolver": {withResolver(t, app), true},
			} {
				tx := c.begin.Begin()
				w.must(tx.Error)
				in, err := s.EnqueuerIn(tx)
				w.must(err)
				for i := range 2 {
					if known := in.(*joined).known.Load(); known != (i > 0 || !c.asks) {
						t.Errorf("%s, call %d: the place is known %v", name, i, known)
					}
					answers, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: fmt.Sprint("manual-", i)}}})
					if err != nil || answers[0].Err != nil || answers[0].Existed {
						t.Errorf("%s, round %d: got %+v, %v", name, round, answers, err)
					}
				}
				w.must(tx.Rollback().Error)
			}
			for _, table := range s.core.t.plain {
				sqlExec(t, s, "DROP TABLE "+s.core.d.Quote(table))
			}
		}
		if err := s.Provision(t.Context(), CreateIfMissing); err != nil {
			t.Fatal(err)
		}
	})
}

// withResolver is another handle over the same pool, with read replicas, which
// are the database itself.
func withResolver(t *testing.T, app *gorm.DB) *gorm.DB {
	t.Helper()
	dialector, err := cloneDialector(app.Dialector, app.ConnPool)
	if err != nil {
		t.Fatal(err)
	}
	db, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Use(dbresolver.Register(dbresolver.Config{Replicas: []gorm.Dialector{dialector}})); err != nil {
		t.Fatal(err)
	}
	return db
}
