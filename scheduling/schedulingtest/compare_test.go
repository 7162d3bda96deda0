package schedulingtest

import (
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// TestDiff checks what counts as a difference.
func TestDiff(t *testing.T) {
	type pair struct{ got, want any }
	same := map[string]pair{
		"records":     {provider.JobRecord{Name: "a"}, provider.JobRecord{Name: "a"}},
		"instants":    {Start.Round(0), Start},
		"no instants": {time.Time{}, time.Time{}},
		"pointers":    {&provider.LeaseRecord{Fence: 1}, &provider.LeaseRecord{Fence: 1}},
		"nil pointer": {(*provider.LeaseRecord)(nil), (*provider.LeaseRecord)(nil)},
		"slices":      {[]string{"a"}, []string{"a"}},
	}
	for what, p := range same {
		if d := diff(p.got, p.want); d != "" {
			t.Errorf("%s: equal values differ: %s", what, d)
		}
	}
	for want, p := range map[string]pair{
		`Name got "a", want "b"`:          {provider.JobRecord{Name: "a"}, provider.JobRecord{Name: "b"}},
		`Retry.Delay got 1s, want 0s`:     {provider.JobRecord{Retry: provider.RetryPolicy{Delay: time.Second}}, provider.JobRecord{}},
		`got 2026-03-02T20:00:00+08:00`:   {Start.In(time.FixedZone("", 8*3600)), Start}, // not UTC
		`got no instant, want 2026-03-02`: {time.Time{}, Start},
		`got 1 items [a], want 0 items`:   {[]string{"a"}, []string{}},
		`[1] got "b", want "c"`:           {[]string{"a", "b"}, []string{"a", "c"}},
		`want <nil>`:                      {&provider.LeaseRecord{}, (*provider.LeaseRecord)(nil)},
		`Trigger got "t", want "u"`:       {key("j", "t"), key("j", "u")},
		`got 1, want "a"`:                 {1, "a"},
		`(20012 bytes)`:                   {provider.JobRecord{Data: strings.Repeat("ü", 10005)}, provider.JobRecord{}},
	} {
		if d := diff(p.got, p.want); !strings.Contains(d, want) {
			t.Errorf("the difference is %q, want it to say %q", d, want)
		}
	}
}

// TestEffect checks that versions, sequences and the value of an incarnation
// are no part of an effect, and everything else is.
func TestEffect(t *testing.T) {
	a, b := sound(), sound()
	edit(b.runs, "r", func(r *provider.RunRecord) { r.Version, r.Sequence, r.Incarnation = 7, 7, 7 })
	edit(b.triggers, "x/c", func(r *provider.TriggerRecord) { r.Version, r.Incarnation = 7, 7 })
	edit(b.nodes, "n", func(n *provider.NodeRecord) { n.Version, n.Incarnation = 7, 7 })
	if d := changes(a.effect(), b.effect()); d != "" {
		t.Errorf("the effects differ: %s", d)
	}
	if d := changes(a.exact(), b.exact()); d == "" {
		t.Errorf("the exact renderings do not differ")
	}
	edit(b.runs, "r", func(r *provider.RunRecord) { r.Incarnation = 8 }) // another than the node's
	if d := changes(a.effect(), b.effect()); d == "" {
		t.Errorf("a run of another incarnation makes no difference")
	}
}

// TestReport checks what a report says.
func TestReport(t *testing.T) {
	r := newReport(Harness{Name: "memory", RuleTable: true}, "store")
	r.began(Case{Name: "One", Rules: []string{"R001", "D01"}})
	r.began(Case{Name: "Two", Rules: []string{"R001"}})
	r.failed()
	r.leaveOut(Holding | Poking)
	r.leaveOut(Holding | Poking)
	r.killed()
	r.interleaved(3)
	r.counted("Begin", map[int]int{16: 8, 1: 8})
	got := r.String()
	for _, want := range []string{"store on memory: 2 cases, 1 failed, 1 kill points, 3 interleavings",
		"left out 2: lacks holding rows, poking columns", "Begin 1:8 16:8", "R001: One, Two", "D01: One"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "none left out") {
		t.Errorf("the report says that none was left out:\n%s", got)
	}
}
