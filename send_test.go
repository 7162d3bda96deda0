package gormsched

import (
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Rows are sent in parts of at most MaxBatch rows and textMost bytes, in order,
// none left out; a row that is longer goes alone.
func TestParts(t *testing.T) {
	quarter := strings.Repeat(`"`, textMost/8) // a quarter as JSON writes it
	for _, c := range []struct {
		name string
		rows [][]any
		want []int
	}{
		{"none", nil, nil},
		{"few", [][]any{{"a", 1}, {"b", nil}}, []int{2}},
		{"many", make([][]any, 2*provider.MaxBatch+1), []int{provider.MaxBatch, provider.MaxBatch, 1}},
		{"long", [][]any{{quarter}, {quarter, quarter}, {quarter}, {quarter}, {"x"}}, []int{3, 2}},
		{"longer than a statement", [][]any{{"x"}, {strings.Repeat("\x01", textMost)}, {"y"}, {"z"}}, []int{1, 1, 2}},
	} {
		var got []int
		var all [][]any
		for part := range parts(c.rows) {
			got, all = append(got, len(part)), append(all, part...)
		}
		if len(got) != len(c.want) || len(all) != len(c.rows) {
			t.Errorf("%s: parts of %v rows, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: parts of %v rows, want %v", c.name, got, c.want)
			}
		}
	}
}

// A whole batch of long texts is longer than a server takes in one statement by
// default, and is written and replaced all the same.
func TestBatchOfLongTexts(t *testing.T) {
	onMySQLs(t, func(t *testing.T, name string) {
		w := newWorld(t, mysqlDatabase(name)(t).store(t, Options{}))
		text := `{"x":"` + strings.Repeat(`\"`, 3<<13) + `"}`
		var runs []provider.RunRecord
		for _, id := range runIDs(provider.MaxBatch) {
			runs = append(runs, provider.RunRecord{ID: id, Job: "a", Node: "n", State: provider.RunRunning, Data: text, Result: text[:len(text)/8]})
		}
		w.must(w.s.Record(w.ctx, runs))
		for i := range runs {
			runs[i].State = provider.RunSucceeded
		}
		w.must(w.s.Record(w.ctx, runs))
		got, err := w.s.Runs(w.ctx, provider.RunQuery{Limit: 1})
		w.must(err)
		if len(got) != 1 || got[0].Data != text {
			t.Errorf("%d runs came back", len(got))
		}
		if n := w.count("SELECT COUNT(*) FROM {{runs}} WHERE run_state <> 1"); n != len(runs) {
			t.Errorf("%d runs have ended, want %d", n, len(runs))
		}
	})
}
