package gormsched

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// managed are the management calls, each on n items: prepare makes the state
// that it works on, call does it once and describes its answer.
var managed = []struct {
	name    string
	prepare func(f *definitions, n int)
	call    func(f *definitions, n int) (string, error)
}{
	{"save new jobs", func(*definitions, int) {}, func(f *definitions, n int) (string, error) {
		return f.save(n, provider.Always, 0)
	}},
	{"save new jobs if absent", func(*definitions, int) {}, func(f *definitions, n int) (string, error) {
		return f.save(n, provider.IfAbsent, 0)
	}},
	{"replace jobs", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		return f.save(n, provider.Always, 0)
	}},
	{"replace jobs of a version", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		return f.save(n, provider.IfVersion, f.version)
	}},
	{"jobs become exclusive while they run", func(f *definitions, n int) { f.jobs(n, true); f.runs(n) }, func(f *definitions, n int) (string, error) {
		return f.save(n, provider.Always, 0)
	}},
	{"delete jobs", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		return errorsOf(f.s.DeleteJobs(f.ctx, f.names(n)))
	}},
	{"add triggers", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		var list []provider.TriggerRecord
		for _, k := range f.keys(n, "added") {
			tr := waitingTrigger("added", f.at)
			tr.TriggerKey = k
			list = append(list, tr)
		}
		return errorsOf(f.s.AddTriggers(f.ctx, list))
	}},
	{"remove triggers", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		return errorsOf(f.s.RemoveTriggers(f.ctx, f.keys(n, "stays")))
	}},
	{"reschedule", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		var items []provider.RescheduleItem
		for _, k := range f.keys(n, "stays") {
			items = append(items, provider.RescheduleItem{Key: k, Version: f.version, Next: provider.Next{
				State: provider.TriggerWaiting, ScheduledAt: f.at.Add(time.Minute), NextFireAt: f.at.Add(time.Minute), ZoneHash: "z",
			}})
		}
		done, err := f.s.Reschedule(f.ctx, items)
		return fmt.Sprint(done), err
	}},
	{"pause jobs", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		return errorsOf(f.s.PauseJobs(f.ctx, f.names(n)))
	}},
	{"resume jobs", func(f *definitions, n int) {
		f.jobs(n, false)
		f.must(f.s.PauseJobs(f.ctx, f.names(n)))
	}, func(f *definitions, n int) (string, error) {
		return errorsOf(f.s.ResumeJobs(f.ctx, f.names(n)))
	}},
	{"pause triggers", func(f *definitions, n int) { f.jobs(n, false) }, func(f *definitions, n int) (string, error) {
		return errorsOf(f.s.PauseTriggers(f.ctx, f.keys(n, "stays")))
	}},
	{"resume triggers", func(f *definitions, n int) {
		f.jobs(n, false)
		f.must(f.s.PauseTriggers(f.ctx, f.keys(n, "stays")))
	}, func(f *definitions, n int) (string, error) {
		return errorsOf(f.s.ResumeTriggers(f.ctx, f.keys(n, "stays")))
	}},
	{"purge runs", func(f *definitions, n int) { f.ended(n) }, func(f *definitions, n int) (string, error) {
		purged, err := f.s.PurgeRuns(f.ctx, time.Hour)
		return fmt.Sprint(purged), err
	}},
}

// definitions is a store with short words for what the table above needs.
type definitions struct {
	testing.TB
	s       *JobStore
	ctx     context.Context
	at      time.Time
	version int64 // of every job and trigger that jobs inserts
}

func newDefinitions(t testing.TB, s *JobStore) *definitions {
	for _, name := range shortNames {
		sqlExec(t, s, "DELETE FROM {{"+name+"}}")
	}
	return &definitions{TB: t, s: s, ctx: context.Background(), at: us(1767225600000000), version: 7}
}

func (f *definitions) must(_ []error, err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *definitions) names(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("job-%04d", n-i)) // not in order
	}
	return names
}

func (f *definitions) keys(n int, trigger string) []provider.TriggerKey {
	var keys []provider.TriggerKey
	for _, name := range f.names(n) {
		keys = append(keys, provider.TriggerKey{Job: name, Trigger: trigger})
	}
	return keys
}

// jobs inserts jobs of three triggers each: one that a save keeps, one that it
// changes, one that it removes.
func (f *definitions) jobs(n int, concurrent bool) {
	f.Helper()
	var jobs, triggers [][]any
	for _, name := range f.names(n) {
		jobs = append(jobs, jobRow(provider.JobRecord{Name: name, Handler: "old", AllowConcurrent: concurrent, Source: provider.SourceCode, Version: f.version}))
		for _, trigger := range []string{"stays", "changes", "goes"} {
			tr := waitingTrigger(trigger, f.at)
			tr.Job, tr.Exclusive, tr.Version = name, !concurrent, f.version
			triggers = append(triggers, triggerRow(tr))
		}
	}
	f.insert(func(t *tx) error {
		return errors.Join(t.insertRows(t.c.t.jobs, sourceColumns(jobColumns...), jobs), t.insertRows(t.c.t.triggers, sourceColumns(triggerColumns...), triggers))
	})
}

// runs inserts two Running runs per job; ended inserts ended ones.
func (f *definitions) runs(n int) {
	var rows [][]any
	for i, name := range f.names(n) {
		for age := range 2 {
			r := frozenRuns[1]
			r.ID, r.Job, r.StartedAt = fmt.Sprintf("run-%04d-%d", i, age), name, f.at.Add(time.Duration(age)*time.Second)
			rows = append(rows, runRow(r))
		}
	}
	f.insert(func(t *tx) error { return t.insertRows(t.c.t.runs, sourceColumns(runColumns...), rows) })
}

func (f *definitions) ended(n int) {
	var rows [][]any
	for i := range n {
		r := frozenRuns[0]
		r.ID, r.CompletedAt = fmt.Sprintf("run-%04d", i), f.at
		rows = append(rows, runRow(r))
	}
	f.insert(func(t *tx) error { return t.insertRows(t.c.t.runs, sourceColumns(runColumns...), rows) })
}

func (f *definitions) insert(rows func(*tx) error) {
	f.Helper()
	if err := f.s.core.inTx(f.ctx, "fixture", txManage, rows, nil); err != nil {
		f.Fatal(err)
	}
}

// save saves jobs of three triggers, exclusive ones, and describes the answers.
func (f *definitions) save(n int, condition provider.Condition, version int64) (string, error) {
	var items []provider.SaveItem
	for _, name := range f.names(n) {
		changes := waitingTrigger("changes", f.at)
		changes.Schedule = "cron 0 30 * * * *"
		item := jobItem(name, waitingTrigger("stays", f.at), changes, waitingTrigger("comes", f.at))
		item.Condition, item.Version = condition, version
		items = append(items, item)
	}
	answers, err := f.s.SaveJobs(f.ctx, items)
	var text []string
	for _, a := range answers {
		text = append(text, fmt.Sprintf("%v %v %s %d", a.Saved, a.Replaced, a.Before.Name, a.Before.Version))
	}
	return strings.Join(text, ", "), err
}

func errorsOf(errs []error, err error) (string, error) { return fmt.Sprint(errs), err }

// state describes all rows but the versions that were drawn.
func (f *definitions) state() string {
	f.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT job_name, handler_key || ' ' || COALESCE(active_run_id, '-'), paused, allow_concurrent FROM {{jobs}} ORDER BY 1",
		"SELECT trigger_key, schedule_text || ' ' || COALESCE(zone_hash, '-'), trigger_state, paused + 10 * is_exclusive FROM {{triggers}} ORDER BY 1",
		"SELECT run_id, run_id, run_state, 0 FROM {{runs}} ORDER BY 1",
	} {
		rows, err := f.s.core.db.Raw(f.s.named(q)).Rows()
		if err != nil {
			f.Fatal(err)
		}
		for rows.Next() {
			var key, text string
			var x, y int
			if err := rows.Scan(&key, &text, &x, &y); err != nil {
				f.Fatal(err)
			}
			fmt.Fprintln(&b, key, text, x, y)
		}
		rows.Close()
	}
	return b.String()
}

// A management call takes the same number of statements for 1, 16 and 500
// items (design of the tests).
func TestManageStatementCounts(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		for _, op := range managed {
			t.Run(op.name, func(t *testing.T) {
				counts := map[int]int{}
				var texts []string
				for _, n := range []int{1, 16, 499} {
					f := newDefinitions(t, s)
					op.prepare(f, n)
					var err error
					sent := w.record(func() { _, err = op.call(f, n) })
					if err != nil {
						t.Fatal(err)
					}
					counts[n], texts = statements(sent)
				}
				if counts[1] != counts[16] {
					t.Errorf("1 and 16 items take %d and %d statements:\n%s", counts[1], counts[16], strings.Join(texts, "\n"))
				}
				// 499 jobs have 1,497 triggers: three statements of 499 each.
				if parts := (counts[499] - counts[16]); parts > 10 {
					t.Errorf("499 items take %d statements, 16 take %d:\n%s", counts[499], counts[16], strings.Join(texts, "\n"))
				}
			})
		}
	})
}

// Whatever breaks at whichever statement, a management call that answers nil
// has done what it says, once, and gives the answer that it gives without the
// fault; one that fails has done nothing, or all of it, and can be called again
// (R020, R021, D09).
func TestManageKillPoints(t *testing.T) {
	const items = 3
	onEach(t, func(t *testing.T, d testDatabase) {
		s, w := d.wired(t, Options{})
		for _, op := range managed {
			t.Run(op.name, func(t *testing.T) {
				f := newDefinitions(t, s)
				op.prepare(f, items)
				before := f.state()
				var answer string
				var err error
				sent := w.record(func() { answer, err = op.call(f, items) })
				if err != nil {
					t.Fatal(err)
				}
				after := f.state()
				for n, e := range sent {
					for _, fail := range []fault{failBefore, failAfter} {
						f := newDefinitions(t, s)
						op.prepare(f, items)
						w.reset(func(i int, _ event) fault {
							if i == n {
								return fail
							}
							return send
						})
						got, err := op.call(f, items)
						w.reset(nil)
						if err != nil || got != answer || f.state() != after {
							t.Errorf("%d %s breaks (%d): %v, answer %s, want %s; state\n%s", n, e.text, fail, err, got, answer, f.state())
						}
					}
					// The process is gone: nothing or all of it is there, and
					// the next one can do it.
					f := newDefinitions(t, s)
					op.prepare(f, items)
					w.reset(func(i int, _ event) fault {
						if i == n {
							return cutHere
						}
						return send
					})
					_, err := op.call(f, items)
					w.reset(nil)
					if !errors.Is(err, provider.ErrStoreUnavailable) {
						t.Errorf("%d %s is cut: got %v, want ErrStoreUnavailable", n, e.text, err)
					}
					if errors.Is(err, provider.ErrOutcomeUnknown) != (e.text == "COMMIT") {
						t.Errorf("%d %s is cut: got %v; only a lost commit leaves the outcome open", n, e.text, err)
					}
					if got := f.state(); got != before && got != after {
						t.Errorf("%d %s is cut: half of it is there:\n%s", n, e.text, got)
					}
				}
			})
		}
	})
}

// Many nodes that save, delete, pause and reschedule the same jobs at once all
// get answers, no call deadlocks for good, and the result is whole: a job has
// all its triggers or is not there (D23, D28, B158).
func TestManageAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		d.store(t, Options{})
		const nodes, rounds, jobs = 6, 5, 8
		atOnce(nodes, func(i int) {
			f := &definitions{TB: t, s: d.bare(t, Options{}), ctx: context.Background(), at: us(1)}
			for range rounds {
				var err error
				switch i % 6 {
				case 0, 1, 2:
					_, err = f.save(jobs, provider.Always, 0)
				case 3:
					_, err = f.s.PauseJobs(f.ctx, f.names(jobs))
				case 4:
					_, err = f.s.ResumeTriggers(f.ctx, slices.Concat(f.keys(jobs, "comes"), f.keys(jobs, "stays")))
				case 5:
					_, err = f.s.DeleteJobs(f.ctx, f.names(jobs/2))
				}
				if err != nil {
					t.Errorf("node %d: %v", i, err)
				}
			}
		})
		f := &definitions{TB: t, s: d.bare(t, Options{}), ctx: context.Background()}
		list, err := f.s.ListTriggers(f.ctx, provider.TriggerQuery{})
		if err != nil {
			t.Fatal(err)
		}
		perJob := map[string]int{}
		for _, tr := range list {
			perJob[tr.Job]++
			if tr.Paused != (tr.State == provider.TriggerPaused) {
				t.Errorf("%v is %v with flag %v", tr.TriggerKey, tr.State, tr.Paused)
			}
		}
		for job, n := range perJob {
			if n != 3 {
				t.Errorf("job %s has %d triggers, want 3", job, n)
			}
		}
		stored, err := f.s.ListJobs(f.ctx, "", 0)
		if err != nil || len(stored) != len(perJob) {
			t.Errorf("%d jobs, %d with triggers, %v", len(stored), len(perJob), err)
		}
	})
}

// Six nodes that save a code job if it is absent: one saves it, the others find
// it, and nobody fails (D28, B158).
func TestSaveIfAbsentAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		d.store(t, Options{})
		const nodes, jobs = 6, 20
		saved := make([]int, nodes)
		atOnce(nodes, func(i int) {
			s := d.bare(t, Options{})
			var items []provider.SaveItem
			for j := range jobs {
				item := jobItem(fmt.Sprintf("job-%02d", (j*(2*i+1))%jobs), waitingTrigger("default", us(1))) // each in an order of its own
				item.Condition = provider.IfAbsent
				items = append(items, item)
			}
			answers, err := s.SaveJobs(context.Background(), items)
			if err != nil {
				t.Errorf("node %d: %v", i, err)
			}
			seen := map[string]bool{}
			for k, a := range answers {
				if name := items[k].Job.Name; a.Saved && !seen[name] {
					seen[name] = true
					saved[i]++
				}
				if a.Saved == a.Replaced || a.Replaced != (a.Before.Name != "") {
					t.Errorf("node %d: answer %+v", i, a)
				}
			}
		})
		total := 0
		for _, n := range saved {
			total += n
		}
		if total != jobs {
			t.Errorf("%d saves of %d jobs: %v", total, jobs, saved)
		}
	})
}

// An application's transaction that has enqueued and stays open stops none of
// the management calls (D34, D23).
func TestOpenEnqueueStopsNobody(t *testing.T) {
	if postgresDSN() == "" {
		t.Log("left out: GORMSCHED_TEST_POSTGRES_DSN is not set")
		return
	}
	d := postgresDatabase(t)
	s := d.store(t, Options{})
	f := &definitions{TB: t, s: s, ctx: context.Background(), at: us(1)}
	f.jobs(1, false)
	app := d.open(t, nil).Begin()
	defer app.Rollback()
	enqueuer, err := s.EnqueuerIn(app)
	if err != nil {
		t.Fatal(err)
	}
	job := f.names(1)[0]
	shot := provider.TriggerRecord{TriggerKey: provider.TriggerKey{Job: job, Trigger: "manual-x"}, RunAs: provider.KindManual}
	if _, err := enqueuer.Enqueue(f.ctx, []provider.TriggerRecord{shot}); err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{"pause jobs", "resume jobs", "pause triggers", "resume triggers", "replace jobs", "add triggers", "delete jobs", "save new jobs"} {
		for _, m := range managed {
			if m.name != op {
				continue
			}
			ctx, cancel := context.WithTimeout(f.ctx, 4*time.Second)
			f.ctx = ctx
			if answer, err := m.call(f, 1); err != nil {
				t.Errorf("%s beside an open enqueue: %v, %s", op, err, answer)
			}
			cancel()
			f.ctx = context.Background()
		}
	}
	if err := app.Commit().Error; err != nil {
		t.Fatal(err)
	}
	got, err := s.Triggers(f.ctx, []provider.TriggerKey{shot.TriggerKey})
	if err != nil || len(got) != 1 {
		t.Errorf("the one-shot after the commit: %v, %v", got, err)
	}
}
