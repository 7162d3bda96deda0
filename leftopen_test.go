package gormsched

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
)

// In rollback-journal mode a reader makes COMMIT answer "busy", and the
// driver's transaction stays open on a connection that the pool takes back. The
// store must not keep the write lock with it, nor fail for ever after (R018).
func TestSQLiteCommitBesideAReader(t *testing.T) {
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "test.db"))
	open := func() *gorm.DB { return openDatabase(t, sqlite.Open("file:"+file+"?_pragma=busy_timeout(0)"), nil) }
	app := open()
	s, err := NewJobStore(open(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Provision(context.Background(), CreateIfMissing); err != nil {
		t.Fatal(err)
	}
	saveJobs(t, s, jobItem("a"))
	rows, err := app.Raw(s.named("SELECT job_name FROM {{jobs}}")).Rows()
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() { // stands in the middle of its answer
		t.Fatal("no row")
	}
	short, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.PauseJobs(short, []string{"a"}); err == nil {
		t.Error("a pause beside a reader has been committed: the test shows nothing")
	}
	rows.Close()
	if err := app.Exec(s.named("DELETE FROM {{leases}}")).Error; err != nil {
		t.Errorf("the application cannot write any more: %v", err)
	}
	if _, err := s.PauseJobs(context.Background(), []string{"a"}); err != nil {
		t.Errorf("the store cannot write any more: %v", err)
	}
}

// Nor must anybody else who shares the pool be handed that connection before its
// transaction has ended (R018): here others stand in line for the only one.
func TestSQLiteBusyCommitIsNobodyElses(t *testing.T) {
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "test.db"))
	open := func() *gorm.DB { return openDatabase(t, sqlite.Open("file:"+file+"?_pragma=busy_timeout(0)"), nil) }
	app, reader := open(), open()
	pool, err := app.DB()
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	s, err := NewJobStore(app, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Provision(context.Background(), CreateIfMissing); err != nil {
		t.Fatal(err)
	}
	saveJobs(t, s, jobItem("a"))
	rows, err := reader.Raw(s.named("SELECT job_name FROM {{jobs}}")).Rows()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal("no row")
	}
	short, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	atOnce(4, func(i int) {
		if i == 0 {
			if _, err := s.PauseJobs(short, []string{"a"}); err == nil {
				t.Error("a pause beside a reader has been committed: the test shows nothing")
			}
			return
		}
		for short.Err() == nil {
			tx, err := pool.BeginTx(context.Background(), nil)
			if err != nil {
				t.Errorf("the application cannot begin: %v", err)
				return
			}
			if err := tx.Rollback(); err != nil {
				t.Errorf("the application cannot roll back: %v", err)
				return
			}
		}
	})
}
