package dialects

import (
	"database/sql"
	"fmt"
)

// Dialect is one database. Values are immutable and safe for concurrent use.
//
// Names of tables are passed quoted (see Quote); names of columns are passed
// bare, and the methods quote them. In every statement the target table has
// the alias t and a row source the alias v.
type Dialect interface {
	// Name names the database: "postgres", "sqlite", "mysql", "mariadb",
	// "sqlserver".
	Name() string

	// Quote quotes an identifier; a dot separates a schema from a table.
	Quote(ident string) string

	// ColumnType gives the type of a column in DDL, without nullability.
	ColumnType(t Type) string

	// NowMicros is an expression for the database's clock in UTC microseconds
	// since the epoch (D31). Within one statement it has one value, and an
	// index may be searched with it.
	NowMicros() string

	// Bound is a placeholder for a value whose type a statement does not tell
	// otherwise.
	Bound(t Type) string

	// Isolation is the level of every transaction: READ COMMITTED, or the
	// default where the database has only one.
	Isolation() sql.IsolationLevel

	// SingleWriter says that one transaction at a time can write, so that
	// rows need no locks once the transaction has begun with a write.
	SingleWriter() bool

	// Lock gives what makes a SELECT lock the rows of a table: a hint that
	// follows the table's alias, and a suffix that ends the statement. Both
	// are empty where SingleWriter is true.
	Lock(mode LockMode, alias string) (hint, suffix string)

	// Limit gives what restricts a SELECT to n rows: a head that follows the
	// word SELECT at once, and a tail that follows ORDER BY. n is written into the
	// text: a bound limit makes planners guess.
	Limit(n int) (head, tail string)

	// In renders "expr is one of values" with one parameter; no values give a
	// condition that is never true. NotIn renders the opposite; no values
	// give a condition that is always true. expr must not be NULL in rows
	// that matter to NotIn.
	In(expr string, t Type, values []any) (Statement, error)
	NotIn(expr string, t Type, values []any) (Statement, error)

	// Source renders rows as a table expression "… AS alias" for FROM or
	// JOIN; columns are reached as alias.name. See [Column] for values.
	Source(alias string, cols []Column, rows [][]any) (Statement, error)

	// InsertsAbsent says that Insert.Absent, Insert.Returning and InsertSelect
	// are there. Where it is false an insert of a key that is taken fails as a
	// whole, with FaultDuplicate, and leaves the transaction usable.
	InsertsAbsent() bool

	// Insert, InsertSelect, Update, Delete and First build statements over
	// many rows; see their arguments.
	Insert(Insert) (Statement, error)
	InsertSelect(InsertSelect) (Statement, error)
	Update(Update) (Statement, error)
	Delete(Delete) (Statement, error)
	First(First) (Statement, error)

	// Classify says what an error means for the transaction that met it.
	Classify(err error) Fault
}

// LockMode is how a SELECT locks rows.
type LockMode uint8

// The lock modes.
const (
	// LockSkip locks for update and leaves out rows that another transaction
	// holds. It never waits.
	LockSkip LockMode = iota + 1
	// LockWait locks for update and waits for rows that are held. The
	// statement must be ordered by the primary key (D23). Like LockSkip, it is
	// for rows that are named by their keys.
	LockWait
	// LockShareSkip keeps others from locking for update, but not from sharing,
	// and leaves out rows that are held for update. It never waits.
	LockShareSkip
	// LockKeepSkip keeps others from [LockAlone] and from deleting, and leaves
	// out rows that are held so. Where the database knows no weaker lock than a
	// share (MySQL, MariaDB, SQL Server), it is LockShareSkip.
	LockKeepSkip
	// LockSkipFound is LockSkip for a read that finds its rows by another
	// index than that of the primary key, and so must not be told to go by it.
	LockSkipFound
	// LockWaitFound is LockWait likewise; the order of the locks is then the
	// index's.
	LockWaitFound
	// LockAlone is LockWait that waits for those who share the row, too, on
	// every database.
	LockAlone
)

// Statement is a piece of SQL with its arguments, in the order of its
// placeholders.
type Statement struct {
	SQL  string
	Args []any
}

// For finds the dialect of a dialector by its name, and the server's version
// as the driver reports it; "" = unknown, taken to be one that is supported.
// MariaDB, whose dialector is called "mysql", is told by its version, or by the
// name "mariadb". A version that is too old is an error.
func For(name, version string) (Dialect, error) {
	switch name {
	case "postgres":
		return postgres{}, nil
	case "sqlite":
		return sqlite{}, nil
	case "mysql", "mariadb":
		return newMySQL(name == "mariadb", version)
	case "sqlserver":
		return sqlserver{}, nil
	}
	return nil, fmt.Errorf("dialect %q is not supported: open the database with gorm.io/driver/postgres, gorm.io/driver/mysql (MySQL, MariaDB), gorm.io/driver/sqlserver or github.com/glebarez/sqlite", name)
}
