package gormsched

import (
	"context"
	"database/sql"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// leaderElection keeps leases as rows of the lease table (R056). Each call is
// one transaction of its own (R057). A holder that stops at any statement
// leaves either no row or one that expires; a new holder that stops before its
// commit has taken nothing.
type leaderElection struct{ core *core }

// Election is the leader election over the store's lease table.
func (s *JobStore) Election() provider.Election { return leaderElection{s.core} }

// longestToken is the length of the longest token.
const longestToken = 64

// TryAcquire takes the lease if there is no row, or one that has expired
// (R058–R061). The row is locked first, so that of two candidates one finds
// the other's lease. With ErrLeaseHeld comes the row that holds it.
func (e leaderElection) TryAcquire(ctx context.Context, req provider.LeaseRequest) (provider.LeaseAnswer, error) {
	if err := checkLease(req); err != nil {
		return provider.LeaseAnswer{}, err
	}
	var answer provider.LeaseAnswer
	sent := false // a commit of this call was not answered
	err := e.core.inTx(ctx, "acquiring a lease", txDispatch, func(t *tx) error {
		now, err := t.nowUS()
		if err != nil {
			return err
		}
		found, exists, err := t.lockLease(req.Resource)
		if err != nil {
			return err
		}
		answer = provider.LeaseAnswer{Now: instant(now), Found: exists, Lease: found}
		switch {
		case exists && sent && found.Token == req.Token && micros(found.ExpiresAt) > now:
			return nil // adopted (D24)
		case exists && micros(found.ExpiresAt) > now && !stepped(found, now, req):
			return heldBy(found)
		}
		row := provider.LeaseRecord{
			Resource: req.Resource, Holder: req.Holder, Token: req.Token, TTL: req.TTL.Truncate(millis(1)),
			Fence: issued.next(t.c.t.leases+req.Resource, max(found.Fence+1, now)), Version: found.Version + 1,
		}
		row.ExpiresAt = answer.Now.Add(row.TTL)
		if exists {
			err = t.replaceLease(row)
		} else {
			// The loser of an insert race repeats, and finds the winner (D24).
			err = t.insertRows(t.c.t.leases, sourceColumns(leaseColumns...), [][]any{leaseRow(row)})
		}
		answer.Found, answer.Lease = true, row
		return err
	}, func(context.Context) (bool, error) {
		sent = true
		return false, errRepeat
	})
	return answered(answer, err)
}

// stepped reports whether the clock has stepped back under a row that the
// caller has watched stand still: no renewal can have put its expiry so far
// away (D26).
func stepped(row provider.LeaseRecord, now int64, req provider.LeaseRequest) bool {
	return req.Stood != nil && row.Token == req.Stood.Token && row.Version == req.Stood.Version &&
		row.ExpiresAt.Sub(instant(now)) > row.TTL+req.Margin
}

// Renew pushes the expiry one TTL forward where the row still carries the
// token and has not expired (R063–R065). Repeating it is safe.
func (e leaderElection) Renew(ctx context.Context, resource, token string) (provider.LeaseAnswer, error) {
	q := e.core.d.Quote
	var answer provider.LeaseAnswer
	err := e.core.inTx(ctx, "renewing a lease", txDispatch, func(t *tx) error {
		now, err := t.nowUS()
		if err != nil {
			return err
		}
		renewed, err := t.exec("UPDATE "+t.c.t.leases+" SET "+q("expires_us")+" = ? + "+q("ttl_ms")+" * 1000, "+q("version")+" = "+q("version")+
			" + 1 WHERE "+q("lease_name")+" = ? AND "+q("token")+" = ? AND "+q("expires_us")+" > ?", now, resource, token, now)
		if err != nil {
			return err
		}
		answer = provider.LeaseAnswer{Now: instant(now)}
		if answer.Lease, answer.Found, err = t.readLease(resource, "", ""); err != nil {
			return err
		}
		if renewed == 0 {
			return heldBy(answer.Lease)
		}
		return nil
	}, nil)
	return answered(answer, err)
}

// Release deletes the row if it carries the token (R066, R067).
func (e leaderElection) Release(ctx context.Context, resource, token string) error {
	q := e.core.d.Quote
	return electionError(e.core.inTx(ctx, "releasing a lease", txDispatch, func(t *tx) error {
		_, err := t.exec("DELETE FROM "+t.c.t.leases+" WHERE "+q("lease_name")+" = ? AND "+q("token")+" = ?", resource, token)
		return err
	}, nil))
}

// Inspect reads the row and the clock, in this order: a lease that is renewed
// between the two looks older than it is, never younger.
func (e leaderElection) Inspect(ctx context.Context, resource string) (provider.LeaseAnswer, error) {
	var answer provider.LeaseAnswer
	err := e.core.inTx(ctx, "reading a lease", txRead, func(t *tx) (err error) {
		answer, err = t.inspect(resource)
		return err
	}, nil)
	return answered(answer, err)
}

func (t *tx) inspect(resource string) (answer provider.LeaseAnswer, err error) {
	if answer.Lease, answer.Found, err = t.readLease(resource, "", ""); err != nil {
		return answer, err
	}
	now, err := t.nowUS()
	answer.Now = instant(now)
	return answer, err
}

func (t *tx) lockLease(resource string) (provider.LeaseRecord, bool, error) {
	hint, suffix := t.c.d.Lock(dialects.LockWait, "l")
	return t.readLease(resource, hint, suffix)
}

// readLease reads a lease row, and locks it where hint and suffix say so.
func (t *tx) readLease(resource, hint, suffix string) (row provider.LeaseRecord, found bool, err error) {
	err = t.query(func(rows *sql.Rows) error {
		var err error
		row, err = scanLease(rows)
		found = true
		return err
	}, "SELECT "+t.c.columns("l", leaseColumns)+" FROM "+t.c.t.leases+" AS l"+hint+" WHERE l."+t.c.d.Quote("lease_name")+" = ?"+suffix, resource)
	return row, found, err
}

// replaceLease writes every column of a row that is locked.
func (t *tx) replaceLease(row provider.LeaseRecord) error {
	up := dialects.Update{Table: t.c.t.leases, Columns: sourceColumns(leaseColumns...), Rows: [][]any{leaseRow(row)}}
	for _, name := range leaseColumns[1:] {
		up.Set = append(up.Set, dialects.Set{Column: name})
	}
	_, err := t.updateRows(up)
	return err
}

// answered gives the row with ErrLeaseHeld, and nothing with other errors.
func answered(answer provider.LeaseAnswer, err error) (provider.LeaseAnswer, error) {
	if err = electionError(err); err != nil && !isLeaseHeld(err) {
		return provider.LeaseAnswer{}, err
	}
	return answer, err
}

// heldBy is the answer of a lease that is another's, or lost.
func heldBy(row provider.LeaseRecord) error {
	reason := "the lease was released or lost: acquire it anew"
	if row.Resource != "" {
		reason = "held by " + row.Holder + " until " + row.ExpiresAt.Format(time.RFC3339Nano)
	}
	return &provider.Error{Code: provider.CodeLeaseHeld, Key: row.Resource, Reason: reason}
}

func checkLease(req provider.LeaseRequest) error {
	if err := provider.CheckName("Resource", req.Resource); err != nil {
		return err
	}
	if err := provider.CheckPrintable("Holder", req.Holder); err != nil {
		return err
	}
	if err := provider.CheckPrintable("Token", req.Token); err != nil {
		return err
	}
	if len(req.Token) > longestToken {
		return provider.Invalidf("Token %s is %d bytes long: use at most %d", provider.Quote(req.Token), len(req.Token), longestToken)
	}
	if req.TTL < time.Millisecond {
		return provider.Invalidf("TTL %v is too short: use at least 1ms", req.TTL)
	}
	return nil
}
