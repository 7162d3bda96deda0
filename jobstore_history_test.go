package gormsched

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// history fills a store with runs of three jobs, some running, some with equal
// instants and sequences.
func history(t *testing.T, s *JobStore, n int) []provider.RunRecord {
	t.Helper()
	f := newDefinitions(t, s)
	var runs []provider.RunRecord
	var rows [][]any
	for i := range n {
		r := provider.RunRecord{
			ID: fmt.Sprintf("run-%04d", i), Job: fmt.Sprintf("job-%d", i%3), TriggerName: fmt.Sprintf("t%d", i%2), Kind: provider.KindSchedule,
			State: provider.RunSucceeded, Node: fmt.Sprintf("node-%d", i%4), Incarnation: 1,
			ScheduledAt: f.at.Add(time.Duration(i/5) * time.Second), StartedAt: f.at.Add(time.Duration(n-i) * time.Second),
			CompletedAt: f.at.Add(time.Duration(i%7) * time.Minute), Sequence: int64(i / 2), Version: 1,
		}
		switch i % 6 {
		case 1:
			r.State, r.ErrorCode = provider.RunFailed, "X"
		case 2:
			r.State, r.CompletedAt = provider.RunRunning, time.Time{}
		}
		runs, rows = append(runs, r), append(rows, runRow(r))
	}
	f.insert(func(t *tx) error { return t.insertRows(t.c.t.runs, sourceColumns(runColumns...), rows) })
	return runs
}

// expect picks and orders runs as the database must.
func expect(runs []provider.RunRecord, wanted func(provider.RunRecord) bool, order func(a, b provider.RunRecord) int) []provider.RunRecord {
	list := []provider.RunRecord{}
	for _, r := range runs {
		if wanted(r) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, order)
	return list
}

// newestFirst is the order of a history: what two runs of one occurrence and one
// sequence number differ by is in the direction that the index gives.
func newestFirst(s *JobStore) func(a, b provider.RunRecord) int {
	return func(a, b provider.RunRecord) int {
		if c := b.ScheduledAt.Compare(a.ScheduledAt); c != 0 {
			return c
		}
		if a.Sequence != b.Sequence {
			return int(b.Sequence - a.Sequence)
		}
		if s.core.lastInIndex() == "" {
			return strings.Compare(a.ID, b.ID)
		}
		return strings.Compare(b.ID, a.ID)
	}
}

// Every filter alone and all together, against the same in Go (R110–R114).
func TestRunsFilters(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		runs := history(t, s, 60)
		from, to := runs[10].ScheduledAt, runs[40].ScheduledAt
		for name, c := range map[string]struct {
			query  provider.RunQuery
			wanted func(provider.RunRecord) bool
		}{
			"all":           {provider.RunQuery{}, func(provider.RunRecord) bool { return true }},
			"job":           {provider.RunQuery{Job: "job-1"}, func(r provider.RunRecord) bool { return r.Job == "job-1" }},
			"trigger":       {provider.RunQuery{Trigger: "t0"}, func(r provider.RunRecord) bool { return r.TriggerName == "t0" }},
			"node":          {provider.RunQuery{Node: "node-3"}, func(r provider.RunRecord) bool { return r.Node == "node-3" }},
			"one state":     {provider.RunQuery{States: []provider.RunState{provider.RunRunning}}, func(r provider.RunRecord) bool { return r.State == provider.RunRunning }},
			"two states":    {provider.RunQuery{States: []provider.RunState{provider.RunRunning, provider.RunFailed}}, func(r provider.RunRecord) bool { return r.State != provider.RunSucceeded }},
			"from":          {provider.RunQuery{From: from}, func(r provider.RunRecord) bool { return !r.ScheduledAt.Before(from) }},
			"to":            {provider.RunQuery{To: to}, func(r provider.RunRecord) bool { return r.ScheduledAt.Before(to) }},
			"finer than µs": {provider.RunQuery{From: from.Add(1), To: to.Add(1)}, func(r provider.RunRecord) bool { return r.ScheduledAt.After(from) && !r.ScheduledAt.After(to) }},
			"with error":    {provider.RunQuery{WithError: true}, func(r provider.RunRecord) bool { return r.ErrorCode != "" }},
			"without error": {provider.RunQuery{WithoutError: true}, func(r provider.RunRecord) bool { return r.ErrorCode == "" }},
			"both":          {provider.RunQuery{WithError: true, WithoutError: true}, func(provider.RunRecord) bool { return false }},
			"together": {provider.RunQuery{Job: "job-1", Trigger: "t1", States: []provider.RunState{provider.RunFailed}, From: from, WithError: true}, func(r provider.RunRecord) bool {
				return r.Job == "job-1" && r.TriggerName == "t1" && r.State == provider.RunFailed && !r.ScheduledAt.Before(from)
			}},
		} {
			want := expect(runs, c.wanted, newestFirst(s))
			c.query.Limit = 1000
			got, err := s.Runs(ctx, c.query)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: got %d runs, %v, want %d", name, len(got), err, len(want))
			}
			c.query.Skip, c.query.Limit = 7, 1 // ignored by the count (R117)
			if n, err := s.CountRuns(ctx, c.query); err != nil || n != int64(len(want)) {
				t.Errorf("%s: counted %d, %v, want %d", name, n, err, len(want))
			}
		}
	})
}

// Pages in a row give each run once, in one order (R108, R114, R115); what is
// out of range is refused without a statement (R116).
func TestRunsPages(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s, w := d.wired(t, Options{})
		runs := history(t, s, 60)
		var got []provider.RunRecord
		for skip := 0; skip < 70; skip += 7 {
			page, err := s.Runs(ctx, provider.RunQuery{Skip: skip, Limit: 7})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page...)
		}
		if want := expect(runs, func(provider.RunRecord) bool { return true }, newestFirst(s)); !slices.Equal(got, want) {
			t.Errorf("the pages give %d runs, want %d in order", len(got), len(want))
		}
		sent := w.record(func() {
			for _, q := range []provider.RunQuery{{Skip: -1, Limit: 1}, {}, {Limit: provider.MaxRunPage + 1}} {
				if _, err := s.Runs(ctx, q); !errors.Is(err, provider.ErrInvalidPage) {
					t.Errorf("%+v: got %v, want ErrInvalidPage", q, err)
				}
			}
		})
		if len(sent) != 0 {
			t.Errorf("a page out of range asked %v", sent)
		}
	})
}

// Reads by id, of running ones and of the latest ended ones (R118, R119), and
// that they take no statement for nothing and one for 500.
func TestRunReads(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s, w := d.wired(t, Options{})
		runs := history(t, s, 60)
		running := func(r provider.RunRecord) bool { return r.State == provider.RunRunning }
		started := func(a, b provider.RunRecord) int { return a.StartedAt.Compare(b.StartedAt) }
		got, err := s.RunningRuns(ctx, nil)
		same(t, err, got, expect(runs, running, started))
		got, err = s.RunningRuns(ctx, []string{"job-2", "none"})
		same(t, err, got, expect(runs, func(r provider.RunRecord) bool { return running(r) && r.Job == "job-2" }, started))
		got, err = s.RunsByID(ctx, []string{"run-0009", "none", "run-0003", "run-0009"})
		same(t, err, got, []provider.RunRecord{runs[3], runs[9]})

		var latest []provider.RunRecord
		for _, job := range []string{"job-0", "job-1", "job-2"} {
			ended := expect(runs, func(r provider.RunRecord) bool { return !running(r) && r.Job == job }, func(a, b provider.RunRecord) int {
				if c := b.CompletedAt.Compare(a.CompletedAt); c != 0 {
					return c
				}
				return strings.Compare(b.ID, a.ID)
			})
			if len(ended) > 0 {
				latest = append(latest, ended[0])
			}
		}
		got, err = s.LatestRuns(ctx, []string{"job-2", "job-0", "none", "job-1", "job-1"})
		same(t, err, got, latest)

		var ids []string
		for i := range 499 {
			ids = append(ids, fmt.Sprintf("x-%d", i))
		}
		for name, read := range map[string]func([]string) ([]provider.RunRecord, error){
			"RunsByID":   func(ids []string) ([]provider.RunRecord, error) { return s.RunsByID(ctx, ids) },
			"LatestRuns": func(ids []string) ([]provider.RunRecord, error) { return s.LatestRuns(ctx, ids) },
		} {
			for _, n := range []int{0, 1, 16, 499} {
				var list []provider.RunRecord
				sent := w.record(func() { list, err = read(ids[:n]) })
				if err != nil || list == nil || len(list) != 0 || len(sent) != min(n, 1) {
					t.Errorf("%s of %d: %v, %v, %d statements; want an empty slice and one statement at most", name, n, list, err, len(sent))
				}
			}
		}
	})
}

// Purging deletes what ended before the horizon, in chunks of a transaction
// each, and nothing that runs (R120, R121, D27, B150, B151).
func TestPurge(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		clock := newHandClock()
		s, w := d.wired(t, Options{Now: clock.Now})
		f := newDefinitions(t, s)
		f.at = clock.Now().Add(-time.Hour)
		const n = 2*provider.MaxBatch + 3
		f.ended(n)
		f.runs(2)
		for _, age := range []time.Duration{0, -time.Hour, time.Hour} { // exactly the horizon is not older
			if purged, err := s.PurgeRuns(ctx, age); err != nil || purged != 0 {
				t.Errorf("PurgeRuns(%v): %d, %v, want 0", age, purged, err)
			}
		}
		clock.add(time.Microsecond)
		var purged int64
		var err error
		sent := w.record(func() { purged, err = s.PurgeRuns(ctx, time.Hour) })
		begun := 0
		for _, e := range sent {
			if e.text == "BEGIN" {
				begun++
			}
		}
		if err != nil || purged != n || begun != 3 {
			t.Errorf("purged %d in %d transactions, %v; want %d in 3", purged, begun, err, n)
		}
		left, err := s.RunningRuns(ctx, nil)
		if err != nil || len(left) != 4 {
			t.Errorf("%d runs are left, %v, want the 4 that run", len(left), err)
		}
	})
}

// Nodes that purge at once share the work and count each run once.
func TestPurgeAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		newDefinitions(t, s).ended(3 * provider.MaxBatch)
		const nodes = 4
		purged := make([]int64, nodes)
		atOnce(nodes, func(i int) {
			var err error
			if purged[i], err = d.bare(t, Options{}).PurgeRuns(ctx, time.Hour); err != nil {
				t.Errorf("node %d: %v", i, err)
			}
		})
		rest, err := s.PurgeRuns(ctx, time.Hour) // what the nodes held for each other
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range purged {
			rest += n
		}
		if rest != 3*provider.MaxBatch {
			t.Errorf("%d runs were counted as purged, want %d", rest, 3*provider.MaxBatch)
		}
	})
}

// A number and an error may come together: what was purged before is counted.
func TestPurgeCountsBeforeItFails(t *testing.T) {
	s, w := sqliteDatabase(t).wired(t, Options{})
	newDefinitions(t, s).ended(provider.MaxBatch + 1)
	begun := 0
	w.reset(func(_ int, e event) fault {
		if e.text == "BEGIN" {
			begun++
		}
		if begun > 1 {
			return failBefore
		}
		return send
	})
	purged, err := s.PurgeRuns(context.Background(), time.Hour)
	if purged != provider.MaxBatch || !errors.Is(err, provider.ErrStoreUnavailable) {
		t.Errorf("got %d, %v, want %d and ErrStoreUnavailable", purged, err, provider.MaxBatch)
	}
}
