package scheduling

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Health is what a scheduler knows of its own standing, without asking the
// store. All instants are of this process's clock.
type Health struct {
	// Err says why this node does not do its work; nil = healthy. A node that
	// was told not to claim ([Options].StartPaused), that leads not, or whose
	// slots are all in use, is healthy; so is one that finds nothing due.
	Err error
	// Serving says that the node is registered, and neither stopping nor stopped.
	Serving bool
	// Paused says that it claims nothing until [Scheduler.Unpause].
	Paused bool
	// Leader is [Scheduler.IsLeader].
	Leader bool
	// LastPass is when the claiming loop last came round: the store answered its
	// claim, or no slot was free to claim for. Zero: not yet.
	LastPass time.Time
	// LastHeartbeat is when the last heartbeat was sent that the store took, the
	// registration included. Zero: not yet. Stores that are not shared have none
	// but that.
	LastHeartbeat time.Time
	// Slots and Running are MaxConcurrentRuns and how many of them are in use.
	Slots, Running int
	// Unsaved is the number of runs that have ended and that the store has not
	// taken yet; at 2,000 the node claims nothing.
	Unsaved int
}

// healthPatience is how long the claiming loop may stand still: three polls,
// and the longest that one call may take.
func (s *Scheduler) healthPatience() time.Duration { return 3*s.opts.PollInterval + callLimit }

// Health reports whether this node does its work, for a liveness or readiness
// endpoint: a process that sends heartbeats while its claiming loop stands still
// is not healthy. It asks nobody, waits for nothing, and may be called at any
// time. Whether the cluster as a whole does its work is the store's to tell: the
// oldest trigger that is due and waits.
func (s *Scheduler) Health() Health {
	unsaved := s.done.unsaved()
	leader := s.IsLeader()
	now := s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	h := Health{
		Serving: s.st.phase == phaseServing, Paused: s.st.paused, Leader: leader,
		LastPass: s.st.lastPass, LastHeartbeat: s.st.acked,
		Slots: s.opts.MaxConcurrentRuns, Running: len(s.st.live), Unsaved: unsaved,
	}
	stands := elapsed(h.LastPass, now)
	if h.LastPass.IsZero() {
		stands = elapsed(s.st.servingSince, now)
	}
	switch {
	case s.st.phase < phaseServing || s.st.phase == phaseServing && s.st.ref.Incarnation == 0:
		h.Err = fmt.Errorf("%w: the node is not registered: call Run, or wait until the store answers", provider.ErrNotServing)
	case s.st.phase > phaseServing:
		h.Err = fmt.Errorf("%w: the node stops or has stopped", provider.ErrNotServing)
	case !s.fresh(now):
		h.Err = fmt.Errorf("%w: no heartbeat was taken for %v, so that the node has given its runs up: look whether the database answers within HeartbeatInterval %v",
			provider.ErrStoreUnavailable, elapsed(s.st.acked, now).Round(time.Millisecond), s.opts.HeartbeatInterval)
	case unsaved >= maxUnsaved:
		h.Err = fmt.Errorf("%w: %d runs have ended and are not saved, so that the node claims nothing", provider.ErrStoreUnavailable, unsaved)
	case !h.Paused && stands > s.healthPatience():
		h.Err = fmt.Errorf("%w: the claiming loop has not come round for %v, longer than three times PollInterval and the time limit of a call, %v",
			provider.ErrStoreUnavailable, stands.Round(time.Millisecond), s.healthPatience())
	}
	return h
}

// passed notes that the claiming loop has come round. Caller holds mu.
func (s *Scheduler) passed() { s.st.lastPass = s.clock.Now() }
