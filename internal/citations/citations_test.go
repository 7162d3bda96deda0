package citations

import (
	"slices"
	"strings"
	"testing"
)

func TestRulesAreComplete(t *testing.T) {
	for _, f := range ruleFaults(read(t, rulesFile)) {
		t.Errorf("%s: %s", rulesFile, f)
	}
}

func TestDecisionsAreComplete(t *testing.T) {
	for _, f := range decisionFaults(read(t, decisionsFile)) {
		t.Errorf("%s: %s", decisionsFile, f)
	}
}

func TestCitationsAreDefined(t *testing.T) {
	defined := map[string]bool{}
	for _, file := range []string{rulesFile, decisionsFile} {
		for _, n := range definedIn(read(t, file)) {
			defined[n] = true
		}
	}
	c := collect(t, moduleRoot(t))
	// The two documents explain themselves with each other's numbers. The section that
	// collects proposals names its own before they exist, so proposals are left out there.
	for _, file := range []string{rulesFile, decisionsFile} {
		for _, cited := range inMarkdown(file, read(t, file)) {
			if cited.number[0] != 'P' {
				c.cited = append(c.cited, cited)
			}
		}
	}
	if c.goFiles == 0 || len(c.cited) == 0 {
		t.Fatalf("saw %d Go files and %d citations: the walk misses the project", c.goFiles, len(c.cited))
	}
	for _, cited := range c.cited {
		if !defined[cited.number] {
			t.Errorf("%v is defined neither in %s nor in %s: correct the number, or write it differently if it is no citation",
				cited, rulesFile, decisionsFile)
		}
	}
}

func TestNumbersInText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"begin (R033, D05), see G4 and P01", "R033 D05 G4 P01"},
		{"R027–R032", "R027 R028 R029 R030 R031 R032"},
		{"D06-D08; G9 – G10; R001...R003", "D06 D07 D08 G9 G10 R001 R002 R003"},
		{"R027–029 and D06-08", "R027 R028 R029 D06 D07 D08"},
		{"R099–R101/D44", "R099 R100 R101 D44"},
		{"backwards: R032–R027", "R032–R027"},
		{"two things: R033–D05", "R033 D05"},
		{"D12 - 3 rows", "D12"},
		{"R307 is none of ours", "R307"},
		{"R027/R028/R029/R030/R031/R032/R033/R034", "R027 R028 R029 R030 R031 R032 R033 R034"},
		{"0xD12 40P01 55P03 P10D R1000 D123 R27 sha256 xR033", ""},
		{"c2VjcmV0IHRoYXQgbG9va3MgbGlrZQ/R999/D99+G99==", ""},
		{"https://example.org/R999/D99", ""},
		{"`R` and digits", ""},
	} {
		if got := strings.Join(numbersIn(c.text), " "); got != c.want {
			t.Errorf("numbersIn(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestMarkdownProse(t *testing.T) {
	text := "# Title R001\n\n```sql\nselect 'R999'\n```\nprose D02 `D99` [link](R998.md)\n~~~\nG99\n~~~\n| table | R003 |\n"
	want := []string{"x.md:1: R001", "x.md:6: D02", "x.md:10: R003"}
	if got := render(inMarkdown("x.md", text)); !slices.Equal(got, want) {
		t.Errorf("cited in Markdown: %q, want %q", got, want)
	}
}

func TestGoCommentsAndLiterals(t *testing.T) {
	text := `// Package x keeps R001.
package x

import "example.org/R997"

//go:generate tool R996

/* block
D02 */
const hex, id = 0xD12, "D99"

type R995 struct{}

func TestBeginR033_D05(t *testing.T) { t.Run("refused_G4", nil) } // see P01
func TestERR500(t *testing.T)        {}
func helperR994()                    {}
`
	comments := []string{"x.go:1: R001", "x.go:9: D02", "x.go:14: P01"}
	literals := append(slices.Clone(comments), "x.go:10: D99", "x.go:14: R033", "x.go:14: D05", "x.go:14: G4")
	for _, c := range []struct {
		literals bool
		want     []string
	}{{false, comments}, {true, literals}} {
		got, err := inGo("x.go", text, c.literals)
		if err != nil {
			t.Fatal(err)
		}
		if r := render(got); !slices.Equal(r, c.want) {
			t.Errorf("cited in Go, literals %v: %q, want %q", c.literals, r, c.want)
		}
	}
	if _, err := inGo("x.go", "package", false); err == nil {
		t.Error("a file that does not parse was called read")
	}
}

func TestWhereLiteralsCount(t *testing.T) {
	for file, want := range map[string]bool{
		"tx.go":                                     false,
		"tx_test.go":                                true,
		"scheduling/plan.go":                        false,
		"scheduling/schedulingtest/store.go":        true,
		"internal/citations/citations_test.go":      false,
		"scheduling/internal/plan/interval_test.go": true,
	} {
		if got := citesInLiterals(file); got != want {
			t.Errorf("citesInLiterals(%q) = %v, want %v", file, got, want)
		}
	}
}

func TestFaultsOfDefinitions(t *testing.T) {
	rules := read(t, rulesFile)
	decisions := read(t, decisionsFile)
	without := func(text, begin string) string {
		before, after, ok := strings.Cut(text, begin)
		if !ok {
			t.Fatalf("no line begins with %q", begin)
		}
		_, after, _ = strings.Cut(after, "\n")
		return before + after
	}
	for _, c := range []struct {
		name   string
		faults []string
		want   string
	}{
		{"rule missing", ruleFaults(without(rules, "- **R100**")), "R100 is missing"},
		{"rule repeated", ruleFaults(rules + "\n- **R100** again\n"), "R100 is defined twice"},
		{"rule beyond the last", ruleFaults(rules + "\n- **R307** new\n"), "R307 is not one of its numbers"},
		{"decision missing", decisionFaults(without(decisions, "- **D44**")), "D44 is missing"},
		{"reading missing", decisionFaults(without(decisions, "- **G10**")), "G10 is missing"},
		{"decision repeated", decisionFaults(decisions + "\n- **D13** again\n"), "D13 is defined twice"},
		{"decision not listed", decisionFaults(decisions + "\n### D99 new\n"), "D99 is not one of its numbers"},
		{"proposal repeated", decisionFaults(decisions + "\n- **P01** x\n- **P01** y\n"), "P01 is defined twice"},
		{"gap in the proposals", decisionFaults(decisions + "\n- **P98** x\n"), "P98 is not one of its numbers"},
		{"no list", decisionFaults(without(decisions, listMark)), `no line begins with "` + listMark + `"`},
	} {
		if !slices.Contains(c.faults, c.want) {
			t.Errorf("%s: faults %q lack %q", c.name, c.faults, c.want)
		}
	}
}

func render(all []citation) []string {
	var lines []string
	for _, c := range all {
		lines = append(lines, c.String())
	}
	return lines
}
