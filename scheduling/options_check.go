package scheduling

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The most time that one store call of the engine gets, whatever the settings.
const callLimit = 10 * time.Second

// complete fills in the defaults and checks everything; all faults are
// reported together (G4, R276).
func (o Options) complete(store provider.Store) (Options, error) {
	var all faults
	fault := all.addf
	if store == nil {
		fault("store nil: make one with gormsched.NewJobStore or inmemory.New")
	}
	positive := func(name string, d *time.Duration, def time.Duration) {
		given := *d
		if *d = d.Truncate(time.Millisecond); given != 0 && *d <= 0 {
			fault("Options.%s %v: must be at least 1ms; leave it 0 for %v", name, given, def)
		}
		if *d <= 0 {
			*d = def
		}
	}
	special := func(name, constant string, d *time.Duration, def, means time.Duration) {
		if *d == -1 {
			*d = means
			return
		}
		given := *d
		if *d = d.Truncate(time.Millisecond); given != 0 && *d <= 0 {
			fault("Options.%s %v: must be at least 1ms; leave it 0 for %v, or use scheduling.%s", name, given, def, constant)
		}
		if *d <= 0 {
			*d = def
		}
	}
	counted := func(name string, n *int, def, most int) {
		switch {
		case *n == 0:
			*n = def
		case *n < 0 || *n > most:
			fault("Options.%s %d: must be 1 to %d; leave it 0 for %d", name, *n, most, def)
			*n = def
		}
	}
	if o.NodeID == "" {
		o.NodeID = defaultNodeID()
	} else if err := provider.CheckPrintable("Options.NodeID", o.NodeID); err != nil {
		all.add(err)
	}
	if o.LeaseResource == "" {
		o.LeaseResource = "scheduling.jobs"
	} else if err := provider.CheckName("Options.LeaseResource", o.LeaseResource); err != nil {
		all.add(err)
	}
	counted("MaxConcurrentRuns", &o.MaxConcurrentRuns, 32, 100_000)
	counted("AcquireBatchSize", &o.AcquireBatchSize, 16, provider.MaxBatch)
	positive("PollInterval", &o.PollInterval, time.Second)
	positive("LeaseTTL", &o.LeaseTTL, 30*time.Second)
	positive("NodeTimeout", &o.NodeTimeout, 90*time.Second)
	positive("HousekeepingInterval", &o.HousekeepingInterval, 60*time.Second)
	positive("RenewInterval", &o.RenewInterval, max((o.LeaseTTL/3).Truncate(time.Millisecond), time.Millisecond))
	positive("HeartbeatInterval", &o.HeartbeatInterval, max((o.NodeTimeout/9).Truncate(time.Millisecond), time.Millisecond))
	special("MisfireThreshold", "Zero", &o.MisfireThreshold, 60*time.Second, 0)
	special("HistoryRetention", "Forever", &o.HistoryRetention, 7*24*time.Hour, 0)
	special("ShutdownTimeout", "Zero", &o.ShutdownTimeout, 20*time.Second, 0)
	special("CancelGrace", "Zero", &o.CancelGrace, 5*time.Second, 0)
	if o.HeartbeatInterval > o.NodeTimeout/4 {
		fault("Options.HeartbeatInterval %v: must be at most a quarter of NodeTimeout (%v): lower it, or raise NodeTimeout to at least %v",
			o.HeartbeatInterval, o.NodeTimeout, 4*o.HeartbeatInterval) // D36
	}
	if o.RenewInterval > (o.LeaseTTL-leaseMargin(o.LeaseTTL))/2 {
		fault("Options.RenewInterval %v: LeaseTTL (%v) less its margin (%v) must be at least twice as long: lower RenewInterval or raise LeaseTTL",
			o.RenewInterval, o.LeaseTTL, leaseMargin(o.LeaseTTL)) // D36
	}
	if o.OnIsolation > KeepRunning {
		fault("Options.OnIsolation %d: use CancelRuns or KeepRunning", o.OnIsolation)
	}
	if o.CodeVersion < 0 {
		fault("Options.CodeVersion %d: must not be negative", o.CodeVersion)
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	return o, all.err("")
}

// leaseMargin is what the holder trusts its lease less than its TTL (D26).
func leaseMargin(ttl time.Duration) time.Duration { return max(time.Second, ttl/10) }

// isolationLimit is how long a node goes on without an acknowledged heartbeat
// before it gives its runs up (D25). A record without sense counts as 0.
func isolationLimit(timeout, heartbeat time.Duration) time.Duration {
	return max(timeout-max(2*heartbeat, timeout/6), 0)
}

// defaultNodeID is new at every start (R277).
func defaultNodeID() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "node"
	}
	host = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '-'
		}
		return r
	}, host)
	tail := fmt.Sprintf(":%d:%s", os.Getpid(), strings.ToLower(rand.Text()[:8]))
	return host[:min(len(host), provider.MaxName-len(tail))] + tail // D06: a longer name is cut
}
