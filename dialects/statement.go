package dialects

// Insert inserts rows, all columns given.
type Insert struct {
	Table   string
	Columns []Column
	Rows    [][]any
	// Absent leaves out rows whose primary key, or another unique key, is
	// there already, rows of the same statement included. It waits for an
	// uncommitted row of the same key.
	Absent bool
	// Returning names columns of the inserted rows to answer with, in no
	// particular order; none = no answer.
	Returning []string
}

// InsertSelect inserts what a SELECT gives.
type InsertSelect struct {
	Table   string
	Columns []string
	// Select is the whole SELECT, with a WHERE clause as its last part.
	Select    Statement
	Absent    bool
	Returning []string
}

// Update changes rows that are reached by their key, each with values of its
// own. Rows affected = rows found.
type Update struct {
	Table string
	// Columns are the source's; the first is the table's primary key.
	Columns []Column
	Rows    [][]any
	// Set is carried out in this order. On MySQL and MariaDB an expression sees
	// what the assignments before it have set, elsewhere none of them: assign a
	// column after those whose expressions read it.
	Set []Set
	// Where, where not empty, is a further condition on t. It must not
	// compare an indexed column with a constant: a planner may then prefer
	// that index to the primary key.
	Where Statement
}

// Set is one assignment of an [Update].
type Set struct {
	Column string
	// Expr is the new value, an expression over t; empty = the source's
	// column of this name.
	Expr string
	Args []any
}

// Delete deletes rows by key.
type Delete struct {
	Table string
	Key   Column
	Keys  []any
	Where Statement
}

// First reads the first rows of each parent, in an order that an index gives:
// one branch per parent, so that the cost does not depend on how many rows a
// parent has. The table has the alias b.
type First struct {
	Table string
	// Key is the table's primary key.
	Key     string
	Parent  Column
	Parents []any
	// State is the column that follows the parent in the index, with its one
	// value; "" = none. Statistics may say that no row has it.
	State      string
	StateValue int
	// Select are the columns to answer with.
	Select []string
	// Where, where not empty, restricts b further.
	Where Statement
	// Order is the ORDER BY list over b.
	Order string
	// Each and Total are the most rows per parent and together.
	Each, Total int
	// Lock locks the rows without waiting, leaving out those that are held.
	Lock bool
}

// where is the whole condition beside the parent, with the state as a constant.
func (f First) where(d Dialect) Statement {
	if f.State == "" {
		return f.Where
	}
	s := Statement{SQL: "b." + d.Quote(f.State) + " = " + number(f.StateValue), Args: f.Where.Args}
	if f.Where.SQL != "" {
		s.SQL += " AND " + f.Where.SQL
	}
	return s
}
