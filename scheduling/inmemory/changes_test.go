package inmemory

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// mirror is a copy of all rows that is kept by what the hook says alone.
type mirror map[string]any

func (m mirror) follow(t testing.TB) func(op string, c Changes) {
	return func(op string, c Changes) {
		t.Helper()
		told(t, m, op, c.Jobs, func(r provider.JobRecord) string { return "job " + r.Name })
		told(t, m, op, c.Triggers, func(r provider.TriggerRecord) string { return "trigger " + r.TriggerKey.String() })
		told(t, m, op, c.Runs, func(r provider.RunRecord) string { return "run " + r.ID })
		told(t, m, op, c.Nodes, func(r provider.NodeRecord) string { return "node " + r.ID })
		told(t, m, op, c.Leases, func(r provider.LeaseRecord) string { return "lease " + r.Resource })
	}
}

func told[R comparable](t testing.TB, m mirror, op string, changes []Change[R], name func(R) string) {
	t.Helper()
	for _, c := range changes {
		var key string
		switch {
		case c.Before != nil:
			key = name(*c.Before)
		case c.After != nil:
			key = name(*c.After)
		default:
			t.Errorf("%s tells of a row that was never there", op)
			continue
		}
		known, there := m[key]
		if there != (c.Before != nil) || there && known != any(*c.Before) {
			t.Errorf("%s: %s was %v, the hook says %v", op, key, known, c.Before)
		}
		if delete(m, key); c.After != nil {
			m[key] = *c.After
		}
	}
}

// Whoever follows [Options.Committed] knows every row, whatever happens:
// faults, panics, undone transactions, rows that are written more than once.
func TestCommittedTellsEveryChange(t *testing.T) {
	for seed := range uint64(5) {
		m := mirror{}
		w := newWorldWith(t, seed, Options{Committed: m.follow(t)})
		for range 150 {
			w.step()
			rows := w.state()
			for key, row := range rows {
				if of, ok := row.(runRow); ok {
					rows[key] = of.RunRecord
				}
			}
			if !reflect.DeepEqual(map[string]any(m), rows) {
				t.Fatalf("seed %d: the hook told of %d rows, there are %d, or they differ", seed, len(m), len(rows))
			}
		}
	}
}

// A transaction that writes nothing, or fails, is not told of; a row that comes
// and goes within one is left out, and one that is written twice comes once.
func TestCommittedTellsTheNetChange(t *testing.T) {
	var ops []string
	var last Changes
	f := newFixture(t, Options{Shared: true, Committed: func(op string, c Changes) { ops, last = append(ops, op), c }})
	f.save(exclusiveJob("a"), due("cron", start))
	if ops = nil; len(last.Jobs) != 1 || len(last.Triggers) != 1 || last.Jobs[0].Before != nil {
		t.Errorf("a new job with a trigger is told as %+v", last)
	}
	_, err := f.Now(f.ctx)
	f.ok(err)
	_, err = f.Jobs(f.ctx, []string{"a"})
	f.ok(err)
	if len(ops) > 0 {
		t.Errorf("reads are told of: %v", ops)
	}
	f.enqueue("a", "x")
	if !slices.Equal(ops, []string{"Enqueue"}) {
		t.Errorf("told of %v, want Enqueue once", ops)
	}
	_, err = f.DeleteJobs(f.ctx, []string{"a"})
	f.ok(err)
	if len(last.Triggers) != 2 || len(last.Jobs) != 1 || last.Jobs[0].After != nil || last.Jobs[0].Before == nil {
		t.Errorf("a deleted job with two triggers is told as %+v", last)
	}
}
