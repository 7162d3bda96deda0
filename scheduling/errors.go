package scheduling

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Error is the one error type of the scheduler (G3): a stable code, the item
// concerned, a reason, and the cause, for example the driver's error.
type Error = provider.Error

// Code is a stable error code (R289–R305).
type Code = provider.Code

// One sentinel per code, for [errors.Is].
var (
	// ErrJobNotFound: no job of this name is scheduled.
	ErrJobNotFound = provider.ErrJobNotFound
	// ErrHandlerNotFound: no handler is registered under this key (R241).
	ErrHandlerNotFound = provider.ErrHandlerNotFound
	// ErrTriggerNotFound: no such trigger.
	ErrTriggerNotFound = provider.ErrTriggerNotFound
	// ErrRunNotFound: no such run, or it has ended.
	ErrRunNotFound = provider.ErrRunNotFound
	// ErrNoCodeDefinition: the job has no definition in code to restore.
	ErrNoCodeDefinition = provider.ErrNoCodeDefinition
	// ErrInvalidDefinition: something that was given is not legal; the error
	// names every field, its value and the remedy.
	ErrInvalidDefinition = provider.ErrInvalidDefinition
	// ErrInvalidPage: the page of a run query is out of range (R116).
	ErrInvalidPage = provider.ErrInvalidPage
	// ErrJobRunning: the job is running and does not allow concurrent runs.
	ErrJobRunning = provider.ErrJobRunning
	// ErrLeaseHeld: the lease is held by another holder, or lost.
	ErrLeaseHeld = provider.ErrLeaseHeld
	// ErrRunCanceled: the run was canceled.
	ErrRunCanceled = provider.ErrRunCanceled
	// ErrNotServing: this scheduler is not running, or is stopping (R233).
	ErrNotServing = provider.ErrNotServing
	// ErrElectionUnavailable: the election's storage cannot be reached.
	ErrElectionUnavailable = provider.ErrElectionUnavailable
	// ErrStoreUnavailable: the job store cannot be reached, or is contended.
	ErrStoreUnavailable = provider.ErrStoreUnavailable
	// ErrStoreFull: the in-memory store's history is full of running runs.
	ErrStoreFull = provider.ErrStoreFull
	// ErrRunTimeout: the run exceeded its time limit.
	ErrRunTimeout = provider.ErrRunTimeout
	// ErrRunPanicked: the handler panicked, or ended its goroutine.
	ErrRunPanicked = provider.ErrRunPanicked
	// ErrLeaderUnreachable: the health check cannot read the lease (R305).
	ErrLeaderUnreachable = provider.ErrLeaderUnreachable
	// ErrOutcomeUnknown: the answer to a commit was lost and looking it up
	// failed too. It stands in the chain of an ErrStoreUnavailable.
	ErrOutcomeUnknown = provider.ErrOutcomeUnknown
)

// ItemError is what went wrong with one item of a batch.
type ItemError struct {
	// Index is the item's place in the call, from 0.
	Index int
	// Key names the item: a job, "job/trigger" or a run id. It may be empty
	// or illegal, as it was given.
	Key string
	// Err is the item's own error; never nil.
	Err error
}

// Error renders index, key and cause.
func (e *ItemError) Error() string {
	return fmt.Sprintf("item %d (%s): %v", e.Index, provider.Quote(e.Key), e.Err)
}

// Unwrap returns the item's own error.
func (e *ItemError) Unwrap() error { return e.Err }

// BatchError says which items of a batch failed; all the others are done (G8).
// [errors.Is] and [errors.As] look into every item. A batch that failed as a
// whole, because the store cannot be reached, returns that error instead.
type BatchError struct {
	// Items are the failed items in the order of the call; never empty.
	Items []*ItemError
	// Total is the number of items of the call.
	Total int
}

// maxListed is how many failed items the text of a BatchError shows.
const maxListed = 10

// Error lists the failed items, the first ten in full.
func (e *BatchError) Error() string {
	if len(e.Items) == 1 && e.Total == 1 {
		return e.Items[0].Err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d items failed", len(e.Items), e.Total)
	for i, item := range e.Items {
		if i == maxListed {
			fmt.Fprintf(&b, "; and %d more", len(e.Items)-maxListed)
			break
		}
		b.WriteString("; ")
		b.WriteString(item.Error())
	}
	return b.String()
}

// Unwrap returns one [*ItemError] per failed item.
func (e *BatchError) Unwrap() []error {
	errs := make([]error, len(e.Items))
	for i, item := range e.Items {
		errs[i] = item
	}
	return errs
}

// ItemErrors returns the failed items of an error of a batch call, by index;
// empty where err is nil or failed as a whole.
func ItemErrors(err error) map[int]error {
	var batch *BatchError
	if !errors.As(err, &batch) {
		return nil
	}
	failed := make(map[int]error, len(batch.Items))
	for _, item := range batch.Items {
		failed[item.Index] = item.Err
	}
	return failed
}
