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
// is a failure. GORMSCHED_TEST_DATABASES restricts the run to those it names;
// GORMSCHED_TEST_RULES=1 prints each rule with its cases.
func TestConformance(t *testing.T) {
	var leftOut []string
	for _, database := range []struct {
		name string
		open func(*testing.T) (*testServer, error)
	}{
		{"sqlite", openSQLite},
		{"postgres", openPostgres},
		{"mysql", openMySQL},
		{"mariadb", openMariaDB},
		{"sqlserver", openSQLServer},
	} {
		if !wanted(database.name) {
			leftOut = append(leftOut, database.name+" (not in GORMSCHED_TEST_DATABASES)")
			continue
		}
		t.Run(database.name, func(t *testing.T) {
			server, err := database.open(t)
			switch {
			case err != nil && required(database.name):
				t.Fatalf("GORMSCHED_TEST_REQUIRE names %s, which is not there: %v", database.name, err)
			case err != nil:
				leftOut = append(leftOut, fmt.Sprintf("%s (%v)", database.name, err))
				return
			}
			bed := &testBed{testServer: server, owner: t}
			h := schedulingtest.Harness{Name: database.name, New: bed.subject, Light: underRace, RuleTable: os.Getenv("GORMSCHED_TEST_RULES") != ""}
			schedulingtest.RunStore(t, h)
			schedulingtest.RunElection(t, h)
			schedulingtest.RunScheduler(t, h)
			leftOut = append(leftOut, runSettings(t, server)...)
		})
	}
	if _, mutant := os.LookupEnv("GORMSCHED_MUTANT"); len(leftOut) > 0 && !mutant { // hundreds of runs need not say so
		announce("conformance: left out " + strings.Join(leftOut, ", "))
	}
}

// announce prints a line that go test would swallow, because it shows the
// output of a package only if a test fails: to the standard error of the go
// command itself where the system lets us, else to the terminal, else as usual.
func announce(line string) {
	for _, path := range []string{fmt.Sprintf("/proc/%d/fd/2", os.Getppid()), "/dev/tty"} {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		told := err == nil && !info.Mode().IsRegular() // a file's writers do not know of each other
		if told {
			_, err = fmt.Fprintln(f, line)
		}
		if f.Close() == nil && err == nil && told {
			return
		}
	}
	fmt.Fprintln(os.Stderr, line)
}

// wanted reports whether the run is not restricted to other databases. One that
// is required is always wanted.
func wanted(database string) bool {
	only := os.Getenv("GORMSCHED_TEST_DATABASES")
	return only == "" || required(database) || slices.Contains(strings.Split(only, ","), database)
}

func required(database string) bool {
	return slices.Contains(strings.Split(os.Getenv("GORMSCHED_TEST_REQUIRE"), ","), database)
}
