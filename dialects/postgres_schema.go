package dialects

import (
	"fmt"
	"strings"
)

// Inspect asks the system catalogue. A name without a schema is found by the
// connection's search path, as in any statement.
func (d postgres) Inspect(q Querier, table string) (Table, error) {
	var t Table
	quoted := d.Quote(table)
	err := q(func(s Scanner) error {
		t.Found = true
		return s.Scan(&t.Kind)
	}, `SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'v' THEN 'view' ELSE 'relation of kind ' || relkind::text END
FROM pg_catalog.pg_class WHERE oid = to_regclass(?)`, quoted)
	if err != nil || !t.Found || t.Kind != "table" {
		return t, err
	}
	err = q(func(s Scanner) error {
		var c TableColumn
		if err := s.Scan(&c.Name, &c.Type, &c.Collation, &c.NotNull, &c.HasDefault); err != nil {
			return err
		}
		t.Columns = append(t.Columns, c)
		return nil
	}, `SELECT a.attname, format_type(a.atttypid, a.atttypmod), COALESCE(co.collname, ''), a.attnotnull,
  a.atthasdef OR a.attidentity <> '' OR a.attgenerated <> ''
FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_collation co ON co.oid = a.attcollation
WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`, quoted)
	if err != nil {
		return t, err
	}
	return t, d.inspectIndexes(q, quoted, &t)
}

func (postgres) inspectIndexes(q Querier, quoted string, t *Table) error {
	return q(t.addIndexColumn, `SELECT i.relname, x.indisprimary, x.indisunique, k.n, COALESCE(a.attname, ''), (x.indoption[k.n - 1] & 1) = 1,
  CASE WHEN NOT x.indisvalid THEN 'not valid' WHEN x.indpred IS NOT NULL THEN 'partial' WHEN m.amname <> 'btree' THEN m.amname ELSE '' END
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_am m ON m.oid = i.relam
CROSS JOIN LATERAL generate_series(1, x.indnkeyatts::int) AS k(n)
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[k.n - 1]
WHERE x.indrelid = to_regclass(?) ORDER BY i.relname, k.n`, quoted)
}

// Matches compares the type as PostgreSQL writes it, and the collation.
func (postgres) Matches(t Type, c TableColumn) bool {
	switch t.kind {
	case kindKey:
		return c.Type == fmt.Sprintf("character varying(%d)", t.size) && c.Collation == "C"
	case kindText:
		return c.Type == "text"
	case kindSmall:
		return c.Type == "smallint"
	case kindInt:
		return c.Type == "integer"
	default:
		return c.Type == "bigint"
	}
}

// AddColumn gives rows that exist a value where the column needs one, and
// takes the default away again.
func (d postgres) AddColumn(table, column string, t Type, null bool) []string {
	add := "ALTER TABLE " + table + " ADD COLUMN " + d.Quote(column) + " " + d.ColumnType(t)
	if null {
		return []string{add}
	}
	return []string{
		add + " NOT NULL DEFAULT " + zero(t),
		"ALTER TABLE " + table + " ALTER COLUMN " + d.Quote(column) + " DROP DEFAULT",
	}
}

func (d postgres) AlterColumn(table, column string, t Type, null bool, _ Rebuild) []string {
	nullability := " SET NOT NULL"
	if null {
		nullability = " DROP NOT NULL"
	}
	quoted := d.Quote(column)
	return []string{"ALTER TABLE " + table + " ALTER COLUMN " + quoted + " TYPE " + d.ColumnType(t) +
		" USING " + quoted + "::" + d.cast(t) + ", ALTER COLUMN " + quoted + nullability}
}

func (d postgres) FreeColumn(table string, c TableColumn, _ Rebuild) []string {
	return []string{"ALTER TABLE " + table + " ALTER COLUMN " + d.Quote(c.Name) + " DROP NOT NULL"}
}

func (d postgres) AlterKey(table, keyName, column string, _ Rebuild) []string {
	add := "ALTER TABLE " + table + " ADD PRIMARY KEY (" + d.Quote(column) + ")"
	if keyName == "" {
		return []string{add}
	}
	return []string{"ALTER TABLE " + table + " DROP CONSTRAINT " + d.Quote(keyName), add}
}

// DropIndex looks for the index in the schema of its table.
func (d postgres) DropIndex(table, index string) string {
	if schema, _, qualified := strings.Cut(table, "."); qualified {
		return "DROP INDEX " + d.Quote(schema) + "." + d.Quote(index)
	}
	return "DROP INDEX " + d.Quote(index)
}

// SchemaLock takes an advisory lock that ends with the transaction.
// CREATE TABLE IF NOT EXISTS alone fails when two sessions run it at once.
func (postgres) SchemaLock(name string) Statement {
	return Statement{SQL: "SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(?::text, 0))) AS l", Args: []any{"gormsched schema " + name}}
}

func (postgres) Advice(q Querier) (faults, warnings []string, err error) {
	err = q(func(s Scanner) error {
		var version int
		if err := s.Scan(&version); err != nil {
			return err
		}
		if version < 130000 {
			faults = append(faults, fmt.Sprintf("PostgreSQL %d.%d: use version 13 or later", version/10000, version%10000))
		}
		return nil
	}, "SELECT current_setting('server_version_num')::int")
	return faults, warnings, err
}

// zero is a value that a column of type t can take.
func zero(t Type) string {
	if t.text() {
		return "''"
	}
	return "0"
}
