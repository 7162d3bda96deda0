package gormsched

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// runtimeGrants are the privileges of docs/databases.md that a node needs: on
// the five tables, and nothing that makes or changes a table.
const runtimeGrants = "SELECT, INSERT, UPDATE, DELETE"

// as opens the database as a user that has privileges on the five tables and no
// other, made for the test.
func (d testDatabase) as(t *testing.T, s *JobStore, privileges string) testDatabase {
	t.Helper()
	admin, user, dialector := s.core.db, d.prefix+"u", gorm.Dialector(nil)
	run := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if err := admin.Exec(statement).Error; err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	switch d.name {
	case "postgres":
		u, err := url.Parse(postgresDSN())
		if err != nil || u.Scheme == "" {
			t.Skipf("the DSN is not a URL, so that it cannot be given another user: %v", err)
		}
		u.User = url.UserPassword(user, "pw")
		run(`CREATE ROLE "` + user + `" LOGIN PASSWORD 'pw'`)
		t.Cleanup(func() { admin.Exec(`DROP OWNED BY "` + user + `"`); admin.Exec(`DROP ROLE "` + user + `"`) })
		for _, table := range s.core.t.plain {
			run("GRANT " + privileges + " ON " + s.core.d.Quote(table) + ` TO "` + user + `"`)
		}
		dialector = postgres.Open(u.String())
	default:
		_, rest, _ := strings.Cut(mysqlDSN(d.name), "@")
		run("CREATE USER '" + user + "'@'%' IDENTIFIED BY 'pw'")
		t.Cleanup(func() { admin.Exec("DROP USER '" + user + "'@'%'") })
		for _, table := range s.core.t.plain {
			run("GRANT " + privileges + " ON " + s.core.d.Quote(table) + " TO '" + user + "'@'%'")
		}
		dialector = mysql.Open(user + ":pw@" + rest)
	}
	return testDatabase{name: d.name, prefix: d.prefix, open: func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		return openDatabase(t, dialector, config)
	}}
}

// The grants of docs/databases.md are enough for every operation and for
// Validate, and no more is asked for by a schema that is whole.
func TestLeastPrivileges(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		owner := d.store(t, Options{})
		s := d.as(t, owner, runtimeGrants).bare(t, Options{})
		for _, mode := range []ProvisionMode{Validate, CreateIfMissing} {
			if err := s.Provision(context.Background(), mode); err != nil {
				t.Errorf("Provision(%d) with nothing to do: %v", mode, err)
			}
		}
		for _, op := range operations {
			t.Run(op.name, func(t *testing.T) {
				w := newWorld(t, s)
				operation := op.prepare(w, 2)
				if _, err := operation(); err != nil {
					t.Error(err)
				}
			})
		}
		t.Run("management and history", func(t *testing.T) {
			w := newWorld(t, s)
			saveJobs(t, s, jobItem("a", waitingTrigger("t", w.t0)), jobItem("b"))
			saveJobs(t, s, jobItem("a", waitingTrigger("u", w.t0)))
			key := []provider.TriggerKey{{Job: "a", Trigger: "u"}}
			_, pauseErr := s.PauseJobs(w.ctx, []string{"a"})
			_, resumeErr := s.ResumeTriggers(w.ctx, key)
			_, removeErr := s.RemoveTriggers(w.ctx, key)
			_, runsErr := s.Runs(w.ctx, provider.RunQuery{Limit: 10})
			_, latestErr := s.LatestRuns(w.ctx, []string{"a", "b"})
			_, purgeErr := s.PurgeRuns(w.ctx, 1)
			_, deleteErr := s.DeleteJobs(w.ctx, []string{"a"})
			_, leaseErr := s.Election().TryAcquire(w.ctx, leaseRequest("x", "t"))
			w.must(errors.Join(pauseErr, resumeErr, removeErr, runsErr, latestErr, purgeErr, deleteErr, leaseErr, s.Election().Release(w.ctx, "x", "t")))
		})
	})
}

// What a user may not do is an error that names the privilege, in the server's
// words, and the remedy; nothing is half written.
func TestMissingPrivileges(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		owner := d.store(t, Options{})
		reader := d.as(t, owner, "SELECT")
		denied := func(what string, err error, words string) {
			t.Helper()
			if !errors.Is(err, provider.ErrStoreUnavailable) || !strings.Contains(err.Error(), "SCHEDULING_UNAVAILABLE_003") ||
				!strings.Contains(err.Error(), "lacks the privilege") || !strings.Contains(err.Error(), "docs/operations.md") || !strings.Contains(strings.ToLower(err.Error()), words) {
				t.Errorf("%s: got %v, want the code, the remedy and the server's %q", what, err, words)
			}
		}
		create := map[string]string{"postgres": "permission denied for schema", "mysql": "create command denied", "mariadb": "create command denied"}
		insert := map[string]string{"postgres": "permission denied for table", "mysql": "command denied", "mariadb": "command denied"}
		other := reader.bare(t, Options{TablePrefix: d.prefix + "other_"})
		denied("creating tables", other.Provision(ctx, CreateIfMissing), create[d.name])
		if err := owner.core.db.Exec("SELECT 1 FROM " + owner.core.d.Quote(other.core.t.plain[0])).Error; err == nil {
			t.Error("a table was created all the same")
		}
		s := reader.bare(t, Options{})
		if err := s.Provision(ctx, Validate); err != nil {
			t.Errorf("Validate: %v", err)
		}
		_, err := s.SaveJobs(ctx, []provider.SaveItem{jobItem("a")})
		denied("saving a job", err, insert[d.name])
		if jobs, err := owner.ListJobs(ctx, "", 10); err != nil || len(jobs) != 0 {
			t.Errorf("half written: %v, %v", jobs, err)
		}
	})
}

// readOnly opens the database as a replica does that takes no writes.
func (d testDatabase) readOnly(t *testing.T) testDatabase {
	t.Helper()
	r := d
	r.open = func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		if d.name == "sqlite" {
			return openDatabase(t, sqlite.Open("file:"+d.file+"?mode=ro&_pragma=busy_timeout(5000)"), config)
		}
		if d.name == "postgres" {
			separator := "?"
			if strings.Contains(postgresDSN(), "?") {
				separator = "&"
			}
			return openDatabase(t, postgres.Open(postgresDSN()+separator+"default_transaction_read_only=on"), config)
		}
		setting := map[string]string{"mysql": "transaction_read_only=1", "mariadb": "tx_read_only=1"}[d.name]
		return openDatabase(t, mysql.Open(mysqlDSN(d.name)+"?"+setting), config)
	}
	return r
}

// A database that takes no writes, a replica or a file that is not to be written,
// says so with the code, the cause and the remedy; it can be read, and nothing is
// half written.
func TestReadOnlyDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		owner := d.store(t, Options{})
		saveJobs(t, owner, jobItem("a", waitingTrigger("t", instant(1))))
		s := d.readOnly(t).bare(t, Options{})
		if err := s.Provision(ctx, Validate); err != nil {
			t.Errorf("Validate: %v", err)
		}
		for name, call := range map[string]func() error{
			"SaveJobs": func() error { _, err := s.SaveJobs(ctx, []provider.SaveItem{jobItem("b")}); return err },
			"Register": func() error {
				_, err := s.Register(ctx, provider.RegisterRequest{Node: provider.NodeRecord{NodeRef: provider.NodeRef{ID: "n"}, Timeout: 1e9}})
				return err
			},
			"DeleteJobs": func() error { _, err := s.DeleteJobs(ctx, []string{"a"}); return err },
		} {
			err := call()
			if !errors.Is(err, provider.ErrStoreUnavailable) || !strings.Contains(err.Error(), "SCHEDULING_UNAVAILABLE_003") ||
				!strings.Contains(err.Error(), "takes no writes") || !strings.Contains(strings.ToLower(err.Error()), "read") {
				t.Errorf("%s: got %v, want the code, the remedy and the server's cause", name, err)
			}
		}
		jobs, err := s.ListJobs(ctx, "", 10)
		if err != nil || len(jobs) != 1 {
			t.Errorf("reading: %v, %v; want the one job", jobs, err)
		}
		if nodes, err := owner.ListNodes(ctx); err != nil || len(nodes.Nodes) != 0 {
			t.Errorf("half written: %v, %v", nodes, err)
		}
	})
}

// A session that the server ends in the middle of a transaction is replaced by
// another and the operation done once; where every one is ended the error has
// its code and cause, and nothing is written.
func TestSessionEndedInTheMiddle(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.store(t, Options{})
		admin := d.open(t, nil)
		end := func(x *tx) error {
			var id int64
			self, kill := "SELECT CONNECTION_ID()", "KILL %d"
			if d.name == "postgres" {
				self, kill = "SELECT pg_backend_pid()", "SELECT pg_terminate_backend(%d, 5000)"
			}
			err := x.query(instantColumn(&id), self)
			return errors.Join(err, admin.Exec(fmt.Sprintf(kill, id)).Error)
		}
		lease := func(x *tx, name string) error {
			row := leaseRow(provider.LeaseRecord{Resource: name, Holder: "h", Token: "t"})
			return x.insertRows(x.c.t.leases, sourceColumns(leaseColumns...), [][]any{row})
		}
		for _, ends := range []int{1, 100} {
			name, tries := fmt.Sprintf("after-%d", ends), 0
			err := s.core.inTx(ctx, "test", txDispatch, func(x *tx) error {
				tries++
				if err := lease(x, name); err != nil {
					return err
				}
				if tries <= ends {
					if err := end(x); err != nil {
						t.Errorf("ending the session: %v", err)
					}
				}
				return lease(x, name+"-second")
			}, nil)
			var n int64
			if countErr := admin.Raw(s.named("SELECT COUNT(*) FROM {{leases}} WHERE lease_name IN (?, ?)"), name, name+"-second").Scan(&n).Error; countErr != nil {
				t.Fatal(countErr)
			}
			switch {
			case ends == 1 && (err != nil || n != 2):
				t.Errorf("ended once: %v, %d rows; want both rows", err, n)
			case ends == 100 && (!errors.Is(err, provider.ErrStoreUnavailable) || errors.Unwrap(err) == nil || n != 0):
				t.Errorf("ended each time: %v, %d rows; want the code, a cause and no row", err, n)
			}
		}
	})
}
