package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Caught are the mutants that each case fails, as "file:line change of text".
func Caught(list []Entry, located []Mutant) map[string][]string {
	caught := map[string][]string{}
	for i, e := range list {
		for _, c := range e.Cases {
			caught[c] = append(caught[c], fmt.Sprintf("%s:%d %q: %s (%s)", e.File, located[i].Line, e.Original, e.Change, e.Target))
		}
	}
	return caught
}

// ReportCases prints each case with its mutants.
func ReportCases(w io.Writer, caught map[string][]string) {
	suites := Suites()
	for _, suite := range slices.Sorted(maps.Keys(suites)) {
		for _, c := range suites[suite] {
			name := suite + "/" + c.Name
			fmt.Fprintln(w, name)
			for _, m := range caught[name] {
				fmt.Fprintln(w, "\t"+m)
			}
		}
	}
}

// Rule is a rule or a decision with what holds it up.
type Rule struct {
	Number string
	Cases  []string // of the suites, as suite/name
	Tests  []string // other tests that name it, as folder/Test
}

var (
	ruleNumber = regexp.MustCompile(`\b(?:R\d{3}|D\d{2})\b`)
	ruleSpan   = regexp.MustCompile(`\b([RD])(\d{2,3})–[RD]?(\d{2,3})\b`)
	ruleLine   = regexp.MustCompile(`(?m)^- \*\*(R\d{3}|D\d{2})\*\*`)
)

// Rules lists the rules of docs/rules.md and the decisions of docs/decisions.md
// with the cases and the tests that name them.
func Rules(root string) ([]Rule, error) {
	cases := map[string][]string{}
	suites := Suites()
	for _, suite := range slices.Sorted(maps.Keys(suites)) {
		for _, c := range suites[suite] {
			for _, r := range c.Rules {
				cases[r] = append(cases[r], suite+"/"+c.Name)
			}
		}
	}
	tests, err := citingTests(root)
	if err != nil {
		return nil, err
	}
	var list []Rule
	for _, file := range []string{"docs/rules.md", "docs/decisions.md"} {
		text, err := os.ReadFile(filepath.Join(root, file)) //nolint:gosec // our own document
		if err != nil {
			return nil, err
		}
		for _, m := range ruleLine.FindAllStringSubmatch(string(text), -1) {
			list = append(list, Rule{m[1], cases[m[1]], tests[m[1]]})
		}
	}
	return list, nil
}

// citingTests finds, for each number, the tests whose comment or code names it.
func citingTests(root string) (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || path == filepath.Join(root, "internal")) {
			return fs.SkipDir // the tests of the tools hold up no rule
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // our own source
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(positions, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, decl := range tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") && !strings.HasPrefix(f.Name.Name, "Fuzz") {
				continue
			}
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			name := strings.TrimPrefix(filepath.ToSlash(dir)+"/", "./") + f.Name.Name
			if name == "scheduling/schedulingtest/TestReport" {
				continue // its numbers are made up
			}
			for _, n := range numbersIn(string(text[positions.Position(from).Offset:positions.Position(f.End()).Offset])) {
				found[n] = append(found[n], name)
			}
		}
		return err
	})
	return found, err
}

// numbersIn are the numbers that a text names, each once; a span such as
// R027–R032 names all between.
func numbersIn(text string) []string {
	all := ruleNumber.FindAllString(text, -1)
	for _, m := range ruleSpan.FindAllStringSubmatch(text, -1) {
		var from, to int
		if _, err := fmt.Sscan(strings.TrimLeft(m[2], "0"), &from); err != nil {
			continue
		}
		if _, err := fmt.Sscan(strings.TrimLeft(m[3], "0"), &to); err != nil {
			continue
		}
		for n := from; n <= to; n++ {
			all = append(all, fmt.Sprintf("%s%0*d", m[1], len(m[2]), n))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ReportRules prints each rule with its cases and how many mutants they caught,
// or with the tests that name it, or with the reason why there is none.
func ReportRules(w io.Writer, rules []Rule, caught map[string][]string, reasons map[string]string) {
	withCase, withTest := 0, 0
	for _, r := range rules {
		var parts []string
		for _, c := range r.Cases {
			parts = append(parts, fmt.Sprintf("%s (%d)", c, len(caught[c])))
		}
		switch {
		case len(parts) > 0:
			withCase++
			fmt.Fprintf(w, "%s\t%d cases (mutants caught): %s\n", r.Number, len(parts), strings.Join(parts, ", "))
		case len(r.Tests) > 0:
			withTest++
			fmt.Fprintf(w, "%s\tno case; tests: %s\n", r.Number, strings.Join(r.Tests, ", "))
		default:
			fmt.Fprintf(w, "%s\tno case, no test: %s\n", r.Number, reasons[r.Number])
		}
	}
	fmt.Fprintf(w, "%d rules and decisions: %d with a case, %d with another test, %d with a reason\n",
		len(rules), withCase, withTest, len(rules)-withCase-withTest)
}

// RulesWithoutCase is where the reasons of rules stand that neither a case nor a
// test names.
const RulesWithoutCase = "internal/mutation/testdata/rules-without-case.tsv"

// Reasons reads a table of two columns, a name and a reason.
func Reasons(path string) (map[string]string, error) {
	text, err := os.ReadFile(path) //nolint:gosec // our own table
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		name, reason, ok := strings.Cut(line, "\t")
		if !ok || reason == "" {
			return nil, fmt.Errorf("%s: %q: write a name, a tab and a reason", path, line)
		}
		reasons[name] = reason
	}
	return reasons, nil
}
