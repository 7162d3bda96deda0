// Package scheduling runs jobs at their time on any number of nodes that share
// one store: each due trigger is run by exactly one of them, and everything
// that was declared, waits, runs or has run is kept in the store.
//
// # The engine's parties
//
// A running [Scheduler] has these goroutines, each with its own pace, so that
// none waits behind another's call to the store:
//
//   - heartbeat: renews the node's row, reads the node table (D30);
//   - watch: cancels the runs when the heartbeat stays unacknowledged (D25);
//   - lease: renews the leader's lease, or tries to get it (D30);
//   - recovery: the leader's convictions and sweeps (D04);
//   - upkeep: the leader's purge and zone recomputation (R255, D43);
//   - claim: claims what is due and starts it;
//   - completion: up to four lanes that end runs in the store;
//   - poll: code jobs, cancel requests, lost answers, errors to return;
//   - local: the jobs that every instance runs on its own clock (R149), and a
//     recorder for their history;
//   - one for each run that is executing.
//
// # Invariants
//
// The id of every run that this process knows of is in one of three sets under
// Scheduler.mu: calling (a store call that may begin it is under way), live
// (its handler is running) and ending (its end is on the way to the store). The
// next set gets it before the last one loses it, or under one hold of the
// mutex, so that the poll, which copies the sets before and after it asks the
// store, never takes a run that this process knows for one whose answer was
// lost (D07). A run that was given up while its handler still runs is in live
// and in ending.
//
// A handler is started only after its run was entered into live, under the
// mutex and after a look at the heartbeat's age and at the stop; isolation,
// conviction and stop pass over live under the same mutex. No handler therefore
// starts after they have passed.
//
// # Locks
//
// Every mutex of the package is a leaf: none is taken while another is held,
// and none is held during a call to the store, a handler, a calendar, a
// publisher or a logger.
//
// # When a party stops for ever
//
// A handler that never returns keeps its slot and nothing else; a stop names
// it and leaves the node's row to age. A store call that never returns stops
// its own party only: without heartbeat the watch gives the runs up; without
// claim nothing new starts here; without completion ended runs stay Running
// until this node stops or is convicted. A publisher that hangs fills its
// queue, and events are dropped. A node that stops is convicted by the leader;
// a leader that stops loses its lease by the store's clock.
package scheduling
