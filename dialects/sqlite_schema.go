package dialects

import (
	"fmt"
	"strings"
)

// Inspect asks SQLite's pragma functions. Collations are known of columns that
// an index holds; the others are compared for equality only.
func (sqlite) Inspect(q Querier, table string) (Table, error) {
	var t Table
	err := q(func(s Scanner) error {
		t.Found = true
		return s.Scan(&t.Kind)
	}, "SELECT type FROM sqlite_schema WHERE type IN ('table', 'view') AND lower(name) = lower(?)", table)
	if err != nil || !t.Found || t.Kind != "table" {
		return t, err
	}
	at := map[string]int{}
	keys := map[int]string{}
	err = q(func(s Scanner) error {
		var c TableColumn
		var notNull, hasDefault, key int
		if err := s.Scan(&c.Name, &c.Type, &notNull, &hasDefault, &key); err != nil {
			return err
		}
		c.NotNull, c.HasDefault = notNull != 0, hasDefault != 0
		at[c.Name] = len(t.Columns)
		t.Columns = append(t.Columns, c)
		if key > 0 {
			keys[key] = c.Name
		}
		return nil
	}, `SELECT name, type, "notnull", dflt_value IS NOT NULL, pk FROM pragma_table_info(?) ORDER BY cid`, table)
	if err != nil {
		return t, err
	}
	for i := 1; i <= len(keys); i++ {
		t.Key = append(t.Key, keys[i])
	}
	err = q(func(s Scanner) error {
		var name, origin, column, collation string
		var unique, partial, position, desc int
		if err := s.Scan(&name, &unique, &origin, &partial, &position, &column, &desc, &collation); err != nil {
			return err
		}
		if i, ok := at[column]; ok && !strings.EqualFold(collation, "BINARY") {
			t.Columns[i].Collation = collation
		}
		if origin == "pk" {
			return nil
		}
		if position == 0 {
			other := ""
			if partial != 0 {
				other = "partial"
			}
			t.Indexes = append(t.Indexes, TableIndex{Name: name, Unique: unique != 0, Other: other})
		}
		last := &t.Indexes[len(t.Indexes)-1]
		last.Columns = append(last.Columns, TableIndexColumn{Name: column, Desc: desc != 0})
		return nil
	}, `SELECT l.name, l."unique", l.origin, l.partial, x.seqno, COALESCE(x.name, ''), x."desc", COALESCE(x.coll, '')
FROM pragma_index_list(?) AS l JOIN pragma_index_xinfo(l.name) AS x WHERE x.key = 1 ORDER BY l.name, x.seqno`, table)
	return t, err
}

// Matches compares affinities (https://www.sqlite.org/datatype3.html, 3.1),
// which is all that a declared type means to SQLite, and the collation.
func (sqlite) Matches(t Type, c TableColumn) bool {
	declared := strings.ToUpper(c.Type)
	isInteger := strings.Contains(declared, "INT")
	if !t.text() {
		return isInteger
	}
	isText := strings.Contains(declared, "CHAR") || strings.Contains(declared, "CLOB") || strings.Contains(declared, "TEXT")
	return isText && !isInteger && c.Collation == ""
}

func (d sqlite) AddColumn(table, column string, t Type, null bool) []string {
	add := "ALTER TABLE " + table + " ADD COLUMN " + d.Quote(column) + " " + d.declared(t)
	if !null {
		add += " NOT NULL DEFAULT " + zero(t)
	}
	return []string{add}
}

// AlterColumn makes the table anew; SQLite cannot change a column.
func (d sqlite) AlterColumn(table, _ string, _ Type, _ bool, r Rebuild) []string {
	return d.rebuild(table, r)
}

func (d sqlite) FreeColumn(table string, _ TableColumn, r Rebuild) []string {
	return d.rebuild(table, r)
}

func (d sqlite) AlterKey(table, _, _ string, r Rebuild) []string { return d.rebuild(table, r) }

// rebuild creates the indexes last: their names are in use until the old table
// is gone.
func (d sqlite) rebuild(table string, r Rebuild) []string {
	old := d.Quote(strings.Trim(table, `"`) + "_old")
	return append([]string{
		"ALTER TABLE " + table + " RENAME TO " + old,
		r.Create,
		fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", table, r.Columns, r.Columns, old),
		"DROP TABLE " + old,
	}, r.Indexes...)
}

func (d sqlite) DropIndex(_, index string) string { return "DROP INDEX " + d.Quote(index) }

// SchemaLock is empty: the opening of the transaction makes it the writer.
func (sqlite) SchemaLock(string) Statement { return Statement{} }

func (sqlite) Advice(q Querier) (faults, warnings []string, err error) {
	var version, journal string
	var timeout int
	ask := func(into any, statement string) {
		if err == nil {
			err = q(func(s Scanner) error { return s.Scan(into) }, statement)
		}
	}
	ask(&version, "SELECT sqlite_version()")
	ask(&timeout, "PRAGMA busy_timeout")
	ask(&journal, "PRAGMA journal_mode")
	if err != nil {
		return nil, nil, err
	}
	var major, minor int
	if _, scanErr := fmt.Sscanf(version, "%d.%d", &major, &minor); scanErr == nil && major*1000+minor < 3038 {
		faults = append(faults, "SQLite "+version+": use 3.38 or later")
	}
	if timeout == 0 {
		warnings = append(warnings, "SQLite's busy_timeout is 0, so writers fail instead of waiting for each other: add _pragma=busy_timeout(5000) to the DSN")
	}
	if !strings.EqualFold(journal, "wal") && !strings.EqualFold(journal, "memory") {
		warnings = append(warnings, "SQLite's journal_mode is "+journal+", so readers and the writer wait for each other: add _pragma=journal_mode(WAL) to the DSN")
	}
	return faults, warnings, nil
}

// declared is the type as the schema script writes it.
func (sqlite) declared(t Type) string {
	if t.text() {
		return "text"
	}
	return "integer"
}
