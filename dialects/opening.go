package dialects

import (
	"strconv"
	"time"
)

// Opening is what a writing transaction must begin with.
type Opening struct {
	// SQL is the statement; empty where there is none.
	SQL string
	// Now says that the statement answers one row with one column: the
	// database's clock, as NowMicros.
	Now bool
}

// Opener is a dialect whose transactions must begin with a statement.
type Opener interface {
	// Opening bounds how long the transaction waits for a lock, and how long
	// its session may stand still while it is open; both end with the
	// transaction, so that the application's pool inherits nothing. Where
	// there is one writer it becomes it: table names any table of the store.
	Opening(table string, lock, idle time.Duration) Opening
}

// Opening sets both limits LOCAL, in one statement, which also reads the
// clock.
func (d postgres) Opening(_ string, lock, idle time.Duration) Opening {
	return Opening{
		SQL: "SELECT " + d.NowMicros() + " FROM (SELECT set_config('lock_timeout', '" + milliseconds(lock) +
			"', true), set_config('idle_in_transaction_session_timeout', '" + milliseconds(idle) + "', true)) AS s",
		Now: true,
	}
}

// Opening writes nothing into no row. A transaction that read first could not
// become the writer any more if another one wrote meanwhile, whatever the busy
// timeout is; one that begins with a write waits for its turn.
func (sqlite) Opening(table string, _, _ time.Duration) Opening {
	return Opening{SQL: "DELETE FROM " + table + " WHERE 1 = 0"}
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
