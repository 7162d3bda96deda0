package mutation

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Search is a search for mutants that cases fail. All it learns it keeps in its
// folder, where another one goes on from it.
type Search struct {
	Build Build
	// Reach are, for each case that runs on the target, the ids that it reaches.
	Reach map[string][]int
	// Rows are the mutants that were run.
	Rows []Row
	dir  string
}

// Row is what one mutant did to the cases that reach it.
type Row struct {
	Mutant Mutant
	Result
	// Reaching is how many cases reach it, Ran how many of them ran: if they are
	// many, those that had failed for no other.
	Reaching, Ran int
}

// OpenSearch goes on with the search in a folder, or begins one.
func OpenSearch(root, dir string, target Target) (*Search, error) {
	s := &Search{dir: dir}
	saved, err := os.ReadFile(filepath.Join(dir, "build.json")) //nolint:gosec // a developer's tool
	if err == nil {
		if err := json.Unmarshal(saved, &s.Build); err != nil {
			return nil, err
		}
		return s, s.load()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if s.Build, err = Instrument(root, dir, target); err != nil {
		return nil, err
	}
	if saved, err = json.Marshal(s.Build); err != nil {
		return nil, err
	}
	return s, os.WriteFile(filepath.Join(dir, "build.json"), saved, 0o600)
}

func (s *Search) load() error {
	text, err := os.ReadFile(filepath.Join(s.dir, "reach.json"))
	if err == nil {
		err = json.Unmarshal(text, &s.Reach)
	}
	if err != nil {
		return nil // not learnt yet
	}
	text, err = os.ReadFile(filepath.Join(s.dir, "rows.jsonl"))
	if err != nil {
		return nil // none yet
	}
	for line := range strings.Lines(string(text)) {
		var r Row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return err
		}
		s.Rows = append(s.Rows, r)
	}
	return nil
}

// Learn finds what each case reaches, where the cases are those wanted and it is
// not known. Cases that the target leaves out reach nothing.
func (s *Search) Learn(wanted func(suite, name string) bool, tell func(string)) error {
	reach := maps.Clone(s.Reach)
	if reach == nil {
		reach = map[string][]int{}
	}
	for suite, cases := range Suites() {
		for _, c := range cases {
			name := suite + "/" + c.Name
			if _, known := reach[name]; known || !s.Build.Target.has(suite) || !wanted(suite, c.Name) {
				continue
			}
			ids, err := s.Build.Reached([]string{name}, time.Minute)
			if err != nil {
				return err
			}
			reach[name] = ids
		}
		tell(fmt.Sprintf("%s: %d cases so far", suite, len(reach)))
	}
	s.Reach = reach
	text, err := json.Marshal(reach)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "reach.json"), text, 0o600)
}

// byMutant are, for each id, the wanted cases that reach it and that it counts
// for.
func (s *Search) byMutant(wanted func(suite, name string) bool) map[int][]string {
	of := map[int][]string{}
	suites := map[int][]string{}
	for _, m := range s.Build.Mutants {
		suites[m.ID] = s.Build.Target.suites(m.File)
	}
	for c, ids := range s.Reach {
		suite, name, _ := strings.Cut(c, "/")
		for _, id := range ids {
			if slices.Contains(suites[id], suite) && wanted(suite, name) {
				of[id] = append(of[id], c)
			}
		}
	}
	return of
}

// Go runs the wanted cases with mutants until the time is over, those that few
// cases reach first. One
// whose cases all fail for enough others already is passed over.
func (s *Search) Go(limit time.Duration, enough int, wanted func(suite, name string) bool, tell func(string)) error {
	began := time.Now()
	of, all := s.byMutant(wanted), s.byMutant(func(_, _ string) bool { return true })
	done, caught := map[int]bool{}, map[string]int{}
	for _, r := range s.Rows {
		done[r.Mutant.ID] = true
		if !r.Mutant.weak() {
			s.count(r, caught)
		}
	}
	list := slices.Clone(s.Build.Mutants)
	rank := func(m Mutant) int {
		if m.weak() {
			return len(all[m.ID]) + len(s.Reach) // after all others
		}
		return len(all[m.ID])
	}
	slices.SortStableFunc(list, func(a, b Mutant) int { return rank(a) - rank(b) })
	rows, err := os.OpenFile(filepath.Join(s.dir, "rows.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer rows.Close()
	for _, m := range list {
		cases := of[m.ID]
		if done[m.ID] || len(cases) == 0 ||
			!slices.ContainsFunc(cases, func(c string) bool { return caught[c] < enough }) {
			continue
		}
		if time.Since(began) > limit {
			tell("the time is over")
			break
		}
		reaching := len(all[m.ID])
		if reaching > specific { // it says little of each: only for those that have none
			cases = slices.DeleteFunc(slices.Clone(cases), func(c string) bool { return caught[c] >= enough })
		}
		result, err := s.Build.Run(m.ID, cases, s.limit(len(cases)))
		if err != nil {
			return err
		}
		if result.Broke && len(result.Failed) == 1 && len(cases) > 1 { // what of the others?
			if result, err = s.others(m.ID, cases, result); err != nil {
				return err
			}
		}
		r := Row{Mutant: m, Result: result, Reaching: reaching, Ran: len(cases)}
		s.Rows = append(s.Rows, r)
		s.count(r, caught)
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := rows.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	missing, searched := 0, 0
	for c, ids := range s.Reach {
		if suite, name, _ := strings.Cut(c, "/"); ids == nil || !wanted(suite, name) {
			continue
		}
		searched++
		if caught[c] == 0 {
			missing++
		}
	}
	tell(fmt.Sprintf("%d mutants ran, %d of %d cases failed for none", len(s.Rows), missing, searched))
	return nil
}

// others runs the cases again without the one at which a run ended.
func (s *Search) others(id int, cases []string, first Result) (Result, error) {
	rest := slices.DeleteFunc(slices.Clone(cases), func(c string) bool { return slices.Contains(first.Failed, c) })
	result, err := s.Build.Run(id, rest, s.limit(len(rest)))
	result.Failed = append(result.Failed, first.Failed...)
	result.Broke, result.Unsound = true, result.Unsound || first.Unsound
	return result, err
}

// specific is how many cases a mutant may fail to say something about each.
const specific = 25

func (s *Search) count(r Row, caught map[string]int) {
	if r.Unsound || len(r.Failed) > specific || r.Broke && len(r.Failed) > 1 {
		return
	}
	for _, c := range r.Failed {
		caught[c]++
	}
}

// limit is how long so many cases may take.
func (s *Search) limit(cases int) time.Duration {
	each := 20 * time.Millisecond
	if s.Build.Target.Test == "." {
		each = 250 * time.Millisecond
	}
	return 3*time.Second + time.Duration(cases)*each
}
