package mutation

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Fate is what became of a mutant that is in no table.
type Fate struct {
	Mutant   Mutant
	Reaching int // how many cases reach it
	Survived bool
	Result   // of the first that failed
}

// Survivors runs all mutants that are wanted until the time is over
// and answers those that no case fails, and those that no case reaches. What it
// learns it keeps in the folder of the search. Many survivors are right: what
// they change makes no difference that a case could see.
func (s *Search) Survivors(limit time.Duration, wanted func(Mutant) bool) (survived, unreached []Mutant, err error) {
	path := filepath.Join(s.dir, "fates.jsonl")
	known, err := readFates(path)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range s.Rows {
		if _, ok := known[r.Mutant.ID]; !ok && len(r.Failed) > 0 {
			known[r.Mutant.ID] = Fate{r.Mutant, r.Reaching, false, r.Result}
		}
	}
	fates, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // a developer's tool
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, fates.Close()) }()
	of := s.byMutant(func(_, _ string) bool { return true })
	list := slices.DeleteFunc(slices.Clone(s.Build.Mutants), func(m Mutant) bool { return !wanted(m) })
	slices.SortStableFunc(list, func(a, b Mutant) int { return len(of[a.ID]) - len(of[b.ID]) })
	began := time.Now()
	for _, m := range list {
		cases := of[m.ID]
		fate, ok := known[m.ID]
		switch {
		case len(cases) == 0:
			unreached = append(unreached, m)
			continue
		case !ok && time.Since(began) > limit:
			continue
		case !ok:
			fate = Fate{Mutant: m, Reaching: len(cases)}
			if fate.Result, err = s.Build.First(m.ID, cases, s.limit(len(cases))); err != nil {
				return nil, nil, err
			}
			fate.Survived = len(fate.Failed) == 0 && !fate.Broke
			text, err := json.Marshal(fate)
			if err != nil {
				return nil, nil, err
			}
			if _, err := fates.Write(append(text, '\n')); err != nil {
				return nil, nil, err
			}
		}
		if fate.Survived {
			survived = append(survived, m)
		}
	}
	return survived, unreached, nil
}

func readFates(path string) (map[int]Fate, error) {
	known := map[int]Fate{}
	f, err := os.Open(path) //nolint:gosec // a developer's tool
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); d.More(); {
		var fate Fate
		if err := d.Decode(&fate); err != nil {
			return nil, err
		}
		known[fate.Mutant.ID] = fate
	}
	return known, nil
}
