package citations

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	rulesFile     = "docs/rules.md"
	decisionsFile = "docs/decisions.md"
	lastRule      = 306
	// listMark begins the line of docs/decisions.md that lists its own numbers.
	listMark = "Numbers in use:"
)

// defining is the beginning of a line that defines a number: a bold number, alone or as
// a list item, or a number that begins a heading.
var defining = regexp.MustCompile(`(?m)^(?:(?:[-*] )?\*\*|#{2,6} )([RDGP]\d{1,3})\b`)

// definedIn returns the numbers that a document defines, in order, repetitions included.
func definedIn(text string) []string {
	var all []string
	for _, m := range defining.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// differences compares what a document defines with what it must define and names
// everything missing, repeated or too much.
func differences(want, got []string) []string {
	var faults []string
	for _, n := range want {
		if !slices.Contains(got, n) {
			faults = append(faults, n+" is missing")
		}
	}
	seen := map[string]bool{}
	for _, n := range got {
		switch {
		case seen[n]:
			faults = append(faults, n+" is defined twice")
		case !slices.Contains(want, n):
			faults = append(faults, n+" is not one of its numbers")
		}
		seen[n] = true
	}
	return faults
}

// ruleFaults checks docs/rules.md: R001 to R306, each once.
func ruleFaults(text string) []string {
	var want []string
	for n := 1; n <= lastRule; n++ {
		want = append(want, numberOf("R", n))
	}
	return differences(want, definedIn(text))
}

// decisionFaults checks docs/decisions.md: every number of its own list once, and
// proposals counted from one without a gap.
func decisionFaults(text string) []string {
	_, list, ok := strings.Cut(text, listMark)
	if !ok {
		return []string{fmt.Sprintf("no line begins with %q", listMark)}
	}
	list, _, _ = strings.Cut(list, "\n")
	want := numbersIn(list)
	got := definedIn(text)
	proposals := 0
	for _, n := range got {
		if n[0] == 'P' {
			proposals++
		}
	}
	// A repeated proposal leaves a gap at the end, and is named as a repetition besides.
	for n := 1; n <= proposals; n++ {
		want = append(want, numberOf("P", n))
	}
	return differences(want, got)
}

// read returns a file of the module as text.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// moduleRoot returns the folder of the root module's go.mod, two above this package.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatalf("the module's root is not where this package expects it: %v", err)
	}
	return root
}
