package gormsched

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// The row functions give a record's values in the order of its column list,
// for inserts. Absent values are NULL where the column can be NULL; every
// other value is written whatever it is, zero included.

func jobRow(r provider.JobRecord) []any {
	var backoff any
	if r.Retry.MaxRetries != 0 || r.Retry.Backoff != 0 {
		backoff = int64(r.Retry.Backoff)
	}
	return []any{
		r.Name, r.Handler, textOrNull(r.Description), textOrNull(r.Data),
		flag(r.AllowConcurrent), flag(r.EveryInstance), flag(r.RequestsRecovery), flag(r.Paused),
		intOrNull(int64(r.Retry.MaxRetries)), intOrNull(r.Retry.Delay.Milliseconds()),
		intOrNull(r.Retry.MaxDelay.Milliseconds()), backoff, intOrNull(r.Timeout.Milliseconds()),
		textOrNull(r.ActiveRunID), r.Fence, int64(r.Source), textOrNull(r.Fingerprint), r.CodeVersion, r.Version,
	}
}

func triggerRow(r provider.TriggerRecord) []any {
	return []any{
		r.TriggerKey.String(), r.Job, r.Trigger, r.Schedule, textOrNull(r.Description), textOrNull(r.Data),
		int64(r.Priority), int64(r.Misfire), int64(r.State), flag(r.Paused), flag(r.Local), flag(r.Exclusive),
		usOrNull(r.ScheduledAt), usOrNull(r.NextFireAt), usOrNull(r.PrevFireAt), r.FireCount,
		intOrNull(r.ClaimID), textOrNull(r.ClaimedBy), intOrNull(r.Incarnation), usOrNull(r.ClaimedAt),
		int64(r.RunAs), intOrNull(int64(r.Attempt)), textOrNull(r.RetryOf), usOrNull(r.ExpiresAt),
		textOrNull(r.ErrorCode), textOrNull(r.ErrorText), textOrNull(r.ZoneHash), r.Version,
	}
}

// runRow derives running_on from the state (D44).
func runRow(r provider.RunRecord) []any {
	var runningOn any
	if r.State == provider.RunRunning {
		runningOn = r.Node
	}
	return []any{
		r.ID, r.Job, r.TriggerName, int64(r.Kind), int64(r.State),
		runningOn, r.Node, r.Incarnation,
		micros(r.ScheduledAt), micros(r.StartedAt), usOrNull(r.CompletedAt),
		intOrNull(int64(r.Attempt)), textOrNull(r.RetryOf), usOrNull(r.CancelRequestedAt), r.Fence, r.Sequence,
		textOrNull(r.Data), textOrNull(r.Result), textOrNull(r.ErrorCode), textOrNull(r.ErrorText), r.Version,
	}
}

func nodeRow(r provider.NodeRecord) []any {
	return []any{
		r.ID, r.Incarnation, micros(r.HeartbeatAt), micros(r.StartedAt),
		r.Timeout.Milliseconds(), r.HeartbeatInterval.Milliseconds(),
		textOrNull(r.Process.Host), textOrNull(r.Process.Boot), textOrNull(r.Process.Namespace), intOrNull(r.Process.PID),
		r.Version,
	}
}

func leaseRow(r provider.LeaseRecord) []any {
	return []any{r.Resource, r.Holder, r.Token, r.TTL.Milliseconds(), micros(r.ExpiresAt), r.Fence, r.Version}
}

// micros cuts an instant to whole microseconds since the epoch (D31).
func micros(t time.Time) int64 { return t.UnixMicro() }

// usOrNull writes the zero time as NULL. The epoch itself is 0, not NULL.
func usOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

func intOrNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
