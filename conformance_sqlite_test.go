package gormsched_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
)

// openSQLite is a server of files. What is lost when the machine stops is not
// tested here, so nothing is synced.
func openSQLite(t *testing.T) (*testServer, error) {
	dir := t.TempDir()
	var files atomic.Int64
	return &testServer{
		name:      "sqlite",
		oneWriter: true,
		dialector: func(pool gorm.ConnPool) gorm.Dialector { return &sqlite.Dialector{Conn: pool} },
		words:     faultWords{refused: codedSQLite(13), conflict: codedSQLite(5), lost: driver.ErrBadConn}, // full, busy
		plot: func(parameters string) (stores, tools opener) {
			name := fmt.Sprintf("%d.db", files.Add(1))
			file := "file:" + filepath.ToSlash(filepath.Join(dir, name))
			const usual = "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"
			switch {
			case parameters == "":
				parameters = usual
			case strings.Contains(parameters, "mode=memory"):
				file = "file:" + filepath.Base(dir) + name
			}
			stores = func(t testing.TB) *sql.DB { return openPool(t, sqlite.DriverName, file+"?"+parameters) }
			if strings.Contains(parameters, "mode=memory") || strings.Contains(parameters, "journal_mode") {
				return stores, stores
			}
			return stores, func(t testing.TB) *sql.DB { return openPool(t, sqlite.DriverName, file+"?"+usual) }
		},
	}, nil
}

func openPool(t testing.TB, name, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(name, dsn)
	if err != nil {
		t.Fatalf("opening %s: %v", name, err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("closing %s: %v", name, err)
		}
	})
	return db
}
