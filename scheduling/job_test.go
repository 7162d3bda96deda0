package scheduling_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// valid is a definition without a fault.
func valid() scheduling.JobDefinition {
	return scheduling.JobDefinition{
		Name: "reports.nightly", Handler: "Reports/v2",
		Triggers: []scheduling.TriggerDefinition{
			{Name: "workdays", Schedule: scheduling.MustCron("0 0 6 * * MON-FRI", "Asia/Shanghai")},
			{Name: "month-end", Schedule: scheduling.MustCron("0 0 22 L * ?", ""), Priority: -3, Misfire: scheduling.RunAll},
		},
		Retry: scheduling.ExponentialRetry(3, time.Minute, time.Hour), Timeout: 20 * time.Minute, RequestsRecovery: true,
	}
}

// R140: a name and a schedule make a job with one trigger, the manual schedule
// makes none.
func TestNewJob(t *testing.T) {
	d := scheduling.NewJob("a", scheduling.MustEvery(time.Minute))
	if len(d.Triggers) != 1 || d.Triggers[0].Name != "default" || d.Validate() != nil {
		t.Errorf("%+v, %v", d, d.Validate())
	}
	d = scheduling.NewJob("a", scheduling.Schedule{})
	if len(d.Triggers) != 0 || d.Validate() != nil {
		t.Errorf("manual: %+v, %v", d, d.Validate())
	}
}

// R146, R151–R156, D04, D10: every fault names field, value and remedy.
func TestJobDefinitionValidate(t *testing.T) {
	type def = scheduling.JobDefinition
	long := strings.Repeat("a", 129)
	tests := []struct {
		name   string
		change func(*def)
		want   string // "": legal
	}{
		{"as it is", func(*def) {}, ""},
		{"no name", func(d *def) { d.Name = "" }, `JobDefinition.Name "" is empty`},
		{"capital", func(d *def) { d.Name = "Reports" }, `JobDefinition.Name "Reports" has the capital letter 'R'`},
		{"long name", func(d *def) { d.Name = long }, "is 129 bytes long: use at most 128"},
		{"longest name", func(d *def) { d.Name = long[:128] }, ""},
		{"control character", func(d *def) { d.Name = "a\x00b" }, `JobDefinition.Name "a\x00b"`},
		{"handler with a space", func(d *def) { d.Handler = "my handler" }, `Handler "my handler" has byte 0x20`},
		{"no handler: the name", func(d *def) { d.Handler = "" }, ""},
		{"long description", func(d *def) { d.Description = strings.Repeat("é", 513) }, "Description"},
		{"longest description", func(d *def) { d.Description = strings.Repeat("é", 512) }, ""},
		{"description with NUL", func(d *def) { d.Description = "a\x00" }, "holds a NUL character"},
		{"description not UTF-8", func(d *def) { d.Description = "\xff" }, "not valid UTF-8"},
		{"timeout negative", func(d *def) { d.Timeout = -time.Second }, "Timeout -1s: use 1ms to 720h"},
		{"timeout below what is stored", func(d *def) { d.Timeout = time.Microsecond }, "Timeout 1µs"},
		{"longest timeout", func(d *def) { d.Timeout = scheduling.TimeoutLimit }, ""},
		{"timeout too long", func(d *def) { d.Timeout = scheduling.TimeoutLimit + time.Millisecond }, "Timeout 720h0m0.001s"},
		{"retry", func(d *def) { d.Retry.MaxRetries = 101 }, "Retry.MaxRetries 101"},
		{"recovery on every instance (D04)", func(d *def) { d.RunOnEveryInstance = true }, "RequestsRecovery true together with RunOnEveryInstance true"},
		{"trigger name", func(d *def) { d.Triggers[1].Name = "Month" }, `Triggers[1].Name "Month"`},
		{"two triggers of one name (R146)", func(d *def) { d.Triggers[1].Name = "workdays" }, `Triggers[1].Name "workdays" is the name of Triggers[0] too`},
		{"reserved: manual- (D10)", func(d *def) { d.Triggers[0].Name = "manual-x" }, "reserved for one-shots"},
		{"reserved: retry- (D10)", func(d *def) { d.Triggers[0].Name = "retry-x" }, "reserved for one-shots"},
		{"reserved: recovery- (D10)", func(d *def) { d.Triggers[0].Name = "recovery-x" }, "reserved for one-shots"},
		{"manual alone is a name", func(d *def) { d.Triggers[0].Name = "manual" }, ""},
		{"manual schedule (R156)", func(d *def) { d.Triggers[0].Schedule = scheduling.Schedule{} }, "Triggers[0].Schedule is manual"},
		{"window inside out", func(d *def) {
			d.Triggers[0].Schedule = scheduling.MustEvery(time.Minute).WithStart(at(time.Hour)).WithEnd(at(0))
		}, "Triggers[0].Schedule"},
		{"calendar name", func(d *def) { d.Triggers[0].Schedule = d.Triggers[0].Schedule.WithCalendar("Fair Days") }, `calendar "Fair Days"`},
		{"priority too large", func(d *def) { d.Triggers[0].Priority = 1_000_001 }, "Triggers[0].Priority 1000001"},
		{"priority too small", func(d *def) { d.Triggers[0].Priority = -1_000_001 }, "Triggers[0].Priority -1000001"},
		{"misfire policy", func(d *def) { d.Triggers[0].Misfire = 9 }, "Triggers[0].Misfire 9: use RunOnce, Skip or RunAll"},
		{"trigger description", func(d *def) { d.Triggers[0].Description = "\xff" }, "Triggers[0].Description"},
		{"no triggers (R128)", func(d *def) { d.Triggers = nil }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := valid()
			tt.change(&d)
			err := d.Validate()
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, scheduling.ErrInvalidDefinition) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want SCHEDULING_VALIDATION_001 … %q", err, tt.want)
			}
			if strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("error %q is not one printable line", err)
			}
		})
	}
}

// All faults at once, one line, code once (G4).
func TestAllFaultsAtOnce(t *testing.T) {
	d := scheduling.JobDefinition{
		Name: "Bad Name", Handler: "x y", Description: "\x00", Timeout: -1, Retry: scheduling.FixedRetry(-1, -1),
		RunOnEveryInstance: true, RequestsRecovery: true,
		Triggers: []scheduling.TriggerDefinition{
			{Name: "retry-x", Misfire: 7, Priority: 1 << 40},
			{Name: "retry-x", Schedule: scheduling.MustEvery(time.Second)},
		},
	}
	err := d.Validate()
	for _, want := range []string{
		"JobDefinition.Name", "Handler", "Description", "Timeout", "Retry.MaxRetries", "Retry.Delay", "RequestsRecovery",
		"Triggers[0].Name", "Triggers[0].Schedule", "Triggers[0].Misfire", "Triggers[0].Priority", "Triggers[1].Name",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %s: %v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "SCHEDULING_VALIDATION_001"); n != 1 {
		t.Errorf("the code stands %d times: %v", n, err)
	}
}

// R153: a check for input from outside.
func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "0a.b_c-d": true, "": false, "A": false, "a b": false, "-a": false, "ä": false,
		strings.Repeat("a", 128): true, strings.Repeat("a", 129): false,
	} {
		equal(t, name, scheduling.ValidName(name), want)
	}
}
