package schedulingtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Env is what a case works with: a fresh store, its clock, and names to use.
type Env struct {
	*testing.T
	Subject

	ctx     context.Context
	harness Harness
	report  *Report
	now     time.Time
	second  provider.Store
	drawn   atomic.Int64
	noded   map[string]provider.NodeRef
}

func newEnv(ctx context.Context, t *testing.T, h Harness, r *Report) *Env {
	e := &Env{T: t, Subject: h.New(t), ctx: ctx, harness: h, report: r}
	e.begin()
	return e
}

func (e *Env) begin() {
	e.second, e.noded = nil, map[string]provider.NodeRef{}
	e.drawn.Store(0)
	e.set(Start)
}

// fresh empties the store, for cases that begin many times.
func (e *Env) fresh() {
	e.Helper()
	e.untap()
	if e.Reset != nil {
		e.Reset(e.T)
	} else {
		e.Subject = e.harness.New(e.T)
	}
	e.begin()
}

// repeatable returns a function that readies the same state again and again: by
// going back to a mark where the harness has marks, by emptying the store and
// setting up anew where it has not. What set returned is then used many times.
func repeatable[V any](e *Env, set func(e *Env) V) (ready func() V) {
	e.Helper()
	if e.Mark == nil {
		return func() V {
			e.fresh()
			return set(e)
		}
	}
	v := set(e)
	back, now, nodes := e.Mark(e.T), e.now, maps.Clone(e.noded)
	return func() V {
		e.untap()
		back()
		e.set(now)
		e.noded = maps.Clone(nodes)
		return v
	}
}

// set sets the store's clock.
func (e *Env) set(now time.Time) {
	e.now = now
	e.SetNow(now)
}

// advance moves the store's clock on.
func (e *Env) advance(d time.Duration) { e.set(e.now.Add(d)) }

// largest is the size of a large batch: what one statement carries.
func (e *Env) largest() int {
	if e.harness.Light {
		return 48
	}
	return provider.MaxBatch
}

// backlogSize is the size of a backlog that no transaction handles at once.
func (e *Env) backlogSize() int {
	if e.harness.Light {
		return 100
	}
	return 1000
}

// other returns a second handle on the same state, or the first one where the
// harness cannot open another.
func (e *Env) other() provider.Store {
	e.Helper()
	switch {
	case e.second != nil:
	case e.Open != nil:
		e.second = e.Open(e.T)
	default:
		e.second = e.Store
	}
	return e.second
}

func (e *Env) untap() {
	if e.SetTap != nil {
		e.SetTap(nil)
	}
}

// claimID draws a claim id: large, of either sign, never 0.
func (e *Env) claimID() int64 {
	n := e.drawn.Add(1)
	id := 0x7fff_ffff_0000_0001 + n
	if n%2 == 0 {
		return -id
	}
	return id
}

// runID draws a run id; ids ascend.
func (e *Env) runID() string {
	return fmt.Sprintf("019c0000-0000-7000-8000-%012x", e.drawn.Add(1))
}

// node registers a node, once per id.
func (e *Env) node(id string) provider.NodeRef {
	e.Helper()
	if ref, ok := e.noded[id]; ok {
		return ref
	}
	a, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node(id)})
	e.must(err, "Register %s", id)
	if !a.Registered {
		e.Fatalf("Register %s: not registered, found %+v", id, a.Node)
	}
	e.noded[id] = a.Node.NodeRef
	return a.Node.NodeRef
}

// must ends the case if err is not nil.
func (e *Env) must(err error, format string, args ...any) {
	e.Helper()
	if err != nil {
		e.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// all ends the case if the call or one of its items failed.
func (e *Env) all(errs []error, err error) {
	e.Helper()
	e.must(err, "the call")
	for i, err := range errs {
		e.must(err, "item %d", i)
	}
}

// is fails the case unless got matches want; a nil want asks for no error.
func (e *Env) is(got, want error, format string, args ...any) {
	e.Helper()
	if want == nil && got == nil || want != nil && errors.Is(got, want) {
		return
	}
	e.Errorf("%s: got error %v, want %v", fmt.Sprintf(format, args...), got, want)
}

// each fails the case unless the errors are those, in order.
func (e *Env) each(got []error, err error, want ...error) {
	e.Helper()
	e.must(err, "the call")
	if len(got) != len(want) {
		e.Fatalf("got %d answers %v, want %d", len(got), got, len(want))
	}
	for i := range want {
		e.is(got[i], want[i], "item %d", i)
	}
}

// equal fails the case unless the values are equal, and says where they differ.
func equal[V any](e *Env, got, want V, format string, args ...any) {
	e.Helper()
	if d := diff(got, want); d != "" {
		e.Errorf("%s: %s", fmt.Sprintf(format, args...), d)
	}
}
