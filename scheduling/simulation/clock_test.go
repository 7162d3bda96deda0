package simulation

import (
	"sync/atomic"
	"time"
)

// nodeClock is a node's clock: off by a constant, running too fast or too slow
// by a part in a thousand, and jumping ahead as that of a machine that slept.
type nodeClock struct {
	began time.Time
	off   time.Duration
	drift int64        // nanoseconds per microsecond
	ahead atomic.Int64 // grows with each jump
}

func (c *nodeClock) Now() time.Time {
	now := time.Now()
	gained := time.Duration(now.Sub(c.began).Microseconds() * c.drift)
	return now.Add(c.off + gained + time.Duration(c.ahead.Load()))
}

func (c *nodeClock) AfterFunc(d time.Duration, f func()) func() bool {
	d -= time.Duration(d.Microseconds() * c.drift)
	return time.AfterFunc(d, f).Stop
}
