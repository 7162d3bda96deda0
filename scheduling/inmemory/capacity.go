package inmemory

import (
	"fmt"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// makeRoom makes room for one more run record: it evicts the record that
// finished first where MaxRuns are kept (D37). It reports false where all of
// them are Running.
func (t *tx) makeRoom() bool {
	for len(t.runs) >= t.store.options.MaxRuns {
		oldest, ok := t.finished.first()
		if !ok {
			return false
		}
		t.deleteRun(oldest.id)
	}
	return true
}

// storeFull is the answer where no run could begin for want of room (R302).
func storeFull(most int) error {
	return &provider.Error{
		Code:   provider.CodeStoreFull,
		Reason: fmt.Sprintf("all %d run records are of running runs: wait until some end, or raise Options.MaxRuns", most),
	}
}
