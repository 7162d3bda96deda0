package schedulingtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// leaseName is the resource that the cases compete for.
const leaseName = "scheduling.jobs"

// snapshot is a store's whole state, read through the contract.
type snapshot struct {
	now      time.Time
	jobs     map[string]provider.JobRecord
	triggers map[string]provider.TriggerRecord
	runs     map[string]provider.RunRecord
	nodes    map[string]provider.NodeRecord
	lease    provider.LeaseRecord
}

// pageSize is small, so that the pages of listings are part of every check.
const pageSize = 200

// look reads everything. Nothing may change meanwhile.
func (e *Env) look(store provider.Store) snapshot {
	e.Helper()
	s := snapshot{jobs: map[string]provider.JobRecord{}, triggers: map[string]provider.TriggerRecord{},
		runs: map[string]provider.RunRecord{}, nodes: map[string]provider.NodeRecord{}}
	for after := ""; ; {
		page, err := store.ListJobs(e.ctx, after, pageSize)
		e.must(err, "ListJobs")
		for _, j := range page {
			if j.Name <= after {
				e.Fatalf("ListJobs: %q comes after %q", j.Name, after)
			}
			s.jobs[j.Name], after = j, j.Name
		}
		if len(page) < pageSize {
			break
		}
	}
	for after := (provider.TriggerKey{}); ; {
		page, err := store.ListTriggers(e.ctx, provider.TriggerQuery{After: after, Limit: pageSize})
		e.must(err, "ListTriggers")
		for _, t := range page {
			if after != (provider.TriggerKey{}) && t.TriggerKey.Compare(after) <= 0 {
				e.Fatalf("ListTriggers: %v comes after %v", t.TriggerKey, after)
			}
			s.triggers[t.TriggerKey.String()], after = t, t.TriggerKey
		}
		if len(page) < pageSize {
			break
		}
	}
	for skip := 0; ; skip += provider.MaxRunPage {
		page, err := store.Runs(e.ctx, provider.RunQuery{Skip: skip, Limit: provider.MaxRunPage})
		e.must(err, "Runs")
		for _, r := range page {
			if _, twice := s.runs[r.ID]; twice {
				e.Fatalf("Runs: %s comes twice", r.ID)
			}
			s.runs[r.ID] = r
		}
		if len(page) < provider.MaxRunPage {
			break
		}
	}
	list, err := store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	s.now = list.Now
	for _, n := range list.Nodes {
		s.nodes[n.ID] = n
	}
	lease, err := store.Election().Inspect(e.ctx, leaseName)
	e.must(err, "Inspect")
	s.lease = lease.Lease
	return s
}

// exact renders the state, a line per row, for a comparison that nothing slips
// through.
func (s snapshot) exact() []string { return s.lines(false) }

// effect renders what an operation brings about: versions and sequences, which
// a repeat may spend, are left out, and incarnations, which differ from store to
// store, are counted per node.
func (s snapshot) effect() []string { return s.lines(true) }

// ranks numbers the incarnations of each node in ascending order from 1.
func (s snapshot) ranks() map[provider.NodeRef]int64 {
	all := map[provider.NodeRef]int64{}
	for _, n := range s.nodes {
		all[n.NodeRef] = 0
	}
	for _, r := range s.runs {
		all[provider.NodeRef{ID: r.Node, Incarnation: r.Incarnation}] = 0
	}
	for _, t := range s.triggers {
		all[provider.NodeRef{ID: t.ClaimedBy, Incarnation: t.Incarnation}] = 0
	}
	for ref := range all {
		for other := range all {
			if other.ID == ref.ID && other.Incarnation <= ref.Incarnation {
				all[ref]++
			}
		}
	}
	return all
}

func (s snapshot) lines(loose bool) []string {
	var out []string
	rank := s.ranks()
	for _, k := range slices.Sorted(maps.Keys(s.jobs)) {
		j := s.jobs[k]
		if loose {
			j.Version = 0
		}
		out = append(out, fmt.Sprintf("job %+v", j))
	}
	for _, k := range slices.Sorted(maps.Keys(s.triggers)) {
		t := s.triggers[k]
		if loose {
			t.Version, t.Incarnation = 0, rank[provider.NodeRef{ID: t.ClaimedBy, Incarnation: t.Incarnation}]
		}
		out = append(out, fmt.Sprintf("trigger %+v", t))
	}
	for _, k := range slices.Sorted(maps.Keys(s.runs)) {
		r := s.runs[k]
		if loose {
			r.Version, r.Sequence, r.Incarnation = 0, 0, rank[provider.NodeRef{ID: r.Node, Incarnation: r.Incarnation}]
		}
		out = append(out, fmt.Sprintf("run %+v", r))
	}
	for _, k := range slices.Sorted(maps.Keys(s.nodes)) {
		n := s.nodes[k]
		if loose {
			n.Version, n.Incarnation = 0, rank[n.NodeRef]
		}
		out = append(out, fmt.Sprintf("node %+v", n))
	}
	l := s.lease
	if loose {
		l.Version, l.Fence = 0, min(l.Fence, 1) // fences outlive the rows
	}
	return append(out, fmt.Sprintf("lease %+v", l))
}

// changes says which lines two renderings do not share; "" = none.
func changes(before, after []string) string {
	var out []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			out = append(out, "- "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			out = append(out, "+ "+line)
		}
	}
	const most = 12
	if len(out) > most {
		out = append(out[:most], fmt.Sprintf("and %d more", len(out)-most))
	}
	return strings.Join(out, "\n")
}

// unchanged runs f and fails the case if it changed anything in the store.
func (e *Env) unchanged(what string, f func()) {
	e.Helper()
	before := e.look(e.Store).exact()
	f()
	if d := changes(before, e.look(e.Store).exact()); d != "" {
		e.Errorf("%s changed the store:\n%s", what, d)
	}
}
