package gormsched

import (
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A commit that is still under way while it is looked up lands after all: the
// repeat then meets its own run ids, and must not say that nothing was written
// (contract: errors; D07).
func TestCommitThatLandsAfterItsLookUp(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		w := newWorld(t, s)
		other := d.store(t, Options{})
		w.jobs(false, "x")
		req := provider.StartRequest{Node: w.node, Runs: []provider.RunRecord{{ID: runIDs(1)[0], Job: "x", Kind: provider.KindManual, Attempt: 1}}}
		begins := 0
		wire.reset(func(_ int, e event) fault {
			switch {
			case e.text == "COMMIT" && begins == 1:
				return failBefore
			case e.text == "BEGIN":
				if begins++; begins == 2 { // now it lands
					_, err := other.Start(w.ctx, req)
					w.must(err)
				}
			}
			return send
		})
		_, err := s.Start(w.ctx, req)
		wire.reset(nil)
		if !isOutcomeUnknown(err) {
			t.Errorf("the error is %v, want one whose outcome is unknown", err)
		}
	})
}
