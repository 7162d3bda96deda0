// Package gormsched keeps a cluster's scheduler in the database that the
// application already uses through GORM. It implements the storage contract of
// [github.com/gormsched/gormsched/scheduling/provider] and the leader election
// on five tables; the scheduler itself is package scheduling.
//
//	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
//	store, err := gormsched.NewJobStore(db, gormsched.Options{})
//	err = store.Provision(ctx, gormsched.CreateIfMissing)
//	s, err := scheduling.New(store, scheduling.Options{})
//
// # Which databases
//
// PostgreSQL 13 and later, and SQLite 3.38 and later. The database is chosen
// by the name of the application's dialector; no driver is imported here, so
// that the application's choice of driver and version is the only one in its
// binary. Any other database is an error of [NewJobStore].
//
// # The application's handle
//
// The store works on a handle of its own over the application's connection
// pool, with its naming strategy and logger. Callbacks, plugins, scopes, prepared
// statements, read replicas, dry runs, translated errors, default timeouts and
// permission for global updates of the application's handle have no effect on
// it, and nothing of the application's handle is changed. With
// [Options].TablePrefix several schedulers share one database.
//
// # Transactions
//
// Each operation is one transaction of the store's own at READ COMMITTED, or a
// single reading statement; it has taken effect when it returns without an
// error, and never joins a transaction of the application. The one exception is
// offered beside it: [JobStore.EnqueuerIn] enqueues inside the application's.
//
// A transaction takes at most ten seconds, its repetitions included. Deadlocks,
// serialization failures and a busy database are repeated with jitter. A commit
// whose answer is lost is found out, never repeated blindly; where that fails
// too the error matches provider.ErrOutcomeUnknown. Dispatching never waits for
// a row that another transaction holds; management calls wait at most five
// seconds and then report contention. On PostgreSQL the session of a process
// that stops inside a transaction is ended after ten seconds, which frees what
// it had locked; no session setting outlives its transaction. SQLite has one
// writer at a time: a process that stops inside a transaction stops the others
// until it ends, and an application's own long write transaction does so too.
//
// # Time
//
// The database's clock decides what is due, expired or stale. Instants are
// stored as UTC microseconds since the epoch in 64-bit integers, so that no
// driver, session or connection setting can shift or round them.
//
// # Schema
//
// [JobStore.Provision] compares the tables with what this version needs and
// names every difference with the statement that mends it, creates what is
// missing, or lets GORM migrate in development. [SchemaSQL] gives the script
// for a migration tool or a person, [Models] the models. Later versions only
// add, and statements name their columns, so that nodes of two versions can
// share one schema during a deployment.
package gormsched
