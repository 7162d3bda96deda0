package gormsched

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// damage is one way in which a schema can differ: the statements that make it
// so, and what Validate must name.
type damage struct {
	name    string
	do      map[string][]string // by database
	table   string
	column  string
	index   string
	what    string // part of the description
	unfixed bool   // there is no statement that mends it
}

// both is the same statement on all databases.
func both(statements ...string) map[string][]string {
	return map[string][]string{"sqlite": statements, "postgres": statements}
}

// on differs by database; SQLite cannot alter columns, so that a table is
// made anew.
func on(sqliteStatements, postgresStatements []string) map[string][]string {
	return map[string][]string{"sqlite": sqliteStatements, "postgres": postgresStatements}
}

var leaseAnew = func(columns string) []string {
	return []string{"DROP TABLE {{leases}}", "CREATE TABLE {{leases}} (" + columns + ")"}
}

const (
	leaseKey  = `lease_name text NOT NULL PRIMARY KEY, `
	leaseRest = `, holder text NOT NULL, token text NOT NULL, ttl_ms integer NOT NULL, expires_us integer NOT NULL, fence integer NOT NULL, version integer NOT NULL`
)

var damages = []damage{
	{name: "table missing", do: both("DROP TABLE {{nodes}}"), table: "nodes", what: "is missing"},
	{name: "view in its place", do: both("DROP TABLE {{nodes}}", "CREATE VIEW {{nodes}} AS SELECT 1 AS node_id"),
		table: "nodes", what: "is a view", unfixed: true},
	{name: "column missing", do: both(`ALTER TABLE {{jobs}} DROP COLUMN code_version`), table: "jobs", column: "code_version", what: "is missing"},
	{name: "column missing whose name another holds (T21)", do: both(`ALTER TABLE {{jobs}} DROP COLUMN version`), table: "jobs", column: "version", what: "is missing"},
	{name: "nullable column missing", do: both(`ALTER TABLE {{jobs}} DROP COLUMN job_data`), table: "jobs", column: "job_data", what: "is missing"},
	{name: "other type", do: on(leaseAnew(strings.Replace(leaseKey+leaseRest[2:], "fence integer", "fence text", 1)),
		[]string{"ALTER TABLE {{leases}} ALTER COLUMN fence TYPE integer"}), table: "leases", column: "fence", what: "must be bigint"},
	{name: "shorter key", do: on(nil, []string{`ALTER TABLE {{triggers}} ALTER COLUMN trigger_key TYPE varchar(255)`}),
		table: "triggers", column: "trigger_key", what: "varchar(257)"},
	{name: "other collation (T25, D32)", do: on(leaseAnew(`lease_name text COLLATE NOCASE NOT NULL PRIMARY KEY`+leaseRest),
		[]string{`ALTER TABLE {{leases}} ALTER COLUMN lease_name TYPE varchar(128) COLLATE "default"`}),
		table: "leases", column: "lease_name", what: "COLLATE"},
	{name: "nullable where it must not be", do: on(leaseAnew(strings.Replace(leaseKey+leaseRest[2:], "fence integer NOT NULL", "fence integer", 1)),
		[]string{"ALTER TABLE {{leases}} ALTER COLUMN fence DROP NOT NULL"}), table: "leases", column: "fence", what: "must be"},
	{name: "not null where it must be", do: on(nil, []string{"ALTER TABLE {{runs}} ALTER COLUMN completed_us SET NOT NULL"}),
		table: "runs", column: "completed_us", what: "NOT NULL"},
	{name: "foreign column that inserts must fill", do: on(leaseAnew(leaseKey+leaseRest[2:]+", tenant text NOT NULL"),
		[]string{"ALTER TABLE {{leases}} ADD COLUMN tenant text NOT NULL"}), table: "leases", column: "tenant", what: "cannot be inserted"},
	{name: "no primary key", do: on(leaseAnew(`lease_name text NOT NULL`+leaseRest),
		[]string{"ALTER TABLE {{leases}} DROP CONSTRAINT {{leases_pkey}}"}), table: "leases", what: "primary key"},
	{name: "other primary key", do: on(leaseAnew(`lease_name text NOT NULL`+leaseRest+", PRIMARY KEY (lease_name, token)"),
		[]string{"ALTER TABLE {{leases}} DROP CONSTRAINT {{leases_pkey}}", "ALTER TABLE {{leases}} ADD PRIMARY KEY (lease_name, token)"}),
		table: "leases", what: "(lease_name, token)"},
	{name: "index missing", do: both("DROP INDEX {{triggers.due}}"), table: "triggers", index: "due", what: "is missing"},
	{name: "index in another order (T4, T20)", do: both("DROP INDEX {{triggers.due}}",
		"CREATE INDEX {{triggers.due}} ON {{triggers}} (trigger_state, next_fire_us, is_local, priority DESC, trigger_key)"),
		table: "triggers", index: "due", what: "(trigger_state, is_local, next_fire_us, priority DESC, trigger_key)"},
	{name: "index sorted otherwise", do: both("DROP INDEX {{runs.sched}}", "CREATE INDEX {{runs.sched}} ON {{runs}} (scheduled_us DESC, sequence_no)"),
		table: "runs", index: "sched", what: "sequence_no DESC"},
	{name: "index not unique", do: both("DROP INDEX {{triggers.name}}", "CREATE INDEX {{triggers.name}} ON {{triggers}} (job_name, trigger_name)"),
		table: "triggers", index: "name", what: "unique"},
	{name: "partial index (T26)", do: both("DROP INDEX {{runs.running}}", "CREATE INDEX {{runs.running}} ON {{runs}} (running_on) WHERE running_on IS NOT NULL"),
		table: "runs", index: "running", what: "partial"},
}

// Validate names what differs and a statement that mends it; after the
// statements nothing differs and the store works. What CreateIfMissing may not
// mend it reports, and then it changes nothing.
func TestValidateNamesWhatDiffersAndHowToMendIt(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		for _, c := range slices.Concat(damages, mysqlDamages) {
			if c.do[d.name] == nil {
				continue // this database cannot be damaged so
			}
			t.Run(c.name, func(t *testing.T) {
				s := d.store(t, Options{TablePrefix: d.prefix + newPrefix()})
				for _, statement := range c.do[d.name] {
					sqlExec(t, s, indexNames(s, statement))
				}
				found := problems(t, s)
				if len(found) != 1 {
					t.Fatalf("got %d problems %v, want one", len(found), found)
				}
				p := found[0]
				table, index := s.named("{{"+c.table+"}}"), ""
				if c.index != "" {
					index = indexNames(s, "{{"+c.table+"."+c.index+"}}")
				}
				if s.core.d.Quote(p.Table) != table || p.Column != c.column || p.Index != "" && s.core.d.Quote(p.Index) != index || !strings.Contains(p.What, c.what) {
					t.Errorf("got %v, want table %s, column %q, index %s, with %q", p, table, c.column, index, c.what)
				}
				text := s.Provision(context.Background(), Validate).Error()
				for _, statement := range p.Mend {
					if !strings.Contains(text, strings.SplitN(statement, "\n", 2)[0]) {
						t.Errorf("the error does not show %q", statement)
					}
				}
				if c.unfixed {
					if len(p.Mend) != 0 || s.Provision(context.Background(), CreateIfMissing) == nil {
						t.Error("a problem that no statement mends was mended")
					}
					return
				}
				creates := s.Provision(context.Background(), CreateIfMissing) == nil
				if wanted := c.what == "is missing" && c.column == ""; creates != wanted {
					t.Errorf("CreateIfMissing mended it: %v, want %v: it creates and never alters", creates, wanted)
				}
				mend(t, s)
				saveJobs(t, s, jobItem("a"))
				if _, err := s.Election().TryAcquire(context.Background(), leaseRequest("x", "t")); err != nil {
					t.Errorf("after mending: %v", err)
				}
			})
		}
	})
}

// indexNames fills in {{runs.done}} and {{leases_pkey}}.
func indexNames(s *JobStore, statement string) string {
	for i, short := range shortNames {
		for _, spec := range indexSpecs {
			name := s.core.db.NamingStrategy.IndexName(s.core.t.plain[i], spec.Name)
			statement = strings.ReplaceAll(statement, "{{"+short+"."+spec.Name+"}}", s.core.d.Quote(name))
		}
		statement = strings.ReplaceAll(statement, "{{"+short+"_pkey}}", `"`+s.core.t.plain[i]+`_pkey"`)
	}
	return statement
}

// Rows survive the mending of a column, on SQLite through the copy of the
// table.
func TestMendingKeepsRows(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		saveJobs(t, s, jobItem("a"), jobItem("b"))
		switch d.name {
		case "sqlite":
			sqlExec(t, s, "ALTER TABLE {{jobs}} RENAME COLUMN fingerprint TO was_fingerprint")
			sqlExec(t, s, "ALTER TABLE {{jobs}} ADD COLUMN fingerprint integer")
		case "mysql", "mariadb":
			sqlExec(t, s, "ALTER TABLE {{jobs}} MODIFY COLUMN fingerprint longtext")
		default:
			sqlExec(t, s, "ALTER TABLE {{jobs}} ALTER COLUMN fingerprint TYPE text")
		}
		mend(t, s)
		jobs, err := s.ListJobs(context.Background(), "", 0)
		if err != nil || len(jobs) != 2 {
			t.Errorf("after mending: %v, %v; want both jobs", jobs, err)
		}
	})
}

// Tables of the same names that belong to something else: every difference is
// named, nothing is created beside them, and they are left as they were.
func TestForeignTablesOfTheSameName(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.bare(t, Options{})
		sqlExec(t, s, "CREATE TABLE {{jobs}} (id integer PRIMARY KEY, title varchar(20) NOT NULL)")
		sqlExec(t, s, "INSERT INTO {{jobs}} (id, title) VALUES (1, 'mine')")
		err := s.Provision(context.Background(), CreateIfMissing)
		if !errors.Is(err, provider.ErrStoreUnavailable) || !strings.Contains(err.Error(), "SCHEDULING_UNAVAILABLE_003") || !strings.Contains(err.Error(), "TablePrefix") || !strings.Contains(err.Error(), `"title"`) || !strings.Contains(err.Error(), "primary key (id)") {
			t.Errorf("got %v, want the code, the differences and the remedy", err)
		}
		named := 0
		for _, p := range problems(t, s) {
			if s.core.d.Quote(p.Table) == s.named("{{jobs}}") {
				named++
			}
		}
		if want := len(jobColumns) + 2; named < want {
			t.Errorf("%d differences of the foreign table were named, want at least %d: its columns, its own one, its key", named, want)
		}
		var title string
		if err := s.core.db.Raw(s.named("SELECT title FROM {{jobs}} WHERE id = 1")).Scan(&title).Error; err != nil || title != "mine" {
			t.Errorf("the foreign table was touched: %q, %v", title, err)
		}
		if err := s.core.db.Exec(s.named("SELECT 1 FROM {{nodes}}")).Error; err == nil {
			t.Error("tables were created although one belongs to something else")
		}
	})
}

// What a newer version adds does not disturb this one (T10): columns that can
// be left out, indexes, tables.
func TestNewerSchemaIsAccepted(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		saveJobs(t, s, jobItem("a"))
		for _, table := range shortNames {
			sqlExec(t, s, "ALTER TABLE {{"+table+"}} ADD COLUMN newer_us bigint")
			sqlExec(t, s, "ALTER TABLE {{"+table+"}} ADD COLUMN newer_flag smallint NOT NULL DEFAULT 0")
		}
		sqlExec(t, s, "CREATE INDEX "+s.core.d.Quote(d.prefix+"newer")+" ON {{runs}} (newer_us)")
		if got := problems(t, s); got != nil {
			t.Errorf("got %v, want nothing", got)
		}
		saveJobs(t, s, jobItem("a"), jobItem("b"))
		if jobs, err := s.ListJobs(context.Background(), "", 0); err != nil || len(jobs) != 2 {
			t.Errorf("reading after the migration: %v, %v", jobs, err)
		}
	})
}
