package gormsched

import (
	"cmp"
	"database/sql"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// expected is what is asked of a statement's plan.
type expected struct {
	name string
	// statement finds it among those that an operation sends; without quotes,
	// the tables by their short names.
	statement *regexp.Regexp
	index     string
	// about is how many rows it is about, each the most pages for one of them;
	// a constant comes on top.
	about func(*scaled) int
	each  int
	// sorted says that the index does not give the order.
	sorted bool
}

// pagesApart is what a plan may cost beside its rows: the way down an index,
// and entries that are dead and not yet marked so.
const pagesApart = 40

// perWrite is the most pages for a row that is written by its key: each index is
// gone down once for the entry that goes and once for the one that comes.
const perWrite = 40

func ofRows(n int) func(*scaled) int { return func(*scaled) int { return n } }

// nowRunning and nowAcquired count what all nodes have in flight.
func nowRunning(w *scaled) int {
	return w.count("SELECT COUNT(*) FROM {{runs}} WHERE running_on IS NOT NULL")
}

func nowAcquired(w *scaled) int {
	return w.count("SELECT COUNT(*) FROM {{triggers}} WHERE trigger_state = 2")
}

// lostClaims are the claims in flight, and for each of a node that is gone what
// else runs there.
func lostClaims(w *scaled) int {
	return nowAcquired(w) + lostEach*lostEach
}

func allJobs(w *scaled) int { return w.size.jobs }

func is(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// Behind a claim the next due trigger stands behind what the claim has taken.
var (
	candidatesFree = expected{name: "candidates", statement: is(`FROM triggers AS t.* WHERE t.trigger_state = 1 AND t.is_local = 0 AND t.next_fire_us <= .* LIMIT \d+$`), index: "triggers.due", about: ofRows(48), each: 6}
	candidates16   = expected{name: "candidates, locked", statement: is(`FROM triggers AS t.* WHERE t.trigger_state = 1 AND t.is_local = 0 AND t.next_fire_us <= .* LIMIT`), index: "triggers.due", about: ofRows(16), each: 6}
	candidates500  = expected{name: "candidates, locked", statement: candidates16.statement, index: "triggers.due", about: ofRows(500), each: 6}
	nextDue        = expected{name: "next due", statement: is(`SELECT MIN\(t.next_fire_us\) FROM triggers|SELECT t.next_fire_us FROM triggers`), index: "triggers.due", about: ofRows(1), each: 1}
	nextDue16      = expected{name: "next due", statement: nextDue.statement, index: "triggers.due", about: ofRows(16), each: 6}
	dueOthers      = expected{name: "what to block", statement: is(`FROM triggers AS b.*is_local \+ 0 = 0`), index: "triggers.handback", about: ofRows(500), each: 12}
	blocking       = expected{name: "block", statement: is(`^UPDATE .*trigger_state = 3`), about: ofRows(500), each: perWrite}
	firstBlocked   = expected{name: "first Blocked", statement: is(`FROM triggers AS b WHERE b.job_name = .*b.trigger_state = (v|3)`), index: "triggers.handback", about: ofRows(16), each: 12}
	handingBack    = expected{name: "hand back", statement: is(`^UPDATE .*SET (t.)?trigger_state = v.trigger_state, (t.)?version`), about: ofRows(16), each: perWrite}
	runsInFlight   = expected{name: "runs in flight", statement: is(`FROM runs AS r WHERE r.running_on = `), index: "runs.running", about: nowRunning, each: 6}
	claimsInFlight = expected{name: "claims in flight", statement: is(`FROM triggers AS t WHERE t.trigger_state = 2 AND t.claimed_by = `), index: "triggers.due", about: nowAcquired, each: 6}
	lostRuns       = expected{name: "lost runs", statement: is(`FROM runs AS r WHERE r.running_on (IS NOT NULL|>= '') AND \(SELECT`), index: "runs.running", about: nowRunning, each: 6}
	lostClaimsFrom = expected{name: "lost claims", statement: is(`FROM triggers AS t WHERE t.trigger_state = 2 AND \(SELECT`), index: "triggers.due", about: lostClaims, each: 6}
	runOfClaim     = expected{name: "lost claims: their runs", statement: lostClaimsFrom.statement, index: "runs.running", about: lostClaims, each: 6}
	strayJobs      = expected{name: "stray jobs", statement: is(`^SELECT j.job_name FROM jobs AS j WHERE \(SELECT`), index: "triggers.handback", about: allJobs, each: 6}
	latest         = expected{name: "latest", statement: is(`completed_us IS NOT NULL\)? ORDER BY b.completed_us DESC`), index: "runs.job_done", about: ofRows(16), each: 60, sorted: true}
	purgeable      = expected{name: "purgeable", statement: is(`^SELECT r.run_id FROM runs AS r.* ORDER BY r.completed_us`), index: "runs.done", about: ofRows(500), each: 6}
	purging        = expected{name: "purge", statement: is(`^DELETE .*runs AS t`), about: ofRows(500), each: perWrite}
	pageOfAll      = expected{name: "page", statement: is(`FROM runs AS r.* ORDER BY r.scheduled_us DESC`), index: "runs.sched", about: ofRows(220), each: 6}
	pageOfJob      = expected{name: "page", statement: pageOfAll.statement, index: "runs.job_sched", about: ofRows(60), each: 6}
	runningRuns    = expected{name: "running", statement: is(`FROM runs AS r WHERE r.running_on (IS NOT NULL|>= '') ORDER BY`), index: "runs.running", about: nowRunning, each: 8, sorted: true}
)

// scaledOperation is what the scheduler or a user does; its other statements go
// by key, or insert, and are about so many rows.
type scaledOperation struct {
	name   string
	run    func(w *scaled, state int) error
	rows   int
	expect []expected
}

var scaledOperations = []scaledOperation{
	{"next due", func(w *scaled, _ int) error {
		_, err := w.s.Due(w.ctx, provider.DueRequest{})
		return err
	}, 1, []expected{nextDue}},
	{"acquire and release 16", func(w *scaled, _ int) error {
		id := newClaimID()
		a, err := w.s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: id, Limit: 16})
		req := provider.ReleaseRequest{Node: w.node}
		for _, c := range a.Claimed {
			req.Items = append(req.Items, provider.ReleaseItem{Key: c.Trigger.TriggerKey, ClaimID: id})
		}
		if err != nil {
			return err
		}
		n, err := w.s.Release(w.ctx, req)
		return wanted("released", n, 16, err)
	}, 16, []expected{candidatesFree}},
	{"claim 16, of which one has a backlog", func(w *scaled, _ int) error {
		a, err := w.s.Claim(w.ctx, w.claimRequest(16))
		return wanted("started", min(2, len(started(a.Items))), 2, err)
	}, 16, []expected{candidates16, dueOthers, blocking, nextDue16}},
	{"complete a run with a backlog", func(w *scaled, state int) error {
		a, err := w.s.Complete(w.ctx, provider.CompleteRequest{Node: w.node, Items: []provider.Completion{{
			RunID: fmt.Sprintf("o-%d", 2*state), Job: fmt.Sprintf("job-%d", 2*state), State: provider.RunSucceeded,
			Settle: func(time.Time) provider.Settlement { return provider.Settlement{} },
		}}})
		return wanted("handed back", a.HandedBack, 16, err)
	}, 16, []expected{firstBlocked, handingBack}},
	{"inflight", func(w *scaled, _ int) error {
		a, err := w.s.Inflight(w.ctx, w.node)
		return wanted("claimed", len(a.Claims), w.size.acquired, err)
	}, 1, []expected{runsInFlight, claimsInFlight}},
	{"sweep", func(w *scaled, _ int) error {
		a, err := w.s.Sweep(w.ctx, provider.SweepRequest{Recover: recoverAll})
		return wanted("lost and returned", len(a.Lost)+len(a.Returned), 3*lostEach, err)
	}, 3 * lostEach, []expected{lostRuns, lostClaimsFrom, runOfClaim, strayJobs}},
	{"sweep of nothing", func(w *scaled, _ int) error {
		a, err := w.s.Sweep(w.ctx, provider.SweepRequest{Recover: recoverAll})
		return wanted("lost and returned", len(a.Lost)+len(a.Returned), 0, err)
	}, 1, []expected{lostRuns, lostClaimsFrom, runOfClaim, strayJobs}},
	{"latest of 16", func(w *scaled, _ int) error {
		var jobs []string
		for i := range 16 {
			jobs = append(jobs, fmt.Sprintf("job-%d", i*3))
		}
		list, err := w.s.LatestRuns(w.ctx, jobs)
		return wanted("found", len(list), 16, err)
	}, 16, []expected{latest}},
	{"running", func(w *scaled, _ int) error {
		_, err := w.s.RunningRuns(w.ctx, nil)
		return err
	}, 1, []expected{runningRuns}},
	{"page 11 of all", func(w *scaled, _ int) error {
		list, err := w.s.Runs(w.ctx, provider.RunQuery{Skip: 200, Limit: 20})
		return wanted("read", len(list), 20, err)
	}, 1, []expected{pageOfAll}},
	{"page 3 of a job", func(w *scaled, _ int) error {
		list, err := w.s.Runs(w.ctx, provider.RunQuery{Job: hotJob, Skip: 40, Limit: 20})
		return wanted("read", len(list), 20, err)
	}, 1, []expected{pageOfJob}},
	{"purge", func(w *scaled, state int) error {
		now, err := w.s.Now(w.ctx)
		if err != nil {
			return err
		}
		horizon := w.us - int64(w.size.runs)*1e6 + int64(state+1)*700*1e6
		n, err := w.s.PurgeRuns(w.ctx, now.Sub(instant(horizon)))
		return wanted("purged", int(n), 700, err)
	}, 1, []expected{purgeable, purging}},
	{"request cancel, 16", func(w *scaled, _ int) error {
		var ids []string
		for i := range 16 {
			ids = append(ids, fmt.Sprintf("n-%d", 2*i+1))
		}
		errs, err := w.s.RequestCancel(w.ctx, ids)
		return wanted("answered", len(errs), 16, err)
	}, 16, nil},
	{"claim 500", func(w *scaled, _ int) error {
		a, err := w.s.Claim(w.ctx, w.claimRequest(500))
		return wanted("started", min(400, len(started(a.Items))), 400, err)
	}, 500, []expected{candidates500}},
}

func wanted(what string, n, want int, err error) error {
	if err != nil || n != want {
		return fmt.Errorf("%s: %d, want %d: %w", what, n, want, err)
	}
	return nil
}

// Acquisition, next due, blocking, hand-back, the cancel poll, the sweep, latest
// runs, purge and pages of history go by the index that is there for them,
// without a sort where it gives the order, and read pages in proportion to what
// they are about, whatever the tables and the backlog hold beside that: with
// statistics from when there were 1,000 rows, with fresh ones, and on SQLite with
// none (D02, D03, D23, D35, D44, R028, R098–R101, R120).
//
// GORMSCHED_TEST_PLANS=full adds 100,000 triggers and 1,000,000 runs, and starts
// the databases that no DSN names.
func TestPlansAtScale(t *testing.T) {
	if os.Getenv("GORMSCHED_TEST_PLANS") != "full" {
		onEach(t, func(t *testing.T, d testDatabase) { planned(t, d, planSmall) })
		return
	}
	for name, dsn := range StartServers(t) {
		t.Setenv("GORMSCHED_TEST_"+strings.ToUpper(name)+"_DSN", dsn)
	}
	onEach(t, func(t *testing.T, d testDatabase) {
		before := planned(t, d, planSmall)
		d.prefix = newPrefix()
		start := time.Now()
		after := planned(t, d, planFull)
		t.Logf("full size in %v", time.Since(start).Round(time.Second))
		if len(after) == 0 {
			t.Error("nothing was measured")
		}
		for name, pages := range after {
			if was, ok := before[name]; d.name == "postgres" && ok && pages > was+3 {
				t.Errorf("%s: %d pages, and %d with few rows: want at most 3 more", name, pages, was)
			}
		}
	})
}

// StartServers gives the DSN of each server that could be started for a test, by
// name; the suites of the other test package set it.
var StartServers func(*testing.T) map[string]string

// planned fills the tables, has each operation done in each state of the
// statistics, and answers the pages of what looks for due triggers.
func planned(t *testing.T, d testDatabase, size planSize) map[string]int {
	start := time.Now()
	w := newScaled(t, d, size)
	t.Logf("%s: %d jobs, %d triggers that wait, %d Blocked, %d Paused, %d runs, filled in %v", size.name, size.jobs, size.triggers, size.blocked, size.paused, size.runs,
		time.Since(start).Round(100*time.Millisecond))
	pages := map[string]int{}
	states := []string{"stale", "fresh"}
	if d.name == "sqlite" {
		states = append(states, "no")
	}
	for i, state := range states {
		w.work(i)
		switch state {
		case "fresh":
			w.analyze()
		case "no":
			w.exec("DELETE FROM sqlite_stat1")
			w.exec("DELETE FROM sqlite_stat4")
		}
		s, wire := d.wired(t, Options{}) // connections that know the statistics
		w.s = s
		for _, op := range scaledOperations {
			about := make([]int, len(op.expect))
			for k, e := range op.expect {
				about[k] = e.about(w)
			}
			where := fmt.Sprintf("%s statistics, %s", state, op.name)
			w.untilPurged(wire.DB)
			seen := w.probe(s, wire, func() error { return op.run(w, i) })
			for k, e := range op.expect {
				w.check(where, e, about[k], seen, pages)
			}
			w.checkRest(where, op, seen)
		}
	}
	w.invariants("after")
	if d.name == "postgres" {
		w.swollen()
	}
	return pages
}

// untilPurged waits until InnoDB has removed what earlier operations left behind,
// which reads would walk over and its own threads would read meanwhile: both
// count as pages of the statement. It keeps a few for good, so that a length that
// stays is the end. Other databases have none of it.
func (w *scaled) untilPurged(pool *sql.DB) {
	w.Helper()
	query := map[string]string{
		"mysql":   "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'",
		"mariadb": "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'INNODB_HISTORY_LIST_LENGTH'",
	}[w.d.name]
	if query == "" {
		return
	}
	before, left := int64(0), int64(1)
	for same, until := 0, time.Now().Add(10*time.Second); left > 0 && same < 5 && time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		before = left
		w.must(pool.QueryRowContext(w.ctx, query).Scan(&left))
		if same++; left != before {
			same = 0
		}
	}
}

// check finds a statement among those that were sent and judges its plan.
func (w *scaled) check(where string, e expected, about int, list []probed, pages map[string]int) {
	w.Helper()
	found := false
	for _, p := range list {
		if !e.statement.MatchString(p.text) {
			continue
		}
		found = true
		name := strings.TrimSpace(where + ": " + e.name + " " + p.mode)
		w.Logf("%s: %s\n%s", name, p.figures(), p.plan)
		most := pagesApart + e.each*about
		if e.index != "" && !p.uses(e.index) {
			w.Errorf("%s does not use %s:\n%s\n%s", name, e.index, p.text, p.plan)
		}
		if p.sorts && !e.sorted {
			w.Errorf("%s sorts:\n%s\n%s", name, p.text, p.plan)
		}
		if p.pages > most || p.rows > most {
			w.Errorf("%s: %s, want at most %d for %d rows:\n%s\n%s", name, p.figures(), most, about, p.text, p.plan)
		}
		if p.mode != "custom" && e.index == "triggers.due" && about <= 48 {
			pages[name] = p.pages
		}
	}
	if !found {
		w.Errorf("%s: %s was not sent", where, e.name)
	}
}

// checkRest judges what no expectation names: nothing reads a whole table, and
// pages are in proportion to the operation.
func (w *scaled) checkRest(where string, op scaledOperation, list []probed) {
	w.Helper()
	for _, p := range list {
		if len(p.full) > 0 {
			w.Errorf("%s reads all of %v:\n%s\n%s", where, p.full, p.text, p.plan)
		}
		named := false
		for _, e := range op.expect {
			named = named || e.statement.MatchString(p.text)
		}
		if most := pagesApart + perWrite*op.rows; !named && (p.pages > most || p.rows > most) {
			w.Errorf("%s: %s, want at most %d for %d rows:\n%s\n%s", where, p.figures(), most, op.rows, p.text, p.plan)
		}
	}
}

func (p probed) figures() string {
	text := fmt.Sprintf("by %v", p.indexes)
	for _, f := range []struct {
		n    int
		what string
	}{{p.pages, "pages"}, {p.rows, "rows"}} {
		if f.n >= 0 {
			text += fmt.Sprintf(", %d %s", f.n, f.what)
		}
	}
	return text
}

// swollen looks for due triggers behind many that have gone, which no vacuum has
// removed yet: the first pass pays for them and marks them, unless a transaction
// is open that might still see them.
func (w *scaled) swollen() {
	const rounds, each = 10, 4000
	s, wire := w.d.wired(w, Options{})
	look := func(when string) int {
		var most int
		for _, p := range w.probe(s, wire, func() error {
			_, err := s.Acquire(w.ctx, provider.AcquireRequest{Node: w.node, ClaimID: newClaimID(), Limit: 1})
			return err
		}) {
			if candidatesFree.statement.MatchString(p.text) {
				w.Logf("%s: candidates %s: %s", when, p.mode, p.figures())
				most = cmp.Or(p.pages, most)
			}
		}
		return most
	}
	look("before")
	held := w.s.core.db.Begin()
	w.must(held.Exec("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").Error)
	w.must(held.Exec("SELECT 1").Error)
	for range rounds {
		w.plant(planted{state: 1, job: "1", name: "'z-'", due: fmt.Sprintf("%d + i", w.us-20000e6)}, 0, each)
		w.exec("DELETE FROM {{triggers}} WHERE trigger_name LIKE 'z-%%'")
	}
	when := fmt.Sprintf("%d entries of the claim index that have gone, ", rounds*each)
	look(when + "and an old transaction")
	w.must(held.Rollback().Error)
	look(when + "the first pass after it")
	// What is left are the pages of the index, each with some 400 marked entries.
	if n, most := look(when+"the second pass"), pagesApart+rounds*each/200; n > most {
		w.Errorf("%sthe second pass: %d pages, want at most %d", when, n, most)
	}
}
