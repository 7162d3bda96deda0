package dialects

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed schema
var schemaFiles embed.FS

// Versions of the schema, one file each, in order.
var schemaVersions = []string{"001"}

// placeholder is a name in a schema file: {{jobs}} is a table, {{runs.done}}
// an index.
var placeholder = regexp.MustCompile(`\{\{([a-z_.]+)\}\}`)

// SchemaVersion is the newest version of the schema.
const SchemaVersion = 1

// SchemaScript gives the script that leads from one version of the schema to a
// later one on a database, with the names that name gives for "jobs" or
// "runs.done", as they are to stand in the text. Version 0 is an empty
// database. Every statement is guarded by IF NOT EXISTS, or what the database
// has for it: the script can be run again, and never alters or drops anything.
func SchemaScript(dialect string, from, to int, name func(string) string) (string, error) {
	if from < 0 || to > len(schemaVersions) || from > to {
		return "", fmt.Errorf("there is no schema script from version %d to version %d: versions go from 0, which is none, to %d, and from must not be above to", from, to, len(schemaVersions))
	}
	folder := dialect
	if dialect == "mariadb" { // the same statements
		folder = "mysql"
	}
	var script strings.Builder
	for _, version := range schemaVersions[from:to] {
		file, err := schemaFiles.ReadFile("schema/" + folder + "/" + version + ".sql")
		if err != nil {
			return "", fmt.Errorf("there is no schema script for %q: use \"postgres\", \"mysql\", \"mariadb\", \"sqlserver\" or \"sqlite\"", dialect)
		}
		script.Write(file)
	}
	return placeholder.ReplaceAllStringFunc(script.String(), func(found string) string {
		return name(found[2 : len(found)-2])
	}), nil
}

// SchemaStatements splits a script into its statements, without comments.
func SchemaStatements(script string) []string {
	var lines []string
	for line := range strings.Lines(script) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			lines = append(lines, line)
		}
	}
	var statements []string
	for part := range strings.SplitSeq(strings.Join(lines, ""), ";\n") {
		if part = strings.TrimSpace(part); part != "" {
			statements = append(statements, part)
		}
	}
	return statements
}

// Inspector reads a database's catalogue and says how a table is mended.
type Inspector interface {
	// Inspect reads a table by its unquoted name.
	Inspect(q Querier, table string) (Table, error)
	// Matches reports whether a column of the catalogue is one of type t.
	Matches(t Type, c TableColumn) bool
	// AddColumn, AlterColumn and FreeColumn give the statements that add a
	// column, give it its type and nullability, or let it be left out of an
	// insert. Table names are quoted. rebuild is for databases that can only
	// make a table anew.
	AddColumn(table, column string, t Type, null bool) []string
	AlterColumn(table, column string, t Type, null bool, rebuild Rebuild) []string
	FreeColumn(table string, c TableColumn, rebuild Rebuild) []string
	// AlterKey gives the statements that make a column the primary key, in
	// place of the one that Table.KeyName names, if any.
	AlterKey(table, keyName, column string, rebuild Rebuild) []string
	// DropIndex gives the statement that drops an index of a table by their
	// unquoted names.
	DropIndex(table, index string) string
	// SchemaLock gives a statement that keeps other nodes from changing the
	// same schema until the transaction ends; empty where the transaction's
	// opening does so, or where nodes that change it at once get an error that
	// is a FaultRetry.
	SchemaLock(name string) Statement
	// Advice checks the server and the connection's settings: what it cannot
	// work with, and what it only warns of.
	Advice(q Querier) (faults, warnings []string, err error)
}

// Querier sends a query and calls scan for each row.
type Querier func(scan func(Scanner) error, statement string, args ...any) error

// Scanner reads the columns of one row.
type Scanner interface{ Scan(dest ...any) error }

// Rebuild is what making a table anew needs: the statement that creates it,
// the columns to copy, quoted, and the statements that create its indexes.
type Rebuild struct {
	Create  string
	Columns string
	Indexes []string
}

// Table is a table as the catalogue describes it.
type Table struct {
	// Found is false where there is nothing of this name.
	Found bool
	// Kind is "table", or what else stands in its place, such as "view".
	Kind    string
	Columns []TableColumn
	// Key are the columns of the primary key, in order, KeyName its name
	// where it has one.
	Key     []string
	KeyName string
	Indexes []TableIndex
	// Fault says what else makes the table unfit, and Mend how it is mended.
	Fault string
	Mend  []string
}

// addIndexColumn reads one column of an index: its name, whether it is the
// primary key, whether it is unique, the column's place, name and direction, and
// what else the index is. Those of one index follow each other.
func (t *Table) addIndexColumn(s Scanner) error {
	var name, column, other string
	var isPrimary, unique, desc bool
	var position int
	if err := s.Scan(&name, &isPrimary, &unique, &position, &column, &desc, &other); err != nil {
		return err
	}
	if isPrimary {
		t.Key, t.KeyName = append(t.Key, column), name
		return nil
	}
	if position == 1 {
		t.Indexes = append(t.Indexes, TableIndex{Name: name, Unique: unique, Other: other})
	}
	last := &t.Indexes[len(t.Indexes)-1]
	last.Columns = append(last.Columns, TableIndexColumn{Name: column, Desc: desc})
	return nil
}

// TableColumn is a column as the catalogue describes it.
type TableColumn struct {
	Name, Type, Collation string
	NotNull, HasDefault   bool
}

// TableIndex is an index as the catalogue describes it. Other says what makes
// it unfit whatever its columns are, such as "partial"; empty = nothing.
type TableIndex struct {
	Name    string
	Unique  bool
	Columns []TableIndexColumn
	Other   string
}

// TableIndexColumn is one column of an index. Name is empty for an
// expression.
type TableIndexColumn struct {
	Name string
	Desc bool
}
