package simulation

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" { // much is made and little is kept
		debug.SetGCPercent(800)
	}
	uuid.EnableRandPool() // thousands of names are drawn per simulated minute
	goleak.VerifyTestMain(m)
}
