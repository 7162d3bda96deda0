package simulation

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/inmemory"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// link is a process's connection to the store: it takes time, fails, stands
// still and is cut.
type link struct {
	*inmemory.Store
	ledger *ledger
	faults *faults
	node   string // the process
	// claimed is told what an Acquire has claimed.
	claimed func(keys []provider.TriggerKey)

	mu     sync.Mutex
	cut    bool
	calls  map[string]int
	claims int // under way
}

// Info says that claims beside each other gain something, as the seed wills.
func (l *link) Info() provider.Info {
	info := l.Store.Info()
	info.ClaimsAtOnce = 1 + l.faults.chance.of("claims at once").IntN(3)
	return info
}

// besides counts a claim that begins beside another, until the function that
// it returns is called.
func (l *link) besides() (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.claims++; l.claims > 1 {
		l.faults.struck(number(l.claims) + " claims of a node at once")
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.claims--
	}
}

// faults says how often what happens, and counts it.
type faults struct {
	chance chance
	mu     sync.Mutex
	rate   float64
	count  map[string]int
}

func (f *faults) struck(kind string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count[kind]++
}

func (f *faults) level() float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rate
}

func (f *faults) calm() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rate = 0
}

func (l *link) setCut(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

func (l *link) isCut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut
}

func (l *link) next(op string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[op]++
	return number(l.calls[op])
}

// through makes one call, with all that can happen to it. What follows a space in
// op is what the call is about.
func through[A any](ctx context.Context, l *link, op string, do func(context.Context) (A, error)) (answer A, err error) {
	var none A
	r := l.faults.chance.of("call", l.node, op, l.next(op))
	op, _, _ = strings.Cut(op, " ")
	level := l.faults.level()
	latency := between(r, 50*time.Microsecond, 2*time.Millisecond)
	if r.IntN(10) == 0 { // so that others come between two calls of a node
		latency = between(r, 2*time.Millisecond, 400*time.Millisecond)
	}
	back := latency * time.Duration(r.IntN(100)) / 200 // of the way, the answer's part
	pass(latency - back)
	fate, long := r.Float64(), between(r, time.Second, 14*time.Second)
	early, heeds := r.IntN(2) == 0, r.IntN(2) == 0
	away := func(cause error) error {
		code := provider.CodeStoreUnavailable
		if len(op) > 9 && op[:9] == "Election." {
			code = provider.CodeElectionUnavailable
		}
		return &provider.Error{Code: code, Reason: op, Err: cause}
	}
	stall := func() bool {
		l.faults.struck("stall")
		timer := time.NewTimer(long)
		defer timer.Stop()
		if !heeds {
			<-timer.C
			return true
		}
		select {
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	lost, stalls := false, false
	switch {
	case fate < 0.02*level:
		l.faults.struck("error before the call")
		return none, away(errAway)
	case fate < 0.035*level:
		l.faults.struck("lost answer")
		lost = true
	case fate < 0.039*level:
		stalls = true
	}
	if stalls && early && !stall() {
		return none, away(ctx.Err())
	}
	if l.isCut() {
		return none, away(errAway)
	}
	begun := l.ledger.commit(l.node, op, lost, func() { answer, err = do(context.WithoutCancel(ctx)) })
	pass(back)
	unheard := stalls && !early && !stall() || l.isCut()
	if (unheard || lost) && len(begun) > 0 {
		l.ledger.out.add(event{at: time.Now(), node: l.node, op: "answer lost", note: strings.Join(begun, " ")})
	}
	if unheard {
		return none, away(errors.Join(provider.ErrOutcomeUnknown, errAway))
	}
	return answer, err
}

func through0(ctx context.Context, l *link, op string, do func(context.Context) error) error {
	_, err := through(ctx, l, op, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
	return err
}
