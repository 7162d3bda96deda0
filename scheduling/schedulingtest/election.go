package schedulingtest

import (
	"errors"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var electionCases = []Case{
	{Name: "AcquireFree", Rules: []string{"R056", "R058", "R062", "R072"},
		Explanation: "a free lease is taken: the row names holder, token and TTL and ends one TTL from the store's now",
		Run:         leaseFree},
	{Name: "AcquireHeld", Rules: []string{"R060", "R297"},
		Explanation: "a lease that is held is refused and the row stays as it is",
		Run:         leaseHeld},
	{Name: "AcquireAgain", Rules: []string{"R061"},
		Explanation: "the holder itself is refused too: a lease is not re-entrant",
		Run:         leaseAgain},
	{Name: "AcquireExpired", Rules: []string{"R059", "R072", "D25"},
		Explanation: "an expired lease is taken over with a new token and a greater fence",
		Run:         leaseExpired},
	{Name: "Renew", Rules: []string{"R063", "R071"},
		Explanation: "a renewal pushes the expiry to one TTL from now and keeps holder, token and fence",
		Run:         leaseRenew},
	{Name: "RenewByAnother", Rules: []string{"R063", "R064", "B145"},
		Explanation: "a renewal with another token, or of a lease nobody holds, is refused and changes nothing",
		Run:         leaseRenewByAnother},
	{Name: "RenewExpired", Rules: []string{"R065"},
		Explanation: "a lease that has expired cannot be renewed even if nobody has taken it",
		Run:         leaseRenewExpired},
	{Name: "RenewAfterTakeover", Rules: []string{"R064", "R065"},
		Explanation: "a lease that was taken over cannot be renewed by its former token",
		Run:         leaseRenewAfterTakeover},
	{Name: "Release", Rules: []string{"R014", "R066", "R067"},
		Explanation: "a release deletes the row, may be repeated, and lets another take the lease at once",
		Run:         leaseRelease},
	{Name: "ReleaseLate", Rules: []string{"R066", "B147"},
		Explanation: "a late release does not free the successor's lease",
		Run:         leaseReleaseLate},
	{Name: "InspectNothing", Rules: []string{"R123"},
		Explanation: "a lease that nobody holds is not found, without an error",
		Run:         leaseInspectNothing},
	{Name: "ResourcesAreApart", Rules: []string{"R075", "D32"},
		Explanation: "leases of different resources know nothing of each other",
		Run:         leaseResourcesAreApart},
	{Name: "TokensAreBytes", Rules: []string{"R062", "D32"},
		Explanation: "tokens that differ in case are different; any printable token and holder works",
		Run:         leaseTokensAreBytes},
	{Name: "Validation", Rules: []string{"R152", "R282", "R283"},
		Explanation: "an illegal resource, holder, token or TTL is a validation error, and nothing is written",
		Run:         leaseValidation},
}

const leaseTTL = 30 * time.Second

// lease asks for the lease with a token of its own.
func lease(holder, token string) provider.LeaseRequest {
	return provider.LeaseRequest{Resource: leaseName, Holder: holder, Token: token, TTL: leaseTTL}
}

func (e *Env) take(r provider.LeaseRequest) provider.LeaseRecord {
	e.Helper()
	a, err := e.Store.Election().TryAcquire(e.ctx, r)
	e.must(err, "TryAcquire by %s", r.Holder)
	return a.Lease
}

func (e *Env) refused(r provider.LeaseRequest, what string) {
	e.Helper()
	a, err := e.other().Election().TryAcquire(e.ctx, r)
	e.is(err, provider.ErrLeaseHeld, "%s: TryAcquire by %s", what, r.Holder)
	equal(e, a, e.inspect(), "the answer beside the refusal")
}

func (e *Env) inspect() provider.LeaseAnswer {
	e.Helper()
	a, err := e.other().Election().Inspect(e.ctx, leaseName)
	e.must(err, "Inspect")
	return a
}

func leaseFree(e *Env) {
	a, err := e.Store.Election().TryAcquire(e.ctx, lease("n", "token-1"))
	e.must(err, "TryAcquire")
	want := provider.LeaseRecord{Resource: leaseName, Holder: "n", Token: "token-1", TTL: leaseTTL, ExpiresAt: e.now.Add(leaseTTL),
		Fence: a.Lease.Fence, Version: a.Lease.Version}
	equal(e, a, provider.LeaseAnswer{Now: e.now, Found: true, Lease: want}, "the answer")
	if want.Fence <= 0 {
		e.Errorf("the fence is %d, want it greater than 0", want.Fence)
	}
	equal(e, e.inspect(), provider.LeaseAnswer{Now: e.now, Found: true, Lease: want}, "the row")
}

func leaseHeld(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.set(held.ExpiresAt.Add(-time.Microsecond))
	e.refused(lease("m", "token-2"), "a microsecond before the expiry")
	equal(e, e.inspect().Lease, held, "the row")
}

func leaseAgain(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.refused(lease("n", "token-2"), "the holder with another token")
	equal(e, e.inspect().Lease, held, "the row")
}

func leaseExpired(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.set(held.ExpiresAt.Add(time.Microsecond))
	next := lease("m", "token-2")
	next.TTL = 5 * time.Second
	got := e.take(next)
	want := provider.LeaseRecord{Resource: leaseName, Holder: "m", Token: "token-2", TTL: 5 * time.Second, ExpiresAt: e.now.Add(5 * time.Second),
		Fence: got.Fence, Version: got.Version}
	equal(e, got, want, "the lease taken over")
	if got.Fence <= held.Fence {
		e.Errorf("the fence went from %d to %d, want it greater", held.Fence, got.Fence)
	}
	equal(e, e.inspect().Lease, got, "the row")
}

func leaseRenew(e *Env) {
	held := e.take(lease("n", "token-1"))
	for range 3 {
		e.advance(10 * time.Second)
		a, err := e.Store.Election().Renew(e.ctx, leaseName, "token-1")
		e.must(err, "Renew")
		held.ExpiresAt, held.Version = e.now.Add(leaseTTL), a.Lease.Version
		equal(e, a, provider.LeaseAnswer{Now: e.now, Found: true, Lease: held}, "the answer")
		equal(e, e.inspect().Lease, held, "the row")
	}
	e.set(held.ExpiresAt.Add(-time.Microsecond))
	if _, err := e.Store.Election().Renew(e.ctx, leaseName, "token-1"); err != nil {
		e.Errorf("a renewal a microsecond before the expiry: %v", err)
	}
}

func (e *Env) cannotRenew(token, what string) {
	e.Helper()
	e.unchanged("a refused renewal", func() {
		_, err := e.other().Election().Renew(e.ctx, leaseName, token)
		e.is(err, provider.ErrLeaseHeld, "%s: Renew", what)
	})
}

func leaseRenewByAnother(e *Env) {
	e.cannotRenew("token-1", "a lease nobody holds")
	e.take(lease("n", "token-1"))
	e.advance(time.Second)
	e.cannotRenew("token-2", "another token")
	e.cannotRenew("token-", "the beginning of the token")
	e.cannotRenew("TOKEN-1", "the token in capitals")
}

func leaseRenewExpired(e *Env) {
	held := e.take(lease("n", "token-1"))
	e.set(held.ExpiresAt)
	e.cannotRenew("token-1", "at the expiry")
	e.set(held.ExpiresAt.Add(time.Microsecond))
	e.cannotRenew("token-1", "a microsecond after the expiry")
	e.set(held.ExpiresAt)
	e.take(lease("m", "token-2")) // at this very instant
}

func leaseRenewAfterTakeover(e *Env) {
	e.take(lease("n", "token-1"))
	e.advance(leaseTTL + time.Second)
	e.take(lease("m", "token-2"))
	e.cannotRenew("token-1", "the former token")
	if _, err := e.Store.Election().Renew(e.ctx, leaseName, "token-2"); err != nil {
		e.Errorf("the successor's renewal: %v", err)
	}
}

func (e *Env) give(token string) {
	e.Helper()
	e.must(e.Store.Election().Release(e.ctx, leaseName, token), "Release")
}

func leaseRelease(e *Env) {
	e.give("token-1")
	first := e.take(lease("n", "token-1"))
	e.give("token-1")
	if a := e.inspect(); a.Found {
		e.Errorf("after the release the row is %+v", a.Lease)
	}
	e.give("token-1")
	e.advance(time.Millisecond)
	if second := e.take(lease("m", "token-2")); second.Fence <= first.Fence {
		e.Errorf("the fence after a release is %d, want it greater than %d", second.Fence, first.Fence)
	}
	e.cannotRenew("token-1", "the released token")
}

func leaseReleaseLate(e *Env) {
	e.take(lease("n", "token-1"))
	e.advance(leaseTTL + time.Second)
	held := e.take(lease("m", "token-2"))
	e.give("token-1")
	e.give("token-3")
	equal(e, e.inspect().Lease, held, "the successor's row")
}

func leaseInspectNothing(e *Env) {
	equal(e, e.inspect(), provider.LeaseAnswer{Now: e.now}, "the answer")
}

func leaseResourcesAreApart(e *Env) {
	var held []provider.LeaseRecord
	resources := []string{"a", "a-b", "a.b", "a0", strings.Repeat("r", provider.MaxName)}
	for _, resource := range resources {
		r := lease("n", "token-"+resource[:1])
		r.Resource = resource
		held = append(held, e.take(r))
	}
	e.must(e.Store.Election().Release(e.ctx, "a-b", "token-a"), "Release")
	for i, resource := range resources {
		a, err := e.Store.Election().Inspect(e.ctx, resource)
		e.must(err, "Inspect")
		if a.Found != (resource != "a-b") || a.Found && a.Lease != held[i] {
			e.Errorf("%s is %+v", resource, a)
		}
	}
}

func leaseTokensAreBytes(e *Env) {
	for _, token := range []string{"Token", "token", `!"#$%&'()*+,-./:;<=>?@[\]^_{|}~`, strings.Repeat("T", 64)} {
		r := lease(`n'o"d\e%`, token)
		got := e.take(r)
		if got.Token != token || got.Holder != r.Holder {
			e.Errorf("token %q of %q came back as %q of %q", token, r.Holder, got.Token, got.Holder)
		}
		other := strings.ToLower(token)
		if other == token {
			other = strings.ToUpper(token)
		}
		if other != token {
			e.give(other)
			e.cannotRenew(other, "the token in another case")
		}
		e.must(renewed(e, token), "Renew")
		e.give(token)
		if e.inspect().Found {
			e.Errorf("the lease of token %q was not released by it", token)
		}
	}
}

func renewed(e *Env, token string) error {
	_, err := e.Store.Election().Renew(e.ctx, leaseName, token)
	return err
}

func leaseValidation(e *Env) {
	for what, spoil := range map[string]func(r *provider.LeaseRequest){
		"no resource":        func(r *provider.LeaseRequest) { r.Resource = "" },
		"capital letters":    func(r *provider.LeaseRequest) { r.Resource = "Lease" },
		"no token":           func(r *provider.LeaseRequest) { r.Token = "" },
		"a token too long":   func(r *provider.LeaseRequest) { r.Token = strings.Repeat("t", 65) },
		"a token with space": func(r *provider.LeaseRequest) { r.Token = "a b" },
		"a token not ASCII":  func(r *provider.LeaseRequest) { r.Token = "tokén" },
		"no TTL":             func(r *provider.LeaseRequest) { r.TTL = 0 },
		"a negative TTL":     func(r *provider.LeaseRequest) { r.TTL = -time.Second },
	} {
		r := lease("n", "token-1")
		spoil(&r)
		_, err := e.Store.Election().TryAcquire(e.ctx, r)
		if !errors.Is(err, provider.ErrInvalidDefinition) {
			e.Errorf("%s: error %v, want a validation error", what, err)
		}
	}
	if a := e.inspect(); a.Found {
		e.Errorf("an illegal request left %+v", a.Lease)
	}
}
