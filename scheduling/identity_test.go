package scheduling

import (
	"strings"
	"testing"
)

// A host may have any name: what a key cannot hold is written in its form
// (D06), and two names stay two.
func TestHostNameIsPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"db-1.example.org":             "db-1.example.org",
		"rechner-ü":                    "rechner-%C3%BC",
		"a b%":                         "a%20b%25",
		"\x00":                         "%00",
		strings.Repeat("h", 300):       strings.Repeat("h", 255),
		strings.Repeat("h", 254) + "ü": strings.Repeat("h", 254),
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}
