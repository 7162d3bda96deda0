package scheduling

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The types of events (R273). A broker that creates no topics by itself needs
// all nine beforehand (R274).
const (
	// TopicJobScheduled: a job was registered or replaced.
	TopicJobScheduled = "scheduling.job.scheduled"
	// TopicJobUnscheduled: a job was deleted.
	TopicJobUnscheduled = "scheduling.job.unscheduled"
	TopicJobPaused      = "scheduling.job.paused"
	TopicJobResumed     = "scheduling.job.resumed"
	TopicRunStarted     = "scheduling.run.started"
	TopicRunSucceeded   = "scheduling.run.succeeded"
	TopicRunFailed      = "scheduling.run.failed"
	TopicRunCanceled    = "scheduling.run.canceled"
	// TopicRunLost: the node of a run was lost.
	TopicRunLost = "scheduling.run.lost"
)

// Topics returns the nine types of events.
func Topics() []string {
	return []string{
		TopicJobScheduled, TopicJobUnscheduled, TopicJobPaused, TopicJobResumed,
		TopicRunStarted, TopicRunSucceeded, TopicRunFailed, TopicRunCanceled, TopicRunLost,
	}
}

// EventPublisher receives events (G7, R270). Publish is called by one goroutine
// at a time, in the order of the events, never by one that runs jobs: an error,
// a panic or a call that hangs is logged and touches no run (R271). ctx has a
// deadline. Events are best effort: a crash between commit and Publish, or a
// publisher that falls behind, loses some.
type EventPublisher interface {
	Publish(ctx context.Context, event Event) error
}

// Event is an envelope with the attributes of CloudEvents 1.0; encoded as JSON
// it is a CloudEvent in structured mode (R272).
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
type Event struct {
	// SpecVersion is "1.0".
	SpecVersion string `json:"specversion"`
	// ID and Source identify the event: a run's event has the same id whoever
	// publishes it, so a subscriber can drop repeats.
	ID string `json:"id"`
	// Source is "/scheduling".
	Source string `json:"source"`
	// Type is one of the nine topics.
	Type string `json:"type"`
	// Subject is the run's id; the job's name for events of jobs.
	Subject string `json:"subject"`
	// Time is when it happened: for runs by the store's clock.
	Time time.Time `json:"time"`
	// DataContentType is "application/json".
	DataContentType string `json:"datacontenttype"`
	// Data is what happened.
	Data EventData `json:"data"`
}

// EventData is the payload of an event. Fields that do not apply are empty, and
// left out of the JSON.
type EventData struct {
	Job string `json:"job"`
	// Trigger is empty for a synchronous trigger call.
	Trigger string `json:"trigger,omitempty"`
	Run     string `json:"run,omitempty"`
	// Kind is Schedule, Manual, Retry or Recovery.
	Kind string `json:"kind,omitempty"`
	// State is Running, Succeeded, Failed, Canceled or Lost.
	State        string    `json:"state,omitempty"`
	ScheduledAt  time.Time `json:"scheduledAt,omitzero"`
	StartedAt    time.Time `json:"startedAt,omitzero"`
	CompletedAt  time.Time `json:"completedAt,omitzero"`
	ErrorCode    string    `json:"errorCode,omitempty"`
	ErrorMessage string    `json:"errorMessage,omitempty"`
	Attempt      int       `json:"attempt,omitempty"`
	RetryOf      string    `json:"retryOf,omitempty"`
	// Node ran the run, or did what was done to the job.
	Node string `json:"node,omitempty"`
}

const (
	eventSource      = "/scheduling"
	eventSpecVersion = "1.0"
	eventContentType = "application/json"
)

func envelope(topic, id, subject string, at time.Time, data EventData) Event {
	return Event{
		SpecVersion: eventSpecVersion, ID: id, Source: eventSource, Type: topic, Subject: subject,
		Time: at.UTC(), DataContentType: eventContentType, Data: data,
	}
}

// runEvent is the event of a run that started or ended.
func runEvent(topic string, run provider.RunRecord) Event {
	at := run.StartedAt
	if !run.CompletedAt.IsZero() {
		at = run.CompletedAt
	}
	return envelope(topic, run.ID+"/"+topic, run.ID, at, EventData{
		Job: run.Job, Trigger: run.TriggerName, Run: run.ID, Kind: run.Kind.String(), State: run.State.String(),
		ScheduledAt: run.ScheduledAt, StartedAt: run.StartedAt, CompletedAt: run.CompletedAt,
		ErrorCode: run.ErrorCode, ErrorMessage: run.ErrorText,
		Attempt: max(run.Attempt, 1), RetryOf: run.RetryOf, Node: run.Node,
	})
}

// jobEvent is the event of something that node did to a job; id is drawn by the
// caller.
func jobEvent(topic, job, node, id string, at time.Time) Event {
	return envelope(topic, id, job, at, EventData{Job: job, Node: node})
}
