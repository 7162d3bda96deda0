package scheduling

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// R273: nine topics, each once.
func TestTopics(t *testing.T) {
	topics := Topics()
	slices.Sort(topics)
	if n := len(slices.Compact(topics)); n != 9 {
		t.Errorf("%d topics, want 9: %v", n, topics)
	}
}

// R272: the envelope is a CloudEvent in structured JSON mode.
func TestRunEvent(t *testing.T) {
	began := time.Date(2026, 3, 2, 10, 0, 0, 123456000, time.UTC)
	run := provider.RunRecord{
		ID: "0198c5f0-0000-7000-8000-000000000001", Job: "j", TriggerName: "t", Kind: KindRetry, State: RunFailed, Node: "a",
		ScheduledAt: began.Add(-time.Second), StartedAt: began, CompletedAt: began.Add(time.Minute),
		Attempt: 2, RetryOf: "f", ErrorCode: "SCHEDULING_TIMEOUT_001", ErrorText: "too slow",
	}
	text, err := json.Marshal(runEvent(TopicRunFailed, run))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"specversion":"1.0","id":"0198c5f0-0000-7000-8000-000000000001/scheduling.run.failed","source":"/scheduling",` +
		`"type":"scheduling.run.failed","subject":"0198c5f0-0000-7000-8000-000000000001","time":"2026-03-02T10:01:00.123456Z",` +
		`"datacontenttype":"application/json","data":{"job":"j","trigger":"t","run":"0198c5f0-0000-7000-8000-000000000001",` +
		`"kind":"Retry","state":"Failed","scheduledAt":"2026-03-02T09:59:59.123456Z","startedAt":"2026-03-02T10:00:00.123456Z",` +
		`"completedAt":"2026-03-02T10:01:00.123456Z","errorCode":"SCHEDULING_TIMEOUT_001","errorMessage":"too slow",` +
		`"attempt":2,"retryOf":"f","node":"a"}}`
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}

	run.State, run.CompletedAt, run.ErrorCode, run.ErrorText, run.RetryOf, run.Attempt, run.TriggerName = RunRunning, time.Time{}, "", "", "", 0, ""
	e := runEvent(TopicRunStarted, run)
	if !e.Time.Equal(began) || e.Data.Attempt != 1 || e.Subject != run.ID {
		t.Errorf("started: %+v", e)
	}
	if text, _ = json.Marshal(e.Data); string(text) != `{"job":"j","run":"0198c5f0-0000-7000-8000-000000000001","kind":"Retry",`+
		`"state":"Running","scheduledAt":"2026-03-02T09:59:59.123456Z","startedAt":"2026-03-02T10:00:00.123456Z","attempt":1,"node":"a"}` {
		t.Errorf("data %s", text)
	}
}

// R272: events of jobs have the job's name as subject, and who did it.
func TestJobEvent(t *testing.T) {
	at := time.Date(2026, 3, 2, 18, 0, 0, 0, time.FixedZone("", 8*3600))
	text, err := json.Marshal(jobEvent(TopicJobPaused, "j", "a", "id-1", at))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"specversion":"1.0","id":"id-1","source":"/scheduling","type":"scheduling.job.paused","subject":"j",` +
		`"time":"2026-03-02T10:00:00Z","datacontenttype":"application/json","data":{"job":"j","node":"a"}}`
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
