package dialects

import (
	"fmt"
	"strconv"
	"strings"
)

// Inspect asks the information schema of the database that the connection has
// selected.
func (d mysql) Inspect(q Querier, table string) (Table, error) {
	var t Table
	var kind, engine string
	err := q(func(s Scanner) error {
		t.Found = true
		return s.Scan(&kind, &engine)
	}, "SELECT table_type, COALESCE(engine, '') FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?", table)
	if err != nil || !t.Found {
		return t, err
	}
	if t.Kind = strings.ToLower(kind); t.Kind == "base table" {
		t.Kind = "table"
	}
	if t.Kind != "table" {
		return t, nil
	}
	if !strings.EqualFold(engine, "InnoDB") {
		t.Fault = "uses the storage engine " + engine + ", which has no transactions: it must be InnoDB"
		t.Mend = []string{"ALTER TABLE " + d.Quote(table) + " ENGINE = InnoDB"}
	}
	err = q(func(s Scanner) error {
		var c TableColumn
		var null, extra string
		var hasDefault int
		if err := s.Scan(&c.Name, &c.Type, &c.Collation, &null, &hasDefault, &extra); err != nil {
			return err
		}
		c.NotNull = null == "NO"
		c.HasDefault = hasDefault != 0 || extra != ""
		t.Columns = append(t.Columns, c)
		return nil
	}, `SELECT column_name, column_type, COALESCE(collation_name, ''), is_nullable, column_default IS NOT NULL, extra
FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`, table)
	if err != nil {
		return t, err
	}
	return t, d.inspectIndexes(q, table, &t)
}

func (d mysql) inspectIndexes(q Querier, table string, t *Table) error {
	usable := "is_visible = 'YES'"
	if d.maria {
		usable = "ignored = 'NO'"
	}
	return q(func(s Scanner) error {
		var name, column, order, kind string
		var notUnique, position, part, visible int
		if err := s.Scan(&name, &notUnique, &position, &column, &order, &part, &kind, &visible); err != nil {
			return err
		}
		if name == "PRIMARY" {
			t.Key, t.KeyName = append(t.Key, column), name
			return nil
		}
		if position == 1 {
			t.Indexes = append(t.Indexes, TableIndex{Name: name, Unique: notUnique == 0})
		}
		last := &t.Indexes[len(t.Indexes)-1]
		last.Columns = append(last.Columns, TableIndexColumn{Name: column, Desc: order == "D"})
		switch {
		case part != 0:
			last.Other = "prefix"
		case kind != "BTREE":
			last.Other = kind
		case visible == 0:
			last.Other = "invisible"
		}
		return nil
	}, `SELECT index_name, non_unique, seq_in_index, COALESCE(column_name, ''), COALESCE(collation, 'A'), COALESCE(sub_part, 0), index_type, `+usable+`
FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? ORDER BY index_name, seq_in_index`, table)
}

// Descending is false where DESC in an index means nothing.
func (d mysql) Descending() bool { return !d.ascending }

// Matches compares the type without the display width that older servers add.
func (mysql) Matches(t Type, c TableColumn) bool {
	base, _, _ := strings.Cut(strings.ToLower(c.Type), "(")
	switch t.kind {
	case kindKey:
		return strings.EqualFold(c.Type, fmt.Sprintf("varchar(%d)", t.size)) && c.Collation == "ascii_bin"
	case kindText:
		return base == "longtext" && strings.HasPrefix(c.Collation, "utf8mb4_")
	case kindSmall:
		return base == "smallint" && !unsigned(c)
	case kindInt:
		return base == "int" && !unsigned(c)
	default:
		return base == "bigint" && !unsigned(c)
	}
}

func unsigned(c TableColumn) bool { return strings.Contains(strings.ToLower(c.Type), "unsigned") }

// AddColumn: rows that exist get 0 or an empty text.
func (d mysql) AddColumn(table, column string, t Type, null bool) []string {
	return []string{"ALTER TABLE " + table + " ADD COLUMN " + d.Quote(column) + " " + d.ColumnType(t) + nullability(null)}
}

func (d mysql) AlterColumn(table, column string, t Type, null bool, _ Rebuild) []string {
	return []string{"ALTER TABLE " + table + " MODIFY COLUMN " + d.Quote(column) + " " + d.ColumnType(t) + nullability(null)}
}

func nullability(null bool) string {
	if null {
		return " NULL"
	}
	return " NOT NULL"
}

// FreeColumn writes the column's type again, which MODIFY asks for.
func (d mysql) FreeColumn(table string, c TableColumn, _ Rebuild) []string {
	kind := c.Type
	if c.Collation != "" {
		set, _, _ := strings.Cut(c.Collation, "_")
		kind += " CHARACTER SET " + set + " COLLATE " + c.Collation
	}
	return []string{"ALTER TABLE " + table + " MODIFY COLUMN " + d.Quote(c.Name) + " " + kind + " NULL"}
}

func (d mysql) AlterKey(table, keyName, column string, _ Rebuild) []string {
	add := "ADD PRIMARY KEY (" + d.Quote(column) + ")"
	if keyName != "" {
		add = "DROP PRIMARY KEY, " + add
	}
	return []string{"ALTER TABLE " + table + " " + add}
}

func (d mysql) DropIndex(table, index string) string {
	return "DROP INDEX " + d.Quote(index) + " ON " + d.Quote(table)
}

// SchemaLock is empty. Every DDL statement commits by itself, so that a lock
// would have to be the session's, and a session that is cut off would take it
// back into the application's pool. It is not needed: CREATE TABLE IF NOT
// EXISTS makes a table with its indexes, whole or not at all, and whoever finds
// that another node was faster looks again.
func (mysql) SchemaLock(string) Statement { return Statement{} }

// TableOptions are for tables that GORM creates.
func (mysql) TableOptions() string { return "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4" }

func (d mysql) Advice(q Querier) (faults, warnings []string, err error) {
	var database, version, logged, format, charset string
	var autocommit int
	err = q(func(s Scanner) error {
		return s.Scan(&database, &version, &logged, &format, &charset, &autocommit)
	}, "SELECT COALESCE(DATABASE(), ''), VERSION(), @@log_bin, @@binlog_format, @@character_set_client, @@autocommit")
	if err != nil {
		return nil, nil, err
	}
	if database == "" {
		faults = append(faults, "no database is selected: name one in the DSN")
	}
	if err := d.checkVersion(version); err != nil {
		faults = append(faults, err.Error())
	}
	if logged == "1" && strings.EqualFold(format, "STATEMENT") {
		faults = append(faults, "binlog_format is STATEMENT, with which the server refuses writes under READ COMMITTED: set it to ROW or MIXED")
	}
	if autocommit == 0 {
		faults = append(faults, "autocommit is off, so that a read opens a transaction that nobody ends: take autocommit=0 out of the DSN")
	}
	if charset != "utf8mb4" {
		warnings = append(warnings, "the connection's character set is "+charset+", so job data beyond it is lost or refused: put charset=utf8mb4 into the DSN")
	}
	if d.ascending {
		warnings = append(warnings, "MariaDB before 10.8 ignores descending index columns, so that each claim sorts all due triggers: use 10.8 or later")
	}
	return faults, warnings, nil
}

// newMySQL reads the version as the server gives it, such as "9.7.4" or
// "11.8.9-MariaDB-0+deb13u1"; "" = unknown, taken to be a supported one.
func newMySQL(maria bool, version string) (Dialect, error) {
	d := mysql{maria: maria || strings.Contains(strings.ToLower(version), "mariadb")}
	if err := d.checkVersion(version); err != nil {
		return nil, err
	}
	n := versionNumber(version)
	d.ascending = d.maria && n != 0 && n < 10_008_000
	return d, nil
}

func (d mysql) checkVersion(version string) error {
	n := versionNumber(version)
	switch {
	case strings.Contains(strings.ToLower(version), "tidb"):
		return fmt.Errorf("TiDB (%s) is not supported: it reads SKIP LOCKED and locks nothing", version)
	case n == 0:
	case d.maria && n < 10_006_000:
		return fmt.Errorf("MariaDB %s is not supported: use version 10.6 or later", version)
	case !d.maria && n < 8_000_004:
		return fmt.Errorf("MySQL %s is not supported: use version 8.0.4 or later", version)
	}
	return nil
}

// versionNumber is 8_000_036 for "8.0.36-28"; 0 where it cannot be read. Older
// MariaDB servers put "5.5.5-" before their own version.
func versionNumber(version string) int {
	version = strings.TrimPrefix(version, "5.5.5-")
	n := 0
	parts := strings.SplitN(version, ".", 3)
	for i := range 3 {
		n *= 1000
		if i >= len(parts) {
			continue
		}
		digits := len(parts[i]) - len(strings.TrimLeft(parts[i], "0123456789"))
		part, err := strconv.Atoi(parts[i][:digits])
		if err != nil {
			return 0
		}
		n += part
	}
	return n
}
