package gormsched

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// Inflight reads what the database believes of a node (R256, D07): its Running
// records, and its claims that are not begun. The two are read one after the
// other, outside any transaction: a claim that begins in between may be in
// neither answer, and is in the next one.
func (s *JobStore) Inflight(ctx context.Context, node provider.NodeRef) (provider.InflightAnswer, error) {
	var answer provider.InflightAnswer
	err := s.core.inTx(ctx, "reading what a node has in flight", txRead, func(t *tx) error {
		answer = provider.InflightAnswer{}
		clock, args := t.nowExpr()
		st := s.core.sqlRunningOn(node, clock, args)
		err := t.query(func(rows *sql.Rows) error {
			var us int64
			r, err := scanRun(rows, &us)
			t.setNow(us)
			answer.Runs = append(answer.Runs, r)
			return ignoreUnreadable(err)
		}, st.SQL, st.Args...)
		if err != nil {
			return err
		}
		us, err := t.nowUS() // sent only if the node has no run
		if err != nil {
			return err
		}
		answer.Now = instant(us)
		st = s.core.sqlClaimsOf(node)
		return t.query(func(rows *sql.Rows) error {
			r, err := scanTrigger(rows)
			answer.Claims = append(answer.Claims, r)
			return ignoreUnreadable(err)
		}, st.SQL, st.Args...)
	}, nil)
	if err != nil {
		return provider.InflightAnswer{}, err
	}
	slices.SortFunc(answer.Runs, func(a, b provider.RunRecord) int {
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(answer.Claims, func(a, b provider.TriggerRecord) int { return a.TriggerKey.Compare(b.TriggerKey) })
	return answer, nil
}

// sqlRunningOn reads a process's Running records and the clock. Only Running
// records have running_on (D44).
func (c *core) sqlRunningOn(node provider.NodeRef, clock string, clockArgs []any) dialects.Statement {
	q := c.d.Quote
	return dialects.Statement{
		SQL: "SELECT " + c.columns("r", runColumns) + ", " + clock + " FROM " + c.t.runs + " AS r WHERE r." + q("running_on") +
			" = ? AND r." + q("incarnation") + " = ?",
		Args: append(slices.Clone(clockArgs), node.ID, node.Incarnation),
	}
}

// sqlClaimsOf reads a process's claims that are not begun: an interval trigger
// in flight has no next instant. The claim index gives the triggers of all
// nodes that are Acquired at this moment, which are few.
func (c *core) sqlClaimsOf(node provider.NodeRef) dialects.Statement {
	q := c.d.Quote
	return dialects.Statement{
		SQL: "SELECT " + c.columns("t", triggerColumns) + " FROM " + c.t.triggers + " AS t WHERE t." + q("trigger_state") + " = 2 AND t." + q("claimed_by") +
			" = ? AND t." + q("incarnation") + " = ? AND t." + q("next_fire_us") + " IS NOT NULL",
		Args: []any{node.ID, node.Incarnation},
	}
}
