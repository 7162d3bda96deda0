package gormsched

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A one-shot that was removed and enqueued anew under the same key, for a later
// instant, between a candidate's being read and locked, is not claimed as the
// one that was due (R028, D38): both have the version of a new row.
func TestAcquireDoesNotTakeARebornOneShot(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{Optimistic: true})
		w := newWorld(t, s)
		other := d.store(t, Options{})
		w.jobs(false, "x")
		key := w.enqueue("x", 1)[0]
		at := false
		wire.reset(func(_ int, e event) fault {
			if !at && locksForUpdate(e.text) {
				at = true
				w.each(other.RemoveTriggers(w.ctx, []provider.TriggerKey{key}))
				_, err := other.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: key, RunAs: provider.KindManual, NextFireAt: w.t0.Add(100 * time.Hour)}})
				w.must(err)
			}
			return send
		})
		a, err := s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: 1})
		w.must(err)
		wire.reset(nil)
		if len(a.Claimed) != 0 {
			t.Errorf("claimed %+v, which is not due", a.Claimed)
		}
	})
}
