package gormsched

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// scripted is a database on paper: it notes what is sent to it and answers each
// query with the same rows, one value for each column that the query names. It
// shows the whole of what an operation sends where there is no server.
type scripted struct {
	mu   sync.Mutex
	sent []string
	// rows are the values of the rows that every query answers, by column.
	rows []map[string]driver.Value
	// server is the row that a query for the server's properties answers.
	server []driver.Value
	// fail, where not nil, says that a statement fails.
	fail func(text string) error
}

func (s *scripted) pool() *sql.DB { return sql.OpenDB(s) }

func (s *scripted) Connect(context.Context) (driver.Conn, error) { return &scriptedConn{s}, nil }
func (s *scripted) Driver() driver.Driver                        { return nil }

func (s *scripted) note(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, text)
	if s.fail != nil {
		return s.fail(text)
	}
	return nil
}

// record runs f and returns what was sent.
func (s *scripted) record(f func()) []string {
	s.mu.Lock()
	s.sent = nil
	s.mu.Unlock()
	f()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

type scriptedConn struct{ s *scripted }

func (c *scriptedConn) Prepare(string) (driver.Stmt, error) {
	return nil, fmt.Errorf("the store prepares nothing")
}
func (c *scriptedConn) Close() error { return nil }

func (c *scriptedConn) Begin() (driver.Tx, error) {
	return nil, fmt.Errorf("a transaction without a level")
}

func (c *scriptedConn) BeginTx(_ context.Context, o driver.TxOptions) (driver.Tx, error) {
	return scriptedTx{c.s}, c.s.note("BEGIN " + strings.ToUpper(sql.IsolationLevel(o.Isolation).String()))
}

func (c *scriptedConn) ExecContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(1), c.s.note(text)
}

func (c *scriptedConn) QueryContext(_ context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.s.note(text); err != nil {
		return nil, err
	}
	if c.s.server != nil && strings.Contains(text, "SERVERPROPERTY") {
		return &scriptedRows{columns: make([]string, len(c.s.server)), rows: [][]driver.Value{c.s.server}}, nil
	}
	answer := &scriptedRows{columns: selectList(text)}
	for _, row := range c.s.rows {
		values := make([]driver.Value, len(answer.columns))
		for i, column := range answer.columns {
			values[i] = scriptedValue(column, row)
		}
		answer.rows = append(answer.rows, values)
		if strings.Contains(text, "MIN(") || strings.Contains(text, "MAX(") || strings.Contains(text, "COUNT(") || len(args) == 0 && len(answer.columns) == 1 {
			break
		}
	}
	return answer, nil
}

type scriptedTx struct{ s *scripted }

func (t scriptedTx) Commit() error   { return t.s.note("COMMIT") }
func (t scriptedTx) Rollback() error { return t.s.note("ROLLBACK") }

type scriptedRows struct {
	columns []string
	rows    [][]driver.Value
}

func (r *scriptedRows) Columns() []string { return r.columns }
func (r *scriptedRows) Close() error      { return nil }

func (r *scriptedRows) Next(into []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	copy(into, r.rows[0])
	r.rows = r.rows[1:]
	return nil
}

var (
	selectHead = regexp.MustCompile(`^(?:EXEC sys\.sp_executesql N')?(?:SET [^;]+; )*SELECT (?:TOP \(\d+\) )?`)
	lastName   = regexp.MustCompile(`"(\w+)"[^"]*$`)
)

// selectList splits what a SELECT answers at its commas.
func selectList(text string) []string {
	head := selectHead.FindString(text)
	if head == "" {
		return []string{"?"}
	}
	var list []string
	depth, from := 0, 0
	rest := text[len(head):]
	for i := range len(rest) {
		switch {
		case rest[i] == '(':
			depth++
		case rest[i] == ')':
			depth--
		case depth == 0 && rest[i] == ',':
			list, from = append(list, rest[from:i]), i+1
		case depth == 0 && strings.HasPrefix(rest[i:], " FROM "):
			return append(list, rest[from:i])
		}
	}
	return append(list, rest[from:])
}

// scriptedNow is the database's clock.
const scriptedNow = int64(1_767_225_600_000_000)

func scriptedValue(column string, row map[string]driver.Value) driver.Value {
	if name := lastName.FindStringSubmatch(column); name != nil && !strings.Contains(column, "SYSUTC") {
		if value, ok := row[name[1]]; ok {
			return value
		}
		if strings.Contains(column, "1 - ") {
			return int64(1)
		}
		return nil
	}
	return scriptedNow
}
