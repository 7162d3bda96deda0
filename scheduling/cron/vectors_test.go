package cron_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/gormsched/gormsched/scheduling/cron"
)

type vector struct {
	ID        string
	Group     string
	Expr      string
	TZ        string
	After     time.Time
	Expect    []time.Time
	Exhausted bool
	Error     bool
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	raw, err := os.ReadFile("testdata/cron_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// The vectors: grammar (R169–R179, D16), instants (R180–R182, D15, D17).
func TestVectors(t *testing.T) {
	all := readVectors(t)
	if len(all) != 210 {
		t.Fatalf("%d vectors, want 210", len(all))
	}
	right := 0
	for _, v := range all {
		if t.Run(v.ID+"_"+v.Group, func(t *testing.T) { checkVector(t, v) }) {
			right++
		}
	}
	t.Logf("%d of %d vectors right, TZ=%q", right, len(all), os.Getenv("TZ"))
}

func checkVector(t *testing.T, v vector) {
	e, err := cron.Parse(v.Expr)
	if v.Error {
		var parse *cron.ParseError
		if !errors.As(err, &parse) {
			t.Fatalf("Parse(%q) = %v, %v, want a *ParseError", v.Expr, e, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("Parse(%q): %v", v.Expr, err)
	}
	again, err := cron.Parse(e.String())
	if err != nil || !again.Equal(e) {
		t.Errorf("Parse(%q), the canonical form of %q: %v, %v", e, v.Expr, again, err)
	}
	loc := zone(t, v.TZ)
	at := v.After
	for i, want := range v.Expect {
		got, ok := e.Next(at, loc)
		if !ok || !got.Equal(want) {
			t.Fatalf("%q in %s, %d. after %s: %s, %t, want %s", v.Expr, v.TZ, i+1,
				at.UTC().Format(time.RFC3339Nano), got.Format(time.RFC3339), ok, want.Format(time.RFC3339))
		}
		if got.Location() != time.UTC {
			t.Fatalf("answer in %s, want UTC", got.Location())
		}
		if !e.Matches(got, loc) {
			t.Errorf("%q in %s does not match its own next %s", v.Expr, v.TZ, got)
		}
		at = got
	}
	if v.Exhausted {
		if got, ok := e.Next(at, loc); ok || !got.IsZero() {
			t.Fatalf("%q in %s after %s: %s, want none", v.Expr, v.TZ, at, got)
		}
	}
}

// B68: the zone of the node takes no part in any answer.
func TestVectorsUnderOtherNodeZones(t *testing.T) {
	for _, tz := range []string{"Asia/Seoul", "America/St_Johns"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVectors$")
		cmd.Env = append(os.Environ(), "TZ="+tz)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("TZ=%s: %v\n%s", tz, err, out)
		}
	}
}
