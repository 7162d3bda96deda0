package citations

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A citation is one number cited at one place. For a range each number in it is one.
// A range that runs backwards is kept as it was written, so that it is defined nowhere.
type citation struct {
	file   string
	line   int
	number string
}

func (c citation) String() string { return fmt.Sprintf("%s:%d: %s", c.file, c.line, c.number) }

var (
	// single is one number in its only legal form: R three digits, D and P two, G one or two.
	single = regexp.MustCompile(`\b(?:R\d{3}|[DP]\d{2}|G\d{1,2})\b`)
	// span is a range; its second letter may be missing when the digits follow at once.
	span = regexp.MustCompile(`\b([RDGP])(\d{1,3})(?:\s*(?:–|—|-|\.{2,3}|…)\s*([RDGP])|[–—-])(\d{1,3})\b`)
	// inName finds a number in the name of a test, where no word boundary sets it apart.
	inName = regexp.MustCompile(`(?:^|[^A-Z0-9])(R\d{3}|[DP]\d{2}|G\d{1,2})(?:[^0-9]|$)`)
	// blob is a run of text that looks like base64, a digest or an address.
	blob = regexp.MustCompile(`[A-Za-z0-9+/=_-]{32,}|https?://\S+`)
	// chain is a run of numbers that only looks like a blob.
	chain = regexp.MustCompile(`^(?:[RDGP]\d{1,3}[/+_-]?)+$`)
	// code is what Markdown sets as code on one line, or the target of a link.
	code = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)")
	// testName is the name of a function that go test runs.
	testName = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark|Example)`)
)

// numberOf writes a number in its legal form.
func numberOf(letter string, n int) string {
	switch letter {
	case "R":
		return fmt.Sprintf("R%03d", n)
	case "G":
		return fmt.Sprintf("G%d", n)
	}
	return fmt.Sprintf("%s%02d", letter, n)
}

// numbersIn returns the numbers that one line of text cites, in order of their place;
// ranges come first and are expanded.
func numbersIn(line string) []string {
	line = blob.ReplaceAllStringFunc(line, func(s string) string {
		if chain.MatchString(s) {
			return s
		}
		return " "
	})
	var found []string
	rest := span.ReplaceAllStringFunc(line, func(s string) string {
		m := span.FindStringSubmatch(s)
		if m[3] != "" && m[3] != m[1] {
			return s
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[4])
		switch {
		case numberOf(m[1], from) != m[1]+m[2] || numberOf(m[1], to) != m[1]+m[4]:
			return s // a length that no number has: not a range of ours
		case from > to:
			found = append(found, s)
		}
		for n := from; n <= to; n++ {
			found = append(found, numberOf(m[1], n))
		}
		return " "
	})
	return append(found, single.FindAllString(rest, -1)...)
}

// inText cites what each line of text holds; text begins at the given line of file.
func inText(file string, line int, text string) []citation {
	var all []citation
	for i, l := range strings.Split(text, "\n") {
		for _, n := range numbersIn(l) {
			all = append(all, citation{file, line + i, n})
		}
	}
	return all
}

// inMarkdown cites what the prose of a Markdown file holds: no code, no link targets.
func inMarkdown(file, text string) []citation {
	lines := strings.Split(text, "\n")
	fence := ""
	for i, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(l, fence) {
				fence = ""
			}
			lines[i] = ""
		case strings.HasPrefix(l, "```"), strings.HasPrefix(l, "~~~"):
			fence, lines[i] = l[:3], ""
		default:
			lines[i] = code.ReplaceAllString(lines[i], " ")
		}
	}
	return inText(file, 1, strings.Join(lines, "\n"))
}

// inGo cites what the comments of a Go file hold and, where literals are asked for,
// its string literals and the names of its tests.
func inGo(file, text string, literals bool) ([]citation, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []citation
	for _, g := range tree.Comments {
		for _, c := range g.List {
			if !strings.HasPrefix(c.Text, "//go:") {
				all = append(all, inText(file, set.Position(c.Pos()).Line, c.Text)...)
			}
		}
	}
	if !literals {
		return all, nil
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			if testName.MatchString(n.Name.Name) {
				// Doubled, an underscore can end one number and set the next apart.
				name := strings.ReplaceAll(n.Name.Name, "_", "__")
				for _, m := range inName.FindAllStringSubmatch(name, -1) {
					all = append(all, citation{file, set.Position(n.Pos()).Line, m[1]})
				}
			}
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			if s, err := strconv.Unquote(n.Value); err == nil {
				// Names of subtests are often joined by underscores, which are no boundary.
				s = strings.ReplaceAll(s, "_", " ")
				all = append(all, inText(file, set.Position(n.Pos()).Line, s)...)
			}
		}
		return true
	})
	return all, nil
}

// A census is everything cited in a tree of files.
type census struct {
	cited    []citation
	goFiles  int
	markdown int
}

// collect walks the files below root that belong to the project's text: Go and Markdown,
// without hidden folders, testdata and the two documents that define the numbers.
func collect(t *testing.T, root string) census {
	t.Helper()
	var c census
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if e.IsDir() {
			if hidden := strings.HasPrefix(e.Name(), ".") && name != "."; hidden || e.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		switch ext := path.Ext(name); {
		case name == rulesFile, name == decisionsFile, ext != ".go" && ext != ".md":
			return nil
		case ext == ".md":
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			c.markdown++
			c.cited = append(c.cited, inMarkdown(name, string(text))...)
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		c.goFiles++
		cited, err := inGo(name, string(text), citesInLiterals(name))
		c.cited = append(c.cited, cited...)
		return err
	})
	if err != nil {
		t.Fatalf("walking %s: %v", root, err)
	}
	return c
}

// citesInLiterals says whether the string literals of a Go file are prose about rules:
// tests and the exported suites. The samples of this package are wrong on purpose.
func citesInLiterals(file string) bool {
	if path.Dir(file) == "internal/citations" {
		return false
	}
	return strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "scheduling/schedulingtest/")
}
