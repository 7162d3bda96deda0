package gormsched

import (
	"fmt"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// SchemaError says how the schema, or the server itself, differs from what this
// version needs. It matches [provider.ErrStoreUnavailable].
type SchemaError struct {
	// Problems holds at least one, ordered by table.
	Problems []SchemaProblem
}

// SchemaProblem is one difference.
type SchemaProblem struct {
	// Table, Column and Index name what differs; empty where they do not
	// apply. All three are empty where the server itself is the problem.
	Table, Column, Index string
	// What says what is wrong.
	What string
	// Mend are the statements that mend it, in order. Empty where no
	// statement can; What then names the remedy. Back up before running those
	// that alter a table.
	Mend []string

	// create says that Mend only creates what is missing.
	create bool
}

// ofServer says that no change of the schema mends it.
func (p SchemaProblem) ofServer() bool { return p.Table == "" }

// String gives the problem in one line, and its statements in one each.
func (p SchemaProblem) String() string {
	var b strings.Builder
	for _, part := range []struct{ kind, name string }{{"table", p.Table}, {"column", p.Column}, {"index", p.Index}} {
		if part.name != "" {
			fmt.Fprintf(&b, "%s %q ", part.kind, part.name)
		}
	}
	b.WriteString(p.What)
	for _, statement := range p.Mend {
		b.WriteString("\n    " + strings.ReplaceAll(statement, "\n", "\n    ") + ";")
	}
	return b.String()
}

// Error lists the problems with the statements that mend them.
func (e *SchemaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: gormsched: the schema differs in %d places (Provision with CreateIfMissing creates what is missing; if a table belongs to something else, choose another Options.TablePrefix):", provider.CodeStoreUnavailable, len(e.Problems))
	for _, p := range e.Problems {
		b.WriteString("\n- " + p.String())
	}
	return b.String()
}

// Is matches [provider.ErrStoreUnavailable]: until the schema is mended the store
// cannot be used.
func (e *SchemaError) Is(target error) bool { return target == error(provider.ErrStoreUnavailable) }
