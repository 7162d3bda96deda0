package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Mend takes out of a table what does not apply any more and searches, target
// by target, for mutants of the cases that have none. Each search may take so
// long. A target whose database is not there is left out.
func Mend(root string, list []Entry, limit time.Duration, tell func(string)) ([]Entry, error) {
	list, err := applicable(root, list)
	if err != nil {
		return nil, err
	}
	for _, target := range Targets {
		missing := Missing(list)
		if len(missing) == 0 {
			break
		}
		if target.Needs != "" && os.Getenv(target.Needs) == "" {
			tell(fmt.Sprintf("%s: %s is not set", target.Name, target.Needs))
			continue
		}
		tell(fmt.Sprintf("%s: searching for %v", target.Name, missing))
		added, err := mendOn(root, target, missing, limit, tell)
		if err != nil {
			return nil, err
		}
		list = append(list, added...)
	}
	return list, nil
}

// mendOn searches on one target. All that the cases reach is learnt, so that a
// mutant that few cases reach can be told from one that all do.
func mendOn(root string, target Target, missing []string, limit time.Duration, tell func(string)) ([]Entry, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := OpenSearch(root, filepath.Join(dir, "search"), target)
	if err != nil {
		return nil, err
	}
	if err := s.Learn(func(_, _ string) bool { return true }, tell); err != nil {
		return nil, err
	}
	wanted := func(suite, name string) bool { return slices.Contains(missing, suite+"/"+name) }
	if err := s.Go(limit, 6, wanted, tell); err != nil {
		return nil, err
	}
	return s.Choose(map[string]bool{}, tell)
}

// applicable leaves out entries whose place is gone, and cases that are in no
// suite any more.
func applicable(root string, list []Entry) ([]Entry, error) {
	located, errs := Located(root, list)
	if len(located) != len(list) {
		return nil, fmt.Errorf("looking for the entries: %v", errs)
	}
	known := map[string]bool{}
	for suite, cases := range Suites() {
		for _, c := range cases {
			known[suite+"/"+c.Name] = true
		}
	}
	var kept []Entry
	for i, e := range list {
		e.Cases = slices.DeleteFunc(slices.Clone(e.Cases), func(c string) bool { return !known[c] })
		if located[i].ID != 0 && len(e.Cases) > 0 {
			kept = append(kept, e)
		}
	}
	return kept, nil
}
