package simulation

import "time"

// oddCalendar is the name of the application's calendar.
const oddCalendar = "odd"

// calendar is the application's, as one process has it: it is slow at times,
// and hangs for longer than the engine waits.
type calendar struct{ p *process }

func (c calendar) IsExcluded(at time.Time) bool {
	r := c.p.world.chance.of("calendar", c.p.name, number(at.Unix()))
	if level := c.p.world.faults.level(); r.Float64() < 0.004*level {
		c.p.world.faults.struck("slow calendar")
		d := between(r, 10*time.Millisecond, time.Second)
		if r.IntN(8) == 0 {
			c.p.world.faults.struck("calendar hangs")
			d = between(r, 9*time.Second, 14*time.Second)
		}
		pass(d)
	}
	return oddHalf(at)
}
