package mutation

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Choose picks, for each case that some mutant of the search failed and that is
// not named yet, a mutant that fails few others, and runs it again, twice: what does
// not fail each time is not taken. One that is picked already and fails at most few
// cases is enough.
func (s *Search) Choose(named map[string]bool, tell func(string)) ([]Entry, error) {
	const few, most = 4, 40
	byCase := map[string][]Row{}
	for _, r := range s.Rows {
		if r.Unsound {
			continue
		}
		for _, c := range r.Failed {
			byCase[c] = append(byCase[c], r)
		}
	}
	chosen := map[int]*Entry{}
	for _, c := range slices.Sorted(maps.Keys(byCase)) {
		rows := byCase[c]
		slices.SortStableFunc(rows, func(a, b Row) int { return worth(a) - worth(b) })
		if named[c] || slices.ContainsFunc(rows, func(r Row) bool {
			e := chosen[r.Mutant.ID]
			return e != nil && len(r.Failed) <= few && slices.Contains(e.Cases, c)
		}) {
			continue
		}
		for _, r := range rows[:min(len(rows), most)] {
			cases := r.Failed
			if len(cases) > 2*few || r.Broke {
				cases = []string{c}
			}
			again, err := s.again(r.Mutant.ID, cases)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(again, c) {
				tell(fmt.Sprintf("%s did not fail again for %v", c, r.Mutant))
				continue
			}
			e := chosen[r.Mutant.ID]
			if e == nil {
				e = &Entry{Target: s.Build.Target.Name, Name: r.Mutant.Name}
				chosen[r.Mutant.ID] = e
			}
			for _, f := range again {
				if !slices.Contains(e.Cases, f) {
					e.Cases = append(e.Cases, f)
				}
			}
			break
		}
	}
	var list []Entry
	for _, id := range slices.Sorted(maps.Keys(chosen)) {
		list = append(list, *chosen[id])
	}
	return list, nil
}

// again are the cases that fail twice more.
func (s *Search) again(id int, cases []string) ([]string, error) {
	for range 2 {
		r, err := s.Build.Run(id, cases, s.limit(len(cases)))
		if err != nil || r.Unsound {
			return nil, err
		}
		cases = slices.DeleteFunc(slices.Clone(cases), func(c string) bool { return !slices.Contains(r.Failed, c) })
	}
	return cases, nil
}

// worth is how little a row says: how many cases the mutant fails, more if it
// ends the run, or is a lost value rather than a condition, a write or an order.
func worth(r Row) int {
	n := 2 * len(r.Failed)
	if r.Ran > 0 {
		n = n * r.Reaching / r.Ran // as many of those that did not run
	}
	if r.Broke {
		n += 1000
	}
	if r.Mutant.weak() {
		n += 40
	}
	return n
}

var onlyAnError = regexp.MustCompile(`^(err [!=]= nil|check\w*\(.*|err = .*|err := .*)$`)

// weak: a call that is taken for failed, or a value that is lost, breaks what
// comes after it; that says less than another condition, write or order.
func (m Mutant) weak() bool {
	return onlyAnError.MatchString(m.Original) || strings.HasSuffix(m.Change, " is "+zeroed)
}

// Named are the cases that entries of a target name.
func Named(list []Entry, target string) map[string]bool {
	named := map[string]bool{}
	for _, e := range list {
		if e.Target != target {
			continue
		}
		for _, c := range e.Cases {
			named[c] = true
		}
	}
	return named
}
