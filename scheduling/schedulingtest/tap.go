package schedulingtest

import "context"

// record returns the events that the store sends during f.
func (e *Env) record(f func()) []Event {
	e.Helper()
	var events []Event
	e.SetTap(func(_ context.Context, event Event) Verdict {
		events = append(events, event)
		return Pass
	})
	f()
	e.untap()
	return events
}
