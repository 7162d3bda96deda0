package dialects

import (
	"fmt"
	"strings"
	"testing"
)

// answers is a row of an answer.
type answers []any

func (a answers) Scan(dest ...any) error {
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = a[i].(string)
		case *int:
			*d = a[i].(int)
		case *bool:
			*d = a[i].(bool)
		default:
			return fmt.Errorf("column %d is scanned into %T", i, d)
		}
	}
	return nil
}

// answering gives the rows one after the other, one for each query.
func answering(rows ...answers) Querier {
	return func(scan func(Scanner) error, _ string, _ ...any) error {
		row := rows[0]
		rows = rows[1:]
		return scan(row)
	}
}

// A server that is too old is a fault that names its version and the one that
// is needed, on every database.
func TestAdviceRefusesOldServers(t *testing.T) {
	for _, c := range []struct {
		d     Inspector
		rows  []answers
		fault []string
	}{
		{postgres{}, []answers{{120009}}, []string{"PostgreSQL 12.9", "13"}},
		{postgres{}, []answers{{170002}}, nil},
		{sqlite{}, []answers{{"3.37.2"}, {5000}, {"wal"}}, []string{"SQLite 3.37.2", "3.38"}},
		{sqlite{}, []answers{{"3.53.3"}, {5000}, {"wal"}}, nil},
		{mysql{}, []answers{{"app", "8.0.3", "0", "ROW", "utf8mb4", 1}}, []string{"MySQL 8.0.3", "8.0.4"}},
		{mysql{}, []answers{{"app", "9.7.4", "0", "ROW", "utf8mb4", 1}}, nil},
		{mysql{maria: true}, []answers{{"app", "10.5.28-MariaDB", "0", "ROW", "utf8mb4", 1}}, []string{"MariaDB 10.5", "10.6"}},
		{sqlserver{}, []answers{{12, 3, 130, true, 256}}, []string{"SQL Server of major version 12", "2016"}},
		{sqlserver{}, []answers{{16, 3, 160, true, 256}}, nil},
	} {
		faults, warnings, err := c.d.Advice(answering(c.rows...))
		text := strings.Join(faults, "\n")
		if err != nil || len(faults) > 0 != (c.fault != nil) || len(warnings) > 0 {
			t.Errorf("%T %v: faults %q, warnings %q, %v", c.d, c.rows, faults, warnings, err)
		}
		for _, want := range c.fault {
			if !strings.Contains(text, want) {
				t.Errorf("%T: %q does not name %q", c.d, text, want)
			}
		}
	}
}

// The catalogue of SQL Server as rows, and what is read of them.
func TestSQLServerInspect(t *testing.T) {
	for name, c := range map[string]struct {
		first answers
		fault string
	}{
		"sound":          {answers{"table", 0, ""}, ""},
		"with a trigger": {answers{"table", 0, "audit"}, "audit"},
		"IGNORE_DUP_KEY": {answers{"table", 1, ""}, "IGNORE_DUP_KEY"},
	} {
		lists := [][]answers{
			{c.first},
			{{"lease_name", "nvarchar", 256, keyCollation, true, false}, {"note", "nvarchar", -1, "Latin1_General_CI_AS", false, false}, {"fence", "bigint", 8, "", true, true}},
			{{"PK__x", true, true, 1, "lease_name", false, ""}, {"ix", false, false, 1, "fence", true, ""}, {"ix", false, false, 2, "note", false, ""}, {"f", false, true, 1, "fence", false, "filtered"}},
		}
		table, err := sqlserver{}.Inspect(func(scan func(Scanner) error, statement string, args ...any) error {
			rows := lists[0]
			lists = lists[1:]
			if !strings.Contains(statement, "OBJECT_ID(QUOTENAME(?))") || len(args) != 1 || args[0] != "leases" {
				t.Errorf("the table is not named: %s %v", statement, args)
			}
			for _, row := range rows {
				if err := scan(row); err != nil {
					return err
				}
			}
			return nil
		}, "leases")
		if err != nil || !table.Found || table.Kind != "table" || (table.Fault == "") != (c.fault == "") || !strings.Contains(table.Fault, c.fault) {
			t.Errorf("%s: %+v, %v", name, table, err)
		}
		if got := fmt.Sprint(table.Key, table.KeyName, table.Columns, table.Indexes); got != "[lease_name]PK__x[{lease_name nvarchar(128) "+keyCollation+" true false} {note nvarchar(max) Latin1_General_CI_AS false false} {fence bigint  true true}]"+
			" [{ix false [{fence true} {note false}] } {f true [{fence false}] filtered}]" {
			t.Errorf("%s: %s", name, got)
		}
		d := sqlserver{}
		if !d.Matches(Key(128), table.Columns[0]) || d.Matches(Key(127), table.Columns[0]) || d.Matches(Key(128), TableColumn{Type: "nvarchar(128)", Collation: "Latin1_General_CI_AS"}) || !d.Matches(LongText, table.Columns[1]) || !d.Matches(Big, table.Columns[2]) {
			t.Errorf("%s: a column is taken for another type", name)
		}
	}
}
