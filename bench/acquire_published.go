package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strings"
	"time"
)

// published are the indexes that others document for the same question, on our
// columns: what is equal in all rows here (a scheduler's name, a queue) leads
// where it does there.
var published = []struct{ name, columns string }{
	{"Quartz.NET 4", "scheduler_name, trigger_state, next_fire_us, priority DESC, misfire_policy"},
	{"Quartz 2", "scheduler_name, trigger_state, next_fire_us"},
	{"db-scheduler", "priority DESC, next_fire_us"},
	{"River", "trigger_state, scheduler_name, priority, next_fire_us, trigger_key"},
}

func publishedShapes() string {
	var list []string
	for _, p := range published {
		list = append(list, p.name+" ("+p.columns+")")
	}
	return strings.Join(list, "; ")
}

// dueSteps are how many triggers are due, one after the other.
var dueSteps = []int{0, 16, 5000}

// publishedTable is a copy of the trigger table with one index of another.
func publishedTable(i int) string { return fmt.Sprintf("scheduler_published_%d", i) }

// copyPublished makes the copies.
func copyPublished(ctx context.Context, pool *sql.DB) error {
	for i, p := range published {
		for _, text := range []string{
			"DROP TABLE IF EXISTS " + publishedTable(i),
			"CREATE TABLE " + publishedTable(i) + " AS SELECT t.*, 'scheduler'::varchar(120) AS scheduler_name FROM scheduler_triggers AS t",
			"ALTER TABLE " + publishedTable(i) + " ADD PRIMARY KEY (trigger_key)",
			"CREATE INDEX ON " + publishedTable(i) + " (" + p.columns + ")",
		} {
			if _, err := pool.ExecContext(ctx, text); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
	}
	return nil
}

// publishedQuery is our statement for such a table: the scheduler's name is a
// condition, as there.
func publishedQuery(query string, i int) string {
	query = strings.Replace(query, "scheduler_triggers AS t WHERE", publishedTable(i)+" AS t WHERE t.scheduler_name = 'scheduler' AND", 1)
	return query
}

// acquireRows fills the tables once, and measures with more and more due.
func acquireRows(ctx context.Context, table io.Writer, d *database, triggers, parked, passes int, pages map[int][]int) error {
	pool, err := d.pool(1)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := d.fresh(ctx, pool); err != nil {
		return err
	}
	for _, part := range []struct {
		state, from, count int
		overdue            bool
	}{{1, 0, triggers, false}, {4, triggers, parked, true}, {3, triggers + parked, parked, true}} {
		if err := plant(ctx, pool, part.state, part.from, part.count, part.overdue); err != nil {
			return err
		}
	}
	if err := copyPublished(ctx, pool); err != nil {
		return err
	}
	tables := []string{"scheduler_triggers"}
	for i := range published {
		tables = append(tables, publishedTable(i))
	}
	defer func() {
		for _, t := range tables[1:] {
			_, _ = pool.ExecContext(ctx, "DROP TABLE IF EXISTS "+t)
		}
	}()
	text, err := handTexts(d.kind)
	if err != nil {
		return err
	}
	for step, due := range dueSteps {
		due = min(due, triggers)
		if step > 0 {
			for _, t := range tables {
				if err := makeDue(ctx, pool, t, dueSteps[step-1], due); err != nil {
					return err
				}
			}
		}
		if err := d.settle(ctx, pool, tables...); err != nil {
			return err
		}
		if err := acquireRow(ctx, table, pool, text, triggers, due, dueSteps[step], passes, pages); err != nil {
			return fmt.Errorf("%d due: %w", due, err)
		}
	}
	return nil
}

// makeDue brings triggers of numbers from, but not to, to an instant in the
// last hour that depends on the number alone.
func makeDue(ctx context.Context, pool *sql.DB, table string, from, to int) error {
	_, err := pool.ExecContext(ctx, fmt.Sprintf(`UPDATE %s AS t SET next_fire_us = v.at, scheduled_us = v.at FROM
		(SELECT 'bench.job-' || (n %% 1000) || '/t' || n AS k, (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint - 3600000000 + n * 700000::bigint AS at
		FROM generate_series(%d, %d) AS n) AS v WHERE t.trigger_key = v.k`, table, from, to-1))
	return err
}

func acquireRow(ctx context.Context, table io.Writer, pool *sql.DB, text handText, triggers, due, step, passes int, pages map[int][]int) error {
	const rounds = 5
	queries := []string{text.candidates(16)}
	for i := range published {
		queries = append(queries, publishedQuery(queries[0], i))
	}
	costs := make([]passCost, len(queries))
	times := make([][]float64, len(queries))
	for r := range rounds {
		for k := range queries {
			i := (k + r) % len(queries)
			m, err := measurePass(ctx, pool, text, queries[i], max(1, passes/rounds))
			if err != nil {
				return err
			}
			if want := min(due, 16); m.rows != want {
				return fmt.Errorf("%d candidates, want %d", m.rows, want)
			}
			costs[i], times[i] = m, append(times[i], ms(m.p50))
		}
	}
	best := 1
	for i := 2; i < len(queries); i++ {
		if medianOf(times[i]) < medianOf(times[best]) {
			best = i
		}
	}
	ratios := make([]float64, rounds)
	for r := range ratios {
		ratios[r] = times[best][r] / times[0][r]
	}
	next, err := measurePass(ctx, pool, text, text.nextDue, max(1, passes/rounds))
	if err != nil {
		return err
	}
	pages[step] = append(pages[step], costs[0].pages)
	_, err = fmt.Fprintf(table, "%d\t%d\t%d\t%v\t%s\t%d\t%v\t%s\t%s\t%d\t%v\t\n", triggers, due, costs[0].pages, inMS(medianOf(times[0])), costs[0].plan,
		costs[best].pages, inMS(medianOf(times[best])), published[best-1].name, spread(ratios, "%.2f"), next.pages, next.p50)
	return err
}

func medianOf(values []float64) float64 { return median(append([]float64(nil), values...)) }

func inMS(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
