package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Mutant is one change of the shipped code.
type Mutant struct {
	// ID switches it on in the build that was made with it; 0 = in no build.
	ID int
	Name
	Line int
}

// Name names a mutant whatever lines and other mutants there are.
type Name struct {
	File string // from the root of the module
	Func string // "type.method", "function", or a package variable's name
	// Original is the text that is changed, with single spaces, and Change says
	// what becomes of it.
	Original, Change string
	// Nth tells places of the same text in one function apart; 0 = the first.
	Nth int
}

// String names the mutant in a line.
func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s: %s", m.File, m.Line, m.Func, m.Original, m.Change)
}

// positions are those of every file that is read.
var positions = token.NewFileSet()

// source is one file on its way.
type source struct {
	path    string // from the root of the module
	text    []byte
	tree    *ast.File
	info    *types.Info
	pkg     *types.Package
	sql     bool
	edits   []edit
	mutants []Mutant
	counts  map[Name]int
	next    *int
	names   string // of the function that is gone through
	stack   []ast.Node
}

// edit puts text before and behind a part of the source.
type edit struct {
	from, to       int
	before, behind string
}

// Find lists the mutants of a target in order, under the ids that
// [Instrument] gives them.
func Find(root string, target Target) ([]Mutant, error) {
	var list []Mutant
	sources, err := parse(root, target)
	if err != nil {
		return nil, err
	}
	if err := check(root, sources); err != nil {
		return nil, err
	}
	for _, s := range sources {
		s.walk()
		list = append(list, s.mutants...)
	}
	return list, nil
}

// parse reads the files of a target.
func parse(root string, target Target) ([]*source, error) {
	var sources []*source
	next := 1
	for _, p := range target.Packages {
		paths, err := filepath.Glob(filepath.Join(root, p.Dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			name := filepath.Base(path)
			if strings.HasSuffix(name, "_test.go") || slices.Contains(p.Leave, name) {
				continue
			}
			text, err := os.ReadFile(path) //nolint:gosec // our own source
			if err != nil {
				return nil, err
			}
			tree, err := parser.ParseFile(positions, path, text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			sources = append(sources, &source{path: filepath.ToSlash(filepath.Join(p.Dir, name)), text: text, tree: tree,
				sql: p.SQL, counts: map[Name]int{}, next: &next})
		}
	}
	return sources, nil
}

func (s *source) walk() {
	for _, d := range s.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.names = d.Name.Name
			if d.Recv != nil {
				s.names = receiver(d.Recv.List[0].Type) + "." + d.Name.Name
			}
			if d.Body != nil {
				s.inspect(d.Body)
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				s.names = v.Names[0].Name
				for _, value := range v.Values {
					s.inspect(value)
				}
			}
		}
	}
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

func (s *source) inspect(n ast.Node) {
	s.stack = s.stack[:0]
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			s.stack = s.stack[:len(s.stack)-1]
			return false
		}
		if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.CONST {
			return false
		}
		s.visit(n)
		s.stack = append(s.stack, n)
		return true
	})
}

// parent is what holds the node that is being visited; nil at the top.
func (s *source) parent() ast.Node {
	if len(s.stack) == 0 {
		return nil
	}
	return s.stack[len(s.stack)-1]
}

// of is the original text of a node.
func (s *source) of(n ast.Node) string { return string(s.text[s.at(n.Pos()):s.at(n.End())]) }

func (s *source) at(p token.Pos) int { return positions.Position(p).Offset }

// flat is a node's text in one line.
func (s *source) flat(n ast.Node) string { return strings.Join(strings.Fields(s.of(n)), " ") }

// add makes mutants of one place, one for each change, and returns the first id.
func (s *source) add(n ast.Node, original string, changes ...string) int {
	first := *s.next
	original = shortened(original)
	for _, change := range changes {
		name := Name{File: s.path, Func: s.names, Original: original, Change: shortened(change)}
		nth := s.counts[name]
		s.counts[name]++
		name.Nth = nth
		s.mutants = append(s.mutants, Mutant{ID: *s.next, Name: name, Line: positions.Position(n.Pos()).Line})
		*s.next++
	}
	return first
}

// shortened cuts a long text, so that it can still be told from others.
func shortened(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-10], "") + fmt.Sprintf("…%08x", crc32.ChecksumIEEE([]byte(text)))
}

// wrap notes what is put around a node.
func (s *source) wrap(n ast.Node, before, behind string) {
	s.edits = append(s.edits, edit{s.at(n.Pos()), s.at(n.End()), before, behind})
}

// call wraps an expression into a call of package mutate.
func (s *source) call(n ast.Node, function string, id int, rest string) {
	s.wrap(n, alias+"."+function+"("+strconv.Itoa(id)+", ", rest+")")
}

// alias is the name under which instrumented files import package mutate.
const alias = "mutantsOfThis"
