package schedulingtest

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// RunScheduler runs the scheduler suite, as subtests of a subtest "scheduler",
// and logs the report. Whole schedulers run on the provider, several on one
// store where it is shared, each case in a bubble of package testing/synctest:
// its time is the bubble's, and minutes of it pass at once. The harness must
// have Subject.InBubble; without it every case is left out.
func RunScheduler(t *testing.T, h Harness) *Report { return run(t, h, "scheduler", SchedulerCases()) }

// SchedulerCases returns the scheduler suite.
func SchedulerCases() []Case {
	return slices.Concat(fireCases, windowCases, misfireCases, exclusiveCases, callCases, enqueuedCases, retryCases, timeoutCases,
		cancelCases, failoverCases, zombieCases, leaderCases, pausedCases, codeCases, codeStartCases, statusCases, eventCases, localCases,
		stopCases, unknownCases, unsharedCases, awayCases, handlerCases, dataCases, calendarCases,
		badInputCases, formCases)
}

// alone makes a case of one scheduler at a time. The rules are separated by
// spaces.
func alone(name, rules, explanation string, play func(w *World)) Case {
	return Case{Name: name, Rules: strings.Fields(rules), Explanation: explanation, Needs: Bubbling, Allow: Undrained,
		Run: func(e *Env) {
			synctest.Test(e.T, func(t *testing.T) { enact(t, e, play) })
		}}
}

// together makes a case of several schedulers on one store.
func together(name, rules, explanation string, play func(w *World)) Case {
	c := alone(name, rules, explanation, play)
	c.Needs |= Sharing
	return c
}

// enact plays a case in its bubble and judges the store that it leaves.
func enact(t *testing.T, e *Env, play func(w *World)) {
	inside := &Env{T: t, Subject: e.Subject, ctx: t.Context(), harness: e.harness, report: e.report, now: e.now}
	w := &World{Env: inside, log: &logBook{}, events: &eventBook{}}
	w.Store = e.InBubble(t)
	w.begin = now()
	t.Cleanup(w.settle)
	play(w)
	for _, n := range w.engines {
		if n.left() {
			n.stop()
		}
	}
	for _, f := range faults(w.look(w.Store), 0) {
		t.Errorf("invariant broken after the case: %s", f)
	}
}
