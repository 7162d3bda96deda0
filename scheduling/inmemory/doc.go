// Package inmemory keeps jobs, triggers, runs, nodes and leases in the memory
// of this process. It is the reference provider: the other providers are
// judged by what it does, and it is written to be read.
//
// # What it is for
//
// Use it for programs of one process that may forget their jobs at a restart
// (R135), for tests, and, with [Options.Shared], for several schedulers of one
// process that share one store, such as in a simulation of a cluster.
//
// # How it is built
//
// One mutex guards everything, so every method is one transaction that no
// other one overlaps; no row is ever held. Records go in and come out by
// value. A transaction writes in place and remembers how to undo each write;
// an error, a panic or a Goexit in a function of the caller's undoes them all.
// Triggers are kept in ordered indexes per what they are looked up by, so that
// a claim looks at due triggers only.
//
// The functions that the caller hands in ([provider.DecideFunc] and its like)
// run while the mutex is held: they must not call the store.
package inmemory
