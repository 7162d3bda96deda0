package main

import (
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/adhocore/gronx"
	"github.com/reugn/go-quartz/quartz"
	robfig "github.com/robfig/cron/v3"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// next is what a library answers for an instant; false is none.
type next func(after time.Time) (time.Time, bool)

// library is one of those compared.
type library struct {
	name, module string
	// parse makes next for an expression of six fields in a zone.
	parse func(text string, loc *time.Location) (next, error)
	// check does what the library offers to read an expression once.
	check func(text string) error
}

var robfigParser = robfig.NewParser(robfig.Second | robfig.Minute | robfig.Hour | robfig.Dom | robfig.Month | robfig.Dow)

var cronLibraries = []library{
	{
		name: "gormsched", module: "github.com/gormsched/gormsched",
		parse: func(text string, loc *time.Location) (next, error) {
			e, err := cron.Parse(text)
			return func(after time.Time) (time.Time, bool) { return e.Next(after, loc) }, err
		},
		check: func(text string) error { _, err := cron.Parse(text); return err },
	},
	{
		name: "robfig/cron", module: "github.com/robfig/cron/v3",
		parse: func(text string, loc *time.Location) (next, error) {
			s, err := robfigParser.Parse(text)
			return func(after time.Time) (time.Time, bool) {
				t := s.Next(after.In(loc))
				return t, !t.IsZero()
			}, err
		},
		check: func(text string) error { _, err := robfigParser.Parse(text); return err },
	},
	{
		// It keeps no parsed form: each answer reads the text again, and the
		// validity check is the nearest thing to parsing.
		name: "gronx", module: "github.com/adhocore/gronx",
		parse: func(text string, loc *time.Location) (next, error) {
			if !gronx.IsValid(text) {
				return nil, fmt.Errorf("not valid: %q", text)
			}
			return func(after time.Time) (time.Time, bool) {
				t, err := gronx.NextTickAfter(text, after.In(loc), false)
				return t, err == nil
			}, nil
		},
		check: func(text string) error {
			if !gronx.IsValid(text) {
				return fmt.Errorf("not valid: %q", text)
			}
			return nil
		},
	},
	{
		name: "go-quartz", module: "github.com/reugn/go-quartz",
		parse: func(text string, loc *time.Location) (next, error) {
			trigger, err := quartz.NewCronTriggerWithLoc(text, loc)
			return func(after time.Time) (time.Time, bool) {
				at, err := trigger.NextFireTime(after.UnixNano())
				return time.Unix(0, at), err == nil
			}, err
		},
		check: func(text string) error { _, err := quartz.NewCronTrigger(text); return err },
	},
}

// cronTexts are read alike by all four.
var cronTexts = []string{
	"* * * * * *",
	"0 */5 * * * *",
	"0 0 9 ? * MON-FRI",
	"0 15,45 8-18 ? * MON-FRI",
	"0 30 4 1 * ?",
	"0 0 0 1 1 ?",
	"0 0 12 29 2 ?",
}

var cronStart = time.Date(2026, 1, 5, 0, 0, 30, 0, time.UTC)

func runCron(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench cron", flag.ContinueOnError)
	rounds := flags.Int("rounds", 9, "alternating rounds; the median counts")
	round := flags.Duration("round", 20*time.Millisecond, "length of a round")
	steps := flags.Int("steps", 200, "answers walked through before the start again")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 || *round <= 0 || *steps < 1 {
		return fmt.Errorf("rounds, round and steps must be positive")
	}
	fmt.Fprintln(out, "cron: time per Next and per Parse")
	writeMachine(out)
	for _, l := range cronLibraries {
		fmt.Fprintf(out, "  %-12s %s %s\n", l.name, l.module, version(l.module))
	}
	fmt.Fprintf(out, "Median of %d alternating rounds of %v, in %s. Next walks from answer to answer, %d times from %s, then again\n"+
		"(less often where an expression has fewer answers before 2090). \"x\" is the time relative to gormsched.\n"+
		"\"differs\" marks a library that does not give the same answers all the way.\n",
		*rounds, *round, clock, *steps, cronStart.Format(time.RFC3339))
	for _, zone := range []string{"UTC", "America/New_York"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			return err
		}
		if err := nextTable(out, loc, *rounds, *steps, *round); err != nil {
			return err
		}
	}
	return parseTable(out, *rounds, *round)
}

func nextTable(out io.Writer, loc *time.Location, rounds, steps int, round time.Duration) error {
	table := newTable(out, "Next in "+loc.String())
	for _, text := range cronTexts {
		var (
			subjects []subject
			marks    []string
			want     []time.Time
		)
		for i, l := range cronLibraries {
			answer, err := l.parse(text, loc)
			if err != nil {
				return fmt.Errorf("%s: %q: %w", l.name, text, err)
			}
			answers := walk(answer, steps)
			if i == 0 {
				want = answers
			}
			mark := ""
			if !sameInstants(answers, want) {
				mark = " differs"
			}
			marks = append(marks, mark)
			subjects = append(subjects, subject{l.name, walker(answer, len(want))})
		}
		writeRow(table, text, compare(subjects, rounds, round), marks)
	}
	return table.Flush()
}

// walk gives up to steps successive answers before 2090.
func walk(answer next, steps int) []time.Time {
	end := time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC)
	var all []time.Time
	for at := cronStart; len(all) < steps; {
		t, ok := answer(at)
		if !ok || t.After(end) || !t.After(at) {
			break
		}
		all = append(all, t)
		at = t
	}
	return all
}

func walker(answer next, steps int) func(n int) {
	return func(n int) {
		at := cronStart
		for i := range n {
			if i%steps == 0 {
				at = cronStart
			}
			t, ok := answer(at)
			if !ok || !t.After(at) {
				t = cronStart
			}
			at = t
		}
	}
}

func sameInstants(a, b []time.Time) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

func parseTable(out io.Writer, rounds int, round time.Duration) error {
	table := newTable(out, "Parse (gronx: IsValid)")
	for _, text := range cronTexts {
		var subjects []subject
		for _, l := range cronLibraries {
			if err := l.check(text); err != nil {
				return fmt.Errorf("%s: %q: %w", l.name, text, err)
			}
			subjects = append(subjects, subject{l.name, func(n int) {
				for range n {
					_ = l.check(text)
				}
			}})
		}
		writeRow(table, text, compare(subjects, rounds, round), make([]string, len(subjects)))
	}
	return table.Flush()
}

func newTable(out io.Writer, title string) *tabwriter.Writer {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\n%s\t", title)
	for _, l := range cronLibraries {
		fmt.Fprintf(table, "%s\tx\t", l.name)
	}
	fmt.Fprintln(table)
	return table
}

func writeRow(table io.Writer, title string, nanoseconds []float64, marks []string) {
	fmt.Fprintf(table, "%s\t", title)
	for i, ns := range nanoseconds {
		fmt.Fprintf(table, "%.0f ns%s\t%.1f\t", ns, marks[i], ns/nanoseconds[0])
	}
	fmt.Fprintln(table)
}
