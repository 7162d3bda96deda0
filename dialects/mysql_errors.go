package dialects

import (
	"errors"
	"reflect"
)

// ErrLockWait marks an error as the end of a statement that was ended because
// it had run as long as it may wait for locks. Wrap the driver's error with it.
var ErrLockWait = errors.New("the statement waited too long for rows that another transaction holds")

// The driver's own words where it has no type or exported value that could be
// asked for without importing it.
const textInvalidConnection = "invalid connection"

// mysqlFaults are the server's error numbers
// (https://dev.mysql.com/doc/mysql-errors/9.1/en/server-error-reference.html,
// https://mariadb.com/kb/en/mariadb-error-code-reference/).
var mysqlFaults = map[int]Fault{
	1213: FaultRetry, // deadlock; also a lost certification of Galera
	1020: FaultRetry, // MariaDB: the record has changed since the snapshot
	3101: FaultRetry, // group replication rolled the transaction back
	1614: FaultRetry, // XA branch: deadlock
	1412: FaultRetry, // the table definition has changed
	1615: FaultRetry, // prepared statement must be prepared anew
	1050: FaultRetry, // table exists: another node created it meanwhile
	1060: FaultRetry, // column exists: likewise
	1061: FaultRetry, // index exists: likewise

	1205: FaultLockTimeout, // innodb_lock_wait_timeout, or MariaDB's NOWAIT
	3572: FaultLockTimeout, // NOWAIT
	3024: FaultLockTimeout, // MAX_EXECUTION_TIME
	1969: FaultLockTimeout, // MariaDB: max_statement_time

	1062: FaultDuplicate,
	1586: FaultDuplicate,
	1022: FaultDuplicate,

	1146: FaultSchema, // table
	1054: FaultSchema, // column
	1049: FaultSchema, // database
	1046: FaultSchema, // no database selected
	1364: FaultSchema, // column without a default that the store does not know
	1176: FaultSchema, // no primary key

	1044: FaultDenied, // on the database
	1142: FaultDenied, // on a table
	1143: FaultDenied, // on a column
	1227: FaultDenied, // of the server
	1370: FaultDenied, // on a routine
	1410: FaultDenied,

	1290: FaultReadOnly, // --read-only
	1836: FaultReadOnly,
	1792: FaultReadOnly,

	1040: FaultConnection, // too many connections
	1203: FaultConnection,
	1047: FaultConnection, // Galera: the node is not ready
	1053: FaultConnection, // server shutdown in progress
	1152: FaultConnection, // aborted connection
	1158: FaultConnection, // network errors
	1159: FaultConnection,
	1160: FaultConnection,
	1161: FaultConnection,
	1927: FaultConnection, // MariaDB: connection was killed
	4031: FaultConnection, // disconnected for inactivity
	2002: FaultConnection, // a proxy passes on what a client library would say
	2003: FaultConnection,
	2006: FaultConnection,
	2013: FaultConnection,
	9001: FaultConnection, // ProxySQL: no server reached in time
}

func classifyMySQL(err error) Fault {
	if err == nil {
		return FaultNone
	}
	if errors.Is(err, ErrLockWait) {
		return FaultLockTimeout
	}
	if number, ok := mysqlNumber(err); ok {
		if fault, known := mysqlFaults[number]; known {
			return fault
		}
		return FaultOther
	}
	if connectionLost(err) || saysInvalidConnection(err) {
		return FaultConnection
	}
	return FaultOther
}

// mysqlNumber finds the server's error number: the field Number of the driver's
// error type.
func mysqlNumber(err error) (int, bool) {
	found := 0
	walk(err, func(e error) bool {
		v := reflect.ValueOf(e)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct || !v.FieldByName("Message").IsValid() {
			return false
		}
		if f := v.FieldByName("Number"); f.IsValid() && f.CanUint() {
			found = int(f.Uint())
		}
		return found != 0
	})
	return found, found != 0
}

// saysInvalidConnection recognises the driver's plain error for a connection
// that broke in the middle of something.
func saysInvalidConnection(err error) bool {
	return walk(err, func(e error) bool { return e.Error() == textInvalidConnection })
}

// walk visits an error and all that it wraps, until visit returns true.
func walk(err error, visit func(error) bool) bool {
	if err == nil {
		return false
	}
	if visit(err) {
		return true
	}
	switch e := err.(type) { //nolint:errorlint // this is what unwraps
	case interface{ Unwrap() error }:
		return walk(e.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if walk(one, visit) {
				return true
			}
		}
	}
	return false
}

// Answered reports whether an error is the server's own answer to a statement,
// so that a commit that failed with it has not taken effect. Where the server
// was interrupted, or does not know itself, it is not.
func Answered(err error) bool {
	var state interface{ SQLState() string }
	var code interface{ Code() int }
	if errors.As(err, &state) {
		return true
	}
	if _, ok := sqlserverNumber(err); ok {
		return true
	}
	if errors.As(err, &code) {
		return code.Code()&0xff != 10 // SQLITE_IOERR: the journal may be complete or not
	}
	switch number, ok := mysqlNumber(err); number {
	case 1180, 1317, 3024, 1969, 1105: // error during COMMIT, interrupted, timed out, unknown
		return false
	default:
		return ok
	}
}
