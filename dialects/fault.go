package dialects

// Fault says what an error of the database means.
type Fault uint8

// The faults.
const (
	// FaultNone: there is no error.
	FaultNone Fault = iota
	// FaultOther is none of those below; repeating does not help.
	FaultOther
	// FaultRetry: the transaction lost against another one (deadlock,
	// serialization, busy) or met a plan that is out of date. It has not taken
	// effect; the whole of it may be repeated.
	FaultRetry
	// FaultLockTimeout: a lock was waited for as long as allowed.
	FaultLockTimeout
	// FaultDuplicate: a unique key is taken.
	FaultDuplicate
	// FaultConnection: the connection is lost or cannot be made. While a
	// transaction runs it has been rolled back; during COMMIT its outcome is
	// unknown.
	FaultConnection
	// FaultSchema: a table or column is missing, or has another type.
	FaultSchema
	// FaultReadOnly: the database takes no writes, for example after a
	// fail-over.
	FaultReadOnly
	// FaultDenied: the database's user lacks a privilege.
	FaultDenied
)

// String returns the fault's name, for logs and tests.
func (f Fault) String() string {
	names := [...]string{"None", "Other", "Retry", "LockTimeout", "Duplicate", "Connection", "Schema", "ReadOnly", "Denied"}
	if int(f) < len(names) {
		return names[f]
	}
	return "Unknown"
}
