package simulation

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// chance draws from a seed and the name of what is decided, not from a common
// stream: who asks first changes nothing.
type chance struct{ seed uint64 }

// of returns a source of its own for what the parts name.
func (c chance) of(parts ...string) *rand.Rand {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	sum := uint64(offset)
	for _, part := range parts {
		for i := range len(part) {
			sum = (sum ^ uint64(part[i])) * prime
		}
		sum *= prime
	}
	return rand.New(rand.NewPCG(c.seed, sum))
}

// between draws a duration, odd to the nanosecond.
func between(r *rand.Rand, from, to time.Duration) time.Duration {
	return from + time.Duration(r.Int64N(int64(to-from)))
}

func number[N int | int64 | uint64](n N) string { return strconv.FormatInt(int64(n), 10) }

// pass lets d of the bubble's time go by.
func pass(d time.Duration) { time.Sleep(d) }
