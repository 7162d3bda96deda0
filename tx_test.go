package gormsched

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/dialects"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// takeLease is an operation that counts its runs and writes one lease row.
type takeLease struct {
	name string
	runs int
}

func (o *takeLease) run(t *tx) error {
	o.runs++
	row := provider.LeaseRecord{Resource: o.name, Holder: "h", Token: "t", TTL: time.Minute, Fence: 1, Version: 1}
	return t.insertRows(t.c.t.leases, sourceColumns(leaseColumns...), [][]any{leaseRow(row)})
}

// stored reports whether the row is there.
func (o *takeLease) stored(t *testing.T, s *JobStore) bool {
	t.Helper()
	a, err := s.Election().Inspect(context.Background(), o.name)
	if err != nil {
		t.Fatal(err)
	}
	return a.Found
}

// commits makes every nth commit meet a fault, counted from 1; 0 = each.
func commits(f fault, nth int) func(int, event) fault {
	seen := 0
	return func(_ int, e event) fault {
		if e.text != "COMMIT" {
			return send
		}
		if seen++; nth == 0 || seen == nth {
			return f
		}
		return send
	}
}

// A commit whose answer is lost is looked up, never repeated blindly: what the
// look-up says decides (D07, D24).
func TestUnknownCommitIsLookedUp(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		ctx := context.Background()
		for _, c := range []struct {
			name   string
			fault  fault
			answer func(found bool) (bool, error)
			runs   int
			stored bool
			want   error
		}{
			{"the commit arrived", failAfter, func(found bool) (bool, error) { return found, nil }, 1, true, nil},
			{"the commit did not arrive", failBefore, func(found bool) (bool, error) { return found, nil }, 2, true, nil},
			{"the look-up fails too", failAfter, func(bool) (bool, error) { return false, errors.New("still away") }, 1, true, provider.ErrOutcomeUnknown},
		} {
			t.Run(c.name, func(t *testing.T) {
				o := &takeLease{name: strings.ReplaceAll(c.name, " ", "-")}
				looked := 0
				w.reset(commits(c.fault, 1))
				err := s.core.inTx(ctx, "test", txManage, o.run, func(ctx context.Context) (bool, error) {
					looked++
					if ctx.Err() != nil {
						t.Error("the look-up has an ended context")
					}
					a, err := s.Election().Inspect(ctx, o.name)
					if err != nil {
						return false, err
					}
					return c.answer(a.Found)
				})
				w.reset(nil)
				if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if c.want != nil && !errors.Is(err, provider.ErrStoreUnavailable) {
					t.Errorf("got %v, want it to match ErrStoreUnavailable too", err)
				}
				if o.runs != c.runs || looked != 1 {
					t.Errorf("the function ran %d times and was looked up %d times, want %d and 1", o.runs, looked, c.runs)
				}
				if got := o.stored(t, s); got != c.stored {
					t.Errorf("stored %v, want %v", got, c.stored)
				}
			})
		}
	})
}

// The look-up has a context of its own: the caller's may be what ended the
// commit.
func TestLookUpOutlivesTheCaller(t *testing.T) {
	s, w := sqliteDatabase(t).wired(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := &takeLease{name: "x"}
	w.reset(commits(failAfter, 1))
	err := s.core.inTx(ctx, "test", txManage, o.run, func(own context.Context) (bool, error) {
		cancel()
		a, err := s.Election().Inspect(own, o.name)
		return a.Found, err
	})
	if err != nil || o.runs != 1 {
		t.Errorf("got %v after %d runs, want nil after one: the commit had arrived", err, o.runs)
	}
}

// coded and stated are what drivers report of an answer of the server's.
type coded int

func (c coded) Error() string { return "coded" }
func (c coded) Code() int     { return int(c) }

type stated string

func (s stated) Error() string    { return "stated" }
func (s stated) SQLState() string { return string(s) }

// Only an answer of the database says that a commit has not taken effect;
// every other end of it leaves the outcome open.
func TestWhichCommitsAreRefused(t *testing.T) {
	for _, c := range []struct {
		dialect string
		err     error
		refused bool
	}{
		{"postgres", sql.ErrTxDone, true},
		{"postgres", stated("40001"), true},
		{"postgres", stated("23514"), true},  // a deferred check
		{"postgres", stated("57P01"), false}, // shut down, perhaps after the commit
		{"postgres", stated("08006"), false},
		{"postgres", driver.ErrBadConn, false},
		{"postgres", context.Canceled, false},
		{"postgres", context.DeadlineExceeded, false},
		{"postgres", errors.New("anything else"), false},
		{"sqlite", sql.ErrTxDone, true},
		{"sqlite", coded(5), true},   // busy: the commit may be repeated
		{"sqlite", coded(13), true},  // full
		{"sqlite", coded(10), false}, // I/O error: the journal may be whole or not
		{"sqlite", errors.New("anything else"), false},
	} {
		d, err := dialects.For(c.dialect, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := (&core{d: d}).refused(c.err); got != c.refused {
			t.Errorf("%s: a commit that ends with %v: refused %v, want %v", c.dialect, c.err, got, c.refused)
		}
	}
}

// Where repeating is safe the operation is repeated, and says that its outcome
// is unknown only when that fails as well.
func TestUnknownCommitIsRepeatedWhereThatIsSafe(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		ctx := context.Background()
		renew := func(t *tx) error {
			_, err := t.exec("UPDATE " + t.c.t.leases + " SET fence = fence + 0 WHERE 1 = 0")
			return err
		}
		w.reset(commits(failAfter, 1))
		if err := s.core.inTx(ctx, "test", txManage, renew, nil); err != nil {
			t.Errorf("one lost commit: %v", err)
		}
		w.reset(commits(failAfter, 0))
		runs := 0
		err := s.core.inTx(ctx, "test", txManage, func(t *tx) error { runs++; return renew(t) }, nil)
		if !errors.Is(err, provider.ErrOutcomeUnknown) || !errors.Is(err, driver.ErrBadConn) {
			t.Errorf("every commit lost: got %v, want ErrOutcomeUnknown with the driver's error", err)
		}
		if runs != 1+lostConnections {
			t.Errorf("the function ran %d times, want %d", runs, 1+lostConnections)
		}
		// A lost commit and then a failure before the next one: still unknown.
		w.reset(func(n int, e event) fault {
			if e.text == "COMMIT" || n > 5 {
				return failBefore
			}
			return send
		})
		if err := s.core.inTx(ctx, "test", txManage, renew, nil); !errors.Is(err, provider.ErrOutcomeUnknown) {
			t.Errorf("a lost commit, then no connection: got %v, want ErrOutcomeUnknown", err)
		}
	})
}

// A connection that is lost before the commit has changed nothing: the whole
// function runs again, a bounded number of times.
func TestLostConnectionIsRepeated(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		ctx := context.Background()
		insert := func(n int) func(int, event) fault {
			return func(_ int, e event) fault {
				if strings.HasPrefix(e.text, "INSERT") && n > 0 {
					n--
					return failAfter
				}
				return send
			}
		}
		o := &takeLease{name: "twice"}
		w.reset(insert(lostConnections))
		if err := s.core.inTx(ctx, "test", txManage, o.run, nil); err != nil || o.runs != 1+lostConnections {
			t.Errorf("got %v after %d runs, want nil after %d", err, o.runs, 1+lostConnections)
		}
		o = &takeLease{name: "never"}
		w.reset(insert(100))
		err := s.core.inTx(ctx, "test", txManage, o.run, nil)
		if !errors.Is(err, provider.ErrStoreUnavailable) || errors.Is(err, provider.ErrOutcomeUnknown) || !errors.Is(err, driver.ErrBadConn) {
			t.Errorf("got %v, want ErrStoreUnavailable with the driver's error, outcome known", err)
		}
		w.reset(nil)
		if o.stored(t, s) {
			t.Error("a transaction that failed has left a row")
		}
	})
}

// R021, R024: what fails rolls back; errors of the contract pass unchanged,
// the driver's stay reachable, and nothing is repeated.
func TestFailureRollsBack(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		ctx := context.Background()
		own := provider.NotFound(provider.CodeJobNotFound, "x")
		other := errors.New("not the database's")
		for _, c := range []struct {
			name string
			fail func() error
			want []error
		}{
			{"contract", func() error { return own }, []error{own}},
			{"other", func() error { return other }, []error{other, provider.ErrStoreUnavailable}},
			{"panic", func() error { panic("pure functions do not panic") }, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				o := &takeLease{name: c.name}
				var err error
				panicked := func() (p any) {
					defer func() { p = recover() }()
					err = s.core.inTx(ctx, "test", txManage, func(t *tx) error {
						if err := o.run(t); err != nil {
							return err
						}
						return c.fail()
					}, nil)
					return nil
				}()
				if (panicked != nil) != (c.want == nil) {
					t.Fatalf("panicked with %v, want %v", panicked, c.want == nil)
				}
				for _, want := range c.want {
					if !errors.Is(err, want) {
						t.Errorf("got %v, want it to match %v", err, want)
					}
				}
				if c.name == "contract" && err != error(own) {
					t.Errorf("got %v, want the same error unchanged (R024)", err)
				}
				if o.runs != 1 || o.stored(t, s) {
					t.Errorf("ran %d times, stored %v; want once and rolled back", o.runs, o.stored(t, s))
				}
			})
		}
	})
}

// A context that ended before anything was written gives its own error,
// unwrapped; what is under way is rolled back.
func TestEndedContext(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		for name, kind := range map[string]txKind{"read": txRead, "dispatch": txDispatch, "manage": txManage} {
			o := &takeLease{name: name}
			if err := s.core.inTx(ended, "test", kind, o.run, nil); err != context.Canceled || o.runs != 0 {
				t.Errorf("%s with an ended context: got %v after %d runs, want context.Canceled and none", name, err, o.runs)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		o := &takeLease{name: "midway"}
		err := s.core.inTx(ctx, "test", txManage, func(t *tx) error {
			if err := o.run(t); err != nil {
				return err
			}
			cancel()
			return nil
		}, nil)
		if err != context.Canceled || o.stored(t, s) {
			t.Errorf("ended before the commit: got %v, stored %v; want context.Canceled and nothing", err, o.stored(t, s))
		}
		if _, err := s.Election().Inspect(ended, "x"); !errors.Is(err, provider.ErrElectionUnavailable) || !errors.Is(err, context.Canceled) {
			t.Errorf("the election with an ended context: got %v, want ErrElectionUnavailable (R069)", err)
		}
	})
}

// Insert races repeat the function, which then finds the other's row; on
// PostgreSQL the failed statement has aborted the transaction (T13, B171).
func TestDuplicateRepeatsTheWhole(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.store(t, Options{})
		ctx := context.Background()
		first := &takeLease{name: "same"}
		if err := s.core.inTx(ctx, "test", txManage, first.run, nil); err != nil {
			t.Fatal(err)
		}
		second := &takeLease{name: "same"}
		err := s.core.inTx(ctx, "test", txManage, second.run, nil)
		if e := asContract(t, err); e.Reason != provider.ReasonContention || s.core.d.Classify(err) != dialects.FaultDuplicate {
			t.Errorf("got %v, want contention with the driver's duplicate", err)
		}
		if second.runs != 1+lostInserts {
			t.Errorf("ran %d times, want %d", second.runs, 1+lostInserts)
		}
	})
}

func asContract(t *testing.T, err error) *provider.Error {
	t.Helper()
	var e *provider.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an error of the contract", err)
	}
	return e
}

// Without its tables the store says what to do (R022).
func TestMissingTablesNameTheRemedy(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s := d.bare(t, Options{})
		ctx := context.Background()
		_, list := s.ListJobs(ctx, "", 0)
		_, save := s.SaveJobs(ctx, []provider.SaveItem{{Job: provider.JobRecord{Name: "a"}}})
		_, inspect := s.Election().Inspect(ctx, "x")
		for name, err := range map[string]error{"ListJobs": list, "SaveJobs": save, "Inspect": inspect} {
			if e := asContract(t, err); !strings.Contains(e.Reason, "Provision") || !strings.HasPrefix(string(e.Code), "SCHEDULING_UNAVAILABLE_") {
				t.Errorf("%s without tables: got %v, want unavailable, naming Provision", name, err)
			}
		}
	})
}

// All statements of a transaction judge by one instant (D26): the options'
// clock where there is one, otherwise the database's, read once.
func TestOneInstantPerTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		fixed := time.Date(2026, 5, 4, 3, 2, 1, 123456789, time.UTC)
		s := d.store(t, Options{Now: func() time.Time { return fixed }})
		if now, err := s.Now(ctx); err != nil || !now.Equal(fixed.Truncate(time.Microsecond)) {
			t.Errorf("Now with a clock: got %v, %v", now, err)
		}
		real := d.store(t, Options{})
		err := real.core.inTx(ctx, "test", txManage, func(t *tx) error {
			first, err := t.nowUS()
			if err != nil {
				return err
			}
			var bound int64
			expr, args := t.nowExpr()
			if err := t.query(instantColumn(&bound), "SELECT "+expr, args...); err != nil {
				return err
			}
			if second, _ := t.nowUS(); second != first || bound != first {
				return errors.New("the instant moved inside a transaction")
			}
			return nil
		}, nil)
		if err != nil {
			t.Error(err)
		}
		var unbound int64
		err = real.core.inTx(ctx, "test", txRead, func(t *tx) error {
			expr, args := t.nowExpr()
			return t.query(instantColumn(&unbound), "SELECT "+expr, args...)
		}, nil)
		if age := time.Since(instant(unbound)); err != nil || age < -time.Minute || age > time.Minute {
			t.Errorf("the database's clock is %v away, %v: not UTC microseconds?", age, err)
		}
	})
}

// PostgreSQL: the limits are LOCAL, a lock that is waited for too long is
// contention, and every transaction is READ COMMITTED whatever the session's
// default is (T17 is the same trap on another database).
func TestPostgresLimits(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return
	}
	d := postgresDatabase(t)
	s := d.store(t, Options{})
	ctx := context.Background()
	pool, err := s.core.db.DB()
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	settings := func(t *tx) (lock, idle, level string, err error) {
		err = t.query(func(rows *sql.Rows) error { return rows.Scan(&lock, &idle, &level) },
			"SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), current_setting('transaction_isolation')")
		return
	}
	sqlExec(t, s, "SET default_transaction_isolation = 'serializable'")
	for kind, want := range map[txKind]string{txDispatch: "2s", txManage: "5s"} {
		err := s.core.inTx(ctx, "test", kind, func(t *tx) error {
			lock, idle, level, err := settings(t)
			if err == nil && (lock != want || idle != "10s" || level != "read committed") {
				err = errors.New("lock " + lock + ", idle " + idle + ", isolation " + level)
			}
			return err
		}, nil)
		if err != nil {
			t.Errorf("inside: %v, want %s, 10s, read committed", err, want)
		}
	}
	err = s.core.inTx(ctx, "test", txRead, func(t *tx) error {
		lock, idle, _, err := settings(t)
		if err == nil && (lock != "0" || idle != "0") {
			err = errors.New("lock " + lock + ", idle " + idle)
		}
		return err
	}, nil)
	if err != nil {
		t.Errorf("the pool inherits settings: %v", err)
	}
}

// A management call that waits for a row for too long answers with contention
// and has changed nothing (D09).
func TestLockTimeoutIsContention(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return
	}
	saved := kindLimits[txManage]
	kindLimits[txManage] = limits{operation: saved.operation, lock: 50 * time.Millisecond, contention: saved.contention}
	t.Cleanup(func() { kindLimits[txManage] = saved })
	d := postgresDatabase(t)
	s := d.store(t, Options{})
	ctx := context.Background()
	saveJobs(t, s, jobItem("a"))
	holder := d.open(t, nil).Begin()
	defer holder.Rollback()
	if err := holder.Exec(s.named("SELECT 1 FROM {{jobs}} FOR UPDATE")).Error; err != nil {
		t.Fatal(err)
	}
	_, err := s.PauseJobs(ctx, []string{"a"})
	if e := asContract(t, err); e.Code != provider.CodeStoreUnavailable || e.Reason != provider.ReasonContention || s.core.d.Classify(err) != dialects.FaultLockTimeout {
		t.Errorf("got %v, want ErrStoreUnavailable with reason contention and the driver's error", err)
	}
	holder.Rollback()
	if errs, err := s.PauseJobs(ctx, []string{"a"}); err != nil || errs[0] != nil {
		t.Errorf("after the row was free: %v, %v", errs, err)
	}
}

// SQLite: every writing transaction begins with a write, so that it waits for
// its turn instead of failing after a read (T9); writers beside each other all
// succeed.
func TestSQLiteWritersTakeTurns(t *testing.T) {
	d := sqliteDatabase(t)
	s, w := d.wired(t, Options{})
	sent := w.record(func() { saveJobs(t, s, jobItem("first")) })
	if len(sent) < 2 || sent[0].text != "BEGIN" || !strings.HasPrefix(sent[1].text, "DELETE") || !strings.HasSuffix(sent[1].text, "WHERE 1 = 0") {
		t.Errorf("a writing transaction begins with %q, want a write that matches nothing", sent)
	}
	const workers, rounds = 6, 8
	atOnce(workers, func(i int) {
		s := d.bare(t, Options{})
		name := string(rune('a' + i))
		for range rounds {
			if _, err := s.SaveJobs(context.Background(), []provider.SaveItem{jobItem(name), jobItem("shared")}); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
		}
	})
}

// saveJobs and jobItem are short words for the tests of definitions.
func saveJobs(t testing.TB, s *JobStore, items ...provider.SaveItem) []provider.SaveAnswer {
	t.Helper()
	answers, err := s.SaveJobs(context.Background(), items)
	if err != nil {
		t.Fatalf("SaveJobs: %v", err)
	}
	return answers
}

func jobItem(name string, triggers ...provider.TriggerRecord) provider.SaveItem {
	return provider.SaveItem{Job: provider.JobRecord{Name: name, Handler: name, Source: provider.SourceCode}, Triggers: triggers}
}

// A plan that a migration has made out of date fails with 0A000, once per
// connection, and the statement is repeated (T10). It takes a change of a column
// that the store reads: it lists its columns, so that a new one is none.
func TestPlanOutOfDateIsRepeated(t *testing.T) {
	if postgresDSN() == "" {
		t.Skip("GORMSCHED_TEST_POSTGRES_DSN is not set")
	}
	d := postgresDatabase(t)
	s := d.store(t, Options{})
	pool, err := s.core.db.DB()
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	saveJobs(t, s, jobItem("a"))
	for _, kind := range []string{"varchar(5000)", "text"} {
		for range 3 { // prepared, and used
			if jobs, err := s.Jobs(t.Context(), []string{"a"}); err != nil || len(jobs) != 1 {
				t.Fatalf("Jobs: %v, %v", jobs, err)
			}
		}
		if err := d.open(t, nil).Exec(s.named("ALTER TABLE {{jobs}} ALTER COLUMN job_description TYPE " + kind)).Error; err != nil {
			t.Fatal(err)
		}
		if jobs, err := s.Jobs(t.Context(), []string{"a"}); err != nil || len(jobs) != 1 {
			t.Errorf("Jobs after a column has become %s: %v, %v", kind, jobs, err)
		}
	}
}
