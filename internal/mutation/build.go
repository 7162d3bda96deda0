package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Build is a test binary that holds all mutants of a target.
type Build struct {
	Root    string
	Target  Target
	Binary  string
	Mutants []Mutant
}

// Instrument makes a build in a folder: it writes the changed copies and
// compiles the target's test with them.
func Instrument(root, dir string, target Target) (Build, error) {
	b := Build{Root: root, Target: target, Binary: filepath.Join(dir, "mutants.test")}
	sources, err := parse(root, target)
	if err != nil {
		return b, err
	}
	if err := check(root, sources); err != nil {
		return b, err
	}
	replace := map[string]string{}
	for i, s := range sources {
		s.walk()
		b.Mutants = append(b.Mutants, s.mutants...)
		copied := filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(copied, s.changed(), 0o600); err != nil {
			return b, err
		}
		replace[filepath.Join(root, filepath.FromSlash(s.path))] = copied
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return b, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return b, err
	}
	_, err = goTool(root, "test", "-c", "-vet=off", "-overlay", list, "-o", b.Binary, "./"+filepath.ToSlash(target.Test))
	return b, err
}

func goTool(root string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...) //nolint:gosec,noctx // a tool of the developers'
	cmd.Dir = root
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, errs.String())
	}
	return out.Bytes(), nil
}

// changed is the instrumented text. At one place what ends comes before what
// begins; the outer of two that begin together is first, and ends last.
func (s *source) changed() []byte {
	type piece struct {
		at, order int
		text      string
	}
	var pieces []piece
	for i, e := range s.edits {
		pieces = append(pieces, piece{e.from, i + 1, e.before}, piece{e.to, -i - 1, e.behind})
	}
	slices.SortStableFunc(pieces, func(a, b piece) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out bytes.Buffer
	name := s.at(s.tree.Name.End())
	out.Write(s.text[:name])
	out.WriteString("; import " + alias + " \"" + runtimePath + "\"")
	from := name
	for _, p := range pieces {
		out.Write(s.text[from:p.at])
		out.WriteString(p.text)
		from = p.at
	}
	out.Write(s.text[from:])
	out.WriteString("\nvar _ = " + alias + ".Active\n")
	return out.Bytes()
}

const modulePath = "github.com/gormsched/gormsched"

const runtimePath = modulePath + "/internal/mutation/mutate"

// check finds the types of all sources.
func check(root string, sources []*source) error {
	groups := map[string][]*source{}
	var dirs []string
	for _, s := range sources {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		if groups[dir] == nil {
			dirs = append(dirs, "./"+dir)
		}
		groups[dir] = append(groups[dir], s)
	}
	exports, err := exported(root, dirs)
	if err != nil {
		return err
	}
	for dir, group := range groups {
		if err := checkPackage(root, dir, group, exports); err != nil {
			return err
		}
	}
	return nil
}

// checkPackage checks one folder, with the files that are not changed.
func checkPackage(root, dir string, group []*source, exports map[string]string) error {
	whole, err := parse(root, Target{Packages: []Package{{Dir: dir}}})
	if err != nil {
		return err
	}
	var files []*ast.File
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	for _, w := range whole {
		i := slices.IndexFunc(group, func(s *source) bool { return s.path == w.path })
		if i >= 0 {
			w = group[i]
		}
		files = append(files, w.tree)
	}
	lookup := func(path string) (io.ReadCloser, error) {
		file := exports[path]
		if file == "" {
			return nil, errors.New("no export data of " + path)
		}
		return os.Open(file) //nolint:gosec // the go command names it
	}
	conf := types.Config{Importer: importer.ForCompiler(positions, "gc", lookup)}
	pkg, err := conf.Check(modulePath+strings.TrimPrefix("/"+dir, "/."), positions, files, info)
	if err != nil {
		return fmt.Errorf("types of %s: %w", dir, err)
	}
	for _, s := range group {
		s.info, s.pkg = info, pkg
	}
	return nil
}

// exported asks the go command for the compiled form of all that is imported.
func exported(root string, dirs []string) (map[string]string, error) {
	out, err := goTool(root, append([]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, dirs...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return exports, nil
		case err != nil:
			return nil, err
		}
		exports[p.ImportPath] = p.Export
	}
}
