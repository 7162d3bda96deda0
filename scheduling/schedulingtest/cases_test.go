package schedulingtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var suites = map[string]func() []Case{"store": StoreCases, "election": ElectionCases, "scheduler": SchedulerCases}

// TestCasesAreWhole checks the cases as data: names that can be asked for with
// -run, numbers of the known forms, a sentence, something to run.
func TestCasesAreWhole(t *testing.T) {
	number := regexp.MustCompile(`^(R\d{3}|[DP]\d{2}|G\d{1,2}|B\d{2,3})$`)
	name := regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`)
	for suite, cases := range suites {
		seen := map[string]bool{}
		for _, c := range cases() {
			if !name.MatchString(c.Name) || seen[c.Name] {
				t.Errorf("%s/%s: the name is taken or is no single word", suite, c.Name)
			}
			seen[c.Name] = true
			if len(c.Rules) == 0 || c.Explanation == "" || strings.HasSuffix(c.Explanation, ".") || c.Run == nil {
				t.Errorf("%s/%s: rules %v, explanation %q; want some rules, and a sentence without its full stop", suite, c.Name, c.Rules, c.Explanation)
			}
			for i, r := range c.Rules {
				if !number.MatchString(r) || slices.Contains(c.Rules[:i], r) {
					t.Errorf("%s/%s: %q is no rule number, or comes twice", suite, c.Name, r)
				}
				if r[0] == 'B' && Scenario(r) == "" {
					t.Errorf("%s/%s: nothing says what scenario %s is", suite, c.Name, r)
				}
			}
		}
		if len(seen) == 0 {
			t.Errorf("suite %s has no cases", suite)
		}
	}
}

// TestScenariosAreUsed checks that no scenario is described for nothing.
func TestScenariosAreUsed(t *testing.T) {
	used := map[string]bool{}
	for _, cases := range suites {
		for _, c := range cases() {
			for _, r := range c.Rules {
				used[r] = true
			}
		}
	}
	for b := range scenarios {
		if !used[b] {
			t.Errorf("no case names scenario %s", b)
		}
	}
	if Scenario("B000") != "" {
		t.Errorf("an unknown scenario is described")
	}
}
