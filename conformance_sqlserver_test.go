package gormsched_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tcmssql "github.com/testcontainers/testcontainers-go/modules/mssql"
	"gorm.io/driver/sqlserver"
	"gorm.io/gorm"
)

// sqlserverImage is Microsoft's own; whoever runs it accepts its licence.
const sqlserverImage = "mcr.microsoft.com/mssql/server:2022-latest"

// openSQLServer is a test bed on the server that GORMSCHED_TEST_SQLSERVER_DSN
// names (sqlserver://user:password@host:port?database=name), or else on one in a
// container of its own. The database should have READ_COMMITTED_SNAPSHOT on; in
// the container it has. The error says why there is neither.
func openSQLServer(t *testing.T) (*testServer, error) {
	dsn := os.Getenv("GORMSCHED_TEST_SQLSERVER_DSN")
	if dsn == "" {
		var err error
		if dsn, err = startSQLServer(t); err != nil {
			return nil, err
		}
	}
	return &testServer{
		name:      "sqlserver",
		dialector: func(pool gorm.ConnPool) gorm.Dialector { return sqlserver.New(sqlserver.Config{Conn: pool}) },
		words:     faultWords{refused: codedSQLServer(8152), conflict: codedSQLServer(1205), lost: driver.ErrBadConn}, // text cut, deadlock
		sql: testSQL{
			placeholders: strings.NewReplacer("$1", "@p1", "$2", "@p2", " || ", " + "),
			copyTable:    "SELECT * INTO %[2]s FROM %[1]s WHERE 1 = 0",
			lockRow:      `SELECT 1 FROM %s WITH (XLOCK, ROWLOCK) WHERE "%s" = $1`,
		},
		plot: func(string) (stores, tools opener) {
			tools = func(t testing.TB) *sql.DB { return openPool(t, "sqlserver", dsn) }
			return tools, tools
		},
		drop: dropSQLServerTables,
	}, nil
}

// startSQLServer starts a server in a container that goes when the test ends,
// and makes a database that reads committed rows from versions, as Azure SQL's
// are.
func startSQLServer(t *testing.T) (dsn string, err error) {
	defer func() {
		if cause := recover(); cause != nil { // testcontainers does so where there is no Docker
			err = fmt.Errorf("no Docker: %v", cause)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	docker, err := testcontainers.ProviderDocker.GetProvider()
	if err != nil {
		return "", fmt.Errorf("no Docker: %w", err)
	}
	if err := docker.Health(ctx); err != nil {
		return "", errors.New("no Docker that answers; set GORMSCHED_TEST_SQLSERVER_DSN or start Docker")
	}
	container, err := tcmssql.Run(ctx, sqlserverImage, tcmssql.WithAcceptEULA())
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		return "", fmt.Errorf("starting %s: %w", sqlserverImage, err)
	}
	if dsn, err = container.ConnectionString(ctx); err != nil {
		return "", err
	}
	master, err := sql.Open("sqlserver", dsn)
	if err != nil {
		return "", err
	}
	defer master.Close()
	for _, statement := range []string{
		"CREATE DATABASE gormsched COLLATE Latin1_General_100_CI_AS", // keys must not depend on it
		"ALTER DATABASE gormsched SET READ_COMMITTED_SNAPSHOT ON",
		"ALTER DATABASE gormsched SET DELAYED_DURABILITY = FORCED",
	} {
		if _, err := master.ExecContext(ctx, statement); err != nil {
			return "", fmt.Errorf("%s: %w", statement, err)
		}
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	return dsn + separator + "database=gormsched", nil
}

// codedSQLServer answers its number as the driver's error does.
type codedSQLServer int32

func (e codedSQLServer) Error() string         { return fmt.Sprintf("injected fault, number %d", int32(e)) }
func (e codedSQLServer) SQLErrorNumber() int32 { return int32(e) }

func dropSQLServerTables(t testing.TB, db *sql.DB, prefix string) {
	rows, err := db.Query("SELECT name FROM sys.tables WHERE schema_id = SCHEMA_ID() AND LEFT(name, @p1) = @p2", len(prefix), prefix)
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
		names = append(names, `"`+name+`"`)
	}
	if err := rows.Err(); err != nil || len(names) == 0 {
		t.Errorf("listing the tables of %s: %d, %v", prefix, len(names), err)
		return
	}
	if _, err := db.Exec("DROP TABLE " + strings.Join(names, ", ")); err != nil {
		t.Errorf("dropping the tables of %s: %v", prefix, err)
	}
}
