package gormsched_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

// TestConformance runs the three suites on every database that is there. SQLite
// always is. One that is not there is left out and named in one line; if
// GORMSCHED_TEST_REQUIRE names it ("postgres", several separated by commas) that
// is a failure. GORMSCHED_TEST_RULES=1 prints each rule with its cases.
func TestConformance(t *testing.T) {
	var leftOut []string
	for _, database := range []struct {
		name string
		open func(*testing.T) (*testBed, error)
	}{
		{"sqlite", openSQLite},
		{"postgres", openPostgres},
		{"mysql", openMySQL},
		{"mariadb", openMariaDB},
	} {
		t.Run(database.name, func(t *testing.T) {
			bed, err := database.open(t)
			switch {
			case err != nil && required(database.name):
				t.Fatalf("GORMSCHED_TEST_REQUIRE names %s, which is not there: %v", database.name, err)
			case err != nil:
				leftOut = append(leftOut, fmt.Sprintf("%s (%v)", database.name, err))
				return
			}
			h := schedulingtest.Harness{Name: database.name, New: bed.subject, Light: underRace, RuleTable: os.Getenv("GORMSCHED_TEST_RULES") != ""}
			schedulingtest.RunStore(t, h)
			schedulingtest.RunElection(t, h)
			schedulingtest.RunScheduler(t, h)
		})
	}
	if len(leftOut) > 0 {
		fmt.Fprintf(os.Stderr, "conformance: left out %s\n", strings.Join(leftOut, ", "))
	}
}

func required(database string) bool {
	return slices.Contains(strings.Split(os.Getenv("GORMSCHED_TEST_REQUIRE"), ","), database)
}
