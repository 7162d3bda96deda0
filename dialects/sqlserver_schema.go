package dialects

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Inspect asks the catalogue views. A name is found as in any statement: in the
// user's default schema, or else in dbo. Whoever may read a table sees it there.
func (d sqlserver) Inspect(q Querier, table string) (Table, error) {
	var t Table
	var ignores int
	var trigger string
	err := q(func(s Scanner) error {
		t.Found = true
		return s.Scan(&t.Kind, &ignores, &trigger)
	}, `SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*) FROM sys.indexes AS i WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name) FROM sys.triggers AS g WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o WHERE o.object_id = OBJECT_ID(QUOTENAME(?))`, table)
	if err != nil || !t.Found || t.Kind != "table" {
		return t, err
	}
	switch {
	case trigger != "":
		t.Fault = "has the trigger " + trigger + ", whose statements would add to the counts by which the store judges its own"
		t.Mend = []string{"DISABLE TRIGGER " + d.Quote(trigger) + " ON " + d.Quote(table)}
	case ignores != 0:
		t.Fault = "has a unique index with IGNORE_DUP_KEY, which passes over what the store has to know of: create it without"
	}
	err = q(func(s Scanner) error {
		var c TableColumn
		var size int
		if err := s.Scan(&c.Name, &c.Type, &size, &c.Collation, &c.NotNull, &c.HasDefault); err != nil {
			return err
		}
		c.Type = sqlserverType(c.Type, size)
		t.Columns = append(t.Columns, c)
		return nil
	}, `SELECT c.name, y.name, c.max_length, COALESCE(c.collation_name, ''), CAST(1 - c.is_nullable AS bit),
  CAST(CASE WHEN c.default_object_id <> 0 OR c.is_identity = 1 OR c.is_computed = 1 OR y.name = 'timestamp' THEN 1 ELSE 0 END AS bit)
FROM sys.columns AS c JOIN sys.types AS y ON y.user_type_id = c.user_type_id
WHERE c.object_id = OBJECT_ID(QUOTENAME(?)) ORDER BY c.column_id`, table)
	if err != nil {
		return t, err
	}
	return t, d.inspectIndexes(q, table, &t)
}

// sqlserverType writes a type as DDL does; size counts bytes, -1 = max.
func sqlserverType(name string, size int) string {
	length := number(size)
	switch name {
	case "nvarchar", "nchar":
		length = number(size / 2)
	case "varchar", "char", "varbinary", "binary":
	default:
		return name
	}
	if size < 0 {
		length = "max"
	}
	return name + "(" + length + ")"
}

func (sqlserver) inspectIndexes(q Querier, table string, t *Table) error {
	return q(t.addIndexColumn, `SELECT i.name, i.is_primary_key, i.is_unique, CAST(k.key_ordinal AS int), c.name, k.is_descending_key,
  CASE WHEN i.is_disabled = 1 THEN 'disabled' WHEN i.has_filter = 1 THEN 'filtered' WHEN i.type NOT IN (1, 2) THEN LOWER(i.type_desc) ELSE '' END
FROM sys.indexes AS i
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE i.object_id = OBJECT_ID(QUOTENAME(?)) AND i.is_hypothetical = 0 AND k.key_ordinal > 0 ORDER BY i.name, k.key_ordinal`, table)
}

func (d sqlserver) Matches(t Type, c TableColumn) bool {
	if t.kind == kindKey {
		return c.Type == fmt.Sprintf("nvarchar(%d)", t.size) && c.Collation == keyCollation
	}
	return c.Type == d.ColumnType(t)
}

// AddColumn gives rows that exist a value where the column needs one, and takes
// the default away again, for which it names it.
func (d sqlserver) AddColumn(table, column string, t Type, null bool) []string {
	add := "ALTER TABLE " + table + " ADD " + d.Quote(column) + " " + d.ColumnType(t)
	if null {
		return []string{add + " NULL"}
	}
	name := d.Quote("df_" + strings.Trim(table, `"`) + "_" + column)
	return []string{
		add + " NOT NULL CONSTRAINT " + name + " DEFAULT " + zero(t),
		"ALTER TABLE " + table + " DROP CONSTRAINT " + name,
	}
}

// AlterColumn makes the table anew where the column is part of an index, which
// does not let it be altered.
func (d sqlserver) AlterColumn(table, column string, t Type, null bool, r Rebuild) []string {
	quoted := d.Quote(column)
	held := strings.Contains(r.Create, "PRIMARY KEY ("+quoted+")") ||
		slices.ContainsFunc(r.Indexes, func(create string) bool { return strings.Contains(create, quoted) })
	if held {
		return d.rebuild(table, r)
	}
	return []string{"ALTER TABLE " + table + " ALTER COLUMN " + quoted + " " + d.ColumnType(t) + nullability(null)}
}

// rebuild can use the names again: those of indexes are the table's own, and that
// of the primary key is the server's choice.
func (d sqlserver) rebuild(table string, r Rebuild) []string {
	plain := strings.Trim(table, `"`)
	old := plain + "_old"
	return append([]string{
		"EXEC sys.sp_rename N'" + plain + "', N'" + old + "'",
		r.Create,
		fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", table, r.Columns, r.Columns, d.Quote(old)),
		"DROP TABLE " + d.Quote(old),
	}, r.Indexes...)
}

func (d sqlserver) FreeColumn(table string, c TableColumn, _ Rebuild) []string {
	kind := c.Type
	if c.Collation != "" {
		kind += " COLLATE " + c.Collation
	}
	return []string{"ALTER TABLE " + table + " ALTER COLUMN " + d.Quote(c.Name) + " " + kind + " NULL"}
}

func (d sqlserver) AlterKey(table, keyName, column string, _ Rebuild) []string {
	add := "ALTER TABLE " + table + " ADD PRIMARY KEY (" + d.Quote(column) + ")"
	if keyName == "" {
		return []string{add}
	}
	return []string{"ALTER TABLE " + table + " DROP CONSTRAINT " + d.Quote(keyName), add}
}

func (d sqlserver) DropIndex(table, index string) string {
	return "DROP INDEX " + d.Quote(index) + " ON " + d.Quote(table)
}

// SchemaLock takes a lock of the application's own that ends with the
// transaction. The procedure answers a refusal by its result alone. The name is
// hashed, as it may have 255 characters only.
func (sqlserver) SchemaLock(name string) Statement {
	sum := sha256.Sum256([]byte(name))
	return Statement{
		SQL: "DECLARE @answer int; EXEC @answer = sys.sp_getapplock ?, N'Exclusive', N'Transaction', 60000; " +
			"IF @answer < 0 RAISERROR (N'another node is changing the schema', 16, 1)",
		Args: []any{"gormsched schema " + hex.EncodeToString(sum[:16])},
	}
}

// Advice reads settings of the server, the database and the session. Azure SQL
// counts its versions apart from SQL Server's.
func (d sqlserver) Advice(q Querier) (faults, warnings []string, err error) {
	var version, edition, level, options int
	var snapshot bool
	err = q(func(s Scanner) error { return s.Scan(&version, &edition, &level, &snapshot, &options) },
		`SELECT CAST(PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4) AS int), CAST(SERVERPROPERTY('EngineEdition') AS int),
  CAST(b.compatibility_level AS int), b.is_read_committed_snapshot_on,
  @@OPTIONS FROM sys.databases AS b WHERE b.database_id = DB_ID()`)
	if err != nil {
		return nil, nil, err
	}
	faults, warnings = d.judge(version, edition, level, snapshot, options)
	return faults, warnings, nil
}

// The editions of Azure SQL: database, managed instance, SQL in Fabric.
const (
	azureDatabase = 5
	azureInstance = 8
	azureFabric   = 12
)

// The bits of @@OPTIONS that matter.
const (
	optionQuoted  = 256
	optionNoCount = 512
)

func (sqlserver) judge(version, edition, level int, snapshot bool, options int) (faults, warnings []string) {
	azure := edition == azureDatabase || edition == azureInstance || edition == azureFabric
	if version < 13 && !azure {
		faults = append(faults, fmt.Sprintf("SQL Server of major version %d: use SQL Server 2016 (13) or later", version))
	}
	if level < 130 {
		faults = append(faults, fmt.Sprintf("the database's compatibility level is %d, at which OPENJSON is not there: ALTER DATABASE CURRENT SET COMPATIBILITY_LEVEL = 130 or higher", level))
	}
	if options&optionQuoted == 0 {
		faults = append(faults, "QUOTED_IDENTIFIER is off for the connection, so that quoted names are read as text: leave it on, as the driver does")
	}
	if !snapshot {
		warnings = append(warnings, "READ_COMMITTED_SNAPSHOT is off, so that reads wait for writers, and a management call for an application's transaction that has enqueued a trigger of the same job: ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON")
	}
	if options&optionNoCount != 0 {
		warnings = append(warnings, "NOCOUNT is on for new connections (user options, or a logon trigger); the store turns it off for each of its statements")
	}
	return faults, warnings
}
