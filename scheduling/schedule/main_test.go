package schedule

import (
	"flag"
	"os"
	"testing"
)

// TestMain raises the number of property checks where the command line does
// not say one.
func TestMain(m *testing.M) {
	flag.Parse()
	checks := false
	flag.Visit(func(f *flag.Flag) { checks = checks || f.Name == "rapid.checks" })
	if !checks {
		if err := flag.Set("rapid.checks", "3000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
