package gormsched

import (
	"database/sql"
	"errors"
	"testing"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// enqueueIn enqueues one one-shot in an application's transaction.
func (w *world) enqueueIn(tx *gorm.DB, name string) {
	w.Helper()
	in, err := w.s.EnqueuerIn(tx)
	w.must(err)
	answers, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-" + name}, RunAs: provider.KindManual}})
	w.must(err)
	if len(answers) != 1 || answers[0].Err != nil || answers[0].Existed {
		w.Errorf("%s: the answers are %+v", name, answers)
	}
}

func (w *world) enqueued(want ...string) {
	w.Helper()
	got, err := w.s.ListTriggers(w.ctx, provider.TriggerQuery{Limit: 100})
	w.must(err)
	var names []string
	for _, tr := range got {
		names = append(names, tr.Trigger)
	}
	for i := range want {
		want[i] = "manual-" + want[i]
	}
	if len(names) != len(want) {
		w.Fatalf("enqueued are %v, want %v", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			w.Errorf("enqueued are %v, want %v", names, want)
		}
	}
}

// Whatever kind of transaction an application has, what it enqueues there comes
// and goes with it: with prepared statements, nested in a savepoint, of
// database/sql, and of Transaction with its own return (D34).
func TestEnqueueInTransactionsOfAllKinds(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		no := errors.New("the application thinks better of it")
		app := d.open(t, nil)
		w.must(app.Transaction(func(tx *gorm.DB) error {
			w.enqueueIn(tx, "a")
			inner := tx.Transaction(func(tx *gorm.DB) error { // a savepoint
				w.enqueueIn(tx, "lost")
				return no
			})
			if !errors.Is(inner, no) {
				t.Errorf("the inner transaction answers %v", inner)
			}
			return tx.Transaction(func(tx *gorm.DB) error {
				w.enqueueIn(tx, "b")
				return nil
			})
		}))
		w.enqueued("a", "b")
		if err := app.Transaction(func(tx *gorm.DB) error { w.enqueueIn(tx, "gone"); return no }); !errors.Is(err, no) {
			t.Errorf("the transaction answers %v", err)
		}
		w.enqueued("a", "b")

		prepared := d.open(t, &gorm.Config{PrepareStmt: true})
		for _, name := range []string{"c", "d"} { // the second time the statements are prepared
			w.must(prepared.Transaction(func(tx *gorm.DB) error { w.enqueueIn(tx, name); return nil }))
		}
		w.must(prepared.Transaction(func(tx *gorm.DB) error {
			return tx.Transaction(func(tx *gorm.DB) error { w.enqueueIn(tx, "e"); return nil })
		}))
		w.enqueued("a", "b", "c", "d", "e")

		pool, err := app.DB()
		w.must(err)
		for _, end := range []func(*sql.Tx) error{(*sql.Tx).Rollback, (*sql.Tx).Commit} {
			plain, err := pool.BeginTx(w.ctx, nil)
			w.must(err)
			dialector, err := cloneDialector(app.Dialector, plain)
			w.must(err)
			wrapped, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard, DisableAutomaticPing: true, SkipDefaultTransaction: true})
			w.must(err)
			w.enqueueIn(wrapped, "f")
			w.must(end(plain))
		}
		w.enqueued("a", "b", "c", "d", "e", "f")
	})
}

// What is no running transaction on the store's database is refused, or fails
// without having written anything (D34).
func TestEnqueueInWhatIsNoTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		app := d.open(t, nil)
		failed := d.open(t, nil).Begin()
		defer failed.Rollback()
		_ = failed.AddError(errors.New("an earlier statement failed"))
		elsewhere := openDatabase(t, bareDialector{app.Dialector}, nil)
		for name, tx := range map[string]*gorm.DB{"nil": nil, "zero": {}, "no transaction": app, "prepared, no transaction": d.open(t, &gorm.Config{PrepareStmt: true}), "failed": failed, "session": elsewhere} {
			if _, err := w.s.EnqueuerIn(tx); err == nil {
				t.Errorf("%s: EnqueuerIn accepts it", name)
			}
		}
		ended := app.Begin()
		in, err := w.s.EnqueuerIn(ended)
		w.must(err)
		w.must(ended.Rollback().Error)
		if _, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}}}); !errors.Is(err, provider.ErrStoreUnavailable) {
			t.Errorf("a transaction that has ended: got %v", err)
		}
		other := sqliteDatabase(t).open(t, nil).Begin() // a pool of another database
		defer other.Rollback()
		if in, err := w.s.EnqueuerIn(other); err == nil {
			if _, err := in.Enqueue(w.ctx, []provider.TriggerRecord{{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}}}); !errors.Is(err, provider.ErrStoreUnavailable) {
				t.Errorf("a transaction on another database: got %v", err)
			}
		} else if d.name == "sqlite" {
			t.Errorf("EnqueuerIn: %v", err)
		}
		w.enqueued()
	})
}
