package gormsched

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// How triggers are born and what they keep when their job is replaced (D08,
// D11, D12).

// bornDefinition is a trigger as it starts in a job: without a claim, Paused in a paused
// job, with the job's exclusivity as its hint.
func bornDefinition(trigger provider.TriggerRecord, job provider.JobRecord) provider.TriggerRecord {
	r := unclaimed(trigger)
	r.Job = job.Name
	r.Exclusive = !job.AllowConcurrent
	r.Paused = job.Paused && !strings.HasPrefix(r.Trigger, provider.PrefixManual)
	r.ScheduledAt, r.NextFireAt, r.PrevFireAt = cut(r.ScheduledAt), cut(r.NextFireAt), cut(r.PrevFireAt)
	r.ExpiresAt = cut(r.ExpiresAt)
	if r.State == provider.TriggerWaiting || r.State == provider.TriggerPaused {
		r.State = waitingOrPaused(r)
		r.ErrorCode, r.ErrorText = "", ""
		if r.ScheduledAt.IsZero() {
			r.ScheduledAt = r.NextFireAt
		}
	}
	return r
}

// replaced is what becomes of a trigger whose name stays. With the same text it
// stays where it stands, claim and flag included; with another it begins anew,
// and keeps its past and its flag if asked to (R247, P01). A trigger that was
// local has stood still in the store (R205), so it begins anew when its job
// becomes the cluster's, and the other way about.
func replaced(old, fresh provider.TriggerRecord, keepProgress bool) provider.TriggerRecord {
	r := fresh
	r.Version = old.Version
	switch {
	case old.Schedule == fresh.Schedule && old.Local == fresh.Local:
		r.State, r.Paused = old.State, old.Paused
		r.ClaimID, r.ClaimedBy, r.Incarnation, r.ClaimedAt = old.ClaimID, old.ClaimedBy, old.Incarnation, old.ClaimedAt
		r.ScheduledAt, r.NextFireAt, r.PrevFireAt, r.FireCount = old.ScheduledAt, old.NextFireAt, old.PrevFireAt, old.FireCount
		r.ErrorCode, r.ErrorText, r.ZoneHash = old.ErrorCode, old.ErrorText, old.ZoneHash
	case keepProgress:
		r.PrevFireAt, r.FireCount, r.Paused = old.PrevFireAt, old.FireCount, old.Paused
		if r.State == provider.TriggerWaiting || r.State == provider.TriggerPaused {
			r.State = waitingOrPaused(r)
		}
	}
	return r
}

func unclaimed(r provider.TriggerRecord) provider.TriggerRecord {
	r.ClaimID, r.ClaimedBy, r.Incarnation, r.ClaimedAt = 0, "", 0, time.Time{}
	return r
}

// cut brings an instant into its stored form (D31).
func cut(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return instant(micros(t))
}
