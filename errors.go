package gormsched

import (
	"errors"
	"fmt"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// failed turns a database's error into one of the contract (R022, R023). The
// driver's error stays reachable by [errors.As].
func failed(op string, fault dialects.Fault, err error) error {
	if errors.Is(err, dialects.ErrText) {
		return provider.Invalidf("%s: %v", op, err)
	}
	switch fault {
	case dialects.FaultRetry, dialects.FaultLockTimeout, dialects.FaultDuplicate:
		return contended(op, err)
	case dialects.FaultSchema:
		return &provider.Error{
			Code:   provider.CodeStoreUnavailable,
			Reason: op + ": a table or column is missing: call Provision with CreateIfMissing, or apply SchemaSQL; Validate names what is missing",
			Err:    err,
		}
	case dialects.FaultDenied:
		return &provider.Error{
			Code:   provider.CodeStoreUnavailable,
			Reason: op + ": the database's user lacks the privilege that the cause names: grant it (docs/operations.md, Privileges); creating tables can be left to another user or to a migration, with SchemaSQL",
			Err:    err,
		}
	case dialects.FaultReadOnly:
		return &provider.Error{
			Code:   provider.CodeStoreUnavailable,
			Reason: op + ": the database takes no writes: connect to the primary",
			Err:    err,
		}
	}
	return provider.Unavailable(op, err)
}

// contended is [provider.Contended] with the cause.
func contended(op string, cause error) error {
	return &provider.Error{Code: provider.CodeStoreUnavailable, Key: op, Reason: provider.ReasonContention, Err: cause}
}

// outcomeUnknown says that a commit was not answered, nor its look-up; a nil
// lookup error stands for an operation that was repeated in vain instead.
func outcomeUnknown(op string, commit, lookup error) error {
	cause := fmt.Errorf("%w: %w", provider.ErrOutcomeUnknown, commit)
	if lookup != nil {
		cause = fmt.Errorf("%w (looking it up: %w)", cause, lookup)
	}
	return &provider.Error{Code: provider.CodeStoreUnavailable, Reason: op, Err: cause}
}

// electionError is what an operation of the election returns (R069): a lease
// that is held and validation pass, everything else is unavailable.
func electionError(err error) error {
	if err == nil || isLeaseHeld(err) || errors.Is(err, provider.ErrInvalidDefinition) {
		return err
	}
	var e *provider.Error
	if errors.As(err, &e) && e.Code == provider.CodeStoreUnavailable {
		return &provider.Error{Code: provider.CodeElectionUnavailable, Key: e.Key, Reason: e.Reason, Err: e.Err}
	}
	return &provider.Error{Code: provider.CodeElectionUnavailable, Err: err}
}

func isLeaseHeld(err error) bool { return errors.Is(err, provider.ErrLeaseHeld) }
