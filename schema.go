package gormsched

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched/dialects"
)

// ProvisionMode says what [JobStore.Provision] may do to the schema.
type ProvisionMode int

// The modes.
const (
	// Validate changes nothing: it compares the catalogue with what the store
	// needs.
	Validate ProvisionMode = iota
	// CreateIfMissing creates the tables and indexes that are missing. It
	// never alters or drops anything; if something that exists differs, it
	// creates nothing. It is safe when all nodes start at once: they take
	// turns, and all but the first find that nothing is missing.
	CreateIfMissing
	// AutoMigrate lets GORM create and alter (R094). For development and
	// tests: it rewrites columns, and on SQLite whole tables. Nodes take
	// turns here too. It never changes an index that exists.
	AutoMigrate
)

// Provision makes sure that the five tables are there and as this version
// needs them (R094). Call it once before the first use, on every node.
//
// A schema that differs is a [*SchemaError], which names each difference and
// the statement that mends it. Columns and tables beyond those needed are no
// difference, as long as an insert can leave the columns out: a newer version
// may have added them. Other errors match [provider.ErrStoreUnavailable].
// Settings that work but cost, such as a missing busy timeout, are logged.
func (s *JobStore) Provision(ctx context.Context, mode ProvisionMode) error {
	c := s.core
	if mode < Validate || mode > AutoMigrate {
		return fmt.Errorf("gormsched: provision mode %d is unknown: use Validate, CreateIfMissing or AutoMigrate", mode)
	}
	problems, err := c.validate(ctx)
	if err != nil {
		return err
	}
	if mode != Validate && len(problems) > 0 {
		problems, err = c.provision(ctx, mode, problems)
		if err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return &SchemaError{Problems: problems}
	}
	if err := c.advice(ctx); err != nil {
		return err
	}
	return c.checkMemory(ctx)
}

// validate compares without a transaction; each table is read by statements of
// its own.
func (c *core) validate(ctx context.Context) ([]SchemaProblem, error) {
	var problems []SchemaProblem
	err := c.inTx(ctx, "reading the schema", txRead, func(t *tx) (err error) {
		problems, err = t.compare()
		return err
	}, nil)
	return problems, err
}

// provision changes the schema in one transaction, under a lock where there is
// one, and answers what still differs. Where a node stops in the middle nothing
// has changed, or, on MySQL and MariaDB, whose DDL commits by itself, the rest is
// missing and the next call creates it. Repeating it is safe.
func (c *core) provision(ctx context.Context, mode ProvisionMode, problems []SchemaProblem) ([]SchemaProblem, error) {
	if mode == CreateIfMissing && !creatable(problems) || slices.ContainsFunc(problems, SchemaProblem.ofServer) {
		return problems, nil
	}
	err := c.inTx(ctx, "changing the schema", txSchema, func(t *tx) (err error) {
		if lock := t.c.inspector().SchemaLock(strings.Join(c.t.plain[:], " ")); lock.SQL != "" {
			if _, err := t.exec(lock.SQL, lock.Args...); err != nil {
				return err
			}
		}
		if mode == AutoMigrate {
			err = t.autoMigrate()
		} else {
			err = t.create()
		}
		if err != nil {
			return err
		}
		problems, err = t.compare()
		return err
	}, nil)
	return problems, err
}

// create creates what is missing now that nobody else changes the schema, or
// that whoever does makes a statement fail that is then judged anew.
func (t *tx) create() error {
	problems, err := t.compare()
	if err != nil || !creatable(problems) {
		return err
	}
	for _, p := range problems {
		for _, statement := range p.Mend {
			if _, err := t.exec(statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// creatable reports whether everything that differs is only missing.
func creatable(problems []SchemaProblem) bool {
	return !slices.ContainsFunc(problems, func(p SchemaProblem) bool { return !p.create })
}

// autoMigrate lets GORM create and alter.
func (t *tx) autoMigrate() error {
	db := t.db
	if o, ok := t.c.d.(interface{ TableOptions() string }); ok {
		db = db.Set("gorm:table_options", o.TableOptions())
	}
	return db.AutoMigrate(Models()...)
}

// advice logs settings that cost.
func (c *core) advice(ctx context.Context) error {
	return c.inTx(ctx, "reading the server's settings", txRead, func(t *tx) error {
		_, warnings, err := c.inspector().Advice(t.querier())
		for _, w := range warnings {
			c.log.WarnContext(ctx, "gormsched: "+w, slog.String("database", c.d.Name()))
		}
		return err
	}, nil)
}

// checkMemory finds out whether each connection of the pool has a database of
// its own, as :memory: gives: then the tables are gone on every other one.
func (c *core) checkMemory(ctx context.Context) error {
	if !c.d.SingleWriter() || c.poolSize() == 1 {
		return nil
	}
	apart := false
	err := c.inTx(ctx, "reading the database list", txRead, func(t *tx) error {
		return t.query(func(rows rowScanner) error {
			var file string
			if err := rows.Scan(&file); err != nil || file != "" {
				return err
			}
			// The first connection is busy with this row; the next statement
			// goes to another one.
			var n int
			fault := t.query(func(rows rowScanner) error { return rows.Scan(&n) }, "SELECT count(*) FROM "+c.t.leases)
			apart = c.d.Classify(fault) == dialects.FaultSchema
			return nil
		}, "SELECT COALESCE(file, '') FROM pragma_database_list WHERE name = 'main'")
	}, nil)
	if err == nil && apart {
		return fmt.Errorf("gormsched: each connection to this SQLite database has a memory of its own, so the tables exist on one of them only: use a file, or file:name?mode=memory&cache=shared, or SetMaxOpenConns(1)")
	}
	return err
}

// poolSize is the greatest number of connections; 0 = no limit, or unknown.
func (c *core) poolSize() int {
	if db, err := c.db.DB(); err == nil {
		return db.Stats().MaxOpenConnections
	}
	return 0
}

// SchemaVersion is the newest version of the schema, which this version of the
// store needs.
const SchemaVersion = dialects.SchemaVersion

// SchemaSQL gives the script that leads from one version of the schema to a
// later one, under the store's own names; see the function of the same name.
func (s *JobStore) SchemaSQL(from, to int) (string, error) {
	return SchemaSQL(s.core.d.Name(), from, to, s.core.db.NamingStrategy)
}

// SchemaSQL gives the script that leads from one version of the schema to a
// later one, for goose, golang-migrate, Atlas or a person. Version 0 is a
// database without the tables, [SchemaVersion] the newest; equal ones give an
// empty script. It may be run again.
//
// dialect is "postgres", "mysql", "mariadb", "sqlserver" or "sqlite". The names
// are those that the naming strategy gives; nil is GORM's own,
// schema.NamingStrategy{TablePrefix: "app_"} one with a prefix. An error names
// the database or the versions that are not there.
func SchemaSQL(dialect string, from, to int, n schema.Namer) (string, error) {
	if n == nil {
		n = schema.NamingStrategy{}
	}
	d, err := dialects.For(dialect, "")
	if err != nil {
		return "", fmt.Errorf("gormsched.SchemaSQL: %w", err)
	}
	n = namer(n, "")
	script, err := dialects.SchemaScript(dialect, from, to, func(name string) string { return scriptName(d, n, name) })
	if err != nil {
		return "", fmt.Errorf("gormsched.SchemaSQL: %w", err)
	}
	return script, nil
}

// scriptName gives a name of the script, "jobs" or "runs.done", quoted.
func scriptName(d dialects.Dialect, n schema.Namer, name string) string {
	table, index, isIndex := strings.Cut(name, ".")
	plain := ""
	for i, short := range shortNames {
		if short == table {
			plain = Models()[i].(schema.TablerWithNamer).TableName(n)
		}
	}
	if isIndex {
		return d.Quote(n.IndexName(plain, index))
	}
	return d.Quote(plain)
}

// shortNames name the tables in the order of [Models].
var shortNames = [5]string{"jobs", "triggers", "runs", "nodes", "leases"}
