package schedulingtest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A duel forces every schedule of two operations: it runs the first once for
// each thing that it sends, and lets the second go ahead just before that.
type duel struct {
	name        string
	rules       []string
	explanation string
	needs       Capability
	allow       Allowance
	// set readies a fresh store and returns the two parties and the judge.
	set func(e *Env) bout
}

// bout is one schedule under way.
type bout struct {
	// first runs on e.Store, second on the handle that it is given. Both forget
	// what an earlier bout brought.
	first  func() error
	second func(s provider.Store) error
	// judge looks at what came out. early says that the second party had
	// returned before the first one sent its commit.
	judge func(early bool)
}

// grace is how long the first party stands still for the second. A second
// party that waits for a lock of the first one's cannot go on before.
const grace = 25 * time.Millisecond

func (d duel) asCase() Case {
	return Case{Name: "Interleaved" + d.name, Rules: d.rules, Explanation: d.explanation, Needs: d.needs | Sharing | Counting, Allow: d.allow, Run: d.run}
}

func (d duel) run(e *Env) {
	ready := repeatable(e, d.set)
	b := ready()
	var events []Event
	var err error
	events = e.record(func() { err = b.first() })
	e.must(err, "the first party alone")
	if len(events) == 0 {
		e.Fatalf("the first party sent nothing")
	}
	decisive := Statement
	if slices.ContainsFunc(events, func(event Event) bool { return event.Kind == Commit }) {
		decisive = Commit
	}
	for k, event := range events {
		if e.OneWriter && event.InTx && k > 0 {
			continue // the second party would wait for the first one's end
		}
		e.fight(ready(), k, decisive)
		e.report.interleaved(1)
		for _, f := range faults(e.look(e.Store), d.allow) {
			e.Errorf("invariant broken: %s", f)
		}
		if e.Failed() {
			e.Fatalf("with the second party before event %d of %d (%v %s)", k+1, len(events), event.Kind, shortened([]string{event.Text}))
		}
	}
}

// fight runs the first party, and the second just before event k.
func (e *Env) fight(b bout, k int, decisive EventKind) {
	e.Helper()
	other := e.other()
	returned := make(chan error, 1)
	begun, early, seen := false, false, 0
	e.SetTap(func(_ context.Context, event Event) Verdict {
		if seen == k && !begun {
			begun = true
			go func() { returned <- caught(func() error { return b.second(other) }) }()
			await(returned)
		}
		seen++
		if event.Kind == decisive {
			early = len(returned) > 0
		}
		return Pass
	})
	first := e.patient(b.first)
	e.untap()
	if !begun {
		e.Fatalf("event %d of the first party did not come", k)
	}
	e.must(first, "the first party")
	e.must(<-returned, "the second party")
	b.judge(early)
}

// caught runs f; a panic, which would end the whole run, becomes an error.
func caught(f func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return f()
}

// await gives the other party time to return, and takes nothing from it.
func await(returned chan error) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-returned:
		returned <- err
	case <-timer.C:
	}
}

// mostOvertakings is how often the second party changes the ground: more often
// than any operation sends something, unless it repeats itself. Where each change
// in between makes a database refuse the whole (serializable transactions), an
// operation that is overtaken for ever loses every race, which is no fault (D09).
const mostOvertakings = 40

// raced runs first while second changes its ground before everything that it
// sends. A second that waits for the first is the last one.
func (e *Env) raced(first func() error, second func(s provider.Store, round int) error) error {
	e.Helper()
	other, waits := e.other(), false
	var all []chan error
	e.SetTap(func(_ context.Context, event Event) Verdict {
		if waits || len(all) == mostOvertakings || event.InTx && e.OneWriter {
			return Pass
		}
		returned, round := make(chan error, 1), len(all)
		all = append(all, returned)
		go func() { returned <- caught(func() error { return second(other, round) }) }()
		await(returned)
		waits = len(returned) == 0
		return Pass
	})
	err := first()
	e.untap()
	for _, returned := range all {
		e.must(<-returned, "the other party")
	}
	e.report.interleaved(len(all))
	return err
}

// lost reports whether an operation lost every race, which is an answer.
func lost(err error) bool {
	var coded *provider.Error
	return errors.As(err, &coded) && coded.Reason == provider.ReasonContention
}

// errsOf joins the errors of a batch.
func errsOf(errs []error, err error) error { return errors.Join(append(errs, err)...) }

// ignoring drops the errors that a party of a duel may meet.
func ignoring(err error, allowed ...error) error {
	for _, a := range allowed {
		if errors.Is(err, a) {
			return nil
		}
	}
	return err
}

// oneOf fails the case unless got is one of the values.
func oneOf[V comparable](e *Env, got V, what string, want ...V) {
	e.Helper()
	for _, w := range want {
		if got == w {
			return
		}
	}
	e.Errorf("%s is %v, want one of %v", what, got, fmt.Sprint(want))
}
