package dialects

import (
	"strings"
	"time"
)

// Framer is a dialect whose statements carry the session's settings that they
// need, each for itself, so that the session keeps those of the application.
type Framer interface {
	// Frame puts the settings before a statement. wait bounds how long it waits
	// for locks; 0 = as the session says. alone says that it stands for itself,
	// outside any transaction.
	Frame(statement string, wait time.Duration, alone bool) string
}

// Frame needs a scope that ends with the statement: settings that are made in
// dynamic SQL end with it, and the driver sends every statement that has
// parameters so. One without parameters is put into a call of its own. What the
// settings are for:
//
// LOCK_TIMEOUT bounds waiting. NOCOUNT ON, which a server or a login may have as
// its default, would leave all counts 0, and each guarded update would look as if
// it had lost. XACT_ABORT ON would have a duplicate key end the transaction, and
// what follows it would be outside of any. The isolation level of a connection
// that comes from the pool is that of its last transaction, whoever ran it.
func (sqlserver) Frame(statement string, wait time.Duration, alone bool) string {
	settings := "SET NOCOUNT OFF; SET XACT_ABORT OFF; "
	if alone {
		settings = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; "
	}
	if wait > 0 {
		settings += "SET LOCK_TIMEOUT " + milliseconds(wait) + "; "
	}
	if strings.Contains(statement, "?") {
		return settings + statement
	}
	return "EXEC sys.sp_executesql N'" + strings.ReplaceAll(settings+statement, "'", "''") + "'"
}
