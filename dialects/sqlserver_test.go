package dialects

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// sqlServerError answers its number as the driver's error does.
type sqlServerError int32

func (e sqlServerError) Error() string         { return fmt.Sprintf("mssql: error %d", int32(e)) }
func (e sqlServerError) SQLErrorNumber() int32 { return int32(e) }

// streamError is an answer that broke off, as the driver says it.
type streamError struct{ InnerError error }

func (e streamError) Error() string { return "Invalid TDS stream: " + e.InnerError.Error() }

// Errors are read by their number, wrapped or not, without the driver; Azure's
// passing ones count as lost connections.
func TestSQLServerFaults(t *testing.T) {
	d := sqlserver{}
	for number, want := range map[int32]Fault{
		1205: FaultRetry, 3960: FaultRetry, 41302: FaultRetry, 2714: FaultRetry, 1222: FaultLockTimeout,
		2601: FaultDuplicate, 2627: FaultDuplicate, 208: FaultSchema, 207: FaultSchema, 515: FaultSchema, 3906: FaultReadOnly, 229: FaultDenied, 262: FaultDenied,
		10928: FaultConnection, 10929: FaultConnection, 40197: FaultConnection, 40501: FaultConnection, 40613: FaultConnection,
		49918: FaultConnection, 49919: FaultConnection, 49920: FaultConnection, 4060: FaultConnection, 18456: FaultConnection, -2: FaultConnection,
		102: FaultOther, 8152: FaultOther,
	} {
		for _, err := range []error{sqlServerError(number), fmt.Errorf("wrapped: %w", sqlServerError(number)), errors.Join(errors.New("x"), sqlServerError(number))} {
			if got := d.Classify(err); got != want {
				t.Errorf("%d: %v, want %v", number, got, want)
			}
		}
		if !Answered(sqlServerError(number)) {
			t.Errorf("%d is the server's answer", number)
		}
	}
	for _, err := range []error{driver.ErrBadConn, io.EOF, streamError{io.EOF}, fmt.Errorf("commit: %w", &streamError{io.ErrUnexpectedEOF})} {
		if got := d.Classify(err); got != FaultConnection {
			t.Errorf("%v: %v, want Connection", err, got)
		}
	}
	if got := d.Classify(streamError{errors.New("x")}); got != FaultOther {
		t.Errorf("another broken answer: %v, want Other", got)
	}
}

// Settings end with their statement: they stand in dynamic SQL, which a
// statement without parameters is made.
func TestSQLServerFrame(t *testing.T) {
	for _, c := range []struct {
		statement string
		wait      time.Duration
		alone     bool
		want      string
	}{
		{"UPDATE t SET a = ?", 2 * time.Second, false, "SET NOCOUNT OFF; SET XACT_ABORT OFF; SET LOCK_TIMEOUT 2000; UPDATE t SET a = ?"},
		{"SELECT a FROM t WHERE b = ?", 0, false, "SET NOCOUNT OFF; SET XACT_ABORT OFF; SELECT a FROM t WHERE b = ?"},
		{"SELECT 'x'", 5 * time.Second, true, "EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCK_TIMEOUT 5000; SELECT ''x'''"},
	} {
		if got := (sqlserver{}).Frame(c.statement, c.wait, c.alone); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Long text travels beside the document, so that nothing interprets it, and in
// lists of few lengths.
func TestSQLServerSourceTexts(t *testing.T) {
	columns := []Column{{"k", Key(4)}, {"x", LongText}, {"n", Big}, {"y", LongText}}
	s, err := sqlserver{}.Source("v", columns, [][]any{{"a", "\"\\ é😀", int64(1), nil}, {"b", nil, nil, nil}, {"c", strings.Repeat("z", 5000), int64(3), nil}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []any{`[["a",1,null,0],["b",null,null,null],["c",3,null,1]]`, "\"\\ é😀", strings.Repeat("z", 5000), nil, nil}; !slices.Equal(s.Args, want) {
		t.Errorf("arguments %.200v, want %.200v", s.Args, want)
	}
	want := `(SELECT o."k" COLLATE Latin1_General_100_BIN2 AS "k", x."x", o."n", o."y" FROM OPENJSON(?) WITH ("k" nvarchar(4) '$[0]', "n" bigint '$[1]', "y" nvarchar(max) '$[2]', "text_no" int '$[3]') AS o` +
		` LEFT JOIN (VALUES (0, CAST(? AS nvarchar(max))), (1, ?), (2, ?), (3, ?)) AS x("text_no", "x") ON x."text_no" = o."text_no") AS v`
	if s.SQL != want {
		t.Errorf("got  %s\nwant %s", s.SQL, want)
	}
	for name, row := range map[string][]any{"too long for a key": {"abcde", nil, nil, nil}, "no UTF-8": {"a", "\xff", nil, nil}, "short": {"a"}} {
		if _, err := (sqlserver{}).Source("v", columns, [][]any{row}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A text that cannot be a key finds none: it would be cut, or its spaces
// ignored (T25).
func TestSQLServerKeysThatAreNone(t *testing.T) {
	in, err := sqlserver{}.In("t.k", Key(3), []any{"a ", "abcd", "😀😀"})
	if err != nil || in.SQL != "t.k = N''" || len(in.Args) != 0 {
		t.Errorf("got %+v, %v; want one that no key fits", in, err)
	}
	in, err = sqlserver{}.NotIn("t.k", Key(3), []any{"a ", "abc"})
	if err != nil || in.SQL != "t.k <> ?" || len(in.Args) != 1 {
		t.Errorf("got %+v, %v; want one key", in, err)
	}
}

// What the server, the database and the session say is judged.
func TestSQLServerAdvice(t *testing.T) {
	for _, c := range []struct {
		name                            string
		version, edition, level, option int
		snapshot                        bool
		fault, warning                  string
	}{
		{"2022", 16, 3, 160, 256, true, "", ""},
		{"Azure SQL counts apart", 12, 5, 160, 256, true, "", ""},
		{"2014", 12, 3, 120, 256, true, "2016", ""},
		{"an old level", 16, 3, 120, 256, true, "COMPATIBILITY_LEVEL", ""},
		{"quotes are text", 16, 3, 160, 0, true, "QUOTED_IDENTIFIER", ""},
		{"readers wait", 16, 3, 160, 256, false, "", "READ_COMMITTED_SNAPSHOT ON"},
		{"no counts", 16, 3, 160, 256 | 512, true, "", "NOCOUNT"},
	} {
		faults, warnings := sqlserver{}.judge(c.version, c.edition, c.level, c.snapshot, c.option)
		if got := strings.Join(faults, "\n"); (got == "") != (c.fault == "") || !strings.Contains(got, c.fault) {
			t.Errorf("%s: faults %q, want %q", c.name, got, c.fault)
		}
		if got := strings.Join(warnings, "\n"); (got == "") != (c.warning == "") || !strings.Contains(got, c.warning) {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.warning)
		}
	}
}

// A column of an index or of the key is mended by making the table anew, any
// other in place.
func TestSQLServerMends(t *testing.T) {
	d := sqlserver{}
	r := Rebuild{Create: `CREATE TABLE "t" ("k" int, PRIMARY KEY ("k"))`, Columns: `"k", "i", "x"`, Indexes: []string{`CREATE INDEX "a" ON "t" ("i")`}}
	for column, anew := range map[string]bool{"k": true, "i": true, "x": false} {
		mend := d.AlterColumn(`"t"`, column, Big, false, r)
		if got := len(mend) > 1; got != anew {
			t.Errorf("%s: %q; table anew %v", column, mend, anew)
		}
	}
	if got := d.AddColumn(`"t"`, "c", Big, false); len(got) != 2 || !strings.Contains(got[1], `DROP CONSTRAINT "df_t_c"`) {
		t.Errorf("a column that needs a value: %q", got)
	}
	for size, want := range map[int]string{-1: "nvarchar(max)", 514: "nvarchar(257)"} {
		if got := sqlserverType("nvarchar", size); got != want {
			t.Errorf("nvarchar of %d bytes: %s, want %s", size, got, want)
		}
	}
}
