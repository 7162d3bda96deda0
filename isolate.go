package gormsched

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// identifierMax is the longest identifier, in bytes, that PostgreSQL does not
// cut. It holds on every database, so that names are the same everywhere.
const identifierMax = 63

// isolate opens a *gorm.DB of the store's own over the application's connection
// pool. It shares the pool, the naming strategy and the logger, and nothing
// else: a session of the application's handle cannot switch off its callbacks,
// scopes, prepared-statement cache, replicas, dry run, translated errors or
// permission for global updates, and each of these breaks a scheduler.
//
// The application's handle is not changed. No statement is sent but the
// dialector's own question for its version, where it has one.
func isolate(app *gorm.DB, o Options) (*gorm.DB, error) {
	pool, err := rawPool(app)
	if err != nil {
		return nil, err
	}
	var dialector gorm.Dialector
	if o.Dialector != nil {
		if dialector = o.Dialector(pool); dialector == nil {
			return nil, errors.New("Options.Dialector gave nil: return a dialector over the pool that it is handed")
		}
	} else if dialector, err = cloneDialector(app.Dialector, pool); err != nil {
		return nil, err
	}
	db, err := gorm.Open(dialector, &gorm.Config{
		NamingStrategy:                           namer(app.NamingStrategy, o.TablePrefix),
		SkipDefaultTransaction:                   true,
		DisableAutomaticPing:                     true,
		QueryFields:                              true,
		DisableForeignKeyConstraintWhenMigrating: true,
		Logger:                                   statementLog(app.Logger, o.Logger),
	})
	if err != nil {
		return nil, fmt.Errorf("opening the store's handle over the application's pool: %w", err)
	}
	for _, p := range o.Plugins {
		if p == nil {
			return nil, errors.New("Options.Plugins holds nil: leave it out")
		}
		if err := db.Use(p); err != nil {
			return nil, fmt.Errorf("Options.Plugins: installing %q: %w", p.Name(), err)
		}
	}
	return db, nil
}

// rawPool finds the application's connection pool below GORM's wrappers.
func rawPool(app *gorm.DB) (gorm.ConnPool, error) {
	switch {
	case app == nil || app.Config == nil || app.Dialector == nil:
		return nil, errors.New("db is nil or was never opened: pass the *gorm.DB that gorm.Open returned")
	case app.Error != nil:
		return nil, fmt.Errorf("db carries an earlier error: pass the handle that gorm.Open returned, not the result of a query: %w", app.Error)
	case app.ConnPool == nil:
		return nil, errors.New("db has no connection pool: pass the *gorm.DB that gorm.Open returned")
	}
	if app.Statement != nil {
		if _, inside := app.Statement.ConnPool.(gorm.TxCommitter); inside {
			return nil, errors.New("db is a transaction: pass the *gorm.DB that gorm.Open returned, the store opens its own transactions")
		}
	}
	pool := app.ConnPool
	for {
		p, ok := pool.(*gorm.PreparedStmtDB)
		if !ok || p.ConnPool == nil {
			break
		}
		pool = p.ConnPool
	}
	if _, inside := pool.(gorm.TxCommitter); inside {
		return nil, errors.New("db is a transaction: pass the *gorm.DB that gorm.Open returned, the store opens its own transactions")
	}
	return pool, nil
}

// cloneDialector copies a dialector and sets the copy's Conn to the pool. Conn
// is a field of the dialector itself or of a struct that it embeds, by pointer
// or not; what is embedded by pointer is copied too, because a dialector may
// write into it.
func cloneDialector(d gorm.Dialector, pool gorm.ConnPool) (gorm.Dialector, error) {
	original := reflect.ValueOf(d)
	isPointer := original.Kind() == reflect.Pointer
	if isPointer {
		original = original.Elem()
	}
	if original.Kind() == reflect.Struct {
		copied := reflect.New(original.Type())
		copied.Elem().Set(original)
		if setConn(copied.Elem(), pool) {
			if !isPointer {
				copied = copied.Elem()
			}
			if clone, ok := reflect.TypeAssert[gorm.Dialector](copied); ok {
				return clone, nil
			}
		}
	}
	return nil, fmt.Errorf("the dialector %T has no exported Conn field to be copied with: set Options.Dialector to a function that builds one over a pool", d)
}

// setConn sets the Conn field of a struct, or of a struct embedded in it.
func setConn(v reflect.Value, pool gorm.ConnPool) bool {
	poolType := reflect.TypeFor[gorm.ConnPool]()
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case !f.CanSet():
		case v.Type().Field(i).Name == "Conn" && f.Type() == poolType:
			f.Set(reflect.ValueOf(pool))
			return true
		case v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct:
			if setConn(f, pool) {
				return true
			}
		case v.Type().Field(i).Anonymous && f.Kind() == reflect.Pointer && f.Type().Elem().Kind() == reflect.Struct && !f.IsNil():
			inner := reflect.New(f.Type().Elem())
			inner.Elem().Set(f.Elem())
			if setConn(inner.Elem(), pool) {
				f.Set(inner)
				return true
			}
		}
	}
	return false
}

// namer is the application's naming strategy, with the prefix in place of its
// own where one is asked for, and with identifiers of the same greatest length
// everywhere.
func namer(app schema.Namer, prefix string) schema.Namer {
	var s schema.NamingStrategy
	switch n := app.(type) {
	case nil:
	case schema.NamingStrategy:
		s = n
	case *schema.NamingStrategy:
		s = *n
	default:
		if prefix == "" {
			return n
		}
		return prefixed{Namer: n, prefix: prefix}
	}
	s.IdentifierMaxLength = identifierMax
	if prefix != "" {
		s.TablePrefix = prefix
	}
	return s
}

// prefixed puts a prefix before the table names of a naming strategy that is
// not GORM's own.
type prefixed struct {
	schema.Namer
	prefix string
}

func (p prefixed) TableName(model string) string { return p.prefix + p.Namer.TableName(model) }

// tableNames are the five tables. The quoted forms are ready for a statement.
type tableNames struct {
	jobs, triggers, runs, nodes, leases string
	// plain are the unquoted names in the order of [Models].
	plain [5]string
}

// tablesOf reads the names that the naming strategy gives, and refuses those
// that a statement could not carry.
func tablesOf(db *gorm.DB, quote func(string) string) (tableNames, error) {
	n := db.NamingStrategy
	var t tableNames
	for i, model := range Models() {
		name := model.(schema.TablerWithNamer).TableName(n)
		if err := checkTableName(db.Name(), name); err != nil {
			return t, err
		}
		t.plain[i] = name
	}
	for i, quoted := range []*string{&t.jobs, &t.triggers, &t.runs, &t.nodes, &t.leases} {
		*quoted = quote(t.plain[i])
	}
	return t, nil
}

func checkTableName(dialect, name string) error {
	schemaName, table, qualified := strings.Cut(name, ".")
	if !qualified {
		table, schemaName = name, ""
	}
	switch {
	case strings.ContainsAny(name, "\"`[]?@'\\\x00"):
		return fmt.Errorf("table name %q: quotes, brackets, backslash, ? and @ cannot stand in it: choose another prefix", name)
	case qualified && dialect != "postgres":
		return fmt.Errorf("table name %q: a schema before the name works on PostgreSQL only: choose the schema by the connection and a prefix without a dot", name)
	case qualified && (schemaName == "" || strings.Contains(table, ".")):
		return fmt.Errorf("table name %q: write at most one schema, as in \"schema.prefix_\"", name)
	case table == "":
		return fmt.Errorf("table name %q is empty: the naming strategy must name every model", name)
	case len(table) > identifierMax:
		return fmt.Errorf("table name %q is %d bytes long: use a prefix that keeps it within %d", name, len(table), identifierMax)
	}
	return nil
}
