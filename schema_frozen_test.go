package gormsched

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The folders testdata/schema/vN hold what version N of the schema was, and
// rows as that version wrote them. They are never changed: an installation of
// that version must open with this code, in every later version.

func frozen(t *testing.T, version, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "schema", version, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A script that was released only grows at its end.
func TestFrozenScriptIsWhereTheScriptBegins(t *testing.T) {
	for _, d := range []string{"sqlite", "postgres", "mysql", "sqlserver"} {
		script, err := SchemaSQL(d, 0, SchemaVersion, nil)
		if err != nil {
			t.Fatal(err)
		}
		if was := frozen(t, "v1", d+".sql"); !strings.HasPrefix(script, was) {
			t.Errorf("%s: schema version 1 was changed: add a version 2 instead", d)
		}
	}
}

// An installation of version 1 is opened: Provision brings it up, and every row
// reads as it was meant.
func TestFrozenInstallationOpens(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		script := d.name + ".sql"
		if mysqlDSN(d.name) != "" { // the rows' names are quoted as in standard SQL
			d, script = mysqlWith(t, d.name, "sql_mode=%27ANSI_QUOTES,STRICT_ALL_TABLES%27"), "mysql.sql"
		}
		s := d.bare(t, Options{})
		for _, file := range []string{script, "rows.sql"} {
			text := strings.ReplaceAll(frozen(t, "v1", file), "scheduler_", d.prefix+"scheduler_")
			for _, statement := range dialects.SchemaStatements(text) {
				sqlExec(t, s, statement)
			}
		}
		if err := s.Provision(ctx, CreateIfMissing); err != nil {
			t.Fatalf("Provision over version 1: %v", err)
		}
		jobs, err := s.ListJobs(ctx, "", 0)
		same(t, err, jobs, frozenJobs)
		triggers, err := s.ListTriggers(ctx, provider.TriggerQuery{})
		same(t, err, triggers, frozenTriggers)
		runs, err := s.RunsByID(ctx, []string{frozenRuns[0].ID, frozenRuns[1].ID})
		same(t, err, runs, frozenRuns)
		nodes, err := s.ListNodes(ctx)
		same(t, err, nodes.Nodes, frozenNodes)
		lease, err := s.Election().Inspect(ctx, "scheduling.jobs")
		same(t, err, []provider.LeaseRecord{lease.Lease}, []provider.LeaseRecord{frozenLease})

		// And it goes on working on them.
		if _, err := s.ResumeJobs(ctx, []string{"reports.nightly"}); err != nil {
			t.Error(err)
		}
		if b, err := s.Heartbeat(ctx, frozenNodes[0].NodeRef); err != nil || !b.Alive {
			t.Errorf("Heartbeat: %+v, %v", b, err)
		}
		if a := saveJobs(t, s, jobItem("tick")); !a[0].Replaced {
			t.Errorf("SaveJobs: %+v, want the job of version 1 replaced", a)
		}
	})
}

// same compares lists of records, one by one.
func same[R any](t *testing.T, err error, got, want []R) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("got %d records, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("record %d: got\n%+v\nwant\n%+v", i, got[i], want[i])
		}
	}
}

func us(n int64) time.Time { return time.UnixMicro(n).UTC() }

var (
	frozenJobs = []provider.JobRecord{
		{
			Name: "reports.nightly", Handler: "Reports/Nightly", Description: "every night", Data: `{"format":"pdf","big":12345678901234567890}`,
			RequestsRecovery: true, Paused: true,
			Retry:   provider.RetryPolicy{MaxRetries: 3, Delay: time.Minute, MaxDelay: 30 * time.Minute, Backoff: provider.BackoffExponential},
			Timeout: 20 * time.Minute, ActiveRunID: "01890a5d-ac96-774b-bcce-b302099a8057", Fence: 1767225600000001,
			Source: provider.SourceOverridden, Fingerprint: "1:9f86d081884c7d659a2feaa0c55ad015", CodeVersion: 4, Version: 1767225600000002,
		},
		{Name: "tick", Handler: "tick", AllowConcurrent: true, EveryInstance: true, Source: provider.SourceCode, Version: 1},
	}
	frozenTriggers = []provider.TriggerRecord{
		{
			TriggerKey: provider.TriggerKey{Job: "reports.nightly", Trigger: "workdays"}, Schedule: "cron 0 0 6 * * MON-FRI tz=Asia/Shanghai",
			Description: "working days", Data: "{}", Priority: 8, Misfire: provider.MisfireRunAll, State: provider.TriggerAcquired, Paused: true, Exclusive: true,
			ScheduledAt: us(1767218400000000), NextFireAt: us(1767218401500000), PrevFireAt: us(1767132000000000), FireCount: 41,
			ClaimID: -7, ClaimedBy: "orders-a:1", Incarnation: 1767225500000000, ClaimedAt: us(1767225600000000),
			RunAs: provider.KindSchedule, Attempt: 2, RetryOf: "01890a5d-ac96-774b-bcce-b302099a8057", ExpiresAt: us(1767312000000000),
			ErrorCode: "SCHEDULING_NOTFOUND_002", ErrorText: "no handler", ZoneHash: "a1b2c3", Version: 1767225600000003,
		},
		{
			TriggerKey: provider.TriggerKey{Job: "tick", Trigger: "default"}, Schedule: "every 00:10:00", Priority: 5,
			State: provider.TriggerComplete, Local: true, RunAs: provider.KindSchedule, Version: 1,
		},
	}
	frozenRuns = []provider.RunRecord{
		{
			ID: "01890a5d-ac96-774b-bcce-b302099a8057", Job: "reports.nightly", TriggerName: "workdays", Kind: provider.KindRetry, State: provider.RunFailed,
			Node: "orders-a:1", Incarnation: 1767225500000000, ScheduledAt: us(1767218400000000), StartedAt: us(1767225600000001), CompletedAt: us(1767225660000000),
			Attempt: 2, RetryOf: "01890a5d-0000-774b-bcce-b302099a8057", CancelRequestedAt: us(1767225630000000), Fence: 1767225600000001, Sequence: 1767225600000004,
			Data: `{"format":"xlsx"}`, Result: `{"rows":7}`, ErrorCode: "SCHEDULING_TIMEOUT_001", ErrorText: "too late", Version: 3,
		},
		{
			ID: "01890a5d-ac96-774b-bcce-b302099a8058", Job: "tick", Kind: provider.KindManual, State: provider.RunRunning,
			Node: "orders-a:1", Incarnation: 1767225500000000, ScheduledAt: us(1767225600000000), StartedAt: us(1767225600000000), Sequence: 1767225600000005, Version: 1,
		},
	}
	frozenNodes = []provider.NodeRecord{
		{
			NodeRef: provider.NodeRef{ID: "orders-a:1", Incarnation: 1767225500000000}, HeartbeatAt: us(1767225600000000), StartedAt: us(1767225500000000),
			Timeout: 90 * time.Second, HeartbeatInterval: 10 * time.Second,
			Process: provider.ProcessIdentity{Host: "orders-a", Boot: "3f2504e0-4f89-11d3-9a0c-0305e82c3301", Namespace: "4026531836", PID: 4711}, Version: 11,
		},
		{
			NodeRef: provider.NodeRef{ID: "orders-b:1", Incarnation: 1767225500000001}, HeartbeatAt: us(1767225600000001), StartedAt: us(1767225500000001),
			Timeout: 10 * time.Second, HeartbeatInterval: time.Second, Version: 1,
		},
	}
	frozenLease = provider.LeaseRecord{
		Resource: "scheduling.jobs", Holder: "orders-a:1", Token: "b302099a8057", TTL: 30 * time.Second,
		ExpiresAt: us(1767225630000000), Fence: 1767225500000002, Version: 12,
	}
)
