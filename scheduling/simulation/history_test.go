package simulation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// event is one entry of the history: a commit that changed something, a step
// of a handler, or a note of what was done to the cluster.
type event struct {
	seq  int
	at   time.Time // by the bubble's clock
	node string    // the process: node id and start
	op   string
	now  time.Time // by the store's clock, in the transaction

	triggers []change[provider.TriggerRecord]
	jobs     []change[provider.JobRecord]
	runs     []change[provider.RunRecord]
	nodes    []change[provider.NodeRecord]
	lease    *change[provider.LeaseRecord]

	asked    *request // nil where the judge need not know
	answered bool     // the request is committed, and its answer under way

	handler *handlerStep
	note    string
}

// request is what a pause, a resume or a save asked for.
type request struct {
	jobs     []string // paused or resumed; of a save those that keep their triggers' flags (D12)
	triggers []provider.TriggerKey
	refused  []error // per job or trigger; nil before the answer
}

// done reports whether the request was answered.
func (r *request) done() bool { return r.refused != nil }

// change is a row before and after; nil where it was not there.
type change[R any] struct{ before, after *R }

// handlerStep is what a handler was seen to do: "start", "context" when its
// context ended, "end".
type handlerStep struct {
	step    string
	run     string
	job     string
	cause   string // of "context" and "end"; "" while the context lives
	said    string // of "end": ok, error, panic, noretry, after
	wait    time.Duration
	ignores bool
	killed  bool
	keeps   bool       // its node keeps its runs when it is isolated
	slots   int        // of its node
	local   *localStep // of the start of a local run
}

// localStep is what the start of a local run shows (R205).
type localStep struct {
	node    string // the node's id
	trigger string
	kind    provider.RunKind
	due     time.Time
	clock   time.Time // the node's
	attempt int
	retryOf string
	data    string
}

// history numbers events, keeps the last ones, and hands them to the judge.
// Where it is asked to, it keeps and renders them all.
type history struct {
	mu     sync.Mutex
	began  time.Time
	judge  *judge
	seq    int
	runs   map[string]int // which of all runs, in the order of their records
	names  map[string]string
	keep   bool
	all    []event // if kept
	recent []event
	fatal  []event // those before the first violation
}

const keptLines = 60

func newHistory(j *judge, began time.Time) *history {
	return &history{judge: j, began: began, runs: map[string]int{}, names: map[string]string{}}
}

func (h *history) add(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	e.seq = h.seq
	for i := range e.runs {
		if c := &e.runs[i]; c.before == nil && c.after != nil {
			h.runs[c.after.ID] = len(h.runs) + 1
		}
	}
	slices.SortStableFunc(e.runs, func(a, b change[provider.RunRecord]) int { return h.runs[either(a).ID] - h.runs[either(b).ID] })
	if h.recent = append(h.recent, e); len(h.recent) > 4*keptLines {
		h.recent = append(h.recent[:0], h.recent[3*keptLines:]...)
	}
	if h.keep {
		h.all = append(h.all, e)
	}
	before := len(h.judge.violations)
	h.judge.see(&e)
	h.fell(before)
}

// fail notes a breach that no event shows.
func (h *history) fail(rule, format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := len(h.judge.violations)
	h.judge.fail(nil, rule, format, args...)
	h.fell(before)
}

// fell keeps what came before the first violation.
func (h *history) fell(before int) {
	if before == 0 && len(h.judge.violations) > 0 {
		h.fatal = h.tail()
	}
}

func (h *history) tail() []event { return slices.Clone(h.recent[max(0, len(h.recent)-keptLines):]) }

// sound reports whether nothing was found so far.
func (h *history) sound() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.judge.violations) == 0
}

// lines renders events, the random names in their order of appearance: in a
// history that is kept whole, from its beginning on.
func (h *history) lines(events []event) []string {
	for i := range h.all {
		h.canonical(h.all[i].String(h.began))
	}
	list := make([]string, len(events))
	for i := range events {
		list[i] = h.canonical(events[i].String(h.began))
	}
	return list
}

// hash is the same for two histories that are the same but for random names.
func (h *history) hash() string {
	sum := sha256.New()
	for _, line := range h.lines(h.all) {
		fmt.Fprintln(sum, line)
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// canonical renames random identifiers in their order of appearance.
func (h *history) canonical(line string) string {
	return uuids.ReplaceAllStringFunc(line, func(id string) string {
		name := h.names[id]
		if name == "" {
			name = fmt.Sprintf("u%d", len(h.names)+1)
			h.names[id] = name
		}
		return name
	})
}

// name is a run's place in the history; empty where no record of it was seen.
func (h *history) name(id string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n, ok := h.runs[id]; ok {
		return number(n)
	}
	return ""
}

// plain is a trigger's key with the run that its name may hold named as by
// [history.name]: it is the same in each replay.
func (h *history) plain(key provider.TriggerKey) string {
	if !provider.IsOneShot(key.Trigger) {
		return key.String()
	}
	return uuids.ReplaceAllStringFunc(key.String(), h.name)
}

// String renders an event on one line.
func (e *event) String(began time.Time) string {
	var b strings.Builder
	clock := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.Sub(began).String()
	}
	fmt.Fprintf(&b, "%d %s [%s] %s", e.seq, clock(e.at), e.node, e.op)
	if !e.now.IsZero() {
		fmt.Fprintf(&b, " now=%s", clock(e.now))
	}
	if e.note != "" {
		fmt.Fprintf(&b, " %s", e.note)
	}
	if e.answered {
		fmt.Fprintf(&b, " %v %v", e.asked.jobs, e.asked.triggers)
	}
	if s := e.handler; s != nil {
		fmt.Fprintf(&b, " %s %s of %s cause=%q said=%s/%v ignores=%v killed=%v", s.step, s.run, s.job, s.cause, s.said, s.wait, s.ignores, s.killed)
		if l := s.local; l != nil {
			fmt.Fprintf(&b, " local %s/%s %v/%d due=%s clock=%s", l.node, l.trigger, l.kind, l.attempt, clock(l.due), clock(l.clock))
		}
	}
	trigger := func(t *provider.TriggerRecord) string {
		if t == nil {
			return "none"
		}
		return fmt.Sprintf("%v due=%s next=%s n=%d paused=%v by=%s", t.State, clock(t.ScheduledAt), clock(t.NextFireAt), t.FireCount, t.Paused, t.ClaimedBy)
	}
	for _, c := range e.triggers {
		fmt.Fprintf(&b, " | trigger %v: %s -> %s", either(c).TriggerKey, trigger(c.before), trigger(c.after))
	}
	run := func(r *provider.RunRecord) string {
		if r == nil {
			return "none"
		}
		return fmt.Sprintf("%v %v/%d of=%s at=%s done=%s cancel=%s node=%s code=%s data=%s", r.State, r.Kind, r.Attempt, r.RetryOf,
			clock(r.ScheduledAt), clock(r.CompletedAt), clock(r.CancelRequestedAt), r.Node, r.ErrorCode, r.Data)
	}
	for _, c := range e.runs {
		fmt.Fprintf(&b, " | run %s of %s/%s: %s -> %s", either(c).ID, either(c).Job, either(c).TriggerName, run(c.before), run(c.after))
	}
	for _, c := range e.jobs {
		fmt.Fprintf(&b, " | job %s: active=%s paused=%v code=%d", either(c).Name, either(c).ActiveRunID, either(c).Paused, either(c).CodeVersion)
	}
	for _, c := range e.nodes {
		if c.before != nil && c.after != nil && c.before.Incarnation == c.after.Incarnation {
			fmt.Fprintf(&b, " | node %s beats", c.after.ID)
			continue
		}
		fmt.Fprintf(&b, " | node %s: there=%v -> %v", either(c).ID, c.before != nil, c.after != nil)
	}
	if c := e.lease; c != nil {
		l := either(*c)
		fmt.Fprintf(&b, " | lease: there=%v -> %v %s until %s", c.before != nil, c.after != nil, l.Token, clock(l.ExpiresAt))
	}
	return b.String()
}

// either is the row after, or before where it is gone.
func either[R any](c change[R]) *R {
	if c.after != nil {
		return c.after
	}
	return c.before
}
