package simulation

import (
	"os"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" { // much is made and little is kept
		debug.SetGCPercent(800)
	}
	goleak.VerifyTestMain(m)
}
