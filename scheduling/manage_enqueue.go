package scheduling

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// MaxKey is the longest key of an enqueue request, in bytes: with its prefix it
// must be a legal name.
const MaxKey = provider.MaxName - len(provider.PrefixManual)

// EnqueueRequest asks for one run of a job. Only Job is needed.
type EnqueueRequest struct {
	// Job is the job's name.
	Job string
	// Data overrides the job's data, key by key (R240).
	Data Data
	// DueAt is when the run may begin; zero = now, by the store's clock.
	DueAt time.Time
	// Priority orders it among what is due; 0 means [DefaultPriority].
	Priority int
	// ExpiresAt drops the request if its run has not begun by then; zero =
	// never. A drop is logged (D38).
	ExpiresAt time.Time
	// Key names the request: while a request of the same job and key has not
	// begun, another one inserts nothing. Empty draws a key of its own.
	// Grammar of names, at most [MaxKey] bytes; it may begin with '.', '_'
	// and '-' too.
	Key string
}

// Enqueued is the answer to one request.
type Enqueued struct {
	// Trigger names the one-shot; its run carries it as trigger name. Zero
	// where the request failed.
	Trigger TriggerKey
	// DueAt is when it becomes due; of one that existed, when that does.
	DueAt time.Time
	// Existed says that the same request was there already (D38).
	Existed bool
}

// Enqueue stores requests as one-shots, which any node runs; it does not wait
// for the runs (R234). It works before Run and after its end (R235), and for
// paused jobs (D11). The answers stand in the order of the requests. Per item:
// [ErrJobNotFound]; [ErrInvalidDefinition] with all faults.
func (s *Scheduler) Enqueue(ctx context.Context, requests ...EnqueueRequest) ([]Enqueued, error) {
	answers, err := enqueue(ctx, s.store, requests)
	for _, a := range answers {
		if a.Trigger.Job != "" && !a.Existed {
			s.nudge()
			break
		}
	}
	return answers, err
}

// EnqueueIn is [Scheduler.Enqueue] through another enqueuer, such as one that a
// store binds to a transaction of the application: the requests are then there
// when that transaction commits, and never otherwise (D34). Nothing is repeated,
// and no node is woken: call [Scheduler.Wake] after the commit, or the runs
// begin within one PollInterval of it.
func (s *Scheduler) EnqueueIn(ctx context.Context, in provider.Enqueuer, requests ...EnqueueRequest) ([]Enqueued, error) {
	if in == nil {
		return nil, provider.Invalidf("enqueuer nil: pass the one that the store binds to your transaction, or use Enqueue")
	}
	return enqueue(ctx, in, requests)
}

// Wake makes this node look for due work at once.
func (s *Scheduler) Wake() { s.nudge() }

func enqueue(ctx context.Context, in provider.Enqueuer, requests []EnqueueRequest) ([]Enqueued, error) {
	b := &batch{total: len(requests)}
	var items []item[provider.TriggerRecord]
	for i, r := range requests {
		t, err := r.trigger()
		if err != nil {
			b.fail(i, r.Job, err)
			continue
		}
		items = append(items, item[provider.TriggerRecord]{i, r.Job, t})
	}
	answers := make([]Enqueued, len(requests))
	if len(items) == 0 {
		return answers, b.err()
	}
	send := make([]provider.TriggerRecord, len(items))
	for i, it := range items {
		send[i] = it.value
	}
	stored, err := in.Enqueue(ctx, send)
	if err == nil && len(stored) != len(send) {
		err = shortAnswer("Enqueue", len(stored), len(send))
	}
	if err != nil {
		return answers, failAll(b, items, err)
	}
	for i, it := range items {
		if a := stored[i]; a.Err != nil {
			b.fail(it.index, it.key, a.Err)
		} else {
			answers[it.index] = Enqueued{Trigger: a.Key, DueAt: a.DueAt, Existed: a.Existed}
		}
	}
	return answers, b.err()
}

// trigger is the one-shot of a request.
func (r EnqueueRequest) trigger() (provider.TriggerRecord, error) {
	var f faults
	f.add(provider.CheckName("Job", r.Job))
	var name string
	if r.Key == "" {
		id, err := uuid.NewV7() // drawn before the first try (D10); in order of time
		if err != nil {
			return provider.TriggerRecord{}, fmt.Errorf("scheduling: no random key for job %s: %w", shownKey(r.Job), err)
		}
		name = plan.ManualName(id.String())
	} else {
		name = plan.ManualName(r.Key)
		f.add(checkKey(r.Key))
	}
	f.add(checkDue("DueAt", r.DueAt))
	f.add(checkDue("ExpiresAt", r.ExpiresAt))
	if !r.DueAt.IsZero() && !r.ExpiresAt.IsZero() && r.ExpiresAt.Before(r.DueAt) {
		f.addf("ExpiresAt %s is before DueAt %s: it would never run",
			r.ExpiresAt.UTC().Format(time.RFC3339Nano), r.DueAt.UTC().Format(time.RFC3339Nano))
	}
	f.add(checkPriority("Priority", r.Priority))
	if err := f.err(shownKey(r.Job)); err != nil {
		return provider.TriggerRecord{}, err
	}
	due := cutMicros(r.DueAt)
	return provider.TriggerRecord{
		TriggerKey:  provider.TriggerKey{Job: r.Job, Trigger: name},
		Data:        r.Data.text,
		Priority:    cmp.Or(r.Priority, DefaultPriority),
		State:       provider.TriggerWaiting,
		ScheduledAt: due,
		NextFireAt:  due,
		RunAs:       provider.KindManual,
		Attempt:     1,
		ExpiresAt:   cutMicros(r.ExpiresAt),
	}, nil
}

func checkKey(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("Key %s: %d bytes long: use at most %d", provider.Quote(key), len(key), MaxKey)
	}
	if err := provider.CheckName("Key", plan.ManualName(key)); err != nil {
		return fmt.Errorf("Key %s: use only a-z, 0-9, '.', '_' and '-'", provider.Quote(key))
	}
	return nil
}

// checkDue keeps instants within what every part can store.
func checkDue(field string, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	if year := at.UTC().Year(); year < 1970 || year > 9999 {
		return fmt.Errorf("%s %s: use the years 1970 to 9999, or the zero time", field, at.UTC().Format(time.RFC3339))
	}
	return nil
}

// cutMicros is an instant as it is stored (D31).
func cutMicros(at time.Time) time.Time {
	if at.IsZero() {
		return time.Time{}
	}
	return at.UTC().Truncate(time.Microsecond)
}
