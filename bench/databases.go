package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/testcontainers/testcontainers-go"
	tcpostgres "github.com/testcontainers/testcontainers-go/modules/postgres"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/gormsched/gormsched"
)

// postgresImage is what a container is started from.
const postgresImage = "postgres:17"

// database is a database to measure on. What the workloads leave in it is
// dropped when it is closed or used again.
type database struct {
	// kind is "postgres", "mysql", "mariadb" or "sqlite".
	kind, dsn, version string
	// setting says what the server's figures depend on.
	setting string
	close   func()
}

// where are the flags that say which databases to measure on.
type where struct {
	postgres, mysql, mariadb *string
	sqlite                   *bool
}

func whereFlags(flags *flag.FlagSet) where {
	return where{
		postgres: flags.String("postgres", os.Getenv("GORMSCHED_BENCH_POSTGRES_DSN"),
			"a `URL` of PostgreSQL whose tables named scheduler_… and river_… may be dropped; default: a container of "+postgresImage+" with its data in memory; \"none\" leaves it out"),
		mysql:   flags.String("mysql", os.Getenv("GORMSCHED_BENCH_MYSQL_DSN"), "a `DSN` of MySQL, in the words of the Go driver; empty leaves it out"),
		mariadb: flags.String("mariadb", os.Getenv("GORMSCHED_BENCH_MARIADB_DSN"), "a `DSN` of MariaDB; empty leaves it out"),
		sqlite:  flags.Bool("sqlite", true, "measure on SQLite, in a file of the temporary folder"),
	}
}

// find makes the databases that the flags ask for. kinds restricts them.
func (w where) find(ctx context.Context, kinds ...string) ([]*database, error) {
	var list []*database
	for _, kind := range kinds {
		var d *database
		var err error
		switch {
		case kind == "postgres" && *w.postgres == "":
			d, err = startPostgres(ctx)
		case kind == "postgres" && *w.postgres != "none":
			d = &database{kind: kind, dsn: *w.postgres, setting: "the server at hand"}
		case kind == "mysql" && *w.mysql != "":
			d = &database{kind: kind, dsn: *w.mysql, setting: "the server at hand"}
		case kind == "mariadb" && *w.mariadb != "":
			d = &database{kind: kind, dsn: *w.mariadb, setting: "the server at hand"}
		case kind == "sqlite" && *w.sqlite:
			d, err = sqliteFile()
		default:
			continue
		}
		if err == nil {
			err = d.look(ctx)
		}
		if err != nil {
			closeAll(list)
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		list = append(list, d)
	}
	if len(list) == 0 {
		return nil, errors.New("no database is left to measure on: see the flags -postgres and -sqlite")
	}
	return list, nil
}

func closeAll(list []*database) {
	for _, d := range list {
		if d.close != nil {
			d.close()
		}
	}
}

// startPostgres starts a server in a container, with its data in memory, so
// that the machine's disk does not decide.
func startPostgres(ctx context.Context) (d *database, err error) {
	defer func() {
		if cause := recover(); cause != nil { // testcontainers does so where there is no Docker
			err = fmt.Errorf("no Docker: %v: set -postgres to a server, or to none", cause)
		}
	}()
	limited, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	container, err := tcpostgres.Run(limited, postgresImage, tcpostgres.BasicWaitStrategies(), tcpostgres.WithDatabase("gormsched"),
		testcontainers.WithTmpfs(map[string]string{"/var/lib/postgresql/data": "rw"}), testcontainers.WithCmdArgs("-c", "max_connections=200"))
	stop := func() { _ = testcontainers.TerminateContainer(container) }
	if err != nil {
		stop()
		return nil, fmt.Errorf("starting %s: %w: set -postgres to a server, or to none", postgresImage, err)
	}
	dsn, err := container.ConnectionString(ctx, "sslmode=disable")
	return &database{kind: "postgres", dsn: dsn, close: stop, setting: "a container of " + postgresImage + ", data on tmpfs"}, err
}

func sqliteFile() (*database, error) {
	dir, err := os.MkdirTemp("", "gormsched-bench-")
	if err != nil {
		return nil, err
	}
	file := filepath.ToSlash(filepath.Join(dir, "bench.db"))
	return &database{
		kind: "sqlite", dsn: "file:" + file + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)",
		close: func() { os.RemoveAll(dir) }, setting: "a file, WAL, synchronous NORMAL, github.com/glebarez/go-sqlite for all",
	}, nil
}

// look asks the server what it is.
func (d *database) look(ctx context.Context) error {
	pool, err := d.pool(2)
	if err != nil {
		return err
	}
	defer pool.Close()
	query := map[string]string{"postgres": "SHOW server_version", "sqlite": "SELECT sqlite_version()"}[d.kind]
	if query == "" {
		query = "SELECT VERSION()"
	}
	if err := pool.QueryRowContext(ctx, query).Scan(&d.version); err != nil {
		return fmt.Errorf("asking for the version: %w", err)
	}
	if d.kind == "postgres" {
		var commit, sync string
		if err := pool.QueryRowContext(ctx, "SELECT current_setting('synchronous_commit'), current_setting('fsync')").Scan(&commit, &sync); err != nil {
			return err
		}
		d.setting += ", synchronous_commit " + commit + ", fsync " + sync
	}
	return nil
}

func (d *database) driver() string {
	return map[string]string{"postgres": "pgx", "sqlite": "sqlite"}[d.kind]
}

// pool opens a pool of so many connections, all of which it keeps.
func (d *database) pool(connections int) (*sql.DB, error) {
	driver := d.driver()
	if driver == "" {
		driver = "mysql"
	}
	pool, err := sql.Open(driver, d.dsn)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// handle is an application's handle over a pool, counting or not.
func (d *database) handle(pool gorm.ConnPool) (*gorm.DB, error) {
	var dialector gorm.Dialector
	switch d.kind {
	case "postgres":
		dialector = postgres.New(postgres.Config{Conn: pool})
	case "sqlite":
		dialector = &sqlite.Dialector{Conn: pool}
	default:
		dialector = mysql.New(mysql.Config{Conn: pool})
	}
	return gorm.Open(dialector, &gorm.Config{Logger: logger.Discard, DisableAutomaticPing: true})
}

// storeTables are the store's, in an order in which they can be dropped.
var storeTables = []string{"scheduler_runs", "scheduler_triggers", "scheduler_jobs", "scheduler_nodes", "scheduler_leases"}

// fresh drops the store's tables and creates them, with every index.
func (d *database) fresh(ctx context.Context, pool *sql.DB) error {
	for _, table := range storeTables {
		if _, err := pool.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
			return err
		}
	}
	store, err := d.store(pool)
	if err != nil {
		return err
	}
	return store.Provision(ctx, gormsched.CreateIfMissing)
}

func (d *database) store(pool gorm.ConnPool) (*gormsched.JobStore, error) {
	db, err := d.handle(pool)
	if err != nil {
		return nil, err
	}
	return gormsched.NewJobStore(db, gormsched.Options{Logger: quiet})
}

// settle brings the tables into the state in which every round begins:
// statistics are there and what was written before is on its place.
func (d *database) settle(ctx context.Context, pool *sql.DB, tables ...string) error {
	var statements []string
	switch d.kind {
	case "postgres":
		for _, table := range tables {
			statements = append(statements, "VACUUM ANALYZE "+table)
		}
		statements = append(statements, "CHECKPOINT")
	case "sqlite":
		statements = []string{"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"}
	default:
		statements = []string{"ANALYZE TABLE " + strings.Join(tables, ", ")}
	}
	for _, s := range statements {
		if _, err := pool.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// String describes the database.
func (d *database) String() string { return d.kind + " " + d.version + " (" + d.setting + ")" }
