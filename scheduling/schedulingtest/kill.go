package schedulingtest

import (
	"context"
	"errors"
	"fmt"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A victim is an operation that is killed at everything it sends.
type victim struct {
	name  string
	rules []string
	needs Capability
	allow Allowance
	// set readies a fresh store. The same names are drawn each time.
	set func(e *Env) attempt
}

// attempt is one go at the operation.
type attempt struct {
	// run runs it and renders its answer, for comparison with an undisturbed one.
	run func() (string, error)
	// again is what the caller does after an error; nil = run once more.
	again func() error
}

func (v victim) asCase() Case {
	return Case{Name: "Killed" + v.name, Rules: append([]string{"R020", "R021", "R022"}, v.rules...), Needs: v.needs | Tapping, Allow: v.allow, Parallel: true,
		Explanation: "whatever fails while it runs, the operation is done whole or not at all, says which, and can be driven to its end",
		Run:         v.run}
}

// verdicts are the ways in which each kind of event can fail.
var verdicts = map[EventKind][]Verdict{
	Begin:     {FailBefore, Cut, Conflict},
	Statement: {FailBefore, FailAfter, Cut, Conflict},
	Commit:    {FailBefore, FailAfter, Conflict},
}

// ideal is what an undisturbed run finds, sends, answers and leaves.
type ideal struct {
	before []string
	events []Event
	answer string
	effect []string
}

func (v victim) run(e *Env) {
	ready := repeatable(e, v.set)
	a := ready()
	before := e.look(e.Store)
	var want ideal
	var err error
	want.events = e.record(func() { want.answer, err = a.run() })
	e.must(err, "the undisturbed run")
	want.before, want.effect = before.exact(), e.look(e.Store).effect()
	if len(want.events) == 0 {
		e.Fatalf("the operation sent nothing")
	}
	driven := map[string]bool{}
	for k, event := range want.events {
		ways := verdicts[event.Kind]
		if e.harness.Light && event.Kind != Commit {
			ways = ways[k%len(ways):][:1]
		}
		for _, verdict := range ways {
			if e.CanFail != nil && !e.CanFail(event, verdict) {
				continue
			}
			v.kill(e, ready, want, k, verdict, -1, driven)
			if event.Kind != Commit || verdict != FailAfter {
				continue
			}
			for lookUp := 0; v.kill(e, ready, want, k, verdict, lookUp, driven); lookUp++ {
			}
		}
	}
}

// kill runs the operation once, with event k failing as the verdict says and,
// where lookUp is not negative, the event that many after it being cut, with
// all that follow. It reports whether such an event came.
func (v victim) kill(e *Env, ready func() attempt, want ideal, k int, verdict Verdict, lookUp int, driven map[string]bool) bool {
	e.Helper()
	a := ready()
	if e.Mark == nil {
		want.before = e.look(e.Store).exact()
	}
	seen, struck, cut := 0, false, false
	e.SetTap(func(_ context.Context, event Event) Verdict {
		at := seen
		seen++
		switch {
		case at == k:
			if struck = true; event.Kind != want.events[k].Kind {
				return Pass
			}
			return verdict
		case lookUp >= 0 && at > k+lookUp:
			cut = true
			return Cut
		}
		return Pass
	})
	answer, err := a.run()
	e.untap()
	if lookUp >= 0 && !cut {
		return false
	}
	e.report.killed()
	point := fmt.Sprintf("%v at event %d of %d, %v %s", verdict, k+1, len(want.events), want.events[k].Kind, shortened([]string{want.events[k].Text}))
	if lookUp >= 0 {
		point += fmt.Sprintf(", everything cut from event %d after it", lookUp+1)
	}
	if !struck {
		e.Fatalf("no kill point: %s was not reached", point)
	}
	unchanged := v.judgeKill(e, want, answer, err, point, verdict, cut)
	if class := fmt.Sprint(err == nil, errors.Is(err, provider.ErrOutcomeUnknown), unchanged); !driven[class] {
		driven[class] = true
		v.drive(e, a, err, point)
	}
	return true
}

// judgeKill compares answer and state with what they may be, and reports
// whether the state is what it was before.
func (v victim) judgeKill(e *Env, want ideal, answer string, err error, point string, verdict Verdict, cut bool) bool {
	e.Helper()
	after := e.look(e.Store)
	unchanged := changes(want.before, after.exact())
	done := changes(want.effect, after.effect())
	unknown := errors.Is(err, provider.ErrOutcomeUnknown)
	switch {
	case err == nil && done != "":
		e.Errorf("%s: no error, but against an undisturbed run the store has\n%s", point, done)
	case err == nil && answer != want.answer:
		e.Errorf("%s: the answer is %s, want %s", point, answer, want.answer)
	case err == nil && cut:
		e.Errorf("%s: no error although nothing could be looked up", point)
	case err != nil && !errors.Is(err, provider.ErrStoreUnavailable) && !errors.Is(err, provider.ErrElectionUnavailable):
		e.Errorf("%s: error %v, want an unavailable one", point, err)
	case unknown && unchanged != "" && done != "":
		e.Errorf("%s: outcome unknown, and the store is half done: against before\n%s\nagainst done\n%s", point, unchanged, done)
	case err != nil && !unknown && unchanged != "":
		e.Errorf("%s: error %v, which says that nothing changed, but\n%s", point, err, unchanged)
	case err != nil && verdict == Conflict && !cut && e.Statements:
		e.Errorf("%s: error %v, want the transaction repeated", point, err)
	case err != nil && verdict == FailAfter && unchanged != "" && !cut && e.Statements:
		e.Errorf("%s: error %v although the outcome could be looked up", point, err)
	}
	if e.Failed() {
		e.FailNow()
	}
	return unchanged == ""
}

// drive does what the caller does next, and judges the end.
func (v victim) drive(e *Env, a attempt, err error, point string) {
	e.Helper()
	if err != nil {
		again := a.again
		if again == nil {
			again = func() error { _, err := a.run(); return err }
		}
		if err := again(); err != nil {
			e.Errorf("%s, and then: %v", point, err)
		}
	}
	if judge(e, v.allow); e.Failed() {
		e.Fatalf("%s, driven on after error %v", point, err)
	}
	twice(e, point)
}

// twice fails the case if an occurrence has more than one run.
func twice(e *Env, point string) {
	e.Helper()
	seen := map[string]string{}
	for id, r := range e.look(e.Store).runs {
		if r.TriggerName == "" {
			continue
		}
		k := fmt.Sprintf("%s/%s at %v", r.Job, r.TriggerName, r.ScheduledAt)
		if other, ok := seen[k]; ok {
			e.Errorf("%s: %s ran twice, as %s and %s", point, k, other, id)
		}
		seen[k] = id
	}
}
