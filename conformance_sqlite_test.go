package gormsched_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
)

// openSQLite is a test bed of files. What is lost when the machine stops is not
// tested here, so nothing is synced.
func openSQLite(t *testing.T) (*testBed, error) {
	dir, files := t.TempDir(), 0
	return &testBed{
		name:      "sqlite",
		owner:     t,
		oneWriter: true,
		dialector: func(pool gorm.ConnPool) gorm.Dialector { return &sqlite.Dialector{Conn: pool} },
		words:     faultWords{refused: codedSQLite(13), conflict: codedSQLite(5), lost: driver.ErrBadConn}, // full, busy
		plot: func() func(testing.TB) *sql.DB {
			files++
			dsn := fmt.Sprintf("file:%s?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)",
				filepath.ToSlash(filepath.Join(dir, fmt.Sprintf("%d.db", files))))
			return func(t testing.TB) *sql.DB { return openPool(t, sqlite.DriverName, dsn) }
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
