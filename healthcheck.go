package gormsched

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// HealthName is the name of the health entry (R122).
const HealthName = "scheduling.database.leader"

// Defaults of [HealthOptions].
const (
	// DefaultLeaseResource is the lease of the schedulers' leader (R282).
	DefaultLeaseResource = "scheduling.jobs"
	defaultProbeInterval = 15 * time.Second
	defaultMaxLag        = 5 * time.Minute
)

// HealthOptions configure a [HealthCheck]. The zero value uses the defaults.
type HealthOptions struct {
	// Resource is the lease that the schedulers compete for; "" =
	// [DefaultLeaseResource].
	Resource string
	// ProbeInterval is the time between two probes, and the most that one may
	// take (R124). 0 = 15 s.
	ProbeInterval time.Duration
	// MaxLag is how long a trigger may be due and Waiting before the entry is
	// degraded: then nobody claims, whatever else looks well. 0 = 5 min;
	// negative = no limit. Nothing due, or all of it paused, is no fault.
	MaxLag time.Duration
}

// HealthStatus is how well the scheduler's database side is.
type HealthStatus int

// The statuses.
const (
	// Healthy: the lease can be read and nothing waits for too long.
	Healthy HealthStatus = iota
	// Degraded: the application can go on serving, but schedules may not run
	// (R126).
	Degraded
)

// String returns the status's name, for logs and endpoints.
func (s HealthStatus) String() string {
	switch s {
	case Healthy:
		return "Healthy"
	case Degraded:
		return "Degraded"
	}
	return fmt.Sprintf("HealthStatus(%d)", int(s))
}

// HealthReport is what one probe found.
type HealthReport struct {
	Name   string
	Status HealthStatus
	// Err says why the entry is degraded: [provider.ErrLeaderUnreachable] with
	// the cause where the lease table cannot be read. nil = healthy.
	Err error
	// Now is the database's clock at the probe; zero where it was not reached.
	Now time.Time
	// Leader is the lease row; zero where nobody holds it, which is no fault:
	// a leader is elected within seconds. Held says that it has not expired.
	Leader provider.LeaseRecord
	Held   bool
	// OldestDue is the instant since which the oldest due trigger waits; zero
	// where none is due.
	OldestDue time.Time
	// Wait is how long the probe waited for its answers, the wait for a free
	// connection of the pool included. Waits that come near a third of the
	// node timeout endanger the heartbeat (D30).
	Wait time.Duration
	// PoolWaits counts how often anybody has waited for a connection of the
	// pool since it was opened; 0 where the pool does not tell.
	PoolWaits int64
}

// Health probes once, within the caller's context: it reads the lease row and
// the oldest due trigger, and writes nothing (R125). It returns a report in any
// case.
func (s *JobStore) Health(ctx context.Context, o HealthOptions) HealthReport {
	return s.core.probe(ctx, o.withDefaults())
}

func (o HealthOptions) withDefaults() HealthOptions {
	if o.Resource == "" {
		o.Resource = DefaultLeaseResource
	}
	if o.ProbeInterval == 0 {
		o.ProbeInterval = defaultProbeInterval
	}
	if o.MaxLag == 0 {
		o.MaxLag = defaultMaxLag
	}
	return o
}

func (c *core) probe(ctx context.Context, o HealthOptions) HealthReport {
	report := HealthReport{Name: HealthName}
	elapsed := stopwatch()
	err := c.inTx(ctx, "probing the leader lease", txRead, func(t *tx) error {
		lease, err := t.inspect(o.Resource)
		if err != nil {
			return err
		}
		report.Now, report.Leader = lease.Now, lease.Lease
		report.Held = lease.Found && lease.Lease.ExpiresAt.After(lease.Now)
		report.OldestDue, err = t.oldestDue()
		return err
	}, nil)
	report.Wait = elapsed()
	if db, poolErr := c.db.DB(); poolErr == nil {
		report.PoolWaits = db.Stats().WaitCount
	}
	switch lag := report.Now.Sub(report.OldestDue); {
	case err != nil:
		report.Status = Degraded
		report.Err = &provider.Error{
			Code: provider.CodeLeaderUnreachable, Key: o.Resource, Err: err,
			Reason: fmt.Sprintf("probed for %v", report.Wait.Round(time.Millisecond)),
		}
	case o.MaxLag > 0 && !report.OldestDue.IsZero() && lag > o.MaxLag:
		report.Status = Degraded
		report.Err = fmt.Errorf("%s: a trigger has been due for %v, longer than MaxLag %v: no node claims it; look for nodes that serve, for handlers that no node knows, and for rows that a transaction holds",
			HealthName, lag.Round(time.Second), o.MaxLag)
	}
	return report
}

// oldestDue is the earliest instant of a due trigger that waits; zero if none
// does. It is one probe of the claim index.
func (t *tx) oldestDue() (time.Time, error) {
	now, err := t.nowUS()
	if err != nil {
		return time.Time{}, err
	}
	q := t.c.d.Quote
	var us sql.NullInt64
	err = t.query(func(rows *sql.Rows) error { return rows.Scan(&us) }, "SELECT MIN("+q("next_fire_us")+") FROM "+t.c.t.triggers+t.c.passOver()+
		" WHERE "+q("trigger_state")+" = 1 AND "+q("is_local")+" = 0 AND "+q("next_fire_us")+" <= ?", now)
	return nullInstant(us), err
}

// HealthCheck probes in the background and keeps the last report, so that a
// health endpoint answers at once and asks nothing of the database. Safe for
// concurrent use. Make one with [JobStore.HealthCheck].
type HealthCheck struct {
	core *core
	opts HealthOptions
	stop context.CancelFunc
	done chan struct{}

	mu   sync.Mutex
	last HealthReport
}

// HealthCheck probes once, within ctx and the probe interval (R123), and then
// in the background until ctx ends or [HealthCheck.Stop] is called (R124). An
// unreachable database is no error but a degraded report (R126); an error
// names an option that is out of range.
func (s *JobStore) HealthCheck(ctx context.Context, o HealthOptions) (*HealthCheck, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	h := &HealthCheck{core: s.core, opts: o, stop: stop, done: make(chan struct{})}
	h.probe(ctx)
	go h.loop(ctx)
	return h, nil
}

func (o HealthOptions) check() error {
	var faults []error
	if o.ProbeInterval < 0 {
		faults = append(faults, provider.Invalidf("HealthOptions.ProbeInterval %v is negative: use a positive duration, or 0 for %v", o.ProbeInterval, defaultProbeInterval))
	}
	faults = append(faults, provider.CheckName("HealthOptions.Resource", o.Resource))
	return errors.Join(faults...)
}

// Report is the last probe's.
func (h *HealthCheck) Report() HealthReport {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// Stop ends the background probes and waits for the one that is under way. It
// may be called more than once. The last report stays.
func (h *HealthCheck) Stop() {
	h.stop()
	<-h.done
}

func (h *HealthCheck) loop(ctx context.Context) {
	defer close(h.done)
	ticker := time.NewTicker(h.opts.ProbeInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			h.probe(ctx)
		}
	}
}

// probe keeps the report, unless it only says that the check was stopped.
func (h *HealthCheck) probe(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, h.opts.ProbeInterval)
	defer cancel()
	report := h.core.probe(limited, h.opts)
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() == nil || h.last.Name == "" {
		h.last = report
	}
}
