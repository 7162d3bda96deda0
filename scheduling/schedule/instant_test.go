package schedule

import (
	"strings"
	"testing"
	"time"
)

// utc reads an instant for a test, with the time package and not with the
// code under test.
func utc(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

// zoneOf loads a zone for a test.
func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// wantError checks that an error is there, names all parts, and stays short
// whatever the input was.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one that names %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not name %q", err, part)
		}
	}
	if len(err.Error()) > 1200 {
		t.Errorf("error has %d bytes", len(err.Error()))
	}
	for i := range len(err.Error()) {
		if c := err.Error()[i]; c < ' ' && c != '\n' {
			t.Errorf("error %q holds control character %#x", err, c)
		}
	}
}

// D37: 0–9 fraction digits, any offset, cut below a microsecond.
func TestParseInstant(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-01T00:00:00Z":                "2026-11-01T00:00:00Z",
		"2026-11-01t00:00:00z":                "2026-11-01T00:00:00Z",
		"2026-11-01T00:00:00.0000000+00:00":   "2026-11-01T00:00:00Z",
		"2026-11-01T09:00:00+08:00":           "2026-11-01T01:00:00Z",
		"2026-11-01T09:00:00-03:30":           "2026-11-01T12:30:00Z",
		"2026-11-01T09:00:00-00:00":           "2026-11-01T09:00:00Z",
		"2026-11-01T00:00:00+23:59":           "2026-10-31T00:01:00Z",
		"2026-11-01T00:00:00-23:59":           "2026-11-01T23:59:00Z",
		"2026-11-01T00:00:00.5Z":              "2026-11-01T00:00:00.5Z",
		"2026-11-01T00:00:00.999999999+00:00": "2026-11-01T00:00:00.999999Z", // B170
		"2026-11-01T00:00:00.000000999Z":      "2026-11-01T00:00:00Z",
		"2024-02-29T23:59:59Z":                "2024-02-29T23:59:59Z",
		"1970-01-01T00:00:00Z":                "1970-01-01T00:00:00Z",
		"9999-12-31T23:59:59.999999999Z":      "9999-12-31T23:59:59.999999Z",
	} {
		got, err := parseInstant("start", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !got.Equal(utc(t, want)) || got.Location() != time.UTC {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func TestParseInstantRefuses(t *testing.T) {
	for text, remedy := range map[string]string{
		"":                                 "yyyy-mm-dd",
		"tomorrow":                         "yyyy-mm-dd",
		"2026":                             "yyyy-mm-dd",
		"2026-11-01":                       "time of day",
		"2026-11-01T":                      "yyyy-mm-dd",
		"2026-11-01T09:00":                 "yyyy-mm-dd",
		"2026-11-01T09:00:00":              "offset is missing",
		"2026-11-01T09:00:00.5":            "offset is missing",
		"2026-11-01T09:00:00.Z":            "1 to 9 digits",
		"2026-11-01T09:00:00.1234567890Z":  "1 to 9 digits",
		"2026-11-01T09:00:00,5Z":           "Z or ±hh:mm",
		"2026-11-01T09:00:00+0800":         "Z or ±hh:mm",
		"2026-11-01T09:00:00+8:00":         "Z or ±hh:mm",
		"2026-11-01T09:00:00+24:00":        "Z or ±hh:mm",
		"2026-11-01T09:00:00+08:60":        "Z or ±hh:mm",
		"2026-11-01T09:00:00+08:00x":       "Z or ±hh:mm",
		"2026-11-01T09:00:00ZZ":            "Z or ±hh:mm",
		"2026-11-01T09:00:00CET":           "Z or ±hh:mm",
		"2026-13-01T09:00:00Z":             "no such date",
		"2026-00-01T09:00:00Z":             "no such date",
		"2026-02-29T09:00:00Z":             "no such date",
		"2026-11-31T09:00:00Z":             "no such date",
		"2026-11-00T09:00:00Z":             "no such date",
		"2026-11-01T24:00:00Z":             "23:59:59",
		"2026-11-01T23:60:00Z":             "23:59:59",
		"2026-11-01T23:59:60Z":             "23:59:59",
		"2026-1-1T09:00:00Z":               "yyyy-mm-dd",
		"+2026-11-01T09:00:00Z":            "yyyy-mm-dd",
		"-026-11-01T09:00:00Z":             "yyyy-mm-dd",
		"0001-01-01T00:00:00Z":             "1970 to 9999",
		"0000-01-01T00:00:00Z":             "1970 to 9999",
		"1969-12-31T23:59:59.999999Z":      "1970 to 9999",
		"1970-01-01T00:00:00+00:01":        "1970 to 9999",
		"9999-12-31T23:59:59-00:01":        "1970 to 9999",
		"10000-01-01T00:00:00Z":            "yyyy-mm-dd",
		"99999999999999999999-01-01T00:00": "yyyy-mm-dd",
	} {
		_, err := parseInstant("end", text)
		wantError(t, err, "end", quote(text), remedy)
	}
}

func TestFormatInstant(t *testing.T) {
	at := time.Date(2026, 11, 1, 8, 0, 0, 123456789, time.FixedZone("", 8*3600))
	if got, want := formatInstant(at), "2026-11-01T00:00:00.1234567+00:00"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// D31, B170: cut, never rounded up; the end of a stretch the other way.
func TestCutInstant(t *testing.T) {
	at := utc(t, "2006-01-02T15:04:05.999999999Z")
	if got := cutInstant(at); !got.Equal(utc(t, "2006-01-02T15:04:05.999999Z")) {
		t.Errorf("cut: %v", got)
	}
	if got := ceilInstant(at); !got.Equal(utc(t, "2006-01-02T15:04:06Z")) {
		t.Errorf("ceil: %v", got)
	}
	before := time.Unix(-1, 999).UTC() // before 1970 a cut goes down as well
	if got := cutInstant(before); !got.Equal(time.Unix(-1, 0)) {
		t.Errorf("before 1970: %v", got)
	}
	whole := utc(t, "2006-01-02T15:04:05.000001Z")
	if !cutInstant(whole).Equal(whole) || !ceilInstant(whole).Equal(whole) {
		t.Error("a whole microsecond was moved")
	}
	if got := cutInstant(time.Now()).String(); strings.Contains(got, "m=") {
		t.Errorf("monotonic reading kept: %s", got)
	}
}
