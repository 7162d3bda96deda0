package gormsched

import (
	"errors"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// A text that is not UTF-8, or holds a NUL, is refused on all databases alike,
// before anything is written: of one-shots item by item, elsewhere with the call
// (PostgreSQL would end the transaction, SQLite store something else).
func TestTextsThatCannotBeStored(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		w := newWorld(t, d.store(t, Options{}))
		w.jobs(false, "a")
		app := d.open(t, nil).Begin()
		in, err := w.s.EnqueuerIn(app)
		w.must(err)
		for i, bad := range []string{"\xff", `{"x":"` + "\x00" + `"}`, "\xed\xa0\x80"} {
			shot := func(name, data string) provider.TriggerRecord {
				return provider.TriggerRecord{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-" + name + string(rune('0'+i))}, RunAs: provider.KindManual, Data: data}
			}
			enqueuers := []provider.Enqueuer{w.s, in}
			if w.s.core.d.SingleWriter() {
				enqueuers = enqueuers[:1] // the transaction would keep the store waiting
			}
			for j, e := range enqueuers {
				suffix := string(rune('a' + j))
				answers, err := e.Enqueue(w.ctx, []provider.TriggerRecord{shot("bad"+suffix, bad), shot("good"+suffix, "{}")})
				w.must(err)
				if !errors.Is(answers[0].Err, provider.ErrInvalidDefinition) || answers[1].Err != nil || answers[1].Existed {
					t.Errorf("%q: the answers are %+v", bad, answers)
				}
			}
			for _, n := range []int{1, 2} {
				var runs []provider.RunRecord
				for k, id := range runIDs(n) {
					run := provider.RunRecord{ID: id, Job: "a", Node: "n", State: provider.RunSucceeded}
					if k == n-1 {
						run.Result = bad
					}
					runs = append(runs, run)
				}
				if err := w.s.Record(w.ctx, runs); !errors.Is(err, provider.ErrInvalidDefinition) {
					t.Errorf("%q, %d runs: got %v, want it refused", bad, n, err)
				}
			}
			item := jobItem("b")
			item.Job.Data = bad
			if _, err := w.s.SaveJobs(w.ctx, []provider.SaveItem{jobItem("c"), item}); !errors.Is(err, provider.ErrInvalidDefinition) {
				t.Errorf("%q: saving a job answers %v, want it refused", bad, err)
			}
		}
		w.must(app.Commit().Error)
		if runs, jobs := w.count("SELECT COUNT(*) FROM {{runs}}"), w.count("SELECT COUNT(*) FROM {{jobs}}"); runs != 0 || jobs != 1 {
			t.Errorf("%d runs and %d jobs, want 0 and 1", runs, jobs)
		}
	})
}
