// Package schedulingtest holds the suites that every provider must pass: the
// store suite, the election suite and the scheduler suite. A provider's test
// runs them like this:
//
//	func TestConformance(t *testing.T) {
//		h := schedulingtest.Harness{Name: "mine", New: func(t testing.TB) schedulingtest.Subject {
//			clock := schedulingtest.NewClock()
//			store := openMyStore(t, clock.Now)
//			return schedulingtest.Subject{Store: store, SetNow: clock.Set,
//				Open:     func(t testing.TB) provider.Store { return openAgain(t, store, clock.Now) },
//				InBubble: func(t testing.TB) provider.Store { return openAgain(t, store, time.Now) }}
//		}}
//		schedulingtest.RunStore(t, h)
//		schedulingtest.RunElection(t, h)
//		schedulingtest.RunScheduler(t, h)
//	}
//
// # Cases are data
//
// [StoreCases], [ElectionCases] and [SchedulerCases] return the cases with their names, the rules
// that they hold up, one sentence that says what must be true, and what they
// need of the harness. A case that needs what the harness lacks is left out and
// counted; the report at the end of a run names the missing capability.
//
// # Nobody sleeps
//
// A case sets the store's clock. The only waits are for events, and the short
// grace in which a forced interleaving lets the other party go ahead. The
// scheduler suite runs whole schedulers in bubbles of package testing/synctest,
// whose time stands still while anything works; handles on the store are opened
// inside the bubble (Subject.InBubble), so that a database's sockets work there.
//
// # After every case
//
// The invariants of package provider are checked through the contract alone,
// whatever the case did. Then every node is convicted and swept, and what is
// due is drained: nothing may be left claimed, running, blocked or due.
//
// # Kill points
//
// With a [Tap] each store operation is run once recorded and then once for each
// statement and each way to fail: refused before it, failing after it, the
// connection cut, a conflict that asks for a repeat. The commit is refused,
// answered by nobody, and answered by nobody while the look-up fails too. After
// each the state must be what it was before, or what one undisturbed run makes
// of it, as the answer says; and what a node does next must lead to a sound end.
//
// # Mutants
//
// For each case there is at least one small change of the shipped code that it
// fails: the table is internal/mutation/testdata/mutants.tsv, make report prints
// it by case and by rule, make mutants replays it. A new case needs a mutant
// (see internal/mutation/mutants), or the tests of internal/mutation fail.
//
// # Scenarios
//
// Beside rule numbers (R…, D…) a case may name scenarios (B…): faults that
// other schedulers shipped. [Scenario] says what each is about.
package schedulingtest
