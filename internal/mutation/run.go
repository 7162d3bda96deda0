package mutation

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gormsched/gormsched/internal/mutation/mutate"
	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

// Result is what came of one mutant in one run.
type Result struct {
	// Failed are the cases that failed, as suite/name.
	Failed []string
	// Broke says that the run ended before its time, by a panic or by the time
	// limit; the last of Failed are the cases that were under way.
	Broke bool
	// Unsound says that the database did not understand a changed statement:
	// what fails then tells nothing about the case.
	Unsound bool

	passed int
}

// Suites are the names of the cases of each suite.
func Suites() map[string][]schedulingtest.Case {
	return map[string][]schedulingtest.Case{"store": schedulingtest.StoreCases(), "election": schedulingtest.ElectionCases(),
		"scheduler": schedulingtest.SchedulerCases()}
}

// Run runs cases (suite/name) with one mutant; 0 = with none.
func (b Build) Run(id int, cases []string, limit time.Duration) (Result, error) {
	return b.run(cases, limit, mutate.Active+"="+strconv.Itoa(id))
}

// First runs cases with a mutant until the first fails.
func (b Build) First(id int, cases []string, limit time.Duration) (Result, error) {
	return b.run(cases, limit, mutate.Active+"="+strconv.Itoa(id), "-test.failfast")
}

// Reached runs cases without a mutant and answers the ids of those that would
// have changed something.
func (b Build) Reached(cases []string, limit time.Duration) ([]int, error) {
	file := filepath.Join(filepath.Dir(b.Binary), "reached")
	defer os.Remove(file)
	r, err := b.run(cases, limit, mutate.Reached+"="+file)
	if err != nil || len(r.Failed) > 0 {
		return nil, errors.Join(err, fmt.Errorf("%v failed without a mutant", r.Failed))
	}
	if r.passed == 0 {
		return nil, nil
	}
	text, err := os.ReadFile(file) //nolint:gosec // written by the run
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	ids := []int{}
	for _, line := range strings.Fields(string(text)) {
		id, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (b Build) run(cases []string, limit time.Duration, env string, flags ...string) (Result, error) {
	var all Result
	for suite := range Suites() {
		var names []string
		for _, c := range cases {
			if name, ok := strings.CutPrefix(c, suite+"/"); ok {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		r, err := b.runSuite(suite, names, limit, env, flags)
		if err != nil {
			return all, err
		}
		all.Failed = append(all.Failed, r.Failed...)
		all.passed += r.passed
		all.Broke, all.Unsound = all.Broke || r.Broke, all.Unsound || r.Unsound
	}
	slices.Sort(all.Failed)
	return all, nil
}

func (b Build) runSuite(suite string, cases []string, limit time.Duration, env string, flags []string) (Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// The run ends by itself, should this process be ended first.
	args := append([]string{"-test.v", "-test.timeout", (limit + 5*time.Second).String(), "-test.run", b.Target.pattern(suite, cases)}, flags...)
	cmd := exec.CommandContext(ctx, b.Binary, args...) //nolint:gosec // our own build
	cmd.Dir = filepath.Join(b.Root, b.Target.Test)
	cmd.Env = append(append(os.Environ(), b.Target.Env...), mutate.Active+"=0", env)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return Result{}, err
	}
	r := read(out.String(), b.Target.Run+"/"+suite+"/", suite)
	if err != nil && len(r.Failed) == 0 && ctx.Err() == nil {
		// Nothing under way and nothing failed: the store could not be made.
		return Result{Broke: true}, nil
	}
	r.Broke = r.Broke || ctx.Err() != nil
	return r, nil
}

var (
	event   = regexp.MustCompile(`^\s*(=== RUN|=== PAUSE|--- PASS:|--- FAIL:|--- SKIP:)\s+(\S+)`)
	unsound = regexp.MustCompile(`(?i)syntax error|SQLSTATE 42|no such column|missing argument|expected \d+ arguments|ambiguous column|not enough args|Error 1064|values for \d+ columns`)
)

// read goes through a run's output.
func read(out, prefix, suite string) Result {
	r := Result{Unsound: unsound.MatchString(out)}
	under := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		m := event.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		name, ok := strings.CutPrefix(m[2], prefix)
		if !ok || strings.Contains(name, "/") {
			continue
		}
		name = suite + "/" + name
		switch m[1] {
		case "=== RUN":
			under[name] = true
		case "--- FAIL:":
			r.Failed = append(r.Failed, name)
			delete(under, name)
		default:
			if m[1] != "=== PAUSE" {
				delete(under, name)
				r.passed++
			}
		}
	}
	for name := range under {
		r.Failed, r.Broke = append(r.Failed, name), true
	}
	return r
}
