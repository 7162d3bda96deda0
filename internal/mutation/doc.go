// Package mutation makes mutants of the shipped code and says which case of
// which suite fails for them. A mutant is a change of one condition, order or
// column: a term that is taken out of a WHERE, an order that is turned round,
// a write that is dropped. It compiles, and fails its cases.
//
// # One build for all mutants
//
// [Find] goes through the source of a [Target] and finds the places that can be
// changed; [Instrument] writes copies in which each place calls package mutate,
// and go test builds them through an overlay. Which mutant acts is said by the
// environment of the run, so that hundreds need one build.
//
// # The table
//
// testdata/mutants.tsv holds, for each case of the suites, mutants that it
// fails. A mutant is named by its file, its function, the original text and the
// change, so that other lines may come and go; the report adds the line. The
// tests of this package check that every entry still applies and that no case is
// without an entry; the command mutants replays the table and reports it, and
// finds mutants for new cases (see its documentation).
package mutation
