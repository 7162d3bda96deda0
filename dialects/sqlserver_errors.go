package dialects

import (
	"errors"
	"reflect"
)

// sqlserverFaults are the server's error numbers
// (https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors,
// https://learn.microsoft.com/azure/azure-sql/database/troubleshoot-common-errors-issues).
// A negative number is a client library's own word, which a proxy may pass on.
var sqlserverFaults = map[int]Fault{
	1205:  FaultRetry, // chosen as the victim of a deadlock
	1204:  FaultRetry, // no locks left
	3960:  FaultRetry, // snapshot isolation: update conflict
	3961:  FaultRetry, // snapshot isolation: the table was altered
	41301: FaultRetry, // memory-optimised tables: dependency, conflict, validation
	41302: FaultRetry,
	41305: FaultRetry,
	41325: FaultRetry,
	8645:  FaultRetry, // waited too long for memory
	8651:  FaultRetry,
	2714:  FaultRetry, // table exists: another node created it meanwhile
	1913:  FaultRetry, // index exists: likewise
	2705:  FaultRetry, // column exists: likewise

	1222: FaultLockTimeout, // SET LOCK_TIMEOUT, NOWAIT

	2601: FaultDuplicate, // unique index
	2627: FaultDuplicate, // unique or primary key constraint

	208:  FaultSchema, // table
	207:  FaultSchema, // column
	515:  FaultSchema, // a column without a default that the store does not know
	8622: FaultSchema, // no plan under FORCESEEK: an index is missing

	3906: FaultReadOnly, // read-only database, or a secondary replica

	229: FaultDenied, // on an object
	230: FaultDenied, // on a column
	262: FaultDenied, // in the database
	297: FaultDenied,
	300: FaultDenied,
	916: FaultDenied, // the login is no user of the database

	-2:    FaultConnection, // time-out of a client library
	-1:    FaultConnection,
	2:     FaultConnection, // the server was not found
	20:    FaultConnection,
	53:    FaultConnection,
	64:    FaultConnection,
	121:   FaultConnection,
	233:   FaultConnection, // the server closed the connection
	258:   FaultConnection,
	596:   FaultConnection, // the session is being ended
	921:   FaultConnection, // the database is recovering
	976:   FaultConnection, // availability group: the replica takes no connections
	978:   FaultConnection,
	979:   FaultConnection,
	982:   FaultConnection,
	983:   FaultConnection,
	4060:  FaultConnection, // the database cannot be opened
	4221:  FaultConnection, // login to a secondary that waits for versions
	6005:  FaultConnection, // shutdown in progress
	6006:  FaultConnection,
	10053: FaultConnection, // network
	10054: FaultConnection,
	10060: FaultConnection,
	10061: FaultConnection,
	11001: FaultConnection,
	17142: FaultConnection, // paused
	17197: FaultConnection,
	18401: FaultConnection, // upgrade scripts are running
	18451: FaultConnection, // administrators only
	18456: FaultConnection, // login failed; Azure also says so while it fails over
	10928: FaultConnection, // Azure: limits on sessions and workers
	10929: FaultConnection,
	40143: FaultConnection, // Azure: the service failed, is busy, fails over or moves
	40166: FaultConnection,
	40197: FaultConnection,
	40501: FaultConnection,
	40540: FaultConnection,
	40613: FaultConnection,
	42108: FaultConnection, // Azure: the pool is paused or warming up
	42109: FaultConnection,
	49918: FaultConnection, // Azure: not enough resources for the request
	49919: FaultConnection,
	49920: FaultConnection,
}

func classifySQLServer(err error) Fault {
	if err == nil {
		return FaultNone
	}
	if number, ok := sqlserverNumber(err); ok {
		if fault, known := sqlserverFaults[number]; known {
			return fault
		}
		return FaultOther
	}
	if connectionLost(err) || streamBroken(err) {
		return FaultConnection
	}
	return FaultOther
}

// sqlserverNumber finds the server's error number, which the driver's error
// offers by a method.
func sqlserverNumber(err error) (int, bool) {
	var numbered interface{ SQLErrorNumber() int32 }
	if errors.As(err, &numbered) {
		return int(numbered.SQLErrorNumber()), true
	}
	return 0, false
}

// streamBroken recognises the driver's error for an answer that broke off,
// whose cause is in a field.
func streamBroken(err error) bool {
	return walk(err, func(e error) bool {
		v := reflect.ValueOf(e)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return false
		}
		f := v.FieldByName("InnerError")
		if !f.IsValid() || !f.CanInterface() {
			return false
		}
		inner, ok := reflect.TypeAssert[error](f)
		return ok && connectionLost(inner)
	})
}
