package mutation

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strconv"
	"strings"
	"testing"
)

// instrumented goes through a function's source.
func instrumented(t *testing.T, text string) (*source, string) {
	t.Helper()
	text = "package p\n" + text
	tree, err := parser.ParseFile(positions, t.Name()+strconv.Itoa(len(text)), text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	next := 1
	s := &source{path: "p.go", text: []byte(text), tree: tree, sql: true, counts: map[Name]int{}, next: &next,
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	if s.pkg, err = (&types.Config{}).Check("p", positions, []*ast.File{tree}, s.info); err != nil {
		t.Fatal(err)
	}
	s.walk()
	return s, string(s.changed())
}

// Each kind of place, what it becomes, and the mutants that it makes.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ name, text, want, mutants string }{
		{"a term of a condition", "func f(a, b bool) int { if a && b { return 1 }; return 2 }",
			"if m.Cond(1, m.Cond(3, a) && m.Cond(5, b)) {",
			"a && b: always true; a && b: always false; a: always true; a: always false; b: always true; b: always false"},
		{"a bound", "func f(a, b int) bool { x := a < b; return x }",
			"x := m.Other(2, func() bool { return a < b }, func() bool { return a <= b }); m.Reset(1, &x)",
			"x := a < b: x is zero value; a < b: <="},
		{"a case", "func f(a, b int) int { switch { case a == b: return 1 }; return 2 }",
			"case m.Cond(1, a == b):", "a == b: always true; a == b: always false"},
		{"a write", "type s struct{ n int }\nfunc (v *s) f() { v.n = 7 }",
			"if m.Stmt(1) { v.n = 7 }", "v.n = 7: left out"},
		{"a field", "type s struct{ n int8 }\nfunc f() s { return s{n: 7} }",
			"s{n: m.Zero[int8](1, 7)}", "n: 7: zero value"},
		{"an element", "func f(a, b string) []string { return []string{a, b} }",
			"m.Without(1, []string{a, b})", "[]string{a, b}: without a; []string{a, b}: without b"},
		{"a column", "func f(a, b string) []any { return []any{a, b} }",
			"[]any{m.Zero(1, a), m.Zero(2, b)}", "a: zero value; b: zero value"},
		{"an order", "type i struct{}\nfunc (i) Compare(i) int { return 0 }\nfunc f(a, b i) int { return a.Compare(b) }",
			"return m.Negative(1, a.Compare(b))", "a.Compare(b): turned round"},
		{"a lock that waits", "type mode int\nconst (\nLockWait mode = iota\nLockSkip\n)\nfunc g(mode) {}\nfunc f() { g(LockWait) }",
			"g(m.Other(2, func() mode { return LockWait }, func() mode { return LockSkip }))", "g(LockWait): left out; LockWait: to LockSkip"},
		{"a call that answers an error", "func g() error { return nil }\nfunc f() error { if err := g(); err != nil { return err }; return g() }",
			"if err := m.Call(3, func() error { return g() }); m.Cond(1, err != nil)",
			"err != nil: always true; err != nil: always false; g(): not called; g(): not called"},
		{"a statement's text", `func f(c string) string { return c + " = ? AND " }`,
			`c + m.Text(1, " = ? AND ", " <> ? AND ", " IS NOT NULL AND ? IS NOT NULL AND ", " = ? OR ")`,
			`" = ? AND ": to " <> ? AND "; " = ? AND ": to " IS NOT NULL AND ? IS NOT NULL AND "; " = ? AND ": to " = ? OR "`},
		{"nothing in a constant", `const c = " = ? AND "` + "\nfunc f() string { return c }", "return c", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, got := instrumented(t, c.text)
			if want := strings.ReplaceAll(c.want, "m.", alias+"."); !strings.Contains(got, want) {
				t.Errorf("the text is\n%s\nwant in it\n%s", got, want)
			}
			var mutants []string
			for i, m := range s.mutants {
				mutants = append(mutants, m.Original+": "+m.Change)
				if m.ID != i+1 {
					t.Errorf("mutant %d has the id %d", i, m.ID)
				}
			}
			if got := strings.Join(mutants, "; "); got != c.mutants {
				t.Errorf("the mutants are %s\nwant %s", got, c.mutants)
			}
		})
	}
}

// Places of the same text in one function have numbers, and the same place has
// the same name when lines come before it.
func TestNames(t *testing.T) {
	const text = "func f(a *int) { *a++; *a++ }"
	first, _ := instrumented(t, text)
	later, _ := instrumented(t, "\n// more\n"+text)
	if a, b := first.mutants[0], first.mutants[1]; a.Nth != 0 || b.Nth != 1 || a.Original != b.Original {
		t.Errorf("the names are %+v and %+v", a, b)
	}
	for i, m := range later.mutants {
		if m.Name != first.mutants[i].Name || m.Line != first.mutants[i].Line+2 {
			t.Errorf("with two lines more %+v is %+v", first.mutants[i], m)
		}
	}
	long := strings.Repeat("ä", 200)
	if a, b := shortened(long+"a"), shortened(long+"b"); a == b || len(a) > 170 {
		t.Errorf("long texts become %q and %q", a, b)
	}
}

// A run's output says what failed, and what was under way when it ended.
func TestReadOutput(t *testing.T) {
	const out = `=== RUN   TestConformance/store/A
=== RUN   TestConformance/store/B
    --- PASS: TestConformance/store/A (0.00s)
=== RUN   TestConformance/store/B/part
    --- FAIL: TestConformance/store/B (0.00s)
=== RUN   TestConformance/store/C
panic: no such column: x
`
	got := read(out, "TestConformance/store/", "store")
	if len(got.Failed) != 2 || got.Failed[0] != "store/B" || got.Failed[1] != "store/C" || !got.Broke || !got.Unsound || got.passed != 1 {
		t.Errorf("read %+v", got)
	}
	target, _ := TargetNamed("sqlite")
	if p := target.pattern("store", []string{"A", "B"}); p != "^TestConformance$/^sqlite$/^store$/^(A|B)$" {
		t.Errorf("the pattern is %s", p)
	}
}
