package dialects

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"reflect"
	"strings"
)

// Drivers are never imported: their errors are read through the small methods
// that they have in common, or, where there is none, by the name of a field.

// connectionLost recognises what database/sql, the network and drivers say
// when a connection is gone, on any database.
func connectionLost(err error) bool {
	var network net.Error
	var safe interface{ SafeToRetry() bool } // pgx: nothing was sent
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &network):
		return true
	}
	return errors.As(err, &safe) && safe.SafeToRetry()
}

// classifyPostgres reads the SQLSTATE
// (https://www.postgresql.org/docs/17/errcodes-appendix.html), which pgx and
// lib/pq both offer.
func classifyPostgres(err error) Fault {
	if err == nil {
		return FaultNone
	}
	var coded interface{ SQLState() string }
	if !errors.As(err, &coded) {
		if connectionLost(err) {
			return FaultConnection
		}
		return FaultOther
	}
	switch state := coded.SQLState(); state {
	case "40001", "40P01": // serialization failure, deadlock
		return FaultRetry
	case "55P03": // lock not available: lock_timeout, NOWAIT
		return FaultLockTimeout
	case "23505":
		return FaultDuplicate
	case "0A000": // feature not supported; among others a plan whose table has a new column
		if strings.Contains(err.Error(), "cached plan") {
			return FaultRetry
		}
	case "25006": // read-only transaction: a standby
		return FaultReadOnly
	case "42501": // insufficient privilege
		return FaultDenied
	case "42P01", "42703", "42804", "3F000": // table, column, type, schema
		return FaultSchema
	case "57P01", "57P02", "57P03", "53300", "25P03": // shut down, starting, too many, idle too long
		return FaultConnection
	default:
		if strings.HasPrefix(state, "08") {
			return FaultConnection
		}
	}
	return FaultOther
}

// classifySQLite reads the result code (https://www.sqlite.org/rescode.html):
// the low byte is the primary one, the whole number the extended one.
func classifySQLite(err error) Fault {
	if err == nil {
		return FaultNone
	}
	code, ok := sqliteCode(err)
	if !ok {
		if connectionLost(err) {
			return FaultConnection
		}
		return FaultOther
	}
	switch code {
	case 1555, 2067: // primary key, unique
		return FaultDuplicate
	}
	switch code & 0xff {
	case 5, 6: // busy, locked; 517 is busy because of an old snapshot
		return FaultRetry
	case 8:
		return FaultReadOnly
	case 10, 14: // I/O error, cannot open
		return FaultConnection
	case 1:
		if strings.Contains(err.Error(), "within a transaction") { // an earlier COMMIT left it open
			return FaultRetry
		}
		if text := err.Error(); strings.Contains(text, "no such table") || strings.Contains(text, "no such column") || strings.Contains(text, "has no column") {
			return FaultSchema
		}
	}
	return FaultOther
}

// sqliteCode finds the result code: a method Code() int in glebarez and
// modernc, a field ExtendedCode in mattn's driver.
func sqliteCode(err error) (int, bool) {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code(), true
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		v := reflect.ValueOf(e)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			continue
		}
		if f := v.FieldByName("ExtendedCode"); f.IsValid() && f.CanInt() {
			return int(f.Int()), true
		}
	}
	return 0, false
}
