package simulation

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" { // much is made and little is kept
		debug.SetGCPercent(800)
	}
	// With one thread the goroutines of a cluster take turns, and a seed gives one
	// history; with two they meet in an order of their own. Further cores go to
	// further processes.
	runtime.GOMAXPROCS(1)
	if err := flag.Set("test.parallel", "1"); err != nil {
		panic(err)
	}
	uuid.EnableRandPool() // thousands of names are drawn per simulated minute
	goleak.VerifyTestMain(m)
}
