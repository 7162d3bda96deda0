package schedulingtest

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Case is one case of a suite.
type Case struct {
	// Name is unique within its suite.
	Name string
	// Rules are the numbers that the case holds up: R…, D…, and scenarios B….
	Rules []string
	// Explanation says in one sentence what must be true.
	Explanation string
	// Needs are the capabilities without which the case is left out.
	Needs Capability
	// Allow names invariants that the case breaks on purpose.
	Allow Allowance
	// Parallel lets the case run beside others, each on a store of its own: it
	// waits much, for a store that repeats what failed.
	Parallel bool
	// Run judges one fresh store.
	Run func(e *Env)
}

// Capability is something that a harness or its store can do; a set of bits.
type Capability uint16

// The capabilities.
const (
	// Claiming: the store has Claim and wants it used (provider.Info.Claims).
	Claiming Capability = 1 << iota
	// Sharing: other processes see the same state (provider.Info.Shared), and
	// Subject.Open opens a second handle.
	Sharing
	// Tapping: Subject.SetTap is there.
	Tapping
	// Counting: the tap sees every statement.
	Counting
	// HoldingJobs: Subject.HoldJob is there.
	HoldingJobs
	// Holding: Subject.Hold is there.
	Holding
	// Poking: Subject.Poke is there.
	Poking
	// AppTransactions: Subject.InTx is there.
	AppTransactions
	// ManyWriters: transactions that write go on beside each other.
	ManyWriters
	// Heaviness: the run is not a light one (Harness.Light).
	Heaviness
	// Bubbling: Subject.InBubble is there.
	Bubbling
	// Unshared: no other process sees the state (provider.Info.Shared).
	Unshared
)

var capabilityNames = []struct {
	bit  Capability
	name string
}{
	{Claiming, "claiming"}, {Sharing, "sharing"}, {Tapping, "tapping"}, {Counting, "counting statements"},
	{HoldingJobs, "holding jobs"},
	{Holding, "holding rows"}, {Poking, "poking columns"}, {AppTransactions, "application transactions"}, {ManyWriters, "several writers"},
	{Heaviness, "time (it is a light run)"},
	{Bubbling, "opening in a bubble"}, {Unshared, "a store of its own"},
}

// String names the capabilities of the set.
func (c Capability) String() string {
	var names []string
	for _, n := range capabilityNames {
		if c&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
}

// Allowance is a set of invariants that a case may leave broken.
type Allowance uint8

// The allowances.
const (
	// ManyRunning: an exclusive job has more than one Running record (D12).
	ManyRunning Allowance = 1 << iota
	// Damaged: rows were poked; only what the case checks itself is judged.
	Damaged
	// Undrained: the case leaves more due than a check should drain.
	Undrained
)

// RunStore runs the store suite, as subtests of a subtest "store", and logs the
// report. The harness' stores must be empty at first and are used by one case
// each, one after the other.
func RunStore(t *testing.T, h Harness) *Report { return run(t, h, "store", StoreCases()) }

// RunElection runs the election suite, as subtests of a subtest "election", and
// logs the report.
func RunElection(t *testing.T, h Harness) *Report { return run(t, h, "election", ElectionCases()) }

// StoreCases returns the store suite.
func StoreCases() []Case {
	return slices.Concat(basicCases, definitionCases, progressCases, occupancyCases, listCases, triggerCases,
		pauseCases, enqueueCases, acquireCases, beginCases, beginEndCases, startCases, claimCases, claimBlockCases,
		completeCases, settleCases, returnCases, blockCases, drainCases, nodeCases, convictCases, sweepCases, sweepNetCases,
		historyCases, historyReadCases, roundTripCases, hostileCases, textCases, batchCases, lockCases, appTxCases, damageCases, outgrowCases,
		raceCases, statementCases, interleaveCases(), racedCases, unsentCases, killCases())
}

// ElectionCases returns the election suite.
func ElectionCases() []Case {
	return slices.Concat(electionCases, electionClockCases, electionRaceCases, electionKillCases())
}

func run(t *testing.T, h Harness, suite string, cases []Case) *Report {
	t.Helper()
	r := newReport(h, suite)
	t.Run(suite, func(t *testing.T) {
		has := capabilities(h.New(t))
		if !h.Light {
			has |= Heaviness
		}
		for _, c := range cases {
			if h.Only != nil && !h.Only(c) {
				continue
			}
			if missing := c.Needs &^ has; missing != 0 {
				r.leaveOut(missing)
				continue
			}
			t.Run(c.Name, func(t *testing.T) { runCase(t, h, c, r) })
		}
	})
	t.Log(r)
	return r
}

// watchdog ends a case that hangs.
const watchdog = 2 * time.Minute

func runCase(t *testing.T, h Harness, c Case, r *Report) {
	if c.Parallel {
		t.Parallel()
	}
	r.began(c)
	defer func() { // one case's panic must not end the others
		if cause := recover(); cause != nil {
			t.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), watchdog)
	defer cancel()
	defer func() {
		if t.Failed() {
			t.Logf("%s holds up %s: %s", c.Name, strings.Join(c.Rules, ", "), c.Explanation)
			r.failed()
		}
	}()
	e := newEnv(ctx, t, h, r)
	c.Run(e)
	if e.untap(); !t.Failed() {
		judge(e, c.Allow)
	}
}

func capabilities(s Subject) Capability {
	var c Capability
	set := func(bit Capability, has bool) {
		if has {
			c |= bit
		}
	}
	info := s.Store.Info()
	_, claimer := s.Store.(provider.Claimer)
	set(Claiming, info.Claims && claimer)
	set(Sharing, info.Shared && s.Open != nil)
	set(Tapping, s.SetTap != nil)
	set(Counting, s.SetTap != nil && s.Statements)
	set(HoldingJobs, s.HoldJob != nil)
	set(Holding, s.Hold != nil)
	set(Poking, s.Poke != nil)
	set(AppTransactions, s.InTx != nil)
	set(ManyWriters, s.Open != nil && !s.OneWriter)
	set(Bubbling, s.InBubble != nil)
	set(Unshared, !info.Shared)
	return c
}
