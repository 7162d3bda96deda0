package simulation

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// setting reads a whole number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q: use a whole number, 1 or more", name, text)
	}
	return n
}

// simulate runs one seed in a subtest and hands its world to use, if it came
// to an end.
func simulate(t *testing.T, seed uint64, minutes int, beside bool, use func(w *world)) {
	t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
		if beside {
			t.Parallel()
		}
		var w *world
		synctest.Test(t, func(t *testing.T) {
			w = newWorld(t, seed)
			w.out.keep = !beside || setting(t, "GORMSCHED_SIM_SEED", 0) != 0
			w.run(minutes)
		})
		w.report(t, fmt.Sprintf("GORMSCHED_SIM_SEED=%d GORMSCHED_SIM_MINUTES=%d", seed, minutes))
		use(w)
	})
}

// D04–D13, D19, D20, D25, D26, D35, D40, R148, R195–R224: whole clusters under
// all kinds of faults, judged by the model.
func TestSimulation(t *testing.T) {
	seeds, minutes := setting(t, "GORMSCHED_SIM_SEEDS", 20), setting(t, "GORMSCHED_SIM_MINUTES", 2)
	first := setting(t, "GORMSCHED_SIM_FIRST", 1)
	if one := setting(t, "GORMSCHED_SIM_SEED", 0); one != 0 {
		first, seeds = one, 1
	}
	var mu sync.Mutex
	faults, counts := map[string]int{}, map[string]int{}
	simulated, violations := time.Duration(0), 0
	t.Run("seeds", func(t *testing.T) {
		for seed := first; seed < first+seeds; seed++ {
			simulate(t, uint64(seed), minutes, true, func(w *world) {
				mu.Lock()
				defer mu.Unlock()
				add(faults, w.faults.count)
				add(counts, w.out.judge.counts)
				violations += len(w.out.judge.violations)
				simulated += w.lived
				if w.out.keep {
					t.Logf("history of %d events, hash %s", w.out.seq, w.out.hash())
					if file := os.Getenv("GORMSCHED_SIM_HISTORY"); file != "" {
						if err := os.WriteFile(file, []byte(strings.Join(w.out.lines(w.out.all), "\n")), 0o600); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	})
	t.Logf("%d seeds from %d, %.1f simulated hours, %d runs, %d violations", seeds, first, simulated.Hours(), counts["runs"], violations)
	t.Logf("faults: %s", tally(faults))
	t.Logf("seen: %s", tally(counts))
	if seeds < 20 {
		return
	}
	for _, what := range []string{"2 claims of a node at once", "3 claims of a node at once", "long pause", "pause what is claimed"} {
		if faults[what] == 0 {
			t.Errorf("nothing was done of %q", what)
		}
	}
	for _, what := range []string{"triggers paused by PauseTriggers", "triggers resumed by ResumeTriggers", "late begins of triggers that were paused", "all slots taken"} {
		if counts[what] == 0 {
			t.Errorf("nothing was seen of %q", what)
		}
	}
}

// report fails the test with the violations, the seed and the history before
// the first of them.
func (w *world) report(t *testing.T, replay string) {
	for i, v := range w.out.judge.violations {
		if i == 8 {
			t.Errorf("… and %d more", len(w.out.judge.violations)-i)
			break
		}
		t.Errorf("seed %d, event %d: %s: %s", w.chance.seed, v.seq, v.rule, w.out.canonical(v.text))
	}
	if t.Failed() {
		events := w.out.fatal
		if events == nil {
			events = w.out.tail()
		}
		t.Logf("replay with %s; the history up to the first violation:\n%s", replay, strings.Join(w.out.lines(events), "\n"))
	}
}

func add(to, counts map[string]int) {
	for what, n := range counts {
		to[what] += n
	}
}

func tally(counts map[string]int) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, counts[what]))
	}
	return strings.Join(parts, ", ")
}

// The store's own invariants hold after every call that changes something. The
// long runs look after one minute, then every five minutes, and at the end.
func TestInvariantsAfterEveryCall(t *testing.T) {
	for _, seed := range []uint64{11, 12, 13, 14} {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			var w *world
			synctest.Test(t, func(t *testing.T) {
				w = newWorld(t, seed)
				w.ledger.every = true
				w.run(5)
			})
			if w.ledger.checks < 1000 {
				t.Errorf("%d checks", w.ledger.checks)
			}
			w.report(t, fmt.Sprintf("GORMSCHED_SIM_SEED=%d GORMSCHED_SIM_MINUTES=5", seed))
		})
	}
}

// One seed gives one history: two runs of it have the same hash, and another
// seed has another. Under the race detector the engine's own goroutines go on in
// random order, so that histories may part; there only the judge decides.
func TestSeedReplays(t *testing.T) {
	hashes := map[string]bool{}
	for _, seed := range []uint64{3, 3, 4, 4, 9, 9} {
		simulate(t, seed, 5, false, func(w *world) { hashes[w.out.hash()] = true })
	}
	if len(hashes) != 3 && !shuffled {
		t.Errorf("seeds 3, 4 and 9, each twice, gave %d different histories, want 3", len(hashes))
	}
}
