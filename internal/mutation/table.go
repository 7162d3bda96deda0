package mutation

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Entry is a line of the table: a mutant, and cases that fail for it.
type Entry struct {
	Target string
	Name
	Cases []string // as suite/name
}

// Table is where the entries stand, from the root of the module.
const Table = "internal/mutation/testdata/mutants.tsv"

const heading = "target\tfile\tfunction\tnth\toriginal\tchange\tcases"

// ReadTable reads a table.
func ReadTable(path string) ([]Entry, error) {
	text, err := os.ReadFile(path) //nolint:gosec // a developer's tool
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var list []Entry
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != strings.Count(heading, "\t")+1 {
			return nil, fmt.Errorf("%s:%d has %d fields: write %q", path, i+2, len(f), heading)
		}
		nth, err := strconv.Atoi(f[3])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: nth is %q: write a number", path, i+2, f[3])
		}
		list = append(list, Entry{f[0], Name{File: f[1], Func: f[2], Nth: nth, Original: f[4], Change: f[5]}, strings.Fields(f[6])})
	}
	return list, nil
}

// WriteTable writes a table, sorted.
func WriteTable(path string, list []Entry) error {
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Target, b.Target), strings.Compare(a.File, b.File), strings.Compare(a.Func, b.Func),
			strings.Compare(a.Original, b.Original), strings.Compare(a.Change, b.Change), a.Nth-b.Nth)
	})
	var b strings.Builder
	b.WriteString(heading + "\n")
	for _, e := range list {
		slices.Sort(e.Cases)
		fmt.Fprintf(&b, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", e.Target, e.File, e.Func, e.Nth, e.Original, e.Change, strings.Join(e.Cases, " "))
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}
