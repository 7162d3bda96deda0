//go:build race

package simulation

// shuffled says that goroutines which wake at one instant go on in a random
// order: the race detector shuffles the scheduler's queues.
const shuffled = true
