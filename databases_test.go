package gormsched

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// A testDatabase opens handles of the application on one database, each with a
// pool of its own.
type testDatabase struct {
	name string
	// prefix is unique per test, so that tests share one server.
	prefix string
	// file is SQLite's.
	file string
	open func(t testing.TB, config *gorm.Config) *gorm.DB
}

var prefixes atomic.Int64

// newPrefix gives a table prefix that no other test uses, of this process or
// of another one.
func newPrefix() string { return fmt.Sprintf("t%d_%d_", os.Getpid(), prefixes.Add(1)) }

// postgresDSN names the server to test on; empty = none.
func postgresDSN() string { return os.Getenv("GORMSCHED_TEST_POSTGRES_DSN") }

// onEach runs a test on SQLite, unless GORMSCHED_TEST_DATABASES names others
// alone and one of them is there, and on each server that the environment names.
func onEach(t *testing.T, test func(*testing.T, testDatabase)) {
	t.Helper()
	only := os.Getenv("GORMSCHED_TEST_DATABASES")
	if only == "" || slices.Contains(strings.Split(only, ","), "sqlite") || postgresDSN()+mysqlDSN("mysql")+mysqlDSN("mariadb") == "" {
		t.Run("sqlite", func(t *testing.T) { test(t, sqliteDatabase(t)) })
	}
	onNamedServers(t, test)
}

// onNamedServers runs a test on each server that the environment names, and
// answers how many those were.
func onNamedServers(t *testing.T, test func(*testing.T, testDatabase)) (n int) {
	t.Helper()
	for _, server := range []struct {
		name, dsn string
		database  func(testing.TB) testDatabase
	}{
		{"postgres", postgresDSN(), postgresDatabase},
		{"mysql", mysqlDSN("mysql"), mysqlDatabase("mysql")},
		{"mariadb", mysqlDSN("mariadb"), mysqlDatabase("mariadb")},
	} {
		if server.dsn != "" {
			n++
			t.Run(server.name, func(t *testing.T) { test(t, server.database(t)) })
		}
	}
	return n
}

// sqliteDatabase is a file of the test's own.
func sqliteDatabase(t testing.TB) testDatabase {
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "test.db"))
	return testDatabase{name: "sqlite", prefix: newPrefix(), file: file, open: func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		return openDatabase(t, sqlite.Open("file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"), config)
	}}
}

// postgresDatabase drops the tables of its prefix when the test ends.
func postgresDatabase(t testing.TB) testDatabase {
	d := testDatabase{name: "postgres", prefix: newPrefix(), open: func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		return openDatabase(t, postgres.Open(postgresDSN()), config)
	}}
	db := d.open(t, nil)
	t.Cleanup(func() { dropTables(t, db, d.prefix) })
	return d
}

func openDatabase(t testing.TB, dialector gorm.Dialector, config *gorm.Config) *gorm.DB {
	t.Helper()
	if config == nil {
		config = &gorm.Config{}
	}
	if config.Logger == nil {
		config.Logger = logger.Discard
	}
	db, err := gorm.Open(dialector, config)
	if err != nil {
		t.Fatalf("opening the database: %v", err)
	}
	t.Cleanup(func() {
		if pool, err := db.DB(); err == nil {
			pool.Close()
		}
	})
	return db
}

func dropTables(t testing.TB, db *gorm.DB, prefix string) {
	var names []string
	err := db.Raw("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE ?", strings.ReplaceAll(prefix, "_", `\_`)+"%").Scan(&names).Error
	if err != nil {
		t.Errorf("listing the test's tables: %v", err)
	}
	for _, name := range names {
		if err := db.Exec(`DROP TABLE "` + name + `"`).Error; err != nil {
			t.Errorf("dropping %s: %v", name, err)
		}
	}
}

// store makes a provisioned store on a handle of its own.
func (d testDatabase) store(t testing.TB, o Options) *JobStore {
	t.Helper()
	s := d.bare(t, o)
	if err := s.Provision(context.Background(), CreateIfMissing); err != nil {
		t.Fatalf("Provision: %v", err)
	}
	return s
}

// bare makes a store without tables.
func (d testDatabase) bare(t testing.TB, o Options) *JobStore {
	t.Helper()
	if o.TablePrefix == "" {
		o.TablePrefix = d.prefix
	}
	s, err := NewJobStore(d.open(t, nil), o)
	if err != nil {
		t.Fatalf("NewJobStore: %v", err)
	}
	return s
}

// sqlExec runs a statement of the test's own, with {{jobs}} and the like for
// the store's tables.
func sqlExec(t testing.TB, s *JobStore, statement string, args ...any) {
	t.Helper()
	if err := s.core.db.Exec(s.named(statement), args...).Error; err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (s *JobStore) named(statement string) string {
	for i, short := range shortNames {
		statement = strings.ReplaceAll(statement, "{{"+short+"}}", s.core.d.Quote(s.core.t.plain[i]))
	}
	return statement
}

// atOnce runs f n times at once and waits.
func atOnce(n int, f func(int)) {
	done := make(chan struct{})
	for i := range n {
		go func() {
			defer func() { done <- struct{}{} }()
			f(i)
		}()
	}
	for range n {
		<-done
	}
}
