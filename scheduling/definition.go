package scheduling

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// record is the job as it is stored; source and what belongs to code jobs are
// the caller's to add.
func (d JobDefinition) record() provider.JobRecord {
	return provider.JobRecord{
		Name:             d.Name,
		Handler:          d.handlerKey(),
		Description:      d.Description,
		Data:             d.Data.text,
		AllowConcurrent:  d.AllowConcurrent,
		EveryInstance:    d.RunOnEveryInstance,
		RequestsRecovery: d.RequestsRecovery,
		Retry:            provider.RetryPolicy(d.Retry.cut()),
		Timeout:          d.Timeout.Truncate(time.Millisecond),
	}
}

// record is the trigger as it is stored, before its first instants.
func (t TriggerDefinition) record(job provider.JobRecord) provider.TriggerRecord {
	return provider.TriggerRecord{
		TriggerKey:  provider.TriggerKey{Job: job.Name, Trigger: t.Name},
		Schedule:    t.Schedule.String(),
		Description: t.Description,
		Data:        t.Data.text,
		Priority:    cmp.Or(t.Priority, DefaultPriority),
		Misfire:     t.Misfire,
		Local:       job.EveryInstance,
		Exclusive:   !job.AllowConcurrent,
	}
}

// born is a definition with the first instants of its triggers, computed from
// now, and what the log should say about it.
type born struct {
	triggers []provider.TriggerRecord
	warnings []string
}

// birth computes the first instants of triggers at the store's present (R163,
// D15). It may run application calendars; their panics are errors.
func birth(rules *plan.Rules, job provider.JobRecord, defs []TriggerDefinition, now time.Time) (born, error) {
	b := born{triggers: make([]provider.TriggerRecord, 0, len(defs))}
	var f faults
	for _, def := range defs {
		t, err := rules.Birth(def.record(job), now)
		if err != nil {
			f.addf("trigger %s: %s", t.TriggerKey, plainText(err))
			continue
		}
		b.triggers = append(b.triggers, t)
		switch w := rules.Warning(t.Schedule, now); {
		case w != "":
			b.warnings = append(b.warnings, fmt.Sprintf("trigger %s: %s", t.TriggerKey, w))
		case t.State == provider.TriggerComplete:
			b.warnings = append(b.warnings, fmt.Sprintf(
				"trigger %s has no instant after %s: it is stored as Complete and will not run", t.TriggerKey, now.Format(time.RFC3339)))
		}
	}
	return b, f.err(job.Name)
}

// definitionOf reads a stored job with its triggers back; one-shots are left
// out. A schedule that this version cannot read is an error.
func definitionOf(job provider.JobRecord, triggers []provider.TriggerRecord) (JobDefinition, error) {
	d := JobDefinition{
		Name: job.Name, Handler: job.Handler, Description: job.Description, Data: Data{text: job.Data},
		Retry: RetryPolicy(job.Retry), Timeout: job.Timeout, AllowConcurrent: job.AllowConcurrent,
		RunOnEveryInstance: job.EveryInstance, RequestsRecovery: job.RequestsRecovery,
	}
	var f faults
	for _, t := range triggers {
		if provider.IsOneShot(t.Trigger) {
			continue
		}
		s, err := schedule.Parse(t.Schedule)
		if err != nil {
			f.addf("trigger %s: %s", t.TriggerKey, plainText(err))
			continue
		}
		d.Triggers = append(d.Triggers, TriggerDefinition{
			Name: t.Trigger, Schedule: s, Description: t.Description, Data: Data{text: t.Data},
			Priority: t.Priority, Misfire: t.Misfire,
		})
	}
	return d, f.err(job.Name)
}
