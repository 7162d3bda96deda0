package gormsched

import (
	goflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

var updateGolden = goflag.Bool("update", false, "write the golden files anew")

// paperCore builds statements for a dialect without any database.
func paperCore(t testing.TB, dialect string) *core {
	t.Helper()
	d, err := dialects.For(dialect, "")
	if err != nil {
		t.Fatal(err)
	}
	return &core{d: d, t: tableNames{
		jobs: d.Quote("scheduler_jobs"), triggers: d.Quote("scheduler_triggers"), runs: d.Quote("scheduler_runs"),
		nodes: d.Quote("scheduler_nodes"), leases: d.Quote("scheduler_leases"),
	}}
}

// named is a statement with what it is for.
type named struct {
	name string
	dialects.Statement
}

// dispatchStatements are all statements of the hot path, each for one row and,
// where its text differs, for several.
func dispatchStatements(t testing.TB, c *core) []named {
	t.Helper()
	var list []named
	add := func(name string, s dialects.Statement, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(list) > 0 && list[len(list)-1].SQL == s.SQL {
			return
		}
		list = append(list, named{name, s})
	}
	one := func(name string, s dialects.Statement) { add(name, s, nil) }
	update := func(name string, up dialects.Update) {
		t.Helper()
		s, err := c.d.Update(up)
		add(name, s, err)
	}
	if o, ok := c.d.(dialects.Opener); ok {
		one("opening of the dispatch", dialects.Statement{SQL: o.Opening(c.t.leases, kindLimits[txDispatch].lock, idleLimit).SQL})
		one("opening of management calls", dialects.Statement{SQL: o.Opening(c.t.leases, kindLimits[txManage].lock, idleLimit).SQL})
	}
	one("the clock", dialects.Statement{SQL: "SELECT " + c.d.NowMicros()})
	at := instant(1)
	tr := provider.TriggerRecord{TriggerKey: provider.TriggerKey{Job: "j", Trigger: "t"}, Schedule: "s", NextFireAt: at, ScheduledAt: at}
	run := provider.RunRecord{ID: "r", Job: "j", Node: "n", State: provider.RunRunning, ScheduledAt: at, StartedAt: at, CompletedAt: at}
	mine := claim{id: 7, node: provider.NodeRef{ID: "n", Incarnation: 3}, at: at}
	clock, none := c.d.NowMicros(), []any(nil)

	for _, f := range []dueFilter{{}, {exclude: []string{"x"}}, {exclude: []string{"x", "y"}, oneShots: true}} {
		for _, lock := range []bool{true, false} {
			s, err := c.sqlCandidates(candidates{filter: f, now: 1, most: 16, lock: lock})
			add(fmt.Sprintf("candidates, %d jobs excluded, locked %v", len(f.exclude), lock), s, err)
		}
		s, err := c.sqlCandidates(candidates{filter: f, now: 1, most: 16, after: &tr})
		add(fmt.Sprintf("further candidates, %d jobs excluded", len(f.exclude)), s, err)
		s, err = c.sqlNextDue(f, "", nil)
		add(fmt.Sprintf("next due, %d jobs excluded", len(f.exclude)), s, err)
		s, err = c.sqlNextDue(f, clock, none)
		add(fmt.Sprintf("next due and the clock, %d jobs excluded", len(f.exclude)), s, err)
	}
	for _, keys := range [][]string{{"a"}, {"a", "b"}} {
		n := fmt.Sprintf(", %d", len(keys))
		rows, trs, runs := [][]any{}, []provider.TriggerRecord{}, []provider.RunRecord{}
		var triggerRows [][]any
		var triggerKeys []provider.TriggerKey
		for _, key := range keys {
			rows, trs, runs = append(rows, []any{key}), append(trs, tr), append(runs, run)
			triggerRows, triggerKeys = append(triggerRows, triggerRow(tr)), append(triggerKeys, tr.TriggerKey)
		}
		s, err := c.sqlLockJobs(keys, c.exclusiveJobs(), dialects.LockSkip)
		add("lock exclusive jobs"+n, s, err)
		s, err = c.sqlLockJobs(keys, c.concurrentJobs(), dialects.LockKeepSkip)
		add("keep concurrent jobs"+n, s, err)
		s, err = c.sqlLockJobs(keys, dialects.Statement{}, dialects.LockSkip)
		add("lock jobs"+n, s, err)
		s, err = c.sqlReadJobs(keys)
		add("read jobs"+n, s, err)
		s, err = c.sqlLockJobs(keys, c.concurrentJobs(), dialects.LockShareSkip)
		add("share concurrent jobs of ending runs"+n, s, err)
		s, err = c.sqlLockJobs(keys, c.occupiable(), dialects.LockSkip)
		add("lock jobs that may be occupied"+n, s, err)
		s, err = c.sqlLockJobs(keys, dialects.Statement{}, dialects.LockAlone)
		add("lock jobs in a management call, to save or delete"+n, s, err)
		s, err = c.sqlShareJobs(keys)
		add("share and read jobs"+n, s, err)
		s, err = c.sqlJobStates(keys, true)
		add("lock jobs of ending runs"+n, s, err)
		s, err = c.sqlJobStates(keys, false)
		add("read jobs of ending runs"+n, s, err)
		s, err = c.sqlJobNames(keys)
		add("which jobs exist"+n, s, err)
		s, err = c.sqlLockTriggers(keys)
		add("lock triggers"+n, s, err)
		s, err = c.sqlTriggerClaims(keys)
		add("whose triggers"+n, s, err)
		s, err = c.sqlDueInstants(keys)
		add("when triggers are due"+n, s, err)
		s, err = c.sqlRuns(keys, true)
		add("lock runs"+n, s, err)
		s, err = c.sqlRuns(keys, false)
		add("read runs"+n, s, err)
		s, err = c.sqlLockForCancel(keys)
		add("lock runs to cancel"+n, s, err)
		s, err = c.d.First(c.dueOthers(keys, 1, blockMost))
		add("due triggers of occupied jobs"+n, s, err)
		s, err = c.d.First(c.blockedFirst(keys, handBackEach, nil))
		add("first Blocked triggers"+n, s, err)
		unset, set := false, true
		s, err = c.d.First(c.blockedFirst(keys, handBackEach, &unset))
		add("first Blocked triggers that are not paused"+n, s, err)
		s, err = c.d.First(c.blockedFirst(keys, most, &set))
		add("all Blocked triggers that are paused"+n, s, err)
		s, err = c.sqlLockKeys(keys, dialects.LockSkip)
		add("lock triggers to hand back"+n, s, err)
		s, err = c.sqlLockKeys(keys, dialects.LockWait)
		add("lock triggers to hand back in a management call"+n, s, err)
		update("occupy jobs"+n, c.occupyJobs(runs))
		update("free jobs"+n, c.freeJobs(runs))
		update("claim triggers"+n, c.claimTriggers(trs, mine))
		update("move triggers"+n, c.moveTriggers(trs))
		update("block triggers"+n, c.blockTriggers(rows))
		var states [][]any
		for _, key := range keys {
			states = append(states, []any{key, int64(provider.TriggerWaiting)})
		}
		update("hand triggers back"+n, c.setTriggerStates(states))
		update("end runs"+n, c.endRuns(runs))
		update("replace runs"+n, c.replaceRuns(runs))
		update("request cancellation"+n, c.markCanceled(rows, 1))
		s, err = c.d.Delete(c.removeTriggers(triggerKeys))
		add("remove triggers"+n, s, err)
		s, err = c.d.Insert(c.newRuns(runs))
		add("insert runs"+n, s, err)
		if !c.d.InsertsAbsent() {
			in := c.absentTriggers(triggerRows)
			in.Absent, in.Returning = false, nil
			s, err = c.d.Insert(in)
			add("insert one-shots"+n, s, err)
			s, err = c.sqlFreeForJobs(firstTwo(triggerRows), clock, none)
			add("which one-shots to enqueue"+n, s, err)
			s, err = c.sqlFreeForJobs(firstTwo(triggerRows), c.d.Bound(dialects.Big), []any{int64(1)})
			add("which one-shots to enqueue at a known instant"+n, s, err)
			s, err = c.sqlHoldDueInstants(keys)
			add("when triggers are due that an insert found, not of the dispatch: management"+n, s, err)
			continue
		}
		s, err = c.d.Insert(c.absentTriggers(triggerRows))
		add("insert one-shots"+n, s, err)
		s, err = c.sqlInsertForJobs(triggerRows, clock, none)
		add("enqueue"+n, s, err)
		s, err = c.sqlInsertForJobs(triggerRows, c.d.Bound(dialects.Big), []any{int64(1)})
		add("enqueue at a known instant"+n, s, err)
	}
	one("runs in flight", c.sqlRunningOn(mine.node, clock, none))
	one("claims in flight", c.sqlClaimsOf(mine.node))
	for _, jobs := range [][]string{nil, {"a"}, {"a", "b"}} {
		n := ""
		if len(jobs) > 0 {
			n = fmt.Sprintf(", %d jobs passed over", len(jobs))
		}
		s, err := c.sqlLostRuns(101, jobs)
		add("lost runs"+n, s, err)
		s, err = c.sqlLostClaims(101, jobs)
		add("lost claims"+n, s, err)
		s, err = c.sqlStrayJobs(1, 101, jobs)
		add("stray jobs"+n, s, err)
	}
	one("trigger names of runs", c.sqlRunTriggers("j", 1))
	return list
}

// firstTwo cuts trigger rows to their first two columns: key and job.
func firstTwo(rows [][]any) [][]any {
	cut := make([][]any, len(rows))
	for i, row := range rows {
		cut[i] = row[:2]
	}
	return cut
}

var goldenDialects = []string{"postgres", "sqlite", "mysql", "mariadb", "sqlserver"}

// The SQL of each dialect is looked at by people: it changes only together with
// its golden file, which -update writes.
func TestGoldenSQL(t *testing.T) {
	for _, dialect := range goldenDialects {
		t.Run(dialect, func(t *testing.T) {
			var b strings.Builder
			for _, s := range dispatchStatements(t, paperCore(t, dialect)) {
				fmt.Fprintf(&b, "-- %s\n%s\n", s.name, pretty(s.SQL))
				if len(s.Args) > 0 {
					fmt.Fprintf(&b, "-- %d arguments: %s\n", len(s.Args), shortArgs(s.Args))
				}
				b.WriteByte('\n')
				if got := strings.Count(s.SQL, "?"); got != len(s.Args) {
					t.Errorf("%s has %d placeholders and %d arguments", s.name, got, len(s.Args))
				}
			}
			path := filepath.Join("testdata", "golden", "dispatch."+dialect+".sql")
			if *updateGolden {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v: write it with go test -run TestGoldenSQL -update", err)
			}
			if got := b.String(); got != string(want) {
				t.Errorf("%s is out of date; after a look at the difference write it with -update. First difference:\n%s", path, firstDifference(got, string(want)))
			}
		})
	}
}

var breaks = regexp.MustCompile(` (FROM|WHERE|SET|ORDER BY|FOR (?:NO KEY )?(?:UPDATE|KEY SHARE)|LEFT JOIN|JOIN|CROSS JOIN|ON CONFLICT|VALUES|LIMIT|AND NOT EXISTS|AND EXISTS) `)

func pretty(sql string) string {
	return strings.ReplaceAll(breaks.ReplaceAllString(sql, "\n  $1 "), "EPOCH\n  FROM", "EPOCH FROM") + ";"
}

func shortArgs(args []any) string {
	var parts []string
	for _, a := range args {
		text := fmt.Sprintf("%v", a)
		if s, ok := a.(string); ok {
			text = fmt.Sprintf("%q", s)
		}
		if len(text) > 60 {
			text = text[:60] + "…"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got: %s\nwant: %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// What looks the same and is slow or deadlocks is banned: each of these shapes
// was measured as a trap.
func TestGoldenSQLHasNoTraps(t *testing.T) {
	constant := regexp.MustCompile(`["\x60](trigger_state|run_state)["\x60] = \d`)
	byKey := regexp.MustCompile(`["\x60](trigger_key|run_id)["\x60] (= ANY|IN)`)
	write := regexp.MustCompile(`^(UPDATE|DELETE)`)
	for _, dialect := range goldenDialects {
		for _, s := range dispatchStatements(t, paperCore(t, dialect)) {
			switch {
			case strings.Contains(s.SQL, "LIMIT ?"):
				t.Errorf("%s, %s: a bound LIMIT makes the generic plan guess:\n%s", dialect, s.name, s.SQL)
			case strings.Contains(s.SQL, "CASE "):
				t.Errorf("%s, %s: CASE is quadratic in the number of rows:\n%s", dialect, s.name, s.SQL)
			case strings.Contains(s.SQL, "clock_timestamp"):
				t.Errorf("%s, %s: a volatile clock cannot be searched with:\n%s", dialect, s.name, s.SQL)
			case locksForUpdate(s.SQL) && !strings.Contains(s.SQL, "SKIP LOCKED") && !strings.Contains(s.name, "cancel") && !strings.Contains(s.name, "management"):
				t.Errorf("%s, %s waits for rows:\n%s", dialect, s.name, s.SQL)
			case dialect == "mysql" || dialect == "mariadb":
				if write.MatchString(s.SQL) && strings.Contains(s.SQL, " IN (") {
					t.Errorf("%s, %s: a list in a write makes the optimizer scan and deadlock:\n%s", dialect, s.name, s.SQL)
				}
				if (strings.Contains(s.SQL, " LOCKED") || locksForUpdate(s.SQL)) && !strings.Contains(s.SQL, "FORCE INDEX") && !strings.Contains(s.name, "management") {
					t.Errorf("%s, %s: a locking read that the optimizer may turn into a scan:\n%s", dialect, s.name, s.SQL)
				}
			}
			if where, ok := afterWhere(s.SQL); ok && constant.MatchString(where) && byKey.MatchString(where) && !strings.Contains(s.SQL, "json_each(?) AS v CROSS JOIN") {
				t.Errorf("%s, %s: a constant state beside a key list leads to the state's index:\n%s", dialect, s.name, s.SQL)
			}
		}
	}
}

// locksForUpdate knows a locking read for update in each dialect's words.
func locksForUpdate(sql string) bool {
	return strings.Contains(sql, " FOR UPDATE") || strings.Contains(sql, " FOR NO KEY UPDATE")
}

func afterWhere(sql string) (string, bool) {
	_, where, ok := strings.Cut(sql, " WHERE ")
	return where, ok
}

// Every statement that an operation sends stands in the golden files: there is
// none that nobody has looked at.
func TestGoldenSQLIsComplete(t *testing.T) {
	limits := regexp.MustCompile(`LIMIT \d+`)
	onEach(t, func(t *testing.T, d testDatabase) {
		s, wire := d.wired(t, Options{})
		paper := paperCore(t, d.name)
		known := []string{"BEGIN", "COMMIT"}
		for _, st := range dispatchStatements(t, paper) {
			text := st.SQL
			if d.name == "postgres" { // numbered placeholders
				for i := 1; strings.Contains(text, "?"); i++ {
					text = strings.Replace(text, "?", fmt.Sprintf("$%d", i), 1)
				}
			}
			known = append(known, limits.ReplaceAllString(text, "LIMIT n"))
		}
		for _, op := range operations {
			for _, n := range []int{1, 2} {
				w := newWorld(t, s)
				operation := op.prepare(w, n)
				var err error
				events := wire.record(func() { _, err = operation() })
				w.must(err)
				for _, e := range events {
					text := limits.ReplaceAllString(e.text, "LIMIT n")
					for own, quoted := range map[string]string{
						s.core.t.jobs: paper.t.jobs, s.core.t.triggers: paper.t.triggers, s.core.t.runs: paper.t.runs,
						s.core.t.nodes: paper.t.nodes, s.core.t.leases: paper.t.leases,
					} {
						text = strings.ReplaceAll(text, own, quoted)
					}
					text = strings.ReplaceAll(text, "`idx_"+d.prefix, "`idx_")
					for _, part := range uncombined(text) {
						if !slices.Contains(known, part) {
							t.Errorf("%s, %d items: not among the golden statements:\n%s", op.name, n, part)
						}
					}
				}
			}
		}
	})
}
