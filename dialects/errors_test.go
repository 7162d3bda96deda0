package dialects

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
)

type stateError struct{ state, text string }

func (e stateError) Error() string    { return e.text + " (SQLSTATE " + e.state + ")" }
func (e stateError) SQLState() string { return e.state }

type codeError int

func (e codeError) Error() string { return fmt.Sprintf("no such table: x (%d)", int(e)) }
func (e codeError) Code() int     { return int(e) }

// fieldError is like mattn's error: no method, only fields.
type fieldError struct{ ExtendedCode int }

func (e fieldError) Error() string { return "sqlite" }

type unsent struct{}

func (unsent) Error() string     { return "conn closed" }
func (unsent) SafeToRetry() bool { return true }

// What each error means is read from codes, through any wrapping (R022).
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		d    Dialect
		err  error
		want Fault
	}{
		{postgres{}, nil, FaultNone},
		{postgres{}, errors.New("x"), FaultOther},
		{postgres{}, stateError{"40001", "serialization"}, FaultRetry},
		{postgres{}, stateError{"40P01", "deadlock"}, FaultRetry},
		{postgres{}, stateError{"55P03", "lock timeout"}, FaultLockTimeout},
		{postgres{}, stateError{"23505", "duplicate"}, FaultDuplicate},
		{postgres{}, stateError{"0A000", "cached plan must not change result type"}, FaultRetry},
		{postgres{}, stateError{"0A000", "not supported"}, FaultOther},
		{postgres{}, stateError{"25006", "read only"}, FaultReadOnly},
		{postgres{}, stateError{"42P01", "no table"}, FaultSchema},
		{postgres{}, stateError{"57P01", "shutting down"}, FaultConnection},
		{postgres{}, stateError{"25P03", "idle in transaction"}, FaultConnection},
		{postgres{}, stateError{"08006", "connection failure"}, FaultConnection},
		{postgres{}, stateError{"22001", "too long"}, FaultOther},
		{postgres{}, unsent{}, FaultConnection},
		{postgres{}, driver.ErrBadConn, FaultConnection},
		{postgres{}, io.ErrUnexpectedEOF, FaultConnection},
		{postgres{}, &net.OpError{Op: "read", Err: errors.New("reset")}, FaultConnection},
		{postgres{}, context.Canceled, FaultOther},
		{postgres{}, context.DeadlineExceeded, FaultOther},
		{sqlite{}, codeError(5), FaultRetry},
		{sqlite{}, codeError(6), FaultRetry},
		{sqlite{}, codeError(517), FaultRetry},
		{sqlite{}, codeError(1555), FaultDuplicate},
		{sqlite{}, codeError(2067), FaultDuplicate},
		{sqlite{}, codeError(19), FaultOther},
		{sqlite{}, codeError(8), FaultReadOnly},
		{sqlite{}, codeError(14), FaultConnection},
		{sqlite{}, codeError(1), FaultSchema},
		{sqlite{}, fieldError{2067}, FaultDuplicate},
		{sqlite{}, &fieldError{517}, FaultRetry},
		{sqlite{}, driver.ErrBadConn, FaultConnection},
		{sqlite{}, errors.New("x"), FaultOther},
	} {
		for _, err := range []error{c.err, fmt.Errorf("wrapped: %w", c.err)} {
			if c.err == nil && err != nil {
				continue
			}
			if got := c.d.Classify(err); got != c.want {
				t.Errorf("%s classifies %v as %v, want %v", c.d.Name(), err, got, c.want)
			}
		}
	}
}
