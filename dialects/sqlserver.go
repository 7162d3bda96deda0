package dialects

import (
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sqlserver is SQL Server 2016 and newer at compatibility level 130 or above,
// and Azure SQL.
//
// Many rows travel as one JSON document that is read as a table (OPENJSON): a
// request takes 2,100 parameters, a VALUES list 1,000 rows. Long text travels
// beside it as parameters of its own, so that nothing between the application
// and its column interprets it.
//
// Rows are locked by table hints; there is no FOR UPDATE.
type sqlserver struct{}

const (
	// keyCollation compares by code points, which for ASCII are the bytes.
	keyCollation = "Latin1_General_100_BIN2"
	// sqlserverText is the type under which texts of any length travel.
	sqlserverText = "nvarchar(max)"
)

func (sqlserver) Name() string                  { return "sqlserver" }
func (sqlserver) Quote(ident string) string     { return quoteParts(ident) }
func (sqlserver) Isolation() sql.IsolationLevel { return sql.LevelReadCommitted }
func (sqlserver) SingleWriter() bool            { return false }

// InsertsAbsent: what would be atomic in one statement (HOLDLOCK, MERGE) locks
// the gap beside the key, in which the application's transaction would stop
// everybody else's inserts. A duplicate undoes one statement; see Frame.
func (sqlserver) InsertsAbsent() bool { return false }

// NowMicros is one value per statement.
func (sqlserver) NowMicros() string {
	return "DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())"
}

// ColumnType: keys are nvarchar because the driver sends text as that, and a
// varchar column would be converted row by row.
func (sqlserver) ColumnType(t Type) string {
	switch t.kind {
	case kindKey:
		return fmt.Sprintf("nvarchar(%d) COLLATE %s", t.size, keyCollation)
	case kindText:
		return sqlserverText
	case kindSmall:
		return "smallint"
	case kindInt:
		return "int"
	default:
		return "bigint"
	}
}

// travels is the type of a value on its way, without collation.
func (d sqlserver) travels(t Type) string {
	if t.kind == kindKey {
		return fmt.Sprintf("nvarchar(%d)", t.size)
	}
	return d.ColumnType(t)
}

func (d sqlserver) Bound(t Type) string { return "CAST(? AS " + d.travels(t) + ")" }

// Lock writes one WITH list, as a table may have only one. FORCESEEK keeps the
// optimizer from a scan, which locks all that it passes. READPAST asks for
// READCOMMITTEDLOCK where the database reads committed rows from versions
// (READ_COMMITTED_SNAPSHOT), and takes it elsewhere.
//
// An update lock and a share get along with each other, so LockAlone, which has
// to wait for those who share, is exclusive. Whoever holds a row by LockWait or
// LockSkip and changes it waits at that change for those who share it.
func (sqlserver) Lock(mode LockMode, _ string) (hint, suffix string) {
	switch mode {
	case LockSkip, LockSkipFound:
		return " WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)", ""
	case LockShareSkip, LockKeepSkip:
		return " WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)", ""
	case LockAlone:
		return " WITH (XLOCK, ROWLOCK, FORCESEEK)", ""
	default:
		return " WITH (UPDLOCK, ROWLOCK, FORCESEEK)", ""
	}
}

// PassOver is for reads of the hot path: without row versions a plain read
// would wait for whoever has changed or inserted a row (D34).
func (sqlserver) PassOver() string { return " WITH (READPAST, READCOMMITTEDLOCK)" }

func (sqlserver) Limit(n int) (head, tail string) { return " TOP (" + number(n) + ")", "" }

func (sqlserver) Page(skip, limit int) Statement {
	return Statement{SQL: " OFFSET ? ROWS FETCH NEXT ? ROWS ONLY", Args: []any{int64(skip), int64(limit)}}
}

// Descending: the clustered key ends every index, ascending.
func (sqlserver) Descending() bool { return true }

func (d sqlserver) In(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " = ", " IN ", "1 = 0", t, values)
}

func (d sqlserver) NotIn(expr string, t Type, values []any) (Statement, error) {
	return d.among(expr, " <> ", " NOT IN ", "1 = 1", t, values)
}

// among leaves out what cannot be a key: a text with spaces at its end would
// find the key without them, and a longer one what it begins with.
func (d sqlserver) among(expr, one, many, none string, t Type, values []any) (Statement, error) {
	list := make([]any, 0, len(values))
	for _, value := range values {
		v, err := plain(Column{Name: expr, Type: t}, value)
		if err != nil {
			return Statement{}, err
		}
		if text, ok := v.(string); !ok || t.kind != kindKey || !strings.HasSuffix(text, " ") && units(text) <= t.size {
			list = append(list, v)
		}
	}
	switch {
	case len(list) == 0 && one == " = " && len(values) > 0: // no key is empty; FORCESEEK asks for a key
		return Statement{SQL: expr + " = N''"}, nil
	case len(list) == 0:
		return Statement{SQL: none}, nil
	case len(list) == 1:
		return Statement{SQL: expr + one + "?", Args: list}, nil
	}
	document, err := encode(list)
	cast := "CAST(k.value AS " + d.travels(t) + ")"
	if t.kind == kindKey {
		cast += " COLLATE " + keyCollation
	}
	return Statement{SQL: expr + many + "(SELECT " + cast + " FROM OPENJSON(?) AS k)", Args: []any{document}}, err
}

// units is the length of a text as nvarchar counts it.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// value makes a value plain and refuses what OPENJSON would cut, or a server
// refuse with an error that does not name the column.
func (sqlserver) value(c Column, value any) (any, error) {
	v, err := plain(c, value)
	text, ok := v.(string)
	switch {
	case err != nil || !ok:
		return v, err
	case !utf8.ValidString(text):
		return nil, fmt.Errorf("column %q takes UTF-8 only, %.80q is not: convert it", c.Name, text)
	case c.Type.kind == kindKey && units(text) > c.Type.size:
		return nil, fmt.Errorf("column %q takes %d characters, %.80q has %d: shorten it", c.Name, c.Type.size, text, units(text))
	}
	return v, nil
}

func (d sqlserver) row(columns []Column, row []any) ([]any, error) {
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

func (sqlserver) Classify(err error) Fault { return classifySQLServer(err) }
