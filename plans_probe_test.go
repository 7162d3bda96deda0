package gormsched

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// probed is what a server says of a statement that the store is about to send.
type probed struct {
	text string // without quotes, the tables by their short names
	// mode says how PostgreSQL was made to plan: for these values, or for any.
	mode    string
	plan    string
	indexes []string // by their composites' names, and "key" for a primary key
	full    []string // triggers or runs, where a whole table is read
	sorts   bool     // more than rows that are equal in what the index gives
	// pages are those that the server asked its cache for, rows those that it
	// read by an index or a scan; -1 where it does not tell.
	pages, rows int
}

// prober explains each statement that reads or writes triggers or runs, where
// it will be sent and with its own values, before it is sent. What it executes
// for that is rolled back.
type prober struct {
	w     *scaled
	s     *JobStore
	pool  *sql.DB
	seen  []probed
	short *strings.Replacer
}

// probe records the statements of one operation.
func (w *scaled) probe(s *JobStore, wire *wire, operation func() error) []probed {
	w.Helper()
	p := &prober{w: w, s: s, pool: wire.DB}
	t := s.core.t
	p.short = strings.NewReplacer(t.jobs, "jobs", t.triggers, "triggers", t.runs, "runs", t.nodes, "nodes", t.leases, "leases", `"`, "", "`", "")
	wire.before = p.before
	defer func() { wire.before = nil }()
	if err := operation(); err != nil {
		w.Fatalf("%v", err)
	}
	return p.seen
}

var readsOrChanges = regexp.MustCompile(`^(SELECT|UPDATE|DELETE|INSERT .* SELECT|WITH)`)

func (p *prober) before(x executor, query string, args []any) {
	query = unbounded(query)
	text := p.short.Replace(query)
	if !readsOrChanges.MatchString(text) || !strings.Contains(text, "triggers") && !strings.Contains(text, "runs") {
		return
	}
	ctx := context.Background()
	if pool, ok := x.(*sql.DB); ok { // sent without a transaction
		tx, err := pool.BeginTx(ctx, nil)
		p.w.must(err)
		defer tx.Rollback()
		x = tx
	}
	explain := map[string]func(context.Context, executor, string, []any) []probed{
		"postgres": p.postgres, "mysql": p.mysql, "mariadb": p.mysql, "sqlite": p.sqlite,
	}[p.w.d.name]
	for _, seen := range explain(ctx, x, query, args) {
		seen.text = text
		p.seen = append(p.seen, seen)
	}
}

func (p *prober) run(ctx context.Context, x executor, statement string) {
	p.w.Helper()
	if _, err := x.ExecContext(ctx, statement); err != nil {
		p.w.Fatalf("%s: %v", statement, err)
	}
}

// lines are the rows of an answer, as "column: value; …".
func (p *prober) lines(ctx context.Context, x executor, statement string, args []any) (list []string) {
	p.w.Helper()
	rows, err := x.QueryContext(ctx, statement, args...)
	if err != nil {
		p.w.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	p.w.must(err)
	values, row := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range row {
		row[i] = &values[i]
	}
	for rows.Next() {
		p.w.must(rows.Scan(row...))
		var b strings.Builder
		for i, v := range values {
			fmt.Fprintf(&b, "%s: %s; ", columns[i], v.String)
		}
		list = append(list, b.String())
	}
	p.w.must(rows.Err())
	return list
}

// index gives the name of an index's composite.
func (p *prober) index(name string) string {
	for _, spec := range indexSpecs {
		for i, short := range shortNames {
			if spec.Table == short && name == p.s.core.db.NamingStrategy.IndexName(p.s.core.t.plain[i], spec.Name) {
				return short + "." + spec.Name
			}
		}
	}
	return "key"
}

// postgres plans the statement for its values and, as the server keeps it after
// some executions, for any, and executes both.
func (p *prober) postgres(ctx context.Context, x executor, query string, args []any) (list []probed) {
	values := make([]string, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case nil:
			values[i] = "NULL"
		default:
			values[i] = "'" + strings.ReplaceAll(fmt.Sprint(v), "'", "''") + "'"
		}
	}
	execute := "EXECUTE gormsched_probe"
	if len(values) > 0 {
		execute += "(" + strings.Join(values, ", ") + ")"
	}
	p.run(ctx, x, "PREPARE gormsched_probe AS "+query)
	for _, mode := range []string{"custom", "generic"} {
		p.run(ctx, x, "SAVEPOINT gormsched_probe")
		p.run(ctx, x, "SET LOCAL plan_cache_mode = force_"+mode+"_plan")
		var text string
		rows, err := x.QueryContext(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+execute)
		if err == nil {
			rows.Next()
			err = rows.Scan(&text)
			rows.Close()
		}
		if err != nil {
			p.w.Fatalf("explaining %s: %v", query, err)
		}
		p.run(ctx, x, "ROLLBACK TO SAVEPOINT gormsched_probe")
		var plans []struct{ Plan pgNode }
		p.w.must(json.Unmarshal([]byte(text), &plans))
		seen := probed{mode: mode, plan: plans[0].Plan.tree(p, 1), pages: plans[0].Plan.Hit + plans[0].Plan.Read, rows: -1}
		plans[0].Plan.into(p, &seen)
		list = append(list, seen)
	}
	p.run(ctx, x, "DEALLOCATE gormsched_probe")
	return list
}

// pgNode is what is needed of an explained plan.
type pgNode struct {
	NodeType     string   `json:"Node Type"`
	IndexName    string   `json:"Index Name"`
	RelationName string   `json:"Relation Name"`
	Hit          int      `json:"Shared Hit Blocks"`
	Read         int      `json:"Shared Read Blocks"`
	ActualRows   float64  `json:"Actual Rows"`
	Loops        float64  `json:"Actual Loops"`
	Plans        []pgNode `json:"Plans"`
}

// tree is the plan as people read it: a line for each node, with all that it
// and those below it read.
func (n pgNode) tree(p *prober, depth int) string {
	line := strings.Repeat("  ", depth) + n.NodeType
	if n.IndexName != "" {
		line += " by " + p.index(n.IndexName)
	}
	if n.RelationName != "" {
		line += " of " + p.short.Replace(`"`+n.RelationName+`"`)
	}
	line += fmt.Sprintf(": %.0f rows, %d pages", n.ActualRows*n.Loops, n.Hit+n.Read)
	for _, below := range n.Plans {
		line += "\n" + below.tree(p, depth+1)
	}
	return line
}

func (n pgNode) into(p *prober, seen *probed) {
	if n.IndexName != "" {
		seen.indexes = append(seen.indexes, p.index(n.IndexName))
	}
	if table := p.short.Replace(`"` + n.RelationName + `"`); n.NodeType == "Seq Scan" && (table == "triggers" || table == "runs") {
		seen.full = append(seen.full, table)
	}
	seen.sorts = seen.sorts || n.NodeType == "Sort"
	for _, below := range n.Plans {
		below.into(p, seen)
	}
}

var (
	mysqlIndex = regexp.MustCompile(`using (\S+)|[; ]key: ([^;]+);`)
	mysqlFull  = regexp.MustCompile(`Table scan on ([trb])\b|table: ([trb]); .*type: ALL;`)
	mysqlSort  = regexp.MustCompile(`Sort: |filesort`)
)

// mysql explains and then executes the statement.
func (p *prober) mysql(ctx context.Context, x executor, query string, args []any) []probed {
	words := "EXPLAIN FORMAT=TREE "
	if p.w.d.name == "mariadb" {
		words = "EXPLAIN "
	}
	seen := probed{plan: strings.Join(p.lines(ctx, x, words+query, args), "\n"), pages: -1, rows: -1}
	for _, m := range mysqlIndex.FindAllStringSubmatch(seen.plan, -1) {
		seen.indexes = append(seen.indexes, p.index(m[1]+m[2]))
	}
	for _, m := range mysqlFull.FindAllStringSubmatch(seen.plan, -1) {
		table := "triggers"
		if m[1]+m[2] == "r" || m[1]+m[2] == "b" && strings.Contains(query, p.s.core.t.runs) {
			table = "runs"
		}
		seen.full = append(seen.full, table)
	}
	seen.sorts = mysqlSort.MatchString(seen.plan)
	for range 3 {
		p.execute(ctx, x, query, args, &seen)
	}
	return []probed{seen}
}

// execute executes the statement for its figures and keeps the smallest. MySQL
// counts pages for the whole server.
func (p *prober) execute(ctx context.Context, x executor, query string, args []any, seen *probed) {
	less := func(kept *int, n int) {
		if *kept < 0 || n < *kept {
			*kept = max(n, 0)
		}
	}
	rows := func() int { return p.sum(mysqlValue, p.lines(ctx, x, "SHOW SESSION STATUS LIKE 'Handler_read%'", nil)) }
	pages := func() int {
		return p.sum(mysqlValue, p.lines(ctx, x, "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'", nil))
	}
	if p.w.d.name == "mariadb" {
		if strings.HasPrefix(query, "SELECT") {
			less(&seen.pages, p.sum(mariaPages, p.lines(ctx, x, "ANALYZE FORMAT=JSON "+query, args)))
		}
		pages = func() int { return 0 }
	}
	idle, idlePages := rows(), pages()
	idle, idlePages = rows()-idle, pages()-idlePages
	p.run(ctx, x, "SAVEPOINT gormsched_probe")
	before, pagesBefore := rows(), pages()
	if strings.HasPrefix(query, "SELECT") {
		p.lines(ctx, x, query, args)
	} else if _, err := x.ExecContext(ctx, query, args...); err != nil {
		p.w.Fatalf("%s: %v", query, err)
	}
	pagesAfter, after := pages(), rows()
	p.run(ctx, x, "ROLLBACK TO SAVEPOINT gormsched_probe")
	less(&seen.rows, after-before-idle)
	if p.w.d.name == "mysql" && idlePages < 50 {
		less(&seen.pages, pagesAfter-pagesBefore)
	}
}

var (
	mysqlValue = regexp.MustCompile(`Value: (\d+);`)
	mariaPages = regexp.MustCompile(`"pages_accessed": (\d+)`)
)

// sum adds up the numbers in lines.
func (p *prober) sum(number *regexp.Regexp, lines []string) (n int) {
	for _, line := range lines {
		for _, m := range number.FindAllStringSubmatch(line, -1) {
			k, err := strconv.Atoi(m[1])
			p.w.must(err)
			n += k
		}
	}
	return n
}

var (
	sqliteIndex = regexp.MustCompile(`USING (?:COVERING )?INDEX ([^ ;]+)`)
	sqliteFull  = regexp.MustCompile(`detail: SCAN ([trb])(; |$)`)
)

// sqlite explains the statement, and executes it with next to no cache while
// the process's reads are counted, where the system counts them.
func (p *prober) sqlite(ctx context.Context, x executor, query string, args []any) []probed {
	seen := probed{plan: strings.Join(p.lines(ctx, x, "EXPLAIN QUERY PLAN "+query, args), "\n"), pages: -1, rows: -1}
	for _, m := range sqliteIndex.FindAllStringSubmatch(seen.plan, -1) {
		seen.indexes = append(seen.indexes, p.index(m[1]))
	}
	for _, m := range sqliteFull.FindAllStringSubmatch(seen.plan, -1) {
		table := "triggers"
		if m[1] == "r" || m[1] == "b" && strings.Contains(query, p.s.core.t.runs) {
			table = "runs"
		}
		seen.full = append(seen.full, table)
	}
	seen.sorts = strings.Contains(seen.plan, "USE TEMP B-TREE FOR ORDER BY")
	if !strings.HasPrefix(query, "SELECT") {
		return []probed{seen}
	}
	p.run(ctx, x, "PRAGMA cache_size = 10")
	p.lines(ctx, x, "SELECT COUNT(*) FROM sqlite_schema", nil)
	before := bytesRead()
	p.lines(ctx, x, query, args)
	if after := bytesRead(); before >= 0 {
		seen.pages = (after - before) / 4096
	}
	p.run(ctx, x, "PRAGMA cache_size = -2000")
	return []probed{seen}
}

// bytesRead is what this process has read so far; -1 where the system does not
// tell.
func bytesRead() int {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "rchar: "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(rest))
			if err == nil {
				return n
			}
		}
	}
	return -1
}

// uses reports whether a plan has an index.
func (p probed) uses(index string) bool { return slices.Contains(p.indexes, index) }
