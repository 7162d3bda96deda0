package gormsched

import (
	"context"
	"database/sql"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Due reads the database's clock and the earliest instant at which a trigger is
// or becomes due, in one statement outside any transaction. It locks nothing
// and waits for nobody.
func (s *JobStore) Due(ctx context.Context, req provider.DueRequest) (provider.DueAnswer, error) {
	var answer provider.DueAnswer
	filter := dueFilter{exclude: req.ExcludeJobs, oneShots: req.OneShotsOnly}
	err := s.core.inTx(ctx, "reading the next due instant", txRead, func(t *tx) error {
		answer = provider.DueAnswer{}
		clock, args := t.nowExpr()
		st, err := s.core.sqlNextDue(filter, clock, args)
		return t.queryBuilt(func(rows *sql.Rows) error {
			var now int64
			var next sql.NullInt64
			err := rows.Scan(&now, &next)
			answer.Now, answer.NextDue = instant(now), nullInstant(next)
			return err
		}, st, err)
	}, nil)
	if err != nil {
		return provider.DueAnswer{}, err
	}
	return answer, nil
}

// nothingDue spares an idle pass its transaction where one transaction at a
// time can write: it would wait for the application's writer, or hold it up,
// to find nothing.
func (s *JobStore) nothingDue(ctx context.Context, filter dueFilter) (provider.DueAnswer, bool, error) {
	if !s.core.d.SingleWriter() {
		return provider.DueAnswer{}, false, nil
	}
	due, err := s.Due(ctx, provider.DueRequest{ExcludeJobs: filter.exclude, OneShotsOnly: filter.oneShots})
	if err != nil {
		return due, false, err
	}
	return due, due.NextDue.IsZero() || due.NextDue.After(due.Now), nil
}
