//go:build race

package gormsched_test

// underRace says that the tests run under the race detector, which makes the
// SQLite in this process 15 times slower.
const underRace = true
