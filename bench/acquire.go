package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

func runAcquire(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench acquire", flag.ContinueOnError)
	at := whereFlags(flags)
	sizes := flags.String("triggers", "10000,100000,1000000", "waiting triggers in the table, separated by commas")
	parked := flags.Int("parked", 5000, "overdue triggers that are Paused, and as many that are Blocked, beside them")
	passes := flags.Int("passes", 200, "passes timed for each row")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := numbers(*sizes)
	if err != nil {
		return fmt.Errorf("-triggers %q: %w", *sizes, err)
	}
	if *parked < 0 || *passes < 1 {
		return fmt.Errorf("parked must not be negative, passes must be positive")
	}
	ctx := context.Background()
	found, err := at.find(ctx, "postgres")
	if err != nil {
		return err
	}
	defer closeAll(found)
	fmt.Fprintf(out, "acquire: the store's two statements that look for work, taking 16 of none, 16 and 5,000 due triggers among many that are due later, with %d Paused\n"+
		"and %d Blocked overdue ones beside them. Pages are shared buffers hit and read as EXPLAIN (ANALYZE, BUFFERS) counts them, after one warming\n"+
		"pass; locking a row dirties its page and counts it again. Time is of the statement with its answer in a transaction that is rolled back, at\n"+
		"the client, p50 of %d passes in five alternating rounds, after VACUUM ANALYZE. Beside them the same rows in a table with a published index in place of the\n"+
		"store's, and the same statement: %s. The ratio is the best published p50 by ours, round by round, its median [least – most].\n", *parked, *parked, *passes, publishedShapes())
	writeMachine(out)
	for _, d := range found {
		fmt.Fprintf(out, "\n%v\n", d)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "triggers\tdue\tcandidates: pages\tp50\tplan\tbest published: pages\tp50\tindex\tratio\tnext due: pages\tp50\t")
		pages := map[int][]int{}
		for _, n := range list {
			if err := acquireRows(ctx, table, d, n, *parked, *passes, pages); err != nil {
				return fmt.Errorf("%d triggers: %w", n, err)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
		for _, due := range dueSteps {
			p := pages[due]
			fmt.Fprintf(out, "  %d due: %d pages more at %d triggers than at %d (at most 3: %s)\n", due, p[len(p)-1]-p[0], list[len(list)-1], list[0], verdict(p[len(p)-1]-p[0] <= 3))
		}
	}
	return nil
}

// plant inserts triggers of a state: overdue by up to an hour, or due within
// the next 30 days.
func plant(ctx context.Context, pool *sql.DB, state, from, count int, overdue bool) error {
	if count <= 0 {
		return nil
	}
	at := "3600000000::bigint + (random() * 2592000000000)::bigint"
	if overdue {
		at = "-1 - (random() * 3600000000)::bigint"
	}
	paused := 0
	if state == 4 {
		paused = 1
	}
	query := fmt.Sprintf(`INSERT INTO scheduler_triggers (trigger_key, job_name, trigger_name, schedule_text, trigger_data, priority, misfire_policy,
		trigger_state, paused, is_local, is_exclusive, scheduled_us, next_fire_us, fire_count, run_as, version)
		SELECT 'bench.job-' || (n %% 1000) || '/t' || n, 'bench.job-' || (n %% 1000), 't' || n, 'every 00:01:00', repeat('x', 200), 5, 1,
		%d, %d, 0, %d, at, at, 0, 1, 1
		FROM (SELECT n, (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint + %s AS at FROM generate_series(%d, %d) AS n) AS s`,
		state, paused, map[bool]int{true: 1}[state == 3], at, from, from+count-1)
	_, err := pool.ExecContext(ctx, query)
	return err
}

// passCost is what a statement costs.
type passCost struct {
	pages, rows int
	plan        string
	p50         time.Duration
}

// measurePass explains a statement, then times it.
func measurePass(ctx context.Context, pool *sql.DB, text handText, query string, passes int) (m passCost, err error) {
	bound := query != text.nextDue
	inTx := func(f func(tx *sql.Tx, args []any) error) error {
		tx, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: text.isolation})
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var now int64
		if err := tx.QueryRowContext(ctx, text.now).Scan(&now); err != nil {
			return err
		}
		if bound {
			return f(tx, []any{now})
		}
		return f(tx, nil)
	}
	read := func(tx *sql.Tx, args []any) error {
		m.rows = 0
		start := time.Now()
		err := each(ctx, tx, func(*sql.Rows) error { m.rows++; return nil }, query, args)
		m.p50 = time.Since(start)
		return err
	}
	if err := inTx(read); err != nil {
		return m, err
	}
	var explained string
	err = inTx(func(tx *sql.Tx, args []any) error {
		return tx.QueryRowContext(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+query, args...).Scan(&explained)
	})
	if err != nil {
		return m, err
	}
	if m.pages, m.plan, err = readPlan(explained); err != nil {
		return m, err
	}
	times := make([]time.Duration, passes)
	for i := range times {
		if err := inTx(read); err != nil {
			return m, err
		}
		times[i] = m.p50
	}
	slices.Sort(times)
	m.p50 = times[len(times)/2].Round(time.Microsecond)
	return m, nil
}

// planNode is what is needed of an explained plan.
type planNode struct {
	NodeType  string     `json:"Node Type"`
	IndexName string     `json:"Index Name"`
	Hit       int        `json:"Shared Hit Blocks"`
	Read      int        `json:"Shared Read Blocks"`
	Plans     []planNode `json:"Plans"`
}

// readPlan gives the pages of the whole plan, and how it reads the table.
func readPlan(text string) (pages int, scan string, err error) {
	var list []struct{ Plan planNode }
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list) != 1 {
		return 0, "", fmt.Errorf("the plan %q cannot be read: %w", text, err)
	}
	leaf := list[0].Plan
	sorts := ""
	for len(leaf.Plans) > 0 {
		if leaf.NodeType == "Sort" || leaf.NodeType == "Incremental Sort" {
			sorts = leaf.NodeType + " of "
		}
		leaf = leaf.Plans[0]
	}
	scan = sorts + leaf.NodeType
	if leaf.IndexName != "" {
		scan += " " + leaf.IndexName
	}
	return list[0].Plan.Hit + list[0].Plan.Read, scan, nil
}
