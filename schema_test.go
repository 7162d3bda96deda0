package gormsched

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// R094: created once, valid for every mode afterwards.
func TestProvisionCreatesAndValidates(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.bare(t, Options{})
		if got := problems(t, s); len(got) != len(shortNames) {
			t.Fatalf("without tables: got %v, want the five tables", got)
		}
		for _, mode := range []ProvisionMode{CreateIfMissing, Validate, CreateIfMissing, AutoMigrate, Validate} {
			if err := s.Provision(ctx, mode); err != nil {
				t.Errorf("Provision(%d): %v", mode, err)
			}
		}
		if err := s.Provision(ctx, AutoMigrate+1); err == nil || !strings.Contains(err.Error(), "3") {
			t.Errorf("an unknown mode: got %v, want an error that names it", err)
		}
	})
}

// problems validates and returns what differs.
func problems(t *testing.T, s *JobStore) []SchemaProblem {
	t.Helper()
	err := s.Provision(context.Background(), Validate)
	var differs *SchemaError
	if err != nil && !errors.As(err, &differs) {
		t.Fatalf("Validate: %v", err)
	}
	if differs == nil {
		return nil
	}
	return differs.Problems
}

// Nodes that start together all find a whole schema (T24): six stores, each on
// a pool of its own, in both creating modes.
func TestProvisionAtOnce(t *testing.T) {
	for name, mode := range map[string]ProvisionMode{"CreateIfMissing": CreateIfMissing, "AutoMigrate": AutoMigrate} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, d testDatabase) {
				const nodes = 6
				var stores []*JobStore
				for range nodes {
					stores = append(stores, d.bare(t, Options{}))
				}
				atOnce(nodes, func(i int) {
					if err := stores[i].Provision(context.Background(), mode); err != nil {
						t.Errorf("node %d: %v", i, err)
					}
				})
			})
		})
	}
}

// PostgreSQL: nodes take turns by an advisory lock that ends with the
// transaction; IF NOT EXISTS alone fails when two sessions create at once (T24).
func TestProvisionTakesTurns(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d := postgresDatabase(t)
	s, first := d.bare(t, Options{}), d.open(t, nil).Begin()
	defer first.Rollback()
	lock := s.core.inspector().SchemaLock(strings.Join(s.core.t.plain[:], " "))
	if err := first.Exec(lock.SQL, lock.Args...).Error; err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Provision(ctx, CreateIfMissing) }()
	for waiting := 0; waiting == 0; {
		select {
		case err := <-done:
			t.Fatalf("the second node did not wait: %v", err)
		default:
		}
		if err := s.core.db.WithContext(ctx).Raw("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").Scan(&waiting).Error; err != nil {
			t.Fatal(err)
		}
	}
	first.Commit()
	if err := <-done; err != nil {
		t.Errorf("Provision after the other node: %v", err)
	}
}

// Models, lists, types, indexes and script say the same, so that AutoMigrate
// and the script build one schema, with a table each for nodes and leases (T4, T20,
// T21, D31, D32, R012, R093).
func TestModelsListsAndScriptAgree(t *testing.T) {
	lists := [][]string{jobColumns, triggerColumns, runColumns, nodeColumns, leaseColumns}
	var specs []indexSpec
	for i, model := range Models() {
		parsed, err := schema.Parse(model, &sync.Map{}, schema.NamingStrategy{IdentifierMaxLength: identifierMax})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range parsed.Fields {
			names = append(names, f.DBName)
			if _, known := columnTypes[f.DBName]; !known {
				t.Errorf("%s.%s has no type in columnTypes", parsed.Table, f.DBName)
			}
		}
		if !slices.Equal(names, lists[i]) {
			t.Errorf("%s: the model has %v, the list %v", parsed.Table, names, lists[i])
		}
		for _, x := range parsed.ParseIndexes() {
			composite := strings.TrimPrefix(x.Name, "idx_"+parsed.Table+"_")
			spec := indexSpec{Table: shortNames[i], Name: composite, Unique: x.Class == "UNIQUE"}
			for _, f := range x.Fields {
				spec.Columns = append(spec.Columns, indexColumn{Name: f.DBName, Desc: f.Sort == "desc"})
			}
			specs = append(specs, spec)
		}
	}
	for _, want := range indexSpecs {
		if want.Serves == "" {
			t.Errorf("index %s.%s serves no query", want.Table, want.Name)
		}
		found := slices.ContainsFunc(specs, func(got indexSpec) bool {
			return got.Table == want.Table && got.Name == want.Name && got.Unique == want.Unique && slices.Equal(got.Columns, want.Columns)
		})
		if !found {
			t.Errorf("index %s.%s %v is not what the tags say", want.Table, want.Name, want.Columns)
		}
	}
	if len(specs) != len(indexSpecs) {
		t.Errorf("the tags declare %d indexes, the list has %d", len(specs), len(indexSpecs))
	}
}

// What GORM's AutoMigrate builds and what the script builds is the same in the
// catalogue, column by column and index by index (R016).
func TestAutoMigrateAndScriptBuildTheSame(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		catalogue := func(mode ProvisionMode, prefix string) []dialects.Table {
			s := d.bare(t, Options{TablePrefix: d.prefix + prefix})
			if err := s.Provision(ctx, mode); err != nil {
				t.Fatal(err)
			}
			var tables []dialects.Table
			err := s.core.inTx(ctx, "test", txRead, func(t *tx) error {
				for _, name := range s.core.t.plain {
					table, err := s.core.inspector().Inspect(t.querier(), name)
					if err != nil {
						return err
					}
					table.KeyName = ""
					for i := range table.Indexes {
						table.Indexes[i].Name = strings.ReplaceAll(table.Indexes[i].Name, prefix, "")
					}
					tables = append(tables, table)
				}
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return tables
		}
		migrated, scripted := catalogue(AutoMigrate, "migrated_"), catalogue(CreateIfMissing, "scripted_")
		for i := range migrated {
			m, s := migrated[i], scripted[i]
			if !slices.Equal(m.Columns, s.Columns) || !slices.Equal(m.Key, s.Key) {
				t.Errorf("%s: AutoMigrate built\n%v %v\nthe script\n%v %v", shortNames[i], m.Columns, m.Key, s.Columns, s.Key)
			}
			same := slices.EqualFunc(m.Indexes, s.Indexes, func(a, b dialects.TableIndex) bool {
				return a.Name == b.Name && a.Unique == b.Unique && a.Other == b.Other && slices.Equal(a.Columns, b.Columns)
			})
			if !same {
				t.Errorf("%s: AutoMigrate built the indexes\n%v\nthe script\n%v", shortNames[i], m.Indexes, s.Indexes)
			}
		}
	})
}

// SchemaSQL is a script that a person can run, twice, and that Validate
// accepts.
func TestSchemaSQL(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.bare(t, Options{})
		script, err := s.SchemaSQL(0, SchemaVersion)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(script, "{{") {
			t.Error("the script has a name that was not filled in")
		}
		for range 2 {
			for _, statement := range dialects.SchemaStatements(script) {
				sqlExec(t, s, statement)
			}
		}
		if got := problems(t, s); got != nil {
			t.Errorf("after the script: %v", got)
		}
		named, err := SchemaSQL(d.name, 0, SchemaVersion, schema.NamingStrategy{TablePrefix: d.prefix})
		if err != nil || named != script {
			t.Errorf("SchemaSQL with the same names differs from the store's: %v", err)
		}
	})
	if _, err := SchemaSQL("oracle", 0, SchemaVersion, nil); err == nil || !strings.Contains(err.Error(), "oracle") {
		t.Errorf("SchemaSQL for an unknown database: got %v, want an error that names it", err)
	}
}

// Versions that are not there are named, and what there is; the script to where
// one is already is empty.
func TestSchemaSQLVersions(t *testing.T) {
	for _, c := range []struct{ from, to int }{{-1, 1}, {0, SchemaVersion + 1}, {1, 0}, {7, 9}} {
		_, err := SchemaSQL("postgres", c.from, c.to, nil)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("from version %d to version %d", c.from, c.to)) || !strings.Contains(err.Error(), fmt.Sprint(SchemaVersion)) {
			t.Errorf("from %d to %d: got %v, want an error that names both and what there is", c.from, c.to, err)
		}
	}
	for _, d := range goldenDialects {
		if script, err := SchemaSQL(d, SchemaVersion, SchemaVersion, nil); err != nil || script != "" {
			t.Errorf("%s, nothing to do: %q, %v", d, script, err)
		}
		if script, err := SchemaSQL(d, 0, SchemaVersion, nil); err != nil || strings.Count(script, "CREATE TABLE") != len(shortNames) || strings.Contains(script, "{{") {
			t.Errorf("%s: %v, want the five tables: %s", d, err, script)
		}
	}
}

// The scripts, on paper, have the columns, types and indexes of the models: what
// the catalogue of a running database says is compared elsewhere; SQL Server is
// compared here.
func TestSQLServerScriptIsTheModels(t *testing.T) {
	c, _, _ := onPaper(t)
	tables, err := c.core.wantedTables()
	if err != nil {
		t.Fatal(err)
	}
	indexes := 0
	for _, w := range tables {
		if n := strings.Count(w.create, "\n    \""); n != len(w.columns) {
			t.Errorf("%s: the script has %d columns, the model %d", w.name, n, len(w.columns))
		}
		for _, col := range w.columns {
			null := " NOT NULL"
			if col.null {
				null = " NULL"
			}
			if line := "\n    " + c.core.d.Quote(col.name) + " " + c.core.d.ColumnType(col.kind) + null + ","; !strings.Contains(w.create, line) {
				t.Errorf("%s: the script lacks%s", w.name, line)
			}
		}
		if key := "PRIMARY KEY (" + c.core.d.Quote(w.columns[0].name) + ")"; !strings.Contains(w.create, key) {
			t.Errorf("%s: the script lacks %s", w.name, key)
		}
		for _, x := range w.indexes {
			if want := "\n" + c.core.createIndex(w, x); x.inTable || !strings.HasSuffix(x.create, want) || !strings.Contains(x.create, "OBJECT_ID(N'"+w.quoted+"')") || !strings.Contains(x.create, c.core.d.Quote(x.name)+"', 1)") {
				t.Errorf("%s: the script has %q, want%s, guarded", w.name, x.create, want)
			}
			indexes++
		}
	}
	if indexes != len(indexSpecs) {
		t.Errorf("%d indexes, want %d", indexes, len(indexSpecs))
	}
	migrator := c.core.db.Migrator()
	for i, model := range Models() {
		parsed, err := schema.Parse(model, &sync.Map{}, c.core.db.NamingStrategy)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range parsed.Fields {
			want := c.core.d.ColumnType(columnTypes[f.DBName])
			if got := migrator.FullDataTypeOf(f).SQL; !strings.HasPrefix(strings.ToLower(got)+" ", strings.ToLower(want)+" ") {
				t.Errorf("%s.%s: AutoMigrate would make it %s, the script %s", shortNames[i], f.DBName, got, want)
			}
		}
	}
}

// A schema is chosen by the prefix on PostgreSQL (T22).
func TestSchemaQualifiedTables(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return
	}
	d := postgresDatabase(t)
	db := d.open(t, nil)
	name := strings.TrimSuffix(d.prefix, "_")
	if err := db.Exec(`CREATE SCHEMA "` + name + `"`).Error; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Exec(`DROP SCHEMA "` + name + `" CASCADE`) })
	for _, mode := range []ProvisionMode{CreateIfMissing, AutoMigrate} {
		prefix := name + map[ProvisionMode]string{CreateIfMissing: ".c_", AutoMigrate: ".m_"}[mode]
		s := d.bare(t, Options{TablePrefix: prefix})
		for range 2 {
			if err := s.Provision(context.Background(), mode); err != nil {
				t.Fatalf("Provision(%d) in a schema: %v", mode, err)
			}
		}
		saveJobs(t, s, jobItem("a"))
		sqlExec(t, s, `DROP INDEX "`+name+`"."`+s.core.db.NamingStrategy.IndexName(s.core.t.plain[2], "done")+`"`)
		mend(t, s)
	}
}

// mend runs what Validate says until nothing differs.
func mend(t *testing.T, s *JobStore) {
	t.Helper()
	for _, p := range problems(t, s) {
		for _, statement := range p.Mend {
			sqlExec(t, s, statement)
		}
	}
	if left := problems(t, s); left != nil {
		t.Errorf("after the mending statements: %v", left)
	}
}

// Each connection to :memory: has a database of its own: Provision says so,
// and what to use. A shared cache or one connection is fine.
func TestMemoryDatabase(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name, dsn string
		conns     int
		want      string
	}{
		{"private", ":memory:", 0, "cache=shared"},
		{"one connection", ":memory:", 1, ""},
		{"shared cache", "file:" + t.Name() + "?mode=memory&cache=shared", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openDatabase(t, sqlite.Open(c.dsn), nil)
			pool, err := db.DB()
			if err != nil {
				t.Fatal(err)
			}
			pool.SetMaxOpenConns(c.conns)
			s, err := NewJobStore(db, Options{})
			if err != nil {
				t.Fatal(err)
			}
			err = s.Provision(ctx, CreateIfMissing)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("Provision: got %v, want an error with %q", err, c.want)
			}
		})
	}
}

// A commit that is lost while the schema is created is repeated, and nothing
// is created twice.
func TestProvisionLostCommit(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		for _, name := range shortNames {
			sqlExec(t, s, "DROP TABLE {{"+name+"}}")
		}
		w.reset(commits(failAfter, 1))
		if err := s.Provision(context.Background(), CreateIfMissing); err != nil {
			t.Errorf("Provision with a lost commit: %v", err)
		}
	})
}

// Provision says that the database is away as every operation does.
func TestProvisionUnavailable(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		w.reset(func(int, event) fault { return failBefore })
		if err := s.Provision(context.Background(), Validate); !errors.Is(err, provider.ErrStoreUnavailable) {
			t.Errorf("got %v, want ErrStoreUnavailable", err)
		}
	})
}

// agedDialect is a database whose server is too old.
type agedDialect struct {
	dialects.Dialect
	dialects.Inspector
}

// Advice implements [dialects.Inspector].
func (d agedDialect) Advice(q dialects.Querier) (faults, warnings []string, err error) {
	faults, warnings, err = d.Inspector.Advice(q)
	return append(faults, "version 1: use version 2 or later"), warnings, err
}

// A server that is too old is refused with the code and the version that is
// needed, and nothing is created on it (TestAdviceRefusesOldServers shows which
// those are).
func TestProvisionRefusesOldServers(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.bare(t, Options{})
		s.core.d = agedDialect{s.core.d, s.core.d.(dialects.Inspector)}
		for _, mode := range []ProvisionMode{Validate, CreateIfMissing, AutoMigrate} {
			err := s.Provision(t.Context(), mode)
			if !errors.Is(err, provider.ErrStoreUnavailable) || !strings.Contains(err.Error(), "SCHEDULING_UNAVAILABLE_003") || !strings.Contains(err.Error(), "use version 2") {
				t.Errorf("mode %d: got %v, want the code and the version", mode, err)
			}
			if err := s.core.db.Exec(s.named("SELECT 1 FROM {{jobs}}")).Error; err == nil {
				t.Fatalf("mode %d: tables were created on a server that is too old", mode)
			}
		}
	})
}
