package schedulingtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases that count what an operation sends: as much for 500 items as for one.
var statementCases = []Case{
	countCase("Enqueue", []string{"R234"}, 0, sizes, countEnqueue),
	countCase("Acquire", []string{"R031"}, 0, sizes, countAcquire),
	countCase("Begin", []string{"R034"}, 0, sizes, countBegin(false)),
	countCase("BeginExclusive", []string{"D35"}, 0, sizes, countBegin(true)),
	countCase("Claim", []string{"R034"}, Claiming, sizes, countClaim(false)),
	countCase("ClaimExclusive", []string{"D35"}, Claiming, sizes, countClaim(true)),
	countCase("Start", []string{"R232"}, 0, sizes, countStart),
	countCase("Record", []string{"R205"}, 0, sizes, countRecord),
	countCase("Complete", []string{"R037"}, 0, sizes, countComplete(false)),
	countCase("CompleteExclusive", []string{"D35", "R039"}, 0, sizes, countComplete(true)),
	countCase("CompleteSettling", []string{"R203", "R218"}, 0, sizes, countSettle),
	countCase("Release", []string{"R269"}, 0, sizes, countRelease),
	countCase("Sweep", []string{"D04"}, Sharing, []int{1, 16, 100}, countSweep),
	countCase("RequestCancel", []string{"R236"}, 0, sizes, countCancel),
	countCase("PauseTriggers", []string{"R231"}, 0, sizes, countPause),
	countCase("RemoveTriggers", []string{"D38"}, 0, sizes, countRemove),
}

// many stands for as many items as one statement carries.
const many = 0

var sizes = []int{1, 16, many}

// prepare readies a batch of a size and returns the operation over it.
type prepare func(e *Env, size int) (operation func())

func countCase(operation string, rules []string, needs Capability, sizes []int, p prepare) Case {
	return Case{Name: "Statements" + operation, Rules: rules, Needs: needs | Counting, Allow: Undrained,
		Explanation: "the number of statements does not depend on the size of the batch",
		Run: func(e *Env) {
			counts, texts := map[int]int{}, map[int][]string{}
			sizes := slices.Clone(sizes)
			if last := &sizes[len(sizes)-1]; *last == many {
				*last = e.largest()
			}
			for _, size := range sizes {
				e.fresh()
				operation := p(e, size)
				for _, event := range e.record(operation) {
					counts[size]++
					texts[size] = append(texts[size], event.Kind.String()+" "+event.Text)
				}
			}
			e.report.counted(operation, counts)
			for _, size := range sizes[1:] {
				if counts[size] != counts[sizes[0]] {
					e.Errorf("%d items take %d statements, %d take %d; want the same\n%s\n---\n%s", sizes[0], counts[sizes[0]], size, counts[size],
						shortened(texts[sizes[0]]), shortened(texts[size]))
				}
			}
		}}
}

// shortened renders statements, one a line, cut to what one can read.
func shortened(texts []string) string {
	var out []string
	for _, text := range texts {
		text = strings.Join(strings.Fields(text), " ")
		out = append(out, text[:min(len(text), 160)])
	}
	return strings.Join(out, "\n")
}

// shots builds so many one-shots, each of the same job or of a job of its own,
// which it saves.
func shots(e *Env, size int, ownExclusiveJobs bool) []provider.TriggerRecord {
	e.Helper()
	var batch []provider.TriggerRecord
	var items []provider.SaveItem
	for i := range size {
		name := "a"
		if ownExclusiveJobs {
			name = fmt.Sprintf("j%04d", i)
			items = append(items, item(job(name, exclusive)))
		}
		batch = append(batch, manual(name, fmt.Sprintf("%04d", i), e.now))
	}
	if !ownExclusiveJobs {
		items = []provider.SaveItem{item(job("a"))}
	}
	_, err := e.Store.SaveJobs(e.ctx, items)
	e.must(err, "SaveJobs")
	return batch
}

func (e *Env) want(got, want int, what string) {
	e.Helper()
	if got != want {
		e.Fatalf("%s: %d, want %d", what, got, want)
	}
}

func countEnqueue(e *Env, size int) func() {
	batch := shots(e, size, false)
	return func() { e.enqueue(batch...) }
}

func countAcquire(e *Env, size int) func() {
	n := e.node("n")
	e.enqueue(shots(e, size, false)...)
	return func() { e.want(len(e.acquire(n, size)), size, "claimed") }
}

func countBegin(ownExclusiveJobs bool) prepare {
	return func(e *Env, size int) func() {
		n := e.node("n")
		e.enqueue(shots(e, size, ownExclusiveJobs)...)
		claimed := e.acquire(n, size)
		return func() { e.want(len(started(e.beginWith(n, decide, claimed...))), size, "started") }
	}
}

func countClaim(ownExclusiveJobs bool) prepare {
	return func(e *Env, size int) func() {
		n := e.node("n")
		e.enqueue(shots(e, size, ownExclusiveJobs)...)
		return func() { e.want(len(started(e.claim(n, size))), size, "started") }
	}
}

func countStart(e *Env, size int) func() {
	n := e.node("n")
	shots(e, size, true)
	var calls []provider.RunRecord
	for i := range size {
		calls = append(calls, e.call(fmt.Sprintf("j%04d", i)))
	}
	return func() { e.want(len(started(e.startRuns(n, calls...))), size, "started") }
}

func countRecord(e *Env, size int) func() {
	n := e.node("n")
	var runs []provider.RunRecord
	for range size {
		runs = append(runs, localRun(e.runID(), "a", n, e.now))
	}
	return func() { e.must(e.Store.Record(e.ctx, runs), "Record") }
}

func countComplete(ownExclusiveJobs bool) prepare {
	return func(e *Env, size int) func() {
		n := e.node("n")
		batch := shots(e, size, ownExclusiveJobs)
		e.enqueue(batch...)
		begun := started(e.pass(n, size))
		e.want(len(begun), size, "started")
		if ownExclusiveJobs { // each with a Blocked trigger behind it
			for i := range batch {
				batch[i].Trigger += "-behind"
			}
			e.enqueue(batch...)
			e.pass(n, size)
		}
		return func() {
			if a := e.finish(n, begun...); ownExclusiveJobs {
				e.want(a.HandedBack, size, "handed back")
			}
		}
	}
}

func countSettle(e *Env, size int) func() {
	n := e.node("n")
	var triggers []provider.TriggerRecord
	for i := range size {
		triggers = append(triggers, every(fmt.Sprintf("t%04d", i), e.now))
	}
	e.save(job("a"), triggers...)
	begun := started(e.pass(n, size))
	e.want(len(begun), size, "started")
	var items []provider.Completion
	for _, b := range begun {
		items = append(items, inserting(b, retry("a", b.Trigger.Trigger, e.now.Add(time.Minute))))
	}
	return func() { e.complete(n, items...) }
}

func countRelease(e *Env, size int) func() {
	n := e.node("n")
	e.enqueue(shots(e, size, false)...)
	claimed := e.acquire(n, size)
	return func() { e.want(e.release(n, claimed...), size, "given back") }
}

func countSweep(e *Env, size int) func() {
	n := e.node("n")
	var items []provider.SaveItem
	for i := range size {
		items = append(items, item(job(fmt.Sprintf("j%04d", i), exclusive, recovers), every("t", e.now)))
	}
	_, err := e.Store.SaveJobs(e.ctx, items)
	e.must(err, "SaveJobs")
	e.want(len(started(e.pass(n, size))), size, "started")
	e.kill(n)
	return func() {
		a, err := e.Store.Sweep(e.ctx, provider.SweepRequest{Limit: size, Recover: recovery})
		e.must(err, "Sweep")
		e.want(len(a.Lost), size, "lost")
	}
}

func countCancel(e *Env, size int) func() {
	n := e.node("n")
	e.enqueue(shots(e, size, false)...)
	var ids []string
	for _, b := range started(e.pass(n, size)) {
		ids = append(ids, b.Run.ID)
	}
	return func() { e.all(e.Store.RequestCancel(e.ctx, ids)) }
}

func countPause(e *Env, size int) func() {
	batch := shots(e, size, false)
	e.enqueue(batch...)
	return func() { e.all(e.Store.PauseTriggers(e.ctx, keysOnly(batch))) }
}

func countRemove(e *Env, size int) func() {
	batch := shots(e, size, false)
	e.enqueue(batch...)
	return func() { e.all(e.Store.RemoveTriggers(e.ctx, keysOnly(batch))) }
}

func keysOnly(triggers []provider.TriggerRecord) []provider.TriggerKey {
	var out []provider.TriggerKey
	for t := range slices.Values(triggers) {
		out = append(out, t.TriggerKey)
	}
	return out
}
