package gormsched

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The column lists, in the order of the scans and of the row values. Nothing
// reads with an asterisk: a column that a later version adds must not disturb
// this one.
var (
	jobColumns = []string{
		"job_name", "handler_key", "job_description", "job_data",
		"allow_concurrent", "every_instance", "requests_recovery", "paused",
		"max_retries", "retry_delay_ms", "retry_max_delay_ms", "retry_backoff", "timeout_ms",
		"active_run_id", "fence", "job_source", "fingerprint", "code_version", "version",
	}
	triggerColumns = []string{
		"trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data",
		"priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive",
		"scheduled_us", "next_fire_us", "prev_fire_us", "fire_count",
		"claim_id", "claimed_by", "incarnation", "claimed_us",
		"run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version",
	}
	runColumns = []string{
		"run_id", "job_name", "trigger_name", "run_kind", "run_state",
		"running_on", "node_id", "incarnation",
		"scheduled_us", "started_us", "completed_us",
		"attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no",
		"run_data", "run_result", "error_code", "error_text", "version",
	}
	nodeColumns = []string{
		"node_id", "incarnation", "heartbeat_us", "started_us", "timeout_ms", "heartbeat_ms",
		"host", "boot_id", "pid_namespace", "process_id", "version",
	}
	leaseColumns = []string{"lease_name", "holder", "token", "ttl_ms", "expires_us", "fence", "version"}
)

// errUnreadable says that a row holds an enumeration value that this version
// does not know: a newer node wrote it, and it is left alone (D14). The scan
// functions wrap it with the row's key and return the record all the same.
var errUnreadable = errors.New("the row holds a value that this version does not know")

// columns quotes a column list for a statement; with an alias each column is
// qualified by it.
func (c *core) columns(alias string, cols []string) string {
	var b strings.Builder
	for i, col := range cols {
		if i > 0 {
			b.WriteString(", ")
		}
		if alias != "" {
			b.WriteString(alias)
			b.WriteByte('.')
		}
		b.WriteString(c.d.Quote(col))
	}
	return b.String()
}

// scanJob reads one row of jobColumns; extra are destinations for the columns
// that follow.
func scanJob(rows *sql.Rows, extra ...any) (provider.JobRecord, error) {
	var (
		r                                       provider.JobRecord
		description, data, activeRun, print     sql.NullString
		concurrent, every, recovery, paused     int64
		retries, delay, maxDelay, back, timeout sql.NullInt64
		source                                  int64
	)
	err := rows.Scan(append([]any{
		&r.Name, &r.Handler, &description, &data,
		&concurrent, &every, &recovery, &paused,
		&retries, &delay, &maxDelay, &back, &timeout,
		&activeRun, &r.Fence, &source, &print, &r.CodeVersion, &r.Version,
	}, extra...)...)
	if err != nil {
		return r, err
	}
	r.Description, r.Data, r.ActiveRunID, r.Fingerprint = description.String, data.String, activeRun.String, print.String
	r.AllowConcurrent, r.EveryInstance = concurrent != 0, every != 0
	r.RequestsRecovery, r.Paused = recovery != 0, paused != 0
	r.Retry = provider.RetryPolicy{
		MaxRetries: int(retries.Int64),
		Delay:      millis(delay.Int64), MaxDelay: millis(maxDelay.Int64),
		Backoff: provider.Backoff(back.Int64),
	}
	r.Timeout = millis(timeout.Int64)
	r.Source = provider.Source(source)
	// 0 is no source, but a record that a caller left without one is readable.
	return r, readable(r.Name, r.Retry.Backoff.Valid(), r.Source == 0 || r.Source.Valid())
}

// scanTrigger reads one row of triggerColumns.
func scanTrigger(rows *sql.Rows, extra ...any) (provider.TriggerRecord, error) {
	var (
		r                               provider.TriggerRecord
		key                             string
		description, data               sql.NullString
		misfire, state, runAs           int64
		paused, local, exclusive        int64
		scheduled, next, prev, expires  sql.NullInt64
		claim, incarnation, claimed     sql.NullInt64
		claimedBy, retryOf, code, cause sql.NullString
		zone                            sql.NullString
		attempt                         sql.NullInt64
	)
	err := rows.Scan(append([]any{
		&key, &r.Job, &r.Trigger, &r.Schedule, &description, &data,
		&r.Priority, &misfire, &state, &paused, &local, &exclusive,
		&scheduled, &next, &prev, &r.FireCount,
		&claim, &claimedBy, &incarnation, &claimed,
		&runAs, &attempt, &retryOf, &expires, &code, &cause, &zone, &r.Version,
	}, extra...)...)
	if err != nil {
		return r, err
	}
	r.Description, r.Data = description.String, data.String
	r.Misfire, r.State, r.RunAs = provider.MisfirePolicy(misfire), provider.TriggerState(state), provider.RunKind(runAs)
	r.Paused, r.Local, r.Exclusive = paused != 0, local != 0, exclusive != 0
	r.ScheduledAt, r.NextFireAt, r.PrevFireAt = nullInstant(scheduled), nullInstant(next), nullInstant(prev)
	r.ClaimID, r.ClaimedBy, r.Incarnation, r.ClaimedAt = claim.Int64, claimedBy.String, incarnation.Int64, nullInstant(claimed)
	r.Attempt, r.RetryOf, r.ExpiresAt = int(attempt.Int64), retryOf.String, nullInstant(expires)
	r.ErrorCode, r.ErrorText, r.ZoneHash = code.String, cause.String, zone.String
	return r, readable(key, r.State.Valid(), r.Misfire.Valid(), r.RunAs == 0 || r.RunAs.Valid())
}

// scanRun reads one row of runColumns.
func scanRun(rows *sql.Rows, extra ...any) (provider.RunRecord, error) {
	var (
		r                                 provider.RunRecord
		kind, state, scheduled, started   int64
		runningOn, retryOf                sql.NullString
		completed, attempt, cancel        sql.NullInt64
		data, result, errorCode, errorMsg sql.NullString
	)
	err := rows.Scan(append([]any{
		&r.ID, &r.Job, &r.TriggerName, &kind, &state,
		&runningOn, &r.Node, &r.Incarnation,
		&scheduled, &started, &completed,
		&attempt, &retryOf, &cancel, &r.Fence, &r.Sequence,
		&data, &result, &errorCode, &errorMsg, &r.Version,
	}, extra...)...)
	if err != nil {
		return r, err
	}
	r.Kind, r.State = provider.RunKind(kind), provider.RunState(state)
	r.ScheduledAt, r.StartedAt, r.CompletedAt = instant(scheduled), instant(started), nullInstant(completed)
	r.Attempt, r.RetryOf, r.CancelRequestedAt = int(attempt.Int64), retryOf.String, nullInstant(cancel)
	r.Data, r.Result, r.ErrorCode, r.ErrorText = data.String, result.String, errorCode.String, errorMsg.String
	return r, readable(r.ID, r.State.Valid(), r.Kind == 0 || r.Kind.Valid())
}

// scanNode reads one row of nodeColumns.
func scanNode(rows *sql.Rows, extra ...any) (provider.NodeRecord, error) {
	var (
		r                           provider.NodeRecord
		heartbeat, started, timeout int64
		interval                    int64
		host, boot, namespace       sql.NullString
		pid                         sql.NullInt64
	)
	err := rows.Scan(append([]any{
		&r.ID, &r.Incarnation, &heartbeat, &started, &timeout, &interval,
		&host, &boot, &namespace, &pid, &r.Version,
	}, extra...)...)
	r.HeartbeatAt, r.StartedAt = instant(heartbeat), instant(started)
	r.Timeout, r.HeartbeatInterval = millis(timeout), millis(interval)
	r.Process = provider.ProcessIdentity{Host: host.String, Boot: boot.String, Namespace: namespace.String, PID: pid.Int64}
	return r, err
}

// scanLease reads one row of leaseColumns.
func scanLease(rows *sql.Rows, extra ...any) (provider.LeaseRecord, error) {
	var (
		r            provider.LeaseRecord
		ttl, expires int64
	)
	err := rows.Scan(append([]any{
		&r.Resource, &r.Holder, &r.Token, &ttl, &expires, &r.Fence, &r.Version,
	}, extra...)...)
	r.TTL, r.ExpiresAt = millis(ttl), instant(expires)
	return r, err
}

// readable gives nil if all values of a row are known.
func readable(key string, known ...bool) error {
	for _, ok := range known {
		if !ok {
			return fmt.Errorf("%s: %w", key, errUnreadable)
		}
	}
	return nil
}

// instant reads microseconds since the epoch.
func instant(us int64) time.Time { return time.UnixMicro(us).UTC() }

func nullInstant(us sql.NullInt64) time.Time {
	if !us.Valid {
		return time.Time{}
	}
	return instant(us.Int64)
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
