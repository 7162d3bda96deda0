package scheduling

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// R245, R246, D28, D40: what the start does with a code job.
func TestJudgeSync(t *testing.T) {
	const mine, other = "1:aa", "1:bb"
	code := provider.JobRecord{Name: "j", Source: SourceCode, Fingerprint: mine, CodeVersion: 2}
	stored := func(source Source, fingerprint string, version int64) provider.JobRecord {
		return provider.JobRecord{Name: "j", Source: source, Fingerprint: fingerprint, CodeVersion: version, Version: 7}
	}
	tests := []struct {
		name   string
		stored provider.JobRecord
		want   syncVerdict
	}{
		{"absent (R145, R249)", provider.JobRecord{}, syncVerdict{action: syncCreate}},
		{"written by the same code (D28)", stored(SourceCode, mine, 2), syncVerdict{}},
		{"the code has changed", stored(SourceCode, other, 2), syncVerdict{action: syncReplace}},
		{"the same definition, a newer program", stored(SourceCode, mine, 1), syncVerdict{action: syncReplace}},
		{"edited, the code has not changed (R245)", stored(SourceOverridden, mine, 2), syncVerdict{}},
		{"edited under an older program (R245)", stored(SourceOverridden, mine, 1), syncVerdict{}},
		{"edited, and the code has changed (R246)", stored(SourceOverridden, other, 2), syncVerdict{action: syncReplace, overrides: true}},
		{"a run-time job becomes a code job (R246)", stored(SourceRuntime, "", 0), syncVerdict{action: syncReplace, overrides: true}},
		{"a newer program has written it (D40)", stored(SourceCode, other, 3), syncVerdict{outdated: true}},
		{"a newer program's, and edited (D40)", stored(SourceOverridden, other, 3), syncVerdict{outdated: true}},
		{"a newer program says the same: nothing to log", stored(SourceCode, mine, 3), syncVerdict{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := judgeSync(tt.stored, code); got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

// Each save is tied to what was read, and keeps progress (D12, D28).
func TestSyncItem(t *testing.T) {
	code := codeRecord(described(), 2)
	if code.Source != SourceCode || code.CodeVersion != 2 || code.Fingerprint != fingerprint(described()) {
		t.Errorf("record %+v", code)
	}
	item := syncItem(syncVerdict{action: syncCreate}, provider.JobRecord{}, code, nil)
	if item.Condition != provider.IfAbsent || !item.KeepProgress {
		t.Errorf("create: %+v", item)
	}
	item = syncItem(syncVerdict{action: syncReplace}, provider.JobRecord{Name: "j", Version: 7}, code, nil)
	if item.Condition != provider.IfVersion || item.Version != 7 || !item.KeepProgress {
		t.Errorf("replace: %+v", item)
	}
}

// R243: a replaced code job keeps what the code has written about itself.
func TestRuntimeRecord(t *testing.T) {
	code := provider.JobRecord{Name: "j", Source: SourceCode, Fingerprint: "1:aa", CodeVersion: 2}
	tests := []struct {
		name         string
		stored, code provider.JobRecord
		source       Source
		fingerprint  string
		version      int64
	}{
		{"new", provider.JobRecord{}, provider.JobRecord{}, SourceRuntime, "", 0},
		{"replaces a run-time job", provider.JobRecord{Name: "j", Source: SourceRuntime}, provider.JobRecord{}, SourceRuntime, "", 0},
		{"replaces a code job", provider.JobRecord{Name: "j", Source: SourceCode, Fingerprint: "1:bb", CodeVersion: 1}, code, SourceOverridden, "1:bb", 1},
		{"replaces an edited one", provider.JobRecord{Name: "j", Source: SourceOverridden, Fingerprint: "1:bb"}, provider.JobRecord{}, SourceOverridden, "1:bb", 0},
		{"a code job that was deleted, or not written yet", provider.JobRecord{}, code, SourceOverridden, "1:aa", 2},
		{"a run-time job that the code declares too", provider.JobRecord{Name: "j", Source: SourceRuntime}, code, SourceRuntime, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := runtimeRecord(JobDefinition{Name: "j"}, tt.stored, tt.code)
			if got.Source != tt.source || got.Fingerprint != tt.fingerprint || got.CodeVersion != tt.version {
				t.Errorf("%v %q %d, want %v %q %d", got.Source, got.Fingerprint, got.CodeVersion, tt.source, tt.fingerprint, tt.version)
			}
		})
	}
}

// D40: a code job that no code declares is orphaned; a newer program's is not
// this one's to judge.
func TestOrphaned(t *testing.T) {
	for _, tt := range []struct {
		source   Source
		declared bool
		version  int64
		want     bool
	}{
		{SourceCode, false, 1, true},
		{SourceOverridden, false, 2, true},
		{SourceRuntime, false, 0, false},
		{SourceCode, true, 1, false},
		{SourceCode, false, 3, false},
	} {
		if got := orphaned(provider.JobRecord{Name: "j", Source: tt.source, CodeVersion: tt.version}, tt.declared, 2); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// What a definition becomes in the store: defaults, flags of the job on its
// triggers, whole milliseconds (G1, R028, R148, R154).
func TestRecords(t *testing.T) {
	d := described()
	d.Timeout, d.Retry.Delay, d.Retry.MaxDelay = 1999*time.Microsecond, 2999*time.Microsecond, 3999*time.Microsecond
	job := d.record()
	if job.Timeout != time.Millisecond || job.Retry.Delay != 2*time.Millisecond || job.Retry.MaxDelay != 3*time.Millisecond {
		t.Errorf("durations %v %+v, want whole milliseconds", job.Timeout, job.Retry)
	}
	if got := (JobDefinition{Name: "a"}).record().Handler; got != "a" {
		t.Errorf("handler %q, want the name", got)
	}
	for _, tt := range []struct{ concurrent, everywhere bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		d.AllowConcurrent, d.RunOnEveryInstance = tt.concurrent, tt.everywhere
		row := d.Triggers[0].record(d.record())
		if row.Exclusive == tt.concurrent || row.Local != tt.everywhere || row.Priority != DefaultPriority {
			t.Errorf("%+v: row %+v", tt, row)
		}
	}
}
