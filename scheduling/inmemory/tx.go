package inmemory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// tx is one transaction. It writes in place, and undoes its writes where it
// does not commit.
type tx struct {
	*tables
	store *Store
	// now is the store's clock in this transaction.
	now     time.Time
	undo    []func()
	journal journal

	// The jobs whose Blocked triggers must be looked at before the commit
	// (block.go): those that a run has left, and those of which a trigger that
	// carries on was taken away. handedBack counts those that became Waiting.
	freed      map[string]struct{}
	takenFrom  map[string]struct{}
	handedBack int
	// blocked counts the triggers stored as Blocked beside the candidates.
	blocked int
}

// transact runs one transaction between the two phases of the fault hook.
func transact[A any](ctx context.Context, s *Store, op string, do func(*tx) (A, error)) (A, error) {
	var none A
	if err := s.fault(op, Before); err != nil {
		return none, unavailable(op, err)
	}
	if err := ctx.Err(); err != nil {
		return none, ended(op, err)
	}
	answer, wrote, err := locked(s, op, do)
	if err != nil {
		return answer, err
	}
	if err := s.fault(op, AfterCommit); err != nil {
		if wrote {
			err = &provider.Error{Code: unavailableCode(op), Reason: op, Err: errors.Join(provider.ErrOutcomeUnknown, err)}
		}
		return none, unavailable(op, err)
	}
	return answer, nil
}

// locked runs one transaction under the mutex. Whatever ends it, the mutex is
// released and the change is whole or not there.
func locked[A any](s *Store, op string, do func(*tx) (A, error)) (answer A, wrote bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &tx{tables: &s.tables, store: s}
	committed := false
	defer func() {
		if committed {
			return
		}
		t.rollback()
		if cause := recover(); cause != nil {
			err = unavailable(op, fmt.Errorf("a function called in the transaction panicked: %v", cause))
		}
	}()
	t.now = cut(s.now())
	if answer, err = do(t); err != nil {
		return answer, false, err
	}
	t.handBackAll()
	committed = true
	t.tell(op)
	return answer, len(t.undo) > 0, nil
}

func (t *tx) rollback() {
	for i := len(t.undo) - 1; i >= 0; i-- {
		t.undo[i]()
	}
	t.undo = nil
}

func (s *Store) fault(op string, phase Phase) error {
	if s.options.Fault == nil {
		return nil
	}
	return s.options.Fault(op, phase)
}

// held reports whether the test hook says that the job's row is held.
func (t *tx) held(op, job string) bool {
	return t.store.options.Held != nil && t.store.options.Held(op, job)
}

// electionOps is the prefix of the names of the election's methods.
const electionOps = "Election."

func unavailableCode(op string) provider.Code {
	if strings.HasPrefix(op, electionOps) {
		return provider.CodeElectionUnavailable
	}
	return provider.CodeStoreUnavailable
}

// unavailable wraps a fault; one of the contract's errors passes unchanged
// (R024).
func unavailable(op string, cause error) error {
	var known *provider.Error
	if errors.As(cause, &known) {
		return cause
	}
	return &provider.Error{Code: unavailableCode(op), Reason: op, Err: cause}
}

// ended is the answer where the context ended before anything was written: its
// error unwrapped, except for elections, which know one error only.
func ended(op string, cause error) error {
	if strings.HasPrefix(op, electionOps) {
		return unavailable(op, cause)
	}
	return cause
}
