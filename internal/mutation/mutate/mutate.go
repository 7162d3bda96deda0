// Package mutate is what instrumented code calls: each function stands in for
// a piece of the original and, when the mutant that the environment names is
// one of its own, does something else instead. Ids are positive.
//
// No code in the repository imports this package; package mutation writes the
// calls into copies that only a test binary is built from.
package mutate

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"
)

// Active is the environment variable that switches one mutant on, by its id.
const Active = "GORMSCHED_MUTANT"

// Reached is the environment variable that names a file to which the ids of the
// mutants are written that would have changed something.
const Reached = "GORMSCHED_MUTANT_REACHED"

var (
	active = number(os.Getenv(Active))
	noted  = newNotes(os.Getenv(Reached))
)

func number(text string) int {
	n, err := strconv.Atoi(text)
	if text != "" && err != nil {
		panic(fmt.Sprintf("%s is %q: name a mutant by its number", Active, text))
	}
	return n
}

// Cond is a condition: true for the mutant id, false for the next one.
func Cond(id int, v bool) bool {
	switch {
	case active == id:
		return true
	case active == id+1:
		return false
	case noted == nil:
	case v:
		noted.add(id + 1)
	default:
		noted.add(id)
	}
	return v
}

// Stmt reports whether a statement is carried out.
func Stmt(id int) bool {
	if noted != nil {
		noted.add(id)
	}
	return active != id
}

// Not is a truth value that the mutant turns round.
func Not(id int, v bool) bool {
	if noted != nil {
		noted.add(id)
	}
	return v != (active == id)
}

// Negative is the result of a comparison that the mutant turns round.
func Negative(id, v int) int {
	if noted != nil && v != 0 {
		noted.add(id)
	}
	if active == id {
		return -v
	}
	return v
}

// Zero is a value that the mutant leaves out.
func Zero[T any](id int, v T) T {
	var zero T
	if active == id {
		return zero
	}
	if noted != nil && !empty(&v) {
		noted.add(id)
	}
	return v
}

// Reset sets a variable to its zero value if the mutant is active.
func Reset[T any](id int, v *T) {
	if noted != nil && !empty(v) {
		noted.add(id)
	}
	if active == id {
		var zero T
		*v = zero
	}
}

// empty reports whether a variable has its zero value, or is a slice or map
// without elements.
func empty[T any](v *T) bool {
	r := reflect.ValueOf(v).Elem()
	switch r.Kind() {
	case reflect.Slice, reflect.Map:
		return r.Len() == 0
	}
	return r.IsZero()
}

// Other is an expression that the mutant replaces.
func Other[T any](id int, original, changed func() T) T {
	if noted != nil {
		noted.add(id)
	}
	if active == id {
		return changed()
	}
	return original()
}

// Text is a literal that the mutants id, id+1, … replace.
func Text(id int, original string, changed ...string) string {
	if noted != nil {
		for i := range changed {
			noted.add(id + i)
		}
	}
	if n := active - id; active != 0 && n >= 0 && n < len(changed) {
		return changed[n]
	}
	return original
}

// Without is a list of which the mutants id, id+1, … leave out an element.
func Without[S ~[]E, E any](id int, list S) S {
	if noted != nil {
		for i := range list {
			noted.add(id + i)
		}
	}
	if n := active - id; active != 0 && n >= 0 && n < len(list) {
		return append(append(S{}, list[:n]...), list[n+1:]...)
	}
	return list
}

// Call is a call that the mutant does not make.
func Call(id int, call func() error) error {
	if noted != nil {
		noted.add(id)
	}
	if active == id {
		return nil
	}
	return call()
}

// notes are the ids written so far.
type notes struct {
	mu   sync.Mutex
	file *os.File
	seen map[int]bool
}

func newNotes(path string) *notes {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // the run is told where
	if err != nil {
		panic(err)
	}
	return &notes{file: f, seen: map[int]bool{}}
}

func (n *notes) add(id int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen[id] {
		return
	}
	n.seen[id] = true
	if _, err := fmt.Fprintln(n.file, id); err != nil {
		panic(err)
	}
}
