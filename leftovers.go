package gormsched

import (
	"database/sql"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// leftovers are the items of one pass.
type leftovers struct {
	runs   []leftRun
	claims []leftClaim
	jobs   []string // free jobs with Blocked triggers and nothing that returns them
	more   bool
}

type leftRun struct{ id, job, trigger string }

type leftClaim struct {
	key, job string
	claimID  int64
}

func (l leftovers) empty() bool { return len(l.runs)+len(l.claims)+len(l.jobs) == 0 }

// leftBy names the jobs of the items that a pass found and did not end. A job
// that it only had to hand back from counts as left: it is not found again if
// it did.
func (l leftovers) leftBy(answer provider.SweepAnswer) []string {
	done := make(map[string]bool, len(answer.Lost)+len(answer.Returned))
	for _, run := range answer.Lost {
		done[run.ID] = true
	}
	for _, key := range answer.Returned {
		done[key.String()] = true
	}
	left := slices.Clone(l.jobs)
	for _, r := range l.runs {
		if !done[r.id] {
			left = append(left, r.job)
		}
	}
	for _, c := range l.claims {
		if !done[c.key] {
			left = append(left, c.job)
		}
	}
	return sortedUnique(left)
}

// leftovers finds at most that many items, the runs first, and none of the jobs
// to pass over.
func (t *tx) leftovers(us int64, most int, passOver []string) (leftovers, error) {
	var l leftovers
	s, err := t.c.sqlLostRuns(most+1, passOver)
	if err != nil {
		return l, err
	}
	err = t.query(func(rows *sql.Rows) error {
		var r leftRun
		err := rows.Scan(&r.id, &r.job, &r.trigger)
		l.runs = append(l.runs, r)
		return err
	}, s.SQL, s.Args...)
	if err != nil {
		return l, err
	}
	if s, err = t.c.sqlLostClaims(most+1, passOver); err != nil {
		return l, err
	}
	err = t.query(func(rows *sql.Rows) error {
		var c leftClaim
		err := rows.Scan(&c.key, &c.job, &c.claimID)
		l.claims = append(l.claims, c)
		return err
	}, s.SQL, s.Args...)
	if err != nil {
		return l, err
	}
	if s, err = t.c.sqlStrayJobs(us, most+1, passOver); err != nil {
		return l, err
	}
	err = t.query(func(rows *sql.Rows) error {
		var job string
		err := rows.Scan(&job)
		l.jobs = append(l.jobs, job)
		return err
	}, s.SQL, s.Args...)
	if len(l.runs)+len(l.claims)+len(l.jobs) > most {
		l.more = true
		l.runs = l.runs[:min(len(l.runs), most)]
		l.claims = l.claims[:min(len(l.claims), most-len(l.runs))]
		l.jobs = l.jobs[:min(len(l.jobs), most-len(l.runs)-len(l.claims))]
	}
	return l, err
}

// sqlLostRuns finds Running records without a node row.
func (c *core) sqlLostRuns(most int, passOver []string) (dialects.Statement, error) {
	q := c.d.Quote
	head, tail := c.d.Limit(most)
	return c.exceptJobs("r", passOver, tail, dialects.Statement{SQL: "SELECT" + head + " " + c.columns("r", []string{"run_id", "job_name", "trigger_name"}) + " FROM " + c.t.runs + " AS r WHERE " + c.present("r."+q("running_on")) +
		" AND " + c.someRow(c.sqlNodeOf("r."+q("running_on"), "r."+q("incarnation"))) + " IS NULL"})
}

// sqlLostClaims finds Acquired triggers without a node row. One in flight
// belongs to its run as long as that is Running. COALESCE keeps a planner from
// the job's history: the index over what runs is the one that stays small.
func (c *core) sqlLostClaims(most int, passOver []string) (dialects.Statement, error) {
	q := c.d.Quote
	head, tail := c.d.Limit(most)
	run := c.someRow(c.t.runs+" AS r"+c.force("runs", "running"), c.searched("r."+q("running_on"), "t."+q("claimed_by"))+" AND r."+q("incarnation")+" = t."+q("incarnation")+
		" AND COALESCE(r."+q("job_name")+", '') = t."+q("job_name")+" AND r."+q("trigger_name")+" = t."+q("trigger_name"))
	return c.exceptJobs("t", passOver, tail, dialects.Statement{SQL: "SELECT" + head + " " + c.columns("t", []string{"trigger_key", "job_name", "claim_id"}) + " FROM " + c.t.triggers + " AS t WHERE t." + q("trigger_state") +
		" = 2 AND " + c.someRow(c.sqlNodeOf("t."+q("claimed_by"), "t."+q("incarnation"))) + " IS NULL AND (t." + q("next_fire_us") + " IS NOT NULL OR " + run + " IS NULL)"})
}

// someRow is 1 where a row fits, and NULL where none does. It stands in the
// place of an EXISTS that must stay one search for each outer row: planners
// turn that into a join, and then read every row that might fit.
func (c *core) someRow(from, where string) string {
	head, tail := c.d.Limit(1)
	return "(SELECT" + head + " 1 FROM " + from + " WHERE " + where + tail + ")"
}

// searched is an indexed column that equals an expression of another table.
func (c *core) searched(column, expr string) string {
	if d, ok := c.d.(interface {
		Searched(column, expr string) string
	}); ok {
		return d.Searched(column, expr)
	}
	return column + " = " + expr
}

// present is an indexed key that is there.
func (c *core) present(column string) string {
	if d, ok := c.d.(interface{ Present(column string) string }); ok {
		return d.Present(column)
	}
	return column + " IS NOT NULL"
}

// sqlNodeOf is the row of a process.
func (c *core) sqlNodeOf(id, incarnation string) (from, where string) {
	return c.t.nodes + " AS n", "n." + c.d.Quote("node_id") + " = " + id + " AND n." + c.d.Quote("incarnation") + " = " + incarnation
}

// sqlStrayJobs finds jobs that are not occupied, or allow concurrent runs, and
// have Blocked triggers that no other trigger of theirs will return: one probe
// of the hand-back index for each job, never a walk over Blocked triggers. The
// state is made an expression of the job for that: a planner that saw its value
// might believe its statistics that hardly any row has it, and walk all that do.
// The order, where the index is not named, is the one that only it gives.
func (c *core) sqlStrayJobs(us int64, most int, passOver []string) (dialects.Statement, error) {
	q := c.d.Quote
	head, tail := c.d.Limit(most)
	concurrent := "j." + q("allow_concurrent")
	some := func(state, more string) string {
		where := "t." + q("job_name") + " = j." + q("job_name") + " AND t." + q("trigger_state") + " = " + state + " + 0 * " + concurrent + more
		if _, ok := c.d.(dialects.IndexForcer); !ok {
			where += " ORDER BY " + c.dueOrder("t")
		}
		return c.someRow(c.t.triggers+" AS t"+c.force("triggers", "handback"), where)
	}
	running := "COALESCE((SELECT r." + q("run_state") + " FROM " + c.t.runs + " AS r WHERE r." + q("run_id") + " = j." + q("active_run_id") + "), 0) = 1"
	return c.exceptJobs("j", passOver, tail, dialects.Statement{
		SQL: "SELECT" + head + " j." + q("job_name") + " FROM " + c.t.jobs + " AS j WHERE " + some("3", "") +
			" IS NOT NULL AND (" + concurrent + " = 1 OR NOT " + running + " AND " + some("2", "") +
			" IS NULL AND " + some("1", " AND t."+q("next_fire_us")+" <= ?") + " IS NULL)",
		Args: []any{us},
	})
}

// exceptJobs ends a statement whose condition stands last.
func (c *core) exceptJobs(alias string, jobs []string, tail string, s dialects.Statement) (dialects.Statement, error) {
	if len(jobs) > 0 {
		not, err := c.d.NotIn(alias+"."+c.d.Quote("job_name"), dialects.Key(128), anys(jobs))
		if err != nil {
			return s, err
		}
		s.SQL += " AND " + not.SQL
		s.Args = append(s.Args, not.Args...)
	}
	s.SQL += tail
	return s, nil
}
