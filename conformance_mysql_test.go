package gormsched_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tcmariadb "github.com/testcontainers/testcontainers-go/modules/mariadb"
	tcmysql "github.com/testcontainers/testcontainers-go/modules/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
)

// What the containers are started from; TESTCONTAINERS_… variables may lead to
// copies of them.
const (
	mysqlImage   = "mysql:9"
	mariadbImage = "mariadb:11"
)

// mysqlSettings let the test's own statements be those of the other databases:
// standard quotes and ||, several statements at once. The store under test runs
// with them too; the tests of package gormsched run it with the server's own.
const mysqlSettings = "multiStatements=true&sql_mode=%27ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE%27"

// openMySQL is a test bed on the server that GORMSCHED_TEST_MYSQL_DSN names in
// the driver's words (user:password@tcp(host:port)/database), or else on one in
// a container of its own. The error says why there is neither.
func openMySQL(t *testing.T) (*testServer, error) {
	return openMySQLServer(t, "mysql", func(ctx context.Context) (testcontainers.Container, string, error) {
		c, err := tcmysql.Run(ctx, mysqlImage, tcmysql.WithDatabase("gormsched"), testcontainers.WithCmdArgs(
			"--max-connections=400", "--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0", "--innodb-doublewrite=0"))
		if err != nil {
			return c, "", err
		}
		dsn, err := c.ConnectionString(ctx)
		return c, dsn, err
	})
}

// openMariaDB is openMySQL for GORMSCHED_TEST_MARIADB_DSN.
func openMariaDB(t *testing.T) (*testServer, error) {
	return openMySQLServer(t, "mariadb", func(ctx context.Context) (testcontainers.Container, string, error) {
		c, err := tcmariadb.Run(ctx, mariadbImage, tcmariadb.WithDatabase("gormsched"), testcontainers.WithCmdArgs(
			"--max-connections=400", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0"))
		if err != nil {
			return c, "", err
		}
		dsn, err := c.ConnectionString(ctx)
		return c, dsn, err
	})
}

func openMySQLServer(t *testing.T, name string, run func(context.Context) (testcontainers.Container, string, error)) (*testServer, error) {
	variable := "GORMSCHED_TEST_" + strings.ToUpper(name) + "_DSN"
	dsn := os.Getenv(variable)
	if dsn == "" {
		var err error
		if dsn, err = startMySQL(t, name, variable, run); err != nil {
			return nil, err
		}
	}
	return mysqlServer(name, dsn), nil
}

func mysqlServer(name, dsn string) *testServer {
	return &testServer{
		name:      name,
		dsn:       dsn,
		sql:       testSQL{placeholders: strings.NewReplacer("$1", "?", "$2", "?")},
		truncate:  true,
		dialector: func(pool gorm.ConnPool) gorm.Dialector { return mysql.New(mysql.Config{Conn: pool}) },
		words: faultWords{refused: &codedMySQL{1021, "disk full"}, conflict: &codedMySQL{1213, "deadlock"},
			lost: errors.New("invalid connection")}, // as the driver says it
		plot: func(parameters string) (stores, tools opener) {
			tools = func(t testing.TB) *sql.DB { return openPool(t, "mysql", withMySQLParameters(dsn, mysqlSettings)) }
			if parameters == "" {
				return tools, tools
			}
			return func(t testing.TB) *sql.DB { return openPool(t, "mysql", withMySQLParameters(dsn, parameters)) }, tools
		},
		drop: dropMySQLTables,
		elsewhere: func(t testing.TB, words string) *testServer {
			return mysqlServer(name, makeDatabase(t, openPool(t, "mysql", dsn), words, func(name string) string {
				address, rest, _ := strings.Cut(dsn, "/")
				_, parameters, _ := strings.Cut(rest, "?")
				return withMySQLParameters(address+"/"+name, parameters)
			}))
		},
	}
}

func withMySQLParameters(dsn, parameters string) string {
	switch {
	case parameters == "":
		return dsn
	case strings.Contains(dsn, "?"):
		return dsn + "&" + parameters
	}
	return dsn + "?" + parameters
}

// startMySQL starts a server in a container that goes when the test ends.
func startMySQL(t *testing.T, name, variable string, run func(context.Context) (testcontainers.Container, string, error)) (dsn string, err error) {
	defer func() {
		if cause := recover(); cause != nil { // testcontainers does so where there is no Docker
			err = fmt.Errorf("no Docker: %v", cause)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	docker, err := testcontainers.ProviderDocker.GetProvider()
	if err != nil {
		return "", fmt.Errorf("no Docker: %w", err)
	}
	if err := docker.Health(ctx); err != nil {
		return "", errors.New("no Docker that answers; set " + variable + " or start Docker")
	}
	container, dsn, err := run(ctx)
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		return "", fmt.Errorf("starting %s: %w", name, err)
	}
	return dsn, nil
}

// codedMySQL carries an error number as the driver's error does.
type codedMySQL struct {
	Number  uint16
	Message string
}

func (e *codedMySQL) Error() string {
	return fmt.Sprintf("injected fault, number %d: %s", e.Number, e.Message)
}

func dropMySQLTables(t testing.TB, db *sql.DB, prefix string) {
	rows, err := db.Query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND LEFT(table_name, ?) = ?", len(prefix), prefix)
	if err != nil {
		t.Errorf("listing the tables of %s: %v", prefix, err)
		return
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Errorf("listing the tables of %s: %v", prefix, err)
		}
		names = append(names, "`"+name+"`")
	}
	if err := rows.Err(); err != nil || len(names) == 0 {
		t.Errorf("listing the tables of %s: %d, %v", prefix, len(names), err)
		return
	}
	if _, err := db.Exec("DROP TABLE " + strings.Join(names, ", ")); err != nil {
		t.Errorf("dropping the tables of %s: %v", prefix, err)
	}
}
