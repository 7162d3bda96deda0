package plan

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Birth completes a trigger of a definition that starts anew at now: state,
// first instants and zone hash (R163, D15, D37). trigger carries its definition
// fields, Schedule included; Complete where there is no instant. It may ask an
// application calendar; its panic, a calendar that is not known and a text that
// cannot be read are errors.
func (r *Rules) Birth(trigger provider.TriggerRecord, now time.Time) (provider.TriggerRecord, error) {
	return trigger, nil
}

// Settled returns what an interval trigger of a local job becomes when its run,
// the runs-th, has ended (R159).
func (r *Rules) Settled(trigger provider.TriggerRecord, runs int64, completedAt time.Time) provider.Next {
	return provider.Next{}
}

// Revive returns where a trigger in state Error continues, if this node can run
// it now: handler, calendar and zone are known (D14).
func (r *Rules) Revive(trigger provider.TriggerRecord, job provider.JobRecord, now time.Time) (provider.Next, bool) {
	return provider.Next{}, false
}

// PassBy returns where a due trigger of a definition continues that is to move
// on without a run: on an unshared store, when its occurrence is late by more
// than patience (lease TTL and misfire threshold) and no leader has run it
// (D42). ok is false where it is not that late, or cannot be read.
func (r *Rules) PassBy(trigger provider.TriggerRecord, now time.Time, patience time.Duration) (provider.Next, bool) {
	return provider.Next{}, false
}

// Rezone returns where a Waiting or Paused cron trigger continues if this
// node's zone data differ from those with which its next was computed (D43). ok
// is false where they agree.
func (r *Rules) Rezone(trigger provider.TriggerRecord, now time.Time) (provider.Next, bool) {
	return provider.Next{}, false
}
