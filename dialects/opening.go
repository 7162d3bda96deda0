package dialects

import (
	"strconv"
	"strings"
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
// clock. It also tells the planner, for this transaction only, to reach rows by
// index and in the index's order: the tables change so fast that statistics
// about them are wrong most of the time, and a plan that collects and sorts
// what it believes to be ten rows is kept when they are ten thousand.
func (d postgres) Opening(_ string, lock, idle time.Duration) Opening {
	settings := [][2]string{
		{"lock_timeout", milliseconds(lock)}, {"idle_in_transaction_session_timeout", milliseconds(idle)},
		{"enable_seqscan", "off"}, {"enable_bitmapscan", "off"}, {"enable_hashjoin", "off"}, {"enable_mergejoin", "off"},
	}
	list := make([]string, len(settings))
	for i, s := range settings {
		list[i] = "set_config('" + s[0] + "', '" + s[1] + "', true)"
	}
	return Opening{SQL: "SELECT " + d.NowMicros() + " FROM (SELECT " + strings.Join(list, ", ") + ") AS s", Now: true}
}

// Opening writes nothing into no row. A transaction that read first could not
// become the writer any more if another one wrote meanwhile, whatever the busy
// timeout is; one that begins with a write waits for its turn.
func (sqlite) Opening(table string, _, _ time.Duration) Opening {
	return Opening{SQL: "DELETE FROM " + table + " WHERE 1 = 0"}
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
