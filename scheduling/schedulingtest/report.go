package schedulingtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Report counts what a run of a suite did. Read it when the run has ended.
type Report struct {
	// Harness and Suite name the run.
	Harness, Suite string
	// Cases ran; Failed of them failed.
	Cases, Failed int
	// KillPoints counts the faults that were injected, Interleavings the
	// schedules that were forced.
	KillPoints, Interleavings int
	// LeftOut counts the cases that did not run, by missing capability.
	LeftOut map[Capability]int

	mu         sync.Mutex
	rules      map[string][]string
	statements []string
	table      bool
	light      bool
}

func newReport(h Harness, suite string) *Report {
	return &Report{Harness: h.Name, Suite: suite, LeftOut: map[Capability]int{},
		rules: map[string][]string{}, table: h.RuleTable, light: h.Light}
}

func (r *Report) began(c Case) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Cases++
	for _, rule := range c.Rules {
		r.rules[rule] = append(r.rules[rule], c.Name)
	}
}

func (r *Report) failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Failed++
}

func (r *Report) leaveOut(missing Capability) { r.LeftOut[missing]++ }

func (r *Report) killed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.KillPoints++
}

func (r *Report) interleaved(schedules int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Interleavings += schedules
}

func (r *Report) counted(operation string, counts map[int]int) {
	var parts []string
	for _, size := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d:%d", size, counts[size]))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = append(r.statements, fmt.Sprintf("%s %s", operation, strings.Join(parts, " ")))
}

// String returns the report: one line of counts, what was left out, the
// statements per operation and batch size, and the rules where asked for.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s: %d cases, %d failed, %d kill points, %d interleavings", r.Suite, r.Harness, r.Cases, r.Failed,
		r.KillPoints, r.Interleavings)
	if r.light {
		b.WriteString(", a light run")
	}
	if len(r.LeftOut) == 0 {
		b.WriteString(", none left out")
	}
	for _, missing := range slices.Sorted(maps.Keys(r.LeftOut)) {
		fmt.Fprintf(&b, "\n  left out %d: lacks %v", r.LeftOut[missing], missing)
	}
	if len(r.statements) > 0 {
		fmt.Fprintf(&b, "\n  statements by batch size: %s", strings.Join(r.statements, "; "))
	}
	if r.table {
		for _, rule := range slices.Sorted(maps.Keys(r.rules)) {
			fmt.Fprintf(&b, "\n  %s: %s", rule, strings.Join(r.rules[rule], ", "))
		}
	}
	return b.String()
}

// Rules returns, for each rule, the names of its cases that ran.
func (r *Report) Rules() map[string][]string { return r.rules }
