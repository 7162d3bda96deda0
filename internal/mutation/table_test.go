package mutation

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// Every entry of the table still names a place in the code and cases of the
// suites, and every case has a mutant that it fails (design of the tests). make
// mutants shows that it does.
func TestTable(t *testing.T) {
	list, err := ReadTable(filepath.Join(root, Table))
	if err != nil {
		t.Fatal(err)
	}
	located, errs := Located(root, list)
	for _, err := range errs {
		t.Error(err)
	}
	for i, e := range list {
		target, _ := TargetNamed(e.Target)
		for _, c := range e.Cases {
			suite, _, _ := strings.Cut(c, "/")
			if !slices.Contains(target.suites(e.File), suite) {
				t.Errorf("%v is no mutant for %s: its code does not count for that suite", located[i], c)
			}
		}
		if len(e.Cases) == 0 {
			t.Errorf("%v fails no case", located[i])
		}
	}
	for _, c := range Missing(list) {
		t.Errorf("no mutant is known that %s fails: run make mutants-mend", c)
	}
}

// Every rule and decision has a case, another test that names it, or a reason
// why it has neither.
func TestRulesAreHeldUp(t *testing.T) {
	rules, err := Rules(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 306+44 {
		t.Errorf("found %d rules and decisions, want 350", len(rules))
	}
	reasons, err := Reasons(filepath.Join(root, RulesWithoutCase))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		held := len(r.Cases)+len(r.Tests) > 0
		switch reason := reasons[r.Number]; {
		case !held && reason == "":
			t.Errorf("no case and no test names %s: write one, or the reason why there is none into %s", r.Number, RulesWithoutCase)
		case held && reason != "":
			t.Logf("%s needs no reason any more: %v %v", r.Number, r.Cases, r.Tests)
		}
		delete(reasons, r.Number)
	}
	for number := range reasons {
		t.Errorf("%s gives a reason for %s, which is no rule", RulesWithoutCase, number)
	}
}

func TestNumbersIn(t *testing.T) {
	got := numbersIn("(R027–R029, D35) and R001; D06–D08; not XR12 or P09")
	want := []string{"D06", "D07", "D08", "D35", "R001", "R027", "R028", "R029"}
	if !slices.Equal(got, want) {
		t.Errorf("numbers %v, want %v", got, want)
	}
}

// A table that was written is read as it was.
func TestReadTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.tsv")
	list := []Entry{
		{"sqlite", Name{File: "b.go", Func: "f", Original: `" = ?"`, Change: "left out"}, []string{"store/B", "store/A"}},
		{"memory", Name{File: "b.go", Func: "f", Original: "x > 1", Change: ">=", Nth: 2}, []string{"store/A"}},
	}
	if err := WriteTable(path, slices.Clone(list)); err != nil {
		t.Fatal(err)
	}
	got, err := ReadTable(path)
	if err != nil || len(got) != 2 || got[0].Name != list[1].Name || got[1].Name != list[0].Name || got[1].Cases[0] != "store/A" {
		t.Errorf("read %+v, %v", got, err)
	}
	if len(Missing(got)) == 0 || !Named(got, "sqlite")["store/B"] || Named(got, "memory")["store/B"] {
		t.Error("the cases of the entries are not told apart")
	}
}
