package scheduling_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// monday is the present of a desk, unless it sets another.
var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// desk is a scheduler that never runs: management alone. It is used inside a
// bubble, so that the publisher can be waited for.
type desk struct {
	*scheduling.Scheduler
	t      *testing.T
	store  *inmemory.Store
	events *memo
	log    *logBook

	mu    sync.Mutex
	now   time.Time
	fault func(op string) error // before a call
	calls []string              // of the store, in order
}

func newDesk(t *testing.T, change func(*scheduling.Options)) *desk {
	t.Helper()
	d := &desk{t: t, now: monday, events: &memo{}, log: &logBook{}}
	d.store = newStore(t, inmemory.Options{Now: d.clock, Fault: d.strike})
	d.Scheduler = d.scheduler(change)
	d.Handle("work", nop)
	return d
}

// scheduler makes another one on the same store: the next start of a program.
func (d *desk) scheduler(change func(*scheduling.Options)) *scheduling.Scheduler {
	d.t.Helper()
	o := scheduling.Options{NodeID: "desk", Publisher: d.events, Logger: slog.New(slog.NewTextHandler(d.log, nil))}
	if change != nil {
		change(&o)
	}
	s, err := scheduling.New(d.store, o)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) set(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = now
}

func (d *desk) strike(op string, phase inmemory.Phase) error {
	if phase != inmemory.Before {
		return nil
	}
	d.mu.Lock()
	fault := d.fault
	d.calls = append(d.calls, op)
	d.mu.Unlock()
	if fault == nil {
		return nil
	}
	return fault(op)
}

// away makes the store fail at one operation.
func (d *desk) away(op string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = func(o string) error {
		if o == op {
			return errAway
		}
		return nil
	}
}

// quiet forgets the calls and events so far, and ends faults.
func (d *desk) quiet() {
	synctest.Wait()
	d.mu.Lock()
	d.calls, d.fault = nil, nil
	d.mu.Unlock()
	d.events.forget()
}

func (d *desk) called() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.calls, " ")
}

// wantEvents compares the events since quiet, as "topic:job", in order.
func (d *desk) wantEvents(want string) {
	d.t.Helper()
	synctest.Wait()
	if got := d.events.String(); got != want {
		d.t.Errorf("events %q, want %q", got, want)
	}
}

// define schedules definitions that must be legal.
func (d *desk) define(defs ...scheduling.JobDefinition) {
	d.t.Helper()
	for i := range defs {
		if defs[i].Handler == "" {
			defs[i].Handler = "work"
		}
	}
	if err := d.Schedule(d.t.Context(), defs...); err != nil {
		d.t.Fatalf("Schedule: %v", err)
	}
}

// job reads a stored job; zero if there is none.
func (d *desk) job(name string) scheduling.JobRecord {
	d.t.Helper()
	jobs, err := d.store.Jobs(d.t.Context(), []string{name})
	if err != nil {
		d.t.Fatal(err)
	}
	if len(jobs) == 0 {
		return scheduling.JobRecord{}
	}
	return jobs[0]
}

func (d *desk) trigger(job, name string) scheduling.TriggerRecord {
	d.t.Helper()
	return trigger(d.t, d.store, job, name)
}

// names lists a job's triggers.
func (d *desk) names(job string) string {
	d.t.Helper()
	rows, err := d.store.ListTriggers(d.t.Context(), provider.TriggerQuery{Jobs: []string{job}})
	if err != nil {
		d.t.Fatal(err)
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.Trigger)
	}
	return strings.Join(names, " ")
}

// wantItems compares the failed items of a batch with their sentinels.
func wantItems(t *testing.T, err error, want map[int]error) {
	t.Helper()
	failed := scheduling.ItemErrors(err)
	if (err == nil) != (len(want) == 0) || len(failed) != len(want) {
		t.Fatalf("error %v: %d failed items, want %d", err, len(failed), len(want))
	}
	for i, sentinel := range want {
		if !errors.Is(failed[i], sentinel) {
			t.Errorf("item %d: %v, want %v", i, failed[i], sentinel)
		}
	}
}

// memo is a publisher whose notes can be forgotten.
type memo struct {
	mu   sync.Mutex
	list []scheduling.Event
}

func (m *memo) Publish(_ context.Context, event scheduling.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = append(m.list, event)
	return nil
}

func (m *memo) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = nil
}

func (m *memo) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	parts := make([]string, len(m.list))
	for i, e := range m.list {
		parts[i] = strings.TrimPrefix(e.Type, "scheduling.job.") + ":" + e.Subject
	}
	return strings.Join(parts, " ")
}

// quietLogger logs nothing.
var quietLogger = slog.New(slog.DiscardHandler)
