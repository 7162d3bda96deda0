package gormsched

import (
	"strings"
	"testing"
	"time"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Every transaction of the store is READ COMMITTED, whatever the server or the
// application's DSN has as its default, as the server itself says in the middle
// of one (T15, T17).
func TestTransactionsNameTheirLevel(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		for _, level := range []string{"repeatable read", "serializable"} {
			s := d.withLevel(t, level).store(t, Options{})
			for _, kind := range []txKind{txDispatch, txManage, txSchema} {
				got := ""
				err := s.core.inTx(t.Context(), "test", kind, func(x *tx) error {
					if _, err := x.exec(s.named("DELETE FROM {{leases}} WHERE lease_name = 'x'")); err != nil { // InnoDB's begins so
						return err
					}
					for try := 0; try < 20 && got == ""; try++ { // InnoDB shows its transactions as they were up to 100 ms ago
						time.Sleep(time.Duration(try) * 20 * time.Millisecond)
						if err := x.query(textColumn(&got), levels[d.name]); err != nil {
							return err
						}
					}
					return nil
				}, nil)
				if got = strings.ToLower(strings.ReplaceAll(got, "-", " ")); err != nil || got != "read committed" {
					t.Errorf("%s by default, kind %d: the level is %q, %v; want read committed", level, kind, got, err)
				}
			}
		}
	})
}

// levels asks for the level of a transaction from inside it.
var levels = map[string]string{
	"postgres": "SELECT current_setting('transaction_isolation')",
	"mysql":    "SELECT trx_isolation_level FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()",
	"mariadb":  "SELECT trx_isolation_level FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()",
}

// withLevel is the database with another level for transactions that name none.
func (d testDatabase) withLevel(t *testing.T, level string) testDatabase {
	t.Helper()
	switch d.name {
	case "mysql":
		return mysqlWith(t, d.name, "transaction_isolation=%27"+strings.ToUpper(strings.ReplaceAll(level, " ", "-"))+"%27")
	case "mariadb":
		return mysqlWith(t, d.name, "tx_isolation=%27"+strings.ToUpper(strings.ReplaceAll(level, " ", "-"))+"%27")
	}
	separator := "?"
	if strings.Contains(postgresDSN(), "?") {
		separator = "&"
	}
	r := d
	r.open = func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		return openDatabase(t, postgres.Open(postgresDSN()+separator+"default_transaction_isolation="+strings.ReplaceAll(level, " ", "%20")), config)
	}
	return r
}
