// Command mutants keeps the table of mutants: which change of the shipped code
// fails which case of the suites. From the root of the module:
//
//	go run ./internal/mutation/mutants report
//	go run ./internal/mutation/mutants replay [-every 12] [-only sqlite]
//	go run ./internal/mutation/mutants mend
//	go run ./internal/mutation/mutants search -target sqlite -dir /tmp/search -for 10m [-cases store/ClaimOrder]
//	go run ./internal/mutation/mutants choose -target sqlite -dir /tmp/search
//	go run ./internal/mutation/mutants survivors -target memory -dir /tmp/search -files scheduling/inmemory/claim.go
//
// report prints each case with its mutants and each rule with its cases. replay
// builds the targets and runs each entry's cases with its mutant; it fails if a
// case passes in spite of its mutant, or has none. mend is for new cases and for
// code that was changed: it takes out what does not apply any more, and adds
// mutants for cases that have none.
//
// search runs mutants, those that few cases reach first, and keeps what it
// learns in a folder, where a further search goes on; choose adds to the table
// what the cases need that no entry of that target names. survivors lists the
// mutants of files that no case fails or reaches: where cases are missing, or
// where a change makes no difference.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gormsched/gormsched/internal/mutation"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type settings struct {
	root, table, target, dir, cases, only, files string
	sql                                          bool
	limit                                        time.Duration
	enough, every                                int
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("say what to do: report, replay, mend, search, choose or survivors")
	}
	var s settings
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.StringVar(&s.root, "root", ".", "the root of the module")
	flags.StringVar(&s.table, "table", "", "the table; empty = the one in the repository")
	flags.StringVar(&s.target, "target", "", "search, choose: the store under test")
	flags.StringVar(&s.dir, "dir", "", "search, choose: the folder of the search")
	flags.DurationVar(&s.limit, "for", 5*time.Minute, "search, survivors, mend: how long")
	flags.BoolVar(&s.sql, "sql", false, "survivors: only changes of the texts of statements")
	flags.StringVar(&s.cases, "cases", "", "search: cases to search for, as suite/name, by commas; empty = all")
	flags.StringVar(&s.files, "files", "", "survivors: files, by commas; empty = all")
	flags.IntVar(&s.enough, "enough", 1, "search: mutants that are enough for a case")
	flags.IntVar(&s.every, "every", 1, "replay: one entry of so many")
	flags.StringVar(&s.only, "only", "", "replay: targets, by commas; empty = all that are there")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	root, err := filepath.Abs(s.root)
	if err != nil {
		return err
	}
	s.root = root
	if s.table == "" {
		s.table = filepath.Join(root, mutation.Table)
	}
	todo, ok := map[string]func() error{"report": s.report, "replay": s.replay, "mend": s.mend, "search": s.search, "choose": s.choose, "survivors": s.survivors}[args[0]]
	if !ok {
		return fmt.Errorf("%q is not known: say report, replay, mend, search, choose or survivors", args[0])
	}
	return todo()
}

// among reports whether a list by commas names something; an empty one names all.
func among(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

func tell(text string) { fmt.Println(time.Now().Format(time.TimeOnly), text) }

func (s settings) open() (*mutation.Search, error) {
	target, ok := mutation.TargetNamed(s.target)
	if !ok {
		return nil, fmt.Errorf("-target is %q: name one of the targets of package mutation", s.target)
	}
	if s.dir == "" {
		return nil, errors.New("-dir is empty: name a folder for what the search learns")
	}
	return mutation.OpenSearch(s.root, s.dir, target)
}

func (s settings) search() error {
	search, err := s.open()
	if err != nil {
		return err
	}
	wanted := func(suite, name string) bool { return among(s.cases, suite+"/"+name) }
	if err := search.Learn(wanted, tell); err != nil {
		return err
	}
	return search.Go(s.limit, s.enough, wanted, tell)
}

func (s settings) survivors() error {
	search, err := s.open()
	if err != nil {
		return err
	}
	if err := search.Learn(func(_, _ string) bool { return true }, tell); err != nil {
		return err
	}
	survived, unreached, err := search.Survivors(s.limit, func(m mutation.Mutant) bool {
		return among(s.files, m.File) && (!s.sql || strings.HasPrefix(m.Change, "to "))
	})
	for _, m := range survived {
		fmt.Println("SURVIVES", m)
	}
	for _, m := range unreached {
		fmt.Println("NOT REACHED", m)
	}
	return err
}

func (s settings) mend() error {
	old, err := mutation.ReadTable(s.table)
	if err != nil {
		return err
	}
	list, err := mutation.Mend(s.root, old, s.limit, tell)
	if err != nil {
		return err
	}
	if err := mutation.WriteTable(s.table, list); err != nil {
		return err
	}
	if missing := mutation.Missing(list); len(missing) > 0 {
		return fmt.Errorf("nothing found for %v: search on another database, or mend the cases", missing)
	}
	return nil
}

func (s settings) choose() error {
	search, err := s.open()
	if err != nil {
		return err
	}
	old, err := mutation.ReadTable(s.table)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	added, err := search.Choose(mutation.Named(old, s.target), tell)
	if err != nil {
		return err
	}
	tell(fmt.Sprintf("%d entries beside %d", len(added), len(old)))
	return mutation.WriteTable(s.table, append(old, added...))
}

func (s settings) replay() error {
	list, err := mutation.ReadTable(s.table)
	if err != nil {
		return err
	}
	missing := mutation.Missing(list)
	var some []mutation.Entry
	for i, e := range list {
		if i%s.every == 0 && among(s.only, e.Target) {
			some = append(some, e)
		}
	}
	survivors, err := mutation.Replay(s.root, some, tell)
	if err != nil {
		return err
	}
	for _, v := range survivors {
		fmt.Printf("SURVIVED %s: %v (%s)\n", v.Case, v.Mutant, v.Entry.Target)
	}
	for _, c := range missing {
		fmt.Println("WITHOUT A MUTANT", c)
	}
	if len(survivors)+len(missing) > 0 {
		return fmt.Errorf("%d cases passed in spite of a mutant, %d have none", len(survivors), len(missing))
	}
	return nil
}

func (s settings) report() error {
	list, err := mutation.ReadTable(s.table)
	if err != nil {
		return err
	}
	located, errs := mutation.Located(s.root, list)
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	caught := mutation.Caught(list, located)
	mutation.ReportCases(os.Stdout, caught)
	rules, err := mutation.Rules(s.root)
	if err != nil {
		return err
	}
	reasons, err := mutation.Reasons(filepath.Join(s.root, mutation.RulesWithoutCase))
	if err != nil {
		return err
	}
	mutation.ReportRules(os.Stdout, rules, caught, reasons)
	fmt.Printf("%d mutants for %d cases, %d cases without one\n", len(list), len(caught), len(mutation.Missing(list)))
	return nil
}
