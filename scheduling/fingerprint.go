package scheduling

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// fingerprintFormat is the number that stands before every fingerprint. It
// changes with the canonical form, so that a fingerprint of an earlier form can
// be told from one of another definition (D37).
const fingerprintFormat = "1:"

// The canonical form (R244): JSON in this order of fields, data with sorted
// keys and without spaces, triggers ordered by name, retry policy and time
// limit only where they are set. The job's name is not part of it.
type canonicalJob struct {
	Handler     string             `json:"handler"`
	Description string             `json:"description"`
	Data        json.RawMessage    `json:"data"`
	Concurrent  bool               `json:"concurrent"`
	Everywhere  bool               `json:"everyInstance"`
	Recovery    bool               `json:"recovery"`
	Triggers    []canonicalTrigger `json:"triggers"`
	Retry       *canonicalRetry    `json:"retry,omitempty"`
	TimeoutMS   int64              `json:"timeoutMs,omitempty"`
}

type canonicalTrigger struct {
	Name        string          `json:"name"`
	Schedule    string          `json:"schedule"`
	Description string          `json:"description"`
	Data        json.RawMessage `json:"data"`
	Priority    int             `json:"priority"`
	Misfire     int             `json:"misfire"`
}

type canonicalRetry struct {
	Max        int   `json:"max"`
	DelayMS    int64 `json:"delayMs"`
	MaxDelayMS int64 `json:"maxDelayMs"`
	Backoff    int   `json:"backoff"`
}

// fingerprint identifies what a definition says, whatever the order of its
// triggers and the spelling of its data: the format number and the SHA-256 of
// the canonical form, 66 characters (R244).
func fingerprint(d JobDefinition) string {
	sum := sha256.Sum256(canonical(d))
	return fingerprintFormat + hex.EncodeToString(sum[:])
}

func canonical(d JobDefinition) []byte {
	job := d.record()
	c := canonicalJob{
		Handler: job.Handler, Description: job.Description, Data: canonicalData(job.Data),
		Concurrent: job.AllowConcurrent, Everywhere: job.EveryInstance, Recovery: job.RequestsRecovery,
		Triggers: make([]canonicalTrigger, 0, len(d.Triggers)), TimeoutMS: job.Timeout.Milliseconds(),
	}
	if job.Retry != (provider.RetryPolicy{}) {
		c.Retry = &canonicalRetry{
			Max: job.Retry.MaxRetries, DelayMS: job.Retry.Delay.Milliseconds(),
			MaxDelayMS: job.Retry.MaxDelay.Milliseconds(), Backoff: int(job.Retry.Backoff),
		}
	}
	for _, def := range d.Triggers {
		t := def.record(job)
		c.Triggers = append(c.Triggers, canonicalTrigger{
			Name: t.Trigger, Schedule: t.Schedule, Description: t.Description,
			Data: canonicalData(t.Data), Priority: t.Priority, Misfire: int(t.Misfire),
		})
	}
	slices.SortFunc(c.Triggers, func(a, b canonicalTrigger) int { return cmp.Compare(a.Name, b.Name) })
	text, err := json.Marshal(c)
	if err != nil {
		// Every part is a string, a number or data that was checked.
		text = []byte(err.Error())
	}
	return text
}

// canonicalData writes data with sorted keys and without spaces; numbers keep
// their digits. No data is null, the empty object {}.
func canonicalData(text string) json.RawMessage {
	if text == "" {
		return json.RawMessage("null")
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		v = text // not data, but still told apart
	}
	out, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // what was decoded can be encoded
	}
	return out
}
