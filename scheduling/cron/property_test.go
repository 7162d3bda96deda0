package cron_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// effort multiplies the default number of checks; GORMSCHED_CRON_CHECKS sets it.
func effort(t testing.TB) int {
	t.Helper()
	text := os.Getenv("GORMSCHED_CRON_CHECKS")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("GORMSCHED_CRON_CHECKS=%q: want a number from 1", text)
	}
	return n
}

// stride is how many changes of the clock stand for one that is checked: all
// are, except with -short and under the race detector, which is ten times slower.
func stride() int {
	if testing.Short() || raceDetector {
		return 8
	}
	return 1
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkNext holds Next against the oracle and against its own promises. days
// bounds the oracle's look. It tells whether the oracle had an answer.
func checkNext(t failer, text string, z zoneData, after time.Time, days int, patient bool) bool {
	t.Helper()
	e, err := cron.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	next, ok := e.Next(after, z.loc)
	explain := func() string {
		return strconv.Quote(text) + " in " + z.name + " after " + after.UTC().Format(time.RFC3339Nano)
	}
	if ok && (!next.After(after) || next.Location() != time.UTC || next.Nanosecond() != 0) {
		t.Fatalf("%s: %v is no whole UTC second after it", explain(), next)
	}
	o := newOracle(text, z.loc, z.offsets)
	o.patient = patient
	want, found, gaveUp := o.next(after.Unix(), days)
	switch {
	case gaveUp:
		if ok && next.Unix() <= after.Unix()+int64(days)*86400 {
			t.Fatalf("%s: got %v, want none in %d days", explain(), next, days)
		}
	case found != ok || found && next.Unix() != want:
		t.Fatalf("%s: got %v %t, want %v %t", explain(), next, ok, time.Unix(want, 0).UTC(), found)
	}
	if !ok {
		return !gaveUp
	}
	if !e.Matches(next, z.loc) {
		t.Fatalf("%s: Matches(%v) is false", explain(), next)
	}
	// Monotone: from anywhere before the answer the answer stays the same,
	// and from the answer on it is later.
	gap := next.Unix() - after.Unix()
	for _, from := range []int64{next.Unix() - 1, after.Unix() + gap/2, after.Unix() + gap/97} {
		if again, ok := e.Next(time.Unix(from, 5), z.loc); !ok || !again.Equal(next) {
			t.Fatalf("%s: got %v, but %v %t after %v", explain(), next, again, ok, time.Unix(from, 0).UTC())
		}
	}
	if later, ok := e.Next(next, z.loc); ok && !later.After(next) {
		t.Fatalf("%s: got %v, and then %v", explain(), next, later)
	}
	return !gaveUp
}

// R180–R182, D15–D17: around every change of every zone from 1970 to 2099.
func TestNextAgainstOracleAtEveryChange(t *testing.T) {
	zones := ianaZones(t)
	distinct := withoutAliases(zones)
	rounds := effort(t)
	changes, expressions, instants, answered := 0, 0, 0, 0
	for i, z := range distinct {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		changes += len(z.changes)
		points := z.changes
		if len(points) == 0 {
			points = []int64{to2099}
		}
		for n, change := range points {
			if (n+i)%stride() != 0 {
				continue
			}
			for range rounds {
				near := change + int64(r.IntN(4*86400)) - 2*86400
				text := anyExpression(r.IntN, time.Unix(near, 0).In(z.loc))
				expressions++
				for _, after := range []int64{change - int64(r.IntN(2)), change + int64(r.IntN(50*3600)) - 25*3600} {
					instants++
					if checkNext(t, text, z, time.Unix(after, int64(r.IntN(1e9))), 3, false) {
						answered++
					}
				}
			}
		}
	}
	t.Logf("%d zone names, %d distinct, %d changes, 1 in %d checked: %d expressions, %d instants, %d answered by the oracle in full",
		len(zones), len(distinct), changes, stride(), expressions, instants, answered)
}

// The same in full randomness, with the whole horizon for the oracle, and with
// the ends of years, where the time package cuts its zone bounds.
func TestNextAgainstOracleAnywhere(t *testing.T) {
	zones := withoutAliases(ianaZones(t))
	setChecks(t, 800*effort(t))
	checks, answered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		draw := pick(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		z := zones[draw(len(zones))]
		var base int64
		switch kind := draw(4); {
		case kind == 0:
			base = from1970 + rapid.Int64Range(0, to2099-from1970).Draw(t, "at")
		case kind == 1 || len(z.changes) == 0:
			base = time.Date(1970+draw(130), 1, 1, 0, 0, 0, 0, time.UTC).Unix() + int64(draw(4*86400)) - 2*86400
		default:
			base = z.changes[draw(len(z.changes))] + int64(draw(4*86400)) - 2*86400
		}
		near := base + int64(draw(2*86400))
		text := anyExpression(draw, time.Unix(near, 0).In(z.loc))
		checks++
		if checkNext(t, text, z, time.Unix(base, int64(draw(2))*999_999_999), 60*366, false) {
			answered++
		}
	})
	t.Logf("%d checks over %d zones, %d answered by the oracle in full", checks, len(zones), answered)
}

// The same with the zones as this machine has them, in whatever form: the
// tables may reach less or further than those that come with Go.
func TestNextAgainstOracleInTheMachinesZones(t *testing.T) {
	all := ianaZones(t)
	r := rand.New(rand.NewPCG(7, uint64(effort(t))))
	checks := 0
	for range 15 * effort(t) {
		name := all[r.IntN(len(all))].name
		loc, err := time.LoadLocation(name)
		if err != nil {
			continue // older or newer data than Go's
		}
		z := examine(loc)
		z.name = name + " of the machine"
		for range min(20, len(z.changes)) {
			at := z.changes[r.IntN(len(z.changes))] + int64(r.IntN(4*86400)) - 2*86400
			text := anyExpression(r.IntN, time.Unix(at+int64(r.IntN(7200)), 0).In(loc))
			checkNext(t, text, z, time.Unix(at, 0), 45, false)
			checks++
		}
	}
	if checks == 0 {
		t.Error("no zone could be loaded")
	}
	t.Logf("%d checks", checks)
}

// D16, issue 3: the canonical text reads back to an equal expression, and is
// its own canonical text.
func TestStringRoundTrip(t *testing.T) {
	setChecks(t, 2000*effort(t))
	rapid.Check(t, func(t *rapid.T) {
		draw := pick(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		text := anyExpression(draw, time.Unix(from1970+int64(draw(1<<31)), 0).UTC())
		e, err := cron.Parse(text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", text, err)
		}
		again, err := cron.Parse(e.String())
		if err != nil {
			t.Fatalf("Parse(%q), from %q: %v", e, text, err)
		}
		if !again.Equal(e) || again.String() != e.String() {
			t.Fatalf("%q became %q and then %q", text, e, again)
		}
		if e.Describe() == "" {
			t.Fatalf("no description of %q", text)
		}
	})
}

// setChecks sets how often rapid tries, unless its own flag was given.
func setChecks(t *testing.T, n int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
}
