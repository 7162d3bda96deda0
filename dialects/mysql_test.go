package dialects

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// numbered carries an error number as the driver's error does: in a field.
type numbered struct {
	Number  uint16
	Message string
}

func (e *numbered) Error() string { return e.Message }

// Errors are read by their number, wrapped or not, without the driver (T14, T15).
func TestMySQLFaults(t *testing.T) {
	d := mysql{}
	for number, want := range map[uint16]Fault{
		1213: FaultRetry, 1020: FaultRetry, 3101: FaultRetry, 1205: FaultLockTimeout, 3572: FaultLockTimeout, 3024: FaultLockTimeout, 1969: FaultLockTimeout,
		1062: FaultDuplicate, 1146: FaultSchema, 1290: FaultReadOnly, 1836: FaultReadOnly, 1040: FaultConnection, 1064: FaultOther,
	} {
		err := &numbered{Number: number, Message: "m"}
		for _, e := range []error{err, fmt.Errorf("wrapped: %w", err), errors.Join(errors.New("other"), err)} {
			if got := d.Classify(e); got != want {
				t.Errorf("%d: %v, want %v", number, got, want)
			}
		}
	}
	for _, err := range []error{driver.ErrBadConn, errors.New("invalid connection"), fmt.Errorf("commit: %w", errors.New("invalid connection"))} {
		if got := d.Classify(err); got != FaultConnection || Answered(err) {
			t.Errorf("%v: %v, answered %v; want Connection, false", err, got, Answered(err))
		}
	}
	for number, want := range map[uint16]bool{1213: true, 1062: true, 1317: false, 1180: false, 3024: false} {
		if got := Answered(&numbered{Number: number}); got != want {
			t.Errorf("%d answers a commit: %v, want %v", number, got, want)
		}
	}
	if got := d.Classify(fmt.Errorf("%w: %w", ErrLockWait, driver.ErrBadConn)); got != FaultLockTimeout {
		t.Errorf("a statement given up: %v, want LockTimeout", got)
	}
}

// MariaDB is told from MySQL by the version, which may be too old.
func TestMySQLVersions(t *testing.T) {
	for _, c := range []struct{ name, version, want string }{
		{"mysql", "", "mysql"}, {"mariadb", "", "mariadb"}, {"mysql", "8.0.4", "mysql"}, {"mysql", "9.7.4-2", "mysql"},
		{"mysql", "11.8.9-MariaDB-0+deb13u1 from Debian", "mariadb"}, {"mysql", "5.5.5-10.6.0-MariaDB-log", "mariadb"},
		{"mysql", "8.0.3", "8.0.4"}, {"mysql", "5.7.44-log", "8.0.4"}, {"mysql", "10.5.28-MariaDB", "10.6"}, {"mysql", "8.0.11-TiDB-v7.5.0", "TiDB"},
	} {
		d, err := For(c.name, c.version)
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && d.Name() != c.want {
			t.Errorf("For(%q, %q): %v, %v; want %s", c.name, c.version, d, err, c.want)
		}
	}
}

// Statements that can wait carry their bound, the others are left as they are.
func TestMySQLLimitWait(t *testing.T) {
	for _, c := range []struct {
		d               mysql
		statement, want string
		bounded         bool
	}{
		{mysql{}, "SELECT a FROM t FOR UPDATE OF t", "SELECT /*+ MAX_EXECUTION_TIME(1500) */ a FROM t FOR UPDATE OF t", true},
		{mysql{}, "SELECT a FROM t FOR UPDATE OF t SKIP LOCKED", "SELECT a FROM t FOR UPDATE OF t SKIP LOCKED", true},
		{mysql{}, "SELECT a FROM t", "SELECT a FROM t", true},
		{mysql{}, "INSERT INTO t VALUES (?)", "INSERT INTO t VALUES (?)", false},
		{mysql{maria: true}, "SELECT a FROM t FOR UPDATE", "SELECT a FROM t FOR UPDATE WAIT 2", true},
		{mysql{maria: true}, "INSERT INTO t VALUES (?)", "SET STATEMENT innodb_lock_wait_timeout=2 FOR INSERT INTO t VALUES (?)", true},
		{mysql{maria: true}, "CREATE TABLE t (a int)", "CREATE TABLE t (a int)", true},
	} {
		if got, bounded := c.d.LimitWait(c.statement, 1500*time.Millisecond); got != c.want || bounded != c.bounded {
			t.Errorf("%s: %q, %v; want %q, %v", c.d.Name(), got, bounded, c.want, c.bounded)
		}
	}
}
