package gormsched

import (
	"database/sql"
	"testing"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// A job that allows concurrent runs is not locked by a read that wants exclusive
// ones, whether one job is asked about or several: a row found by an equal key
// would stay locked although the rest of the condition refuses it.
func TestRefusedRowsAreNotLocked(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		w := newWorld(t, mysqlDatabase(name)(t).store(t, Options{}))
		w.jobs(false, "a", "b")
		for _, names := range [][]string{{"a"}, {"a", "b"}} {
			w.must(w.s.core.inTx(w.ctx, "test", txDispatch, func(first *tx) error {
				locked, err := first.lockJobs(names, first.c.exclusiveJobs(), dialects.LockSkip)
				if err != nil {
					return err
				}
				if locked.has("a") {
					t.Error("a concurrent job was locked as an exclusive one")
				}
				if _, err := first.lockJobStates(names); err != nil {
					return err
				}
				return w.s.core.inTx(w.ctx, "test", txDispatch, func(other *tx) error {
					free, err := other.lockJobs(names, dialects.Statement{}, dialects.LockSkip)
					if err == nil && !free.has("a") {
						t.Errorf("%v: the job is locked", names)
					}
					return err
				}, nil)
			}, nil))
		}
	})
}

// Assignments are carried out from left to right there: a trigger that is resumed
// without a next instant gets one all the same (D08).
func TestAssignmentsSeeOldValues(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		w := newWorld(t, mysqlDatabase(name)(t).store(t, Options{}))
		for _, n := range []int{1, 3} {
			w.clear()
			w.jobs(false, "a")
			list := w.many("a", "x", n, false)
			for i := range list {
				list[i].State, list[i].Paused = provider.TriggerPaused, true
			}
			w.triggers(list...)
			sqlExec(t, w.s, "UPDATE {{triggers}} SET next_fire_us = NULL, scheduled_us = NULL")
			w.each(w.s.ResumeJobs(w.ctx, []string{"a"}))
			if got := w.count("SELECT COUNT(*) FROM {{triggers}} WHERE trigger_state = 1 AND next_fire_us > 0 AND scheduled_us > 0"); got != n {
				t.Errorf("%d of %d triggers wait for an instant", got, n)
			}
		}
	})
}

// An application's transaction whose snapshot is older than a one-shot of the
// same name finds it taken without failing, and goes on (D34, D38). MariaDB from
// 11.6.2 on ends such a transaction, and the answer says contention (T15).
func TestEnqueueBehindASnapshot(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		d := mysqlDatabase(name)(t)
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		app := d.open(t, nil).Begin() // REPEATABLE READ, the server's default
		defer app.Rollback()
		var n int
		w.must(app.Raw(w.s.named("SELECT COUNT(*) FROM {{triggers}}")).Row().Scan(&n))
		w.enqueue("a", 2) // manual-000000, manual-000001
		in, err := w.s.EnqueuerIn(app)
		w.must(err)
		var list []provider.TriggerRecord
		for _, trigger := range []string{"manual-000001", "manual-000009", "manual-000010"} {
			list = append(list, provider.TriggerRecord{TriggerKey: provider.TriggerKey{Job: "a", Trigger: trigger}})
		}
		answers, err := in.Enqueue(w.ctx, list)
		if err != nil && name == "mariadb" { // innodb_snapshot_isolation: error 1020 ends the transaction (T15)
			if e := asContract(t, err); e.Reason != provider.ReasonContention || w.s.core.d.Classify(err) != dialects.FaultRetry {
				t.Errorf("got %v, want contention", err)
			}
			return
		}
		w.must(err)
		for i, existed := range []bool{true, false, false} {
			if a := answers[i]; a.Err != nil || a.Existed != existed || a.DueAt.IsZero() {
				t.Errorf("%v: %+v, want existed %v", a.Key, a, existed)
			}
		}
		w.must(app.Commit().Error)
		if n := w.count("SELECT COUNT(*) FROM {{triggers}}"); n != 4 {
			t.Errorf("%d triggers, want 4", n)
		}
	})
}

// An enqueue in an application's transaction locks no job, at the server's
// default level either: it reads before it inserts.
func TestEnqueueLocksNoJob(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		d := mysqlDatabase(name)(t)
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "a", "b")
		app := d.open(t, nil).Begin()
		defer app.Rollback()
		in, err := w.s.EnqueuerIn(app)
		w.must(err)
		_, err = in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}}})
		w.must(err)
		w.must(w.s.core.inTx(w.ctx, "test", txDispatch, func(tx *tx) error {
			free, err := tx.lockJobs([]string{"a", "b"}, dialects.Statement{}, dialects.LockSkip)
			if err == nil && (!free.has("a") || !free.has("b")) {
				t.Error("the job is locked by the application's transaction")
			}
			return err
		}, nil))
	})
}

// At SERIALIZABLE these servers share every row that a transaction reads until it
// ends, also the job's row of an enqueue in it: only there is a job held by an
// application's transaction. What manages the job then answers contention and
// writes nothing, what dispatches passes it by, others' jobs are untouched, and
// with the commit everything goes on (D34, D09).
func TestEnqueueInASerializableTransaction(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		d := mysqlDatabase(name)(t)
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(true, "a", "b")
		if name == "mysql" { // which locks all of a table as small as two rows, to pause one
			w.jobs(true, "c", "d", "e")
		}
		w.triggers(w.trigger("a", "t", w.t0, true))
		app := d.open(t, nil).Begin(&sql.TxOptions{Isolation: sql.LevelSerializable})
		defer app.Rollback()
		in, err := w.s.EnqueuerIn(app)
		w.must(err)
		_, err = in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}, RunAs: provider.KindManual}})
		w.must(err)
		began := time.Now()
		_, err = w.s.PauseJobs(w.ctx, []string{"a"})
		if e := asContract(t, err); e.Code != provider.CodeStoreUnavailable || e.Reason != provider.ReasonContention || e.Err == nil {
			t.Errorf("pausing the job: got %v, want contention with its cause", err)
		}
		if took := time.Since(began); took > 12*time.Second {
			t.Errorf("the answer took %v, want it within the limit of a wait", took)
		}
		w.each(w.s.PauseJobs(w.ctx, []string{"b"}))
		if n := w.count("SELECT COUNT(*) FROM {{jobs}} WHERE paused = 1"); n != 1 {
			t.Errorf("%d jobs are paused, want b alone", n)
		}
		if began := started(w.claim(2).Items); len(began) != 0 {
			t.Errorf("begun beside the transaction: %+v, want the job passed by", began)
		}
		w.must(app.Commit().Error)
		if began := started(w.claim(5).Items); len(began) != 1 {
			t.Errorf("begun after the commit: %+v, want one run of an exclusive job", began)
		}
		w.each(w.s.PauseJobs(w.ctx, []string{"a"}))
	})
}
