package gormsched

import (
	"context"
	"slices"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

const (
	// fetchFactor is how many candidates are read for each trigger wanted
	// (R030).
	fetchFactor = 3
	// acquireRounds bounds how often a shortage is filled up within one call;
	// what is left then is reported by More.
	acquireRounds = 3
)

// Acquire claims due triggers without beginning them (R027–R032): it reads
// three times as many candidates as are wanted, without locking them, and takes
// those whose version is still the one read. One that another node has taken or
// holds is passed over, and the shortage is filled from the next candidates.
//
// If the process stops before the commit nothing has happened; if it stops
// after it the claims carry its node and incarnation, and go back when the node
// is convicted (D04) or finds them itself (D07).
func (s *JobStore) Acquire(ctx context.Context, req provider.AcquireRequest) (provider.AcquireAnswer, error) {
	var answer provider.AcquireAnswer
	most := min(req.Limit, provider.MaxBatch)
	filter := dueFilter{exclude: req.ExcludeJobs, oneShots: req.OneShotsOnly}
	if most < 1 {
		return answer, nil
	}
	due, idle, err := s.nothingDue(ctx, filter)
	if err != nil {
		return answer, err
	}
	if idle {
		return provider.AcquireAnswer{Now: due.Now}, nil
	}
	err = s.core.inTx(ctx, "acquiring due triggers", txDispatch, func(t *tx) error {
		var err error
		answer, err = t.acquire(req, filter, most)
		return err
	}, func(ctx context.Context) (bool, error) {
		keys := make([]string, len(answer.Claimed))
		for i, c := range answer.Claimed {
			keys[i] = c.Trigger.TriggerKey.String()
		}
		return s.core.anyClaim(ctx, keys, req.ClaimID)
	})
	if err != nil {
		return provider.AcquireAnswer{}, err
	}
	return answer, nil
}

// acquisition is what one call has so far.
type acquisition struct {
	won        []provider.TriggerRecord
	unreadable []provider.TriggerKey
	exclusive  map[string]bool // exclusive jobs that have their one trigger
	seen       map[string]bool // candidates read, won or not
	spare      []provider.TriggerRecord
}

func (t *tx) acquire(req provider.AcquireRequest, filter dueFilter, most int) (provider.AcquireAnswer, error) {
	var answer provider.AcquireAnswer
	us, err := t.nowUS()
	if err != nil {
		return answer, err
	}
	answer.Now = instant(us)
	a := &acquisition{exclusive: map[string]bool{}, seen: map[string]bool{}}
	query := candidates{filter: filter, now: us, most: fetchFactor * most}
	for round := 0; round < acquireRounds && len(a.won) < most; round++ {
		list, err := t.due(query)
		if err != nil {
			return answer, err
		}
		a.sort(list)
		if err := t.take(a, most, claim{id: req.ClaimID, node: req.Node, at: answer.Now}); err != nil {
			return answer, err
		}
		answer.More = len(list) == query.most || len(a.spare) > 0
		if len(list) < query.most {
			break
		}
		query.after = &list[len(list)-1].record
		query.filter.exclude = slices.Clone(filter.exclude)
		for job := range a.exclusive {
			query.filter.exclude = append(query.filter.exclude, job)
		}
		slices.Sort(query.filter.exclude)
	}
	answer.Unreadable = a.unreadable
	return answer, t.claimedWithJobs(a.won, &answer)
}

// sort adds the candidates of one read to those that may be taken.
func (a *acquisition) sort(list []candidate) {
	for _, c := range list {
		key := c.record.TriggerKey.String()
		switch {
		case a.seen[key]:
		case c.unreadable:
			a.unreadable = append(a.unreadable, c.record.TriggerKey)
		default:
			a.spare = append(a.spare, c.record)
		}
		a.seen[key] = true
	}
}

// take claims from the spare candidates, in order, until most are won or none
// is left. Each round is one locking read and one update.
func (t *tx) take(a *acquisition, most int, mine claim) error {
	for len(a.won) < most && len(a.spare) > 0 {
		chosen := a.choose(most - len(a.won))
		if len(chosen) == 0 {
			return nil
		}
		keys := make([]string, 0, len(chosen))
		for _, tr := range chosen {
			keys = append(keys, tr.TriggerKey.String())
		}
		slices.Sort(keys)
		locked, err := t.lockTriggers(keys)
		if err != nil {
			return err
		}
		var rows []provider.TriggerRecord
		for _, tr := range chosen {
			stored, ok := locked[tr.TriggerKey.String()]
			if !ok || stored.unreadable || stored.record != tr || tr.Paused { // a one-shot made again begins with the same version
				continue
			}
			tr.State = provider.TriggerAcquired
			tr.ClaimID, tr.ClaimedBy, tr.Incarnation, tr.ClaimedAt = mine.id, mine.node.ID, mine.node.Incarnation, mine.at
			rows = append(rows, tr)
		}
		if _, err := t.updateRows(t.c.claimTriggers(rows, mine)); err != nil {
			return err
		}
		for _, tr := range rows {
			tr.Version++
			a.won = append(a.won, tr)
		}
	}
	return nil
}

// choose removes up to n candidates from the spare ones, at most one for each
// exclusive job (D35).
func (a *acquisition) choose(n int) []provider.TriggerRecord {
	var chosen, spare []provider.TriggerRecord
	for _, tr := range a.spare {
		switch {
		case len(chosen) == n:
			spare = append(spare, tr)
		case tr.Exclusive && a.exclusive[tr.Job]: // another one has the job
		default:
			chosen = append(chosen, tr)
			if tr.Exclusive {
				a.exclusive[tr.Job] = true
			}
		}
	}
	a.spare = spare
	return chosen
}

// claimTriggers writes one claim on triggers whose version was checked under
// their lock.
func (c *core) claimTriggers(list []provider.TriggerRecord, mine claim) dialects.Update {
	rows := make([][]any, len(list))
	for i, tr := range list {
		rows[i] = []any{tr.TriggerKey.String()}
	}
	return dialects.Update{
		Table: c.t.triggers, Columns: sourceColumns("trigger_key"), Rows: rows,
		Set: []dialects.Set{
			{Column: "trigger_state", Expr: "2"},
			{Column: "claim_id", Expr: "?", Args: []any{mine.id}},
			{Column: "claimed_by", Expr: "?", Args: []any{mine.node.ID}},
			{Column: "incarnation", Expr: "?", Args: []any{mine.node.Incarnation}},
			{Column: "claimed_us", Expr: "?", Args: []any{micros(mine.at)}},
			c.nextVersion(),
		},
	}
}

// claimedWithJobs answers the triggers won in claim order, each with its job.
func (t *tx) claimedWithJobs(won []provider.TriggerRecord, answer *provider.AcquireAnswer) error {
	var names []string
	for _, tr := range won {
		names = append(names, tr.Job)
	}
	jobs, err := t.readJobs(sortedUnique(names), lockSet{})
	if err != nil {
		return err
	}
	slices.SortFunc(won, dueCompare)
	for _, tr := range won {
		answer.Claimed = append(answer.Claimed, provider.Claimed{Trigger: tr, Job: jobRecord(jobs[tr.Job])})
	}
	return nil
}
