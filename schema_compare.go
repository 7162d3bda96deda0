package gormsched

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched/dialects"
)

// wantedTable is a table as this version needs it.
type wantedTable struct {
	name, quoted string
	columns      []wantedColumn
	indexes      []wantedIndex
	create       string
}

type wantedColumn struct {
	name string
	kind dialects.Type
	null bool
}

type wantedIndex struct {
	name, create string
	// inTable says that the table is created with the index.
	inTable bool
	indexSpec
}

// wantedTables reads the models, the index list and the script. The models say
// which columns there are and which may be NULL.
func (c *core) wantedTables() ([]wantedTable, error) {
	script, err := SchemaSQL(c.d.Name(), 0, SchemaVersion, c.db.NamingStrategy)
	if err != nil {
		return nil, err
	}
	statements := dialects.SchemaStatements(script)
	find := func(verb, name string) string {
		i := slices.IndexFunc(statements, func(s string) bool {
			return strings.HasPrefix(s, verb) && strings.Contains(s, " EXISTS "+name+" ") || // or the guard stands before it
				strings.Contains(s, "\n"+verb) && (strings.Contains(s, "TABLE "+name+" (") || strings.Contains(s, "INDEX "+name+" ON "))
		})
		if i < 0 {
			return ""
		}
		return statements[i]
	}
	tables := make([]wantedTable, len(shortNames))
	for i, model := range Models() {
		parsed, err := schema.Parse(model, &sync.Map{}, c.db.NamingStrategy)
		if err != nil {
			return nil, err
		}
		w := wantedTable{name: c.t.plain[i], quoted: c.d.Quote(c.t.plain[i])}
		w.create = find("CREATE TABLE", w.quoted)
		for _, f := range parsed.Fields {
			w.columns = append(w.columns, wantedColumn{name: f.DBName, kind: columnTypes[f.DBName], null: !f.NotNull})
		}
		for _, spec := range indexSpecs {
			if spec.Table != shortNames[i] {
				continue
			}
			name := c.db.NamingStrategy.IndexName(w.name, spec.Name)
			x := wantedIndex{name: name, create: find("CREATE", c.d.Quote(name)), indexSpec: spec}
			if x.inTable = x.create == ""; x.inTable {
				x.create = c.createIndex(w, x)
			}
			w.indexes = append(w.indexes, x)
		}
		tables[i] = w
	}
	return tables, nil
}

// createIndex creates one index by itself, where the script creates it with its
// table.
func (c *core) createIndex(w wantedTable, x wantedIndex) string {
	kind := "INDEX "
	if x.Unique {
		kind = "UNIQUE INDEX "
	}
	list := make([]string, len(x.Columns))
	for i, col := range x.Columns {
		list[i] = c.d.Quote(col.Name)
		if col.Desc {
			list[i] += " DESC"
		}
	}
	return "CREATE " + kind + c.d.Quote(x.name) + " ON " + w.quoted + " (" + strings.Join(list, ", ") + ")"
}

// inspector is the dialect's view of the catalogue.
func (c *core) inspector() dialects.Inspector { return c.d.(dialects.Inspector) }

// rowScanner is one row of an answer.
type rowScanner = *sql.Rows

// querier lends the transaction's query to a dialect.
func (t *tx) querier() dialects.Querier {
	return func(scan func(dialects.Scanner) error, statement string, args ...any) error {
		return t.query(func(rows rowScanner) error { return scan(rows) }, statement, args...)
	}
}

// compare reads the catalogue and answers what differs.
func (t *tx) compare() ([]SchemaProblem, error) {
	wanted, err := t.c.wantedTables()
	if err != nil {
		return nil, err
	}
	faults, _, err := t.c.inspector().Advice(t.querier())
	if err != nil {
		return nil, err
	}
	var problems []SchemaProblem
	for _, fault := range faults {
		problems = append(problems, SchemaProblem{What: fault})
	}
	for _, w := range wanted {
		found, err := t.c.inspector().Inspect(t.querier(), w.name)
		if err != nil {
			return nil, err
		}
		problems = append(problems, t.c.compareTable(w, found)...)
	}
	return problems, nil
}

func (c *core) compareTable(w wantedTable, found dialects.Table) []SchemaProblem {
	if !found.Found {
		p := SchemaProblem{Table: w.name, What: "is missing", Mend: []string{w.create}, create: true}
		for _, x := range w.indexes {
			if !x.inTable {
				p.Mend = append(p.Mend, x.create)
			}
		}
		return []SchemaProblem{p}
	}
	if found.Kind != "table" {
		return []SchemaProblem{{Table: w.name, What: "is a " + found.Kind + ", not a table: choose another Options.TablePrefix, or rename it"}}
	}
	problems := c.compareColumns(w, found)
	if found.Fault != "" {
		problems = append(problems, SchemaProblem{Table: w.name, What: found.Fault, Mend: found.Mend})
	}
	key := w.columns[0].name
	if !slices.Equal(found.Key, []string{key}) {
		problems = append(problems, SchemaProblem{
			Table: w.name, What: fmt.Sprintf("has the primary key (%s), which must be (%s)", strings.Join(found.Key, ", "), key),
			Mend: c.inspector().AlterKey(w.quoted, found.KeyName, key, c.rebuild(w, found)),
		})
	}
	missingColumn := len(problems) > 0
	for _, x := range w.indexes {
		if p, differs := c.compareIndex(w, x, found); differs {
			p.create = p.create && !missingColumn
			problems = append(problems, p)
		}
	}
	return problems
}

func (c *core) compareColumns(w wantedTable, found dialects.Table) []SchemaProblem {
	var problems []SchemaProblem
	have := map[string]dialects.TableColumn{}
	for _, col := range found.Columns {
		have[col.Name] = col
	}
	for _, col := range w.columns {
		got, ok := have[col.name]
		delete(have, col.name)
		problem := SchemaProblem{Table: w.name, Column: col.name}
		switch {
		case !ok:
			problem.What = "is missing"
			problem.Mend = c.inspector().AddColumn(w.quoted, col.name, col.kind, col.null)
		case !c.inspector().Matches(col.kind, got), col.null == got.NotNull:
			problem.What = "is " + describe(got.Type, got.Collation, !got.NotNull) + ", which must be " + describe(c.d.ColumnType(col.kind), "", col.null)
			problem.Mend = c.inspector().AlterColumn(w.quoted, col.name, col.kind, col.null, c.rebuild(w, found))
		default:
			continue
		}
		problems = append(problems, problem)
	}
	for _, col := range found.Columns {
		if _, extra := have[col.Name]; extra && col.NotNull && !col.HasDefault {
			problems = append(problems, SchemaProblem{
				Table: w.name, Column: col.Name,
				What: "is not the store's, and a row cannot be inserted without a value for it",
				Mend: c.inspector().FreeColumn(w.quoted, col, c.rebuild(w, found)),
			})
		}
	}
	return problems
}

// compareIndex accepts an index of the same columns under another name.
func (c *core) compareIndex(w wantedTable, x wantedIndex, found dialects.Table) (SchemaProblem, bool) {
	p := SchemaProblem{Table: w.name, Index: x.name}
	for _, got := range found.Indexes {
		if got.Other == "" && got.Unique == x.Unique && slices.Equal(got.Columns, c.catalogue(x)) {
			return p, false
		}
	}
	for _, got := range found.Indexes {
		if strings.EqualFold(got.Name, x.name) {
			p.What = "is " + describeIndex(got) + ", which must be " + describeIndex(dialects.TableIndex{Unique: x.Unique, Columns: c.catalogue(x)})
			p.Mend = []string{c.inspector().DropIndex(w.name, x.name), x.create}
			return p, true
		}
	}
	p.What, p.Mend, p.create = "is missing; it serves "+x.Serves, []string{x.create}, true
	return p, true
}

// rebuild is what it takes to make the table anew: the columns to copy are
// those that both tables have.
func (c *core) rebuild(w wantedTable, found dialects.Table) dialects.Rebuild {
	var both []string
	for _, col := range w.columns {
		if slices.ContainsFunc(found.Columns, func(got dialects.TableColumn) bool { return got.Name == col.name }) {
			both = append(both, col.name)
		}
	}
	r := dialects.Rebuild{Create: w.create, Columns: c.columns("", both)}
	for _, x := range w.indexes {
		r.Indexes = append(r.Indexes, x.create)
	}
	return r
}

// catalogue gives the columns of an index as the catalogue should show them.
func (c *core) catalogue(x wantedIndex) []dialects.TableIndexColumn {
	d, ok := c.d.(interface{ Descending() bool })
	ascending := ok && !d.Descending()
	list := make([]dialects.TableIndexColumn, len(x.Columns))
	for i, col := range x.Columns {
		list[i] = dialects.TableIndexColumn{Name: col.Name, Desc: col.Desc && !ascending}
	}
	return list
}

func describe(kind, collation string, null bool) string {
	if collation != "" {
		kind += " COLLATE " + collation
	}
	if !null {
		kind += " NOT NULL"
	}
	return kind
}

func describeIndex(x dialects.TableIndex) string {
	var parts []string
	for _, col := range x.Columns {
		name := col.Name
		if name == "" {
			name = "an expression"
		}
		if col.Desc {
			name += " DESC"
		}
		parts = append(parts, name)
	}
	text := "(" + strings.Join(parts, ", ") + ")"
	if x.Unique {
		text = "unique " + text
	}
	if x.Other != "" {
		text = x.Other + " " + text
	}
	return text
}
