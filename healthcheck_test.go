package gormsched

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glebarez/sqlite"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The probe reads the lease and the oldest due trigger; a leader that is not
// there, nothing due, and what is paused are no faults (R122, R125, B166).
func TestHealthProbe(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s := d.store(t, Options{Now: clock.Now})
		probe := func(what string, want HealthStatus) HealthReport {
			t.Helper()
			r := s.Health(ctx, HealthOptions{})
			if r.Status != want || (r.Err == nil) != (want == Healthy) || r.Name != "scheduling.database.leader" {
				t.Errorf("%s: %+v, want %v", what, r, want)
			}
			return r
		}
		if r := probe("empty", Healthy); r.Held || r.Leader.Resource != "" || !r.Now.Equal(clock.Now()) || !r.OldestDue.IsZero() {
			t.Errorf("empty: %+v", r)
		}
		if _, err := s.Election().TryAcquire(ctx, leaseRequest(DefaultLeaseResource, "t")); err != nil {
			t.Fatal(err)
		}
		if r := probe("led", Healthy); !r.Held || r.Leader.Holder != "node-t" {
			t.Errorf("led: %+v", r)
		}
		saveJobs(t, s, jobItem("a", waitingTrigger("t", clock.Now()), waitingTrigger("later", clock.Now().Add(24*time.Hour))))
		clock.add(5 * time.Minute)
		if r := probe("due for as long as allowed", Healthy); r.Held || !r.OldestDue.Equal(clock.Now().Add(-5*time.Minute)) {
			t.Errorf("due: %+v", r)
		}
		clock.add(time.Second)
		if r := probe("due for too long", Degraded); !strings.Contains(r.Err.Error(), "5m1s") {
			t.Errorf("the error %v does not say for how long", r.Err)
		}
		if r := s.Health(ctx, HealthOptions{MaxLag: -1}); r.Status != Healthy {
			t.Errorf("without a limit: %+v", r)
		}
		if _, err := s.PauseJobs(ctx, []string{"a"}); err != nil {
			t.Fatal(err)
		}
		probe("paused", Healthy)
		local := waitingTrigger("t", us(1))
		local.Local = true
		saveJobs(t, s, jobItem("b", local))
		probe("local triggers, which nobody claims", Healthy)
	})
}

// An unreachable lease table is degraded with its code, and the cause stays
// reachable (R126).
func TestHealthUnreachable(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		r := d.bare(t, Options{}).Health(context.Background(), HealthOptions{})
		if r.Status != Degraded || !errors.Is(r.Err, provider.ErrLeaderUnreachable) || !errors.Is(r.Err, provider.ErrStoreUnavailable) {
			t.Errorf("without tables: %+v", r)
		}
		s := d.store(t, Options{})
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if r := s.Health(ended, HealthOptions{}); !errors.Is(r.Err, provider.ErrLeaderUnreachable) || !errors.Is(r.Err, context.Canceled) {
			t.Errorf("with an ended context: %+v", r)
		}
	})
}

// The check probes once at its start, then in each interval, and keeps the last
// report; it ends with its context or Stop (R123, R124).
func TestHealthCheckProbesInTheBackground(t *testing.T) {
	file := sqliteFile(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := NewJobStore(openDatabase(t, sqlite.Open(file), nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.HealthCheck(t.Context(), HealthOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r := h.Report(); r.Status != Degraded {
			t.Errorf("at the start, without tables: %+v", r)
		}
		if err := s.Provision(t.Context(), CreateIfMissing); err != nil {
			t.Fatal(err)
		}
		<-time.After(15*time.Second - 1) // in the time of the bubble
		synctest.Wait()
		if r := h.Report(); r.Status != Degraded {
			t.Errorf("before the interval has passed: %+v", r)
		}
		<-time.After(1)
		synctest.Wait()
		if r := h.Report(); r.Status != Healthy {
			t.Errorf("after the interval: %+v", r)
		}
		h.Stop()
		h.Stop()
		sqlExec(t, s, "DROP TABLE {{leases}}")
		<-time.After(time.Hour)
		synctest.Wait()
		if r := h.Report(); r.Status != Healthy {
			t.Errorf("after Stop: %+v, want the last report", r)
		}
	})
}

// Options out of range are refused together, by name and value (R287).
func TestHealthOptionsAreChecked(t *testing.T) {
	s := sqliteDatabase(t).store(t, Options{})
	_, err := s.HealthCheck(context.Background(), HealthOptions{ProbeInterval: -time.Second, Resource: "Upper"})
	if !errors.Is(err, provider.ErrInvalidDefinition) || !strings.Contains(err.Error(), "ProbeInterval -1s") || !strings.Contains(err.Error(), `Resource "Upper"`) {
		t.Errorf("got %v, want both faults", err)
	}
}
