package gormsched

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"
)

// mysqlDSN names the server to test on, "mysql" or "mariadb", as
// GORMSCHED_TEST_MYSQL_DSN and GORMSCHED_TEST_MARIADB_DSN say in the words of
// the driver, with a database: user:password@tcp(host:port)/name; empty = none,
// and for the other databases.
func mysqlDSN(name string) string {
	if name != "mysql" && name != "mariadb" {
		return ""
	}
	return os.Getenv("GORMSCHED_TEST_" + strings.ToUpper(name) + "_DSN")
}

// mysqlDatabase drops the tables of its prefix when the test ends.
func mysqlDatabase(name string) func(testing.TB) testDatabase {
	return func(t testing.TB) testDatabase { return mysqlWith(t, name, "") }
}

// mysqlWith is mysqlDatabase with further settings in the DSN, "a=b&c=d".
func mysqlWith(t testing.TB, name, settings string) testDatabase {
	dsn := mysqlDSN(name)
	if settings != "" && strings.Contains(dsn, "?") {
		dsn += "&" + settings
	} else if settings != "" {
		dsn += "?" + settings
	}
	d := testDatabase{name: name, prefix: newPrefix(), open: func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		return openDatabase(t, mysql.Open(dsn), config)
	}}
	db := d.open(t, nil)
	t.Cleanup(func() { dropMySQLTables(t, db, d.prefix) })
	return d
}

func dropMySQLTables(t testing.TB, db *gorm.DB, prefix string) {
	var names []string
	err := db.Raw("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND LEFT(table_name, ?) = ?", len(prefix), prefix).Scan(&names).Error
	if err != nil {
		t.Errorf("listing the test's tables: %v", err)
	}
	for _, name := range names {
		if err := errors.Join(db.Exec("DROP VIEW IF EXISTS `"+name+"`").Error, db.Exec("DROP TABLE IF EXISTS `"+name+"`").Error); err != nil {
			t.Errorf("dropping %s: %v", name, err)
		}
	}
}

// onMySQLs runs a test on MySQL and on MariaDB, as far as they are there.
func onMySQLs(t *testing.T, test func(t *testing.T, name string)) {
	t.Helper()
	for _, name := range []string{"mysql", "mariadb"} {
		if mysqlDSN(name) == "" {
			t.Logf("left out %s: GORMSCHED_TEST_%s_DSN is not set", name, strings.ToUpper(name))
			continue
		}
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

var bounds = regexp.MustCompile(`^SET STATEMENT \S+ FOR |/\*\+ MAX_EXECUTION_TIME\(\d+\) \*/ | WAIT \d+$`)

// unbounded is a statement without its bound on waiting.
func unbounded(text string) string { return bounds.ReplaceAllString(text, "") }
