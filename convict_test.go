package gormsched

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A conviction whose commit is lost before it arrives, and whose node's
// heartbeat comes before the repeat, has convicted nobody (D04, D26, D07).
func TestLostConvictionBesideAHeartbeat(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		for _, arrives := range []bool{false, true} {
			s, wire := d.wired(t, Options{})
			w := newWorld(t, s)
			other := d.store(t, Options{})
			sqlExec(t, s, "UPDATE {{nodes}} SET heartbeat_us = heartbeat_us - ?", time.Hour.Microseconds())
			list, err := s.ListNodes(w.ctx)
			w.must(err)
			at := false
			wire.reset(func(_ int, e event) fault {
				if at || e.text != "COMMIT" {
					return send
				}
				if at = true; arrives {
					return failAfter
				}
				return failBefore
			})
			begins := 0
			first := wire.fault
			wire.fault = func(n int, e event) fault {
				if e.text == "BEGIN" {
					if begins++; begins == 2 { // the repeat
						a, err := other.Heartbeat(w.ctx, w.node)
						w.must(err)
						if a.Alive == arrives {
							t.Errorf("arrives %v: the node is alive %v", arrives, a.Alive)
						}
					}
				}
				return first(n, e)
			}
			convicted, err := s.Convict(w.ctx, list.Nodes[0])
			w.must(err)
			wire.reset(nil)
			if convicted != arrives {
				t.Errorf("arrives %v: convicted %v", arrives, convicted)
			}
			if w.node = (provider.NodeRef{}); begins != 2 {
				t.Errorf("%d transactions, want 2", begins)
			}
		}
	})
}
