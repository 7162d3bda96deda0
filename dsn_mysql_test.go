package gormsched

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// dsnSettings are what an application may have in its DSN, each of which has
// broken a store that did not expect it.
var dsnSettings = map[string]string{
	"none":                       "",
	"local times":                "loc=America%2FNew_York&parseTime=false&time_zone=%27-05%3A00%27",
	"times":                      "loc=Asia%2FShanghai&parseTime=true&time_zone=%27%2B08%3A00%27",
	"found rows (T12)":           "clientFoundRows=true",
	"interpolated":               "interpolateParams=true&clientFoundRows=true",
	"interpolated, no backslash": "interpolateParams=true&sql_mode=%27NO_BACKSLASH_ESCAPES,ANSI_QUOTES%27",
	"not strict":                 "sql_mode=%27%27",
	"strict":                     "sql_mode=%27STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,NO_UNSIGNED_SUBTRACTION%27",
	"serializable":               "transaction_isolation=%27SERIALIZABLE%27",
	"several statements":         "multiStatements=true&columnsWithAlias=true",
}

// hostileText is what a column must give back byte for byte.
var hostileText = `{"a":"😀 \u0000 \\ ' \" ? $1 :a @b ` + "\u2028 \x01 é 漢字" + `","big":9223372036854775807,"n":null,"s":"{\"x\":1}"}`

// The same calls give the same answers whatever the DSN says (T12, D22, D31,
// R092): one row and many, names that are taken, instants, long and strange
// texts, rows affected.
func TestDSNSettings(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		for settings, dsn := range dsnSettings {
			if name == "mariadb" {
				dsn = strings.Replace(dsn, "transaction_isolation", "tx_isolation", 1)
			}
			t.Run(settings, func(t *testing.T) {
				s := mysqlWith(t, name, dsn).store(t, Options{})
				w := newWorld(t, s)
				if age := time.Since(w.t0.Add(past)); age < -time.Minute || age > time.Minute {
					t.Errorf("the clock is %v away (D31)", age)
				}
				long := `{"long":"` + strings.Repeat("x\\\"y😀", 40_000) + `"}`
				var triggers []provider.TriggerRecord
				for i, data := range []string{"", "{}", hostileText, long} {
					tr := w.trigger("a", "t"+string(rune('0'+i)), w.t0, false)
					tr.Data, tr.Priority = data, -2_000_000
					triggers = append(triggers, tr)
				}
				for range 2 { // inserted, then replaced
					saveJobs(t, s, provider.SaveItem{Job: provider.JobRecord{Name: "a", Handler: "h", Data: hostileText, AllowConcurrent: true, Source: provider.SourceCode}, Triggers: triggers})
				}
				saveJobs(t, s, provider.SaveItem{Job: provider.JobRecord{Name: "b", Handler: "h", AllowConcurrent: true, Source: provider.SourceCode}, Triggers: []provider.TriggerRecord{{
					TriggerKey: provider.TriggerKey{Job: "b", Trigger: "one"}, Schedule: "s", Data: long, State: provider.TriggerComplete,
				}}})
				got, err := s.ListTriggers(w.ctx, provider.TriggerQuery{})
				w.must(err)
				for i, want := range []string{"", "{}", hostileText, long, long} {
					if got[i].Data != want {
						t.Errorf("%v came back with %d bytes, want %d", got[i].TriggerKey, len(got[i].Data), len(want))
					}
				}
				shots := func(from, to int) (list []provider.TriggerRecord) {
					for i := from; i < to; i++ {
						list = append(list, provider.TriggerRecord{TriggerKey: provider.TriggerKey{Job: "b", Trigger: "manual-" + string(rune('a'+i))}, RunAs: provider.KindManual, Data: hostileText})
					}
					return list
				}
				for _, c := range []struct{ from, to, existed int }{{0, 1, 0}, {0, 1, 1}, {0, 4, 1}, {0, 4, 4}} {
					answers, err := s.Enqueue(w.ctx, shots(c.from, c.to))
					w.must(err)
					existed := 0
					for _, a := range answers {
						if a.Existed {
							existed++
						}
						if age := time.Since(a.DueAt); a.Err != nil || age < -time.Minute || age > time.Minute {
							t.Errorf("the answer is %+v", a)
						}
					}
					if existed != c.existed {
						t.Errorf("enqueueing %d to %d: %d existed, want %d", c.from, c.to, existed, c.existed)
					}
				}
				begun := started(w.claim(16).Items)
				if len(begun) != 8 {
					t.Fatalf("%d runs started, want 8", len(begun))
				}
				w.complete(provider.RunSucceeded, begun[:1]...)
				w.complete(provider.RunFailed, begun[1:]...)
				if beat, err := s.Heartbeat(w.ctx, w.node); err != nil || !beat.Alive {
					t.Errorf("Heartbeat: %+v, %v", beat, err)
				}
				lease, err := s.Election().TryAcquire(w.ctx, leaseRequest("x", "t1"))
				w.must(err)
				if _, err := s.Election().Renew(w.ctx, "x", "t1"); err != nil || !lease.Found {
					t.Errorf("Renew: %v", err)
				}
				if _, err := s.Election().Renew(w.ctx, "x", "t2"); !errors.Is(err, provider.ErrLeaseHeld) {
					t.Errorf("renewing with another's token: %v", err)
				}
				w.each(s.PauseJobs(w.ctx, []string{"a", "b"}))
				w.each(s.PauseJobs(w.ctx, []string{"a", "b"}))
				w.each(s.ResumeJobs(w.ctx, []string{"a", "b"}))
				w.invariants(settings)
				for _, q := range []string{"a ", "A", "ä", "a\x00"} { // T25
					if jobs, err := s.Jobs(w.ctx, []string{q}); err != nil || len(jobs) != 0 {
						t.Errorf("the job %q is %v, %v; want none", q, jobs, err)
					}
				}
			})
		}
	})
}

// What a server would cut, replace or refuse is refused before it is sent, alike
// whether one row is written or many, strict or not: MariaDB's JSON_TABLE cuts
// silently on any server. The dialect is the second to look, after the store.
func TestTextThatDoesNotFit(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		for _, mode := range []string{"", "STRICT_ALL_TABLES"} {
			s := mysqlWith(t, name, "sql_mode=%27"+mode+"%27").store(t, Options{})
			for what, run := range map[string]provider.RunRecord{
				"long code": {ErrorCode: strings.Repeat("c", 65)}, "code beyond ASCII": {ErrorCode: "ü"}, "data that is not UTF-8": {Data: "\xff"},
			} {
				for _, n := range []int{1, 2} {
					var runs []provider.RunRecord
					for _, id := range runIDs(n) {
						run.ID, run.Job, run.Node, run.State = id, "a", "n", provider.RunSucceeded
						runs = append(runs, run)
					}
					err := s.core.inTx(t.Context(), "test", txDispatch, func(t *tx) error { return t.record(runs) }, nil) // past the store's own check
					if err == nil || !strings.Contains(err.Error(), "column") {
						t.Errorf("%s, %d rows, mode %q: got %v, want an error that names the column", what, n, mode, err)
					}
					if err := s.Record(t.Context(), runs); !errors.Is(err, provider.ErrInvalidDefinition) {
						t.Errorf("%s, %d rows, mode %q: Record answers %v, want it refused", what, n, mode, err)
					}
				}
			}
		}
	})
}

// A lock that is waited for as long as the server allows ends one statement
// only; the store rolls the whole transaction back (T14).
func TestLockWaitRollsAllBack(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		s := mysqlWith(t, name, "innodb_lock_wait_timeout=1").store(t, Options{})
		w := newWorld(t, s)
		release := w.hold("INSERT INTO {{jobs}} (job_name, handler_key, allow_concurrent, every_instance, requests_recovery, paused, fence, job_source, code_version, version) VALUES ('b', 'h', 0, 0, 0, 0, 0, 1, 0, 1)")
		err := s.core.inTx(w.ctx, "test", txDispatch, func(t *tx) error {
			for _, job := range []string{"a", "b"} {
				if err := t.insertRows(t.c.t.jobs, sourceColumns(jobColumns...), [][]any{jobRow(provider.JobRecord{Name: job, Source: 1, Version: 1})}); err != nil {
					return err
				}
			}
			return nil
		}, nil)
		if e := asContract(t, err); e.Reason != provider.ReasonContention || s.core.d.Classify(err) != dialects.FaultLockTimeout {
			t.Errorf("got %v, want contention", err)
		}
		release()
		if n := w.count("SELECT COUNT(*) FROM {{jobs}}"); n != 0 {
			t.Errorf("%d rows of a transaction that failed are there", n)
		}
	})
}

// Management calls wait for a bounded time, for a row and for an insert of the
// same key, answer with contention, and leave the session's settings alone; and
// every transaction is READ COMMITTED whatever the session's default is.
func TestMySQLWaits(t *testing.T) {
	saved := kindLimits[txManage]
	kindLimits[txManage] = limits{operation: saved.operation, lock: 100 * time.Millisecond, contention: saved.contention}
	t.Cleanup(func() { kindLimits[txManage] = saved })
	onMySQLs(t, func(t *testing.T, name string) {
		s := mysqlDatabase(name)(t).store(t, Options{})
		w := newWorld(t, s)
		pool, err := s.core.db.DB()
		w.must(err)
		session := func() (settings string) {
			level := "@@transaction_isolation"
			if name == "mariadb" {
				level = "@@tx_isolation"
			}
			w.must(s.core.db.Raw("SELECT CONCAT_WS(' ', @@innodb_lock_wait_timeout, @@sql_mode, @@time_zone, @@autocommit, " + level + ")").Row().Scan(&settings))
			return settings
		}
		before := session()
		saveJobs(t, s, jobItem("a"))
		w.enqueue("a", 1)
		contended := func(what string, call func() error) {
			t.Helper()
			w.within(4*time.Second, what, func() {
				err := call()
				if e := asContract(t, err); e.Reason != provider.ReasonContention || s.core.d.Classify(err) != dialects.FaultLockTimeout {
					t.Errorf("%s: got %v, want contention", what, err)
				}
			})
		}
		release := w.hold("SELECT 1 FROM {{jobs}} WHERE job_name = 'a' FOR UPDATE")
		contended("PauseJobs", func() error { _, err := s.PauseJobs(w.ctx, []string{"a"}); return err })
		contended("SaveJobs", func() error { _, err := s.SaveJobs(w.ctx, []provider.SaveItem{jobItem("a"), jobItem("b")}); return err })
		release()
		release = w.hold("INSERT INTO {{triggers}} (trigger_key, job_name, trigger_name, schedule_text, priority, misfire_policy, trigger_state, paused, is_local, is_exclusive, fire_count, run_as, version) VALUES ('a/manual-x', 'a', 'manual-x', '', 0, 0, 1, 0, 0, 0, 0, 1, 1)")
		contended("Enqueue", func() error {
			_, err := s.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}}})
			return err
		})
		release()
		w.each(s.PauseJobs(w.ctx, []string{"a"}))
		pool.SetMaxOpenConns(1)
		if after := session(); after != before {
			t.Errorf("the session's settings are %q, were %q", after, before)
		}
		isolation := "SELECT isolation_level FROM performance_schema.events_transactions_current WHERE thread_id = PS_CURRENT_THREAD_ID()"
		if name == "mariadb" {
			isolation = "SELECT trx_isolation_level FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()"
		}
		w.must(s.core.inTx(w.ctx, "test", txDispatch, func(t2 *tx) error {
			if _, err := t2.exec("UPDATE " + s.core.t.jobs + " SET version = version + 1"); err != nil {
				return err
			}
			var level string
			if err := t2.db.Raw(isolation).Row().Scan(&level); err != nil {
				return err
			}
			if level != "READ COMMITTED" {
				t.Errorf("the transaction's level is %s", level)
			}
			return nil
		}, nil))
	})
}

// The server's version decides between the two, also where the application told
// its dialector not to ask.
func TestServerVersion(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		pool, err := mysqlDatabase(name)(t).open(t, nil).DB()
		if err != nil {
			t.Fatal(err)
		}
		for _, config := range []mysql.Config{{Conn: pool}, {Conn: pool, SkipInitializeWithVersion: true}} {
			s, err := NewJobStore(openDatabase(t, mysql.New(config), &gorm.Config{}), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Info().Name; got != name {
				t.Errorf("the store is on %q, want %q", got, name)
			}
		}
	})
}
