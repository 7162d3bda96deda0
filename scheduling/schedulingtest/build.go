package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The builders make legal records; modifiers change them.

type (
	jobMod     func(*provider.JobRecord)
	triggerMod func(*provider.TriggerRecord)
)

// job builds a concurrent job.
func job(name string, mods ...jobMod) provider.JobRecord {
	j := provider.JobRecord{Name: name, Handler: name, AllowConcurrent: true, Source: provider.SourceRuntime}
	for _, mod := range mods {
		mod(&j)
	}
	return j
}

// exclusive makes a job exclusive.
func exclusive(j *provider.JobRecord) { j.AllowConcurrent = false }

// recovers makes a job request recovery.
func recovers(j *provider.JobRecord) { j.RequestsRecovery = true }

// The schedule texts of the suites. The suites compute next instants on their
// own (see decide); a store must never read the text.
const (
	cronText  = "cron 0 0 * * * *"
	everyText = "every 00:05:00"
	onceText  = "once 2026-03-02T12:00:00.0000000+00:00"
)

// cronPeriod and everyPeriod are what decide makes of the texts.
const (
	cronPeriod  = time.Hour
	everyPeriod = 5 * time.Minute
)

// trigger builds a Waiting trigger of a definition, due at that instant.
func trigger(name, schedule string, due time.Time, mods ...triggerMod) provider.TriggerRecord {
	t := provider.TriggerRecord{TriggerKey: provider.TriggerKey{Trigger: name}, Schedule: schedule, Priority: 5,
		State: provider.TriggerWaiting, ScheduledAt: due, NextFireAt: due, RunAs: provider.KindSchedule}
	for _, mod := range mods {
		mod(&t)
	}
	return t
}

func cron(name string, due time.Time, mods ...triggerMod) provider.TriggerRecord {
	return trigger(name, cronText, due, mods...)
}

func every(name string, due time.Time, mods ...triggerMod) provider.TriggerRecord {
	return trigger(name, everyText, due, mods...)
}

func once(name string, due time.Time, mods ...triggerMod) provider.TriggerRecord {
	return trigger(name, onceText, due, mods...)
}

// manual builds a one-shot; its name gets the prefix, the zero instant means now.
func manual(job, name string, due time.Time, mods ...triggerMod) provider.TriggerRecord {
	t := provider.TriggerRecord{TriggerKey: key(job, provider.PrefixManual+name), Priority: 5,
		State: provider.TriggerWaiting, NextFireAt: due, RunAs: provider.KindManual, Attempt: 1}
	for _, mod := range mods {
		mod(&t)
	}
	return t
}

// retry builds the retry one-shot that a Settlement inserts.
func retry(job, name string, due time.Time, mods ...triggerMod) provider.TriggerRecord {
	t := manual(job, "", due, mods...)
	t.Trigger, t.RunAs, t.Attempt, t.ScheduledAt = provider.PrefixRetry+name, provider.KindRetry, 2, due
	return t
}

// recoveryShot builds the recovery one-shot of a Lost run.
func recoveryShot(job, run string, due time.Time) provider.TriggerRecord {
	t := manual(job, "", due)
	t.Trigger, t.RunAs, t.ScheduledAt = provider.PrefixRecovery+run, provider.KindRecovery, due
	return t
}

func priority(p int) triggerMod { return func(t *provider.TriggerRecord) { t.Priority = p } }
func data(text string) triggerMod {
	return func(t *provider.TriggerRecord) { t.Data = text }
}
func local(t *provider.TriggerRecord) { t.Local = true }
func in(state provider.TriggerState) triggerMod {
	return func(t *provider.TriggerRecord) {
		t.State = state
		switch state {
		case provider.TriggerComplete:
			t.ScheduledAt, t.NextFireAt = time.Time{}, time.Time{}
		case provider.TriggerError:
			t.ScheduledAt, t.NextFireAt = time.Time{}, time.Time{}
			t.ErrorCode, t.ErrorText = string(provider.CodeHandlerNotFound), "no such handler"
		}
	}
}

func key(job, trigger string) provider.TriggerKey {
	return provider.TriggerKey{Job: job, Trigger: trigger}
}

// manualKey is the key of a one-shot of that name.
func manualKey(job, name string) provider.TriggerKey { return key(job, provider.PrefixManual+name) }

// item builds a SaveItem; the triggers get the job's name and hint.
func item(j provider.JobRecord, triggers ...provider.TriggerRecord) provider.SaveItem {
	for i := range triggers {
		triggers[i].Job, triggers[i].Exclusive = j.Name, !j.AllowConcurrent
	}
	return provider.SaveItem{Job: j, Triggers: triggers}
}

// node builds a node's registration with the default cadence.
func node(id string) provider.NodeRecord {
	return provider.NodeRecord{NodeRef: provider.NodeRef{ID: id}, Timeout: 90 * time.Second, HeartbeatInterval: 10 * time.Second}
}

// localRun builds a finished record of a local run, for History and Record.
func localRun(id, job string, node provider.NodeRef, at time.Time) provider.RunRecord {
	return provider.RunRecord{ID: id, Job: job, TriggerName: "tick", Kind: provider.KindSchedule,
		State: provider.RunSucceeded, Node: node.ID, Incarnation: node.Incarnation,
		ScheduledAt: at, StartedAt: at, CompletedAt: at.Add(time.Second), Attempt: 1}
}

// names, keysOf and the like reduce records to what a case compares.

func names(jobs []provider.JobRecord) []string {
	out := []string{}
	for _, j := range jobs {
		out = append(out, j.Name)
	}
	return out
}

func keysOf(triggers []provider.TriggerRecord) []string {
	out := []string{}
	for _, t := range triggers {
		out = append(out, t.TriggerKey.String())
	}
	return out
}

func claimedKeys(claimed []provider.Claimed) []string {
	out := []string{}
	for _, c := range claimed {
		out = append(out, c.Trigger.TriggerKey.String())
	}
	return out
}

func runIDs(runs []provider.RunRecord) []string {
	out := []string{}
	for _, r := range runs {
		out = append(out, r.ID)
	}
	return out
}

func outcomes(items []provider.Begun) []provider.Outcome {
	out := []provider.Outcome{}
	for _, i := range items {
		out = append(out, i.Outcome)
	}
	return out
}
