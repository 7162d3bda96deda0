package scheduling_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// R076, R276, G4, D36: every fault of the options is reported at once, each with its
// field, its value and a remedy.
func TestOptionFaults(t *testing.T) {
	_, err := scheduling.New(nil, scheduling.Options{
		NodeID: "has space", PollInterval: -time.Second, MaxConcurrentRuns: -1, AcquireBatchSize: 501,
		MisfireThreshold: -2, LeaseResource: "Upper", LeaseTTL: 10 * time.Second, RenewInterval: 5 * time.Second,
		NodeTimeout: 10 * time.Second, HeartbeatInterval: 3 * time.Second, HousekeepingInterval: -1,
		HistoryRetention: -time.Hour, ShutdownTimeout: -5, CancelGrace: -5, OnIsolation: 7, CodeVersion: -1,
	})
	if !errors.Is(err, scheduling.ErrInvalidDefinition) {
		t.Fatalf("err: %v", err)
	}
	for _, part := range []string{
		"store nil", "NodeID", "PollInterval", "MaxConcurrentRuns -1", "AcquireBatchSize 501", "MisfireThreshold -2ns", "PollInterval -1s",
		`LeaseResource "Upper"`, "RenewInterval 5s", "HeartbeatInterval 3s", "HousekeepingInterval", "HistoryRetention -1h",
		"ShutdownTimeout", "CancelGrace", "OnIsolation 7", "CodeVersion -1",
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q:\n%v", part, err)
		}
	}
}

// D36: the relations hold at their bounds, and fail one step beyond them.
func TestOptionRelations(t *testing.T) {
	store := inmemory.New(inmemory.Options{Shared: true})
	for _, c := range []struct {
		name string
		o    scheduling.Options
		ok   bool
	}{
		{"defaults", scheduling.Options{}, true},
		{"four heartbeats", scheduling.Options{NodeTimeout: 12 * time.Second, HeartbeatInterval: 3 * time.Second}, true},
		{"less than four", scheduling.Options{NodeTimeout: 12 * time.Second, HeartbeatInterval: 3001 * time.Millisecond}, false},
		{"two renewals", scheduling.Options{LeaseTTL: 3 * time.Second, RenewInterval: time.Second}, true},
		{"less than two", scheduling.Options{LeaseTTL: 3 * time.Second, RenewInterval: 1001 * time.Millisecond}, false},
		{"margin of a tenth", scheduling.Options{LeaseTTL: 20 * time.Second, RenewInterval: 9 * time.Second}, true},
		{"beyond it", scheduling.Options{LeaseTTL: 20 * time.Second, RenewInterval: 9001 * time.Millisecond}, false},
		{"no room", scheduling.Options{LeaseTTL: time.Second}, false},
		{"quickstart", scheduling.Options{PollInterval: 200 * time.Millisecond, HeartbeatInterval: 500 * time.Millisecond,
			NodeTimeout: 3 * time.Second, LeaseTTL: 3 * time.Second, RenewInterval: 500 * time.Millisecond,
			HousekeepingInterval: time.Second, MisfireThreshold: time.Second}, true},
		{"zeros", scheduling.Options{MisfireThreshold: scheduling.Zero, ShutdownTimeout: scheduling.Zero,
			CancelGrace: scheduling.Zero, HistoryRetention: scheduling.Forever}, true},
	} {
		if _, err := scheduling.New(store, c.o); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// R280, R284, R285: what must be above zero is refused below it; zero is the default.
func TestOptionBounds(t *testing.T) {
	store := inmemory.New(inmemory.Options{})
	for name, o := range map[string]scheduling.Options{
		"AcquireBatchSize -1":       {AcquireBatchSize: -1},
		"NodeTimeout -1ns":          {NodeTimeout: -1},
		"HousekeepingInterval -1ns": {HousekeepingInterval: -1},
	} {
		if _, err := scheduling.New(store, o); !errors.Is(err, scheduling.ErrInvalidDefinition) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want it refused by name and value", name, err)
		}
	}
	if _, err := scheduling.New(store, scheduling.Options{AcquireBatchSize: 1, NodeTimeout: 4 * time.Second, HousekeepingInterval: time.Millisecond}); err != nil {
		t.Errorf("what is above zero is refused: %v", err)
	}
}

// R077, R277, R278, D06: the default node id is new at every start.
func TestDefaultNodeID(t *testing.T) {
	store := inmemory.New(inmemory.Options{})
	seen := map[string]bool{}
	for range 3 {
		s, err := scheduling.New(store, scheduling.Options{})
		if err != nil {
			t.Fatal(err)
		}
		host, _ := os.Hostname()
		if !regexp.MustCompile(`^[!-~]+:\d+:[a-z2-7]{8}$`).MatchString(s.NodeID()) || len(s.NodeID()) > 128 || !strings.HasPrefix(s.NodeID(), host[:1]) {
			t.Errorf("node id %q", s.NodeID())
		}
		if seen[s.NodeID()] {
			t.Errorf("node id %q twice", s.NodeID())
		}
		seen[s.NodeID()] = true
	}
}
