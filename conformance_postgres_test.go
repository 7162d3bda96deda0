package gormsched_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
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
func openPostgres(t *testing.T) (*testServer, error) {
	dsn := os.Getenv("GORMSCHED_TEST_POSTGRES_DSN")
	if dsn == "" {
		var err error
		if dsn, err = startPostgres(t); err != nil {
			return nil, err
		}
	}
	return postgresServer(dsn), nil
}

func postgresServer(dsn string) *testServer {
	server := &testServer{
		name:      "postgres",
		dsn:       dsn,
		dialector: func(pool gorm.ConnPool) gorm.Dialector { return postgres.New(postgres.Config{Conn: pool}) },
		words: faultWords{refused: codedPostgres("XX000"), conflict: codedPostgres("40001"), // internal error, serialization failure
			lost: &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}},
		plot: func(parameters string) (stores, tools opener) {
			return func(t testing.TB) *sql.DB { return openPool(t, "pgx", withParameters(dsn, unsynced, parameters)) },
				func(t testing.TB) *sql.DB { return openPool(t, "pgx", withParameters(dsn, unsynced)) }
		},
		drop: dropPostgresTables,
		elsewhere: func(t testing.TB, words string) *testServer {
			return postgresServer(makeDatabase(t, openPool(t, "pgx", dsn), words, func(name string) string { return postgresDatabaseIn(t, dsn, name) }))
		},
	}
	server.behind = func(address string) *testServer {
		proxied := *server
		proxied.plot = func(parameters string) (stores, tools opener) {
			u, err := url.Parse(dsn)
			_, tools = server.plot("")
			return func(t testing.TB) *sql.DB {
				if err != nil {
					t.Fatalf("GORMSCHED_TEST_POSTGRES_DSN: %v", err)
				}
				through := *u
				through.Host = address
				return openPool(t, "pgx", withParameters(through.String(), parameters))
			}, tools
		}
		return &proxied
	}
	return server
}

// unsynced has commits answered before they are on disk: what is lost when the
// machine stops is not tested here.
const unsynced = "synchronous_commit=off"

// withParameters adds parameters to a DSN in either of the driver's forms; they
// are separated by & and escaped as in an URL.
func withParameters(dsn string, parameters ...string) string {
	for _, more := range parameters {
		switch {
		case more == "":
		case !strings.Contains(dsn, "://"):
			for one := range strings.SplitSeq(more, "&") {
				name, value, _ := strings.Cut(one, "=")
				if plain, err := url.QueryUnescape(value); err == nil {
					value = plain
				}
				dsn += " " + name + "='" + value + "'"
			}
		case strings.Contains(dsn, "?"):
			dsn += "&" + more
		default:
			dsn += "?" + more
		}
	}
	return dsn
}

// postgresDatabaseIn is the DSN with another database.
func postgresDatabaseIn(t testing.TB, dsn, name string) string {
	t.Helper()
	if !strings.Contains(dsn, "://") {
		return dsn + " dbname=" + name
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatalf("GORMSCHED_TEST_POSTGRES_DSN: %v", err)
	}
	u.Path = "/" + name
	return u.String()
}

// makeDatabase makes a database that goes when the test ends.
func makeDatabase(t testing.TB, db *sql.DB, words string, dsn func(name string) string) string {
	t.Helper()
	name := fmt.Sprintf("gormsched_c%d_%d", os.Getpid(), prefixes.Add(1))
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+name+" "+words); err != nil {
		t.Fatalf("creating a database %s: %v", words, err)
	}
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.Background(), "DROP DATABASE "+name); err != nil {
			t.Errorf("dropping %s: %v", name, err)
		}
	})
	return dsn(name)
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
