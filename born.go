package gormsched

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// How triggers are born and what they keep when their job is replaced (D08,
// D11, D12).

// checkSave refuses an item that would leave a trigger that nothing leads on
// from, or a one-shot that replacing would not keep.
func checkSave(item provider.SaveItem) error {
	if item.Job.Name == "" {
		return provider.Invalidf("Job.Name is empty: name the job to save")
	}
	names := make(map[string]bool, len(item.Triggers))
	for _, trigger := range item.Triggers {
		switch name := provider.Quote(trigger.Trigger); {
		case names[trigger.Trigger]:
			return provider.Invalidf("job %s has two triggers named %s: give each a name of its own", item.Job.Name, name)
		case trigger.Job != "" && trigger.Job != item.Job.Name:
			return provider.Invalidf("trigger %s of job %s stands under job %s: put it under its own", name, provider.Quote(trigger.Job), item.Job.Name)
		case provider.IsOneShot(trigger.Trigger):
			return provider.Invalidf("trigger name %s begins like a one-shot's, which is reserved: choose another", name)
		}
		names[trigger.Trigger] = true
		if err := checkBorn(trigger); err != nil {
			return err
		}
	}
	return nil
}

// checkBorn refuses a trigger that cannot start in its state.
func checkBorn(trigger provider.TriggerRecord) error {
	key := provider.Quote(trigger.TriggerKey.String())
	switch trigger.State {
	case provider.TriggerWaiting, provider.TriggerPaused:
		if trigger.NextFireAt.IsZero() && !trigger.Local {
			return provider.Invalidf("trigger %s is %v and has no NextFireAt: set it, or make the trigger Complete", key, trigger.State)
		}
	case provider.TriggerComplete, provider.TriggerError:
	default:
		return provider.Invalidf("trigger %s cannot start as %v: make it Waiting, Complete or Error", key, trigger.State)
	}
	return nil
}

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
