package provider

import (
	"errors"
	"fmt"
)

// Code is a stable error code (R289–R305). It never changes its meaning.
type Code string

// The error codes.
const (
	CodeJobNotFound         Code = "SCHEDULING_NOTFOUND_001"
	CodeHandlerNotFound     Code = "SCHEDULING_NOTFOUND_002"
	CodeTriggerNotFound     Code = "SCHEDULING_NOTFOUND_003"
	CodeRunNotFound         Code = "SCHEDULING_NOTFOUND_004"
	CodeNoCodeDefinition    Code = "SCHEDULING_NOTFOUND_005"
	CodeInvalidDefinition   Code = "SCHEDULING_VALIDATION_001"
	CodeInvalidPage         Code = "SCHEDULING_VALIDATION_002"
	CodeJobRunning          Code = "SCHEDULING_CONFLICT_001"
	CodeLeaseHeld           Code = "SCHEDULING_CONFLICT_002"
	CodeRunCanceled         Code = "SCHEDULING_CONFLICT_003"
	CodeNotServing          Code = "SCHEDULING_UNAVAILABLE_001"
	CodeElectionUnavailable Code = "SCHEDULING_UNAVAILABLE_002"
	CodeStoreUnavailable    Code = "SCHEDULING_UNAVAILABLE_003"
	CodeStoreFull           Code = "SCHEDULING_UNAVAILABLE_004"
	CodeRunTimeout          Code = "SCHEDULING_TIMEOUT_001"
	CodeRunPanicked         Code = "SCHEDULING_UNEXPECTED_001"
	CodeLeaderUnreachable   Code = "KERNEL_UNAVAILABLE_005"
)

// One sentinel per code, for [errors.Is]. Compare with these, never with a
// message.
var (
	ErrJobNotFound         = &Error{Code: CodeJobNotFound}
	ErrHandlerNotFound     = &Error{Code: CodeHandlerNotFound}
	ErrTriggerNotFound     = &Error{Code: CodeTriggerNotFound}
	ErrRunNotFound         = &Error{Code: CodeRunNotFound}
	ErrNoCodeDefinition    = &Error{Code: CodeNoCodeDefinition}
	ErrInvalidDefinition   = &Error{Code: CodeInvalidDefinition}
	ErrInvalidPage         = &Error{Code: CodeInvalidPage}
	ErrJobRunning          = &Error{Code: CodeJobRunning}
	ErrLeaseHeld           = &Error{Code: CodeLeaseHeld}
	ErrRunCanceled         = &Error{Code: CodeRunCanceled}
	ErrNotServing          = &Error{Code: CodeNotServing}
	ErrElectionUnavailable = &Error{Code: CodeElectionUnavailable}
	ErrStoreUnavailable    = &Error{Code: CodeStoreUnavailable}
	ErrStoreFull           = &Error{Code: CodeStoreFull}
	ErrRunTimeout          = &Error{Code: CodeRunTimeout}
	ErrRunPanicked         = &Error{Code: CodeRunPanicked}
	ErrLeaderUnreachable   = &Error{Code: CodeLeaderUnreachable}
)

// ErrOutcomeUnknown says that a commit was sent, its answer was lost and the
// look-up failed too: the operation may or may not have taken effect. It
// stands in the chain of an [ErrStoreUnavailable] or [ErrElectionUnavailable].
var ErrOutcomeUnknown = errors.New("the outcome of the commit is unknown")

// Reasons that callers tell apart.
const (
	// ReasonContention: the operation lost every race, or waited 5 s for a
	// row that another transaction holds (D09). Nothing was written.
	ReasonContention = "contention"
)

// Error is the one error type of the contract (G3).
type Error struct {
	// Code says what kind of error it is.
	Code Code
	// Key names the item concerned: a job, job/trigger, run id or lease.
	// Empty where there is none.
	Key string
	// Reason says what is wrong, in English, with the remedy where there is
	// one. It never holds payload data or connection strings.
	Reason string
	// Err is the cause, for example the driver's error. May be nil.
	Err error
}

// Error renders code, message, key, reason and cause.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + Message(e.Code)
	if e.Key != "" {
		text += " (" + e.Key + ")"
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause, so that a driver's error stays reachable by
// [errors.As].
func (e *Error) Unwrap() error { return e.Err }

// Is matches any *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Unavailable wraps a fault of the database (R022, R023). A nil cause gives
// nil; an *Error passes unchanged (R024).
func Unavailable(op string, cause error) error {
	if cause == nil {
		return nil
	}
	var e *Error
	if errors.As(cause, &e) {
		return cause
	}
	return &Error{Code: CodeStoreUnavailable, Reason: op, Err: cause}
}

// Contended is the answer of an operation that lost every race (D09).
func Contended(op string) error {
	return &Error{Code: CodeStoreUnavailable, Key: op, Reason: ReasonContention}
}

// NotFound builds a not-found error for a key.
func NotFound(code Code, key string) error { return &Error{Code: code, Key: key} }

// Invalidf builds a validation error; the text names field, value and remedy.
func Invalidf(format string, args ...any) error {
	return &Error{Code: CodeInvalidDefinition, Reason: fmt.Sprintf(format, args...)}
}

// messages is the catalogue of message templates, keyed by code (G9).
var messages = map[Code]string{
	CodeJobNotFound:         "no job of this name is scheduled",
	CodeHandlerNotFound:     "no handler is registered under this key",
	CodeTriggerNotFound:     "no such trigger",
	CodeRunNotFound:         "no such run, or it has ended",
	CodeNoCodeDefinition:    "the job has no definition in code to restore",
	CodeInvalidDefinition:   "the definition is not valid",
	CodeInvalidPage:         "the page is out of range",
	CodeJobRunning:          "the job is running and does not allow concurrent runs",
	CodeLeaseHeld:           "the lease is held by another holder",
	CodeRunCanceled:         "the run was canceled",
	CodeNotServing:          "this scheduler is not running, or is stopping",
	CodeElectionUnavailable: "the election's storage cannot be reached",
	CodeStoreUnavailable:    "the job store cannot be reached",
	CodeStoreFull:           "the job store is full",
	CodeRunTimeout:          "the run exceeded its time limit",
	CodeRunPanicked:         "the job failed unexpectedly",
	CodeLeaderUnreachable:   "the leader lease cannot be read",
}

// Message returns the English message of a code, or the code itself if it is
// unknown.
func Message(code Code) string {
	if m, ok := messages[code]; ok {
		return m
	}
	return string(code)
}
