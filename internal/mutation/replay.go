package mutation

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Missing lists the cases that no entry names.
func Missing(list []Entry) []string {
	have := map[string]bool{}
	for _, e := range list {
		for _, c := range e.Cases {
			have[c] = true
		}
	}
	var missing []string
	for suite, cases := range Suites() {
		for _, c := range cases {
			if name := suite + "/" + c.Name; !have[name] {
				missing = append(missing, name)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// Located gives each entry the line and id that its mutant has now. An entry
// whose mutant is not there is an error, and so is one that names a case that is
// in no suite.
func Located(root string, list []Entry) ([]Mutant, []error) {
	known := map[string]bool{}
	for suite, cases := range Suites() {
		for _, c := range cases {
			known[suite+"/"+c.Name] = true
		}
	}
	found := map[string]map[Name]Mutant{}
	located := make([]Mutant, len(list))
	var errs []error
	for i, e := range list {
		if found[e.Target] == nil {
			found[e.Target] = map[Name]Mutant{}
			target, ok := TargetNamed(e.Target)
			if !ok {
				errs = append(errs, fmt.Errorf("there is no target %q", e.Target))
			}
			all, err := Find(root, target)
			if err != nil {
				return located, append(errs, err)
			}
			for _, m := range all {
				found[e.Target][m.Name] = m
			}
		}
		m, ok := found[e.Target][e.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %s has no place where %q is %q (number %d): the code was changed; run make mutants-mend (it fails %v)",
				e.File, e.Func, e.Original, e.Change, e.Nth, e.Cases))
		}
		located[i] = m
		for _, c := range e.Cases {
			if !known[c] {
				errs = append(errs, fmt.Errorf("%s: the case %s is in no suite", e.File, c))
			}
		}
	}
	return located, errs
}

// Survivor is a case that passes in spite of its mutant.
type Survivor struct {
	Entry  Entry
	Mutant Mutant
	Case   string
}

// Replay runs each entry's cases with its mutant and answers those that pass.
// Each target is built once; one whose database is not there is left out.
func Replay(root string, list []Entry, tell func(string)) ([]Survivor, error) {
	var survivors []Survivor
	byTarget := map[string][]Entry{}
	for _, e := range list {
		byTarget[e.Target] = append(byTarget[e.Target], e)
	}
	for _, name := range slices.Sorted(maps.Keys(byTarget)) {
		target, ok := TargetNamed(name)
		if !ok {
			return nil, fmt.Errorf("there is no target %q", name)
		}
		if target.Needs != "" && os.Getenv(target.Needs) == "" {
			tell(fmt.Sprintf("%s: %s is not set, %d mutants left out", name, target.Needs, len(byTarget[name])))
			continue
		}
		more, err := replayOne(root, target, byTarget[name])
		if err != nil {
			return survivors, err
		}
		survivors = append(survivors, more...)
		tell(fmt.Sprintf("%s: %d mutants, %d cases that they do not fail", name, len(byTarget[name]), len(more)))
	}
	return survivors, nil
}

func replayOne(root string, target Target, list []Entry) ([]Survivor, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	root, err = filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	build, err := Instrument(root, dir, target)
	if err != nil {
		return nil, err
	}
	ids := map[Name]Mutant{}
	for _, m := range build.Mutants {
		ids[m.Name] = m
	}
	var survivors []Survivor
	for _, e := range list {
		m, ok := ids[e.Name]
		if !ok {
			return nil, fmt.Errorf("%s: %q is no longer there", e.File, e.Original)
		}
		result, err := build.Run(m.ID, e.Cases, 10*time.Second+time.Duration(len(e.Cases))*time.Second)
		if err != nil {
			return nil, err
		}
		for _, c := range e.Cases {
			if !slices.Contains(result.Failed, c) && !failsAlone(build, m, c) {
				survivors = append(survivors, Survivor{e, m, c})
			}
		}
	}
	return survivors, nil
}

// failsAlone runs a case up to three times more: one may have come after another
// that ended the run, or have been let pass by a race.
func failsAlone(b Build, m Mutant, c string) bool {
	for range 3 {
		if result, err := b.Run(m.ID, []string{c}, 10*time.Second); err == nil && slices.Contains(result.Failed, c) {
			return true
		}
	}
	return false
}
