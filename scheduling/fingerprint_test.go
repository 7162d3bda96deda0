package scheduling

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// described uses every field that the fingerprint is over.
func described() JobDefinition {
	return JobDefinition{
		Name: "reports.nightly", Handler: "reports/v2", Description: "The <nightly> reports.",
		Triggers: []TriggerDefinition{
			{Name: "workdays", Schedule: MustCron("0 0 6 * * MON-FRI", "Asia/Shanghai").WithCalendar("holidays")},
			{Name: "month-end", Schedule: MustCron("0 0 22 L * ?", "Asia/Shanghai"), Description: "closing",
				Data: MustData(map[string]any{"format": "xlsx"}), Priority: 8, Misfire: Skip},
		},
		Data:             MustData(json.RawMessage(`{ "z": 1.50, "a": {"y": 12345678901234567890, "b": []} }`)),
		Retry:            ExponentialRetry(3, time.Minute, 30*time.Minute),
		Timeout:          20 * time.Minute,
		RequestsRecovery: true,
	}
}

// The fingerprint is stored: its canonical form never changes without a new
// format number (R244, D37).
func TestFingerprintGolden(t *testing.T) {
	for name, d := range map[string]JobDefinition{"full": described(), "least": {Name: "a"}} {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "fingerprint_"+name+".golden"))
			if err != nil {
				t.Fatal(err)
			}
			text := string(canonical(d)) + "\n" + fingerprint(d) + "\n"
			if text != string(want) {
				t.Errorf("got\n%swant\n%s", text, want)
			}
			sum := sha256.Sum256(canonical(d))
			if got := fingerprint(d); got != "1:"+hex.EncodeToString(sum[:]) || len(got) != 66 {
				t.Errorf("fingerprint %s", got)
			}
		})
	}
}

// What says the same has the same fingerprint: order of triggers, spelling of
// data and schedule, defaults written out, what is finer than is stored, the
// job's name.
func TestFingerprintIgnores(t *testing.T) {
	for name, change := range map[string]func(*JobDefinition){
		"order of triggers": func(d *JobDefinition) { slices.Reverse(d.Triggers) },
		"spelling of data": func(d *JobDefinition) {
			d.Data = MustData(json.RawMessage(`{"a":{"b":[],"y":12345678901234567890},"z":1.50}`))
		},
		"spelling of the schedule": func(d *JobDefinition) {
			d.Triggers[1].Schedule = MustParseSchedule("CRON 0 0 22 L * * TZ=China Standard Time")
		},
		"default priority":    func(d *JobDefinition) { d.Triggers[0].Priority = DefaultPriority },
		"below a millisecond": func(d *JobDefinition) { d.Timeout += 999 * time.Microsecond },
		"name":                func(d *JobDefinition) { d.Name = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			d := described()
			d.Triggers = slices.Clone(d.Triggers)
			change(&d)
			if got, want := fingerprint(d), fingerprint(described()); got != want {
				t.Errorf("%s, want %s\n%s\n%s", got, want, canonical(d), canonical(described()))
			}
		})
	}
	d := JobDefinition{Name: "a", Handler: "a"}
	if fingerprint(d) != fingerprint(JobDefinition{Name: "a"}) {
		t.Error("the default handler written out changes the fingerprint")
	}
}

// What says something else has another one (R244).
func TestFingerprintTells(t *testing.T) {
	seen := map[string]string{fingerprint(described()): "nothing"}
	for name, change := range map[string]func(*JobDefinition){
		"handler":     func(d *JobDefinition) { d.Handler = "reports/v3" },
		"description": func(d *JobDefinition) { d.Description = "" },
		"data": func(d *JobDefinition) {
			d.Data = MustData(json.RawMessage(`{"z":1.5,"a":{"y":12345678901234567890,"b":[]}}`))
		},
		"no data":             func(d *JobDefinition) { d.Data = Data{} },
		"empty data":          func(d *JobDefinition) { d.Data = MustData(map[string]any{}) },
		"concurrent":          func(d *JobDefinition) { d.AllowConcurrent = true },
		"every instance":      func(d *JobDefinition) { d.RunOnEveryInstance = true },
		"recovery":            func(d *JobDefinition) { d.RequestsRecovery = false },
		"timeout":             func(d *JobDefinition) { d.Timeout = time.Minute },
		"no timeout":          func(d *JobDefinition) { d.Timeout = 0 },
		"retries":             func(d *JobDefinition) { d.Retry.MaxRetries = 4 },
		"delay":               func(d *JobDefinition) { d.Retry.Delay = time.Second },
		"longest delay":       func(d *JobDefinition) { d.Retry.MaxDelay = time.Hour },
		"backoff":             func(d *JobDefinition) { d.Retry.Backoff = BackoffFixed },
		"no retry":            func(d *JobDefinition) { d.Retry = RetryPolicy{} },
		"one trigger less":    func(d *JobDefinition) { d.Triggers = d.Triggers[:1] },
		"trigger name":        func(d *JobDefinition) { d.Triggers[0].Name = "weekdays" },
		"trigger schedule":    func(d *JobDefinition) { d.Triggers[0].Schedule = MustEvery(time.Hour) },
		"trigger zone":        func(d *JobDefinition) { d.Triggers[1].Schedule = MustCron("0 0 22 L * ?", "") },
		"trigger data":        func(d *JobDefinition) { d.Triggers[1].Data = Data{} },
		"trigger priority":    func(d *JobDefinition) { d.Triggers[1].Priority = 9 },
		"trigger misfire":     func(d *JobDefinition) { d.Triggers[1].Misfire = RunAll },
		"trigger description": func(d *JobDefinition) { d.Triggers[1].Description = "" },
	} {
		d := described()
		d.Triggers = slices.Clone(d.Triggers)
		change(&d)
		sum := fingerprint(d)
		if other, taken := seen[sum]; taken {
			t.Errorf("%s and %s have the same fingerprint", name, other)
		}
		seen[sum] = name
	}
}
