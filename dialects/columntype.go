package dialects

// Type is the type of a column, apart from any database.
type Type struct {
	kind kind
	size int
}

type kind uint8

const (
	kindKey kind = iota + 1
	kindText
	kindSmall
	kindInt
	kindBig
)

// The types.
var (
	// LongText holds text of any length, for example JSON, unchanged.
	LongText = Type{kind: kindText}
	// Small holds flags (0, 1) and enumerations: 16 bits.
	Small = Type{kind: kindSmall}
	// Int holds 32 bits.
	Int = Type{kind: kindInt}
	// Big holds 64 bits: instants, durations, counters.
	Big = Type{kind: kindBig}
)

// Key is a name or an id of at most n ASCII characters. It compares and sorts
// by its bytes (D32).
func Key(n int) Type { return Type{kind: kindKey, size: n} }

// text says that values of this type are strings.
func (t Type) text() bool { return t.kind == kindKey || t.kind == kindText }

// Column is a column of a row source. Its values are nil (NULL), strings for
// keys and text, and integers of any size for the others.
type Column struct {
	Name string
	Type Type
}
