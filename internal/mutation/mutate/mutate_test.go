package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// with runs f while a mutant is active.
func with(id int, f func()) {
	active = id
	defer func() { active = 0 }()
	f()
}

// Each function gives back what it is given, and something else under each of
// its mutants.
func TestFunctions(t *testing.T) {
	cause := errors.New("called")
	all := func() []any {
		n := 3
		Reset(9, &n)
		return []any{Cond(1, false), Cond(1, true), Stmt(3), Not(4, true), Negative(5, 2), Zero(6, "x"),
			Other(7, func() int { return 1 }, func() int { return 2 }), Call(8, func() error { return cause }), n,
			Text(10, "a", "b", "c"), strings.Join(Without(12, []string{"a", "b"}), "")}
	}
	plain := all()
	want := []any{false, true, true, true, 2, "x", 1, cause, 3, "a", "ab"}
	if !slices.Equal(plain, want) {
		t.Errorf("without a mutant %v, want %v", plain, want)
	}
	for id, change := range map[int]struct {
		at int
		to any
	}{1: {0, true}, 2: {1, false}, 3: {2, false}, 4: {3, false}, 5: {4, -2}, 6: {5, ""}, 7: {6, 2}, 8: {7, nil}, 9: {8, 0},
		10: {9, "b"}, 11: {9, "c"}, 12: {10, "b"}, 13: {10, "a"}} {
		with(id, func() {
			want := slices.Clone(plain)
			want[change.at] = change.to
			got := all()
			if id == 8 {
				got[7], want[7] = got[7] == error(nil), true
			}
			if !slices.Equal(got, want) {
				t.Errorf("mutant %d gives %v, want %v", id, got, want)
			}
		})
	}
}

// Noted is what would have been different.
func TestReached(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reached")
	noted = newNotes(path)
	defer func() { noted = nil }()
	Cond(1, true)
	Cond(3, false)
	Zero(5, 0)
	Zero(6, 1)
	n := []int{}
	Reset(7, &n)
	Negative(8, 0)
	Negative(9, 1)
	Stmt(10)
	Stmt(10)
	Text(11, "a", "b", "c")
	Without(20, []int{1})
	text, err := os.ReadFile(path)
	if got := strings.Join(strings.Fields(string(text)), " "); err != nil || got != "2 3 6 9 10 11 12 20" {
		t.Errorf("noted %s, %v", got, err)
	}
}
