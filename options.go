package gormsched

import (
	"log/slog"
	"time"

	"gorm.io/gorm"
)

// Options configure a [JobStore]. The zero value is right for production.
type Options struct {
	// Now replaces the database's clock, for tests. nil = the database
	// decides what is due, expired or stale (D26), which is what every node of
	// a cluster should use. It must be safe for concurrent use; its instants
	// are cut to microseconds.
	Now func() time.Time

	// TablePrefix replaces the prefix of the application's naming strategy for
	// the five tables and their indexes. "" = the application's own strategy,
	// unchanged. On PostgreSQL "schema.prefix_" names a schema too; elsewhere a
	// schema is chosen by the connection.
	TablePrefix string

	// Dialector builds the dialector for the application's connection pool.
	// nil = the application's dialector is copied, which works for the drivers
	// of gorm.io and glebarez/sqlite. Needed for a dialector that has no
	// exported Conn field.
	Dialector func(gorm.ConnPool) gorm.Dialector

	// Plugins are installed on the store's own handle, for example tracing.
	// The application's plugins and callbacks do not reach the store.
	Plugins []gorm.Plugin

	// Logger receives the store's messages and, at debug level, its
	// statements. nil = the messages go to [slog.Default] and the statements
	// to the application's GORM logger. Values, which may be job data, are
	// left out of statements either way.
	Logger *slog.Logger

	// Optimistic makes the store answer that it has no locking claim
	// ([provider.Info].Claims false), so that the engine takes the way acquire,
	// begin, complete (R027–R032). Both ways give the same runs.
	Optimistic bool
}
