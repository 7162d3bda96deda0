package dialects

import (
	"database/sql"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// mysql is MySQL 8.0.4 and newer, or MariaDB 10.6 and newer. What holds for
// both:
//
// Writes over many rows are driven by a JSON document that is read as a table,
// in the order of its rows, and reach each row by its primary key. A long IN
// list in a write makes the optimizer read the clustered index and wait for
// rows that it does not change, which deadlocks with those who hold them.
//
// Reads take IN lists. A locking read is also told to use the primary key, so
// that it visits the rows of the list, in key order, and no other.
//
// Servers keep no plan from one execution to the next, so that the text of a
// list may be as long as the list.
type mysql struct {
	maria bool
	// ascending says that the server reads DESC in an index and ignores it:
	// MariaDB before 10.8.
	ascending bool
}

// Name tells the two apart, although GORM's dialector is "mysql" for both.
func (d mysql) Name() string {
	if d.maria {
		return "mariadb"
	}
	return "mysql"
}

// Quote works in every sql_mode, ANSI_QUOTES included.
func (mysql) Quote(ident string) string {
	parts := strings.Split(ident, ".")
	for i, part := range parts {
		parts[i] = "`" + strings.ReplaceAll(part, "`", "``") + "`"
	}
	return strings.Join(parts, ".")
}

// Isolation is named in every transaction. Under the default, REPEATABLE READ,
// a read may be older than the write that follows it, and gap locks on the due
// index make inserts wait.
func (mysql) Isolation() sql.IsolationLevel { return sql.LevelReadCommitted }

func (mysql) SingleWriter() bool { return false }

// NowMicros is the start of the statement in UTC, whatever the session's time
// zone is. UNIX_TIMESTAMP would read the session's local time, which is
// ambiguous for an hour each autumn.
func (mysql) NowMicros() string {
	return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))"
}

func (mysql) ColumnType(t Type) string {
	switch t.kind {
	case kindKey:
		return fmt.Sprintf("varchar(%d) CHARACTER SET ascii COLLATE ascii_bin", t.size)
	case kindText:
		return "longtext CHARACTER SET utf8mb4"
	case kindSmall:
		return "smallint"
	case kindInt:
		return "int"
	default:
		return "bigint"
	}
}

// Bound: a cast to bigint is spelled SIGNED.
func (mysql) Bound(t Type) string {
	if t.text() {
		return "CAST(? AS CHAR)"
	}
	return "CAST(? AS SIGNED)"
}

// Lock makes the read of rows named by their keys go by the primary key: the
// optimizer may otherwise prefer a scan, which locks all that it passes. A read
// by another index must not be told so, for the same reason. MariaDB has no OF: it locks the
// rows of all tables, so a locking read must have one table only.
func (d mysql) Lock(mode LockMode, alias string) (hint, suffix string) {
	if mode != LockSkipFound && mode != LockWaitFound {
		hint = " FORCE INDEX (PRIMARY)"
	}
	of := " OF " + alias
	if d.maria {
		of = ""
	}
	switch mode {
	case LockSkip, LockSkipFound:
		return hint, " FOR UPDATE" + of + " SKIP LOCKED"
	case LockShareSkip, LockKeepSkip:
		if d.maria {
			return hint, " LOCK IN SHARE MODE SKIP LOCKED"
		}
		return hint, " FOR SHARE" + of + " SKIP LOCKED"
	default:
		return hint, " FOR UPDATE" + of
	}
}

// ForceIndex keeps the optimizer from scanning a small table, and from walking
// an index that gives an order until a row happens to fit.
func (d mysql) ForceIndex(name string) string { return " FORCE INDEX (" + d.Quote(name) + ")" }

// ByKey keeps the optimizer from scanning a table whose rows are named by their
// primary keys.
func (mysql) ByKey() string { return " FORCE INDEX (PRIMARY)" }

// NoSuchIndex is ER_KEY_DOES_NOT_EXIST.
func (mysql) NoSuchIndex(err error) bool {
	number, _ := mysqlNumber(err)
	return number == 1176
}

// LimitWait bounds one statement and leaves the session as it is. MariaDB
// bounds the wait for row locks itself, to whole seconds. MySQL bounds the time
// of a locking read; a write it cannot bound (see Dialect.LimitWait).
func (d mysql) LimitWait(statement string, most time.Duration) (limited string, bounded bool) {
	verb, rest, _ := strings.Cut(statement, " ")
	switch verb {
	case "SELECT":
		if !strings.Contains(rest, " FOR UPDATE") || strings.HasSuffix(rest, " SKIP LOCKED") {
			return statement, true
		}
		if d.maria {
			return statement + " WAIT " + wholeSeconds(most), true
		}
		return "SELECT /*+ MAX_EXECUTION_TIME(" + milliseconds(most) + ") */ " + rest, true
	case "INSERT", "UPDATE", "DELETE":
		if d.maria {
			return "SET STATEMENT innodb_lock_wait_timeout=" + wholeSeconds(most) + " FOR " + statement, true
		}
		return statement, false
	}
	return statement, true
}

func wholeSeconds(d time.Duration) string {
	return number(max(1, int((d+time.Second-1)/time.Second)))
}

func (mysql) Limit(n int) (head, tail string) { return "", " LIMIT " + number(n) }

func (mysql) Page(skip, limit int) Statement { return limitOffset(skip, limit) }

func (d mysql) In(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " = ", " IN ", "1 = 0", t, values)
}

func (d mysql) NotIn(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " <> ", " NOT IN ", "1 = 1", t, values)
}

// among leaves out what cannot be a key: a key column could not be compared
// with it, or, as it ignores trailing spaces, would find another key.
func (d mysql) among(expr, one, many, none string, t Type, values []any) (Statement, error) {
	list := make([]any, 0, len(values))
	for _, value := range values {
		v, err := plain(Column{Name: expr, Type: t}, value)
		if err != nil {
			return Statement{}, err
		}
		if text, ok := v.(string); !ok || t.kind != kindKey || searchable(text) {
			list = append(list, v)
		}
	}
	switch len(list) {
	case 0:
		return Statement{SQL: none}, nil
	case 1:
		return Statement{SQL: expr + one + "?", Args: list}, nil
	}
	return Statement{SQL: expr + many + "(?" + strings.Repeat(", ?", len(list)-1) + ")", Args: list}, nil
}

// searchable reports whether a key column can be searched for a text.
func searchable(text string) bool {
	return ascii(text) && !strings.HasSuffix(text, " ")
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// LockIn keeps the list from having one entry: a row that is found by an equal
// primary key is read, and locked, before the rest of the condition is looked
// at, and stays locked if that refuses it. No key is empty.
func (d mysql) LockIn(expr string, t Type, values []any) (Statement, error) {
	if len(values) == 1 && t.kind == kindKey {
		values = []any{values[0], ""}
	}
	return d.In(expr, t, values)
}

// value makes a value plain and refuses what a column would cut, replace or
// lose without an error: a server that is not strict does so, and so does
// MariaDB's JSON_TABLE on any server.
func (mysql) value(c Column, value any) (any, error) {
	v, err := plain(c, value)
	text, ok := v.(string)
	switch {
	case err != nil || !ok:
		return v, err
	case c.Type.kind == kindKey && !ascii(text):
		return nil, fmt.Errorf("column %q takes ASCII only, not %.80q: leave other characters out", c.Name, text)
	case c.Type.kind == kindKey && len(text) > c.Type.size:
		return nil, fmt.Errorf("column %q takes %d characters, %.80q has %d: shorten it", c.Name, c.Type.size, text, len(text))
	case !utf8.ValidString(text):
		return nil, fmt.Errorf("column %q takes UTF-8 only, %.80q is not: convert it", c.Name, text)
	}
	return v, nil
}

// Source reads a JSON document of rows as a table.
func (d mysql) Source(alias string, columns []Column, rows [][]any) (Statement, error) {
	list := make([][]any, len(rows))
	for i, row := range rows {
		values, err := d.row(columns, row)
		if err != nil {
			return Statement{}, err
		}
		list[i] = values
	}
	document, err := encode(list)
	if err != nil {
		return Statement{}, err
	}
	w := &writer{d: d}
	w.put("JSON_TABLE(?, '$[*]' COLUMNS (", document)
	for i, c := range columns {
		if i > 0 {
			w.put(", ")
		}
		w.put(fmt.Sprintf("%s %s PATH '$[%d]' ERROR ON ERROR", d.Quote(c.Name), d.ColumnType(c.Type), i))
	}
	return w.put(")) AS " + alias).done(), nil
}

func (d mysql) row(columns []Column, row []any) ([]any, error) {
	out := make([]any, len(row))
	for i, value := range row {
		if i >= len(columns) {
			break
		}
		v, err := d.value(columns[i], value)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return plainRow(columns, out)
}

func (mysql) Classify(err error) Fault { return classifyMySQL(err) }
