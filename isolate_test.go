package gormsched

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/driver/sqlserver"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

// What NewJobStore refuses: each error names what to pass instead (R276, G4).
func TestNewJobStoreRefuses(t *testing.T) {
	d := sqliteDatabase(t)
	failed := d.open(t, nil)
	_ = failed.AddError(errors.New("an earlier query failed"))
	inside := d.open(t, nil).Begin()
	defer inside.Rollback()
	named := func(n schema.Namer) *gorm.DB { return d.open(t, &gorm.Config{NamingStrategy: n}) }
	long := strings.Repeat("p", 60)
	for _, c := range []struct {
		name string
		db   *gorm.DB
		opts Options
		want []string
	}{
		{"nil", nil, Options{}, []string{"db is nil", "gorm.Open"}},
		{"zero value", &gorm.DB{}, Options{}, []string{"never opened", "gorm.Open"}},
		{"failed handle", failed, Options{}, []string{"an earlier query failed", "gorm.Open"}},
		{"transaction", inside, Options{}, []string{"is a transaction", "gorm.Open"}},
		{"dialector that gives nil", d.open(t, nil), Options{Dialector: func(gorm.ConnPool) gorm.Dialector { return nil }}, []string{"Options.Dialector"}},
		{"nil plugin", d.open(t, nil), Options{Plugins: []gorm.Plugin{nil}}, []string{"Options.Plugins"}},
		{"dialector without Conn", openDatabase(t, bareDialector{sqlite.Open(":memory:")}, nil), Options{}, []string{"bareDialector", "Options.Dialector"}},
		{"question mark in a name", d.open(t, nil), Options{TablePrefix: "a?"}, []string{`"a?scheduler_jobs"`, "prefix"}},
		{"schema on SQLite", d.open(t, nil), Options{TablePrefix: "main.x_"}, []string{"PostgreSQL only", "main.x_"}},
		{"long name", d.open(t, nil), Options{TablePrefix: long}, []string{long, "within 63"}},
		{"strategy that names nothing", named(emptyNamer{}), Options{}, []string{"is empty"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewJobStore(c.db, c.opts)
			if err == nil || s != nil {
				t.Fatalf("NewJobStore: got %v, %v, want an error", s, err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error %q does not name %q", err, part)
				}
			}
		})
	}
}

// bareDialector has no Conn field.
type bareDialector struct{ gorm.Dialector }

type emptyNamer struct{ schema.NamingStrategy }

func (emptyNamer) TableName(string) string { return "" }

// foreign is a dialector of another database.
type foreign struct{ *sqlite.Dialector }

func (foreign) Name() string { return "oracle" }

// A database that is not served is refused by its name, before anything is
// asked of it (R276).
func TestNewJobStoreRefusesOtherDatabases(t *testing.T) {
	pool := sqlitePool(t)
	for _, dialector := range []gorm.Dialector{
		mysql.New(mysql.Config{Conn: pool, SkipInitializeWithVersion: true}),
		foreign{&sqlite.Dialector{Conn: pool}},
	} {
		db, err := gorm.Open(dialector, &gorm.Config{DisableAutomaticPing: true, Logger: logger.Discard})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Dialector: func(gorm.ConnPool) gorm.Dialector { return dialector }}
		if _, err = NewJobStore(db, o); err == nil || !strings.Contains(err.Error(), dialector.Name()) {
			t.Errorf("NewJobStore on %s: got %v, want an error that names it", dialector.Name(), err)
		}
	}
}

func sqlitePool(t *testing.T) *sql.DB {
	t.Helper()
	pool, err := sqliteDatabase(t).open(t, nil).DB()
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// The dialector is copied with what it embeds; the application's own keeps its
// pool. mysql writes into its Config while it is initialised.
func TestCloneDialector(t *testing.T) {
	pool := sqlitePool(t)
	pg := postgres.New(postgres.Config{DSN: "app", PreferSimpleProtocol: true})
	my := mysql.New(mysql.Config{DSN: "app"})
	ms := sqlserver.New(sqlserver.Config{DSN: "app"})
	lite := &sqlite.Dialector{DSN: "app"}
	for _, app := range []gorm.Dialector{pg, my, ms, lite, sqlite.Dialector{DSN: "app"}} {
		clone, err := cloneDialector(app, pool)
		if err != nil {
			t.Fatalf("%T: %v", app, err)
		}
		if clone.Name() != app.Name() {
			t.Errorf("%T: the clone is %s", app, clone.Name())
		}
		if got := connOf(t, clone); got != gorm.ConnPool(pool) {
			t.Errorf("%T: the clone's pool is %v", app, got)
		}
		if got := connOf(t, app); got != nil {
			t.Errorf("%T: the application's dialector was changed: Conn %v", app, got)
		}
	}
	if clone, _ := cloneDialector(pg, pool); !clone.(*postgres.Dialector).PreferSimpleProtocol {
		t.Error("the clone lost PreferSimpleProtocol (T23)")
	}
}

func connOf(t *testing.T, d gorm.Dialector) gorm.ConnPool {
	t.Helper()
	switch d := d.(type) {
	case *postgres.Dialector:
		return d.Conn
	case *mysql.Dialector:
		return d.Conn
	case *sqlserver.Dialector:
		return d.Conn
	case *sqlite.Dialector:
		return d.Conn
	case sqlite.Dialector:
		return d.Conn
	}
	t.Fatalf("unexpected dialector %T", d)
	return nil
}

// hostile is an application whose every setting would break a scheduler: T1,
// T10 and T23 (prepared statements, replicas through callbacks), global
// updates, dry run, translated errors, scopes, time limits, small batches.
func hostile(t *testing.T, d testDatabase) (*gorm.DB, *int) {
	t.Helper()
	calls := new(int)
	db := d.open(t, &gorm.Config{
		PrepareStmt: true, AllowGlobalUpdate: true, DryRun: true, TranslateError: true,
		FullSaveAssociations: true, CreateBatchSize: 1, DefaultContextTimeout: time.Nanosecond,
		DefaultTransactionTimeout: time.Nanosecond, PropagateUnscoped: true,
	})
	refuse := func(db *gorm.DB) {
		*calls++
		_ = db.AddError(errors.New("the application's callback ran"))
	}
	c := db.Callback()
	for _, err := range []error{
		c.Create().Before("*").Register("app:refuse", refuse), c.Query().Before("*").Register("app:refuse", refuse),
		c.Update().Before("*").Register("app:refuse", refuse), c.Delete().Before("*").Register("app:refuse", refuse),
		c.Row().Before("*").Register("app:refuse", refuse), c.Raw().Before("*").Register("app:refuse", refuse),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	scoped := db.Scopes(func(db *gorm.DB) *gorm.DB { return db.Where("tenant = ?", 7) }).Where("1 = 0")
	return scoped.Session(&gorm.Session{}), calls
}

// The application's settings do not reach the store, and the store changes
// none of them.
func TestIsolation(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		app, calls := hostile(t, d)
		before := *app.Config
		s, err := NewJobStore(app, Options{TablePrefix: d.prefix})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Provision(ctx, CreateIfMissing); err != nil {
			t.Fatalf("Provision: %v", err)
		}
		if _, err := s.Now(ctx); err != nil {
			t.Errorf("Now: %v", err)
		}
		lease, err := s.Election().TryAcquire(ctx, leaseRequest("x", "t1"))
		if err != nil || !lease.Found {
			t.Errorf("TryAcquire: %v, %v", lease, err)
		}
		if *calls != 0 {
			t.Errorf("the application's callbacks ran %d times", *calls)
		}
		if _, prepared := s.core.db.ConnPool.(*gorm.PreparedStmtDB); prepared {
			t.Error("the store's pool prepares statements (T10, T23)")
		}
		if s.core.db.AllowGlobalUpdate || s.core.db.DryRun || s.core.db.TranslateError || s.core.db.DefaultContextTimeout != 0 {
			t.Errorf("the store's handle has settings of the application: %+v", s.core.db.Config)
		}
		if err := s.core.db.Delete(&Job{}).Error; !errors.Is(err, gorm.ErrMissingWhereClause) {
			t.Errorf("deleting everything: got %v, want it refused", err)
		}
		after := *app.Config
		if before.ConnPool != after.ConnPool || before.Dialector != after.Dialector || !after.DryRun || !after.PrepareStmt {
			t.Error("the application's handle was changed")
		}
	})
}

// The store's sessions have statements of their own: a transaction never
// redirects the root handle (T18).
func TestSessionsDoNotShareTheirStatement(t *testing.T) {
	s := sqliteDatabase(t).store(t, Options{})
	root := s.core.db.Statement.ConnPool
	err := s.core.inTx(context.Background(), "test", txManage, func(tx *tx) error {
		if _, inside := tx.db.Statement.ConnPool.(gorm.TxCommitter); !inside {
			t.Error("the transaction's handle is not inside a transaction")
		}
		if s.core.db.Statement.ConnPool != root || tx.db.Statement == s.core.db.Statement {
			t.Error("the root handle was redirected into the transaction")
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

// Two prefixes are two installations: tables, indexes and rows (T3).
func TestTwoPrefixesInOneDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		one := d.store(t, Options{TablePrefix: d.prefix + "one_"})
		two := d.store(t, Options{TablePrefix: d.prefix + "two_"})
		for _, s := range []*JobStore{one, two} {
			if err := s.Provision(ctx, Validate); err != nil {
				t.Error(err)
			}
		}
		if _, err := one.Election().TryAcquire(ctx, leaseRequest("x", "t1")); err != nil {
			t.Fatal(err)
		}
		if got, err := two.Election().Inspect(ctx, "x"); err != nil || got.Found {
			t.Errorf("the other installation sees the lease: %+v, %v", got, err)
		}
	})
}

// The names follow the application's strategy where no prefix is asked for.
func TestNamesFollowTheStrategy(t *testing.T) {
	d := sqliteDatabase(t)
	for _, c := range []struct {
		name   string
		app    schema.Namer
		prefix string
		table  string
		index  string
	}{
		{"GORM's own", nil, "", "scheduler_jobs", "idx_scheduler_runs_done"},
		{"with a prefix", schema.NamingStrategy{TablePrefix: "app_"}, "", "app_scheduler_jobs", "idx_app_scheduler_runs_done"},
		{"by pointer, singular", &schema.NamingStrategy{TablePrefix: "app_", SingularTable: true}, "", "app_scheduler_job", "idx_app_scheduler_run_done"},
		{"prefix replaced", schema.NamingStrategy{TablePrefix: "app_"}, "jobs_", "jobs_scheduler_jobs", "idx_jobs_scheduler_runs_done"},
		{"the application's own strategy", shouting{}, "x_", "x_SCHEDULERJOB", "idx_x_SCHEDULERRUN_done"},
		{"long", nil, strings.Repeat("p", 45), strings.Repeat("p", 45) + "scheduler_jobs", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewJobStore(d.open(t, &gorm.Config{NamingStrategy: c.app}), Options{TablePrefix: c.prefix})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.core.t.plain[0]; got != c.table {
				t.Errorf("the job table is %q, want %q", got, c.table)
			}
			index := s.core.db.NamingStrategy.IndexName(s.core.t.plain[2], "done")
			if c.index != "" && index != c.index {
				t.Errorf("the index is %q, want %q", index, c.index)
			}
			if len(index) > identifierMax {
				t.Errorf("the index name %q is %d bytes long", index, len(index))
			}
		})
	}
}

type shouting struct{ schema.NamingStrategy }

func (shouting) TableName(model string) string { return strings.ToUpper(model) }

// What is logged names statements and never values: they may be job data.
func TestLogsHaveNoValues(t *testing.T) {
	const secret = "rather-private"
	var own, app bytes.Buffer
	for _, c := range []struct {
		name string
		out  *bytes.Buffer
		opts Options
	}{
		{"own logger", &own, Options{Logger: slog.New(slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelDebug}))}},
		{"the application's", &app, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sqliteDatabase(t)
			c.opts.TablePrefix = d.prefix
			db := d.open(t, &gorm.Config{Logger: logger.NewSlogLogger(slog.New(slog.NewTextHandler(&app, nil)), logger.Config{LogLevel: logger.Info})})
			s, err := NewJobStore(db, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Provision(context.Background(), CreateIfMissing); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second one is a conflict: it must not be an alarm
				_, _ = s.Election().TryAcquire(context.Background(), leaseRequest("x", secret))
			}
			text := c.out.String()
			if !strings.Contains(text, "scheduler_leases") {
				t.Fatalf("no statement was logged: %q", text)
			}
			if strings.Contains(text, secret) {
				t.Error("a value was logged")
			}
			if strings.Contains(text, "ERROR") {
				t.Error("an expected outcome was logged as an error")
			}
		})
	}
}

// Options.Dialector serves dialectors without Conn, Options.Plugins are
// installed on the store's handle only.
func TestOwnDialectorAndPlugins(t *testing.T) {
	app := openDatabase(t, bareDialector{sqlite.Open(sqliteFile(t))}, nil)
	p := &countingPlugin{}
	s, err := NewJobStore(app, Options{
		Dialector: func(pool gorm.ConnPool) gorm.Dialector { return &sqlite.Dialector{Conn: pool} },
		Plugins:   []gorm.Plugin{p},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Provision(context.Background(), CreateIfMissing); err != nil {
		t.Fatal(err)
	}
	if p.statements == 0 {
		t.Error("the plugin saw none of the store's statements")
	}
	if len(app.Config.Plugins) != 0 {
		t.Error("the plugin was installed on the application's handle")
	}
}

func sqliteFile(t *testing.T) string { return "file:" + t.TempDir() + "/own.db" }

type countingPlugin struct{ statements int }

func (*countingPlugin) Name() string { return "counting" }

func (p *countingPlugin) Initialize(db *gorm.DB) error {
	count := func(*gorm.DB) { p.statements++ }
	return errors.Join(db.Callback().Raw().Before("*").Register("counting", count), db.Callback().Row().Before("*").Register("counting", count))
}
