package gormsched_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tcpostgres "github.com/testcontainers/testcontainers-go/modules/postgres"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// postgresImage is what a container is started from; TESTCONTAINERS_… variables
// may lead to a copy of it.
const postgresImage = "postgres:17"

// openPostgres is a test bed on the server that GORMSCHED_TEST_POSTGRES_DSN
// names, or else on one in a container of its own. The error says why there is
// neither.
func openPostgres(t *testing.T) (*testBed, error) {
	dsn := os.Getenv("GORMSCHED_TEST_POSTGRES_DSN")
	if dsn == "" {
		var err error
		if dsn, err = startPostgres(t); err != nil {
			return nil, err
		}
	}
	dsn = withoutSyncing(dsn)
	return &testBed{
		name:      "postgres",
		owner:     t,
		dialector: func(pool gorm.ConnPool) gorm.Dialector { return postgres.New(postgres.Config{Conn: pool}) },
		words: faultWords{refused: codedPostgres("XX000"), conflict: codedPostgres("40001"), // internal error, serialization failure
			lost: &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}},
		plot: func() func(testing.TB) *sql.DB {
			return func(t testing.TB) *sql.DB { return openPool(t, "pgx", dsn) }
		},
		drop: dropPostgresTables,
	}, nil
}

// withoutSyncing has commits answered before they are on disk: what is lost when
// the machine stops is not tested here.
func withoutSyncing(dsn string) string {
	const setting = "synchronous_commit=off"
	switch {
	case !strings.Contains(dsn, "://"):
		return dsn + " " + setting
	case strings.Contains(dsn, "?"):
		return dsn + "&" + setting
	}
	return dsn + "?" + setting
}

// startPostgres starts a server in a container that goes when the test ends.
func startPostgres(t *testing.T) (dsn string, err error) {
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
		return "", errors.New("no Docker that answers; set GORMSCHED_TEST_POSTGRES_DSN or start Docker")
	}
	container, err := tcpostgres.Run(ctx, postgresImage, tcpostgres.BasicWaitStrategies(),
		tcpostgres.WithDatabase("gormsched"), testcontainers.WithCmdArgs("-c", "max_connections=200", "-c", "fsync=off"))
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		return "", fmt.Errorf("starting %s: %w", postgresImage, err)
	}
	return container.ConnectionString(ctx, "sslmode=disable")
}

func dropPostgresTables(t testing.TB, db *sql.DB, prefix string) {
	rows, err := db.Query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE $1",
		strings.ReplaceAll(prefix, "_", `\_`)+"%")
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
