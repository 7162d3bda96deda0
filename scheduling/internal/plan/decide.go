package plan

import (
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Decide returns the decision over a due trigger. In a claim prepared is nil,
// and a trigger whose application calendar would have to be asked is held
// (provider.Hold); in begin it is what [Rules.Prepare] made.
//
// A trigger that this version cannot read (newer schedule text, unknown enum
// value) is left as it is: Leave in a claim, Return in begin (D14). Nothing
// else is ever left.
func (r *Rules) Decide(prepared *Prepared) provider.DecideFunc {
	return func(c provider.Candidate) provider.Decision { return provider.Decision{Action: provider.Leave} }
}

// DecideLocal decides over a due trigger of a job that runs on every instance,
// on the node's own clock (R205, R206). c.Now is the node's clock and
// c.Occupied says that an exclusive job still runs here: the occurrence is then
// skipped and the next computed from now. The answer is Start, Advance or
// Leave. It may ask application calendars, whose panics are caught.
func (r *Rules) DecideLocal(c provider.Candidate) provider.Decision {
	return provider.Decision{Action: provider.Leave}
}
