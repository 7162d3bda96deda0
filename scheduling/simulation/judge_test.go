package simulation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// judge follows a history and notes every breach of the rules. It knows the
// contract's records and its own model; nothing of the engine.
type judge struct {
	began      time.Time
	pace       pace
	plans      map[string]plan
	violations []violation
	counts     map[string]int

	jobs     map[string]provider.JobRecord
	triggers map[provider.TriggerKey]provider.TriggerRecord
	nodes    map[string]provider.NodeRecord
	beats    map[string]time.Time // of the bubble's clock, by node id
	stopping map[string]bool      // processes that were asked to stop
	clocks   map[string][]time.Time
	runs     map[string]*runFile
	begun    map[occurrence]string
	era      map[provider.TriggerKey]int // grows when a trigger starts anew
	fences   map[string]int64
	leaseTop int64
	promises map[provider.TriggerKey]bool   // one-shots that were stored
	kept     map[provider.TriggerKey]bool   // those of them that were deleted or have expired
	pausedAt map[provider.TriggerKey]int    // the event of its latest pause
	held     map[string]map[string]bool     // claimed runs whose handlers have not ended, by process: those whose begin was not heard of
	live     map[string]map[string]*runFile // handlers, by job and run
	running  map[string]map[string]bool     // records, by job and run

	localLast  map[localKey]time.Time // the latest occurrence
	localCount map[string]int         // scheduled local runs, by process
	localReads map[string][]int       // of the triggers, by process: the last events
	alive      map[string]int         // of those that live through the calm: the count by then
	aliveAt    time.Time
}

// runFile is what is known of a run.
type runFile struct {
	run      provider.RunRecord
	job      provider.JobRecord // when it began
	unheard  bool               // its begin's answer was lost
	starts   int
	over     bool // the handler has ended
	said     string
	wait     time.Duration
	cause    string
	ctxEnded time.Time
	ignores  bool
	recovery string // the run that recovers it
	excused  bool   // its recovery was deleted before it began
	purged   bool   // its record is gone
	keeps    bool   // its node keeps its runs when it is isolated

	local    bool // a run of every instance
	process  string
	begins   time.Time
	overAt   time.Time
	recorded bool // a local run's record was stored
}

// occurrence names one due instant of one trigger since it started anew.
type occurrence struct {
	key provider.TriggerKey
	era int
	at  time.Time
}

// violation is one breach.
type violation struct {
	seq        int
	rule, text string
}

func newJudge(began time.Time, p pace, known map[string]plan) *judge {
	return &judge{
		began: began, pace: p, plans: known, counts: map[string]int{}, jobs: map[string]provider.JobRecord{},
		triggers: map[provider.TriggerKey]provider.TriggerRecord{}, nodes: map[string]provider.NodeRecord{},
		beats: map[string]time.Time{}, clocks: map[string][]time.Time{}, runs: map[string]*runFile{},
		begun: map[occurrence]string{}, era: map[provider.TriggerKey]int{}, fences: map[string]int64{},
		promises: map[provider.TriggerKey]bool{}, kept: map[provider.TriggerKey]bool{}, live: map[string]map[string]*runFile{}, running: map[string]map[string]bool{}, stopping: map[string]bool{},
		localLast: map[localKey]time.Time{}, localCount: map[string]int{}, localReads: map[string][]int{}, pausedAt: map[provider.TriggerKey]int{}, held: map[string]map[string]bool{}, alive: map[string]int{},
	}
}

func (j *judge) fail(e *event, rule, format string, args ...any) {
	v := violation{rule: rule, text: fmt.Sprintf(format, args...)}
	if e != nil {
		v.seq = e.seq
	}
	j.violations = append(j.violations, v)
}

// see judges one event and then takes it for known.
func (j *judge) see(e *event) {
	switch {
	case e.op == "Now":
		j.clocks[e.node] = append(j.clocks[e.node], e.now)
		if n := len(j.clocks[e.node]); n > 64 {
			j.clocks[e.node] = j.clocks[e.node][n-64:]
		}
	case e.op == "promise":
		job, trigger, _ := strings.Cut(e.note, "/")
		if key := (provider.TriggerKey{Job: job, Trigger: trigger}); !j.promises[key] && !j.kept[key] {
			j.fail(e, ruleEnqueued, "%s was answered and never stored", e.note)
		}
	case e.op == "answer lost":
		for _, id := range strings.Fields(e.note) {
			if f := j.runs[id]; f != nil {
				f.unheard = true
			}
		}
	case e.op == "local read":
		j.localRead(e)
	case e.answered:
		j.answered(e)
	case e.op == "alive":
		j.alive[e.node], j.aliveAt = j.localCount[e.node], e.at
	case e.op == "stop":
		j.stopping[e.node] = true
	case e.handler != nil:
		j.handler(e)
	}
	for _, c := range e.jobs {
		j.job(e, c)
	}
	for _, c := range e.runs { // ends before begins: one commit may hold both
		if c.before != nil {
			j.runChanged(e, c)
		}
	}
	for _, c := range e.runs {
		if c.before == nil && e.op == "Record" {
			j.recordBegun(e, *c.after)
		} else if c.before == nil {
			j.runBegun(e, *c.after)
		}
	}
	for _, c := range e.triggers {
		j.trigger(e, c)
	}
	for _, c := range e.nodes {
		j.node(e, c)
	}
	if e.lease != nil {
		j.lease(e, *e.lease)
	}
	for _, c := range e.triggers {
		if k := either(c).TriggerKey; c.after == nil {
			delete(j.triggers, k)
		} else {
			j.triggers[k] = *c.after
		}
	}
}

// The rules that the judge decides over.
const (
	ruleOverlap    = "handlers of an exclusive job overlap"
	ruleExclusive  = "two runs of an exclusive job are Running"
	ruleStarted    = "a handler is started once, for a run that is Running"
	ruleOnce       = "an occurrence begins once"
	ruleRecovery   = "a lost run is recovered exactly once"
	ruleRetry      = "a failed run is retried as its policy says"
	ruleRetryWait  = "the wait before a retry"
	ruleData       = "the data of a run"
	ruleNext       = "the next occurrence"
	ruleMisfire    = "the misfire policy"
	ruleSlots      = "a node runs no more at once than it has slots"
	ruleEarly      = "nothing begins before it is due"
	rulePaused     = "nothing paused begins"
	ruleArrow      = "a trigger's state changes by an arrow of the rules"
	ruleOneShot    = "a one-shot goes with the begin of its run"
	ruleFinal      = "final is final"
	ruleEnding     = "a run ends as its handler ended"
	ruleLostBy     = "only runs of nodes without a row are swept"
	ruleFence      = "fencing numbers grow"
	ruleLease      = "a lease is taken over only when it has run out"
	ruleConvict    = "only the silent are convicted"
	ruleVersion    = "an older program never overwrites a newer one's code job"
	ruleReplaced   = "replacing keeps the progress of an unchanged trigger"
	ruleEnqueued   = "what was enqueued is stored and runs"
	ruleAccounted  = "every due occurrence is accounted for"
	ruleLocal      = "a local job runs by its node's clock, alone within its process"
	ruleExpired    = "a request is dropped when it has expired, and never begun afterwards"
	rulePurge      = "only what is final and old is purged"
	ruleDeleted    = "jobs and triggers go only when they are deleted"
	ruleInvariants = "the store's invariants"
)

// rules are those that are judged from the history; [ruleInvariants] is what
// the store says of itself, and its own tests spoil each of them.
var rules = []string{
	ruleOverlap, ruleExclusive, ruleStarted, ruleOnce, ruleRecovery, ruleRetry, ruleRetryWait, ruleData, ruleNext, ruleMisfire, ruleSlots, ruleEarly, rulePaused, ruleArrow, ruleOneShot, ruleFinal, ruleEnding, ruleLostBy, ruleFence, ruleLease, ruleConvict, ruleVersion, ruleReplaced, ruleEnqueued, ruleAccounted, ruleLocal, ruleExpired, rulePurge, ruleDeleted,
}

func (j *judge) job(e *event, c change[provider.JobRecord]) {
	if c.after == nil {
		if e.op != "DeleteJobs" || !slices.Contains(deletable, c.before.Name) {
			j.fail(e, ruleDeleted, "job %s is gone by %s", c.before.Name, e.op)
		}
		j.counts["jobs deleted"]++
		delete(j.jobs, c.before.Name)
		delete(j.fences, c.before.Name) // D25: the job row keeps it; a new one starts from the store's clock
		return
	}
	if c.before == nil && e.op != "SaveJobs" {
		j.fail(e, ruleDeleted, "job %s comes by %s", c.after.Name, e.op)
	}
	if c.before != nil && c.after.CodeVersion < c.before.CodeVersion {
		j.fail(e, ruleVersion, "job %s: version %d after %d (D40)", c.after.Name, c.after.CodeVersion, c.before.CodeVersion)
	}
	if c.before != nil {
		j.jobFlag(e, *c.before, *c.after)
	}
	j.jobs[c.after.Name] = *c.after
}

func (j *judge) node(e *event, c change[provider.NodeRecord]) {
	id := either(c).ID
	if c.after == nil {
		if e.op == "Convict" {
			j.counts["convictions"]++
			if age := e.now.Sub(c.before.HeartbeatAt); age <= j.pace.nodeTimeout {
				j.fail(e, ruleConvict, "node %s: its heartbeat is %v old by the store's clock (R080)", id, age)
			}
			// The judging node has watched the row stand still (D26); its
			// clock may run fast by 2 %, and answers take their time.
			if still := e.at.Sub(j.beats[id]); still < j.pace.nodeTimeout/3*29/30 {
				j.fail(e, ruleConvict, "node %s: its last heartbeat was %v ago (D26)", id, still)
			}
		} else if e.op != "Deregister" {
			j.fail(e, ruleConvict, "node %s: %s deletes its row", id, e.op)
		}
		delete(j.nodes, id)
		return
	}
	if c.before != nil && c.after.Incarnation < c.before.Incarnation {
		j.fail(e, ruleConvict, "node %s: incarnation %d after %d (D06)", id, c.after.Incarnation, c.before.Incarnation)
	}
	j.nodes[id] = *c.after
	j.beats[id] = e.at
}

func (j *judge) lease(e *event, c change[provider.LeaseRecord]) {
	b, a := c.before, c.after
	switch {
	case a == nil:
		if e.op != "Election.Release" {
			j.fail(e, ruleLease, "%s deletes the lease", e.op)
		}
	case b != nil && a.Token == b.Token:
		if !b.ExpiresAt.After(e.now) {
			j.fail(e, ruleLease, "the lease was renewed %v after it had run out (R065)", e.now.Sub(b.ExpiresAt))
		}
	default:
		// D26: an expiry further away than TTL and margin is that of a clock
		// that has stepped back since.
		if b != nil && b.ExpiresAt.After(e.now) && b.ExpiresAt.Sub(e.now) <= b.TTL+time.Second {
			j.fail(e, ruleLease, "%s takes the lease of %s, which lasts another %v", a.Holder, b.Holder, b.ExpiresAt.Sub(e.now))
		}
		if a.Fence <= j.leaseTop {
			j.fail(e, ruleFence, "the lease: %d after %d (D25)", a.Fence, j.leaseTop)
		}
		j.leaseTop = a.Fence
		j.counts["leases"]++
	}
}
