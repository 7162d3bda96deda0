package gormsched

import (
	"strings"
	"testing"

	"github.com/gormsched/gormsched/dialects"
)

// On MySQL and MariaDB a locking read goes by the primary key where its rows
// are named by it, and must not where it finds them by another index: it would
// read, and lock, the whole table (D03, R028).
func TestLockingReadsGoByTheirIndex(t *testing.T) {
	const forced = "FORCE INDEX (PRIMARY)"
	for _, dialect := range []string{"mysql", "mariadb"} {
		c := paperCore(t, dialect)
		due, err := c.sqlCandidates(candidates{now: 1, most: 16, lock: true})
		if err != nil {
			t.Fatal(err)
		}
		running, err := c.sqlRunning([]string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"candidates": due.SQL, "purge": c.sqlPurgeable(), "running of jobs": running.SQL} {
			if strings.Contains(text, forced) || !strings.Contains(text, " FOR UPDATE") {
				t.Errorf("%s, %s: it must lock and not go by the primary key: %s", dialect, name, text)
			}
		}
		byKey, err := c.sqlLockKeys([]string{"a/b", "a/c"}, dialects.LockSkip)
		if err != nil || !strings.Contains(byKey.SQL, forced) {
			t.Errorf("%s, by key: %v: %s", dialect, err, byKey.SQL)
		}
	}
}
