//go:build !race

package simulation

// shuffled: see race_test.go.
const shuffled = false
