//go:build !race

package gormsched_test

// underRace says that the tests run under the race detector.
const underRace = false
